"""Throws for who begins, and throw-offs: who has thrown what, and who is still in it. Pure."""

from dataclasses import dataclass

from rules import Match
from rules.match import contest


@dataclass(frozen=True)
class Lot:
    """One of those who throw. `dice` are those thrown last, `seat` the place of the sheet in turn order.

    `state` is "due" (throws now), "waits" (throws later), "thrown" or "out"; with `again` there was a tie before.
    """

    name: str
    seat: int
    dice: tuple[int, ...]
    state: str
    again: bool = False


def lots(match: Match) -> tuple[Lot, ...]:
    """Everybody who throws, in turn order; nobody while no lots are thrown."""
    if match.phase == "begin":
        names = match.players
        thrown = match.lots
    elif match.phase == "throw-off":
        names = tuple(seat.name for seat, rank in zip(match.seats, match.ranks, strict=True) if rank == 1)
        places = ((match.seat_of(name), dice) for name, dice in match.lots)
        thrown = tuple((match.seats[place].name, dice) for place, dice in places if place is not None)
    else:
        return ()
    still, due = contest(names, thrown)
    last = dict(thrown)
    found = []
    for name in names:
        state = "due" if name == match.player else "waits" if name in due else "thrown" if name in still else "out"
        again = name in due and name in last
        found.append(Lot(name, match.seat_of(name) or 0, last.get(name, ()), state, again))
    return tuple(found)
