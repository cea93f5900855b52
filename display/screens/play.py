"""The table in play: whose turn it is, the dice, the player's sheet, everyone's totals."""

from functools import partial
from typing import NamedTuple

from display.desk import current
from display.intent import (
    Confirm,
    Intent,
    Look,
    Mend,
    NoDie,
    Pass,
    PlayOn,
    SpendSavedThrow,
    ThrowByHand,
    Undo,
)
from display.lettering import fit, line_height
from display.page import Page
from display.rect import Rect
from display.screens.dice import lay_dice, lay_pairs, paired
from display.screens.lots import lay_lots
from display.screens.sheet import lay_sheet, plan, wanted_width
from display.screens.tray import lay_tray
from display.standing import (
    alarms,
    asked_slot,
    can_be_no_die,
    can_enter,
    can_pass,
    can_spend,
    pad_dice,
    pad_room,
    pane,
    reading_waits,
    saved_throws,
    sheet_on_turn,
    standings,
    too_many,
)
from display.theme import SCALE
from rules import Entered, LotThrown, Match, Passed

LEFT = 6.1
"""Least width, in touches, of everything beside the sheet."""

FACES = 2.46
"""Least height, in touches, of the pane in the tray's place: two rows of faces to touch."""

LEAST_TOTAL = 1.15
"""Least width, in touches, of a player's total with its name."""

LEAST_NAME, LEAST_NAME_NARROW = 0.26, 0.24
"""Height, in touches, of the smallest letters of a name above its total, and where eight stand in a row."""

LEAST_DICE = 1.02
"""Least height, in touches, of the row of dice under a tray."""

TOTAL = 1.02
"""Height, in touches, of a player's total with its name in one line."""

NUMBER = (0.54, 0.48, 0.4)
"""Height, in touches, of the number below a name in one line, in two, and in two where there is hardly room."""

LEAST_WORDS = 1.55
"""Least width, in touches, of the words that say which throw it is."""


class Shape(NamedTuple):
    """How everyone's totals are shared out: so many rows, each so many pixels high, and the number alone."""

    rows: int
    height: int
    number: int


def lay_play(page: Page) -> None:
    """The whole screen."""
    match = page.view.match
    if match is None:
        return
    if page.upright:
        height = page.size[1] - page.of(7.55)
        sheet, side = page.whole.foot(max(height, page.of(9.6)))
    else:
        most = page.size[0] - page.of(LEFT)
        sheet, side = page.whole.right_part(wanted_width(page, match, page.size[1], most))
    if match.phase in ("begin", "throw-off"):
        lay_lots(page, sheet, match)
    else:
        lay_sheet(page, sheet)
    _side(page, side, match)


