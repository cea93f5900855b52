"""Colours, type scale and spacing: everything a person changes to change the looks stands here."""

from collections.abc import Mapping
from types import MappingProxyType

Colour = tuple[int, int, int]

FAMILY = "IBM Plex Sans Condensed"
"""A packaged font with true bold files, which pygame needs (of a variable font it shows the regular weight only), and
figures of one width."""
REGULAR, BOLD = 500, 700


def _palette(**colours: str) -> Mapping[str, Colour]:
    return MappingProxyType(
        {
            role.replace("_", "-"): (int(value[0:2], 16), int(value[2:4], 16), int(value[4:6], 16))
            for role, value in colours.items()
        }
    )


DAY = _palette(
    table="EAE0CE",  # behind everything: oiled oak in daylight
    paper="FFFCF5",  # the sheet, cards
    band="F4ECDD",  # sums, and what is not to be touched
    line="C9B99F",  # rules on the paper: never carries meaning alone
    ink="2A2019",
    soft="5A4C3F",  # words that explain
    main="1D5C49",  # the one button that goes on
    on_main="FFFFFF",
    open="DDEBDD",  # a free box these dice could fill
    open_edge="3C7A62",
    accent="1D5C49",  # what is chosen, and whose turn it is
    turn="1D5C49",  # the block that names the player
    on_turn="FFFFFF",
    held="FFE2AE",  # the shelf under a held die
    held_edge="8A4B00",
    ask="DCE6F7",  # what the table asks
    ask_edge="2A5CC0",
    notice="6B2A14",
    on_notice="FFFFFF",
    die="FFFFFF",
    die_edge="6E5E4D",
    pip="221A14",
    blank="F4ECDD",
    tray="33443C",
    on_tray="FFFFFF",
    focus="B3261E",
    # The players' own colours, each with a sign of its own, on paper: told apart by every eye (see the tests).
    player_0="C24010",
    player_1="2F70B0",
    player_2="231815",
    player_3="8A3FF5",
    player_4="881133",
    player_5="000066",
    player_6="92645E",
    player_7="5522AA",
)
NIGHT = _palette(
    table="1E1A17",
    paper="2B2622",
    band="342E29",
    line="5B5046",
    ink="F6EFE4",
    soft="CFC2B2",
    main="8FD3B6",
    on_main="10231B",
    open="24443A",
    open_edge="8FD3B6",
    accent="8FD3B6",
    turn="255646",
    on_turn="FFFFFF",
    held="5A4013",
    held_edge="F2C063",
    ask="243554",
    ask_edge="B9C6FF",
    notice="F3C3B3",
    on_notice="3A140A",
    die="F6EFE4",
    die_edge="A39483",
    pip="1E1713",
    blank="342E29",
    tray="14201B",
    on_tray="FFFFFF",
    focus="FF8A7A",
    player_0="FF6A2B",
    player_1="AACCFF",
    player_2="FFFFDD",
    player_3="EE5CFF",
    player_4="FFCC22",
    player_5="00FF88",
    player_6="9988AA",
    player_7="55BB55",
)

PLAYERS = 8
"""How many players have a colour and a sign of their own; a ninth begins again."""

TOUCH_MM = 9.0
PANEL_MM = 25.4 * 7.0
"""The smallest screen it is made for: 7 inches across the corners."""


def touch(size: tuple[int, int]) -> int:
    """The side in pixels of the smallest thing to be touched: 9 mm on a 7-inch panel of this size."""
    across = (size[0] ** 2 + size[1] ** 2) ** 0.5
    return int(across * TOUCH_MM / PANEL_MM) + 1


SCALE: Mapping[str, float] = MappingProxyType(
    {"tiny": 0.29, "small": 0.34, "body": 0.41, "large": 0.52, "title": 0.66, "huge": 0.95}
)
"""Heights of letters as parts of a touch: so text grows with the screen and stays the same size to the eye."""

GAP = 0.14
"""Space between things, as part of a touch."""
RADIUS = 0.16


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of two colours as WCAG 2 defines it, 1 to 21."""
    a, b = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (a + 0.05) / (b + 0.05)


def _luminance(colour: Colour) -> float:
    parts = [c / 255 for c in colour]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
