"""A table nobody plays at: it shows high scores, the first touch only wakes it, and playing is a few touches away."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pygame
import pytest
from test_device_results import play, turn

import rules
from device.journal import Journal
from device.loop import Loop
from device.session import IDLE_SECONDS, LIST_SECONDS, Session
from display import layout
from display.intent import Intent, Start, Undo
from display.scene import Lettering
from display.standing import screen
from display.window import Window

SIZE = (800, 480)


@dataclass
class Table:
    """The whole appliance but for the camera, with a clock that can be put on."""

    folder: Path
    now: float = 1000.0
    touches: int = 0
    session: Session = field(init=False)
    window: Window = field(init=False)
    loop: Loop = field(init=False)

    def __post_init__(self) -> None:
        self.session = Session(rules.games(), Journal(self.folder / "state"), clock=lambda: self.now)
        self.window = Window(SIZE)
        pygame.event.clear()
        self.loop = Loop(self.session, self.window)
        self.rounds()

    def rounds(self, count: int = 6) -> None:
        """Enough to be sure of one that looks, also where the loop only listens in most."""
        for _ in range(count):
            self.loop.round()

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.rounds()

    def shown(self) -> str:
        return screen(self.session.view())

    def finger(self, x: float, y: float) -> None:
        self.touches += 1
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            place = {"x": x / SIZE[0], "y": y / SIZE[1], "dx": 0.0, "dy": 0.0, "pressure": 1.0}
            pygame.event.post(pygame.event.Event(kind, touch_id=1, finger_id=1, **place))
        self.rounds()

    def touch(self, *wanted: type[Intent] | Intent) -> Intent:
        """A finger on the first thing on the screen that means, or is a kind of, one of these."""
        scene = layout.scene(self.session.view(), SIZE)
        kinds = tuple(one for one in wanted if isinstance(one, type))
        for rect, meant in scene.targets():
            if meant in wanted or isinstance(meant, kinds):
                self.finger(*rect.middle)
                return meant
        raise AssertionError(f"nothing on the {self.shown()} screen means {wanted}")

    def words(self) -> str:
        things = layout.scene(self.session.view(), SIZE).things
        return " ".join(word for thing in things if isinstance(thing, Lettering) for word in thing.lines)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.window.close()
    made.session.journal.close()


def test_a_table_without_a_game_goes_idle_after_some_minutes_and_a_touch_only_wakes_it(table: Table) -> None:
    table.wait(IDLE_SECONDS - 1)
    assert table.shown() == "new-game"
    table.finger(2, 470)  # on nothing: somebody is there all the same
    table.wait(IDLE_SECONDS - 1)
    assert table.shown() == "new-game"
    table.wait(2)
    assert table.shown() == "idle"
    before = table.session.desk
    table.finger(700, 450)  # where a game would be started
    assert table.shown() == "new-game"
    assert table.session.match is None
    assert table.session.desk == replace(before, screen="new-game", page=0)


@pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_u, pygame.K_a, pygame.K_6, pygame.K_F10, pygame.K_LEFT])
def test_any_key_wakes_it_and_does_nothing_else(table: Table, key: int) -> None:
    play(table.session, 5, close=False)
    table.wait(IDLE_SECONDS + 1)
    assert table.shown() == "idle"
    letter = chr(key) if key < 128 else ""
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=letter, mod=0, scancode=0))
    events = len(table.session.journal.rows)
    table.rounds()
    assert table.shown() == "result"
    assert len(table.session.journal.rows) == events


def test_a_game_going_on_is_never_covered_and_a_finished_one_is_still_there_after_waking(table: Table) -> None:
    table.session.act(Start("yatzy", ("Anna", "Bo")))
    table.wait(20 * IDLE_SECONDS)
    assert table.shown() == "play"
    for _ in range(15):
        for face in (5, 6):
            turn(table.session, face)
    table.loop.round()
    assert table.shown() == "idle", "nobody has touched it for hours"
    table.finger(400, 240)
    assert table.shown() == "result"
    assert table.session.match is not None
    table.touch(Undo)
    assert table.shown() == "play"
    table.wait(2 * IDLE_SECONDS)
    assert table.shown() == "play"


def test_the_owners_setup_is_not_covered(table: Table) -> None:
    table.session.desk = replace(table.session.desk, open="setup")
    table.wait(IDLE_SECONDS * 3)
    assert table.session.desk.open == "setup"


def test_a_name_half_written_is_gone_but_the_players_are_not(table: Table) -> None:
    table.session.desk = replace(table.session.desk, players=("Anna",), typing="Be")
    table.wait(IDLE_SECONDS + 1)
    table.finger(400, 240)
    assert table.session.desk.typing is None
    assert table.session.desk.players == ("Anna",)


def test_lists_take_turns_and_nothing_is_drawn_between(table: Table) -> None:
    play(table.session, 3)
    play(table.session, 4, house=(("extra-yatzy-bonus", 100),))
    table.wait(IDLE_SECONDS + 0.5)
    seen, drawn = [], table.window.drawn
    for _ in range(60):
        seen.append(table.session.desk.page)
        table.wait(1)
    assert seen == sorted(seen)
    assert set(seen) == set(range(int(60 / LIST_SECONDS)))
    assert table.window.drawn - drawn == len(set(seen)), "one picture a list"


def test_the_scores_shown_are_those_of_the_finished_games(table: Table) -> None:
    play(table.session, 3)
    play(table.session, 4, close=False)
    table.wait(IDLE_SECONDS + 1)
    assert {"Yatzy", "107", "126"} <= set(table.words().replace(":", " ").split())
    assert "Touch to play" in table.words()


def test_without_any_scores_the_games_take_turns(table: Table) -> None:
    told = set()
    table.wait(IDLE_SECONDS + 1)
    for _ in range(len(rules.games())):
        told.add(table.words())
        table.wait(LIST_SECONDS)
    assert len(told) == len(rules.games())
