"""The vision process: watched, replaced, and never waited for."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean

import cv2
import numpy as np
import pytest

import rules
from device.journal import Journal
from device.loop import Loop
from device.session import Session
from device.vision_words import Ended, Lost, Report, Word
from device.watcher import Watcher
from display.intent import Start
from display.window import Window
from vision.cameras import finding


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A square that crosses an empty tray, then lies still; no dice in it."""
    folder = tmp_path_factory.mktemp("film")
    for number in range(12):
        image = np.full((180, 320, 3), (40, 90, 30), np.uint8)
        at = min(number, 6) * 30
        cv2.rectangle(image, (at, 60), (at + 50, 110), (200, 220, 230), -1)
        cv2.imwrite(str(folder / f"{number + 1:06}.png"), image)
    return folder


@pytest.fixture
def cut_film(film: Path, tmp_path: Path) -> Path:
    for picture in film.iterdir():
        (tmp_path / picture.name).symlink_to(picture)
    (tmp_path / "film.json").write_text('{"fps": 15, "cuts": [1]}')
    return tmp_path


@pytest.fixture
def start() -> Iterator[Callable[..., Watcher]]:
    made: list[Watcher] = []

    def make(camera: str, *, paced: bool = False) -> Watcher:
        made.append(Watcher(camera, paced=paced))
        return made[-1]

    yield make
    for watcher in made:
        watcher.close()


def waits() -> tuple[float, int]:
    """Time of this thread's own making, without what it waited for its turn on a busy machine, in seconds; and how
    often it gave up its turn to wait for something."""
    status = Path("/proc/thread-self/status").read_text()
    switches = int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
    return time.monotonic() - delayed("thread-self"), switches


def delayed(task: str) -> float:
    """Seconds that it waited for its turn so far."""
    return int(Path(f"/proc/{task}/schedstat").read_text().split()[1]) / 1e9


