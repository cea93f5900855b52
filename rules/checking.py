"""The door: which new events are allowed. A refusal is a stable word; its ``detail`` is for people."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules import events as e
from rules.applying import LOTS_DECIDE, team_name
from rules.entering import Turn
from rules.game import Game, RuleValue
from rules.game_file import games as shipped
from rules.in_force import Settled, in_force, settle
from rules.match import Match
from rules.shown import plain

LONGEST_NAME = 20


class Refusal(str):
    """The name of a refusal; ``detail`` says more where there is more to say (a range and its step)."""

    __slots__ = ("detail",)
    detail: str

    def __new__(cls, name: str, detail: str = "") -> "Refusal":
        found = super().__new__(cls, name)
        found.detail = detail or name
        return found


def check(match: Match | None, event: e.Event, games: Mapping[str, Game] | None = None) -> Refusal | None:
    """Why ``event`` may not happen now, or None. Never changes anything, and judges new events only."""
    if isinstance(event, e.GameStarted):
        if match is not None and not match.closed:
            return Refusal("already-started")
        return _check_start(event, shipped() if games is None else games)
    if match is None:
        return Refusal("not-started")
    if isinstance(event, e.Undone):
        return Refusal("nothing-to-undo") if match.previous is None else None
    if isinstance(event, e.Redone):
        return Refusal("nothing-to-redo") if match.future is None else None
    if match.closed:
        return Refusal("game-over")
    found = _CHECKS[type(event)](match, event)
    return Refusal(found) if found is not None and not isinstance(found, Refusal) else found


def check_rules(
    game: Game, settled: Settled, changes: Sequence[tuple[str, RuleValue | None]], used_columns: int = 0
) -> Refusal | None:
    """Whether these house rules can be settled; ``used_columns`` is how many columns have entries already."""
    for rule, _ in changes:
        if rule not in game.rule:
            known = ", ".join(game.rule)
            return Refusal("unknown-rule", f"{plain(rule)}: no house rule of {game.id}; allowed: {known}")
    columns = dict(settle(settled, changes)).get("columns", game.columns)
    for rule, value in changes:
        if value is not None:
            trouble = game.rule[rule].trouble(value, columns if isinstance(columns, int) else None)
            if trouble is not None:
                return Refusal("rule-out-of-range", trouble)
    now = in_force(game, settle(settled, changes)).columns
    if now < used_columns:
        return Refusal("columns-in-use", f"columns: {now} is fewer than the {used_columns} in use")
    return None


def good_name(name: str) -> bool:
    """1 to 20 letters, trimmed, none of them invisible."""
    return name == e.tidy_name(name) and 1 <= len(name) <= LONGEST_NAME and name.isprintable()


def _check_start(event: e.GameStarted, games: Mapping[str, Game]) -> Refusal | None:
    game = games.get(event.game)
    if game is None:
        return Refusal("unknown-game", f"{plain(event.game)}: no game; allowed: {', '.join(games)}")
    names = event.players
    if not names or len(set(names)) != len(names) or not all(good_name(name) for name in names):
        return Refusal("bad-players", "players: at least one; every name once, 1 to 20 letters, trimmed")
    if not _teams_fit(event):
        return Refusal("bad-players", "teams: every player in exactly one team, every name once")
    if event.begins not in (None, LOTS_DECIDE, *names):
        return Refusal("unknown-player", f"begins: {plain(event.begins)} is no player")
    return check_rules(game, (), event.rules)


def _teams_fit(event: e.GameStarted) -> bool:
    if not event.teams:
        return not event.team_names
    members = [name for team in event.teams for name in team]
    if sorted(members) != sorted(event.players) or not all(event.teams):
        return False
    given = event.team_names
    if given and (len(given) != len(event.teams) or not all(good_name(name) for name in given)):
        return False
    called = given or tuple(team_name(team) for team in event.teams)
    several = {name for name, team in zip(called, event.teams, strict=True) if team != (name,)}
    return len(set(called)) == len(called) and not several & set(members)


def _turn_refusal(match: Match) -> str | None:
    """Why nothing of a turn can happen now."""
    if match.phase == "begin":
        return "not-started"
    return "game-over" if match.phase in ("over", "throw-off") else None


def _dice_refusal(dice: tuple[int, ...], count: int) -> Refusal | None:
    for die in dice:
        if not 1 <= die <= 6:
            return Refusal("not-a-die", f"{die} is not on a die; allowed: 1 to 6")
    if len(dice) != count:
        return Refusal("wrong-number-of-dice", f"{len(dice)} dice; allowed: {count}")
    return None


def _check_thrown(match: Match, event: e.Thrown) -> str | None:
    if found := _turn_refusal(match):
        return found
    if match.throws_left == 0:
        return "no-throw-left"
    if found := _dice_refusal(event.dice, match.game.dice):
        return found
    if len(match.held) == match.game.dice:
        return "all-held"
    if any(event.dice[slot - 1] != match.dice[slot - 1] for slot in match.held):
        return "held-die-changed"
    return None


def _check_held(match: Match, event: e.Held) -> str | None:
    if found := _turn_refusal(match):
        return found
    if match.phase != "choose":
        return "throw-first"
    return None if all(1 <= slot <= match.game.dice for slot in event.slots) else "unknown-slot"


def _check_saved_throw_spent(match: Match, event: e.SavedThrowSpent) -> str | None:
    if found := _turn_refusal(match):
        return found
    if match.phase != "choose":
        return "throw-first"
    if not match.in_force.saved_throws:
        return "no-saved-throw"
    if match.throws_left > 0:
        return "throws-left"
    return None if match.seats[match.turn].saved > 0 else "no-saved-throw"


def _check_corrected(match: Match, event: e.Corrected) -> str | None:
    if event.box is not None:
        place = match.seat_of(event.player or "")
        if place is None:
            return "unknown-player"
        if event.box not in match.game.places:
            return "unknown-box"
        if not 1 <= event.column <= match.in_force.columns:
            return "unknown-column"
        if match.seats[place].sheet.columns[event.column - 1][match.game.places[event.box]] is None:
            return Refusal("throw-first", "nothing was entered in that box yet")
    elif found := _turn_refusal(match):
        return found
    elif match.phase != "choose":
        return "throw-first"
    return _dice_refusal(event.dice, match.game.dice)


def _check_lot_thrown(match: Match, event: e.LotThrown) -> str | None:
    if match.phase not in ("begin", "throw-off"):
        return "game-over" if match.phase == "over" else "already-started"
    place = match.seat_of(event.player)
    if place is None or event.player not in (match.seats[place].name, *match.seats[place].here):
        return "unknown-player"
    if match.phase == "begin" and event.player not in match.players:
        return "unknown-player"
    name = event.player if match.phase == "begin" else match.seats[place].name
    if name not in match.lots_due:
        return Refusal("no-throw-left", f"{plain(event.player)} has no lot to throw now")
    return _dice_refusal(event.dice, match.game.lot_dice)


def _check_entered(match: Match, event: e.Entered) -> str | None:
    if found := _turn_refusal(match):
        return found
    if match.phase != "choose":
        return "throw-first"
    place = match.game.places.get(event.box)
    if place is None:
        return "unknown-box"
    if not 1 <= event.column <= match.in_force.columns:
        return "unknown-column"
    sheet = match.seats[match.turn].sheet
    if sheet.columns[event.column - 1][place] is not None:
        return "box-taken"
    return Turn(match.in_force, sheet, sheet.turns, match.dice).refusal(event.column - 1, place)


def _check_passed(match: Match, event: e.Passed) -> str | None:
    if found := _turn_refusal(match):
        return found
    if match.phase != "choose":
        return "throw-first"
    return None if match.can_pass else "cannot-pass"


def _check_rules_changed(match: Match, event: e.RulesChanged) -> str | None:
    used = [
        number
        for seat in match.seats
        for number, column in enumerate(seat.sheet.columns, 1)
        if any(entry is not None for entry in column)
    ]
    return check_rules(match.game, match.settled, event.rules, max(used, default=0))


def _check_player_left(match: Match, event: e.PlayerLeft) -> str | None:
    if match.phase == "over":
        return "game-over"
    return None if event.player in match.players else "unknown-player"


def _check_player_joined(match: Match, event: e.PlayerJoined) -> str | None:
    if match.phase in ("over", "throw-off"):
        return "game-over"
    if not good_name(event.player):
        return Refusal("bad-players", "a name has 1 to 20 letters and is trimmed")
    return "name-taken" if match.seat_of(event.player) is not None else None


def _check_game_closed(match: Match, event: e.GameClosed) -> str | None:
    return None


_CHECKS: Mapping[type[Any], Callable[[Match, Any], str | None]] = {
    e.Thrown: _check_thrown,
    e.Held: _check_held,
    e.SavedThrowSpent: _check_saved_throw_spent,
    e.Corrected: _check_corrected,
    e.LotThrown: _check_lot_thrown,
    e.Entered: _check_entered,
    e.Passed: _check_passed,
    e.RulesChanged: _check_rules_changed,
    e.PlayerLeft: _check_player_left,
    e.PlayerJoined: _check_player_joined,
    e.GameClosed: _check_game_closed,
}
