"""The settings: every wrong thing is said and left out, every right one holds, the table starts all the same."""

import json
import os
import subprocess
import sys
import tomllib
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_user import PLAIN

from device import choices, config
from device.__main__ import main
from device.buttons import NAMES, RESERVED, ButtonsError, check_pins
from device.choices import Choices, kept
from device.commands.config import example
from device.config import CHOSEN, NOTHING, SETTINGS, Config, Kept, Settings, load
from display.desk import Desk

FORMS = Path(__file__).parent.parent / "fixtures" / "settings"


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Settings]:
    path = tmp_path / "config.toml"

    def write(text: str) -> Settings:
        path.write_text(text, encoding="utf-8")
        found = load(path)
        assert path.read_text(encoding="utf-8") == text, "the owner's file is never written"
        return found

    return write


def details(found: Settings) -> dict[str, str]:
    return {fault.name: fault.detail for fault in found.faults}


def test_without_a_file_everything_is_the_tables_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    found = load()
    assert found.config == Config()
    assert (found.faults, found.origins, found.path) == ((), {}, tmp_path / "config.toml")


@pytest.mark.parametrize(
    ("text", "place", "value", "allowed"),
    [
        ("rotate = 45", "rotate", "45", "0, 90, 180, 270"),
        ("rotate = true", "rotate", "true", "0, 90, 180, 270"),
        ("rotate = 90.0", "rotate", "90.0", "0, 90, 180, 270"),
        ('language = "sw"', "language", '"sw"', '"sv", "da", "nb", "fi", "de", "en"'),
        ('camera = "usb"', "camera", '"usb"', "usb:NAME"),
        ('camera = "auto\\n"', "camera", '"auto\\n"', "usb:NAME"),
        ('pin = "1234\\n"', "pin", '"1234\\n"', "four to eight digits"),
        ('camera = "usb:a\\u0000b"', "camera", '"usb:a\\u0000b"', "without control characters"),
        ('camera = "recording:a\\u0000b"', "camera", '"recording:a\\u0000b"', "without control characters"),
        ('camera = "virtual:a\\u001bb"', "camera", '"virtual:a\\u001bb"', "without control characters"),
        ('camera = "recording:a\\u0085b"', "camera", '"recording:a\\u0085b"', "without control characters"),
        ('camera = "recording:a\\u2028b"', "camera", '"recording:a\\u2028b"', "without control characters"),
        ('switch-off = ["a\\u0000b"]', "switch-off", '["a\\u0000b"]', "without control characters"),
        ('switch-off = ["sh", "-c", "a\\nb"]', "switch-off", 'a\\nb"]', "without control characters"),
        ('switch-off = ["sh", ""]', "switch-off", '""]', "up to twenty words"),
        (f'camera = "csi:{"9" * 5000}"', "camera", '"csi:999', "N of one or two digits"),
        (f'camera = "recording:{"a" * 5000}"', "camera", '"recording:aaa', "at most 500 letters"),
        ("brightness = 5", "brightness", "5", "10 to 100"),
        ('night = "yes"', "night", '"yes"', "true or false"),
        ("buttons = 7", "buttons", "7", "table of button names"),
        ("[buttons]\nundo = 40", "buttons.undo", "40", "16 to 27"),
        ("[lamps]\nundo = true", "lamps.undo", "true", "16 to 27"),
        ("[buttons]\nhold-7 = 5", "buttons.hold-7", "= 5: there is no such button", "hold-6"),
        ("langauge = 'sv'", "langauge", '= "sv": there is no such setting', "language"),
        ("version = 2", "version", "2", "1"),
        ("version = '1'", "version", '"1"', "1"),
        ("a" * 3000 + " = 1", "aaa", "no such setting", "language"),
        ("night = " + "[" * 3000, "config.toml", "nested", ""),
        ("night" + ".a" * 3000 + " = 1", "night", "", "true or false"),
        ("brightness = 0x" + "f" * 9000, "brightness", "without end", "10 to 100"),
        ("rotate = \n", "line 1", "", ""),
        ("x" * 300_000, "config.toml", "larger than 256 KiB", ""),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    file: Callable[[str], Settings], text: str, place: str, value: str, allowed: str
) -> None:
    found = file(text)
    said = details(found)["config-wrong"]
    assert "config.toml: " in said
    for part in (place, value, allowed):
        assert part in said, said
    assert len(said) < 500
    assert len(said.splitlines()) == 1
    assert found.config == Config(), "the table starts on its own settings"


def until_the_loop_goes_round(line: list[str], *, plain: bool = False) -> list[str]:
    """What a table without a camera says until it is ended in good order; `plain` without root's power over files."""
    said: list[str] = []
    with subprocess.Popen(
        [*(PLAIN if plain else ()), sys.executable, "-m", "device", *line],
        env=os.environ | {"SDL_VIDEODRIVER": "dummy", "PYTHONUNBUFFERED": "1"},
        cwd=Path(__file__).parent.parent,
        stderr=subprocess.PIPE,
        text=True,
    ) as table:
        assert table.stderr is not None
        for text in table.stderr:
            said.append(text)
            if "camera-missing" in text:  # the loop goes round
                table.terminate()
    assert table.returncode == 0, said
    return said


@pytest.mark.parametrize("place", ["nowhere/at/all", "pipe", "a" * 300])
def test_a_recording_that_is_gone_or_never_was_one_costs_no_start(tmp_path: Path, place: str) -> None:
    """What the settings file names may lie on a stick that was pulled out; on the command line it is a slip."""
    path = tmp_path / "config.toml"
    os.mkfifo(tmp_path / "pipe")
    film = tmp_path / place
    path.write_text(f'camera = "recording:{film}"\n')
    line = ["play", "--config", str(path), "--state", str(tmp_path), "--window", "800x480"]
    said = until_the_loop_goes_round(line)
    (card,) = [text for text in said if "camera-missing" in text]
    assert str(film) in card, said
    assert not any("vision process" in text for text in said), said
    assert main([*line, "--camera", f"recording:{film}"]) == 1


def test_what_is_right_holds_beside_what_is_wrong(file: Callable[[str], Settings]) -> None:
    found = file('language = "fi"\nrotate = 91\nsound = true\n[buttons]\nconfirm = 5\nundo = 99\n')
    assert (found.config.language, found.config.rotate, found.config.sound) == ("fi", 0, True)
    assert found.config.buttons == {"confirm": 5}
    assert found.origins == {"language": "file", "sound": "file", "buttons": "file"}
    assert details(found)["config-wrong"].count(" · ") == 1, "both are said"


@pytest.mark.parametrize(
    ("pins", "said"),
    [
        ("[buttons]\nconfirm = 5\nundo = 5", "buttons.undo: pin 5 is already buttons.confirm"),
        ("[buttons]\nconfirm = 5\n[lamps]\nconfirm = 5", "lamps.confirm: pin 5 is already buttons.confirm"),
        ("[lamps]\nconfirm = 10", "lamps.confirm: pin 10 is used by SPI"),
    ],
)
def test_pins_are_checked_before_any_is_opened(file: Callable[[str], Settings], pins: str, said: str) -> None:
    found = file("sound = true\n" + pins)
    assert said in details(found)["pins-wrong"]
    assert "(allowed: " in details(found)["pins-wrong"]
    assert (found.config.buttons, found.config.lamps) == ({}, {}), "neither of two at one pin"
    assert found.config.sound


def test_every_wrong_pin_is_told_at_once(file: Callable[[str], Settings]) -> None:
    found = file("[buttons]\nhold-1 = 2\nconfirm = 14\nundo = 5\n[lamps]\nundo = 5\nhold-1 = 7\n")
    told = [line.partition(": ")[2].partition(":")[0] for line in found.pins]
    assert told == ["buttons.hold-1", "buttons.confirm", "lamps.undo", "lamps.hold-1"]
    assert all("(allowed: " in line for line in found.pins)


def test_a_wrong_pin_costs_no_other_button_or_lamp(file: Callable[[str], Settings]) -> None:
    text = "[buttons]\nhold-1 = 5\nhold-2 = 6\nconfirm = 12\nundo = 2\n[lamps]\nhold-1 = 6\nconfirm = 17\nundo = 99\n"
    found = file(text)
    assert (found.config.buttons, found.config.lamps) == ({"hold-1": 5, "confirm": 12}, {"confirm": 17})
    told = [line.partition(": ")[2].partition(" (")[0] for line in (*found.pins, *found.owner.wrong)]
    assert told == [
        "buttons.undo: pin 2 is used by I2C",
        "lamps.hold-1: pin 6 is already buttons.hold-2",
        "lamps.undo: 99",
    ]
    assert found.origins == {"buttons": "file", "lamps": "file"}


@given(
    st.dictionaries(st.sampled_from(NAMES), st.integers(0, 27), max_size=9),
    st.dictionaries(st.sampled_from(NAMES), st.integers(0, 27), max_size=9),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_exactly_the_pins_that_are_reserved_or_used_twice_are_left_out(
    file: Callable[[str], Settings], buttons: dict[str, int], lamps: dict[str, int]
) -> None:
    found = file(f"buttons = {toml(buttons)}\nlamps = {toml(lamps)}\n")
    pins = [*buttons.values(), *lamps.values()]

    def fine(named: dict[str, int]) -> dict[str, int]:
        return {name: pin for name, pin in named.items() if pins.count(pin) == 1 and pin not in RESERVED}

    assert (found.config.buttons, found.config.lamps) == (fine(buttons), fine(lamps))
    assert bool(found.pins) == (found.config.buttons != buttons or found.config.lamps != lamps)


def test_pins_that_are_left_out_are_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[buttons]\nconfirm = 5\nundo = 2\n[lamps]\nundo = 6\n")
    assert main(["config", "--explain", "--config", str(path), "--state", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert f"# From {path}, without the pins that cannot be used.\n[buttons]\nconfirm = 5\n\n" in said.out
    assert f"# From {path}.\n[lamps]\nundo = 6\n" in said.out
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize("camera", ["usb:a\x1bb", "recording:a\nb", "virtual:\udcff", "csi:" + "9" * 5000])
def test_the_command_line_allows_no_other_cameras_than_the_settings(
    camera: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--camera", camera])
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.isprintable()
    assert len(said) < 400
    assert "is no camera (allowed: auto, usb:N" in said


def test_a_value_with_a_dot_in_it_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.toml"
    path.write_text('language = "a · b"\n')
    assert main(["config", "--config", str(path), "--state", str(tmp_path)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert 'language: "a · b" (allowed' in line


@given(
    st.dictionaries(st.sampled_from(NAMES), st.integers(-3, 30), max_size=5),
    st.dictionaries(st.sampled_from(NAMES), st.integers(-3, 30), max_size=5),
)
@settings(max_examples=60, deadline=None)
def test_pins_may_be_used_exactly_when_they_exist_are_free_and_differ(
    buttons: dict[str, int], lamps: dict[str, int]
) -> None:
    pins = [*buttons.values(), *lamps.values()]
    fine = len(set(pins)) == len(pins) and all(0 <= pin <= 27 and pin not in RESERVED for pin in pins)
    if fine:
        check_pins(buttons, lamps)
    else:
        with pytest.raises(ButtonsError, match="allowed"):
            check_pins(buttons, lamps)


def test_a_file_that_is_no_text_no_file_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    for make, said in (
        (lambda: None, "cannot be read"),
        (path.mkdir, "is no file"),
        (lambda: (path.rmdir(), os.mkfifo(path)), "is no file"),
        (lambda: (path.unlink(), path.write_bytes(b"language = '\xff'")), "not UTF-8"),
        (lambda: path.write_bytes(b"\0\0\0\0"), "line 1"),
    ):
        make()
        assert said in details(load(path))["config-wrong"]


def test_choices_on_the_screen_win_and_the_command_line_wins_over_both(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('language = "fi"\nrotate = 180\nsound = true\n')
    (tmp_path / "choices.toml").write_text('version = 1\nlanguage = "sv"\nrotate = 90\n')
    found = load(path, chosen=kept(tmp_path), language="de")
    assert (found.config.language, found.config.rotate, found.config.sound) == ("de", 90, True)
    assert found.origins == {"language": "command line", "rotate": "screen", "sound": "file"}


def test_a_choice_is_on_the_disk_and_one_that_says_what_the_file_says_is_taken_out(tmp_path: Path) -> None:
    owner = {"language": "fi"}
    chosen = Choices(tmp_path, owner, kept(tmp_path))
    chosen.choose("language", "sv")
    chosen.choose("rotate", 270)
    chosen.choose("night", False)  # as the table has it by itself
    chosen.close()
    assert kept(tmp_path) == Kept({"language": "sv", "rotate": 270})
    chosen = Choices(tmp_path, owner, kept(tmp_path))
    chosen.choose("language", "fi")
    chosen.close()
    assert kept(tmp_path) == Kept({"rotate": 270})
    assert kept_in(tmp_path / choices.PREVIOUS) == {"language": "sv", "rotate": 270}


def kept_in(path: Path) -> dict[str, Any]:
    return {key: value for key, value in tomllib.loads(path.read_text()).items() if key != "version"}


@pytest.mark.parametrize(
    "damage",
    [b"", choices.HEAD.encode()[:99], b"lang", b"\0" * 64, b"\xff\xfe", b"[language]\nx = 1\n"],
    ids=["empty", "no version", "half", "zeros", "no text", "other"],
)
def test_a_damaged_file_of_choices_is_set_aside_and_the_one_before_it_holds(tmp_path: Path, damage: bytes) -> None:
    for language in ("sv", "fi"):
        chosen = Choices(tmp_path, {}, kept(tmp_path))
        chosen.choose("language", language)
        chosen.close()
    path = tmp_path / choices.NAME
    path.write_bytes(damage)
    found = load(None, chosen=kept(tmp_path))
    assert found.config.language == "sv", "as it was before the last choice"
    assert "choices.toml" in details(found)["choices-lost"]
    assert path.read_bytes() == damage, "reading changes nothing"
    chosen = Choices(tmp_path, {}, kept(tmp_path))
    chosen.choose("sound", True)
    chosen.close()
    assert kept(tmp_path) == Kept({"language": "sv", "sound": True})
    assert (tmp_path / "choices.damaged-1.toml").read_bytes() == damage
    assert kept_in(tmp_path / choices.PREVIOUS) == {"language": "sv"}, (
        "the sound copy is not given up for a damaged one"
    )


def test_a_file_of_choices_that_is_spoilt_in_mid_game_is_no_previous_copy(tmp_path: Path) -> None:
    def choose(language: str) -> None:
        chosen.choose("language", language)
        assert wait_until(lambda: kept(tmp_path).values.get("language") == language)

    chosen = Choices(tmp_path, {}, kept(tmp_path))
    choose("sv")
    choose("fi")
    (tmp_path / choices.NAME).write_bytes(b"")
    choose("nb")
    chosen.close()
    assert kept_in(tmp_path / choices.PREVIOUS) == {"language": "sv"}


def test_each_choice_is_on_the_disk_before_it_stands_in_for_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cut in between leaves the old file or the new one: the new one is synced before it takes the name, its folder
    after."""
    calls: list[tuple[str, str]] = []
    sync, rename = os.fsync, Path.replace

    def synced(handle: int) -> None:
        calls.append(("synced", Path(f"/proc/self/fd/{handle}").readlink().name))
        sync(handle)

    def renamed(path: Path, to: Path) -> Path:
        calls.append(("renamed", path.name))
        return rename(path, to)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    chosen = Choices(tmp_path, {}, NOTHING)
    for language in ("sv", "fi"):
        chosen.choose("language", language)
        assert wait_until(lambda language=language: kept(tmp_path).values == {"language": language})  # type: ignore[misc]
    chosen.close()

    def put(name: str) -> list[tuple[str, str]]:
        return [("synced", f"{name}.new"), ("renamed", f"{name}.new"), ("synced", tmp_path.name)]

    assert calls == put(choices.NAME) + put(choices.PREVIOUS) + put(choices.NAME)


def test_a_newer_programs_choices_are_kept_for_it(tmp_path: Path) -> None:
    text = 'version = 99\nmood = "sunny"\n'
    (tmp_path / choices.NAME).write_text(text)
    chosen = Choices(tmp_path, {}, kept(tmp_path))
    chosen.choose("sound", True)
    chosen.close()
    assert (tmp_path / "choices.damaged-1.toml").read_text() == text


def test_a_full_disk_is_said_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "RETRY_SECONDS", 0.01)
    full = True

    def write(path: Path, text: str) -> None:
        if full:
            raise OSError(28, "No space left on device")
        real(path, text)

    real = choices.write_text
    monkeypatch.setattr(choices, "write_text", write)
    chosen = Choices(tmp_path, {}, kept(tmp_path))
    chosen.choose("sound", True)
    assert wait_until(lambda: chosen.fault is not None)
    assert "No space" in str(chosen.fault)
    full = False
    assert wait_until(lambda: chosen.fault is None)
    chosen.close()
    assert kept(tmp_path).values == {"sound": True}


def wait_until(true: Callable[[], bool]) -> bool:
    import time

    end = time.monotonic() + 20
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    return true()


def test_the_table_starts_with_a_wrong_file_and_a_card_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("rotate = 45\n[buttons]\nundo = 2\n")
    line = ["play", "--window", "640x480", "--camera", "csi:9", "--state", str(tmp_path), "--config", str(path)]
    said = until_the_loop_goes_round(line)
    assert any(f"config-wrong: {path}: rotate: 45 (allowed: 0, 90, 180, 270)" in text for text in said), said
    assert any(f"pins-wrong: {path}: buttons.undo: pin 2 is used by I2C" in text for text in said), said
    assert not any("Traceback" in text for text in said)


def test_everything_that_can_be_chosen_is_a_setting_and_stands_on_the_desk() -> None:
    desk = choices.on_desk(Desk(), Config(language="nb", rotate=90, night=True, auto_confirm=True, motion=False))
    assert (desk.language, desk.rotate, desk.night, desk.auto_confirm, desk.motion) == ("nb", 90, True, True, False)
    assert choices.chosen(Desk(language="en"), desk).keys() <= set(CHOSEN)
    assert choices.chosen(desk, desk) == {}
    for key in CHOSEN:
        assert SETTINGS[key].default == getattr(Desk(), SETTINGS[key].name), "the same without a file as in it"


def test_the_shipped_file_is_the_example_and_changes_nothing(tmp_path: Path) -> None:
    shipped = Path(__file__).parent.parent / "systemd" / "config.toml"
    assert shipped.read_text(encoding="utf-8") == example(), "run: tallytray config --example > systemd/config.toml"
    assert load(shipped).config == Config()
    assert load(shipped).faults == ()
    bare = "\n".join(line.removeprefix("#") if not line.startswith("# ") else line for line in example().splitlines())
    (tmp_path / "all.toml").write_text(bare)
    found = load(tmp_path / "all.toml")
    assert found.faults == ()
    assert found.origins.keys() == SETTINGS.keys(), "every setting is in it"
    assert found.config.buttons == config.MOCK_BUTTONS


def test_explain_says_of_every_value_where_it_is_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.toml"
    path.write_text('language = "fi"\nsound = true\n[buttons]\nundo = 5\n')
    (tmp_path / "choices.toml").write_text('language = "sv"\n')
    line = ["config", "--config", str(path), "--state", str(tmp_path)]
    assert main([*line, "--explain"]) == 0
    said = capsys.readouterr().out
    assert tomllib.loads(said)["language"] == "sv"
    assert tomllib.loads(said)["buttons"] == {"undo": 5}
    parts = {part.splitlines()[-1]: part for part in said.split("\n\n")}
    assert f'Chosen on the screen ({tmp_path}/choices.toml). {path} says "fi".' in parts['language = "sv"']
    assert f"From {path}." in parts["sound = true"]
    assert "The table's own." in parts["rotate = 0"]
    assert "Allowed: 0, 90, 180, 270." in parts["rotate = 0"]
    assert main([*line, "--json"]) == 0
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)["settings"]}
    assert found.keys() == SETTINGS.keys()
    assert (found["language"]["from"], found["sound"]["from"], found["night"]["from"]) == ("screen", "file", "default")
    assert main(line) == 0
    assert "all is well" in capsys.readouterr().out
    path.write_text("rotate = 45\n[buttons]\nundo = 2\n")
    assert main(line) == 1
    err = capsys.readouterr().err.splitlines()
    assert len(err) == 2
    assert "rotate: 45 (allowed: 0, 90, 180, 270)" in err[0]
    assert "buttons.undo: pin 2 is used by I2C" in err[1]


def test_every_form_there_ever_was_is_read() -> None:
    found = {path.name: load(path) for path in FORMS.glob("*.toml")}
    assert "version-1.toml" in found
    for name, one in found.items():
        assert one.faults == (), name
        assert one.config.language == "sv"
        assert (one.config.camera, one.config.rotate) == ("usb:0", 90)
        assert one.config.buttons["saved-throw"] == 20


def test_an_older_form_is_read_forward_and_a_newer_one_is_refused(
    file: Callable[[str], Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    def to_2(values: dict[str, Any]) -> dict[str, Any]:
        return {"night" if key == "dark" else key: value for key, value in values.items()}

    def to_3(values: dict[str, Any]) -> dict[str, Any]:
        return {key: not value if key == "sound" else value for key, value in values.items()}

    monkeypatch.setattr(config, "VERSION", 3)
    monkeypatch.setattr(config, "MIGRATIONS", (to_2, to_3))
    assert file("dark = true\nsound = false").config == Config(night=True, sound=True)
    assert file("version = 2\nnight = true\nsound = false").config == Config(night=True, sound=True)
    assert file("version = 3\nsound = true").config == Config(sound=True)
    assert "dark" in details(file("version = 2\ndark = true"))["config-wrong"]
    assert "version: 4 (allowed: 1, 2, 3)" in details(file("version = 4\nsound = true"))["config-wrong"]


KEYS = st.sampled_from([*SETTINGS, "version", "langauge", "", "ключ", 'a"b', "hold-1", "a.b"]) | st.text(max_size=8)
SCALARS = (
    st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["sv", "auto", "usb:0", 0, 90, 100, True, False, 5, 17, "recording:x\ny", "usb:\0"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=6,
)


def toml(value: object) -> str:
    """A value as TOML, written independently of the program."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(str(key))} = {toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        marks = (mark if mark.isprintable() and mark not in '"\\' else f"\\U{ord(mark):08x}" for mark in value)
        return (
            '"'
            + "".join("\\uFFFD" if "d800" <= mark[-4:] <= "dfff" and len(mark) == 10 else mark for mark in marks)
            + '"'
        )
    return json.dumps(value).replace("NaN", "nan").replace("Infinity", "inf")


def sound(found: Settings) -> None:
    """Whatever was read: it can be used, its pins may be opened, and each complaint is one line."""
    assert all(setting.trouble(config.value_of(found.config, key)) is None for key, setting in SETTINGS.items())
    check_pins(found.config.buttons, found.config.lamps)
    for word in (found.config.camera, *found.config.switch_off):
        assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in word), (
            "breaks other programs"
        )
    for fault in found.faults:
        assert fault.detail
        assert len(fault.detail.splitlines()) == 1, fault
        assert fault.detail.isprintable()


def fuzzed(times: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=times, deadline=None, suppress_health_check=quiet)


def any_tables(path: Path, tables: dict[str, Any]) -> None:
    text = "\n".join(f"{toml(key)} = {toml(value)}" for key, value in tables.items())
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    found = load(path)
    sound(found)
    chosen = config.read(path, CHOSEN)
    assert chosen.values.keys() <= set(CHOSEN)
    sound(load(path, chosen=chosen))
    if not found.faults:
        assert tables.keys() <= {*SETTINGS, "version"}


def any_bytes(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    sound(load(path, chosen=config.read(path, CHOSEN)))


def spoilt(text: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    for at, gone, put in cuts:
        place = at % (len(text) + 1)
        text = text[:place] + put + text[place + gone :]
    return text


WHOLE = "\n".join(line.removeprefix("#") for line in example().splitlines() if not line.startswith("# ")).encode()
CUTS = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 40), st.binary(max_size=6)), max_size=4)


@given(st.dictionaries(KEYS, VALUES, max_size=6))
@fuzzed(40)
def test_any_table_is_read_or_refused_in_one_line(tmp_path: Path, tables: dict[str, Any]) -> None:
    any_tables(tmp_path / "config.toml", tables)


@given(CUTS)
@fuzzed(60)
def test_any_damage_to_a_whole_file_is_read_or_refused(tmp_path: Path, cuts: list[tuple[int, int, bytes]]) -> None:
    any_bytes(tmp_path / "config.toml", spoilt(WHOLE, cuts))


@pytest.mark.slow
@pytest.mark.timeout(600)
@given(st.dictionaries(KEYS, VALUES, max_size=6))
@fuzzed(2_000)
def test_thirty_thousand_tables(tmp_path: Path, tables: dict[str, Any]) -> None:
    any_tables(tmp_path / "config.toml", tables)


@pytest.mark.slow
@pytest.mark.timeout(600)
@given(CUTS | st.just([]), st.binary(max_size=300))
@fuzzed(2_000)
def test_thirty_thousand_damaged_files(tmp_path: Path, cuts: list[tuple[int, int, bytes]], data: bytes) -> None:
    any_bytes(tmp_path / "config.toml", spoilt(WHOLE, cuts) if cuts else data)
