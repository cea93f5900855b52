"""The end of a game: who won, everyone's place, and the sheets side by side."""

from display.intent import NewGame, Undo
from display.lettering import DOTS, clusters, fit
from display.page import Page
from display.rect import Rect
from display.scores import ScoreList
from display.screens.sheets import first_shown, lay_sheets, ranked
from display.standing import Standing
from rules import Match

MANY = 3
"""Of more who share a win the number is told, not the names: those stand in the ranking."""
LONGEST = (90, 60, 44, 24)
"""So many letters of a winner's name a headline has at most, the first that leaves it room; a player's has 20."""
LEAST_ROW = 0.58
"""Least height, in touches, of a place in the ranking."""


def lay_result(page: Page) -> None:
    """The ranking beside the sheets; upright, above them. Alone there is no ranking, but the high scores."""
    match = page.view.match
    if match is None:
        return
    if page.upright:
        side, sheets = page.whole.top(page.of(1.5) + _note_height(page) + _list_height(page, match))
        deeds, sheets = sheets.foot(page.of(1.15) + 2 * page.gap)
        deeds = deeds.inset(page.gap)
    else:
        side, sheets = page.whole.left(page.of(5.4))
        deeds, _ = side.inset(page.gap).foot(page.of(1.15))
    banner, rest = side.top(page.of(1.5))
    _banner(page, banner, match)
    note, rest = rest.top(_note_height(page))
    _note(page, note, match)
    undo, again = deeds.left(page.of(1.9), page.gap)
    page.button(undo, page.words.ui("undo"), Undo() if match.can_undo else None, sign="undo")
    page.button(again, page.words.ui("new-game"), NewGame(), main=True, sign="play", size="large")
    lay_sheets(page, sheets)
    if not page.upright:
        rest, _ = rest.top(deeds.y - rest.y)
    rest = rest.inset(page.gap, page.gap // 2)
    if len(match.seats) == 1:
        _high_scores(page, rest, match)
    else:
        _ranking(page, rest, match, first_shown(page, match, sheets))


def _note_height(page: Page) -> int:
    return page.of(0.78) if page.notice is not None or (page.view.match and _said(page, page.view.match)) else 0


def _list_height(page: Page, match: Match) -> int:
    """How high the ranking is on an upright screen, in two columns."""
    rows = -(-len(match.seats) // 2) if len(match.seats) > 1 else 3
    return min(rows, 5) * page.of(0.8) + page.gap


def _banner(page: Page, area: Rect, match: Match) -> None:
    page.panel(area, "turn", radius=0)
    inner = page.warned(area).inset(page.of(0.2), page.of(0.1))
    crown, inner = inner.left(page.of(0.8), page.of(0.2))
    page.sign(crown.centred(page.of(0.8), page.of(0.8)), "crown", "on-turn", "turn")
    said, least = "", page.letters("tiny")
    for longest in LONGEST:
        said = headline(page, match, longest)
        if not fit(said, (inner.w, inner.h), least, least, bold=True, most_lines=3)[2]:
            break
    page.text(inner, said, "title", bold=True, ink="on-turn", ground="turn", lines=3)


def headline(page: Page, match: Match, longest: int) -> str:
    """Who won, in one sentence, no name longer than so many letters: a tie is never shown as one winner."""
    ui, names = page.words.ui, match.winners
    if not match.finished:
        return page.words.notice("game-over")
    if len(match.seats) == 1:
        return ui("finished")
    if len(names) == 1:
        return ui("wins", name=_short(names[0], longest))
    word = "level" if match.in_force.tie == "stands" else "share"
    if len(names) > MANY:
        return ui(f"{word}-many", n=page.words.number(len(names)))
    return ui(word, names=page.words.listed([_short(name, longest) for name in names]))


def _short(name: str, longest: int) -> str:
    """A team may have a name made of all its members': its beginning will do."""
    letters = clusters(name)
    return name if len(letters) <= longest else "".join(letters[:longest]).rstrip() + DOTS


def _note(page: Page, area: Rect, match: Match) -> None:
    """What was just refused; else what else is to be said of the result."""
    if page.notice is not None:
        page.said(area, page.notice)
        return
    said = _said(page, match)
    if said is not None:
        page.panel(area, "ask", radius=0)
        page.text(area.inset(page.of(0.2), 1), said, "small", bold=True, ground="ask", lines=2, smallest=page.of(0.26))


def _said(page: Page, match: Match) -> str | None:
    """How a tie was decided, or how a solo game went beside those before it (None until that is known)."""
    ui = page.words.ui
    if len(match.seats) > 1:
        first = [sheet for sheet in ranked(match) if sheet.rank is not None]
        if not match.winners or len(first) < 2 or first[0].total != first[1].total:
            return None
        return ui(f"tie-{match.in_force.tie}")
    best = page.view.best
    if best is None:
        return None
    if best.total is None:
        return ui("best-first")
    total, before = match.scores[0].total, page.words.number(best.total)
    if total > best.total:
        return ui("best-new", n=before)
    if total == best.total:
        return ui("best-equal", n=before)
    return ui("best-so-far", n=before, which=page.words.number(best.which), of=page.words.number(best.games + 1))


def _ranking(page: Page, area: Rect, match: Match, first: int) -> None:
    """Every place; where there are more than fit, those around the sheets that are shown."""
    sheets = ranked(match)
    across = 2 if page.upright else 1
    fits = max(1, area.h // page.of(LEAST_ROW)) * across
    if len(sheets) > fits:
        first = min(first, len(sheets) - fits)
        sheets = sheets[first : first + fits]
    deep = -(-len(sheets) // across)
    row_h = min(page.of(1.2), area.h // deep)
    columns = area.columns(across, page.gap)
    for place, sheet in enumerate(sheets):
        column = columns[place // deep]
        slot = Rect(column.x, column.y + place % deep * row_h, column.w, row_h)
        _place(page, slot, sheet, sheet.player in match.winners)


def _place(page: Page, slot: Rect, sheet: Standing, won: bool) -> None:
    rank = page.words.number(sheet.rank) if sheet.rank else "–"
    _line(page, slot, rank, (sheet.player, sheet.seat), sheet.total, marked=won)


def _line(page: Page, slot: Rect, rank: str, who: tuple[str, int | None], total: int, *, marked: bool) -> None:
    card = slot.inset(0, max(1, page.of(0.02)))
    page.panel(card, "paper", "accent" if marked else "line", page.of(0.06) if marked else 1)
    inner = card.inset(page.of(0.12), 0)
    place, inner = inner.left(page.of(0.36), page.of(0.06))
    points, spot = inner.right_part(page.of(1.14), page.of(0.06))
    page.text(place, rank, "body", bold=True, ink="accent", ground="paper", align="centre")
    page.named(spot.inset(0, 1), who[0], "body", who[1], bold=marked, ground="paper", smallest=0.26)
    page.text(points, page.words.number(total), "large", bold=True, ground="paper", align="right")


def _high_scores(page: Page, area: Rect, match: Match) -> None:
    """The best of this game's list, the sheet just filled marked among them."""
    found = _list_of(page)
    if found is None:
        return
    if not page.upright:
        title, area = area.top(page.of(0.6))
        page.text(title, page.words.ui("high-scores"), "body", bold=True)
    across = 2 if page.upright else 1
    deep = max(1, min(area.h // page.of(LEAST_ROW), -(-len(found.scores) // across)))
    row_h = min(page.of(0.8), area.h // deep)
    columns = area.columns(across, page.gap)
    for place, score in enumerate(found.scores[: deep * across]):
        column = columns[place // deep]
        slot = Rect(column.x, column.y + place % deep * row_h, column.w, row_h)
        _line(page, slot, page.words.number(place + 1), (score.player, None), score.total, marked=score.here)


def _list_of(page: Page) -> ScoreList | None:
    """The list the game on the table belongs to: the one played last."""
    return page.view.scores[0] if page.view.scores else None