def wait_for(watcher: Watcher, kind: type[Word], fault: str | None = None, seconds: float = 30) -> Word:
    """The next word of this kind, and fault; fails when a poll ever waits."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        pid, (began, before) = watcher.pid, waits()
        words = watcher.poll()
        ended, after = waits()
        if watcher.pid not in (None, pid):
            ended -= delayed(str(watcher.pid))  # who starts a process has to wait until it runs
        assert ended - began < 0.05 or after == before, "the loop waited"
        for word in words:
            if isinstance(word, kind) and (fault is None or word.fault == fault):
                return word
        time.sleep(0.005)
    raise AssertionError(f"no {kind.__name__} {fault or ''} within {seconds} s")


def test_what_the_camera_sees_arrives_with_its_picture(film: Path, start: Callable[..., Watcher]) -> None:
    watcher = start(f"recording:{film}")
    report = wait_for(watcher, Report)
    assert isinstance(report, Report)
    assert report.scale == 1.0
    picture = watcher.picture()
    assert picture is not None
    assert (picture.wide, picture.high, len(picture.pixels)) == (320, 180, 320 * 180 * 3)
    assert [*picture.pixels[:3]] == [30, 90, 40], "red-green-blue, unlike the camera's frames"
    wait_for(watcher, Ended)


def test_a_recording_that_ended_is_not_started_again(film: Path, start: Callable[..., Watcher]) -> None:
    watcher = start(f"recording:{film}")
    wait_for(watcher, Ended)
    deadline = time.monotonic() + 20
    while watcher.pid is not None:
        assert watcher.poll() == []
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.1)
    assert watcher.poll() == []
    assert watcher.pid is None


def test_killed_it_comes_back_by_itself(
    cut_film: Path, start: Callable[..., Watcher], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.watcher.RESTART_SECONDS", (0.05,))
    watcher = start(f"recording:{cut_film}")
    wait_for(watcher, Report)
    first = watcher.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert isinstance(wait_for(watcher, Lost), Lost)
    wait_for(watcher, Report)
    assert watcher.pid not in (None, first)


def test_a_camera_that_is_not_there_is_said_in_one_line_and_opened_when_it_is(
    film: Path, tmp_path: Path, start: Callable[..., Watcher]
) -> None:
    watcher = start(f"recording:{tmp_path / 'later'}")
    lost = wait_for(watcher, Lost)
    assert isinstance(lost, Lost)
    assert lost.fault == "camera-missing"
    assert "later" in lost.reason
    assert "\n" not in lost.reason
    first = watcher.pid
    (tmp_path / "later").symlink_to(film)
    wait_for(watcher, Report)
    assert watcher.pid == first, "what it knows of the tray is kept"


class Orders:
    """Faults of a virtual camera."""

    def __init__(self, film: Path, path: Path) -> None:
        self._film, self._path = film, path
        self.give("none")

    @property
    def camera(self) -> str:
        return f"virtual:{self._path}"

    def give(self, fault: str, light: float = 1.0) -> None:
        new = self._path.with_suffix(".new")
        new.write_text(f'film = "{self._film}"\nfault = "{fault}"\nlight = {light}\n')
        new.replace(self._path)


@pytest.fixture
def orders(cut_film: Path, tmp_path_factory: pytest.TempPathFactory) -> Orders:
    return Orders(cut_film, tmp_path_factory.mktemp("orders") / "camera.toml")


def test_every_fault_of_the_picture_is_named_and_over_when_it_is(orders: Orders, start: Callable[..., Watcher]) -> None:
    watcher = start(orders.camera)
    wait_for(watcher, Report)
    first = watcher.pid
    for fault, name in (
        ("black", "camera-dark"),
        ("burnt", "camera-burnt"),
        ("wrong-size", "camera-size"),
        ("frozen", "camera-frozen"),
        ("unplugged", "camera-missing"),
    ):
        orders.give(fault)
        lost = wait_for(watcher, Lost, name)
        assert isinstance(lost, Lost)
        assert not lost.forgot
        for _ in range(40):
            assert not [word for word in watcher.poll() if isinstance(word, Report)], f"{fault}: read all the same"
            time.sleep(0.005)
        orders.give("none")
        report = wait_for(watcher, Report)
        assert isinstance(report, Report)
        assert report.fault is None
    assert watcher.pid == first


@pytest.mark.slow
def test_a_slow_camera_is_named_and_read_all_the_same(orders: Orders, start: Callable[..., Watcher]) -> None:
    watcher = start(orders.camera, paced=True)
    wait_for(watcher, Report)
    orders.give("slow")
    wait_for(watcher, Report, "camera-slow")


def test_hung_it_is_replaced(orders: Orders, start: Callable[..., Watcher], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.watcher.HUNG_SECONDS", 0.4)
    monkeypatch.setattr("device.watcher.RESTART_SECONDS", (0.05,))
    watcher = start(orders.camera)
    wait_for(watcher, Report)
    first = watcher.pid
    orders.give("hang")
    lost = wait_for(watcher, Lost, "vision-restarting")
    assert isinstance(lost, Lost)
    assert lost.forgot
    assert "waiting" in lost.reason
    orders.give("none")
    wait_for(watcher, Report)
    assert watcher.pid not in (None, first)


def test_a_camera_that_hangs_while_it_is_opened_is_seen_again_when_it_is_back(
    orders: Orders, start: Callable[..., Watcher], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.watcher.BUSY_HUNG_SECONDS", 600.0)
    monkeypatch.setattr("device.watcher.RESTART_SECONDS", (600.0,))
    orders.give("hang")
    watcher = start(orders.camera)
    first = hanging(watcher)
    for _ in range(300):
        assert watcher.poll() == []
        time.sleep(0.005)
    assert watcher.pid == first, "nothing has changed: it may still open"
    orders.give("none")
    wait_for(watcher, Lost, "vision-restarting")
    wait_for(watcher, Report)
    assert watcher.pid not in (None, first)


def hanging(watcher: Watcher) -> int:
    """Wait until the camera keeps the vision process, its id, in the middle of being opened."""
    deadline = time.monotonic() + 60
    steps, since = "", time.monotonic()
    while watcher._shared.stage != "opening" or time.monotonic() - since < 0.5:
        watcher.poll()
        now = watcher._about("status").partition("voluntary_ctxt_switches")[2]
        if now != steps:
            steps, since = now, time.monotonic()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    assert watcher.pid is not None
    return watcher.pid


def processor_seconds(pid: int | None) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
def test_a_camera_that_stays_away_costs_no_process(
    orders: Orders, start: Callable[..., Watcher], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process still knows what lay in the tray."""
    watcher = start(orders.camera)
    wait_for(watcher, Report)
    for patience in ("BUSY_HUNG_SECONDS", "OPENING_SECONDS"):
        monkeypatch.setattr(f"device.watcher.{patience}", 3.0)
    first = watcher.pid
    orders.give("unplugged")
    wait_for(watcher, Lost, "camera-missing")
    ends, before = time.monotonic() + 4, processor_seconds(first)
    while time.monotonic() < ends:
        assert watcher.poll() == []
        time.sleep(0.01)
    assert processor_seconds(first) - before < 0.4, "it looks for the camera without a pause"
    orders.give("none")
    wait_for(watcher, Report)
    assert watcher.pid == first


