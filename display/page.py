"""The sheet of drafting paper a screen is laid out on: sizes in touches, words fitted, things added one by one."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from display.desk import current
from display.intent import Intent, Look
from display.lettering import apart, fit, line_height, width
from display.rect import Rect
from display.scene import DrawnDie, Lettering, Panel, Part, Scene, Sign, Thing
from display.standing import alarms
from display.theme import GAP, PLAYERS, RADIUS, SCALE, touch
from display.view import View
from display.words import words

_LAID: dict[tuple[object, ...], tuple[object, Part]] = {}
_KNOWN: dict[tuple[object, ...], tuple[object, object]] = {}
NAME_LINES = 3
"""As many as the longest name, "Wilhelmina-Gwendolyn", has parts in a narrow column, and a team of three."""
LEAST_MARK = 0.34
"""Side, in touches, of the smallest mark that is told from the others."""
LEAST_SHARE = 0.65
"""A mark makes the name beside it no smaller than this part of what it is without."""
MOST_LAID = 1500
"""Parts of screens kept as they were laid out: some sheets of eight players and three columns."""


_Answer = TypeVar("_Answer")


class _Button(NamedTuple):
    main: bool
    sign: str | None
    size: str
    lines: int
    chosen: bool


class Page:
    """A screen being laid out. `unit` is the side of the smallest thing to be touched, in pixels."""

    def __init__(self, view: View, size: tuple[int, int]) -> None:
        self.view = view
        self.size = size
        self.unit = touch(size)
        self.gap = max(4, self.of(GAP))
        self.radius = self.of(RADIUS)
        self.whole = Rect(0, 0, *size)
        self.words = words(view.desk.language)
        self._parts: list[Part] = []
        self._things: list[Thing] = []
        self._within = False

    @property
    def upright(self) -> bool:
        """Whether the screen is taller than wide."""
        return self.size[1] > self.size[0]

    def of(self, touches: float) -> int:
        """So many touches in pixels."""
        return round(self.unit * touches)

    def letters(self, scale: str) -> int:
        """The height in pixels of letters of that step of the type scale."""
        return self.of(SCALE[scale])

    def add(self, thing: Thing) -> None:
        """Puts a thing on top of the others; on a screen too small to have room for it, nothing."""
        if thing.rect.w > 0 and thing.rect.h > 0:
            self._things.append(thing)

    def same(self, key: tuple[object, ...], lay: Callable[[], None], of: object = None, *, still: bool = False) -> None:
        """Lays out a part that depends on nothing but `key`, the very object `of` and the page's size and language; one
        laid out before is put there as it was, the very same part. Nothing may be seen beneath a `still` one."""
        whole = (self.size, self.words.code, id(of), *key)
        known = _LAID.get(whole)
        if known is None or known[0] is not of:
            if len(_LAID) >= MOST_LAID:
                _LAID.clear()
            known = _LAID[whole] = (of, self._laid(lay, still))
        if self._within:
            self._things.extend(known[1].things)
        else:
            self._close()
            self._parts.append(known[1])

    def _laid(self, lay: Callable[[], None], still: bool) -> Part:
        """What is laid out meanwhile, parts of it included, as one part."""
        around, within = self._things, self._within
        self._things, self._within = [], True
        lay()
        made = Part(tuple(self._things), kept=True, still=still)
        self._things, self._within = around, within
        return made

    def _close(self) -> None:
        """What was laid out by itself since the last part becomes one."""
        if self._things:
            self._parts.append(Part(tuple(self._things)))
            self._things = []

    def once(self, key: tuple[object, ...], of: object, work: Callable[[], _Answer]) -> _Answer:
        """What `work` answers, worked out once for this key, this very object and the page's size and language."""
        whole = (self.size, self.words.code, id(of), *key)
        known = _KNOWN.get(whole)
        if known is None or known[0] is not of:
            if len(_KNOWN) >= MOST_LAID:
                _KNOWN.clear()
            known = _KNOWN[whole] = (of, work())
        return known[1]  # type: ignore[return-value]

    def panel(
        self,
        rect: Rect,
        fill: str | None,
        edge: str | None = None,
        edge_width: int = 0,
        radius: int | None = None,
        intent: Intent | None = None,
    ) -> None:
        """A filled rectangle."""
        self.add(Panel(rect, fill, edge, edge_width, self.radius if radius is None else radius, intent))

    def text(
        self,
        rect: Rect,
        text: str,
        size: str | int,
        *,
        bold: bool = False,
        ink: str = "ink",
        ground: str = "table",
        align: str = "left",
        lines: int = 1,
        smallest: str | int = "tiny",
        struck: bool = False,
        box: tuple[str, int] | None = None,
    ) -> None:
        """Words in a rectangle, in the largest size that fits."""
        largest = size if isinstance(size, int) else self.letters(size)
        least = smallest if isinstance(smallest, int) else self.letters(smallest)
        chosen, made, short = fit(text, (rect.w, rect.h), largest, min(least, largest), bold, lines)
        self.add(Lettering(rect, made, chosen, bold, ink, ground, align, short, struck, box))

    def flow(
        self,
        rect: Rect,
        text: str,
        size: str,
        *,
        bold: bool = False,
        ink: str = "ink",
        ground: str = "table",
        lines: int = 1,
        smallest: float = 0.24,
    ) -> Rect:
        """Words at the top of a rectangle; gives back what is left below them. `smallest` is in touches."""
        chosen, made, _ = fit(text, (rect.w, rect.h), self.letters(size), self.of(smallest), bold, lines)
        spot, rest = rect.top(len(made) * line_height(chosen, bold), self.of(0.06))
        self.text(spot, text, chosen, bold=bold, ink=ink, ground=ground, lines=lines, smallest=chosen)
        return rest

    def named(
        self,
        rect: Rect,
        name: str,
        size: str,
        seat: int | None,
        *,
        bold: bool = False,
        ink: str = "ink",
        ground: str = "table",
        align: str = "left",
        smallest: float | None = None,
    ) -> None:
        """A player's or team's name, in as many lines as there is room for, before it the mark of its seat (None: none
        here). Where both have no room the name goes before the mark; a name that is shortened in any case keeps it,
        and never looks like another at the table. `smallest` is in touches."""
        largest = self.letters(size)
        least = min(largest, self.letters("tiny") if smallest is None else self.of(smallest))
        how = (largest, least, bold)
        side = self._side_of_mark(name, rect, how) if seat is not None else 0
        room = (rect.w - self._beside(side), rect.h)
        found = fit(name, room, *how, NAME_LINES)
        if found[2] and self.view.match is not None:
            name = apart(name, found[1], (one.name for one in self.view.match.seats))
            found = fit(name, room, *how, NAME_LINES)
        wide = min(room[0], max(width(line, found[0], bold) for line in found[1]) + 1)
        rect = self._marked(rect, seat if side else None, side, wide, align)
        self.text(
            rect, name, found[0], bold=bold, ink=ink, ground=ground, align=align, lines=NAME_LINES, smallest=found[0]
        )

    def counted(self, rect: Rect, number: str, size: str, seat: int, *, ground: str) -> None:
        """A player's total in the middle of its rectangle, beside it the mark where there is room for both."""
        how = (self.letters(size), self.letters("tiny"), True)
        digits = "0" * len(number)  # all are as wide, and measured once
        side = self._side_of_mark(digits, rect, how)
        height = fit(digits, (rect.w - self._beside(side), rect.h), *how)[0]
        rect = self._marked(rect, seat if side else None, side, width(digits, height, True) + 1, "centre")
        self.text(rect, number, height, bold=True, ground=ground, align="centre")

    def _beside(self, side: int) -> int:
        """The room that a mark of this side takes from a name."""
        return side + self.of(0.06) if side else 0

    def _side_of_mark(self, text: str, rect: Rect, how: tuple[int, int, bool]) -> int:
        """How large a mark has room beside these words; 0: none."""
        alone = fit(text, (rect.w, rect.h), *how, NAME_LINES)
        for side in (min(round(rect.h * 0.8), round(how[0] * 1.1)), self.of(LEAST_MARK)):
            beside = fit(text, (rect.w - self._beside(side), rect.h), *how, NAME_LINES)
            if alone[2] or (not beside[2] and beside[0] >= alone[0] * LEAST_SHARE):
                return side
        return 0

    def _marked(self, rect: Rect, seat: int | None, side: int, wide: int, align: str) -> Rect:
        """Puts the mark of a seat at the left of words that are so wide; gives back where those stand."""
        if seat is None:
            return rect
        pair = rect.centred(self._beside(side) + wide, rect.h) if align == "centre" else rect
        mark, rest = pair.left(side, self._beside(side) - side)
        self.mark(mark, seat)
        return rest

    def mark(self, rect: Rect, place: int) -> None:
        """The colour and sign of the player, or team, at that place in turn order (from 0), on a round of paper."""
        side = min(rect.w, rect.h)
        spot = rect.centred(side, side)
        self.panel(spot, "paper", radius=side // 2)
        number = place % PLAYERS
        self.sign(spot.centred(round(side * 0.66), round(side * 0.66)), f"mark-{number}", f"player-{number}", "paper")

    def sign(self, rect: Rect, name: str, ink: str = "ink", ground: str = "table") -> None:
        """A drawn sign."""
        self.add(Sign(rect, name, ink, ground))

    def button(
        self,
        rect: Rect,
        label: str,
        intent: Intent | None,
        *,
        main: bool = False,
        sign: str | None = None,
        size: str = "body",
        lines: int = 2,
        chosen: bool = False,
    ) -> None:
        """A button: a sign and a word. Without an intent it is shown as not to be used now."""
        key = ("button", rect, label, intent, main, sign, size, lines, chosen)
        how = _Button(main, sign, size, lines, chosen)
        self.same(key, lambda: self._button(rect, label, intent, how))

    def _button(self, rect: Rect, label: str, intent: Intent | None, how: "_Button") -> None:
        main, sign, size, lines, chosen = how
        fill, ink, edge = ("main", "on-main", "main") if main else ("paper", "ink", "ink" if chosen else "line")
        if intent is None:
            fill, ink, edge = "band", "soft", "line"
        self.panel(rect, fill, edge, self.of(0.08) if chosen else max(1, self.of(0.03)), intent=intent)
        inner = rect.inset(self.of(0.1), self.of(0.06))
        if sign is not None and label and inner.w > self.of(2.3):
            side, space = self.of(0.5), self.of(0.16)
            room = (inner.w - side - space, inner.h)
            height, made, _ = fit(label, room, self.letters(size), self.letters("tiny"), main, lines)
            wide = max(width(line, height, main) for line in made)
            pair = inner.centred(side + space + min(wide + 2, room[0]), inner.h)
            mark, inner = pair.left(side, space)
            self.sign(mark, sign, ink, fill)
        elif sign is not None and label and rect.h >= self.of(0.95):
            mark, below = inner.top(self.of(0.4), self.of(0.02))
            if not fit(label, (below.w, below.h), self.letters("small"), self.of(0.25), main, 1)[2]:
                self.sign(mark, sign, ink, fill)
                inner, size, lines = below, "small", 1  # else the word alone, in two lines
        elif sign is not None and not label:
            self.sign(inner.centred(self.of(0.55), self.of(0.55)), sign, ink, fill)
        if label:
            self.text(
                inner,
                label,
                size,
                bold=main,
                ink=ink,
                ground=fill,
                align="centre",
                lines=lines,
                smallest=self.of(0.25),
            )

    def said(self, rect: Rect, text: str, sign: str = "warn", intent: Intent | None = None) -> None:
        """A sentence that wants to be read; with an intent it can be touched away."""
        self.panel(rect, "notice", intent=intent)
        spot, rest = rect.inset(self.of(0.12), 0).left(self.of(0.46), self.of(0.12))
        self.sign(spot.centred(self.of(0.46), self.of(0.46)), sign, "on-notice", "notice")
        if intent is not None:
            away, rest = rest.right_part(self.of(0.4), self.of(0.1))
            self.sign(away.centred(self.of(0.36), self.of(0.36)), "cross", "on-notice", "notice")
        self.text(rest, text, "small", ink="on-notice", ground="notice", lines=2, smallest=self.of(0.26))

    def bar(self, title: str, leave: Intent | None) -> Rect:
        """The bar of a screen that covers another, with its title and the cross that leads back; gives back what is
        left of the screen below it."""
        bar, rest = self.whole.top(self.of(1.1))
        self.panel(bar, "turn", radius=0)
        if leave is not None:
            bar = self.crossed(bar, leave)
        text = self.warned(bar).inset(self.of(0.25), 0)
        self.text(text, title, "title", bold=True, ink="on-turn", ground="turn")
        return rest

    def crossed(self, bar: Rect, leave: Intent) -> Rect:
        """Puts the cross that leads back at the right end of a bar; gives back what is left of it."""
        cross, rest = bar.right_part(self.of(1.3))
        self.panel(cross, None, radius=0, intent=leave)
        self.sign(cross.centred(self.of(0.55), self.of(0.55)), "cross", "on-turn", "turn")
        return rest

    def warned(self, bar: Rect) -> Rect:
        """Puts the sign that something is wrong at the right end of a bar, where anything is; a touch on it shows
        what. Gives back what is left of the bar. Every screen calls this once."""
        rest = self.beside_warning(bar)
        if rest == bar:
            return bar
        spot, _ = bar.right_part(self.of(1.02))
        self.panel(spot, None, radius=0, intent=Look("open", "faults"))
        mark = spot.centred(self.of(0.74), self.of(0.74))
        self.panel(mark, "notice")
        self.sign(mark.centred(self.of(0.5), self.of(0.5)), "warn", "on-notice", "notice")
        return rest

    def beside_warning(self, bar: Rect) -> Rect:
        """What `warned` leaves of a bar."""
        warns = alarms(self.view) and current(self.view).open != "faults"
        return bar.right_part(self.of(1.02))[1] if warns else bar

    @property
    def notice(self) -> str | None:
        """The sentence for what was just refused, by the game or by the screen itself."""
        name = self.view.notice or current(self.view).notice
        return self.words.notice(name) if name else None

    def die(
        self,
        rect: Rect,
        value: int | None,
        *,
        held: bool = False,
        asked: bool = False,
        empty: bool = False,
        shelf: bool = False,
        intent: Intent | None = None,
    ) -> None:
        """A drawn die."""
        self.add(DrawnDie(rect, value, held, asked, empty, shelf, intent))

    def scene(self) -> Scene:
        """What has been laid out."""
        self._close()
        return Scene(self.size, tuple(self._parts), self.view.desk.night)
