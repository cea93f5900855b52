"""The games put aside, newest first: touching one takes it up again."""

from display.desk import current
from display.intent import Look, TakeUp
from display.page import Page
from display.rect import Rect
from display.view import Aside


def lay_aside(page: Page) -> None:
    """As many as fit, then the next page."""
    ui = page.words.ui
    area = page.bar(ui("aside-games"), Look("open", None)).inset(page.gap * 2)
    if page.notice is not None:
        said, area = area.top(page.of(0.76), page.gap)
        page.said(said, page.notice)
    games = page.view.aside
    if not games:
        page.text(area.top(page.of(1.2))[0], ui("aside-none"), "body", ink="soft", lines=2)
        return
    least = page.of(2.6 if page.upright else 1.6)
    fits = max(1, area.h // least)
    if len(games) > fits:
        more, area = area.foot(page.of(1.1), page.gap)
        fits = max(1, area.h // least)
        pages = -(-len(games) // fits)
        here = current(page.view).page % pages
        games = games[here * fits : (here + 1) * fits]
        label = f"{ui('more')}  {here + 1}/{pages}"
        page.button(more.right_part(page.of(4))[0], label, Look("page", here + 1), sign="next")
    row_h = min(area.h // fits, page.of(2.7 if page.upright else 1.9))
    for place, game in enumerate(games):
        _game(page, Rect(area.x, area.y + place * row_h, area.w, row_h).inset(0, page.of(0.05)), game)


def _game(page: Page, card: Rect, game: Aside) -> None:
    page.panel(card, "paper", "accent", page.of(0.05), intent=TakeUp(game.number))
    sign, inner = card.inset(page.of(0.2), page.of(0.08)).left(page.of(0.6), page.of(0.2))
    page.sign(sign.centred(page.of(0.5), page.of(0.5)), "play", "accent", "paper")
    far, inner = inner.right_part(page.of(3.2), page.of(0.2))
    name, players = inner.top(page.of(0.66))
    page.text(name, page.words.game(game.game), "body", bold=True, ground="paper")
    page.text(players, page.words.listed(game.players), "small", ground="paper", lines=6, smallest=page.of(0.24))
    done, day = far.top(page.of(0.66))
    if game.boxes:
        filled = page.words.ui("boxes-filled", n=page.words.number(game.filled), of=page.words.number(game.boxes))
        page.text(done, filled, "small", ground="paper", align="right")
    if game.day is not None:
        page.text(
            day.top(page.of(0.66))[0], page.words.date(game.day), "small", ink="soft", ground="paper", align="right"
        )