@pytest.mark.slow
def test_crashing_at_start_it_is_tried_more_and_more_seldom_until_something_changes(
    orders: Orders, start: Callable[..., Watcher], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.watcher.RESTART_SECONDS", (0.05, 0.1, 600.0))
    orders.give("crash")
    watcher = start(orders.camera)
    pids = {watcher.pid}
    for _ in range(3):
        wait_for(watcher, Lost, "vision-restarting")
        while watcher.pid is None and len(pids) < 3:
            watcher.poll()
            time.sleep(0.005)
        pids.add(watcher.pid)
    assert len(pids - {None}) == 3
    assert watcher.pid is None, "ten minutes are not over"
    orders.give("none")
    wait_for(watcher, Report)


@pytest.mark.parametrize(
    ("camera", "connector", "longest"),
    [("csi:0", True, 0.5), ("auto", True, 0.5), ("auto", False, 10.0), ("usb:C920", True, 10.0)],
)
def test_a_camera_whose_return_cannot_be_noticed_is_never_waited_for_long(
    monkeypatch: pytest.MonkeyPatch, camera: str, connector: bool, longest: float
) -> None:
    monkeypatch.setattr(finding, "_csi_possible", lambda: connector)
    monkeypatch.setattr(Watcher, "_start", lambda self: None)
    watcher = Watcher(camera, clock=lambda: 0.0)
    delays = []
    for _ in range(8):
        watcher._bury(again=True)
        delays.append(watcher._retry_at)
    watcher.close()
    assert delays[:2] == [0.2, 0.5]
    assert delays[-2:] == [longest, longest]


@pytest.mark.slow
def test_grown_it_is_replaced(orders: Orders, start: Callable[..., Watcher], monkeypatch: pytest.MonkeyPatch) -> None:
    watcher = start(orders.camera)
    wait_for(watcher, Report)
    monkeypatch.setattr("device.watcher.LARGEST_BYTES", 160 * 2**20)
    orders.give("leak")
    lost = wait_for(watcher, Lost, "vision-restarting")
    assert isinstance(lost, Lost)
    assert "grown" in lost.reason


@pytest.mark.parametrize(("light", "fault"), [(40.0, "camera-burnt"), (0.05, "camera-dark")])
def test_light_that_changes_too_much_to_read_is_locked_anew(
    orders: Orders, start: Callable[..., Watcher], light: float, fault: str
) -> None:
    watcher = start(orders.camera)
    wait_for(watcher, Report)
    orders.give("none", light=light)
    wait_for(watcher, Lost, fault)
    wait_for(watcher, Report)


@pytest.mark.parametrize("fault", ["black", "burnt"])
def test_after_the_dark_exposure_is_locked_for_the_light_that_came(
    orders: Orders, start: Callable[..., Watcher], fault: str
) -> None:
    def brightness() -> float:
        """Of the newest picture; below nothing when there is none newer."""
        picture = watcher.picture()
        return sum(picture.pixels) / len(picture.pixels) if picture is not None else -1000.0

    watcher = start(orders.camera)
    wait_for(watcher, Report)
    before = brightness()
    orders.give(fault)
    wait_for(watcher, Lost)
    orders.give("none", light=0.7)  # dimmer, but far from a fault
    wait_for(watcher, Report)
    watcher.live(True)
    ends = time.monotonic() + 10
    while abs(brightness() - before) > 0.05 * before:
        assert time.monotonic() < ends, "as dark as the room"
        watcher.poll()
        time.sleep(0.05)


@pytest.mark.slow
def test_a_day_old_it_is_replaced_while_nobody_plays(orders: Orders, monkeypatch: pytest.MonkeyPatch) -> None:
    shift = 0.0
    watcher = Watcher(orders.camera, paced=False, clock=lambda: time.monotonic() + shift)
    try:
        wait_for(watcher, Report)
        shift += 86_000
        assert watcher.poll() == []
        shift += 86_000
        lost = wait_for(watcher, Lost, "vision-restarting", seconds=5)
        assert isinstance(lost, Lost)
        assert "a day old" in lost.reason
    finally:
        watcher.close()


@pytest.mark.slow
@pytest.mark.soak
def test_the_picture_is_back_within_three_seconds_of_the_camera(orders: Orders, start: Callable[..., Watcher]) -> None:
    """Where a process starts in half a second; a busy machine is granted what it takes longer."""
    began = time.monotonic()
    watcher = start(orders.camera, paced=True)
    wait_for(watcher, Report)
    started = time.monotonic() - began
    print(f"first picture after the start: {started:.2f} s")
    for fault in ("unplugged", "frozen", "black", "wrong-size", "slow", "segfault", "crash", "hang"):
        orders.give(fault)
        wait_for(watcher, Report if fault == "slow" else Lost, "camera-slow" if fault == "slow" else None)
        if fault == "hang":
            hanging(watcher)  # the next process does so too, while it opens the camera
        ends = time.monotonic() + 1.0
        while time.monotonic() < ends:
            watcher.poll()
            time.sleep(0.01)
        orders.give("none")
        began = time.monotonic()
        wait_for(watcher, Report)
        print(f"picture back after {fault}: {time.monotonic() - began:.2f} s (at most 3)")
        assert time.monotonic() - began < 3 + max(0.0, 2 * started - 1)


RIBBON = """
import sys, time
from pathlib import Path

sys.path.append({tests!r})
from fake_picamera2 import Sensor, fake_module


class RealTime(Sensor):
    ribbon = property(lambda self: Path({ribbon!r}).exists(), lambda self, to: None)
    now = property(lambda self: time.monotonic(), lambda self, to: time.sleep(max(0.0, to - time.monotonic())))


Picamera2 = fake_module(RealTime(part=1)).Picamera2
"""


@pytest.mark.slow
def test_a_ribbon_put_in_again_gives_pictures_within_three_seconds(
    tmp_path: Path, start: Callable[..., Watcher], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever it happens between two attempts; `fake_picamera2` settles its light in as long as real ones do."""
    ribbon, library = tmp_path / "ribbon", tmp_path / "library"
    library.mkdir()
    (library / "picamera2.py").write_text(RIBBON.format(tests=str(Path(__file__).parent), ribbon=str(ribbon)))
    monkeypatch.setenv("PYTHONPATH", str(library))
    ribbon.touch()
    began = time.monotonic()
    watcher = start("csi:0", paced=True)
    wait_for(watcher, Report)
    started = time.monotonic() - began
    print(f"first picture after the start: {started:.2f} s")
    for attempt in range(6):
        ribbon.unlink()
        wait_for(watcher, Lost, "camera-missing")
        ends = time.monotonic() + 4.0 + 0.5 * attempt  # an attempt and the delay before it take up to three seconds
        while time.monotonic() < ends:
            watcher.poll()
            time.sleep(0.01)
        ribbon.touch()
        began = time.monotonic()
        wait_for(watcher, Report)
        print(f"picture back after the ribbon: {time.monotonic() - began:.2f} s (at most 3)")
        assert time.monotonic() - began < 3 + max(0.0, 2 * started - 2)


@pytest.mark.slow
def test_no_round_of_the_loop_waits_for_a_camera_that_fails(orders: Orders, tmp_path: Path) -> None:
    """Of a round's time, what was neither spent computing nor waiting for a processor, for every fault, from before it
    until the picture is back."""
    window = Window((800, 480))
    journal = Journal(tmp_path / "state")
    session = Session(rules.games(), journal)
    session.act(Start("yatzy", ("Anna",)))
    watcher = Watcher(orders.camera, calibrations=tmp_path / "state" / "cameras")
    loop = Loop(session, window, watcher=watcher)
    longest = 0.0

    def rounds_until(so: Callable[[], bool]) -> None:
        nonlocal longest
        deadline = time.monotonic() + 30
        while not so():
            assert time.monotonic() < deadline
            before, pid = time.monotonic() - time.thread_time() - delayed("thread-self"), watcher.pid
            loop.round()
            waited = time.monotonic() - time.thread_time() - delayed("thread-self") - before
            if watcher.pid not in (None, pid):
                waited -= delayed(str(watcher.pid))  # who starts a process has to wait until it runs
            longest = max(longest, waited)
            loop.rest()

    def well() -> bool:
        return not any(fault.name.startswith(("camera", "vision")) for fault in session.view().faults)

    rounds_until(lambda: session.picture is not None and well())
    for fault in ("unplugged", "frozen", "black", "wrong-size", "slow", "segfault", "crash", "hang"):
        orders.give(fault)
        rounds_until(lambda: not well())
        ends = time.monotonic() + 1.0
        rounds_until(lambda: time.monotonic() > ends)  # noqa: B023 -- called before the next one
        orders.give("none")
        rounds_until(well)
    print(f"longest wait of a round: {1000 * longest:.1f} ms (at most 50)")
    assert longest < 0.05
    watcher.close()
    journal.close()
    window.close()


def test_light_that_drifts_on_the_empty_tray_is_locked_anew(orders: Orders, start: Callable[..., Watcher]) -> None:
    watcher = start(orders.camera)
    wait_for(watcher, Report)
    looks = watcher._shared.beats
    while watcher._shared.beats < looks + 40:  # until it has seen the tray in the light it was locked in
        time.sleep(0.005)
    first = watcher.picture()
    assert first is not None
    orders.give("none", light=0.6)
    deadline = time.monotonic() + 30
    levels = [mean(first.pixels)]
    while levels[-1] < 0.95 * levels[0] or min(levels) > 0.7 * levels[0]:
        assert time.monotonic() < deadline, levels
        watcher.poll()
        picture = watcher.picture()
        if picture is not None:
            levels.append(mean(picture.pixels))
        time.sleep(0.005)


PARENT = """
import sys, time
from device.watcher import Watcher
if __name__ == "__main__":
    watcher = Watcher(sys.argv[1], paced=False)
    while not watcher.poll():
        time.sleep(0.01)
    print(watcher.pid, flush=True)
    time.sleep(60)
"""


def test_it_does_not_outlive_a_killed_table(cut_film: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    program = tmp_path_factory.mktemp("parent") / "parent.py"
    program.write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, str(program), f"recording:{cut_film}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 5
    while Path(f"/proc/{child}").exists() and "Z" not in _state(child):
        assert time.monotonic() < deadline, "the vision process lives on and keeps the camera to itself"
        time.sleep(0.01)


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


def test_a_picture_that_is_watched_goes_on_while_nothing_moves(cut_film: Path, start: Callable[..., Watcher]) -> None:
    watcher = start(f"virtual:{cut_film}", paced=True)

    def pictures(seconds: float) -> int:
        end, count = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            watcher.poll()
            count += watcher.picture() is not None
            time.sleep(0.01)
        return count

    wait_for(watcher, Report)
    deadline = time.monotonic() + 20
    while pictures(0.4) and time.monotonic() < deadline:
        pass  # the film comes to its rest
    watcher.live(True)
    deadline = time.monotonic() + 20
    while pictures(0.5) < 2 and time.monotonic() < deadline:
        pass
    assert pictures(0.5) >= 2
    watcher.live(False)
    pictures(0.3)
    assert pictures(0.4) == 0
