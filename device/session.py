"""The table: the game being played, the throw waiting to be confirmed, and what is looked at.

Signals become events here and nowhere else. An event is checked, applied in memory, handed to the journal, and shown
as pending until it is on the disk. The tray's own state is never journalled.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from device.choices import Choices, chosen
from device.faults import CALIBRATION_FAULTS, CAMERA_FAULTS, DISK_FAULTS, Faults, disk_fault
from device.hand import Hand
from device.house import House
from device.journal import Journal
from device.results import Results
from device.sight import NO_SIGHT, in_sight
from device.table import Table
from device.tray import Tray, slots, throws_lots
from device.vision_words import Calibrates
from display import desk as desks
from display import intent as wants
from display.desk import Desk
from display.picture import Picture
from display.view import FaultName, Setup, View
from rules import (
    Entered,
    Event,
    Game,
    Match,
    Passed,
    Redone,
    SavedThrowSpent,
    Undone,
)
from vision.throws import Seen, TrayState

IDLE_SECONDS = 300.0
"""After so long without anybody, a table at which no game is going on shows its high scores."""

LIST_SECONDS = 10.0
"""How long each list of high scores is shown: long enough to read ten lines."""


class Session:
    """The one holder of the game. Everything it shows is in `view()`; everything it does goes through `act` and
    `see`. With `recorded` the throws come from a recording that waits for a finger before each of them; with `careful`
    no old game is played through, the one on the table is put aside, and there are no high scores; `clock` is in
    seconds."""

    def __init__(
        self,
        games: Mapping[str, Game],
        journal: Journal,
        language: str = "en",
        *,
        recorded: bool = False,
        careful: bool = False,
        house: House | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.journal = journal
        self.games = games
        self._recorded = recorded
        self.house = house or House(ask_after=0, clock=clock)
        self.leaving = False
        """Whether the program is to end."""
        self.faults = Faults()
        self.calibrating: Calibrates | None = None
        """How far the calibration that goes on has come."""
        self.table = Table(games, journal, careful=careful)
        if self.table.left is not None:
            self.faults.report("game-put-aside", self.table.left)
        if self.table.missing is not None:
            self.faults.report("game-missing", self.table.missing)
        self.desk = Desk(language=language, screen="play" if self.match is not None else "new-game")
        self.tray = Tray()
        self.picture: Picture | None = None
        self.notice: str | None = None
        self.play_on: wants.PlayOn | None = None
        self.choices: Choices | None = None
        self.setup = Setup()
        self.sight = NO_SIGHT
        self.results = Results(() if careful else journal.rows, games)
        self._clock = clock
        self._stirred = clock()
        self.hand = Hand(self.table, self.tray, clock=clock)

    @property
    def match(self) -> Match | None:
        """The game on the table."""
        return self.table.match

    @property
    def dice_expected(self) -> int | None:
        """How many dice the next throw should show; None when no game is being played."""
        if self.match is None or self.match.phase == "over":
            return None
        return slots(self.match)

    @property
    def dice_told(self) -> int | None:
        """How many dice the reader is told of. Where one is thrown for who begins the others may lie in the tray too:
        a reader told of one would choose it itself."""
        match = self.match
        some = match is not None and throws_lots(match) and match.game.lot_dice < match.game.dice
        return None if some else self.dice_expected

    def view(self) -> View:
        self._look_at_the_disk()
        waiting = self.tray.waiting
        scores, best = self.results.told(self.match)
        return View(
            games=tuple(self.games.values()),
            match=self.match,
            desk=self.desk,
            tray=self.tray.state,
            picture=self.picture if self.desk.screen != "idle" else None,  # nothing to lay out anew for
            seen=self.tray.dice(self.match),
            crops=self.tray.crops,
            countdown=self.hand.countdown if self._hands_off else None,
            notice=self.notice,
            faults=self.faults.standing,
            saving=self.journal.written < self.journal.last,
            remembered=self.table.remembered,
            aside=self.table.shelf.listed(self.games),
            troubles=self.tray.troubles(self.match),
            waiting=self._recorded and waiting is None and self.tray.state in ("empty", "settled", "unsure"),
            scores=scores,
            best=best,
            setup=self.setup,
            locked=self.house.lock.locked,
            alone=self.match is not None and self.match.phase != "over" and self.house.alone,
            off=self.house.off.state,
        )

    def _look_at_the_disk(self) -> None:
        """The journal's complaint as a fault; a fault that was put away and is over may be reported anew."""
        if self.journal.recovery is not None:
            name: FaultName = "journal-newer" if self.journal.recovery.newer else "journal-recovered"
            if name in self.desk.dismissed:
                self.journal.recovery_was_read()
            else:
                self.faults.report(name, str(self.journal.recovery))
        complaint = self.journal.fault or (self.choices.fault if self.choices is not None else None)
        wrong = disk_fault(complaint) if complaint is not None else None
        for name in DISK_FAULTS:
            self.faults.set(name, complaint if name == wrong else None)
        standing = {fault.name for fault in self.faults.standing}
        if not standing.issuperset(self.desk.dismissed):
            kept = tuple(name for name in self.desk.dismissed if name in standing)
            self.desk = replace(self.desk, dismissed=kept)

    def see(self, seen: Seen, scale: float, crops: tuple[Picture, ...] = (), fault: FaultName | None = None) -> None:
        """The camera saw this. `scale` takes its positions to those of the picture shown; `crops` are the dice of its
        reading by themselves, in its order; `fault` names what is wrong with a camera that can be read nevertheless."""
        self._camera_is(fault)
        self.sight = in_sight(seen, scale)
        if seen.throw is not None or seen.state in (TrayState.HAND, TrayState.MOVING):
            self.house.touched()
        if seen.throw is not None and self._hands_off and self.hand.takes_itself:
            # Whoever throws again has seen the throw before, and let it stand.
            self.notice = self.hand.confirm() or self.notice
        before = self.tray.waiting
        self.tray.see(seen, scale, self.match, crops)
        if self.tray.waiting is not before:
            self.hand.begin()
            self.desk = replace(self.desk, slot=None)  # the die asked about was another throw's

    def lose_camera(self, fault: FaultName, reason: str, *, forgot: bool = True) -> None:
        """The camera gives nothing to read; the game goes on with dice entered by finger. With `forgot` what lies in
        the tray afterwards may have been thrown meanwhile, as nobody knows what lay there before."""
        self._camera_is(fault, reason)
        self.sight = NO_SIGHT
        self.tray.lose(forgot=forgot)

    def check_calibration(self, fault: FaultName | None, detail: str) -> None:
        """What is wrong with what the table knows of its empty tray, if anything."""
        self.faults.clear(*(name for name in CALIBRATION_FAULTS if name != fault))
        if fault is not None:
            self.faults.report(fault, detail)

    def _camera_is(self, fault: FaultName | None, detail: str = "") -> None:
        """At most one thing is wrong with the camera."""
        self.faults.clear(*(name for name in CAMERA_FAULTS if name != fault))
        if fault is not None:
            self.faults.report(fault, detail)

    def stir(self) -> None:
        """Somebody is at the table."""
        self._stirred = self._clock()

    def tick(self) -> None:
        """Time passes: the device may be on its way to be switched off; with `auto-confirm` a sure reading that nobody
        touches is taken by itself; a table without a game shows its high scores when left alone, list after list."""
        if self.house.off.going:
            self.notice = self.house.off.tick(saved=self.journal.written == self.journal.last)
        self._idle()
        notice = self.hand.tick(hands_off=self._hands_off)
        self.notice = notice or self.notice

    @property
    def _hands_off(self) -> bool:
        """Whether a sure throw is taken by itself: not while somebody looks at something else."""
        return self.desk.auto_confirm and self.desk.open is None

    def _idle(self) -> None:
        left = self._clock() - self._stirred - IDLE_SECONDS
        if left < 0 or self.dice_expected is not None or (self.desk.open or "").startswith("setup"):
            return
        if self.desk.screen != "idle":
            self.desk = desks.react(self.desk, wants.Look("screen", "idle"), self.view())
        turn = int(left / LIST_SECONDS)
        if self.desk.page != turn:
            self.desk = replace(self.desk, page=turn)

    def act(self, intent: wants.Intent) -> None:
        """Do what a person wants, or leave a notice that says why not."""
        if self.house.off.going:
            return
        pointing = isinstance(intent, wants.Look) and intent.what == "focus"
        if not (pointing and self.house.alone):
            self.house.touched()  # whoever points at an answer has not answered yet
        self.notice = None
        self.hand.touch()
        stood = self.match
        match intent:
            case wants.Look():
                before = self.desk
                self.desk = desks.react(before, intent, self.view())
                if self.choices is not None:
                    for key, value in chosen(before, self.desk).items():
                        self.choices.choose(key, value)
            case wants.PlayOn():
                self.play_on = intent
            case wants.Start():
                self._start(intent)
            case wants.NewGame():
                self._close_game()
            case wants.Confirm():
                self._done(self.hand.confirm())
            case wants.ThrowByHand(dice):
                self._done(self.hand.enter(dice))
            case wants.Mend(slot, value):
                if self._done(self.hand.mend(slot, value)):
                    self.desk = replace(self.desk, slot=None, changing=False)
            case wants.NoDie(slot):
                if self.hand.waits:
                    self.tray.no_die(slot, self.match)
                    self.desk = replace(self.desk, slot=None)
            case wants.Hold(slot):
                self._done(self.hand.hold(slot, on_pad=desks.current(self.view()).screen == "pad"))
            case wants.Enter(box, column):
                if self.hand.waits:
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
            case wants.Unlock() | wants.SwitchOff() | wants.CloseProgram():
                self._owner(intent)
            case _:
                self._change_table(intent)
        if self.match is not stood:
            # Undo and another game bring back numbers of events at which something else was looked at.
            self.desk = desks.react(self.desk, intent, self.view())
        if desks.guarded(self.desk) is None and self.desk.open != "pin":
            self.house.lock.close()

    def _start(self, wanted: wants.Start) -> None:
        if self._done(self.table.start(wanted)):
            self._table_cleared()
            self._turn_moved()
            if self._recorded:
                self.play_on = wants.PlayOn(clip=0)
            self.desk = replace(self.desk, screen="play", game=wanted.game, players=wanted.players)

    def _close_game(self) -> None:
        if self._done(self.table.close()):
            self._table_cleared()
            self.desk = replace(self.desk, screen="new-game")

    def _change_table(self, intent: wants.Intent) -> None:
        before = self.match.player if self.match is not None else None
        if self._done(self.table.change(intent)):
            if isinstance(intent, wants.PutAside | wants.TakeUp) or intent == wants.LeaveTable(before or ""):
                self._table_cleared()
            self.desk = desks.react(self.desk, intent, self.view())

    def _table_cleared(self) -> None:
        """Another game or another player: what lies in the tray is none of their throws."""
        self.tray.drop()
        self.tray.forget_places()

    def _owner(self, intent: wants.Unlock | wants.SwitchOff | wants.CloseProgram) -> None:
        """What only the owner may do, where there is a PIN."""
        if isinstance(intent, wants.Unlock):
            if self._done(self.house.lock.open(intent.digits)):
                self.desk = desks.react(self.desk, intent, self.view())
            else:
                self.desk = replace(self.desk, digits="")
        elif self.house.lock.locked:
            self.desk = desks.react(self.desk, wants.Look("open", "off"), self.view())
        elif isinstance(intent, wants.SwitchOff):
            self._done(self.house.off.wish())
        else:
            self.leaving = True

    def _undo(self) -> None:
        if self._record(Undone()):
            self.tray.forget_places()
            self.desk = replace(self.desk, screen="play")

    def _record(self, event: Event) -> bool:
        return self._done(self.table.record(event))

    def _done(self, refusal: str | None) -> bool:
        """Whether it is; a refusal is shown as a notice."""
        self.notice = refusal
        return refusal is None

    def _turn_moved(self) -> None:
        self.tray.forget_places()
        self.hand.begin()
        self.desk = replace(self.desk, box=None, slot=None)
        if self.match is not None and self.match.phase == "over":
            self.desk = replace(self.desk, screen="result")
