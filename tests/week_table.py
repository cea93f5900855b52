"""A table that is played at without end, in a process of its own: `python week_table.py STATE CAMERA THROWS`.

The person throws what the film shows, knows what really lies there, and tells on stdout what became of each throw, one
JSON line each. Pictures are the only way the table learns of a throw, or the person's finger.
"""

import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

from device import app, config
from device.recorded_player import load
from device.session import Session
from device.watcher import Watcher
from display.intent import Confirm, Enter, Hold, Mend, NewGame, Start, ThrowByHand
from display.view import View
from display.window import Window
from rules import Entered, Match, Thrown

FILM = Path(__file__).parent.parent / "fixtures" / "films" / "yatzy-solo"
GAME = load(FILM)
TRUTH = [tuple(throw["values"]) for throw in json.loads((FILM / "film.json").read_text())["throws"]]

DOUBT_SECONDS = 1.5
"""How long a reading that is not what lies there must stand before the person puts it right: dice may still roll."""

PATIENCE_SECONDS = 0.7
"""How long the person waits for a camera that is said to be gone before some of them enter the dice by finger."""

LONG_SECONDS = 120.0
"""So long after a throw nothing was offered: even a busy machine should have read it."""

ALIKE_SECONDS = 5.0
"""The same where the dice show what was entered by finger for the throw before: to a camera that was blind then and
while they rolled, they are those dice, and nobody else can know better."""

STUCK_SECONDS = 240.0


class Person:
    """Plays the recorded game again and again until `throws` were thrown."""

    def __init__(self, session: Session, throws: int, chance: random.Random) -> None:
        self._session = session
        self._left = throws
        self._chance = chance
        self._thrown: int | None = None
        self._thrown_at = self._seen_at = self._moved_at = time.monotonic()
        self._seen: object = None
        self._by_hand = False
        self._blind = False
        """Whether the throw before was entered by finger."""
        self._match: Match | None = None
        self._untold: list[dict[str, object]] = []
        """What is told once it is on the disk."""

    def done(self, view: View) -> bool:
        if view.match is not self._match:
            self._match, self._moved_at = view.match, time.monotonic()
        if time.monotonic() - self._moved_at > STUCK_SECONDS:
            tell(stuck=str(view.seen), tray=view.tray, faults=str(view.faults), notice=view.notice)
            return True
        return self._left <= 0 and not self._untold

    def play(self, view: View, watcher: Watcher | None) -> None:
        assert watcher is not None
        if not view.saving:
            for line in self._untold:
                tell(**line)
            self._untold.clear()
        match = self._session.match
        if match is None:
            self._session.act(Start(GAME.game, GAME.players))
            self._thrown = None
        elif match.phase == "over":
            if not view.saving:
                self._session.act(NewGame())
        elif not self._choose(match):
            self._throw(view, match, watcher)

    def _choose(self, match: Match) -> bool:
        """Hold what was held then, or write what was written; False when it is time to throw."""
        if match.phase != "choose":
            return False
        turn = GAME.turns[count(match, Entered)]
        if match.throw > len(turn.keep):
            self._session.act(Enter(turn.box, turn.column))
            return True
        wrong = set(slots_of(turn.keep[match.throw - 1], match.dice)) ^ set(match.held)
        for slot in sorted(wrong):
            self._session.act(Hold(slot))
        return bool(wrong)

    def _throw(self, view: View, match: Match, watcher: Watcher) -> None:
        throw = count(match, Thrown)
        now = time.monotonic()
        if self._thrown != throw:
            self._thrown, self._thrown_at, self._seen = throw, now, None
            self._by_hand = self._chance.random() < 0.5
            watcher.go_on(throw)
        elif view.seen:
            faces = tuple((die.value, die.asked) for die in view.seen)
            if faces != self._seen:
                self._seen, self._seen_at = faces, now
            right = sorted(die.value or 0 for die in view.seen) == sorted(TRUTH[throw])
            if right:
                self._take(match, throw, "asked" if view.troubles else "read")
            elif now - self._seen_at > DOUBT_SECONDS:
                sure = not view.troubles and not any(asked for _, asked in faces)
                self._take(match, throw, "wrong" if sure else "asked", faces=str(faces))
        elif self._by_hand and view.faults and now - self._thrown_at > PATIENCE_SECONDS:
            self._enter(match, throw, "by finger")
        elif now - self._thrown_at > (ALIKE_SECONDS if self._alike(match, throw) else LONG_SECONDS):
            self._enter(match, throw, "never offered", tray=view.tray)

    def _alike(self, match: Match, throw: int) -> bool:
        return self._blind and sorted(match.dice) == sorted(TRUTH[throw])

    def _take(self, match: Match, throw: int, how: str, **more: object) -> None:
        """Confirm the reading, put right where it must be."""
        wanted = Counter(TRUTH[throw])
        wrong = []
        for slot, die in enumerate(self._session.view().seen, start=1):
            if die.value is not None and wanted[die.value] > 0:
                wanted[die.value] -= 1
            else:
                wrong.append(slot)
        for slot, value in zip(wrong, wanted.elements(), strict=False):
            self._session.act(Mend(slot, value))
        self._session.act(Confirm())
        if self._session.match is match:
            self._enter(match, throw, "put right", notice=self._session.notice, **more)
        else:
            self._tell(throw, how, **more)

    def _enter(self, match: Match, throw: int, how: str, **more: object) -> None:
        """Enter the dice by finger."""
        others = Counter(TRUTH[throw])
        others.subtract(Counter(match.dice[slot - 1] for slot in match.held))
        rest = list(others.elements())
        dice = tuple(match.dice[slot - 1] if slot in match.held else rest.pop() for slot in range(1, 6))
        self._session.act(ThrowByHand(dice))
        self._tell(throw, how, **more)

    def _tell(self, throw: int, how: str, **more: object) -> None:
        self._left -= 1
        self._blind = how == "by finger"
        self._untold.append({"throw": throw, "how": how, "values": sorted(TRUTH[throw]), **more})


def tell(**what: object) -> None:
    print(json.dumps(what), flush=True)


def count(match: Match, kind: type[object]) -> int:
    """How many events of this kind stand."""
    found, step = 0, match
    while step.previous is not None:
        found += isinstance(step.last, kind)
        step = step.previous
    return found


def slots_of(faces: tuple[int, ...], dice: tuple[int, ...]) -> list[int]:
    wanted = Counter(faces)
    found = []
    for slot, face in enumerate(dice, start=1):
        if wanted[face] > 0:
            wanted[face] -= 1
            found.append(slot)
    return found


def main() -> None:
    state, camera, throws = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    app.play(
        state=state,
        settings=config.Settings(config.Config()),
        camera=camera,
        open_window=lambda: Window((800, 480), off_screen=True),
        paced=False,
        player=lambda session, buttons: Person(session, throws, random.Random(throws)),
    )


if __name__ == "__main__":
    main()
