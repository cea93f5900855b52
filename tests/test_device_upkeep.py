"""What the table does for its owner: the setup's live values, the backlight, the check-ups."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from state_folder import wait_written

import rules
from device import checkup
from device.backlight import Backlight
from device.buttons import STUCK_SECONDS, Buttons
from device.checkup import CheckUp, command
from device.choices import Choices, kept, on_desk
from device.config import MOCK_BUTTONS, MOCK_LAMPS, Config
from device.growing import ALONE_SECONDS, MOST_BYTES, own_size, starts_anew
from device.house import House
from device.journal import Journal
from device.readings import Vital
from device.session import Session
from device.upkeep import SIZE_SECONDS, Upkeep
from device.vision_words import Calibrates
from display.intent import Calibrate, Look, Start
from display.intent import CheckUp as WantsCheckUp
from display.view import Calibrating, Fault, Finding, Wired
from vision.reading import Die, Reading
from vision.throws import Seen, ThrowSeen, TrayState

HOT = Vital({"mmcblk0p2": "0"}, "throttled=0x0", "0", "85000", datetime(2026, 12, 1, tzinfo=UTC), True, False)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session(rules.games(), Journal(tmp_path))
    yield session
    session.journal.close()


class Picture:
    """A camera that remembers whether anybody watches."""

    def __init__(self) -> None:
        self.told: list[bool] = []

        self.calibrations: list[tuple[bool, bool]] = []

    def live(self, on: bool) -> None:
        self.told.append(on)

    def calibrate(self, on: bool = True, *, insist: bool = False) -> None:
        self.calibrations.append((on, insist))


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def until(true: Callable[[], object], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    return bool(true())


def settled(*faces: int | None) -> Seen:
    dice = tuple(
        Die(face, (100.0 * place, 50.0), 40.0, 7.0, 0.99, None if face else "doubtful-face")
        for place, face in enumerate(faces)
    )
    troubles = ("doubtful-face",) if None in faces else ()
    return Seen(TrayState.SETTLED, 1, None, Reading(dice, troubles, sure=not troubles))


def test_the_picture_is_live_while_the_camera_page_is_open_and_shows_what_the_reader_sees(session: Session) -> None:
    picture = Picture()
    upkeep = Upkeep(session, camera="usb:0", watcher=picture)  # type: ignore[arg-type]
    session.see(settled(3, None), 0.5)
    upkeep.round(session.view())
    assert session.view().setup.sight == (), "nobody asked"
    session.act(Look("open", "setup-camera"))
    for _ in range(3):
        upkeep.round(session.view())
    setup = session.view().setup
    assert [(die.value, die.asked, die.centre, die.size) for die in setup.sight] == [
        (3, False, (0.0, 25.0), 20.0),
        (None, True, (50.0, 25.0), 20.0),
    ]
    assert (setup.troubles, setup.camera) == (("doubtful-face",), "usb:0")
    session.lose_camera("camera-missing", "gone")
    upkeep.round(session.view())
    assert session.view().setup.sight == ()
    session.act(Look("open", "setup"))
    upkeep.round(session.view())
    assert picture.told == [True, False]


def test_the_camera_is_calibrated_from_its_page_and_stopped_when_that_is_left(session: Session) -> None:
    picture = Picture()
    upkeep = Upkeep(session, camera="usb:0", watcher=picture)  # type: ignore[arg-type]

    def shown() -> Calibrating | None:
        upkeep.round(session.view())
        return session.view().setup.calibrating

    session.act(Look("open", "setup-camera"))
    assert shown() is None
    assert session.view().setup.calibrates
    upkeep.wants(Calibrate())
    assert shown() == Calibrating("empty-the-tray")
    session.calibrating = Calibrates("empty-the-tray", "dice-in-the-tray", 0.5)
    assert shown() == Calibrating("empty-the-tray", "dice-in-the-tray", 0.5)
    upkeep.wants(Calibrate(insist=True))
    rim = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))
    session.calibrating = Calibrates("nothing-more", None, 1.0, rim, 61.0, ("too-dark",))
    assert shown() == Calibrating("nothing-more", None, 1.0, rim, True, ("too-dark",))
    upkeep.wants(Calibrate())
    session.act(Look("open", None))
    upkeep.round(session.view())
    assert session.calibrating is None
    assert picture.calibrations == [(True, False), (True, True), (True, False), (False, False)]


def test_a_recording_has_nothing_to_calibrate(session: Session) -> None:
    picture = Picture()
    upkeep = Upkeep(session, camera="recording:x", watcher=picture)  # type: ignore[arg-type]
    session.act(Look("open", "setup-camera"))
    upkeep.round(session.view())
    assert not session.view().setup.calibrates
    upkeep.wants(Calibrate())
    assert picture.calibrations == []


def test_the_buttons_page_shows_what_is_down(session: Session) -> None:
    clock = Clock()
    buttons = Buttons(MOCK_BUTTONS, MOCK_LAMPS, "mock", clock=clock)
    try:
        upkeep = Upkeep(session, camera="auto", buttons=buttons, wired=(MOCK_BUTTONS, {"confirm": 25}))
        session.act(Look("open", "setup-buttons"))
        buttons.pin("confirm").drive_low()
        clock.now += 0.1
        assert buttons.poll() == ["confirm"]
        upkeep.round(session.view())
        wired = {one.name: one for one in session.view().setup.wired}
        assert list(wired) == list(MOCK_BUTTONS)
        assert wired["confirm"] == Wired("confirm", MOCK_BUTTONS["confirm"], 25, down=True)
        assert wired["undo"] == Wired("undo", MOCK_BUTTONS["undo"])
        assert session.view().faults == ()
        clock.now += STUCK_SECONDS
        buttons.poll()
        upkeep.round(session.view())
        assert session.view().faults == (Fault("buttons-stuck", f"confirm (GPIO {MOCK_BUTTONS['confirm']})"),)
        buttons.pin("confirm").drive_high()
        clock.now += 0.1
        buttons.poll()
        upkeep.round(session.view())
        assert session.view().faults == ()
        for turn in range(300):
            clock.now += 0.01
            if turn % 2:
                buttons.pin("undo").drive_low()
            else:
                buttons.pin("undo").drive_high()
            assert buttons.poll() == []
        upkeep.round(session.view())
        assert session.view().faults == (Fault("buttons-floating", f"undo (GPIO {MOCK_BUTTONS['undo']})"),)
        clock.now += 2
        buttons.poll()
        upkeep.round(session.view())
        assert session.view().faults == ()
    finally:
        buttons.close()


def test_the_backlight_follows_the_choice_is_never_off_and_is_left_alone_before(
    session: Session, tmp_path: Path
) -> None:
    folder = tmp_path / "sys/class/backlight/10-0045"
    folder.mkdir(parents=True)
    (folder / "max_brightness").write_text("31\n")
    (folder / "brightness").write_text("7\n")
    Upkeep(session, camera="auto", backlight=Backlight(tmp_path), bright=True).round(session.view())
    assert (folder / "brightness").read_text() == "31", "somebody chose what the desk has"
    (folder / "brightness").write_text("7\n")
    upkeep = Upkeep(session, camera="auto", backlight=Backlight(tmp_path))
    upkeep.round(session.view())
    assert (folder / "brightness").read_text() == "7\n"
    assert session.view().setup.backlight
    for percent, written in ((50, "16"), (0, "3"), (400, "31")):
        session.act(Look("brightness", percent))
        upkeep.round(session.view())
        assert (folder / "brightness").read_text() == written
    assert Backlight(tmp_path).set(1)
    assert (folder / "brightness").read_text() == "1"


def test_without_a_backlight_or_leave_to_set_it_nothing_happens(tmp_path: Path) -> None:
    assert not Backlight(tmp_path).here
    assert not Backlight(tmp_path).set(50)
    folder = tmp_path / "sys/class/backlight/odd"
    folder.mkdir(parents=True)
    (folder / "max_brightness").write_text("bright")
    assert not Backlight(tmp_path).here
    (folder / "max_brightness").write_text("100")
    (folder / "brightness").mkdir()
    assert Backlight(tmp_path).here
    assert not Backlight(tmp_path).set(50)


def test_the_rounds_find_what_goes_wrong_and_what_is_over(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(checkup, "EVERY_SECONDS", 0.01)
    found = [HOT]
    rounds = CheckUp(("false",), vital=lambda: found[-1])
    upkeep = Upkeep(session, camera="auto", checkup=rounds)
    try:
        assert until(lambda: rounds.faults)
        upkeep.round(session.view())
        assert session.view().faults == (Fault("too-hot", "85 °C"),)
        found.append(Vital({"mmcblk0p2": "4"}, None, None, "50000", HOT.now, None, False))
        assert until(lambda: (upkeep.round(session.view()), session.view().faults != (Fault("too-hot", "85 °C"),))[1])
        assert session.view().faults == (Fault("card-errors", "mmcblk0p2: 4 errors"),)
    finally:
        rounds.close()


def answering(text: str) -> tuple[str, ...]:
    return (sys.executable, "-c", f"print({text!r})")


def test_the_whole_check_up_is_shown_when_its_page_opens_and_again_when_asked(session: Session, tmp_path: Path) -> None:
    answer = json.dumps({"well": False, "findings": [{"check": "clock", "state": "wrong", "said": "1970"}]})
    rounds = CheckUp(answering(answer), vital=lambda: HOT)
    upkeep = Upkeep(session, camera="auto", checkup=rounds)

    def shown() -> tuple[Finding, ...]:
        upkeep.round(session.view())
        return session.view().setup.findings

    try:
        assert shown() == ()
        session.act(Look("open", "setup-checks"))
        assert until(shown)
        assert shown() == (Finding("clock", "wrong", "1970"),)
        upkeep.wants(WantsCheckUp())
        assert rounds.findings == ()
        assert until(shown)
    finally:
        rounds.close()


@pytest.mark.parametrize("text", ["", "no json", "[]", '{"findings": 7}', '{"findings": [{}]}'])
def test_a_check_up_that_gives_no_answer_is_no_stumbling_block(text: str) -> None:
    rounds = CheckUp(answering(text), vital=lambda: HOT)
    try:
        rounds.look()
        assert until(lambda: rounds.faults)
        rounds.look()
        time.sleep(0.05)
        assert rounds.findings == ()
    finally:
        rounds.close()


def test_a_check_up_that_hangs_ends_with_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = CheckUp((sys.executable, "-c", "import time; time.sleep(60)"), vital=lambda: HOT)
    rounds.look()
    assert until(lambda: rounds._process is not None)
    process = rounds._process
    assert process is not None
    rounds.close()
    assert until(lambda: process.poll() is not None)


def test_the_command_of_the_whole_check_up_answers(tmp_path: Path) -> None:
    rounds = CheckUp(command(tmp_path, tmp_path / "none.toml", "recording:nowhere"), vital=lambda: HOT)
    try:
        rounds.look()
        assert until(lambda: rounds.findings, 60)
        assert {finding.check: finding.state for finding in rounds.findings}["camera"] == "wrong"
    finally:
        rounds.close()


# Its own memory

GROWN = MOST_BYTES + 1


def test_only_a_grown_table_that_loses_nothing_and_nobody_plays_at_starts_anew(session: Session) -> None:
    view = session.view()
    assert view.match is None
    assert starts_anew(GROWN, view, ALONE_SECONDS)
    assert not starts_anew(MOST_BYTES, view, ALONE_SECONDS)
    assert not starts_anew(GROWN, view, ALONE_SECONDS - 1), "somebody may be writing names"
    assert not starts_anew(GROWN, replace(view, saving=True), ALONE_SECONDS)
    assert not starts_anew(GROWN, replace(view, faults=(Fault("disk-full", ""),)), ALONE_SECONDS)
    assert starts_anew(GROWN, replace(view, faults=(Fault("camera-missing", ""),)), ALONE_SECONDS)
    assert not starts_anew(GROWN, replace(view, off="going"), ALONE_SECONDS)
    session.act(Start("yatzy", ("Anna",)))
    wait_written(session.journal)
    assert starts_anew(GROWN, session.view(), ALONE_SECONDS), "the game comes back"
    seen = settled(3, 3, 3, 2, 1)
    assert seen.reading is not None
    session.see(replace(seen, throw=ThrowSeen(1, seen.reading, (None,) * 5)), 0.5)
    assert session.view().seen
    assert not starts_anew(GROWN, session.view(), ALONE_SECONDS), "a throw nobody confirmed yet is in no journal"


def test_the_table_looks_at_its_own_memory_once_a_minute_where_somebody_starts_it_again(tmp_path: Path) -> None:
    clock = Clock()
    session = Session(rules.games(), Journal(tmp_path), house=House(clock=clock))
    sizes: list[int] = []

    def size() -> int:
        sizes.append(GROWN)
        return GROWN

    alone, watched = Upkeep(session, camera="auto", clock=clock), Upkeep(session, camera="auto", size=size, clock=clock)
    for _ in range(100):
        clock.now += ALONE_SECONDS / 100 - 0.01
        alone.round(session.view())
        watched.round(session.view())
    assert not session.leaving
    assert 8 <= len(sizes) <= 10
    clock.now += SIZE_SECONDS
    alone.round(session.view())
    assert not session.leaving, "nobody would start it again"
    watched.round(session.view())
    assert session.leaving
    session.journal.close()


def test_the_table_knows_how_much_memory_it_has_in_use() -> None:
    before = own_size()
    block = bytearray(b"x" * (64 * 2**20))
    assert 50 * 2**20 < own_size() - before < 150 * 2**20
    assert len(block) == 64 * 2**20


def test_what_is_chosen_in_the_setup_is_kept(session: Session, tmp_path: Path) -> None:
    session.desk = on_desk(session.desk, Config(sound=True))
    session.choices = Choices(tmp_path, {"sound": True}, kept(tmp_path))
    session.act(Start("yatzy", ("Anna",)))
    for what, value in (("language", "fi"), ("rotate", 90), ("sound", False), ("brightness", 40), ("night", True)):
        session.act(Look(what, value))
    session.choices.close()
    assert kept(tmp_path).values == {
        "language": "fi",
        "rotate": 90,
        "sound": False,
        "brightness": 40,
        "night": True,
    }
