"""The doctor: every check on good, bad and absent readings; nothing it reads makes it stumble."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from device import doctor, readings
from device.__main__ import main
from device.commands.doctor import TO_HAVE_IT
from device.config import Config, Kept, Settings, load
from device.doctor import examined
from device.readings import Disk, Node
from display.view import CHECKS, FAULTS
from display.words import LANGUAGES, words

FOLDER = Path("/state")
NOW = datetime(2026, 11, 30, 12, 0)  # noqa: DTZ001
GOOD_SERVICE = "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=1\n"
OWN = Settings(Config(), Path("c.toml"))


@pytest.mark.parametrize(
    ("finding", "state", "part"),
    [
        (doctor.settings(OWN), "absent", "c.toml"),
        (doctor.settings(replace(OWN, owner=Kept({"sound": True}))), "well", "c.toml"),
        (doctor.settings(replace(OWN, owner=Kept({}, ("c.toml: rotate: 45",)))), "wrong", "rotate: 45"),
        (doctor.settings(replace(OWN, pins=("c.toml: buttons.undo: pin 2",))), "wrong", "pin 2"),
        (doctor.camera("auto", ()), "absent", "auto"),
        (doctor.camera("usb:3", ()), "wrong", "usb:3"),
        (doctor.camera("auto", (Node("usb:a", False), Node("usb:b", True))), "well", "usb:b"),
        (doctor.camera("usb:0", (Node("usb:a", True), Node("usb:b", True))), "wrong", "one of usb:a, usb:b"),
        (doctor.camera("usb:a", (Node("usb:a", False),)), "wrong", "group video"),
        (doctor.camera("auto", (Node("csi:0", True, "size changed"), Node("usb:b", True))), "well", "usb:b"),
        (doctor.camera("auto", (Node("csi:0", True, "a"), Node("usb:b", False))), "wrong", "csi:0: a; usb:b: no perm"),
        (doctor.buttons({}, {}, (), None), "absent", "[buttons]"),
        (doctor.buttons({"undo": 5}, {"undo": 6}, (Node("/dev/gpiochip0", True),), None), "well", "undo 5"),
        (doctor.buttons({"undo": 5}, {}, (), None), "wrong", "gpiochip"),
        (doctor.buttons({"undo": 5}, {}, (Node("/dev/gpiochip0", False),), None), "wrong", "group gpio"),
        (doctor.buttons({"undo": 5}, {}, (Node("/dev/gpiochip0", True),), "No module named 'lgpio'"), "wrong", "lgpio"),
        (doctor.buttons({"undo": 5, "confirm": 5}, {}, (Node("/dev/gpiochip0", True),), None), "wrong", "already"),
        (doctor.screen({}), "absent", "drm"),
        (doctor.screen({"card1-HDMI-A-1": "connected", "card1-DSI-1": "disconnected"}), "well", "HDMI-A-1"),
        (doctor.screen({"card1-HDMI-A-1": "disconnected"}), "wrong", "HDMI-A-1"),
        (doctor.screen({"card1-Composite-1": "unknown"}), "absent", "Composite-1"),
        (doctor.fonts(""), "well", "every letter"),
        (doctor.fonts("äß"), "wrong", "ä ß"),
        (doctor.fonts(None), "wrong", "missing"),
        (doctor.disk(Disk(FOLDER, 5_000_000_000)), "well", "5 000 MB"),
        (doctor.disk(Disk(FOLDER, 199_000_000)), "wrong", "199 MB"),
        (doctor.disk(Disk(FOLDER, 0, "Read-only file system")), "wrong", "Read-only"),
        (doctor.card({}), "absent", "ext4"),
        (doctor.card({"mmcblk0p2": "0"}), "well", "mmcblk0p2"),
        (doctor.card({"mmcblk0p2": "17", "sda1": "0"}), "wrong", "mmcblk0p2: 17"),
        (doctor.voltage(None, None), "absent", "Raspberry"),
        (doctor.voltage("throttled=0x0\n", None), "well", "0x0"),
        (doctor.voltage("throttled=0x50005", None), "wrong", "now"),
        (doctor.voltage("throttled=0x50000", None), "wrong", "since the start"),
        (doctor.voltage("throttled=0x20000", None), "well", "0x20000"),
        (doctor.voltage(None, "0"), "well", "no alarm"),
        (doctor.voltage("throttled=0x0", "1"), "wrong", "now"),
        (doctor.voltage("error=1 error_msg=", None), "absent", ""),
        (doctor.temperature(None), "absent", "thermometer"),
        (doctor.temperature("48312"), "well", "48 °C"),
        (doctor.temperature("80000"), "wrong", "80 °C"),
        (doctor.temperature("hot"), "absent", "thermometer"),
        (doctor.clock(NOW, True, False), "well", "2026-11-30"),
        (doctor.clock(NOW, False, True), "well", "2026-11-30"),
        (doctor.clock(NOW, False, False), "wrong", "not set"),
        (doctor.clock(NOW, None, False), "absent", "nobody"),
        (doctor.clock(NOW.replace(year=1970), True, True), "wrong", "1970"),
        (doctor.service(None), "absent", "systemd"),
        (doctor.service("LoadState=not-found\nActiveState=inactive\nNRestarts=0"), "absent", "not installed"),
        (doctor.service(GOOD_SERVICE), "well", "1 restarts"),
        (doctor.service(GOOD_SERVICE.replace("=active", "=failed")), "wrong", "failed"),
        (doctor.service(GOOD_SERVICE.replace("=enabled", "=disabled")), "wrong", "disabled"),
        (doctor.service(GOOD_SERVICE.replace("=1", "=38")), "wrong", "38 restarts"),
        (doctor.versions({"numpy": "2.2"}, {}), "well", "numpy 2.2"),
        (doctor.versions({}, {"opencv-python": "numpy.dtype size changed"}), "wrong", "dtype size"),
    ],
)
def test_each_check_on_good_bad_and_absent_readings(finding: doctor.Finding, state: str, part: str) -> None:
    assert finding.state == state
    assert part in finding.said


def machine(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


RASPBERRY = {
    "dev/gpiochip0": "",
    "sys/class/drm/card1-DSI-1/status": "connected\n",
    "sys/class/drm/card1-HDMI-A-1/status": "disconnected\n",
    "sys/fs/ext4/mmcblk0p2/errors_count": "0\n",
    "sys/fs/ext4/features/metadata_csum_seed": "supported\n",
    "sys/class/hwmon/hwmon0/name": "cpu_thermal\n",
    "sys/class/hwmon/hwmon1/name": "rpi_volt\n",
    "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
    "sys/class/thermal/thermal_zone0/temp": "51121\n",
    "sys/class/rtc/rtc0/name": "rpi-rtc\n",
    "run/systemd/timesync/synchronized": "",
    "run/systemd/system/x": "",
}


def answer(command: tuple[str, ...]) -> str | None:
    return {"vcgencmd": "throttled=0x0\n", "systemctl": GOOD_SERVICE}.get(command[0])


def states(found: readings.Readings) -> dict[str, str]:
    return {finding.check: finding.state for finding in examined(found)}


def test_a_sound_raspberry_pi_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = machine(tmp_path / "root", RASPBERRY)
    settings = Settings(Config(camera="auto", buttons={"undo": 5}), owner=Kept({"buttons": {"undo": 5}}))
    found = readings.take(settings, tmp_path / "state", root=root, run=answer)
    monkeypatch.setattr(readings.finding, "candidates", lambda: ["csi:0"])
    found = replace(found, pin_library=None, cameras=readings.cameras("auto"))
    assert set(states(found).values()) == {"well"}, examined(found)
    assert [finding.check for finding in examined(found)] == list(CHECKS)


def test_a_sick_raspberry_pi_is_told_what_is_wrong(tmp_path: Path) -> None:
    sick = RASPBERRY | {
        "sys/class/drm/card1-DSI-1/status": "disconnected\n",
        "sys/fs/ext4/mmcblk0p2/errors_count": "3\n",
        "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n",
        "sys/class/thermal/thermal_zone0/temp": "85000\n",
    }
    root = machine(tmp_path / "root", sick)
    (tmp_path / "state").write_text("a file where the folder should be")
    (root / "run/systemd/timesync/synchronized").unlink()
    (root / "sys/class/rtc/rtc0/name").unlink()
    (root / "sys/class/rtc/rtc0").rmdir()
    settings = Settings(Config(camera="usb:nowhere", buttons={"undo": 2}), owner=Kept({}, ("x",)))
    found = readings.take(settings, tmp_path / "state", root=root, run=lambda command: GOOD_SERVICE.replace("=1", "=9"))
    told = states(replace(found, missing_letters="å", broken={"numpy": "gone"}))
    assert set(told.values()) == {"wrong"}, told
    wrong = doctor.faults(examined(found))
    assert wrong.keys() == {"card-errors", "undervoltage", "too-hot", "clock-wrong"}
    assert None not in wrong.values()
    assert wrong.keys() <= set(FAULTS)


def test_a_machine_without_any_of_it_is_told_what_is_not_here(tmp_path: Path) -> None:
    found = readings.take(OWN, tmp_path / "state", root=tmp_path / "nothing", run=lambda command: None)
    told = states(found)
    assert told["disk"] == told["fonts"] == told["versions"] == "well"
    absent = {"settings", "buttons", "screen", "card", "voltage", "temperature", "clock", "service"}
    assert {check for check, state in told.items() if state == "absent"} >= absent
    assert set(doctor.faults(examined(found)).values()) == {None}


def test_folders_where_files_should_be_and_bytes_that_are_no_text_are_no_stumbling_block(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for name in RASPBERRY:
        (root / name).mkdir(parents=True)
    assert len(examined(readings.take(OWN, tmp_path / "state", root=root, run=lambda command: ""))) == len(CHECKS)
    other = machine(tmp_path / "other", RASPBERRY)
    for name in RASPBERRY:
        (other / name).write_bytes(b"\xff\0\n\x1b[31m")
    for finding in examined(readings.take(OWN, tmp_path / "state", root=other, run=lambda command: "\xff\0=\n")):
        assert finding.said.isprintable()


@given(st.text(max_size=30), st.text(max_size=30), st.booleans())
@example(one="0\x1f", other="", here=False)  # a space to one function, none to the next
@settings(max_examples=150, deadline=None)
def test_any_answer_of_the_machine_is_judged(one: str, other: str, here: bool) -> None:
    for finding in (
        doctor.voltage(one, other),
        doctor.voltage(f"throttled=0x{one}", None),
        doctor.temperature(one),
        doctor.card({one: other}),
        doctor.screen({one: other}),
        doctor.service(f"LoadState=loaded\n{one}={other}\nNRestarts={one}"),
        doctor.camera(one, (Node(other, here),)),
        doctor.versions({one: other}, {other: one} if here else {}),
    ):
        assert finding.state in ("well", "wrong", "absent")


def test_a_bare_number_where_several_cameras_are_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings.finding, "usb_names", lambda: ["usb-A", "usb-B"])
    monkeypatch.setattr(readings.finding, "usb_device", lambda name: Path("/dev/null"))
    said = doctor.camera("usb:0", readings.cameras("usb:0"))
    assert said.state == "wrong"
    assert "usb:usb-A (/dev/null), usb:usb-B (/dev/null)" in said.said
    assert doctor.camera("usb:usb-A", readings.cameras("usb:usb-A")).state == "well"


def test_a_command_that_hangs_fails_or_is_not_there_is_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "SECONDS", 0.2)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for name, script in (("hangs", "sleep 30"), ("fails", "exit 3"), ("tells", "echo throttled=0x0")):
        (tmp_path / name).write_text(f"#!/bin/sh\nexec {script}\n" if name == "hangs" else f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    assert readings.ask(("hangs",)) is None
    assert readings.ask(("fails",)) is None
    assert readings.ask(("no-such-command",)) is None
    assert readings.ask(("tells",)) == "throttled=0x0\n"


def test_a_test_write_leaves_nothing_behind(tmp_path: Path) -> None:
    assert readings.disk(tmp_path / "new").complaint is None
    assert list((tmp_path / "new").iterdir()) == []


def test_a_library_that_cannot_be_used_is_told_in_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "built_for_another.py").write_text("raise ValueError('numpy.dtype size changed,\\n may indicate')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(readings.PARTS, "opencv-python", "built_for_another")
    packages, broken = readings.parts()
    assert broken == {"opencv-python": "numpy.dtype size changed, may indicate"}
    assert packages["numpy"]
    assert packages["SDL"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("raise ValueError('numpy.dtype size changed')\n", "numpy.dtype size changed"),
        ("raise RuntimeError\n", "RuntimeError"),
        ("import no_libcamera_at_all\n", "No module named 'no_libcamera_at_all'"),
    ],
)
def test_a_part_of_a_raspberry_pi_that_is_here_but_cannot_be_used_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, complaint: str
) -> None:
    (tmp_path / "part_of_a_pi.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(readings, "PI_PARTS", {"picamera2": "part_of_a_pi", "lgpio": "not_here_at_all"})
    monkeypatch.setattr(readings.finding, "candidates", lambda: ["csi:0"])
    packages, broken = readings.parts()
    assert broken == {"picamera2": complaint}, "what is not here is no fault"
    assert not packages.keys() & {"picamera2", "lgpio"}
    for spec in ("csi:0", "auto"):
        found = readings.take(Settings(Config(camera=spec)), tmp_path, root=tmp_path, run=answer)
        told = {finding.check: finding for finding in examined(found)}
        assert (told["versions"].state, told["versions"].said) == ("wrong", f"picamera2: {complaint}")
        assert (told["camera"].state, told["camera"].said) == ("wrong", f"csi:0: {complaint}")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("pipe", "is neither a folder nor a file (allowed: a folder of numbered pictures, or a video file)"),
        ("nowhere", "does not exist"),
        ("a" * 300, "cannot be read: File name too long"),
    ],
)
def test_what_can_be_no_recording_is_no_camera_that_is_well(tmp_path: Path, place: str, said: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    for kind in ("recording", "virtual"):
        spec = f"{kind}:{tmp_path / place}"
        finding = doctor.camera(spec, readings.cameras(spec))
        assert (finding.state, finding.said) == ("wrong", f"{spec}: {said}")


def test_a_camera_of_any_number_is_looked_for() -> None:
    assert readings.cameras("usb:" + "9" * 400) == ()


def test_every_check_has_a_name_and_a_cure_in_every_language() -> None:
    for code in LANGUAGES:
        assert words(code).table["check"].keys() == set(CHECKS), code
        for check in CHECKS:
            name, cure = words(code).check(check)
            assert name
            assert cure.endswith("."), (code, check)


def test_the_command_says_it_to_people_and_to_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.toml"
    path.write_text("sound = true\n")
    line = [
        "doctor",
        "--state",
        str(tmp_path / "state"),
        "--config",
        str(path),
        "--camera",
        "recording:" + str(tmp_path),
    ]
    assert main([*line, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["well"] is True
    assert [one["check"] for one in told["findings"]] == list(CHECKS)
    assert all((one["cure"] is None) == (one["state"] == "well") for one in told["findings"])
    assert {"camera": "well", "buttons": "absent"}.items() <= {
        one["check"]: one["state"] for one in told["findings"]
    }.items()
    assert next(one for one in told["findings"] if one["check"] == "buttons")["cure"] == TO_HAVE_IT["buttons"]
    path.write_text("sound = 7\n")
    assert main(line) == 1
    said = capsys.readouterr().out
    assert f"WRONG     settings     {path}: sound: 7 (allowed: true or false)" in said
    assert words("en").check("settings")[1] in said
    assert load(path).config.sound is False
