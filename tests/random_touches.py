"""A table at which somebody touches, presses keys and throws dice at random: the real session and journal, everything
but the camera itself. Every deed comes from one seed.

    python tests/random_touches.py SEED [STEPS]

plays one seed again, as the test that failed names it, and tells every deed.
"""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import random
import sys
import threading
from collections import deque
from dataclasses import replace
from pathlib import Path

from state_folder import memory_folder, wait_written

import rules
from device.faults import CAMERA_FAULTS
from device.house import DARK_SECONDS, House, Off
from device.journal import Journal
from device.session import IDLE_SECONDS, LIST_SECONDS, Session
from display import keys, layout
from display.desk import LONGEST_PIN, back, current, moment, react
from display.golden import LANGUAGES, SIZES
from display.intent import (
    Calibrate,
    ChangeRules,
    CheckUp,
    Confirm,
    Enter,
    Intent,
    Look,
    Mend,
    NewGame,
    NoDie,
    Pass,
    PlayOn,
    Start,
    ThrowByHand,
    Undo,
)
from display.picture import Picture
from display.scene import Lettering, Scene
from display.seating import LONGEST_NAME
from display.standing import asked_slot, best_entry, dice_wanted, pad_room, screen, too_many, typing
from display.view import CHECKS, FAULTS, Calibrating, Finding, Setup, View, Wired
from display.window import Window
from display.words import words
from rules import Entered, GameClosed, GameStarted, LotThrown, Passed, Thrown
from vision.reading import Die, Reading, Trouble
from vision.throws import Seen, ThrowSeen, TrayState

BUTTONS = (*(f"hold-{slot}" for slot in range(1, 7)), "saved-throw", "confirm", "undo")
KEYS = (*BUTTONS, "setup", "up", "down", "left", "right", "enter", "menu", "escape", "play-on", "space", "backspace")
KEYS += (*"123456suncrpxmdåäöæøß-'", "tab", "nonsense")

PEOPLE = ("Anna", "Bo", "Zoë", "Maximilian Wilhelms", "Åse", "Jürgen", "Mikkel", "Øystein")
PIN = "1"
ASK_AFTER = 250.0
LONGEST_WAY = 60
"""So many touches may lie between any state and the next thing that happens in a game: a name to be written, six dice
to be entered, and the pages that lie over it all to be left."""
LEADS_ELSEWHERE = (PlayOn, Calibrate, CheckUp)
"""What they do is not on the screen at once: a recording, a camera or a check-up answers later."""
DICE_TROUBLES: tuple[Trouble, ...] = ("doubtful-face", "cocked", "cut-off", "stacked", "glare", "disagree")
READING_TROUBLES: tuple[Trouble, ...] = (*DICE_TROUBLES, "count", "dark", "blurred", "hidden", "unexplained")
CALIBRATION: tuple[tuple[str, str | None], ...] = (
    ("empty-the-tray", None),
    ("empty-the-tray", "dice-in-the-tray"),
    ("throw-the-dice", "no-dice-seen"),
)
CROP = bytes(8 * 8 * 3)


