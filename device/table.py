"""The game on the table and those put aside: events go in, are checked, applied in memory and handed to the journal.

Everything here answers with a notice that says why not, or None when it is done.
"""

from collections.abc import Mapping

from device.journal import Body, Journal
from device.shelf import FORGOTTEN, PUT_ASIDE, TAKEN_UP, Shelf, remembered
from display import intent as wants
from rules import (
    Event,
    Game,
    GameClosed,
    GameStarted,
    Match,
    PlayerJoined,
    PlayerLeft,
    RulesChanged,
    apply,
    check,
    event_to_json,
)


class Table:
    """Takes up the game that was on the table when the journal was written last. With `careful` it puts that one aside
    (`left` names it) and plays none through that nobody asks for. `missing` names its game where that cannot be played
    any more: its events stay in the journal."""

    def __init__(self, games: Mapping[str, Game], journal: Journal, *, careful: bool = False) -> None:
        self.games = games
        self.journal = journal
        self.shelf = Shelf(journal.rows, careful=careful)
        journal.game_of = self.shelf.game_of
        self.remembered = remembered(journal.rows)
        self.match: Match | None = None
        self.missing: str | None = None
        self.left: str | None = None
        if careful and self.shelf.current is not None:
            game, players = self.shelf.named(self.shelf.current)
            self.left = ", ".join((games[game].name if game in games else game, *players))
            self._write({"type": PUT_ASIDE, "failed": True})
        if self.shelf.current is not None:
            self.match = self.shelf.match(self.shelf.current, games)
            if self.match is None:
                self.missing = str(self.shelf.rows(self.shelf.current)[0].body.get("game"))

    def record(self, event: Event) -> str | None:
        """An event of the game happens, where it may."""
        refusal = check(self.match, event, self.games)
        if refusal is not None:
            return refusal
        # Applied before it is stored: an event that breaks the rules module must never reach the journal.
        self.match = apply(self.match, event, self.games)
        self._write(event_to_json(event))
        return None

    def start(self, wanted: wants.Start) -> str | None:
        """Another game starts; a finished one makes room for it."""
        if self.match is not None and self.match.phase == "over":
            self.close()
        started = GameStarted(
            wanted.game, wanted.players, wanted.rules, wanted.teams, wanted.team_names, begins=wanted.begins
        )
        refusal = self.record(started)
        self._know_names()
        return refusal

    def close(self) -> str | None:
        """The game is put away for good, finished or not."""
        refusal = self.record(GameClosed()) if self.match is not None else None
        if refusal is None:
            self.match = None
        return refusal

    def change(self, intent: wants.Intent) -> str | None:
        """What is done from the menu: to the game, to who plays it, to the games put aside."""
        match intent:
            case wants.ChangeRules(rules):
                return self.record(RulesChanged(rules))
            case wants.LeaveTable(player):
                return self.record(PlayerLeft(player))
            case wants.JoinTable(player):
                refusal = self.record(PlayerJoined(player))
                self._know_names()
                return refusal
            case wants.PutAside():
                return self._put_aside()
            case wants.TakeUp(game):
                return self._take_up(game)
            case wants.ForgetName(player):
                self._write({"type": FORGOTTEN, "player": player})
                self._know_names()
        return None

    def _put_aside(self) -> str | None:
        if self.match is None or self.match.phase == "over":
            return "not-started"
        self._write({"type": PUT_ASIDE})
        self.match = None
        return None

    def _take_up(self, game: int) -> str | None:
        match = self.shelf.match(game, self.games) if game in self.shelf.aside else None
        if match is None:
            return "game-gone"
        if self.match is not None and self.match.phase == "over":
            self.close()
        self._write({"type": TAKEN_UP, "game": game})
        self.match = match
        return None

    def _know_names(self) -> None:
        self.remembered = remembered(self.journal.rows)

    def _write(self, body: Body) -> None:
        self.shelf.put(self.journal.rows[self.journal.append(body) - 1])
