"""The end of a game: who won, everyone's place, and the sheets."""

from display.desk import current
from display.intent import Look, NewGame, Undo
from display.page import Page
from display.rect import Rect
from display.screens.sheet import lay_sheet, wanted_width
from display.standing import Standing, standings
from rules import Match


def lay_result(page: Page) -> None:
    """The ranking beside a sheet; touching a player shows that sheet."""
    match = page.view.match
    if match is None:
        return
    if page.upright:
        sheet, side = page.whole.foot(page.of(9.6))
    else:
        most = page.size[0] - page.of(6.1)
        sheet, side = page.whole.right_part(wanted_width(page, match, page.size[1], most))
    lay_sheet(page, sheet)
    banner, rest = side.top(page.of(1.75))
    _banner(page, banner, match)
    beside = _said_of_best(page, match)
    if beside is not None:
        line, rest = rest.top(page.of(0.76))
        page.panel(line, "ask", radius=0)
        page.text(line.inset(page.of(0.25), 0), beside, "body", bold=True, ground="ask", lines=2)
    rest = rest.inset(page.gap)
    deeds, rest = rest.foot(page.of(1.15), page.gap)
    if page.notice is not None:
        said, rest = rest.foot(page.of(0.76), page.gap)
        page.said(said, page.notice)
    undo, again = deeds.left(page.of(1.9), page.gap)
    page.button(undo, page.words.ui("undo"), Undo() if match.can_undo else None, sign="undo")
    page.button(again, page.words.ui("new-game"), NewGame(), main=True, sign="play", size="large")
    _ranking(page, rest, match)


def _banner(page: Page, area: Rect, match: Match) -> None:
    page.panel(area, "turn", radius=0)
    inner = page.warned(area).inset(page.of(0.2), page.of(0.12))
    crown, inner = inner.left(page.of(0.9), page.of(0.2))
    page.sign(crown.centred(page.of(0.9), page.of(0.9)), "crown", "on-turn", "turn")
    page.text(inner, headline(page, match), "title", bold=True, ink="on-turn", ground="turn", lines=2)


def headline(page: Page, match: Match) -> str:
    """Who won, in one sentence: a tie is never shown as one winner."""
    if len(match.seats) == 1 or not match.winners:
        return page.words.ui("finished")
    if len(match.winners) == 1:
        return page.words.ui("wins", name=match.winners[0])
    return page.words.ui("share", names=page.words.listed(match.winners))


def _said_of_best(page: Page, match: Match) -> str | None:
    """How a solo game went beside those before it; None until that is known."""
    best, ui = page.view.best, page.words.ui
    if best is None:
        return None
    total = match.scores[0].total
    if best.total is None:
        return ui("best-first")
    said = page.words.number(best.total)
    if total > best.total:
        return ui("best-new", n=said)
    if total == best.total:
        return ui("best-equal", n=said)
    return ui("best-so-far", n=said, which=page.words.number(best.which), of=page.words.number(best.games + 1))


def _ranking(page: Page, area: Rect, match: Match) -> None:
    sheets = sorted(standings(match), key=lambda sheet: (sheet.rank is None, sheet.rank or 0))
    desk = current(page.view)
    fits = max(1, area.h // page.of(1.04))
    start = 0
    if len(sheets) > fits:
        more, area = area.foot(page.unit, page.of(0.04))
        fits -= 1
        pages = -(-len(sheets) // fits)
        start = (desk.page % pages) * fits
        page.button(more, page.words.ui("more"), Look("page", desk.page + 1), sign="next")
    row_h = min(page.of(1.3), area.h // max(1, min(fits, len(sheets))))
    looked_at = desk.shown_player or (match.winners[0] if match.winners else sheets[0].player)
    for place, sheet in enumerate(sheets[start : start + fits]):
        slot = Rect(area.x, area.y + place * row_h, area.w, row_h)
        _place(page, slot, sheet, sheet.player == looked_at)


def _place(page: Page, slot: Rect, sheet: Standing, looked_at: bool) -> None:
    card = slot.inset(0, 2)
    page.panel(slot, None, radius=0, intent=Look("player", sheet.player))
    page.panel(card, "paper", "accent" if looked_at else "line", page.of(0.07) if looked_at else 1)
    inner = card.inset(page.of(0.16), 0)
    rank, inner = inner.left(page.of(0.6), page.of(0.08))
    total, name = inner.right_part(page.of(1.5), page.of(0.1))
    place = page.words.number(sheet.rank) if sheet.rank else "–"
    page.text(rank, place, "large", bold=True, ink="accent", ground="paper", align="centre")
    page.text(name, sheet.player, "body", bold=sheet.rank == 1, ground="paper", lines=2)
    page.text(total, page.words.number(sheet.total), "title", bold=True, ground="paper", align="right")