class RandomTable:
    """`reached` are the names of all that was shown so far (see `shown`), `happened` the kinds of events."""

    def __init__(self, folder: Path, seed: int, *, tells: bool = False) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        self.folder = folder
        self.now = 1000.0
        self.steps = 0
        self.reached: set[str] = set()
        self.happened: set[str] = set()
        self.deeds: deque[str] = deque(maxlen=25)
        self._tells = tells
        self._throws = 0
        self._lying: tuple[Die, ...] = ()
        self._camera = False
        self._refused: str | None = None
        self._progress = False
        self.language = LANGUAGES[seed % len(LANGUAGES)]
        self.window = Window(SIZES[seed % len(SIZES)], off_screen=True)
        self.session = self._switched_on()
        self._open_table()

    def _switched_on(self) -> Session:
        off = Off(("true",) if self.seed % 2 else (), clock=self._clock)
        house = House(pin=PIN if self.seed % 3 else None, ask_after=ASK_AFTER, clock=self._clock)
        house.off = off
        session = Session(
            rules.games(),
            Journal(self.folder),
            self.language,
            recorded=self.seed % 7 == 3,
            house=house,
            clock=self._clock,
        )
        record = session.table.record

        def told(event: rules.Event) -> str | None:
            refusal = record(event)
            if refusal is None:
                self.happened.add(type(event).__name__)
                self._progress = self._progress or type(event).__name__ in PROGRESS
            else:
                self._refused = refusal
            return refusal

        session.table.record = told  # type: ignore[method-assign]
        self._camera = False
        return session

    def _clock(self) -> float:
        return self.now

    def close(self) -> None:
        self.session.journal.close()

    def _open_table(self) -> None:
        """Some tables are new; at others a game has gone on for long, some of them in teams, some where not every box
        may be written; and some of those will end in a tie."""
        games = tuple(self.session.games.values())
        kind, game = self.seed % 4, games[self.seed % len(games)]
        people = PEOPLE[: self.chance.randint(1, 4)] if kind in (0, 1) else PEOPLE[:2]
        if kind == 0:
            for name in people:
                self.session.act(Look("add-player", name))
            return
        house: dict[str, rules.RuleValue] = {"tie": "throw-off"} if kind == 2 else {}
        if kind == 1 and "write-zero" in game.rule and self.chance.random() < 0.5:
            house["write-zero"] = False
        teams = (people[:2], people[2:]) if kind == 1 and len(people) == 4 else ()
        begins = "throw" if kind == 3 else None
        self.session.act(Start(game.id, people, tuple(house.items()), teams, begins=begins))
        self._say("begins", f"{game.id} {people} {house} {'lots' if kind == 3 else ''}")
        match = self.session.match
        assert match is not None
        if kind == 3:
            return
        sheets = len(match.seats)
        left = self.chance.randint(1, 4) * sheets if kind == 1 or self.chance.random() < 0.3 else 1
        boxes = sheets * len(game.entry_boxes) * match.in_force.columns
        faces: tuple[int, ...] = ()
        for turn in range(boxes - left):
            if kind == 1 or turn % sheets == 0:
                faces = self._faces(game.dice)
            self.session.act(ThrowByHand(faces))
            match = self.session.match
            assert match is not None
            best = best_entry(match)
            self.session.act(Enter(*best) if best is not None else Pass())
        if left == 1:  # the last box is all that is wanting to a tie
            for _ in range(3):
                self.session.act(ThrowByHand(faces))

    def _say(self, what: str, about: object) -> None:
        self.deeds.append(f"{self.steps}: {what} {about}")
        if self._tells:
            print(self.deeds[-1])

    # What the hands do.

    def fumble(self, steps: int) -> None:
        """So many steps, and now and then a person who only wants to play on: from wherever it is, they can."""
        try:
            for _ in range(steps):
                self.step()
                if self.steps % 150 == 0:
                    self.play_on()
            self._started_again()
        except Exception as error:
            error.add_note(
                "\n".join(
                    (
                        f"again: python tests/random_touches.py {self.seed} {steps}",
                        f"{self.language}, {self.window.size}, {shown(self.session.desk, self.session.match)}",
                        *self.deeds,
                    )
                )
            )
            raise

    def step(self) -> None:
        """A touch or a key, after whatever else happens at a table."""
        self.steps += 1
        self._time_passes()
        self._owner_sees_to()
        self._camera_sees()
        view = self._looked_at()
        targets = layout.scene(view, self.window.size).targets()
        assert targets, "a screen with nothing to touch"
        assert any(leads_on(view, meant) for _, meant in targets), "no touch leads on from here"
        dice = self.chance.random()
        rare = [one for one in targets if is_rare(one[1])]
        if dice < 0.5:
            rect, meant = self.chance.choice(rare if rare and dice < 0.2 else targets)
            self._touch(*rect.middle, meant)
        elif dice < 0.7:
            wanted = sensible(view, [meant for _, meant in targets], self.chance)
            if wanted is not None:
                rect = next(rect for rect, meant in targets if meant == wanted)
                self._touch(*rect.middle, wanted)
        elif dice < 0.75:
            wide, high = self.window.size
            self._touch(self.chance.randrange(wide), self.chance.randrange(high), None)
        else:
            self._press(self.chance.choice(KEYS))

    def play_on(self) -> None:
        """By touch alone, until something happens in a game."""
        self._say("plays on", "from here")
        self._progress = False
        for _ in range(LONGEST_WAY):
            if self._progress:
                return
            self.steps += 1
            self.now += 0.5
            view = self._looked_at()
            targets = layout.scene(view, self.window.size).targets()
            wanted = sensible(view, [meant for _, meant in targets], self.chance)
            if wanted is None:
                assert view.match is not None, "nobody knows what to touch here"
                assert view.tray != "no-camera", "nobody knows what to touch here"
                self._throw_well()
                continue
            rect = next(rect for rect, meant in targets if meant == wanted)
            self._touch(*rect.middle, wanted)
        raise AssertionError(f"{LONGEST_WAY} touches, and nothing happened in the game")

    def _touch(self, x: int, y: int, wanted: Intent | None) -> None:
        view = self.session.view()
        meant = layout.hit(view, self.window.size, x, y)
        assert wanted is None or meant == wanted, f"the middle of {wanted} means {meant}"
        self._do(meant, f"touch {x},{y}", touched=True)

    def _press(self, name: str) -> None:
        self._do(keys.intent(self.session.view(), name, self.window.size), f"key {name}", touched=False)

    def _do(self, meant: Intent | None, how: str, *, touched: bool) -> None:
        """As the loop does it; then what must hold after any deed."""
        self.session.stir()
        self._say(how, meant)
        if meant is None:
            return
        view, before, events = self.session.view(), self._scene(), self.session.journal.last
        self._refused = None
        self.session.act(meant)
        after = self._scene()
        told = self._said(after)
        if touched and not isinstance(meant, LEADS_ELSEWHERE) and not is_so_already(view, meant):
            done = after != before or self.session.journal.last != events or told
            done = done or self.session.leaving or self.session.house.off.going
            assert done, f"{meant} does nothing, and nothing says why"
        if self.session.leaving:
            self._started_again()
        if self.session.house.off.going:
            self._switching_off()
        self.session.play_on = None

    def _scene(self) -> Scene:
        # Whether an event is on the disk yet is not the seed's.
        return layout.scene(replace(self.session.view(), saving=self.steps % 5 == 0), self.window.size)

    def _said(self, scene: Scene) -> bool:
        """Whatever was refused is told on the screen in a sentence; whether anything was."""
        view = self.session.view()
        notice = view.notice or current(view).notice
        if self._refused is not None:
            assert notice == self._refused, f"refused: {self._refused}, told: {notice}"
        if notice is None:
            return False
        sentence = words(view.desk.language).notice(notice)
        written = [thing for thing in scene.things if isinstance(thing, Lettering) and thing.ground == "notice"]
        assert sentence in [" ".join(thing.lines) for thing in written if not thing.short], f"not told: {notice}"
        self.reached.add("a refusal")
        return True

    # What else happens at a table.

    def _time_passes(self) -> None:
        dice = self.chance.random()
        far = 0.99 if self.session.dice_expected is not None else 0.96
        self.now += 0.05 if dice < 0.3 else 0.4 if dice < 0.9 else 3.0 if dice < far else 0.0
        if dice >= far:
            self.now += self.chance.choice((ASK_AFTER, IDLE_SECONDS, IDLE_SECONDS + 3 * LIST_SECONDS)) + 1
            self._say("nobody", "is at the table for long")

    def _owner_sees_to(self) -> None:
        """Faults come and go, and what only the owner's setup shows."""
        dice = self.chance.random()
        faults = self.session.faults
        if dice < 0.01:
            name = self.chance.choice([name for name in FAULTS if name not in CAMERA_FAULTS])
            faults.report(name, self.chance.choice(("", "a line that says what exactly is wrong, /dev/dice0")))
        elif dice < 0.02:
            faults.clear(*FAULTS)
        elif dice < 0.05:
            down = self.chance.choice(BUTTONS)
            wired = tuple(Wired(name, 5 + place, down=name == down) for place, name in enumerate(BUTTONS))
            calibrating = Calibrating(*self.chance.choice(CALIBRATION))
            self.session.setup = Setup(
                "USB camera" if self._camera else "",
                *self.session.sight,
                calibrates=self.chance.random() < 0.7,
                calibrating=calibrating if self.chance.random() < 0.2 else None,
                wired=wired if self.chance.random() < 0.7 else (),
                backlight=self.chance.random() < 0.7,
                findings=tuple(
                    Finding(check, self.chance.choice(("well", "wrong", "absent")), "what exactly") for check in CHECKS
                )
                if self.chance.random() < 0.7
                else (),
            )

    def _camera_sees(self) -> None:
        dice = self.chance.random()
        if not self._camera:
            if dice < 0.03:
                self._camera = True
                self._lies()
        elif dice < 0.01:
            self._camera = False
            fault = self.chance.choice(CAMERA_FAULTS)
            self.session.lose_camera(fault, "unplugged", forgot=self.chance.random() < 0.5)
            self._say("camera", fault)
        elif dice < 0.2:
            self._throw()
        elif dice < 0.25:
            state = self.chance.choice((TrayState.EMPTY, TrayState.HAND, TrayState.MOVING))
            self.session.see(Seen(state, self._throws, None, None), 0.5)
            self._say("tray", state)
        elif dice < 0.26:
            self._lies()

    def _faces(self, count: int) -> tuple[int, ...]:
        return tuple(self.chance.randint(1, 6) for _ in range(count))

    def _die(self, place: int, *, readable: bool = True) -> Die:
        """A die thrown now: it never lies where another one does."""
        where = (30.0 + 60.0 * place + self.chance.random() * 15, 30.0 + 300 * self.chance.random())
        if readable:
            return Die(self.chance.randint(1, 6), where, 24.0, 90 * self.chance.random(), 0.99)
        value = self.chance.choice((None, None, self.chance.randint(1, 6)))
        return Die(value, where, 24.0, 0.0, 0.4, self.chance.choice(DICE_TROUBLES))

    def _lies(self) -> None:
        """What lay in the tray when the camera opened its eyes."""
        count = self.chance.randint(0, 7)
        reading = Reading(tuple(self._die(place) for place in range(count)), (), sure=True)
        self._lying = reading.dice
        self.session.see(Seen(TrayState.SETTLED if count else TrayState.EMPTY, self._throws, None, reading), 0.5)
        self._say("lies", reading.values)

    def _throw(self) -> None:
        """Some dice come to rest: the right number or another, some of them read badly, some where they lay."""
        match, chance = self.session.match, self.chance
        count = self.session.dice_expected or 5
        held = match.held if match is not None else ()
        kind = chance.random()
        if kind < 0.1:
            count += chance.randint(1, 2)
        elif kind < 0.2:
            count = max(1, count - chance.randint(1, 2))
        elif kind < 0.4:
            count = max(1, count - len(held))  # the held ones lie aside
        stayed: list[int | None] = [None] * count
        dice = [self._die(place, readable=chance.random() > 0.04) for place in range(count)]
        if self._lying and chance.random() < 0.5:
            for place, origin in enumerate(
                chance.sample(range(len(self._lying)), chance.randint(0, min(count, len(self._lying))))
            ):
                dice[place], stayed[place] = self._lying[origin], origin
        clear = all(die.value is not None and die.trouble is None for die in dice)
        sure = clear and chance.random() < 0.9
        troubles = () if sure else tuple(chance.sample(READING_TROUBLES, chance.randint(1, 3)))
        outside = tuple(self._die(9 + place) for place in range(len(held) if kind < 0.4 else 0))
        if self._throws == 0 or chance.random() < 0.9:
            self._throws += 1  # else the same throw, made whole or read better
        self._rests(tuple(dice), tuple(stayed), troubles, outside, crops=chance.random() < 0.5)

    def _throw_well(self) -> None:
        """All the dice that are thrown now, each of them read."""
        count = self.session.dice_expected
        assert count is not None
        self._throws += 1
        self._rests(tuple(self._die(place) for place in range(count)), (None,) * count)

    def _rests(
        self,
        dice: tuple[Die, ...],
        stayed: tuple[int | None, ...],
        troubles: tuple[Trouble, ...] = (),
        outside: tuple[Die, ...] = (),
        *,
        crops: bool = False,
    ) -> None:
        reading = Reading(dice, troubles, sure=not troubles)
        self._lying = dice
        state = TrayState.UNSURE if troubles else TrayState.SETTLED
        throw = ThrowSeen(self._throws, reading, stayed, outside)
        cut = tuple(Picture(-10 * self._throws - place, 8, 8, CROP) for place in range(len(dice) if crops else 0))
        self._say("throw", (throw.number, [die.value for die in dice], stayed, troubles))
        self.session.see(Seen(state, self._throws, throw, reading), 0.5, cut)
        self.session.picture = Picture(self._throws, 40, 30, bytes(40 * 30 * 3))

    def _looked_at(self) -> View:
        """One round of the loop, up to the picture."""
        self.session.tick()
        while not self.session.results.whole:
            self.session.results.go_on(1)
        self.session.results.go_on(1)
        view = self.session.view()
        self.window.show(view)
        assert self.window.size in (SIZES[self.seed % len(SIZES)], SIZES[self.seed % len(SIZES)][::-1])
        self.reached |= shown_in(view)
        return view

    def _switching_off(self) -> None:
        """Nothing can be touched while the device goes off; it goes dark, or says that it could not."""
        self.reached |= shown_in(self.session.view())
        wait_written(self.session.journal)
        self.session.tick()
        for thread in threading.enumerate():
            if thread.name == "off":
                thread.join()
        if self.chance.random() < 0.5:
            self._started_again()
        else:
            self.now += DARK_SECONDS
            self.session.tick()
            assert not self.session.house.off.going
            self._said(self._scene())

    def _started_again(self) -> None:
        """The program ends and starts anew: with the same game as it stood."""
        before = self.session.match
        self.session.journal.close()
        self.session = self._switched_on()
        self._say("starts again", "")
        assert self.session.match == before, "another game than before the start"


