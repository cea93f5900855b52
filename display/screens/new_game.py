"""A new game: which one, who plays, from remembered names or new ones, and what else is settled before it starts."""

from display.desk import Desk
from display.intent import ForgetName, Intent, Look, Start
from display.page import Page
from display.rect import Rect
from display.screens.teams import team_name
from display.seating import MOST_PLAYERS, side_of, sides
from display.standing import game_of


def lay_new_game(page: Page) -> None:
    """Games on one side, players on the other; upright, one above the other."""
    bar, rest = page.whole.top(page.of(1.02))
    _bar(page, bar)
    inside = rest.inset(page.gap)
    if page.upright:
        go, inside = inside.foot(page.of(1.2), page.gap)
        settle, inside = inside.foot(page.of(1.1), page.gap)
        games, players = inside.top(page.of(1.04) * max(1, len(page.view.games)), page.gap)
    else:
        foot, inside = inside.foot(page.of(1.1), page.gap)
        settle, go = foot.shares((1.6, 1), page.gap)
        games, players = inside.left(round(inside.w * 0.53), page.gap * 2)
    _games(page, games)
    _players(page, players)
    _settle(page, settle)
    page.button(go, page.words.ui("start"), start(page), main=True, sign="play", size="large")


def start(page: Page) -> Start | None:
    """What the button that goes on means; None before anybody sits at the table."""
    desk = page.view.desk
    if not desk.players:
        return None
    teams = tuple(members for members in sides(desk) if members)
    names = tuple(team_name(page, number) for number, members in enumerate(sides(desk)) if members)
    given = names != tuple(" & ".join(members) for members in teams)
    lots = "throw" if desk.lots and len(teams or desk.players) > 1 else None
    return Start(game_of(page.view).id, desk.players, desk.rules, teams, names if given else (), lots)


def _bar(page: Page, bar: Rect) -> None:
    page.panel(bar, "turn", radius=0)
    menu, rest = bar.right_part(page.of(1.1))
    page.panel(menu, None, radius=0, intent=Look("open", "menu"))
    page.sign(menu.centred(page.of(0.6), page.of(0.6)), "menu", "on-turn", "turn")
    language, rest = rest.right_part(page.of(2.2))
    page.panel(language, None, radius=0, intent=Look("open", "language"))
    spot, name = language.inset(page.of(0.1), 0).left(page.of(0.5), page.of(0.1))
    page.sign(spot.centred(page.of(0.5), page.of(0.5)), "speech", "on-turn", "turn")
    page.text(name, page.words.name, "small", ink="on-turn", ground="turn")
    if page.view.aside:
        aside, rest = rest.right_part(page.of(1.4 if page.upright else 3.4))
        page.panel(aside, None, radius=0, intent=Look("open", "aside"))
        spot, name = aside.inset(page.of(0.1), 0).left(page.of(0.5), page.of(0.12))
        page.sign(spot.centred(page.of(0.5), page.of(0.5)), "aside", "on-turn", "turn")
        count = page.words.number(len(page.view.aside))
        label = count if page.upright else f"{page.words.ui('aside')}: {count}"
        page.text(name, label, "small", ink="on-turn", ground="turn", lines=2)
    title = page.warned(rest).inset(page.of(0.2), 0)
    page.text(title, page.words.ui("which-game"), "title", bold=True, ink="on-turn", ground="turn")


