"""The USB camera's driver, on a fake that behaves as OpenCV and Video4Linux do."""

from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from fake_v4l import AUTO, MANUAL, MJPG, YUYV, Capture, Webcam

from vision.cameras import CameraError, finding, open_camera
from vision.cameras.usb import Usb
from vision.jpeg import Jpeg

NAME = "usb-046d_HD_Pro_Webcam_C920_5F2A-video-index0"


@pytest.fixture
def devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A /dev with nothing in it."""
    (tmp_path / "v4l/by-id").mkdir(parents=True)
    monkeypatch.setattr(finding, "DEVICES", tmp_path)
    monkeypatch.setattr(finding, "BY_ID", tmp_path / "v4l/by-id")
    monkeypatch.setattr(finding, "SYSTEM", tmp_path / "sys")
    return tmp_path


def plug(devices: Path, number: int, name: str = NAME) -> None:
    (devices / f"video{number}").touch()
    (devices / f"video{number + 1}").touch()
    link = devices / "v4l/by-id" / name
    link.unlink(missing_ok=True)
    link.symlink_to(f"../../video{number}")
    other = devices / "v4l/by-id" / name.replace("index0", "index1")
    other.unlink(missing_ok=True)
    other.symlink_to(f"../../video{number + 1}")


@pytest.fixture
def webcam() -> Webcam:
    return Webcam(sizes=((640, 360),))  # as small as is taken: quick to encode


@pytest.fixture
def captures(webcam: Webcam, monkeypatch: pytest.MonkeyPatch) -> list[Capture]:
    made: list[Capture] = []

    def capture(device: object, backend: int) -> Capture:
        made.append(Capture(webcam, device, backend))
        return made[-1]

    monkeypatch.setattr(cv2, "VideoCapture", capture)
    return made


@pytest.fixture
def usb(devices: Path, webcam: Webcam, captures: list[Capture]) -> Callable[[], Usb]:
    plug(devices, 0)
    return lambda: Usb("0", clock=webcam.clock)


def test_it_is_opened_through_video4linux_with_small_pictures_refused(usb: Callable[[], Usb], webcam: Webcam) -> None:
    webcam.sizes = ((640, 360), (1280, 720))
    camera = usb()
    device, backend = webcam.opened[0]
    assert backend == cv2.CAP_V4L2
    assert str(device).endswith("/video0")
    assert camera.size == (1280, 720)
    webcam.sizes = ((320, 240),)
    with pytest.raises(CameraError, match="320x240") as caught:
        usb()
    assert caught.value.fault == "camera-size"


def test_pictures_come_packed_and_in_one_buffer(usb: Callable[[], Usb], captures: list[Capture]) -> None:
    camera = usb()
    assert captures[0].get(cv2.CAP_PROP_FOURCC) == MJPG
    assert captures[0].get(cv2.CAP_PROP_BUFFERSIZE) == 1
    frame = camera.read()
    assert frame is not None
    assert isinstance(frame.picture, Jpeg)
    assert frame.size == (640, 360)
    assert frame.image.shape == (360, 640, 3)
    assert max(frame.picture.grey(200).shape) == 320


def test_a_camera_without_motion_jpeg_gives_whole_pictures(usb: Callable[[], Usb], webcam: Webcam) -> None:
    webcam.formats = (YUYV,)
    frame = usb().read()
    assert frame is not None
    assert frame.image.shape == (360, 640, 3)


@pytest.mark.parametrize("pause", [0.0, 0.01, 0.1, 1.0, 60.0])
def test_a_slow_reader_gets_the_newest_frame(
    usb: Callable[[], Usb], webcam: Webcam, captures: list[Capture], pause: float
) -> None:
    camera = usb()
    for _ in range(3):
        webcam.now += pause
        asked = webcam.now
        frame = camera.read()
        assert frame is not None
        assert captures[0].tick * webcam.period > asked - 0.05, "a picture from before it was asked for"
        assert webcam.now - asked < 3 * webcam.period


@pytest.mark.parametrize("light", [0.2, 1.0, 8.0])
@pytest.mark.parametrize("stale", [False, True])
def test_exposure_settles_and_is_locked_at_what_was_found(
    usb: Callable[[], Usb], webcam: Webcam, light: float, stale: bool
) -> None:
    webcam.light, webcam.stale = light, stale
    camera = usb()
    assert camera.locked
    assert webcam.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == MANUAL
    assert webcam.controls[cv2.CAP_PROP_AUTO_WB] == 0
    assert abs(webcam.level() - 120) < 12
    exposure = webcam.controls[cv2.CAP_PROP_EXPOSURE]
    webcam.light *= 1.5
    for _ in range(30):
        camera.read()
    assert webcam.controls[cv2.CAP_PROP_EXPOSURE] == exposure, "it holds"
    camera.lock()
    assert abs(webcam.level() - 120) < 12, "and is locked anew when it is told to"


@pytest.mark.parametrize("first", [3, 6, 8, 12, 25, 60])
@pytest.mark.parametrize("level", [2.0, 254.0])
def test_black_or_burnt_frames_at_the_start_are_no_steady_light(
    usb: Callable[[], Usb], webcam: Webcam, first: int, level: float
) -> None:
    webcam.first, webcam.first_level = first, level
    assert usb().locked
    assert webcam.first == 0
    assert abs(webcam.level() - 120) < 12


def test_in_the_dark_exposure_stays_automatic_until_it_is_locked_anew(
    usb: Callable[[], Usb], webcam: Webcam, caplog: pytest.LogCaptureFixture
) -> None:
    webcam.first = 10_000
    camera = usb()
    assert not camera.locked
    assert webcam.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO
    assert "too dark" in caplog.text
    webcam.first = 0
    camera.lock()
    assert camera.locked
    assert abs(webcam.level() - 120) < 12


def test_a_camera_that_ignores_manual_exposure_stays_automatic(
    usb: Callable[[], Usb], webcam: Webcam, caplog: pytest.LogCaptureFixture
) -> None:
    del webcam.controls[cv2.CAP_PROP_EXPOSURE]
    assert not usb().locked
    assert webcam.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO
    assert "cannot be locked" in caplog.text


def test_a_broken_frame_is_passed_over(usb: Callable[[], Usb], webcam: Webcam, captures: list[Capture]) -> None:
    camera = usb()
    webcam.broken = frozenset({captures[0].tick + 1})
    frame = camera.read()
    assert frame is not None
    assert frame.image.shape == (360, 640, 3)
    assert captures[0].tick not in webcam.broken


def test_unplugged_it_says_so_and_plugged_in_elsewhere_it_is_known_again(
    devices: Path, webcam: Webcam, captures: list[Capture]
) -> None:
    plug(devices, 0)
    spec = finding.stable("usb:0")
    assert spec == f"usb:{NAME}"
    camera = open_camera(spec)
    webcam.plugged = False
    with pytest.raises(CameraError, match="stopped giving pictures"):
        camera.read()
    camera.close()
    (devices / "v4l/by-id" / NAME).unlink()
    with pytest.raises(CameraError, match="not plugged in"):
        open_camera(spec)
    webcam.plugged = True
    before = finding.trace(spec)
    plug(devices, 4)
    assert finding.trace(spec) != before
    open_camera(spec)
    assert str(webcam.opened[-1][0]).endswith("/video4")


def test_names_stay_when_numbers_are_swapped(devices: Path) -> None:
    other = NAME.replace("5F2A", "77B1")
    plug(devices, 0)
    plug(devices, 2, other)
    assert finding.usb_device(NAME) == devices / "video0"
    assert finding.usb_device("77B1") == devices / "video2"
    plug(devices, 2)
    plug(devices, 0, other)
    assert finding.usb_device(NAME) == devices / "video2"
    assert finding.usb_device("77B1") == devices / "video0"
    assert finding.usb_device("C920") is None, "both are called that"
    assert finding.usb_device("0") == devices / "video0"
    assert finding.usb_device("7") is None


def test_a_bare_number_is_refused_where_several_cameras_are(
    devices: Path, webcam: Webcam, captures: list[Capture]
) -> None:
    other = NAME.replace("5F2A", "77B1")
    plug(devices, 0)
    assert finding.which("usb:0") is None
    plug(devices, 2, other)
    for spec in ("usb:0", "usb:2"):
        assert finding.stable(spec) == spec, "whichever is pinned may be the wrong one"
        with pytest.raises(CameraError) as said:
            open_camera(spec)
        (line,) = str(said.value).splitlines()
        assert line.startswith(f"{spec}: ")
        assert f"(allowed: usb:{NAME}, usb:{other})" in line
    assert webcam.opened == []
    for spec in (f"usb:{other}", "usb:77B1", "csi:0", "auto"):
        assert finding.which(spec) is None


def test_auto_takes_what_is_there_and_no_codec(devices: Path) -> None:
    assert finding.candidates() == []
    with pytest.raises(CameraError, match="no camera found"):
        open_camera("auto")
    for number, name in ((10, "bcm2835-codec-decode"), (20, "pispbe-input"), (3, "Loopback camera")):
        (devices / f"video{number}").touch()
        (devices / f"sys/video{number}").mkdir(parents=True)
        (devices / f"sys/video{number}/name").write_text(name + "\n")
    assert finding.candidates() == ["usb:3"]
    plug(devices, 0)
    assert finding.candidates() == [f"usb:{NAME}"]
