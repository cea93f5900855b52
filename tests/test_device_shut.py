"""Files and folders that may not be read or searched: one line each, and the table starts all the same."""

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest
from plain_user import PLAIN, shut
from test_device_config import until_the_loop_goes_round

import rules
from device import before_start, checkup, choices
from device.__main__ import main
from device.calibrations import Calibrations
from device.config import Config, load
from vision.labels import LabelError, labelled_folders
from vision.watch import Watch

ROOT = Path(__file__).parent.parent

NO_SEARCH = (0o000, 0o600)
"""Modes of a folder in which nothing can be opened; with the second the names in it can be listed."""

MODES = pytest.mark.parametrize("mode", NO_SEARCH, ids=oct)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the settings."""
    folder = tmp_path / "settings"
    folder.mkdir()
    (folder / "config.toml").write_text("sound = true\n")
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(folder))
    return folder


@MODES
def test_settings_that_cannot_be_read_are_said_and_the_tables_own_hold(home: Path, mode: int) -> None:
    with shut(home, mode):
        found = load()
    assert found.config == Config()
    (fault,) = found.faults
    assert (fault.name, fault.detail) == ("config-wrong", f"{home}/config.toml: cannot be read (Permission denied)")


@MODES
def test_the_lamps_of_a_start_without_a_screen_do_without_the_settings(home: Path, mode: int) -> None:
    with shut(home, mode), contextlib.ExitStack() as leave:
        before_start._lamps(leave)(0.0)


@pytest.mark.parametrize("named", [False, True])
def test_every_command_says_in_one_line_that_the_settings_cannot_be_read(
    home: Path, tmp_path: Path, named: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--state", str(tmp_path / "state"), *(("--config", str(home / "config.toml")) if named else ())]
    said = f"{home}/config.toml: cannot be read (Permission denied)"
    with shut(home):
        assert main(["config", *where]) == 1
        assert capsys.readouterr().err == f"tallytray config: {said}\n"
        assert main(["doctor", *where]) == 1
        assert f"WRONG     settings     {said}\n" in capsys.readouterr().out
        assert main(["wiring", *where[2:]]) == 0
        assert checkup.command(tmp_path, home / "config.toml", "auto")[-2:] == ("--config", str(home / "config.toml"))


@MODES
def test_a_state_folder_that_cannot_be_searched_is_told_by_the_doctor(
    home: Path, tmp_path: Path, mode: int, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    with shut(state, mode):
        assert choices.kept(state).wrong == (f"{state}/choices.toml: cannot be read (Permission denied)",)
        assert main(["doctor", "--state", str(state)]) == 1
    assert f"WRONG     disk         {state}: Permission denied\n" in capsys.readouterr().out


@MODES
def test_a_calibration_that_cannot_be_read_is_said_once_and_done_without(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "cameras"
    folder.mkdir()
    watch = Watch()
    with shut(folder, mode):
        kept = Calibrations(folder)
        (said,) = kept.opened("usb:0", watch)
        assert list(kept.opened("usb:0", watch)) == []
    assert said.fault == "calibration-wrong"
    assert said.detail == f"{folder}/usb-0.json cannot be read: Permission denied"
    assert watch.known is None


@pytest.mark.parametrize("mode", [0o000, 0o300], ids=oct)
def test_games_in_a_folder_that_cannot_be_read_are_missed_aloud(
    home: Path, mode: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rules.games_and_troubles(home / "games") == (rules.games(), ()), "nobody needs such a folder"
    (home / "games").mkdir()
    with shut(home / "games", mode):
        games, troubles = rules.games_and_troubles(home / "games")
        assert games == rules.games()
        assert troubles == (f"{home}/games: cannot be read (Permission denied); allowed: a folder of game files",)
        assert main(["games", "yatzy"]) == 1
    assert capsys.readouterr().err == f"tallytray games: {troubles[0]}\n"


def test_each_game_in_a_folder_that_cannot_be_searched_is_named(home: Path) -> None:
    (home / "games").mkdir()
    (home / "games" / "own.toml").write_text("")
    with shut(home / "games", 0o600):
        assert rules.games_and_troubles(home / "games")[1] == (f"{home}/games/own.toml: Permission denied",)


def test_a_file_in_the_place_of_the_games_is_said(home: Path) -> None:
    (home / "games").write_text("")
    (trouble,) = rules.games_and_troubles(home / "games")[1]
    assert trouble == f"{home}/games: cannot be read (Not a directory); allowed: a folder of game files"


@pytest.mark.slow
def test_a_table_starts_though_no_folder_of_its_own_can_be_searched(home: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    for folder in (home, state):
        folder.chmod(0)
    try:
        said = until_the_loop_goes_round(
            ["play", "--state", str(state), "--window", "800x480", "--camera", "csi:9"], plain=True
        )
    finally:
        for folder in (home, state):
            folder.chmod(0o700)
    for fault in ("config-wrong", "game-file-wrong", "state-missing", "choices-lost"):
        assert sum(f"ERROR {fault}: " in line for line in said) == 1, said
    assert not any("Traceback" in line for line in said), said


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("record {folder}/inner --film --camera recording:nowhere", "film.json cannot be written: Permission denied"),
        ("evaluate {folder}/inner", "inner cannot be read: Permission denied"),
        ("evaluate {folder}", "shut cannot be read: Permission denied"),
        ("demo --off-screen --out {folder}/inner", "inner: Permission denied"),
        ("calibrate --camera recording:{folder}/inner", "inner cannot be read: Permission denied"),
        ("score {folder}/inner", "inner: cannot be read (Permission denied)"),
        ("replay {folder}/inner", "inner: cannot be read (Permission denied)"),
        ("read {folder}/inner", "inner cannot be read: Permission denied"),
    ],
)
def test_commands_say_which_folder_it_is_in_one_line(
    tmp_path: Path, line: str, says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "shut"
    (folder / "inner").mkdir(parents=True)
    with shut(folder):
        assert main(line.format(folder=folder).split()) == 1
    (said,) = capfd.readouterr().err.splitlines()
    assert says in said


@pytest.mark.parametrize("mode", [0o000, 0o400], ids=oct)
def test_a_film_in_a_folder_that_cannot_be_searched_is_no_camera(tmp_path: Path, mode: int) -> None:
    film, state = tmp_path / "film", tmp_path / "state"
    film.mkdir(mode=mode)
    wanted = ["--camera", f"recording:{film}", "--state", str(state)]
    done = [
        subprocess.run(
            [*PLAIN, sys.executable, "-m", "device", *line, *wanted],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        for line in (["play", "--window", "640x480"], ["doctor"], ["calibrate"])
    ]
    film.chmod(0o700)
    assert [one.returncode for one in done] == [1, 1, 1]
    assert done[0].stderr == f"tallytray play: {film} cannot be read: Permission denied\n"
    assert f"WRONG     camera       recording:{film}: cannot be read: Permission denied\n" in done[1].stdout
    assert done[2].stderr.splitlines()[-1].startswith(f"tallytray calibrate: recording: {film} cannot be read: Permis")


def test_pictures_of_a_demo_that_cannot_be_written_are_said_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with shut(tmp_path, 0o500):
        assert main(["demo", "--off-screen", "--out", str(tmp_path)]) == 1
    said = capfd.readouterr().err.splitlines()[-1]
    assert said.startswith(f"tallytray demo: {tmp_path}/001-")
    assert said.endswith(".png: cannot be written")


def test_labels_in_a_folder_that_cannot_be_read_are_no_folder_without_labels(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text("{}")
    assert labelled_folders(tmp_path) == [tmp_path]
    with shut(tmp_path, 0o300), pytest.raises(LabelError, match="cannot be read: Permission denied"):
        labelled_folders(tmp_path)