def _games(page: Page, area: Rect) -> None:
    games = page.view.games
    fits = max(1, area.h // page.unit)
    chosen = game_of(page.view)
    if len(games) > fits:
        first = (page.view.desk.page * (fits - 1)) % len(games)
        games = games[first : first + fits - 1]
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
        inner = card.inset(page.of(0.2), page.of(0.03))
        if picked:
            spot, inner = inner.right_part(page.of(0.5), page.of(0.1))
            page.sign(spot.centred(page.of(0.5), page.of(0.5)), "check", "accent", "paper")
        name, about = inner.top(round(inner.h * 0.5))
        page.text(name, page.words.game(game), "body", bold=True, ground="paper")
        page.text(about, page.words.about(game), "tiny", ink="soft", ground="paper", lines=2, smallest=page.of(0.24))


def _settle(page: Page, area: Rect) -> None:
    """What may be settled besides: house rules, teams, who begins."""
    desk, ui = page.view.desk, page.words.ui
    rules, teams, begins = area.columns(3, page.gap)
    page.button(rules, ui("house-rules"), Look("open", "rules"), sign="pen", chosen=bool(desk.rules))
    several = len(desk.players) > 1
    page.button(teams, ui("teams"), Look("open", "teams") if several else None, sign="people", chosen=desk.teams > 0)
    label = ui("begins-lots" if desk.lots else "begins-first")
    page.button(begins, label, Look("lots", not desk.lots) if several else None, sign="dice", chosen=desk.lots)


def _players(page: Page, area: Rect) -> None:
    desk = page.view.desk
    title, area = area.top(page.unit, page.gap // 2)
    known = [name for name in page.view.remembered if name not in desk.players]
    if page.notice is not None:
        page.said(title.inset(0, page.of(0.08)), page.notice)
    elif known and len(desk.players) < MOST_PLAYERS:
        forget, title = title.right_part(title.w // 2, page.gap)
        label = page.words.ui("forget-names")
        page.button(forget, label, Look("forgetting", not desk.forgetting), sign="erase", chosen=desk.forgetting)
    if page.notice is None:
        page.text(title, page.words.ui("who-plays"), "body", bold=True, lines=2)
    places = _cells(page, area)
    for name in desk.players:
        _player(page, places.pop(0), name, desk)
    if len(desk.players) < MOST_PLAYERS and places:
        page.button(places.pop(0), page.words.ui("add-player"), Look("type"), sign="plus")
    if not desk.players and places:
        page.text(places.pop(0), page.words.ui("no-players"), "small", ink="soft", lines=3, smallest=page.of(0.25))
    if len(places) % 2:
        places.pop(0)  # remembered names begin on a row of their own
    if len(desk.players) < MOST_PLAYERS:
        _known(page, places, known)


def _cells(page: Page, area: Rect) -> list[Rect]:
    rows = max(MOST_PLAYERS // 2, area.h // page.of(1.04))
    lines = [Rect(area.x, area.y + row * page.of(1.04), area.w, page.unit) for row in range(rows)]
    return [cell for line in lines for cell in line.columns(2, page.gap // 2)]


def _known(page: Page, places: list[Rect], known: list[str]) -> None:
    """Remembered names, by last use: touched, they sit down, or are forgotten where that was asked for."""
    desk = page.view.desk
    if len(known) > len(places) > 0:
        last = places.pop()
        first = (desk.names * len(places)) % len(known)
        known = known[first : first + len(places)]
        page.button(last, page.words.ui("more"), Look("names", desk.names + 1), sign="next")
    sign, edge = ("cross", "notice") if desk.forgetting else ("plus", "soft")
    for name, place in zip(known, places, strict=False):
        meant: Intent = ForgetName(name) if desk.forgetting else Look("add-player", name)
        page.panel(place, "table", edge, max(1, page.of(0.03)), intent=meant)
        inner = place.inset(page.of(0.15), 0)
        spot, inner = inner.left(page.of(0.34), page.of(0.1))
        page.sign(spot.centred(page.of(0.34), page.of(0.34)), sign, "ink", "table")
        page.text(inner, name, "body", lines=2)


def _player(page: Page, place: Rect, name: str, desk: Desk) -> None:
    """A player at the table: touching the name moves it one place earlier, the cross takes it away."""
    page.panel(place, "paper", "accent", max(2, page.of(0.05)))
    cross, inner = place.right_part(page.unit)
    page.panel(cross, None, radius=0, intent=Look("remove-player", name))
    page.sign(cross.centred(page.of(0.42), page.of(0.42)), "cross", "ink", "paper")
    page.panel(inner, None, radius=0, intent=Look("earlier", name))
    mark, inner = inner.inset(page.of(0.1), 0).left(page.of(0.5), page.of(0.08))
    page.mark(mark, side_of(desk, name))
    page.text(inner, name, "body", bold=True, ground="paper", lines=2)
