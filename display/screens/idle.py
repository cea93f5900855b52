"""Nobody plays: the high scores of one game after the other, and what a touch does."""

from display.intent import Intent, Look
from display.page import Page
from display.rect import Rect
from display.scores import Score, ScoreList
from display.standing import alarms
from display.view import View

FACES = (6, 5, 4, 3, 2, 1)
MOST_RULES = 2
"""More house rules than this would be too small to read from across the room."""


def waking(view: View) -> Intent:
    """What any touch, key or button means here: it wakes the table, and nothing else."""
    return Look("screen", "new-game" if view.match is None else "result")


def lay_idle(page: Page) -> None:
    """The list whose turn it is; without any scores the games take turns."""
    page.panel(page.whole, "table", radius=0, intent=waking(page.view))
    top, rest = page.whole.top(page.of(1.9))
    foot, middle = rest.foot(page.of(1.7))
    turn = page.view.desk.page
    lists = page.view.scores
    page.panel(top, "turn", radius=0)
    inner = _warned(page, top.inset(page.of(0.35), page.of(0.16)))
    title, under = inner.top(round(inner.h * 0.6))
    if lists:
        shown = lists[turn % len(lists)]
        name, about = f"{page.words.ui('high-scores')}: {page.words.game(shown.game)}", _rules(page, shown)
        _scores(page, middle.inset(page.of(0.5), page.of(0.25)), shown)
    else:
        game = page.view.games[turn % len(page.view.games)]
        name, about = page.words.game(game), page.words.about(game)
        _dice(page, middle, game.dice)
    page.text(title, name, "huge", bold=True, ink="on-turn", ground="turn")
    page.text(under, about, "body", ink="on-turn", ground="turn", smallest=page.of(0.26))
    page.panel(foot, "main", radius=0)
    page.text(foot, page.words.ui("touch-to-play"), "huge", bold=True, ink="on-main", ground="main", align="centre")


def _warned(page: Page, area: Rect) -> Rect:
    """The sign that something is wrong, to be read only: the first touch wakes."""
    if not alarms(page.view):
        return area
    spot, rest = area.right_part(page.of(1.0), page.of(0.2))
    mark = spot.centred(page.of(0.9), page.of(0.9))
    page.panel(mark, "notice")
    page.sign(mark.centred(page.of(0.6), page.of(0.6)), "warn", "on-notice", "notice")
    return rest


def _rules(page: Page, shown: ScoreList) -> str:
    """Which house rules make it another list than the game as printed."""
    told = []
    for rule, value in shown.changed:
        told.append(f"{page.words.rule(shown.game, shown.game.rule[rule])[0]}: {page.words.value(value)}")
    return " · ".join(told[:MOST_RULES]) if told else page.words.ui("as-printed")


def _scores(page: Page, area: Rect, shown: ScoreList) -> None:
    across = 1 if page.upright or len(shown.scores) < 4 else 2
    deep = -(-len(shown.scores) // across)
    if across == 1 and not page.upright:
        area = area.centred(page.of(9), area.h)
    row_h = min(area.h // deep, page.of(1.5))
    area = area.centred(area.w, row_h * deep)
    for place, score in enumerate(shown.scores):
        column = area.columns(across, page.of(0.7))[place // deep]
        _score(page, Rect(column.x, column.y + place % deep * row_h, column.w, row_h), place + 1, score)


def _score(page: Page, row: Rect, place: int, score: Score) -> None:
    card = row.inset(0, page.of(0.05))
    page.panel(card, "paper", "accent" if place == 1 else "line", page.of(0.06) if place == 1 else 1)
    inner = card.inset(page.of(0.2), page.of(0.02))
    rank, inner = inner.left(page.of(0.7), page.of(0.1))
    if place == 1:
        page.sign(rank.centred(page.of(0.6), page.of(0.6)), "crown", "accent", "paper")
    else:
        page.text(rank, page.words.number(place), "large", bold=True, ink="accent", ground="paper", align="centre")
    total, inner = inner.right_part(page.of(1.6), page.of(0.1))
    page.text(total, page.words.number(score.total), "title", bold=True, ground="paper", align="right")
    if score.day is not None and inner.h >= page.of(0.9):
        name, day = inner.top(round(inner.h * 0.58))
        page.text(day, page.words.date(score.day), "tiny", ink="soft", ground="paper", smallest=page.of(0.24))
    else:
        name = inner
    page.text(name, score.player, "large", bold=True, ground="paper")


def _dice(page: Page, area: Rect, count: int) -> None:
    """The game's dice, large: something to look at before anybody has played."""
    across = count if not page.upright else -(-count // 2)
    rows = -(-count // across)
    side = min(area.w // (across + 1), area.h // (rows + 1), page.of(2.4))
    faces = [FACES[n % len(FACES)] for n in range(count)]
    for row, line in enumerate(area.centred(side * 5, (side + page.gap) * rows).rows(rows, page.gap)):
        here = faces[row * across : (row + 1) * across]
        spots = area.centred((side + page.gap * 2) * len(here), side).columns(len(here))
        for face, spot in zip(here, spots, strict=True):
            page.die(Rect(spot.x + (spot.w - side) // 2, line.y + (line.h - side) // 2, side, side), face)
