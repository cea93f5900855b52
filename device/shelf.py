"""The games of a journal: the one on the table, those put aside, and the names that are remembered.

Besides the events of a game the journal holds three facts about the table itself, which no game knows:
`{"type": "game-put-aside"}` takes the game off the table, `{"type": "game-taken-up", "game": n}` brings back the one
that started in row `n`, and `{"type": "name-forgotten", "player": name}` leaves a name out of the remembered ones
until it plays again.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from device.chain import Row
from device.volumes import marks
from display.view import Aside
from rules import Game, Match, event_from_json, replay

PUT_ASIDE, TAKEN_UP, FORGOTTEN = FACTS = ("game-put-aside", "game-taken-up", "name-forgotten")

MARKS = ("game-started", "game-closed", *FACTS)
"""Rows at which another game begins to be the one on the table."""

NAMING = ("game-started", "player-joined", FORGOTTEN)

MOST_ASIDE = 24
"""How many games put aside are offered, the latest ones: the others stay in the journal."""


class Shelf:
    """Which game each row belongs to. It has looked through `rows`, where row n stands at n - 1, at their marks only:
    what lies between two belongs to one game, and is read when that is asked for. Feed it every further row, in order;
    games are known by the row they started in. With `careful` none is played through to list it."""

    def __init__(self, rows: Sequence[Row] = (), *, careful: bool = False) -> None:
        self.current: int | None = None
        self._rows = rows
        self._closed: int | None = None
        self._open: dict[int, list[Row | range]] = {}
        self._aside: list[int] = []
        self._careful = careful
        self._failed: set[int] = set()
        """Those put aside because the program stopped over them."""
        self._listed: tuple[Aside, ...] | None = None
        looked = 0
        for row in marks(rows, MARKS):
            self._put_between(range(looked + 1, row.number))
            self.put(row)
            looked = row.number
        self._put_between(range(looked + 1, len(rows) + 1))

    @property
    def aside(self) -> tuple[int, ...]:
        """The games put aside, newest first."""
        return tuple(reversed(self._aside))

    def put(self, row: Row) -> int | None:
        """Take in the next row; gives the game it belongs to, None for a fact about the table."""
        kind = row.body.get("type")
        if kind in FACTS:
            if kind == PUT_ASIDE and row.body.get("failed") is True and self.current is not None:
                self._failed.add(self.current)
            if kind != FORGOTTEN:
                self._clear()
            if kind == TAKEN_UP and (game := row.body.get("game")) in self._aside:
                self._aside.remove(game)
                self._failed.discard(game)
                self.current = game
            return None
        if kind == "game-started":
            self._clear()
            self.current = row.number
            self._open[row.number] = []
        return self._add(row, closes=kind == "game-closed")

    def _put_between(self, numbers: range) -> None:
        """Rows of these numbers, none of which is a mark."""
        if numbers:
            self._add(numbers)

    def _add(self, rows: Row | range, *, closes: bool = False) -> int | None:
        if self.current is None and self._closed is not None:
            self.current, self._closed = self._closed, None  # its end is taken back
        game = self.current
        if game is not None:
            self._open[game].append(rows)
            if closes:
                self.current, self._closed = None, game
        return game

    def rows(self, game: int) -> tuple[Row, ...]:
        """Every row of a game that was not closed yet, or was closed last."""
        found: list[Row] = []
        for part in tuple(self._open.get(game, ())):
            if isinstance(part, range):
                found += self._rows[part.start - 1 : part.stop - 1]
            else:
                found.append(part)
        return tuple(found)

    def game_of(self, number: int) -> tuple[Row, ...]:
        """Every row of the game that row belongs to, as long as `rows` has it."""
        for game, parts in tuple(self._open.items()):
            if any(number in part if isinstance(part, range) else number == part.number for part in tuple(parts)):
                return self.rows(game)
        return ()

    def match(self, game: int, games: Mapping[str, Game]) -> Match | None:
        """The game as it stands; None where its file is gone, or where a newer program wrote it."""
        try:
            return replay((event_from_json(row.body) for row in self.rows(game)), games)
        except ValueError:
            return None

    def listed(self, games: Mapping[str, Game]) -> tuple[Aside, ...]:
        """The games put aside that can be taken up, newest first, as the screen lists them."""
        if self._listed is None:
            found = (self._described(game, games) for game in self.aside[:MOST_ASIDE])
            self._listed = tuple(one for one in found if one is not None)
        return self._listed

    def named(self, game: int) -> tuple[str, tuple[str, ...]]:
        """The game's id and who began to play it, as its first row says."""
        body = self.rows(game)[0].body
        return str(body.get("game")), tuple(_names(body))

    def _described(self, game: int, games: Mapping[str, Game]) -> Aside | None:
        rows = self.rows(game)
        if self._careful or game in self._failed:
            kind, players = self.named(game)
            return Aside(game, games[kind], players, rows[-1].day) if kind in games else None
        match = self.match(game, games)
        if match is None:
            return None
        places = [entry for seat in match.seats for column in seat.sheet.columns for entry in column]
        players = tuple(seat.name for seat in match.seats)
        return Aside(game, match.game, players, rows[-1].day, sum(entry is not None for entry in places), len(places))

    def _clear(self) -> None:
        """A game still on the table was never closed: it lies aside."""
        self._listed = None
        if self._closed is not None:
            del self._open[self._closed]
            self._closed = None
        if self.current is not None:
            self._aside.append(self.current)
            self.current = None


def taken_up(row: Row) -> int | None:
    """The game that this row brings back to the table, if it does so."""
    game = row.body.get("game") if row.body.get("type") == TAKEN_UP else None
    return game if isinstance(game, int) else None


def remembered(rows: Sequence[Row]) -> tuple[str, ...]:
    """Everyone who ever played here and was not forgotten since, by last use."""
    names: dict[str, None] = {}
    gone: set[str] = set()
    for row in reversed(tuple(marks(rows, NAMING))):
        for name in _names(row.body):
            if row.body["type"] == FORGOTTEN and name not in names:
                gone.add(name)
            elif name not in gone:
                names.setdefault(name)
    return tuple(names)


def _names(body: Mapping[str, Any]) -> Sequence[str]:
    """Whoever an event names; nobody where a journal says it as no program of ours does."""
    match body:
        case {"type": "game-started", "players": [*names]}:
            return [name for name in names if isinstance(name, str)]
        case {"type": "player-joined" | "name-forgotten", "player": str(name)}:
            return [name]
    return ()
