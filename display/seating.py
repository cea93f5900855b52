"""Who sits at a new game: names, their order, their teams. Each function gives the desk after one `Look`."""

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from display.desk import Desk
    from display.view import View

MOST_PLAYERS = 8
LONGEST_NAME = 20
MOST_TEAMS = 4


def add(desk: "Desk", value: object, view: "View") -> "Desk":
    """A player sits down."""
    name = str(value).strip()
    if not name:
        return replace(desk, notice="name-missing")
    if name in desk.players:
        return replace(desk, notice="name-taken")
    if len(desk.players) >= MOST_PLAYERS:
        return replace(desk, notice="table-full")
    return replace(desk, players=(*desk.players, name), typing=None)


def remove(desk: "Desk", value: object, view: "View") -> "Desk":
    """A player gets up again."""
    players = tuple(name for name in desk.players if name != value)
    return replace(desk, players=players, teams=min(desk.teams, len(players)) if len(players) > 1 else 0)


def earlier(desk: "Desk", value: object, view: "View") -> "Desk":
    """One place earlier in turn order; the first goes to the end."""
    names = list(desk.players)
    if value not in names:
        return desk
    place = names.index(str(value))
    names.remove(str(value))
    names.insert((place - 1) % len(desk.players), str(value))
    return replace(desk, players=tuple(names))


def write(desk: "Desk", value: object, view: "View") -> "Desk":
    """The keyboard opens: for a player's name (None), that of one who joins ("join") or a team's (its number)."""
    naming = "player" if value is None else value if value == "join" else int(str(value))
    return replace(desk, typing="", naming=naming)


def letter(desk: "Desk", value: object, view: "View") -> "Desk":
    """One more letter; a name has 20 at most and begins with none that is blank."""
    if desk.typing is None or len(desk.typing) >= LONGEST_NAME or (value == " " and not desk.typing.strip()):
        return desk
    return replace(desk, typing=desk.typing + cased(str(value), desk.typing))


def cased(letter: str, before: str) -> str:
    """The letter as it will stand: a capital at the start of each part of a name (ß has none)."""
    first = not before or before[-1] in " -'"
    return letter.upper() if first and letter != "ß" else letter


def teams(desk: "Desk", value: object, view: "View") -> "Desk":
    """So many teams, dealt out in turn order; fewer than two: everyone alone."""
    count = value if isinstance(value, int) else 0
    count = min(count, MOST_TEAMS, len(desk.players))
    return replace(desk, teams=count if count > 1 else 0, sides=(), team_names=desk.team_names[: max(count, 0)])


def side(desk: "Desk", value: object, view: "View") -> "Desk":
    """A player goes over to the next team."""
    if value not in desk.players or not desk.teams:
        return desk
    name = str(value)
    others = tuple(pair for pair in desk.sides if pair[0] != name)
    return replace(desk, sides=(*others, (name, (side_of(desk, name) + 1) % desk.teams)))


def name_team(desk: "Desk", value: object, view: "View") -> "Desk":
    """The team whose name was being written is called so; no letters: by its members again."""
    if not isinstance(desk.naming, int):
        return desk
    name = str(value).strip()
    names = [*desk.team_names, *[""] * (desk.naming + 1 - len(desk.team_names))]
    if name and name in (*desk.players, *(other for place, other in enumerate(names) if place != desk.naming)):
        return replace(desk, notice="name-taken")
    names[desk.naming] = name
    return replace(desk, team_names=tuple(names), typing=None)


def side_of(desk: "Desk", name: str) -> int:
    """The team of a player, counted from 0; the place in turn order where there are none."""
    place = desk.players.index(name)
    if not desk.teams:
        return place
    return dict(desk.sides).get(name, place) % desk.teams


def sides(desk: "Desk") -> tuple[tuple[str, ...], ...]:
    """The members of every team, in turn order; a team may still be empty."""
    return tuple(tuple(name for name in desk.players if side_of(desk, name) == side) for side in range(desk.teams))
