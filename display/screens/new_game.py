"""A new game: which one, and who plays, from remembered names or new ones."""

from display.desk import MOST_PLAYERS
from display.intent import Look, Start
from display.page import Page
from display.rect import Rect
from display.standing import game_of


def lay_new_game(page: Page) -> None:
    """Games on one side, players on the other; upright, one above the other."""
    bar, rest = page.whole.top(page.of(1.02))
    page.panel(bar, "turn", radius=0)
    desk = page.view.desk
    language, title = bar.right_part(page.of(2.4))
    page.panel(language, None, radius=0, intent=Look("next-language"))
    spot, name = language.inset(page.of(0.1), 0).left(page.of(0.5), page.of(0.1))
    page.sign(spot.centred(page.of(0.5), page.of(0.5)), "speech", "on-turn", "turn")
    page.text(name, page.words.name, "small", ink="on-turn", ground="turn")
    text = page.words.ui("which-game")
    setup, title = title.right_part(page.of(1.02))
    page.panel(setup, None, radius=0, intent=Look("open", "setup"))
    page.sign(setup.centred(page.of(0.55), page.of(0.55)), "menu", "on-turn", "turn")
    title = page.warned(title)
    page.text(title.inset(page.of(0.25), 0), text, "title", bold=True, ink="on-turn", ground="turn")
    inside = rest.inset(page.gap)
    if page.upright:
        games, players = inside.top(page.of(1.06) * max(1, len(page.view.games)) + page.gap, page.gap)
    else:
        games, players = inside.left(round(inside.w * 0.53), page.gap * 2)
    _games(page, games)
    if page.notice is not None:
        said, players = players.top(page.of(0.76), page.gap // 2)
        page.said(said, page.notice)
    go, players = players.foot(page.of(1.2), page.gap)
    rules, go = go.left(page.of(2.5), page.gap)
    label = page.words.ui("house-rules")
    page.button(rules, label, Look("open", "rules"), sign="pen", chosen=bool(desk.rules))
    start = Start(game_of(page.view).id, desk.players, desk.rules) if desk.players else None
    page.button(go, page.words.ui("start"), start, main=True, sign="play", size="large")
    _players(page, players)


def _games(page: Page, area: Rect) -> None:
    games = page.view.games
    fits = max(1, area.h // page.unit)
    chosen = game_of(page.view)
    if len(games) > fits:
        start = (page.view.desk.page * (fits - 1)) % len(games)
        games = games[start : start + fits - 1]
        more, area = area.foot(page.unit)
        page.button(more, page.words.ui("more"), Look("page", page.view.desk.page + 1), sign="next")
    row_h = min(area.h // max(1, len(games)), page.of(1.35))
    for place, game in enumerate(games):
        slot = Rect(area.x, area.y + place * row_h, area.w, row_h)
        card = slot.inset(0, 2)
        picked = game is chosen
        edge, width = ("accent", page.of(0.09)) if picked else ("line", 1)
        page.panel(slot, None, radius=0, intent=Look("game", game.id))
        page.panel(card, "paper", edge, width)
        inner = card.inset(page.of(0.2), page.of(0.05))
        if picked:
            spot, inner = inner.right_part(page.of(0.5), page.of(0.1))
            page.sign(spot.centred(page.of(0.5), page.of(0.5)), "check", "accent", "paper")
        name, about = inner.top(round(inner.h * 0.44))
        page.text(name, page.words.game(game), "body", bold=True, ground="paper")
        page.text(about, page.words.about(game), "tiny", ink="soft", ground="paper", lines=2, smallest=page.of(0.24))


def _players(page: Page, area: Rect) -> None:
    desk = page.view.desk
    title, area = area.top(page.of(0.52), page.gap // 2)
    page.text(title, page.words.ui("who-plays"), "body", bold=True)
    across = 2
    wide = area.columns(across, page.gap // 2)[0].w
    rows = max(2, area.h // page.of(1.04))
    places: list[Rect] = []
    for row in range(rows):
        line = Rect(area.x, area.y + row * page.of(1.04), area.w, page.unit)
        places += line.columns(across, page.gap // 2)
    del wide
    for number, name in enumerate(desk.players, start=1):
        _player(page, places.pop(0) if places else area, name, number)
    if len(desk.players) < MOST_PLAYERS and places:
        page.button(places.pop(0), page.words.ui("add-player"), Look("type"), sign="plus")
    if not desk.players and places:
        hint = Rect(area.x, places[0].y, area.w, page.unit) if places[0].x == area.x else places.pop(0)
        if places and places[0].y == hint.y and hint.w == area.w:
            del places[:across]
        page.text(hint, page.words.ui("no-players"), "small", ink="soft", lines=2)
    known = [name for name in page.view.remembered if name not in desk.players]
    if len(places) % across:
        places.pop(0)  # remembered names begin on a row of their own
    if len(known) > len(places) > 0:
        last = places.pop()
        start = (desk.page * len(places)) % len(known)
        known = known[start : start + len(places)]
        page.button(last, page.words.ui("more"), Look("page", desk.page + 1), sign="next")
    if len(desk.players) >= MOST_PLAYERS:
        return
    for name, place in zip(known, places, strict=False):
        page.panel(place, "table", "soft", max(1, page.of(0.03)), intent=Look("add-player", name))
        inner = place.inset(page.of(0.15), 0)
        spot, inner = inner.left(page.of(0.34), page.of(0.1))
        page.sign(spot.centred(page.of(0.34), page.of(0.34)), "plus", "ink", "table")
        page.text(inner, name, "body", lines=2)


def _player(page: Page, place: Rect, name: str, number: int) -> None:
    """A player at the table: touching the name moves it one place earlier, the cross takes it away."""
    page.panel(place, "paper", "accent", max(2, page.of(0.05)))
    cross, inner = place.right_part(page.unit)
    page.panel(cross, None, radius=0, intent=Look("remove-player", name))
    page.sign(cross.centred(page.of(0.42), page.of(0.42)), "cross", "ink", "paper")
    page.panel(inner, None, radius=0, intent=Look("earlier", name))
    count, inner = inner.inset(page.of(0.12), 0).left(page.of(0.36), page.of(0.06))
    page.text(count, page.words.number(number), "body", bold=True, ground="paper", align="centre", ink="accent")
    page.text(inner, name, "body", bold=True, ground="paper", lines=2)
