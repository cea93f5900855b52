"""The finished games in the journal: high scores, and every solo player's personal best.

The journal holds facts and no points, so each game is played through again, a little at a time between two rounds of
the loop. Nothing of it is kept on the disk: it can't be wrong, and an older journal has its bests too.
"""

import bisect
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from device.journal import Row
from device.shelf import Shelf
from display.scores import Best, Score, ScoreList
from rules import Game, Match, RuleValue, apply, event_from_json
from rules.in_force import in_force
from rules.sheet import score_sheet

MOST_SCORES = 10
"""How long a high-score list is."""

NOT_IN_POINTS = ("tie",)
"""House rules that leave every sheet as it is. Any other, changed, makes another list: totals reached under different
rules are not compared."""

_Rules = tuple[tuple[str, RuleValue], ...]


@dataclass
class _Kept:
    """One list. `scores` as (order, score), best first; `solo` by player: best total, in which of how many games."""

    game: Game
    changed: _Rules
    scores: list[tuple[tuple[int, int, int], Score]] = field(default_factory=list)
    solo: dict[str, tuple[int, int, int]] = field(default_factory=dict)


class Results:
    """What the ended games among these rows came to. `rows` may grow; `go_on` reads what is new."""

    def __init__(self, rows: Sequence[Row], games: Mapping[str, Game]) -> None:
        self._rows = rows
        self._games = games
        self._looked = 0
        self._lists: dict[tuple[str, _Rules], _Kept] = {}
        self._reopened: set[int] = set()
        self._steps = self._read()
        self.whole = not rows
        """Whether everything that stood here at the start has been read: until then nothing is told."""
        self._edition = 0
        self._told: tuple[Match | None, int, tuple[ScoreList, ...], Best | None] | None = None

    def go_on(self, seconds: float) -> None:
        """Read on for about so long: one event takes microseconds."""
        until = time.perf_counter() + seconds
        while self._looked < len(self._rows):
            next(self._steps)
            if time.perf_counter() >= until:
                return
        if not self.whole:
            self.whole = True
            self._edition += 1

    def told(self, match: Match | None) -> tuple[tuple[ScoreList, ...], Best | None]:
        """`lists` and `best` for the game on the table, worked out again only when they may have changed."""
        finished = match if match is not None and match.finished else None
        if self._told is None or self._told[0] is not finished or self._told[1] != self._edition:
            best = self.best(finished) if finished is not None else None
            self._told = (finished, self._edition, self.lists(finished), best)
        return self._told[2:]

    def lists(self, match: Match | None = None) -> tuple[ScoreList, ...]:
        """Every list that has scores, the one played last first; `match` is the game on the table, which counts
        from its last box on and no longer when that is taken back. Empty until all has been read."""
        if not self.whole:
            return ()
        kept = dict(self._lists)
        if match is not None and match.finished:
            key = _key(match)
            before = kept.pop(key, None) or _Kept(match.game, _changed(match))
            now = replace(before, scores=list(before.scores))
            _rank(now, match, len(self._rows), None, here=True)
            kept[key] = now
        return tuple(
            ScoreList(one.game, one.changed, tuple(score for _, score in one.scores))
            for one in reversed(kept.values())
            if one.scores
        )

    def best(self, match: Match) -> Best | None:
        """The solo player's best before this finished game; None for other games, and until all has been read."""
        if not self.whole or not match.finished or len(match.seats) != 1:
            return None
        kept = self._lists.get(_key(match))
        found = kept.solo.get(match.seats[0].name) if kept is not None else None
        return Best(*found) if found is not None else Best()

    def _read(self) -> Iterator[None]:
        """Row by row for ever. A game ends when it is closed or the next one starts."""
        shelf = Shelf()
        counted: set[int] = set()
        closed: int | None = None
        while True:
            row = self._rows[self._looked]
            kind = row.body.get("type")
            game = shelf.current
            ends = kind == "game-started" or (kind == "game-closed" and self._looked not in self._reopened)
            if ends and game is not None and game not in counted:
                counted.add(game)
                yield from self._play(shelf.rows(game))
            if shelf.put(row) is not None and game is None and kind != "game-started" and closed is not None:
                # Its end was taken back: what it came to no longer holds, so all is read anew.
                self._reopened.add(closed)
                self._looked, self._lists, self.whole, shelf, counted, closed = -1, {}, False, Shelf(), set(), None
                self._edition += 1
            elif kind == "game-closed":
                closed = self._looked if ends else None
            self._looked += 1
            yield

    def _play(self, rows: Sequence[Row]) -> Iterator[None]:
        """The game of these rows; counts when it was finished."""
        match: Match | None = None
        try:
            for row in rows:
                match = apply(match, event_from_json(row.body), self._games)
                yield
        except ValueError:
            return  # a game whose file is gone, or an event of a newer program
        if match is None or not match.finished:
            return
        for seat in match.seats:
            score_sheet(match.in_force, seat.sheet)
            yield
        key = _key(match)
        kept = self._lists.pop(key, None) or _Kept(match.game, _changed(match))
        self._lists[key] = kept  # the list played last stands last
        self._edition += 1
        _rank(kept, match, rows[0].number, rows[-1].day, here=False)
        if len(match.seats) == 1:
            name, total = match.seats[0].name, match.scores[0].total
            best, which, games = kept.solo.get(name, (-1, 0, 0))
            kept.solo[name] = (total, games + 1, games + 1) if total > best else (best, which, games + 1)


def _rank(kept: _Kept, match: Match, order: int, day: date | None, *, here: bool) -> None:
    """Puts the game's sheets among the best; a player who left has none."""
    for place, (seat, score, rank) in enumerate(zip(match.seats, match.scores, match.ranks, strict=True)):
        if rank is not None:
            entry = ((-score.total, order, place), Score(seat.name, score.total, day, here))
            bisect.insort(kept.scores, entry, key=lambda one: one[0])
    del kept.scores[MOST_SCORES:]


def _key(match: Match) -> tuple[str, _Rules]:
    values = ((rule, value) for rule, value in match.rules.items() if rule not in NOT_IN_POINTS)
    return match.game.id, tuple(sorted(values))


def _changed(match: Match) -> _Rules:
    """What the household settled otherwise than the game's file, or than another of its choices, has it."""
    found = []
    for rule, value in match.settled:
        others = tuple(pair for pair in match.settled if pair[0] != rule)
        if rule in match.rules and rule not in NOT_IN_POINTS and in_force(match.game, others).values.get(rule) != value:
            found.append((rule, match.rules[rule]))
    return tuple(found)
