"""Which button and lamp goes to which pin of the Raspberry Pi's header: as text, and as a drawing."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from device.buttons import header

ROW, TOP, MIDDLE = 22, 46, 330
"""Drawing, in px: from pin to pin, the first one's height, and the middle between both columns."""

COLOURS = {"3V3": "#d9822b", "5V": "#c23030", "GND": "#30363d", "button": "#2f6fb7", "lamp": "#d6b400", "": "#c9ced6"}


@dataclass(frozen=True)
class Pin:
    """One pin of the header: `number` as printed beside it, `name` as the Raspberry Pi calls it, and what is wired to
    it (a button or lamp by name, else nothing)."""

    number: int
    name: str
    kind: str = ""
    wired: str = ""

    @property
    def words(self) -> str:
        return f"{self.name} · {self.kind} {self.wired}" if self.wired else self.name

    @property
    def colour(self) -> str:
        return COLOURS.get(self.kind or self.name, COLOURS[""])


def pins(buttons: Mapping[str, int], lamps: Mapping[str, int]) -> tuple[Pin, ...]:
    """All forty pins, 1 to 40."""
    users = {f"GPIO{pin}": ("button", name) for name, pin in buttons.items()}
    users |= {f"GPIO{pin}": ("lamp", name) for name, pin in lamps.items()}
    return tuple(Pin(number, name, *users.get(name, ("", ""))) for number, name in header().items())


def text(found: tuple[Pin, ...]) -> str:
    """The header as it is seen from above, pin 1 at the top left."""
    width = max(len(pin.words) for pin in found[::2])
    rows = zip(found[::2], found[1::2], strict=True)
    return "".join(
        f"{left.words:>{width}}  {left.number:>2} o o {right.number:<2}  {right.words}".rstrip() + "\n"
        for left, right in rows
    )


def drawing(found: tuple[Pin, ...]) -> str:
    """The same as SVG."""
    height = TOP + 20 * ROW + 16
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * MIDDLE}" height="{height}" '
        f'viewBox="0 0 {2 * MIDDLE} {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{2 * MIDDLE}" height="{height}" fill="#ffffff"/>',
        f'<text x="{MIDDLE}" y="20" text-anchor="middle" font-weight="bold">The header seen from above; '
        "pin 1 is at the corner of the board</text>",
        f'<rect x="{MIDDLE - 44}" y="{TOP - 14}" width="88" height="{20 * ROW + 6}" rx="6" fill="#eef1f4"/>',
    ]
    for place, pin in enumerate(found):
        left = place % 2 == 0
        y = TOP + place // 2 * ROW
        x = MIDDLE - 12 if left else MIDDLE + 12
        weight = ' font-weight="bold"' if pin.wired else ' fill="#5c6570"'
        words, number = (MIDDLE - 54, MIDDLE - 27) if left else (MIDDLE + 54, MIDDLE + 27)
        end = ' text-anchor="end"' if left else ""
        lines += [
            f'<circle cx="{x}" cy="{y}" r="8" fill="{pin.colour}"/>',
            f'<text x="{number}" y="{y + 4}" font-size="10" fill="#5c6570"{end}>{pin.number}</text>',
            f'<text x="{words}" y="{y + 4}"{end}{weight}>{escape(pin.words)}</text>',
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"
