"""The driver of the Raspberry Pi's camera connector, on a fake that behaves as picamera2 does."""

import os
import sys
from collections.abc import Callable
from multiprocessing.connection import Pipe
from pathlib import Path
from typing import Any

import pytest
from fake_picamera2 import FRAME, Sensor, fake_module

from device.__main__ import main
from device.shared import Shared, new_memory
from device.vision_process import VisionProcess
from device.vision_words import Lost
from vision.cameras import CameraError, finding, open_camera
from vision.cameras.csi import Csi


@pytest.fixture
def sensor(monkeypatch: pytest.MonkeyPatch) -> Sensor:
    sensor = Sensor()
    monkeypatch.setitem(sys.modules, "picamera2", fake_module(sensor))  # type: ignore[arg-type]
    return sensor


@pytest.fixture
def csi(sensor: Sensor) -> Callable[[], Csi]:
    return lambda: Csi(0, clock=sensor.clock)


def values(sensor: Sensor) -> dict[str, Any]:
    request = sensor.made[-1].capture_request(wait=1)
    about: dict[str, Any] = request.get_metadata()
    request.release()
    return about


@pytest.mark.parametrize("light", [0.3, 1.0, 4.0])
def test_what_was_measured_is_written_back_and_holds(csi: Callable[[], Csi], sensor: Sensor, light: float) -> None:
    sensor.light = light
    camera = csi()
    assert camera.locked
    found = values(sensor)
    assert abs(light * found["ExposureTime"] * found["AnalogueGain"] - 1600) < 100
    assert found["ColourGains"] == pytest.approx((1.8, 1.4), abs=0.05)
    sensor.light *= 2
    for _ in range(20):
        camera.read()
    later = values(sensor)
    assert {name: later[name] for name in found if name != "SensorTimestamp"} == {
        name: found[name] for name in found if name != "SensorTimestamp"
    }
    camera.lock()
    assert abs(sensor.light * values(sensor)["ExposureTime"] - 1600) < 100, "locked anew when it is told to"
    assert len(sensor.made) == 1, "one object for life"


@pytest.mark.parametrize("first", [3, 6, 8, 12, 25, 60])
@pytest.mark.parametrize("level", [2.0, 254.0])
def test_black_or_burnt_frames_at_the_start_are_no_steady_light(
    csi: Callable[[], Csi], sensor: Sensor, first: int, level: float
) -> None:
    sensor.first, sensor.first_level = first, level
    assert csi().locked
    assert sensor.first == 0
    found = values(sensor)
    assert abs(found["ExposureTime"] * found["AnalogueGain"] - 1600) < 100
    assert found["ColourGains"] == pytest.approx((1.8, 1.4), abs=0.05)


def test_in_the_dark_exposure_stays_automatic_until_it_is_locked_anew(
    csi: Callable[[], Csi], sensor: Sensor, caplog: pytest.LogCaptureFixture
) -> None:
    sensor.first = 10_000
    camera = csi()
    assert not camera.locked
    assert "too dark" in caplog.text
    sensor.first = 0
    camera.lock()
    assert camera.locked
    assert abs(values(sensor)["ExposureTime"] - 1600) < 100


@pytest.mark.parametrize(("monochrome", "autofocus"), [(True, False), (False, False), (True, True)])
def test_sensors_without_colour_or_focus_are_locked_too(
    csi: Callable[[], Csi], sensor: Sensor, monochrome: bool, autofocus: bool
) -> None:
    sensor.monochrome, sensor.autofocus = monochrome, autofocus
    assert csi().locked


def test_a_frame_was_exposed_after_it_was_asked_for(csi: Callable[[], Csi], sensor: Sensor) -> None:
    camera = csi()
    for pause in (0.0, 0.01, 0.5, 60.0):
        sensor.now += pause
        asked = sensor.now
        frame = camera.read()
        assert frame is not None
        assert asked < frame.taken_at < asked + 3 * FRAME


def test_a_thousand_looks_hold_no_buffer(csi: Callable[[], Csi], sensor: Sensor) -> None:
    camera = csi()
    for _ in range(1000):
        camera.read()
    assert sensor.made[0].free == 4


def test_a_loose_ribbon_ends_the_wait_and_closing_does_not_hang(csi: Callable[[], Csi], sensor: Sensor) -> None:
    camera = csi()
    sensor.ribbon = False
    began = sensor.now
    with pytest.raises(CameraError, match="ribbon"):
        camera.read()
    assert sensor.now - began < 2
    camera.close()
    assert sensor.made[0].closed
    assert camera.lives_once


@pytest.mark.parametrize("broken", ["ribbon", "starts"])
def test_a_camera_that_fails_while_it_is_opened_is_closed(csi: Callable[[], Csi], sensor: Sensor, broken: str) -> None:
    setattr(sensor, broken, False)
    with pytest.raises(CameraError):
        csi()
    assert sensor.made[0].closed
    setattr(sensor, broken, True)
    assert csi().read() is not None


def test_a_camera_is_closed_whatever_fails_before(csi: Callable[[], Csi], sensor: Sensor) -> None:
    camera = csi()
    sensor.made[0].stop = None
    camera.close()
    assert sensor.made[0].closed


