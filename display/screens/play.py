"""The table in play: whose turn it is, the dice, the player's sheet, everyone's totals."""

from display.desk import current
from display.intent import (
    Confirm,
    Hold,
    Intent,
    Look,
    Mend,
    Pass,
    PlayOn,
    SpendSavedThrow,
    ThrowByHand,
    Undo,
)
from display.page import Page
from display.rect import Rect
from display.screens.sheet import lay_sheet, plan, wanted_width
from display.screens.tray import lay_tray
from display.standing import (
    asked_slot,
    can_enter,
    can_pass,
    can_spend,
    pad_dice,
    pad_room,
    pane,
    reading_waits,
    saved_throws,
    sheet_on_turn,
    slots,
    standings,
)
from rules import Match

LEFT = 6.1
"""Least width, in touches, of everything beside the sheet."""


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
    lay_sheet(page, sheet)
    _side(page, side, match)


def _side(page: Page, area: Rect, match: Match) -> None:
    gap = page.gap
    turn, rest = area.top(page.of(1.3), gap // 2)
    _turn(page, turn, match)
    _, rest = rest.inset(gap, 0).foot(gap // 2)
    totals, rest = rest.foot(page.of(1.02), gap // 2)
    if page.upright:  # low and wide: what to do stands beside the tray
        dice, rest = rest.foot(page.of(1.4), gap // 2)
        said, rest = rest.top(_said_height(page), gap // 2)
        tray, deeds = rest.left(round(rest.w * 0.52), gap)
    else:
        deeds, rest = rest.foot(page.of(1.02), gap)
        dice, rest = rest.foot(page.of(1.5), gap // 2)
        said, tray = rest.top(_said_height(page), gap // 2)
    _said(page, said, match)
    lay_tray(page, tray)
    lay_dice(page, dice)
    _deeds(page, deeds, match)
    _totals(page, totals, match)


def _turn(page: Page, area: Rect, match: Match) -> None:
    """Whose turn and which throw: the one block of strong colour on the screen."""
    page.panel(area, "turn", radius=0)
    menu, rest = area.right_part(page.of(1.1))
    page.panel(menu, None, radius=0, intent=Look("open", "menu"))
    page.sign(menu.centred(page.of(0.6), page.of(0.6)), "menu", "on-turn", "turn")
    if page.view.saving:
        spot = Rect(menu.x, area.bottom - page.of(0.32), menu.w, page.of(0.3))
        page.sign(spot, "saving", "on-turn", "turn")
    rest = page.warned(rest)
    inner = rest.inset(page.of(0.18), page.of(0.06))
    name, below = inner.top(page.of(0.76))
    page.text(name, match.player or "", "title", bold=True, ink="on-turn", ground="turn")
    saved = saved_throws(match)
    if saved:
        _tokens(page, below, saved)
    done, whole = match.throw, match.game.throws
    if match.phase in ("throw", "choose"):
        dots, below = below.left(page.of(0.36) * whole, page.of(0.12))
        for place, dot in enumerate(dots.columns(whole), start=1):
            sign = "dot" if place <= done else "ring"
            page.sign(dot.centred(page.of(0.28), page.of(0.28)), sign, "on-turn", "turn")
        number = min(done + 1, whole) if match.phase == "throw" else done
        text = page.words.ui("throw", n=number, of=whole) if done <= whole else page.words.ui("extra-throw")
        words, _ = below.left(below.w - (page.of(1.9) if saved else 0))
        page.text(words, text, "small", ink="on-turn", ground="turn")


def _tokens(page: Page, area: Rect, saved: int) -> None:
    """Saved throws as a stack of tokens, and how many."""
    count, rest = area.right_part(page.of(0.5), page.of(0.06))
    page.text(count, page.words.number(saved), "body", bold=True, ink="on-turn", ground="turn")
    side, step = page.of(0.26), page.of(0.29)
    for place in range(min(saved, 4)):
        spot = Rect(rest.right - side - place * step, rest.y + (rest.h - side) // 2, side, side)
        page.sign(spot, "token", "on-turn", "turn")


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
    view = page.view
    fault = _fault(page)
    if page.notice is not None:
        page.said(area, page.notice)
    elif fault is not None:
        page.said(area, page.words.fault(fault)[0], intent=Look("dismiss", fault))
    elif reading_waits(view) and view.troubles:
        page.said(area, page.words.notice(view.troubles[0]), "speech")
    else:
        page.text(area.inset(page.of(0.06), 0), _advice(page, match), "small", lines=2, smallest=page.of(0.26))


def _advice(page: Page, match: Match) -> str:
    view = page.view
    ui = page.words.ui
    if current(view).changing or asked_slot(view) is not None:
        return ui("which-face")
    if reading_waits(view):
        return ui("check-dice")
    if view.tray in ("hand", "moving") or (view.tray == "unsure" and match.phase != "choose"):
        return page.words.tray(view.tray)
    if match.phase in ("begin", "throw-off"):
        return ui(match.phase)
    if match.phase == "throw":
        return ui("touch-faces") if pane(view) == "pad" else ui("to-throw")
    return ui("hold-or-choose") if match.throws_left else ui("now-choose")


def lay_dice(page: Page, area: Rect) -> None:
    """The dice as they stand, each to be touched: to hold it, or to put it right while a reading waits."""
    view = page.view
    shown = slots(view)
    desk = current(view)
    if not shown:
        return
    cells = area.columns(max(len(shown), 5))
    offset = (area.w - cells[0].w * len(shown)) // 2 if len(shown) < 5 else 0
    for slot, place in zip(shown, cells, strict=False):
        cell = place.moved(offset, 0)
        intent: Intent | None = None
        if desk.changing or (reading_waits(view) and not slot.empty):
            intent = Look("slot", slot.number)
        elif view.match is not None and view.match.phase == "choose" and view.match.throws_left and not desk.pad:
            intent = Hold(slot.number)
        page.die(
            cell.inset(page.of(0.05), 0),
            slot.value,
            held=slot.held,
            asked=slot.asked,
            empty=slot.empty,
            shelf=True,
            intent=intent,
        )


def _deeds(page: Page, area: Rect, match: Match) -> None:
    """Undo, put right or enter dice, and the one thing that goes on."""
    view = page.view
    if page.upright:
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
    elif view.waiting and match.throws_left:
        page.button(main, page.words.ui("play-on"), PlayOn(), main=True, sign="play", size="large")
    elif can_spend(match) and can_enter(view):
        page.button(main, page.words.ui("saved-throw"), SpendSavedThrow(), main=True, sign="token")
    elif can_pass(view):
        page.button(main, page.words.ui("pass"), Pass(), sign="next")
    elif can_enter(view) and not _direct(page, match):
        page.button(main, page.words.ui("choose"), Look("large", True), main=True)


def _second(page: Page, area: Rect, match: Match) -> None:
    view = page.view
    desk = current(view)
    if can_enter(view) and desk.screen != "pad" and match.dice:
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
    if asked is not None and asked <= len(seen):
        value = seen[asked - 1].value
        return Mend(asked, value) if value is not None else None
    return Confirm()


def _direct(page: Page, match: Match) -> bool:
    most = page.size[0] if page.upright else page.size[0] - page.of(LEFT)
    return plan(page, match, (most, page.size[1] if not page.upright else page.of(9.6))).direct


def _totals(page: Page, area: Rect, match: Match) -> None:
    """Everyone's total, in turn order; touching one shows that sheet."""
    sheets = standings(match)
    desk = current(page.view)
    fits = max(2, min(8, area.w // page.unit))
    paged = len(sheets) > fits
    per = fits - 1 if paged else fits
    pages = -(-len(sheets) // per)
    start = (desk.page % pages) * per
    shown = sheets[start : start + per]
    own = sheet_on_turn(match)
    cells = area.columns(max(len(shown) + (1 if paged else 0), 2))
    for sheet, cell in zip(shown, cells, strict=False):
        looked_at = sheet.player == (desk.shown_player or own)
        on_turn = sheet.player == own
        page.panel(
            cell.inset(1, 0),
            "paper" if looked_at else "table",
            "accent" if on_turn else "line",
            page.of(0.06) if on_turn else 1,
            intent=None,
        )
        page.panel(cell, None, radius=0, intent=Look("player", None if on_turn else sheet.player))
        ground = "paper" if looked_at else "table"
        name, total = cell.inset(page.of(0.1), page.of(0.03)).top(page.of(0.42))
        page.text(name, sheet.player, "small", ground=ground, align="centre", bold=on_turn)
        page.text(total, page.words.number(sheet.total), "large", bold=True, ground=ground, align="centre")
    if paged:
        page.button(cells[len(shown)], "", Look("page", desk.page + 1), sign="next")