def _side(page: Page, area: Rect, match: Match) -> None:
    gap = page.gap
    turn, rest = area.top(page.of(1.3), gap // 2)
    _turn(page, turn, match)
    _, rest = rest.inset(gap, 0).foot(gap // 2)
    shape = _shape_of_totals(page, match, (rest.w, rest.h))
    totals, rest = rest.foot(shape.height * shape.rows, gap // 2)
    pairs = paired(page)
    if page.upright and not pairs:  # low and wide: what to do stands beside the tray
        said, rest = rest.top(_said_height(page), gap // 2)
        spare = rest.h - gap // 2 - page.of(FACES)
        dice, rest = rest.foot(min(page.of(1.4), max(page.unit, spare)), gap // 2)
        tray, deeds = rest.left(round(rest.w * 0.52), gap)
        lay_tray(page, tray)
        lay_dice(page, dice)
    else:
        deeds, rest = rest.foot(page.of(1.02), gap)
        said, rest = rest.top(_said_height(page), gap // 2)
        if pairs:
            lay_pairs(page, rest)
        else:
            spare = rest.h - gap // 2 - page.of(FACES)
            dice, tray = rest.foot(min(page.of(1.5), max(page.of(LEAST_DICE), spare)), gap // 2)
            lay_tray(page, tray)
            lay_dice(page, dice)
    _said(page, said, match)
    _deeds(page, deeds, match)
    _totals(page, totals, match, shape)


def _turn(page: Page, area: Rect, match: Match) -> None:
    """Whose turn and which throw: the one block of strong colour on the screen."""
    view = page.view
    menu, rest = area.right_part(page.of(1.1))
    opposite, rest = rest.right_part(page.unit)
    bar = ("bar", area, view.saving, alarms(view), current(view).open, view.desk.turned)
    page.same(bar, lambda: _lay_bar(page, area, menu, opposite, rest))
    inner = page.beside_warning(rest).inset(page.of(0.18), page.of(0.06))
    saved = saved_throws(match)
    seat = match.seat_of(match.player) if match.player is not None else None
    told = (match.phase, match.throw, match.game.throws, _throw_shown(page, match), saved)
    page.same(("turn", inner, match.player, seat, *told), lambda: _lay_turn(page, inner, match, seat, saved))


def _throw_shown(page: Page, match: Match) -> int:
    """Which throw of the turn the dice shown are: one that is read or entered but not taken yet is the next."""
    coming = reading_waits(page.view) or bool(current(page.view).pad)
    return match.throw + 1 if match.phase == "throw" or (coming and match.throws_left) else match.throw


def _lay_bar(page: Page, area: Rect, menu: Rect, opposite: Rect, rest: Rect) -> None:
    """What stays there from turn to turn."""
    page.panel(area, "turn", radius=0)
    page.panel(menu, None, radius=0, intent=Look("open", "menu"))
    page.sign(menu.centred(page.of(0.6), page.of(0.6)), "menu", "on-turn", "turn")
    page.panel(opposite, None, radius=0, intent=Look("turned", not page.view.desk.turned))
    page.sign(opposite.centred(page.of(0.5), page.of(0.5)), "turn-round", "on-turn", "turn")
    if page.view.saving:
        spot = Rect(menu.x, area.bottom - page.of(0.32), menu.w, page.of(0.3))
        page.sign(spot, "saving", "on-turn", "turn")
    page.warned(rest)


def _lay_turn(page: Page, area: Rect, match: Match, seat: int | None, saved: int | None) -> None:
    name, below = area.top(page.of(0.76))
    page.named(name, match.player or "", "title", seat, bold=True, ink="on-turn", ground="turn")
    done, whole = match.throw, match.game.throws
    if saved:
        below = _tokens(page, below, saved, below.w - page.of(0.36 * whole + 0.12 + LEAST_WORDS))
    if match.phase in ("throw", "choose"):
        dots, below = below.left(page.of(0.36) * whole, page.of(0.12))
        for place, dot in enumerate(dots.columns(whole), start=1):
            sign = "dot" if place <= done else "ring"
            page.sign(dot.centred(page.of(0.28), page.of(0.28)), sign, "on-turn", "turn")
        number = _throw_shown(page, match)
        text = page.words.ui("throw", n=number, of=whole) if number <= whole else page.words.ui("extra-throw")
        if below.w >= page.of(LEAST_WORDS):  # else the dots alone say it
            page.text(below, text, "small", ink="on-turn", ground="turn")


def _tokens(page: Page, area: Rect, saved: int, room: int) -> Rect:
    """Saved throws as a stack of tokens, as many as there is room for, and how many; gives back what is left."""
    count, rest = area.right_part(page.of(0.5), page.of(0.06))
    page.text(count, page.words.number(saved), "body", bold=True, ink="on-turn", ground="turn")
    side, step = page.of(0.26), page.of(0.29)
    shown = max(1, min(saved, 4, (room - count.w - page.of(0.14)) // step))
    for place in range(shown):
        spot = Rect(rest.right - side - place * step, rest.y + (rest.h - side) // 2, side, side)
        page.sign(spot, "token", "on-turn", "turn")
    return rest.left(rest.w - shown * step - page.of(0.06))[0]


def _fault(page: Page) -> str | None:
    """The first fault whose sentence was not touched away yet."""
    desk = page.view.desk
    if page.notice is not None:
        return None
    return next((fault.name for fault in page.view.faults if fault.name not in desk.dismissed), None)


def _said_height(page: Page) -> int:
    return page.unit if _fault(page) is not None else page.of(0.74)


def _said(page: Page, area: Rect, match: Match) -> None:
    """One sentence: why something was refused, what is wrong, or what to do now."""
    fault = _fault(page)
    if page.notice is not None:
        page.said(area, page.notice)
    elif fault is not None:
        page.said(area, page.words.fault(fault)[0], intent=Look("dismiss", fault))
    elif (trouble := _trouble(page)) is not None:
        page.said(area, trouble, "speech")
    else:
        page.text(area.inset(page.of(0.06), 0), _advice(page, match), "small", lines=2, smallest=page.of(0.26))


def _trouble(page: Page) -> str | None:
    """What is wrong with the die asked about, else with the whole reading that waits."""
    view = page.view
    if not reading_waits(view):
        return None
    slot = asked_slot(view)
    die = view.seen[slot - 1] if slot is not None else None
    if die is not None and die.trouble is not None:
        return page.words.notice(die.trouble)
    if die is not None and die.value is None:
        return page.words.ui("die-missing") if die.centre is None else page.words.notice("doubtful-face")
    if too_many(view):
        return page.words.ui("too-many")
    return page.words.notice(view.troubles[0]) if view.troubles else None


def _advice(page: Page, match: Match) -> str:
    view = page.view
    ui = page.words.ui
    if current(view).changing or asked_slot(view) is not None:
        return ui("which-face")
    if reading_waits(view):
        return ui("check-dice" if view.countdown is None else "takes-itself")
    if view.tray in ("hand", "moving") or (view.tray == "unsure" and match.phase != "choose"):
        return page.words.tray(view.tray)
    if match.phase in ("begin", "throw-off"):
        return ui(match.phase)
    if match.phase == "throw" and isinstance(match.last, LotThrown):
        return ui("begins", name=match.player)
    if match.phase == "throw":
        return ui("touch-faces") if pane(view) == "pad" else ui("to-throw")
    return ui("hold-or-choose") if match.throws_left else ui("now-choose")


def _deeds(page: Page, area: Rect, match: Match) -> None:
    """Undo, put right or enter dice, and the one thing that goes on."""
    view = page.view
    if area.h > 2 * page.unit:
        main, below = area.top(area.h - page.of(1.15), page.gap)
        first, second = below.columns(2, page.gap)
    else:
        small = min(page.of(1.75), area.w // 4)
        first, rest = area.left(small, page.gap)
        second, main = rest.left(small, page.gap)
    page.button(first, page.words.ui("undo"), Undo() if match.can_undo else None, sign="undo")
    _second(page, second, match)
    dice = pad_dice(view)
    if dice is not None:
        page.button(main, page.words.ui("confirm"), ThrowByHand(dice), main=True, sign="check", size="large")
    elif reading_waits(view):
        page.button(main, page.words.ui("confirm"), confirm(page), main=True, sign="check", size="large")
        _countdown(page, main)
    elif view.waiting and match.throws_left:
        page.button(main, page.words.ui("play-on"), PlayOn(), main=True, sign="play", size="large")
    elif can_spend(match) and can_enter(view):
        if not _direct(page, match):
            choose, main = main.columns(2, page.gap)
            page.button(choose, page.words.ui("choose"), Look("large", True), main=True)
        page.button(main, page.words.ui("saved-throw"), SpendSavedThrow(), main=True, sign="token")
    elif can_pass(view):
        page.button(main, page.words.ui("pass"), Pass(), sign="next")
    elif can_enter(view) and not _direct(page, match):
        page.button(main, page.words.ui("choose"), Look("large", True), main=True)
    elif match.phase == "throw" and isinstance(match.can_undo, Entered | Passed) and not current(view).pad:
        what = page.words.did(match.game, match.can_undo)
        page.button(main, page.words.ui("take-back", what=what), Undo(), sign="undo")


def _countdown(page: Page, button: Rect) -> None:
    """How long until the reading is taken by itself: a bar that runs out under the word."""
    left = page.view.countdown
    if left is None:
        return
    bar, _ = button.inset(page.of(0.16), page.of(0.07)).foot(max(3, page.of(0.09)))
    page.panel(bar.left(round(bar.w * left))[0], "on-main", radius=0)


def _second(page: Page, area: Rect, match: Match) -> None:
    view = page.view
    desk = current(view)
    asked = asked_slot(view)
    if asked is not None and can_be_no_die(view, asked):
        page.button(area, page.words.ui("no-die"), NoDie(asked), sign="cross")
    elif can_enter(view) and desk.screen != "pad" and match.dice:
        page.button(
            area,
            page.words.ui("change"),
            Look("changing", not desk.changing),
            sign="pen",
            chosen=desk.changing,
        )
    elif view.tray != "no-camera" and pad_room(view) and desk.screen != "pad":
        page.button(area, page.words.ui("pad"), Look("screen", "pad"), sign="dice")


def confirm(page: Page) -> Intent | None:
    """What the confirm button means while a reading waits: take it, or take the doubtful die as it was read."""
    asked = asked_slot(page.view)
    seen = page.view.seen
    if asked is None and too_many(page.view):
        return None
    if asked is not None and asked <= len(seen):
        value = seen[asked - 1].value
        return Mend(asked, value) if value is not None else None
    return Confirm()


def _direct(page: Page, match: Match) -> bool:
    most = page.size[0] if page.upright else page.size[0] - page.of(LEFT)
    return plan(page, match, (most, page.size[1] if not page.upright else page.of(9.6))).direct


def _shape_of_totals(page: Page, match: Match, room: tuple[int, int]) -> Shape:
    """The lowest way to show everyone's total with the fewest names shortened, that leaves room for the tray."""
    names = tuple(seat.name for seat in match.seats)
    return page.once(("totals", room, names), match.in_force, lambda: _lowest(page, names, room))


def _lowest(page: Page, names: tuple[str, ...], room: tuple[int, int]) -> Shape:
    wide, high = room
    gaps = 3 * (page.gap // 2) + (0 if page.upright else page.of(1.02) + page.gap)  # upright the buttons stand beside
    most = high - page.of(FACES) - page.of(LEAST_DICE) - page.unit - gaps
    ways: list[tuple[bool, bool, int, int, int, Shape]] = []
    for rows in (1, 2):
        cell = wide // max(2, -(-len(names) // rows))
        for lines, letters, number in zip((1, 2, 2), (SCALE["tiny"], SCALE["tiny"], LEAST_NAME), NUMBER, strict=True):
            size = page.of(letters)
            height = max(page.of(TOTAL), lines * line_height(size, bold=True) + page.of(number) + 4)
            shape = Shape(rows, height, page.of(number))
            spot = _total_parts(page, Rect(0, 0, cell, height), shape)[0]
            short = sum(_shortened(page, name, spot) for name in names)
            narrow, deep = cell < page.of(LEAST_TOTAL), rows * height > most
            ways.append((narrow, deep, 0 if deep else short, rows, len(ways), shape))
    return min(ways)[-1]


def _shortened(page: Page, name: str, spot: Rect) -> bool:
    least = page.of(_least_name(page, spot))
    return fit(name, (spot.w, spot.h), least, least, bold=True, most_lines=2)[2]


def _least_name(page: Page, spot: Rect) -> float:
    return LEAST_NAME if spot.w >= page.of(1.3) else LEAST_NAME_NARROW


def _totals(page: Page, area: Rect, match: Match, shape: Shape) -> None:
    """Everyone's total, in turn order; touching one shows that sheet."""
    sheets = standings(match)
    desk = current(page.view)
    own = sheet_on_turn(match)
    shown = tuple(
        (sheet.player, sheet.total, sheet.player == (desk.shown_player or own), sheet.player == own) for sheet in sheets
    )
    page.same(("totals", area, shape, shown), lambda: _lay_totals(page, area, shape, shown))


def _lay_totals(page: Page, area: Rect, shape: Shape, shown: tuple[tuple[str, int, bool, bool], ...]) -> None:
    per = -(-len(shown) // shape.rows)
    cells = [cell for row in area.rows(shape.rows) for cell in row.columns(max(per, 2))]
    names = tuple(one[0] for one in shown)
    for seat, (cell, one) in enumerate(zip(cells, shown, strict=False)):
        page.same(("total", cell, shape, seat, names, *one), partial(_total, page, cell, shape, seat, *one))


def _total_parts(page: Page, cell: Rect, shape: Shape) -> tuple[Rect, Rect]:
    """Where in its cell a name stands, and below it the total with the mark."""
    number, name = cell.inset(page.of(0.05), 2).foot(shape.number)
    return name, number


def _total(
    page: Page, cell: Rect, shape: Shape, seat: int, player: str, total: int, looked_at: bool, on_turn: bool
) -> None:
    ground = "paper" if looked_at else "table"
    edge = ("accent", page.of(0.06)) if on_turn else ("line", 1)
    page.panel(cell.inset(1, 0), ground, *edge)
    page.panel(cell, None, radius=0, intent=Look("player", None if on_turn else player))
    name, number = _total_parts(page, cell, shape)
    least = _least_name(page, name)
    page.named(name, player, "small", None, ground=ground, align="centre", bold=on_turn, smallest=least)
    page.counted(number, page.words.number(total), "large", seat, ground=ground)
