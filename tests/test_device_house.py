"""A café's evening: a game left alone, the owner's PIN, switching off."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import rules
from device.house import COMMAND_SECONDS, DARK_SECONDS, SAVED_SECONDS, WAIT_SECONDS, WRONG_PINS, House
from device.journal import Journal
from device.loop import Loop
from device.session import Session
from display import keys, layout
from display.intent import (
    CloseProgram,
    Enter,
    Look,
    NewGame,
    PutAside,
    Start,
    SwitchOff,
    TakeUp,
    ThrowByHand,
    Unlock,
)
from display.scene import Lettering
from display.window import Window
from display.words import LANGUAGES, words
from vision.reading import Reading
from vision.throws import Seen, TrayState

SIZE = (800, 480)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def table(folder: Path, house: House) -> Session:
    return Session(rules.games(), Journal(folder), house=house)


@pytest.fixture
def session(tmp_path: Path, clock: Clock) -> Iterator[Session]:
    made = table(tmp_path, House(ask_after=600, clock=clock))
    yield made
    made.journal.close()


@pytest.fixture
def owned(tmp_path: Path, clock: Clock) -> Iterator[Session]:
    made = table(tmp_path, House(pin="2468", clock=clock))
    yield made
    made.journal.close()


def texts(session: Session) -> str:
    scene = layout.scene(session.view(), SIZE)
    return " | ".join(" ".join(thing.lines) for thing in scene.things if isinstance(thing, Lettering))


def targets(session: Session) -> list[object]:
    return [meant for _, meant in layout.scene(session.view(), SIZE).targets()]


def press(session: Session, *names: str) -> None:
    for name in names:
        intent = keys.intent(session.view(), name, SIZE)
        if intent is not None:
            session.act(intent)


def saved(session: Session) -> None:
    for _ in range(500):
        if session.journal.written == session.journal.last:
            return
        time.sleep(0.01)
    raise AssertionError("the journal never reached the disk")


# A game left alone


def test_a_game_left_alone_asks_and_goes_on(session: Session, clock: Clock) -> None:
    session.act(Start("yatzy", ("Anna",)))
    session.act(ThrowByHand((1, 2, 3, 4, 5)))
    clock.now += 599
    assert not session.view().alone
    clock.now += 1
    assert session.view().alone
    for code in LANGUAGES:
        session.act(Look("language", code))
        clock.now += 600
        assert words(code).ui("alone") in texts(session)
    before = session.match
    assert set(targets(session)) == {Look("awake"), PutAside()}
    session.act(Look("awake"))
    assert not session.view().alone
    assert session.match is before


def test_a_game_left_alone_is_kept_when_others_start_anew(session: Session, clock: Clock) -> None:
    session.act(Start("yatzy", ("Anna",)))
    session.act(ThrowByHand((6, 6, 6, 6, 6)))
    clock.now += 3600
    session.act(PutAside())
    session.act(Start("yahtzee", ("Bo",)))
    assert not session.view().alone
    session.act(TakeUp(session.view().aside[0].number))
    assert session.match is not None
    assert session.match.dice == (6, 6, 6, 6, 6)


def test_a_throw_says_that_somebody_plays(session: Session, clock: Clock) -> None:
    session.act(Start("yatzy", ("Anna",)))
    clock.now += 3600
    session.see(Seen(TrayState.SETTLED, 1, None, Reading((), (), sure=False)), 1.0)
    assert session.view().alone, "dice lying still are nobody"
    session.see(Seen(TrayState.MOVING, 2, None, None), 1.0)
    assert not session.view().alone


def test_without_a_game_or_after_its_end_nobody_is_asked(session: Session, clock: Clock) -> None:
    clock.now += 3600
    assert not session.view().alone
    session.act(Start("yatzy", ("Anna",)))
    for box in rules.games()["yatzy"].entry_boxes:
        session.act(ThrowByHand((1, 2, 3, 4, 5)))
        session.act(Enter(box.id, 1))
    clock.now += 3600
    assert not session.view().alone
    session.act(NewGame())
    quiet = House(ask_after=0, clock=clock)
    clock.now += 10**6
    assert not quiet.alone


def test_a_game_left_alone_is_answered_by_push_buttons(session: Session, clock: Clock) -> None:
    session.act(Start("yatzy", ("Anna",)))
    session.act(ThrowByHand((1, 2, 3, 4, 5)))
    before = session.match
    for button in ("undo", "confirm"):
        clock.now += 3600
        press(session, button)
        assert not session.view().alone
        assert session.match is before, "nothing is undone or taken by the first press"
    clock.now += 3600
    press(session, "hold-2")
    assert session.desk.focus == Look("awake")
    press(session, "hold-2")
    assert session.view().alone
    press(session, "confirm")
    assert session.match is None
    assert [one.players for one in session.view().aside] == [("Anna",)]


# The PIN


def test_setup_and_switching_off_stand_behind_the_pin_by_touch(owned: Session) -> None:
    for page in ("setup", "off", "setup-camera"):
        owned.act(Look("open", "menu"))
        owned.act(Look("open", page))
        assert owned.desk.open == "pin", page
        for digit in "1111":
            assert Look("digit", digit) in targets(owned)
            owned.act(Look("digit", digit))
        owned.act(Unlock("1111"))
        assert owned.notice == "wrong-pin"
        assert words("en").notice("wrong-pin") in texts(owned)
        assert owned.desk.digits == ""
        for digit in "2468":
            owned.act(Look("digit", digit))
        owned.act(Unlock(owned.desk.digits))
        assert owned.desk.open == page
        owned.act(Look("open", None))
        assert owned.view().locked, "whoever comes after has to know it again"


def test_the_pin_is_typed_on_a_keyboard_and_pressed_on_push_buttons(owned: Session) -> None:
    press(owned, "menu")
    owned.act(Look("open", "off"))
    press(owned, "9", "backspace", *"2468", "enter")
    assert owned.desk.open == "off"
    press(owned, "undo", "menu")
    owned.act(Look("open", "setup"))
    for digit in "2468":
        for _ in range(40):  # walk over the keypad until that key is pointed at
            if owned.desk.focus == Look("digit", digit):
                break
            column, row = divmod(int(digit) - 1, 3)[::-1]
            at = owned.desk.focus
            here = int(str(at.value)) - 1 if isinstance(at, Look) and at.what == "digit" and at.value != "0" else None
            if here is None:
                press(owned, "hold-2")
            elif here // 3 != row:
                press(owned, "hold-2" if here // 3 < row else "hold-1")
            else:
                press(owned, "hold-4" if here % 3 < column else "hold-3")
        assert owned.desk.focus == Look("digit", digit)
        press(owned, "confirm")
    assert owned.desk.digits == "2468"
    for _ in range(12):
        if isinstance(owned.desk.focus, Unlock):
            break
        press(owned, "hold-2" if owned.desk.focus != Look("digit", "0") else "hold-4")
    press(owned, "confirm")
    assert owned.desk.open == "setup"


def test_pins_cannot_be_tried_all_evening(owned: Session, clock: Clock) -> None:
    owned.act(Look("open", "off"))
    for _ in range(WRONG_PINS):
        owned.act(Unlock("0000"))
        assert owned.notice == "wrong-pin"
    owned.act(Unlock("2468"))
    assert owned.notice == "pin-wait"
    assert words("en").notice("pin-wait") in texts(owned)
    clock.now += WAIT_SECONDS
    owned.act(Unlock("2468"))
    assert owned.desk.open == "off"


def test_no_way_leads_round_the_pin(owned: Session) -> None:
    owned.act(SwitchOff())
    assert owned.desk.open == "pin"
    assert owned.view().off == "here"
    owned.act(CloseProgram())
    assert not owned.leaving
    press(owned, "setup")
    assert owned.desk.open == "pin"
    owned.act(Unlock(""))
    assert owned.desk.open == "pin"


def test_without_a_pin_everything_is_open(session: Session) -> None:
    assert not session.view().locked
    session.act(Look("open", "off"))
    assert session.desk.open == "off"
    session.act(CloseProgram())
    assert session.leaving


# Switching off


def off(session: Session, seconds: float = 5.0) -> None:
    """Rounds of the loop until switching off came to something."""
    session.act(Look("open", "off"))
    session.act(SwitchOff())
    until = time.monotonic() + seconds
    while session.view().off == "going" and time.monotonic() < until:
        session.tick()
        time.sleep(0.01)


def fake(tmp_path: Path, body: str) -> tuple[str, ...]:
    """A command that does this instead of switching anything off."""
    script = tmp_path / "off.py"
    script.write_text(body)
    return (sys.executable, str(script), "--now")


def test_switching_off_runs_the_owners_command_once_everything_is_on_the_disk(tmp_path: Path) -> None:
    told = tmp_path / "told"
    command = fake(tmp_path, f"import sys; open({str(told)!r}, 'a').write(' '.join(sys.argv[1:]) + chr(10))")
    session = table(tmp_path / "state", House(off=command))
    session.act(Start("yatzy", ("Anna",)))
    session.act(ThrowByHand((1, 2, 3, 4, 5)))
    session.act(Look("open", "off"))
    session.act(SwitchOff())
    session.act(SwitchOff())
    assert words("en").ui("off-going") in texts(session)
    session.act(Enter("chance", 1))
    assert session.match is not None
    assert session.match.dice == (1, 2, 3, 4, 5), "nothing more is taken on the way out"
    until = time.monotonic() + 20
    while not (told.exists() and told.read_text()) and time.monotonic() < until:
        session.tick()
        time.sleep(0.01)
    assert told.read_text() == "--now\n"
    assert session.journal.written == session.journal.last
    session.journal.close()


@pytest.mark.parametrize(
    "command",
    [("/nowhere/to/be/found",), (sys.executable, "-c", "import sys; sys.exit('not allowed')"), (os.devnull,)],
    ids=["missing", "refused", "no-program"],
)
def test_a_command_that_fails_is_said_and_the_game_goes_on(
    tmp_path: Path, command: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    session = table(tmp_path, House(off=command))
    session.act(Start("yatzy", ("Anna",)))
    off(session, 20)
    assert session.notice == "off-failed"
    assert session.view().off == "here"
    assert words("en").notice("off-failed") in texts(session)
    assert command[0] in caplog.text
    session.act(Look("open", None))
    session.act(ThrowByHand((1, 2, 3, 4, 5)))
    assert session.match is not None
    assert session.match.dice
    session.journal.close()


def test_the_table_stays_on_while_something_is_not_saved(tmp_path: Path, clock: Clock) -> None:
    told = tmp_path / "told"
    house = House(off=fake(tmp_path, f"open({str(told)!r}, 'w')"), clock=clock)
    session = table(tmp_path / "state", house)
    session.act(Start("yatzy", ("Anna",)))
    saved(session)
    session.journal.written -= 1  # as if the disk had not answered
    session.act(SwitchOff())
    clock.now += SAVED_SECONDS - 0.1
    session.tick()
    assert session.view().off == "going"
    clock.now += 0.2
    session.tick()
    assert session.notice == "off-unsaved"
    assert not told.exists()
    session.journal.written += 1
    session.journal.close()


def test_a_device_that_is_still_on_long_after_says_so(tmp_path: Path, clock: Clock) -> None:
    session = table(tmp_path, House(off=(sys.executable, "-c", ""), clock=clock))
    session.act(SwitchOff())
    until = time.monotonic() + 20
    while session.house.off._result is None and time.monotonic() < until:
        session.tick()
        time.sleep(0.01)
    session.tick()
    assert session.view().off == "going"
    assert COMMAND_SECONDS < DARK_SECONDS
    clock.now += DARK_SECONDS
    session.tick()
    assert session.notice == "off-failed"
    session.journal.close()


def test_where_the_owner_settled_no_command_there_is_no_such_button(tmp_path: Path) -> None:
    session = table(tmp_path, House(off=()))
    session.act(Look("open", "off"))
    assert SwitchOff() not in targets(session)
    assert CloseProgram() in targets(session)
    session.act(SwitchOff())
    assert session.notice == "off-failed"
    session.journal.close()


def test_the_program_is_closed_from_the_screen(tmp_path: Path) -> None:
    session = table(tmp_path, House(off=()))
    loop = Loop(session, Window(SIZE, off_screen=True))
    session.act(CloseProgram())
    loop.run()
    session.journal.close()
