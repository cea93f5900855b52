"""The table: the game being played, the throw waiting to be confirmed, and what is looked at.

Signals become events here and nowhere else. An event is checked, applied in memory, handed to the journal, and shown
as pending until it is on the disk. The tray's own state is never journalled.
"""

import logging
from collections.abc import Mapping
from dataclasses import replace

from device.journal import Journal
from device.tray import Tray, slots, waits_for_confirmation
from display import desk as desks
from display import intent as wants
from display.desk import Desk
from display.view import Picture, View
from rules import (
    Corrected,
    Entered,
    Event,
    Game,
    GameClosed,
    GameStarted,
    Held,
    LotThrown,
    Match,
    Passed,
    Redone,
    RuleValue,
    SavedThrowSpent,
    Thrown,
    Undone,
    apply,
    check,
    event_from_json,
    event_to_json,
    replay,
)
from vision.throws import Seen

log = logging.getLogger("tallytray")


class Session:
    """The one holder of the game. Everything it shows is in `view()`; everything it does goes through `act` and
    `see`. With `recorded` the throws come from a recording that waits for a finger before each of them."""

    def __init__(
        self, games: Mapping[str, Game], journal: Journal, language: str = "en", *, recorded: bool = False
    ) -> None:
        self.journal = journal
        self.games = games
        self._recorded = recorded
        self.match = _resume(journal, games)
        self.desk = Desk(language=language, screen="play" if self.match is not None else "new-game")
        self.tray = Tray()
        self.picture: Picture | None = None
        self.notice: str | None = None
        self.camera_fault: str | None = None
        self.buttons_fault: str | None = None
        self.play_on: wants.PlayOn | None = None
        self._remembered = _names(journal)

    @property
    def dice_expected(self) -> int | None:
        """How many dice the next throw should show; None when no game is being played."""
        if self.match is None or self.match.phase == "over":
            return None
        return slots(self.match)

    def view(self) -> View:
        found = (("camera", self.camera_fault), ("disk", self.journal.fault), ("buttons", self.buttons_fault))
        faults = [name for name, fault in found if fault]
        if self.journal.recovery is not None:
            faults.append("recovered")
        waiting = self.tray.waiting
        return View(
            games=tuple(self.games.values()),
            match=self.match,
            desk=self.desk,
            tray=self.tray.state,
            picture=self.picture,
            seen=self.tray.dice(self.match),
            notice=self.notice,
            faults=tuple(faults),
            saving=self.journal.written < self.journal.last,
            remembered=self._remembered,
            troubles=waiting.throw.reading.troubles if waiting is not None else (),
            waiting=self._recorded and waiting is None and self.tray.state in ("empty", "settled", "unsure"),
        )

    def see(self, seen: Seen, scale: float) -> None:
        """The camera saw this. `scale` takes its positions to those of the picture shown."""
        self.camera_fault = None
        self.tray.see(seen, scale, self.match)

    def lose_camera(self, reason: str) -> None:
        """The camera is gone; the game goes on with dice entered by finger."""
        self.camera_fault = reason
        self.tray.lose()

    def act(self, intent: wants.Intent) -> None:
        """Do what a person wants, or leave a notice that says why not."""
        self.notice = None
        match intent:
            case wants.Look():
                self.desk = desks.react(self.desk, intent, self.view())
            case wants.PlayOn():
                self.play_on = intent
            case wants.Start(game, players, rules):
                self._start(game, players, rules)
            case wants.NewGame():
                self._close_game()
            case wants.Confirm():
                self._confirm()
            case wants.ThrowByHand(dice):
                self._throw_by_hand(dice)
            case wants.Mend(slot, value):
                self._mend(slot, value)
            case wants.Hold(slot):
                self._hold(slot)
            case wants.Enter(box, column):
                if self._throw_waits():
                    self.notice = "confirm-first"
                elif self._record(Entered(box, column)):
                    self._turn_moved()
            case wants.Pass():
                if self._record(Passed()):
                    self._turn_moved()
            case wants.SpendSavedThrow():
                self._record(SavedThrowSpent())
            case wants.Undo():
                self._undo()
            case wants.Redo():
                if self._record(Redone()):
                    self.tray.forget_places()

    def _start(self, game: str, players: tuple[str, ...], rules: tuple[tuple[str, RuleValue | None], ...]) -> None:
        if self.match is not None and self.match.phase == "over":
            self._close_game()
        if self._record(GameStarted(game=game, players=players, rules=rules)):
            self.tray.drop()
            self._remembered = tuple(dict.fromkeys((*players, *self._remembered)))
            self._turn_moved()
            if self._recorded:
                self.play_on = wants.PlayOn(clip=0)
            self.desk = replace(self.desk, screen="play", game=game, players=players)

    def _close_game(self) -> None:
        if self.match is not None and self._record(GameClosed()):
            self.match = None
        if self.match is None:
            self.tray.drop()
            self.tray.forget_places()
            self.desk = replace(self.desk, screen="new-game")

    def _confirm(self) -> None:
        if self.tray.waiting is None or self.match is None:
            return
        if not waits_for_confirmation(self.match):
            self.notice = "choose-a-box"
            return
        seen = self.tray.dice(self.match)
        faces = tuple(die.value for die in seen if die.value is not None)
        if len(faces) < len(seen):
            self.notice = "die-asked"
            return
        if self.match.phase in ("begin", "throw-off") and self.match.player is not None:
            taken = self._record(LotThrown(player=self.match.player, dice=faces))
        else:
            taken = self._take(faces, tuple(slot for slot, die in enumerate(seen, start=1) if die.held))
        if taken:
            self.tray.confirm()

    def _take(self, faces: tuple[int, ...], held: tuple[int, ...]) -> bool:
        """Record the throw, and before it which dice were not thrown, where that is not what was held."""
        if self.match is None:
            return False
        if self.match.phase == "choose" and held != self.match.held:
            # Both must be possible before one of them is recorded.
            refusal = check(self.match, Held(held)) or check(apply(self.match, Held(held)), Thrown(faces))
            if refusal is not None:
                self.notice = refusal
                return False
            self._record(Held(held))
        return self._record(Thrown(faces))

    def _throw_by_hand(self, dice: tuple[int, ...]) -> None:
        if self.match is None:
            return
        event: Event = Thrown(dice)
        if self.match.phase in ("begin", "throw-off") and self.match.player is not None:
            event = LotThrown(player=self.match.player, dice=dice)
        if self._record(event):
            self.tray.drop()
            self.tray.forget_places()

    def _mend(self, slot: int, value: int) -> None:
        if self.tray.waiting is not None:
            self.tray.mend(slot, value)
        elif self.match is not None and 1 <= slot <= len(self.match.dice):
            faces = list(self.match.dice)
            faces[slot - 1] = value
            self._record(Corrected(dice=tuple(faces)))

    def _hold(self, slot: int) -> None:
        if self._throw_waits():
            self.notice = "confirm-first"
        elif self.match is not None:
            held = set(self.match.held) ^ {slot}
            self._record(Held(tuple(sorted(held))))

    def _undo(self) -> None:
        if self._record(Undone()):
            self.tray.forget_places()
            self.desk = replace(self.desk, screen="play")

    def _record(self, event: Event) -> bool:
        refusal = check(self.match, event, self.games)
        if refusal is not None:
            self.notice = refusal
            return False
        # Applied before it is stored: an event that breaks the rules module must never reach the journal.
        self.match = apply(self.match, event, self.games)
        self.journal.append(event_to_json(event))
        return True

    def _turn_moved(self) -> None:
        self.tray.forget_places()
        self.desk = replace(self.desk, box=None, slot=None)
        if self.match is not None and self.match.phase == "over":
            self.desk = replace(self.desk, screen="result")

    def _throw_waits(self) -> bool:
        """Whether a throw waits that may be confirmed now."""
        return self.tray.waiting is not None and self.match is not None and waits_for_confirmation(self.match)


def _resume(journal: Journal, games: Mapping[str, Game]) -> Match | None:
    events = [event_from_json(body) for body in journal.current_game()]
    if not events or isinstance(events[-1], GameClosed):
        return None
    if isinstance(events[0], GameStarted) and events[0].game not in games:
        log.error("the game on the table is %s, whose file is gone; its events stay in the journal", events[0].game)
        return None
    return replay(events, games)


def _names(journal: Journal) -> tuple[str, ...]:
    """Everyone who ever played here, those of the latest games first."""
    names: dict[str, None] = {}
    for row in reversed(journal.rows):
        if row.body.get("type") == "game-started":
            names.update(dict.fromkeys(row.body["players"]))
    return tuple(names)
