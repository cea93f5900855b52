"""A game as it stands: the facts, and everything that follows from them, worked out when asked for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rules.entering import Option, open_entries
from rules.events import Event
from rules.extra import Sheet
from rules.game import Game, RuleValue
from rules.in_force import InForce, Settled, in_force
from rules.sheet import SheetScore, ranks, score_sheet

Lots = tuple[tuple[str, tuple[int, ...]], ...]
"""Who threw which lot, in the order thrown."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One sheet and those who share it.

    ``here`` are those still playing, in turn order, and ``turn`` says which of them is next; ``members``
    names a team's players, also those who left (empty where no teams were made). ``saved`` is the bank of
    saved throws.
    """

    name: str
    here: tuple[str, ...]
    sheet: Sheet
    members: tuple[str, ...] = ()
    turn: int = 0
    saved: int = 0

    @property
    def playing(self) -> bool:
        """Whether this sheet still takes turns: somebody is here and a box is free."""
        return bool(self.here) and not self.sheet.full

    @property
    def names(self) -> tuple[str, ...]:
        """Every name this sheet answers to."""
        return (self.name, *self.members, *self.here)


@dataclass(frozen=True)
class Match:
    """A game as it stands after its events. None stands for "no game yet".

    ``turn`` is the seat whose turn came; where its sheet is full or its players left, the next that still
    plays is on turn (``on_turn``). ``previous`` is the game before the last event and ``future`` the one that
    was taken back, so undo and redo cost nothing and reach the very first event.
    """

    game: Game
    settled: Settled
    seats: tuple[Seat, ...]
    turn: int = 0
    thrown: int = 0
    present: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    paid: int = 0
    lots: Lots = ()
    begun: bool = True
    closed: bool = False
    standing: int = 1
    last: Event | None = field(default=None, compare=False, repr=False)
    previous: "Match | None" = field(default=None, compare=False, repr=False)
    future: "Match | None" = field(default=None, compare=False, repr=False)

    @cached_property
    def in_force(self) -> InForce:
        """The rules in force, worked out."""
        return in_force(self.game, self.settled)

    @property
    def rules(self) -> Mapping[str, RuleValue]:
        """Every house rule of the game with the value in force."""
        return self.in_force.values

    @cached_property
    def on_turn(self) -> int | None:
        """The seat on turn; None when every sheet still playing is full."""
        for step in range(len(self.seats)):
            place = (self.turn + step) % len(self.seats)
            if self.seats[place].playing:
                return place
        return None

    @cached_property
    def phase(self) -> str:
        """``begin`` (lots for who begins), ``throw``, ``choose``, ``throw-off`` or ``over``."""
        if self.closed:
            return "over"
        if not self.begun:
            return "begin" if self.players else "over"
        if self.on_turn is None:
            return "throw-off" if self._throw_off[1] else "over"
        return "choose" if self.on_turn == self.turn and self.thrown else "throw"

    @property
    def seat(self) -> Seat | None:
        """The seat on turn, while turns are played."""
        place = self.on_turn if self.phase in ("throw", "choose") else None
        return None if place is None else self.seats[place]

    @property
    def player(self) -> str | None:
        """Whose hand the dice are for: on turn, or next to throw a lot; None when the game is over."""
        if self.phase in ("begin", "throw-off"):
            return self.lots_due[0]
        seat = self.seat
        return None if seat is None else seat.here[seat.turn % len(seat.here)]

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody still playing, seat by seat."""
        return tuple(name for seat in self.seats for name in seat.here)

    @property
    def throw(self) -> int:
        """How many throws were made this turn."""
        return self.thrown if self.phase == "choose" else 0

    @property
    def throws_left(self) -> int:
        """How many throws may still be made this turn, paid ones included."""
        if self.phase == "throw":
            return self.game.throws
        return max(0, self.game.throws + self.paid - self.thrown) if self.phase == "choose" else 0

    @property
    def dice(self) -> tuple[int, ...]:
        """The present dice, slot by slot; empty before the turn's first throw."""
        return self.present if self.phase == "choose" else ()

    @property
    def held(self) -> tuple[int, ...]:
        """The slots, from 1, held for the next throw."""
        return self.kept if self.phase == "choose" else ()

    @property
    def saved(self) -> Mapping[str, int]:
        """The saved throws of every sheet, where the game is played with them."""
        return {seat.name: seat.saved for seat in self.seats} if self.in_force.saved_throws else {}

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """Every entry that is legal now, by column, then in the sheet's order."""
        seat = self.seat
        return open_entries(self.in_force, seat.sheet, self.present) if seat and self.phase == "choose" else ()

    @property
    def can_pass(self) -> bool:
        """Whether the turn may end without writing: ``write-zero`` is off and no open box would score."""
        if self.phase != "choose" or self.in_force.write_zero:
            return False
        return not any(option.points > 0 for option in self.options)

    @property
    def can_undo(self) -> Event | None:
        """The event that undo would take back, or None."""
        return None if self.previous is None else self.last

    @property
    def can_redo(self) -> Event | None:
        """The event that redo would bring back, or None."""
        return None if self.future is None else self.future.last

    @cached_property
    def scores(self) -> tuple[SheetScore, ...]:
        """Every sheet added up, seat by seat."""
        return tuple(score_sheet(self.in_force, seat.sheet) for seat in self.seats)

    @cached_property
    def finished(self) -> bool:
        """Whether every sheet still playing is full, whatever a throw-off has to decide."""
        return self.begun and self.on_turn is None and any(seat.here for seat in self.seats)

    @cached_property
    def ranks(self) -> tuple[int | None, ...]:
        """The rank of every seat: 1, 1, 3; None for those who left. A throw-off leaves one first."""
        return tuple(
            2 if rank == 1 and len(self.winners) == 1 and seat.name not in self.winners else rank
            for seat, rank in zip(self.seats, self._ranks, strict=True)
        )

    @cached_property
    def winners(self) -> tuple[str, ...]:
        """All who share rank 1 when the game is finished; with a throw-off, its winner once it is decided."""
        if not self.finished:
            return ()
        still, due = self._throw_off
        return () if due else still

    @property
    def lots_due(self) -> tuple[str, ...]:
        """Who has to throw a lot now, in turn order: players at the beginning, sheets in a throw-off."""
        if self.phase == "begin":
            return contest(self.players, self.lots)[1]
        return self._throw_off[1] if self.phase == "throw-off" else ()

    def seat_of(self, name: str) -> int | None:
        """The seat that a player's or team's name belongs to, whether still here or not."""
        return next((place for place, seat in enumerate(self.seats) if name in seat.names), None)

    @cached_property
    def _ranks(self) -> tuple[int | None, ...]:
        return ranks([s.total if seat.here else None for seat, s in zip(self.seats, self.scores, strict=True)])

    @cached_property
    def _leading(self) -> tuple[str, ...]:
        return tuple(seat.name for seat, rank in zip(self.seats, self._ranks, strict=True) if rank == 1)

    @cached_property
    def _throw_off(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Who shares the first rank, thrown off where the rules say so, and who has to throw for it now."""
        if self.in_force.tie != "throw-off":
            return self._leading, ()
        places = ((self.seat_of(name), dice) for name, dice in self.lots)
        return contest(self._leading, ((self.seats[p].name, dice) for p, dice in places if p is not None))


def contest(
    names: Sequence[str], lots: Iterable[tuple[str, tuple[int, ...]]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who is still in it after these lots, and who of them has to throw now (nobody once it is decided).

    The highest sum wins; ties throw again. A lot of somebody who is not in it, or has thrown already, counts
    nothing.
    """
    still = tuple(names)
    sums: dict[str, int] = {}
    for name, dice in lots:
        if len(still) > 1 and name in still and name not in sums:
            sums[name] = sum(dice)
            if len(sums) == len(still):
                best = max(sums.values())
                still = tuple(other for other in still if sums[other] == best)
                sums = {}
    return still, tuple(name for name in still if name not in sums) if len(still) > 1 else ()