PROGRESS = {one.__name__ for one in (Entered, GameClosed, GameStarted, LotThrown, Passed, Thrown)}
ALREADY = ("language", "page", "screen", "game", "player", "rule", "rotate", "teams", "brightness", "touched", "tried")


def shown_in(view: View) -> set[str]:
    """What a person would say is on the screen: the screen, what covers it, how the game stands, what is asked."""
    desk, match = current(view), view.match
    names = {screen(view), f"phase {match.phase if match is not None else 'none'}", desk.language}
    if view.off == "going":
        names.add("going")
    elif view.alone and match is not None:
        names.add("alone")
    elif typing(view):
        names.add(f"write {'team' if isinstance(desk.naming, int) else desk.naming}")
    elif desk.open is not None:
        names.add(desk.open)
    elif match is not None and screen(view) == "play":
        names |= {name for name, there in (("large", desk.large), ("pad", desk.screen == "pad")) if there}
        names |= {"a die asked"} if asked_slot(view) is not None and view.seen else set()
        names |= {"too many"} if too_many(view) else set()
        names |= {"too few"} if any(die.asked and die.centre is None for die in view.seen) else set()
        names |= {"aside"} if any(die.held and die.centre is None for die in view.seen) else set()
        names |= {"counting down"} if view.countdown is not None else set()
    if match is not None:
        names |= {match.game.id, "teams in play" if len(match.players) > len(match.seats) else "each alone"}
    return names


