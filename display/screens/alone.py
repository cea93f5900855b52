"""The game was left alone: shall it go on, or do others want to play?"""

from display.intent import Look, PutAside
from display.page import Page


def lay_alone(page: Page) -> None:
    """Going on comes first; anything thrown in the tray says the same. Whatever is chosen, the game is kept."""
    match, ui = page.view.match, page.words.ui
    if match is None:
        return
    rest = page.bar(ui("alone"), None).inset(page.gap * 2)
    area = rest.centred(min(rest.w, page.of(11)), min(rest.h, page.of(6.6)))
    said, area = area.top(page.of(1.9), page.gap)
    game, who = said.top(page.of(0.8))
    page.text(game, page.words.game(match.game), "title", bold=True, align="centre")
    names = page.words.listed(tuple(seat.name for seat in match.seats))
    page.text(who, names, "body", align="centre", lines=3, smallest=page.of(0.26))
    go, anew = area.rows(2, page.gap * 2)
    page.button(go, ui("go-on"), Look("awake"), main=True, sign="play", size="large")
    page.button(anew, ui("start-anew"), PutAside(), sign="aside", size="large")
