"""What the whole appliance costs while nobody plays."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
@pytest.mark.soak
def test_a_still_tray_costs_little() -> None:
    told = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "still_tray"), "15"], capture_output=True, text=True, check=False
    )
    print(told.stdout)
    assert told.returncode == 0, told.stdout + told.stderr


TABLE = """
import sys
from pathlib import Path

from device import app, config
from device.commands import play
from device.sound import SOUNDS, made
from display.intent import Start
from display.window import Window

class Person:
    def __init__(self, session):
        session.act(Start("maxi-yatzy", ("Anna",)))

    def play(self, view, watcher):
        watcher.go_on(0, at_rest=True)

    def done(self, view):
        return view.picture is not None and any(die.crop is not None for die in view.seen)

state, camera = Path(sys.argv[1]), sys.argv[2]
app.play(
    state=state,
    settings=config.Settings(config.Config()),
    camera=camera,
    open_window=lambda: Window((800, 480), off_screen=True),
    player=lambda session, buttons: Person(session),
)
made(SOUNDS["won"])
print(*sorted({"cv2", "numpy"} & set(sys.modules)))
"""


def test_a_table_that_shows_what_the_camera_reads_does_without_opencv_and_numpy(tmp_path: Path) -> None:
    bench = ROOT / "fixtures" / "photos" / "bench"
    for number, photo in enumerate(("no-dice.jpg", "six-dice.jpg"), start=1):
        (tmp_path / f"{number:06d}.jpg").symlink_to(bench / photo)
    (tmp_path / "film.json").write_text('{"cuts": [2]}')
    told = subprocess.run(
        [sys.executable, "-c", TABLE, str(tmp_path / "state"), f"recording:{tmp_path}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert told.stdout.split() == [], "45 MB for nothing"


def test_a_reading_brings_no_more_of_numpy_along_than_is_there_at_the_start() -> None:
    program = """
import sys, device.vision_process, vision.cameras.virtual
from pathlib import Path
from vision.photo import load_photo
from vision.read import read
before = set(sys.modules)
print(len(read(load_photo(Path("fixtures/photos/bench/six-dice.jpg")), 6).dice))
print(*sorted(set(sys.modules) - before))
print(*sorted({"numpy.ma", "numpy.random"} & set(sys.modules)))
"""
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == ["6", "", ""]
