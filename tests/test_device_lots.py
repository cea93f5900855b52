"""Throwing for who begins, by camera: every throw is confirmed by itself, also of one die beside five others."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from drawn_dice import Drawn
from test_vision_watch import FPS, Film

import rules
from device.journal import Journal
from device.session import Session
from display import layout
from display.intent import Confirm, Start, ThrowByHand, Undo
from display.lots import lots
from display.scene import DrawnDie, Lettering
from display.words import words
from vision.frame import Frame
from vision.watch import Watch

SIZE = (800, 480)
ASIDE = tuple(Drawn(face, 60 + 90 * face, 60, angle=8 * face) for face in (1, 2, 3, 4, 5))
"""The dice of a Maxi game that are not thrown for who begins, left in a corner of the tray."""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session(rules.games(), Journal(tmp_path))
    yield session
    session.journal.close()


class Camera:
    """Looks at a drawn tray for a session, frame by frame."""

    def __init__(self, session: Session) -> None:
        cv2.setNumThreads(1)
        self.session = session
        self.watch = Watch(session.dice_told)
        self.number = 0

    def see(self, film: Film) -> None:
        for image in film.frames:
            self.watch.expect(self.session.dice_told)
            seen = self.watch.look(Frame(self.number, self.number / FPS, image))
            self.number += 1
            self.session.see(seen, 1.0)

    def lying(self, *dice: Drawn) -> None:
        film = Film()
        film.still(dice, count=8)
        self.see(film)

    def throw(self, lying: tuple[Drawn, ...], *thrown: Drawn) -> None:
        film = Film()
        film.still(lying, count=3)
        film.rolling(lying, thrown)
        film.still((*lying, *thrown), count=12)
        self.see(film)


def seen(session: Session) -> list[int | None]:
    return [die.value for die in session.view().seen]


def match(session: Session) -> rules.Match:
    assert session.match is not None
    return session.match


def texts(session: Session) -> str:
    scene = layout.scene(session.view(), SIZE)
    return " | ".join(" ".join(thing.lines) for thing in scene.things if isinstance(thing, Lettering))


def test_one_die_is_thrown_by_each_and_the_highest_begins(session: Session) -> None:
    session.act(Start("maxi-yatzy", ("Anna", "Bo"), begins="throw"))
    camera = Camera(session)
    assert session.dice_expected == 1
    camera.lying()
    camera.throw((), Drawn(3, 400, 250))
    assert seen(session) == [3]
    assert match(session).player == "Anna"
    session.act(Confirm())
    assert match(session).player == "Bo"
    camera.lying()
    camera.throw((), Drawn(5, 300, 200, angle=50))
    assert seen(session) == [5]
    session.act(Confirm())
    assert (match(session).phase, match(session).player) == ("throw", "Bo")
    assert session.dice_expected == 6
    assert words("en").ui("begins", name="Bo") in texts(session)


@pytest.mark.slow
@pytest.mark.slow
def test_the_same_face_thrown_again_by_the_next_player_is_a_throw(session: Session) -> None:
    session.act(Start("maxi-yatzy", ("Anna", "Bo"), begins="throw"))
    camera = Camera(session)
    camera.lying()
    for name, x in (("Anna", 400), ("Bo", 290)):
        assert match(session).player == name
        camera.throw((), Drawn(4, x, 250))
        assert seen(session) == [4], name
        session.act(Confirm())
        camera.lying()
    assert match(session).phase == "begin", "a tie throws again"
    assert [(lot.name, lot.state, lot.again) for lot in lots(match(session))] == [
        ("Anna", "due", True),
        ("Bo", "waits", True),
    ]


@pytest.mark.slow
def test_dice_left_lying_beside_the_one_thrown_are_no_part_of_it(session: Session) -> None:
    session.act(Start("maxi-yatzy", ("Anna", "Bo"), begins="throw"))
    camera = Camera(session)
    camera.lying(*ASIDE)
    assert seen(session) == [], "what lies there was not thrown for who begins"
    camera.throw(ASIDE, Drawn(6, 420, 300))
    assert seen(session) == [6]
    session.act(Confirm())
    assert match(session).lots == (("Anna", (6,)),)
    camera.lying(*ASIDE)
    camera.throw(ASIDE, Drawn(1, 250, 320, angle=70))
    assert seen(session) == [1]
    session.act(Confirm())
    assert match(session).player == "Anna"


def test_too_many_dice_thrown_at_once_are_asked_about(session: Session) -> None:
    session.act(Start("maxi-yatzy", ("Anna", "Bo"), begins="throw"))
    camera = Camera(session)
    camera.lying()
    camera.throw((), Drawn(6, 420, 300), Drawn(2, 200, 200))
    session.act(Confirm())
    assert match(session).lots == ()
    assert session.notice == "count"
    session.act(ThrowByHand((6,)))
    assert match(session).lots == (("Anna", (6,)),)


@pytest.mark.slow
def test_the_first_throw_of_the_turn_holds_none_of_the_lots_dice(session: Session) -> None:
    session.act(Start("yatzy", ("Anna", "Bo"), begins="throw"))
    camera = Camera(session)
    camera.lying()
    five = tuple(Drawn(face, 100 + 110 * face, 200, angle=9 * face) for face in (1, 2, 3, 4, 5))
    six = tuple(Drawn(6, 100 + 110 * face, 300, angle=9 * face) for face in (1, 2, 3, 4, 5))
    for dice in (five, six):
        camera.throw((), *dice)
        assert len(seen(session)) == 5
        session.act(Confirm())
        camera.lying()
    assert (match(session).phase, match(session).player) == ("throw", "Bo")
    camera.throw((), *five)
    assert [die.held for die in session.view().seen] == [False] * 5
    session.act(Confirm())
    assert match(session).throw == 1


def test_the_screen_shows_what_everybody_threw_and_who_throws_now(session: Session) -> None:
    session.act(Start("yatzy", ("Anna", "Bo", "Cia"), begins="throw"))
    session.act(ThrowByHand((6, 6, 1, 1, 1)))
    session.act(ThrowByHand((5, 5, 2, 2, 1)))
    assert "Anna" in texts(session)
    assert words("en").ui("lots-begin") in texts(session)
    assert [(lot.name, sum(lot.dice), lot.state) for lot in lots(match(session))] == [
        ("Anna", 15, "thrown"),
        ("Bo", 15, "thrown"),
        ("Cia", 0, "due"),
    ]
    drawn = [thing for thing in layout.scene(session.view(), SIZE).things if isinstance(thing, DrawnDie)]
    assert [die.value for die in drawn if not die.shelf and die.intent is None][:10] == [6, 6, 1, 1, 1, 5, 5, 2, 2, 1]
    session.act(ThrowByHand((1, 1, 1, 1, 1)))
    assert [(lot.name, lot.state) for lot in lots(match(session))] == [("Anna", "due"), ("Bo", "waits"), ("Cia", "out")]
    assert words("en").ui("throws-again") in texts(session)
    session.act(Undo())
    assert match(session).player == "Cia"


@pytest.mark.slow
@pytest.mark.slow
def test_a_tie_at_the_end_is_thrown_off_the_same_way(session: Session) -> None:
    session.act(Start("yatzy", ("Anna", "Bo"), (("tie", "throw-off"),)))
    for box in rules.games()["yatzy"].entry_boxes:
        for _ in ("Anna", "Bo"):
            session.act(ThrowByHand((2, 2, 3, 3, 3)))
            assert session.match is not None
            session.table.record(rules.Entered(box.id))
    assert match(session).phase == "throw-off"
    assert words("en").ui("lots-off") in texts(session)
    camera = Camera(session)
    camera.lying()
    low = tuple(Drawn(1, 100 + 110 * n, 200) for n in range(1, 6))
    high = tuple(Drawn(6, 100 + 110 * n, 280) for n in range(1, 6))
    for dice in (low, high):
        camera.throw((), *dice)
        session.act(Confirm())
        camera.lying()
    assert match(session).winners == ("Bo",)