def shown(desk: object, match: rules.Match | None) -> str:
    return f"{desk} {match.phase if match is not None else None} {match.game.id if match is not None else None}"


def is_rare(meant: Intent) -> bool:
    """What chance alone would come to too seldom: it stands behind several pages."""
    teams = isinstance(meant, Look) and (meant.what == "teams" or (meant.what == "type" and meant.value is not None))
    return teams or isinstance(meant, ChangeRules) or meant in (Look("open", "teams"), Look("open", "preview"))


def is_so_already(view: View, meant: Intent) -> bool:
    """Whether a touch on this is seen to be of no use: what is chosen already, one die more than there are, a letter
    or a digit too many."""
    desk = current(view)
    if not isinstance(meant, Look):
        return False
    if meant.what == "face":
        return len(desk.pad) >= pad_room(view)
    if meant.what == "letter":
        return len(desk.typing or "") == LONGEST_NAME or (meant.value == " " and not desk.typing)
    if meant.what == "digit":
        return len(desk.digits) == LONGEST_PIN
    if meant.what == "earlier":
        return len(desk.players) == 1
    if meant.what == "slot":
        return asked_slot(view) == meant.value
    return meant.what in ALREADY


def leads_on(view: View, meant: Intent) -> bool:
    """Whether this shows something else, or changes the game."""
    if not isinstance(meant, Look):
        return not isinstance(meant, LEADS_ELSEWHERE)
    before = replace(current(view), moment=moment(view), focus=None, notice=None)
    return replace(react(view.desk, meant, view), focus=None, notice=None) != before