@pytest.mark.parametrize("spec", ["csi:0", "auto"])
def test_after_a_failed_start_only_a_new_process_tries_again(
    sensor: Sensor, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    monkeypatch.setattr(finding, "candidates", lambda: ["csi:0"])
    monkeypatch.setattr(os, "_exit", sys.exit)
    monkeypatch.setattr(VisionProcess, "_orders", lambda *_: pytest.fail("one object for life"))
    sensor.ribbon = False
    ours, theirs = Pipe()
    with pytest.raises(SystemExit):
        VisionProcess(theirs, Shared(new_memory()), spec, paced=True).run()
    lost = ours.recv()
    assert isinstance(lost, Lost)
    assert lost.forgot
    assert "ribbon" in lost.reason


def test_what_is_not_there_is_said_in_one_line(sensor: Sensor, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CameraError, match="1 cameras on the connector"):
        open_camera("csi:1")
    sensor.cameras = ("/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.3:1.0-046d:0825",)
    with pytest.raises(CameraError, match="0 cameras on the connector"):
        open_camera("csi:0")
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install python3-picamera2") as caught:
        open_camera("csi:0")
    assert "\n" not in str(caught.value)


def broken_module(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (folder / "picamera2.py").write_text(text)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)


SIZE_CHANGED = "raise ValueError('numpy.dtype size changed,\\n may indicate binary incompatibility')\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (SIZE_CHANGED, r"picamera2 cannot be used \(numpy\.dtype size changed, may indicate"),
        ("raise RuntimeError\n", r"picamera2 cannot be used \(RuntimeError\)"),
        ("import no_libcamera\n", "No module named 'no_libcamera'.*apt install python3-picamera2"),
        ("", "cannot import name 'Picamera2'"),
    ],
)
def test_a_library_that_cannot_be_used_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, why: str
) -> None:
    broken_module(tmp_path, monkeypatch, text)
    with pytest.raises(CameraError, match=why) as caught:
        open_camera("csi:0")
    assert "\n" not in str(caught.value)
    assert not caught.value.spent, "it is tried again without another process"


@pytest.mark.parametrize("spec", ["csi:0", "auto"])
def test_a_library_that_cannot_be_used_is_a_missing_camera_to_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    broken_module(tmp_path, monkeypatch, SIZE_CHANGED)
    monkeypatch.setattr(finding, "candidates", lambda: ["csi:0"])
    monkeypatch.setattr("device.vision_process.REOPEN_SECONDS", 0.0)
    ours, theirs = Pipe()
    orders = iter([[], [], []])
    monkeypatch.setattr(VisionProcess, "_orders", lambda *_: next(orders))
    with pytest.raises(StopIteration):
        VisionProcess(theirs, Shared(new_memory()), spec, paced=True).run()
    lost = ours.recv()
    assert isinstance(lost, Lost)
    assert (lost.fault, lost.forgot) == ("camera-missing", False)
    assert "numpy.dtype size changed, may indicate binary incompatibility" in lost.reason
    assert not ours.poll(), "said once"


def test_calibrating_with_a_broken_library_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken_module(tmp_path, monkeypatch, SIZE_CHANGED)
    assert main(["calibrate", "--camera", "csi:0", "--state", str(tmp_path)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tallytray calibrate: csi:0: picamera2 cannot be used (numpy.dtype size changed, may")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("global_camera_info", "picamera2 cannot be used"),
        ("__init__", "cannot be opened"),
        ("configure", "cannot be started"),
        ("set_controls", "cannot be started"),
        ("capture_request", "its light cannot be locked"),
    ],
)
@pytest.mark.parametrize("error", [ValueError("none of\nours"), KeyError("Id"), AttributeError("no such")], ids=repr)
def test_whatever_the_library_raises_is_said_in_one_line(
    csi: Callable[[], Csi], sensor: Sensor, call: str, says: str, error: Exception
) -> None:
    sensor.fails[call] = error
    with pytest.raises(CameraError, match=says) as caught:
        csi()
    assert " ".join(str(error).split()) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert all(camera.closed for camera in sensor.made)
    sensor.fails.clear()
    assert csi().read() is not None


def test_whatever_the_library_raises_while_it_runs_is_a_lost_camera(csi: Callable[[], Csi], sensor: Sensor) -> None:
    camera = csi()
    for call, use in (("capture_request", camera.read), ("set_controls", camera.lock)):
        sensor.fails = {call: ValueError("none of ours")}
        with pytest.raises(CameraError, match="none of ours") as caught:
            use()
        assert caught.value.spent


def test_a_camera_in_use_is_said_in_one_line(csi: Callable[[], Csi]) -> None:
    csi()
    with pytest.raises(CameraError, match="is it in use"):
        csi()


def test_auto_prefers_the_connector(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(finding, "DEVICES", tmp_path)
    monkeypatch.setattr(finding, "BY_ID", tmp_path / "v4l/by-id")
    monkeypatch.setattr(finding, "SYSTEM", tmp_path / "sys")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    assert finding.candidates() == []
    for number, name in ((0, "unicam-image"), (10, "bcm2835-codec-decode")):
        (tmp_path / f"video{number}").touch()
        (tmp_path / f"sys/video{number}").mkdir(parents=True)
        (tmp_path / f"sys/video{number}/name").write_text(name + "\n")
    assert finding.candidates() == ["csi:0"]
