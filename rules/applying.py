"""What each event does to a game. Nothing is judged: what was recorded happened, so an old journal loads."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

from rules import events as e
from rules.extra import Entry, Sheet
from rules.game import Game
from rules.game_file import games as shipped
from rules.in_force import in_force, settle
from rules.match import Match, Seat, contest
from rules.shown import shown

LOTS_DECIDE = "throw"
"""``begins`` of a game whose first player is thrown for."""


def apply(match: Match | None, event: e.Event, games: Mapping[str, Game] | None = None) -> Match:
    """The game after ``event``, whatever it was; ``check`` says beforehand whether it is allowed.

    ``games`` are those that can be started, the shipped ones unless given. ValueError only where there is
    nothing to apply to: an event before any game was started, or a game that is not among ``games``.
    """
    if isinstance(event, e.GameStarted):
        return _started(event, shipped() if games is None else games)
    if match is None:
        raise ValueError(f"no game was started before {e.TYPE_OF[type(event)]}")
    if isinstance(event, e.Undone):
        return match if match.previous is None else replace(match.previous, future=match)
    if isinstance(event, e.Redone):
        return match if match.future is None else match.future
    changes = _STEPS[type(event)](match, event)
    return _changed(match, changes, standing=match.standing + 1, last=event, previous=match, future=None)


_FACTS = len(fields(Match))
_WORKED_OUT = tuple(name for name, value in vars(Match).items() if isinstance(value, cached_property))


def _changed(match: Match, changes: dict[str, Any], **record: Any) -> Match:
    """``dataclasses.replace``, quicker: every start of the appliance replays a whole journal."""
    facts = vars(match).copy()
    if len(facts) > _FACTS:
        for name in _WORKED_OUT:
            facts.pop(name, None)
    facts.update(changes, **record)
    after = object.__new__(Match)
    object.__setattr__(after, "__dict__", facts)
    return after


def replay(events: Iterable[e.Event], games: Mapping[str, Game] | None = None) -> Match | None:
    """The game after all these events; those before the first start of a game have nothing to act on."""
    match: Match | None = None
    for event in events:
        if match is not None or isinstance(event, e.GameStarted):
            match = apply(match, event, games)
    return match


def empty_sheet(game: Game, columns: int) -> Sheet:
    """A sheet on which nothing stands."""
    return Sheet(columns=((None,) * len(game.entry_boxes),) * columns)


def team_name(members: Iterable[str]) -> str:
    """What a team is called that gave itself no name."""
    return " & ".join(members)


def _started(event: e.GameStarted, games: Mapping[str, Game]) -> Match:
    game = games.get(event.game)
    if game is None:
        raise ValueError(f"there is no game {shown(event.game)}")
    settled = settle((), event.rules)
    sheet = empty_sheet(game, in_force(game, settled).columns)
    if event.teams:
        names = event.team_names or tuple(team_name(team) for team in event.teams)
        seats = tuple(Seat(name, team, sheet, members=team) for name, team in zip(names, event.teams, strict=False))
    else:
        seats = tuple(Seat(name, (name,), sheet) for name in event.players)
    match = Match(game, settled, seats, last=event)
    if event.begins == LOTS_DECIDE and len(seats) > 1:
        return replace(match, begun=False)
    return replace(match, **_begun(match, event.begins)) if event.begins is not None else match


def _begun(match: Match, name: str) -> dict[str, Any]:
    """The game begins with this player, and the player's team with this member."""
    place = match.seat_of(name) or 0
    seat = match.seats[place]
    turn = seat.here.index(name) if name in seat.here else 0
    return {"begun": True, "lots": (), "turn": place, "seats": _with(match, place, replace(seat, turn=turn))}


def _with(match: Match, place: int, seat: Seat) -> tuple[Seat, ...]:
    return (*match.seats[:place], seat, *match.seats[place + 1 :])


def _taken_up(match: Match) -> Match:
    """The game with its turn at the seat that really is on turn.

    They differ where a sheet became full without an entry, by fewer columns, or its players left.
    """
    if match.seats[match.turn].playing or match.on_turn is None:
        return match
    seat = match.seats[match.turn]
    seats = _with(match, match.turn, replace(seat, saved=seat.saved + _paid_not_thrown(match)))
    return replace(match, seats=seats, turn=match.on_turn, thrown=0, present=(), kept=(), paid=0)


def _paid_not_thrown(match: Match) -> int:
    return max(0, match.paid - max(0, match.thrown - match.game.throws))


def _thrown(match: Match, event: e.Thrown) -> dict[str, Any]:
    match = _taken_up(match)
    return {
        "seats": match.seats,
        "turn": match.turn,
        "thrown": match.thrown + 1,
        "present": event.dice,
        "kept": (),
        "paid": match.paid,
    }


def _held(match: Match, event: e.Held) -> dict[str, Any]:
    return {"kept": tuple(sorted(set(event.slots)))}


def _saved_throw_spent(match: Match, event: e.SavedThrowSpent) -> dict[str, Any]:
    seat = match.seats[match.turn]
    seats = _with(match, match.turn, replace(seat, saved=max(0, seat.saved - 1)))
    return {"seats": seats, "paid": match.paid + 1}