def sensible(view: View, targets: list[Intent], chance: random.Random) -> Intent | None:
    """What somebody touches who wants to play and nothing else; None when the dice are to be thrown."""
    desk, match = current(view), view.match
    looks = [meant for meant in targets if isinstance(meant, Look)]

    def first(*wanted: type | Look) -> Intent | None:
        for one in wanted:
            found = [m for m in targets if (m == one if isinstance(one, Look) else isinstance(m, one))]
            if found:
                return chance.choice(found)
        return None

    def look(what: str) -> Intent | None:
        found = [meant for meant in looks if meant.what == what]
        return chance.choice(found) if found else None

    if screen(view) == "idle" and desk.open is None:
        return looks[0]
    if view.alone and match is not None:
        return first(Look("awake"))
    if typing(view):
        if desk.naming != "player" or desk.players or desk.notice is not None:
            return first(Look("stop-typing"))
        return look("add-player") if desk.typing else chance.choice([one for one in looks if one.what == "letter"])
    if desk.open is not None:
        return first(Look("open", back(desk.open)), Look("open", None)) or look("open")
    if screen(view) == "new-game":
        return first(Start) or look("add-player") or first(Look("type")) or first(Look("screen", "play"))
    if screen(view) == "result":
        return first(Start, NewGame)
    if match is not None and view.seen and len(view.seen) > dice_wanted(match) and desk.screen != "pad":
        return first(NoDie, Look("slot", len(view.seen)))
    found = first(Mend, Confirm, ThrowByHand, Enter) or look("face")
    if found is None and desk.shown_player is not None:
        found = first(Look("player", None))
    if found is None and match is not None and match.phase == "choose" and match.options:
        found = first(Look("large", True)) or look("page")
    if found is None and desk.large:
        found = first(Look("large", False))
    found = found or first(Pass)
    if found is None and view.tray == "no-camera":
        found = first(Look("screen", "pad"), Undo)
    return found


if __name__ == "__main__":
    with memory_folder() as place:
        RandomTable(place, int(sys.argv[1]), tells=True).fumble(int((*sys.argv, "2000")[2]))
