"""The table: the game being played, the throw waiting to be confirmed, and what is looked at.

Signals become events here and nowhere else. An event is checked, applied in memory, handed to the journal, and shown
as pending until it is on the disk. The tray's own state is never journalled.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace

from device.journal import Journal
from device.placing import Place, by_slot, place
from display import desk as desks
from display import intent as wants
from display.desk import Desk
from display.view import Picture, SeenDie, View
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
from vision.throws import Seen, ThrowSeen, TrayState

log = logging.getLogger("tallytray")


@dataclass(frozen=True)
class Waiting:
    """A throw that came to rest and was not confirmed yet. `mended` are faces put right by finger, by slot."""

    throw: ThrowSeen
    places: tuple[Place, ...]
    scale: float
    mended: tuple[tuple[int, int], ...] = ()


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
        self.tray = "no-camera"
        self.picture: Picture | None = None
        self.notice: str | None = None
        self.camera_fault: str | None = None
        self.buttons_fault: str | None = None
        self.play_on: wants.PlayOn | None = None
        self._waiting: Waiting | None = None
        self._places: tuple[Place, ...] = ()
        self._fresh = True
        self._remembered = _names(journal)

    @property
    def dice_expected(self) -> int | None:
        """How many dice the next throw should show; None when no game is being played."""
        if self.match is None or self.match.phase == "over":
            return None
        return self._slots()

    def view(self) -> View:
        found = (("camera", self.camera_fault), ("disk", self.journal.fault), ("buttons", self.buttons_fault))
        faults = [name for name, fault in found if fault]
        if self.journal.recovery is not None:
            faults.append("recovered")
        return View(
            games=tuple(self.games.values()),
            match=self.match,
            desk=self.desk,
            tray=self.tray,
            picture=self.picture,
            seen=self._seen(),
            notice=self.notice,
            faults=tuple(faults),
            saving=self.journal.written < self.journal.last,
            remembered=self._remembered,
            troubles=self._waiting.throw.reading.troubles if self._waiting is not None else (),
            waiting=self._recorded and self._waiting is None and self.tray in ("empty", "settled", "unsure"),
        )

    def see(self, seen: Seen, scale: float) -> None:
        """The camera saw this. `scale` takes its positions to those of the picture shown."""
        self.camera_fault = None
        self.tray = seen.state.value
        throw = seen.throw
        if self._fresh and seen.reading is not None and seen.state in (TrayState.SETTLED, TrayState.UNSURE):
            # What lies in the tray when the camera opens its eyes is no throw to vision. To the game it may be one
            # that was thrown while nobody looked.
            self._fresh = False
            throw = throw or ThrowSeen(0, seen.reading, (None,) * len(seen.reading.dice))
            if self._lies_as_confirmed(throw):
                return
        if throw is None or self.match is None or self.match.phase == "over":
            return
        before = self._waiting.places if self._waiting is not None else self._places
        places = place(throw, before, self.match.dice, _kept(self.match, throw), self._slots())
        if self.match.dice and places and len(places) == self._slots() and all(spot.unmoved for spot in places):
            return  # nothing was thrown: the dice were only pushed about
        self._waiting = Waiting(throw, places, scale)

    def lose_camera(self, reason: str) -> None:
        """The camera is gone; the game goes on with dice entered by finger."""
        self.camera_fault = reason
        self.tray = "no-camera"
        self._fresh = True

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
                if self._waiting is not None and self._waits_for_confirmation():
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
                    self._forget_places()

    def _start(self, game: str, players: tuple[str, ...], rules: tuple[tuple[str, RuleValue | None], ...]) -> None:
        if self.match is not None and self.match.phase == "over":
            self._close_game()
        if self._record(GameStarted(game=game, players=players, rules=rules)):
            self._waiting = None
            self._remembered = tuple(dict.fromkeys((*players, *self._remembered)))
            self._turn_moved()
            if self._recorded:
                self.play_on = wants.PlayOn(clip=0)
            self.desk = replace(self.desk, screen="play", game=game, players=players)

    def _close_game(self) -> None:
        if self.match is not None and self._record(GameClosed()):
            self.match = None
        if self.match is None:
            self._waiting = None
            self._forget_places()
            self.desk = replace(self.desk, screen="new-game")

    def _confirm(self) -> None:
        if self._waiting is None or self.match is None:
            return
        if not self._waits_for_confirmation():
            self.notice = "choose-a-box"
            return
        seen = self._seen()
        faces = tuple(die.value for die in seen if die.value is not None)
        if len(faces) < len(seen):
            self.notice = "die-asked"
            return
        if self.match.phase in ("begin", "throw-off") and self.match.player is not None:
            taken = self._record(LotThrown(player=self.match.player, dice=faces))
        else:
            taken = self._take(faces, tuple(slot for slot, die in enumerate(seen, start=1) if die.held))
        if taken:
            self._places = tuple(replace(spot, unmoved=True) for spot in self._waiting.places)
            self._waiting = None

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
            self._waiting = None
            self._forget_places()

    def _mend(self, slot: int, value: int) -> None:
        if self._waiting is not None:
            kept = tuple(pair for pair in self._waiting.mended if pair[0] != slot)
            self._waiting = replace(self._waiting, mended=(*kept, (slot, value)))
        elif self.match is not None and 1 <= slot <= len(self.match.dice):
            faces = list(self.match.dice)
            faces[slot - 1] = value
            self._record(Corrected(dice=tuple(faces)))

    def _hold(self, slot: int) -> None:
        if self._waiting is not None and self._waits_for_confirmation():
            self.notice = "confirm-first"
        elif self.match is not None:
            held = set(self.match.held) ^ {slot}
            self._record(Held(tuple(sorted(held))))

    def _undo(self) -> None:
        if self._record(Undone()):
            self._forget_places()
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
        self._forget_places()
        self.desk = replace(self.desk, box=None, slot=None)
        if self.match is not None and self.match.phase == "over":
            self.desk = replace(self.desk, screen="result")

    def _forget_places(self) -> None:
        self._places = ()

    def _slots(self) -> int:
        if self.match is None:
            return 0
        lot = self.match.phase in ("begin", "throw-off")
        return self.match.game.lot_dice if lot else self.match.game.dice

    def _waits_for_confirmation(self) -> bool:
        """False while a throw came too early: the box of the turn before is not chosen yet."""
        if self.match is None:
            return False
        return self.match.phase != "choose" or self.match.throws_left > 0

    def _seen(self) -> tuple[SeenDie, ...]:
        if self._waiting is None or self.match is None or not self._waits_for_confirmation():
            return ()
        waiting = self._waiting
        dice = by_slot(
            waiting.throw,
            waiting.places,
            self.match.dice,
            _kept(self.match, waiting.throw),
            self._slots(),
            waiting.scale,
        )
        mended = dict(waiting.mended)
        return tuple(
            replace(die, value=mended[slot], asked=False, held=die.held and die.value == mended[slot])
            if slot in mended
            else die
            for slot, die in enumerate(dice, start=1)
        )

    def _lies_as_confirmed(self, throw: ThrowSeen) -> bool:
        """After a restart in mid-turn the dice still lie there: that is the throw we know, not a new one."""
        if self.match is None or self.match.phase != "choose":
            return False
        if throw.reading.values != tuple(sorted(self.match.dice)):
            return False
        free = list(range(1, len(self.match.dice) + 1))
        places = []
        for die in throw.reading.dice:
            slot = next(slot for slot in free if self.match.dice[slot - 1] == die.value)
            free.remove(slot)
            places.append(Place(slot, unmoved=True))
        self._places = tuple(places)
        return True


def _resume(journal: Journal, games: Mapping[str, Game]) -> Match | None:
    events = [event_from_json(body) for body in journal.current_game()]
    if not events or isinstance(events[-1], GameClosed):
        return None
    if isinstance(events[0], GameStarted) and events[0].game not in games:
        log.error("the game on the table is %s, whose file is gone; its events stay in the journal", events[0].game)
        return None
    return replay(events, games)


def _kept(match: Match, throw: ThrowSeen) -> tuple[int, ...]:
    """The slots not thrown: those held now; with dice missing from view, those that were held for the throw before
    and still lie aside."""
    if match.held or len(throw.reading.dice) >= len(match.dice):
        return match.held
    step = match
    while not isinstance(step.last, Thrown):
        if step.previous is None:
            return ()
        step = step.previous
    return step.previous.held if step.previous is not None else ()


def _names(journal: Journal) -> tuple[str, ...]:
    """Everyone who ever played here, those of the latest games first."""
    names: dict[str, None] = {}
    for row in reversed(journal.rows):
        if row.body.get("type") == "game-started":
            names.update(dict.fromkeys(row.body["players"]))
    return tuple(names)