def _corrected(match: Match, event: e.Corrected) -> dict[str, Any]:
    if event.box is None:
        return {"present": event.dice}
    place = match.seat_of(event.player or "")
    box = match.game.places.get(event.box)
    if place is None or box is None or not 0 < event.column <= match.in_force.columns:
        return {}
    seat = match.seats[place]
    entry = seat.sheet.columns[event.column - 1][box]
    if entry is None:
        return {}
    sheet = _written(seat.sheet, event.column - 1, box, Entry(event.dice, entry.number))
    return {"seats": _with(match, place, replace(seat, sheet=sheet))}


def _written(sheet: Sheet, column: int, box: int, entry: Entry) -> Sheet:
    entries = sheet.columns[column]
    entries = (*entries[:box], entry, *entries[box + 1 :])
    columns = (*sheet.columns[:column], entries, *sheet.columns[column + 1 :])
    return Sheet(columns, sheet.passes, sheet.turns)


def _lot_thrown(match: Match, event: e.LotThrown) -> dict[str, Any]:
    lots = (*match.lots, (event.player, event.dice))
    return {"lots": lots} | ({} if match.begun else _decided(match, lots))


def _decided(match: Match, lots: tuple[tuple[str, tuple[int, ...]], ...]) -> dict[str, Any]:
    """The game begins as soon as one player is left who threw the highest lot."""
    still, _ = contest(match.players, lots)
    return _begun(match, still[0]) if len(still) == 1 else {}


def _entered(match: Match, event: e.Entered) -> dict[str, Any]:
    match = _taken_up(match)
    sheet = match.seats[match.turn].sheet
    box = match.game.places.get(event.box)
    if box is not None and 0 < event.column <= match.in_force.columns:
        sheet = _written(sheet, event.column - 1, box, Entry(match.present, sheet.turns))
    return _turn_ended(match, sheet)


def _passed(match: Match, event: e.Passed) -> dict[str, Any]:
    match = _taken_up(match)
    sheet = match.seats[match.turn].sheet
    passes = (*sheet.passes, Entry(match.present, sheet.turns))
    return _turn_ended(match, replace(sheet, passes=passes))


def _turn_ended(match: Match, sheet: Sheet) -> dict[str, Any]:
    """Banks what was not used: the ordinary rethrows, and a saved throw paid but not thrown."""
    seat = match.seats[match.turn]
    saved = seat.saved + _paid_not_thrown(match)
    if match.in_force.saved_throws:
        saved += max(0, match.game.throws - match.thrown)
    sheet = Sheet(sheet.columns, sheet.passes, sheet.turns + 1)
    seat = Seat(seat.name, seat.here, sheet, seat.members, (seat.turn + 1) % max(1, len(seat.here)), saved)
    return {
        "seats": _with(match, match.turn, seat),
        "turn": (match.turn + 1) % len(match.seats),
        "thrown": 0,
        "present": (),
        "kept": (),
        "paid": 0,
        "lots": (),
    }


def _rules_changed(match: Match, event: e.RulesChanged) -> dict[str, Any]:
    settled = settle(match.settled, event.rules)
    columns = in_force(match.game, settled).columns
    if columns == match.in_force.columns:
        return {"settled": settled}
    empty = empty_sheet(match.game, columns).columns
    seats = tuple(
        replace(seat, sheet=replace(seat.sheet, columns=(seat.sheet.columns + empty)[:columns])) for seat in match.seats
    )
    return {"settled": settled, "seats": seats}


def _player_left(match: Match, event: e.PlayerLeft) -> dict[str, Any]:
    place = match.seat_of(event.player)
    if place is None or event.player not in match.seats[place].here:
        return {}
    seat = match.seats[place]
    gone = seat.here.index(event.player)
    here = tuple(name for name in seat.here if name != event.player)
    turn = seat.turn - 1 if gone < seat.turn else seat.turn
    left = replace(seat, here=here, turn=turn % max(1, len(here)))
    changes: dict[str, Any] = {}
    if not here and place == match.turn:
        left = replace(left, saved=left.saved + _paid_not_thrown(match))
        changes = {"thrown": 0, "present": (), "kept": (), "paid": 0}
    changes["seats"] = _with(match, place, left)
    after = replace(match, **changes)
    return changes | ({} if match.begun else _decided(after, match.lots))


def _player_joined(match: Match, event: e.PlayerJoined) -> dict[str, Any]:
    seat = Seat(event.player, (event.player,), empty_sheet(match.game, match.in_force.columns))
    return {"seats": (*match.seats, seat)}


def _game_closed(match: Match, event: e.GameClosed) -> dict[str, Any]:
    return {"closed": True}


_STEPS: Mapping[type[Any], Callable[[Match, Any], dict[str, Any]]] = {
    e.Thrown: _thrown,
    e.Held: _held,
    e.SavedThrowSpent: _saved_throw_spent,
    e.Corrected: _corrected,
    e.LotThrown: _lot_thrown,
    e.Entered: _entered,
    e.Passed: _passed,
    e.RulesChanged: _rules_changed,
    e.PlayerLeft: _player_left,
    e.PlayerJoined: _player_joined,
    e.GameClosed: _game_closed,
}
