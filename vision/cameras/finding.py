"""Which cameras there are, without opening one or importing what opens them.

`/dev/video0` may be `/dev/video1` after the next plug; the links in `/dev/v4l/by-id` keep their names.
"""

import importlib.util
import os
import stat
from pathlib import Path

BY_ID = Path("/dev/v4l/by-id")
SYSTEM = Path("/sys/class/video4linux")
DEVICES = Path("/dev")

FIRST_STREAM = "-video-index0"
"""End of the names in `/dev/v4l/by-id` that give pictures; the further indices of a camera give its metadata."""

NO_CAMERAS = ("bcm2835", "pispbe", "rpi", "rp1", "unicam")
"""Beginnings of the names under which a Raspberry Pi shows its codecs and raw sensors as video devices."""


def usb_names() -> list[str]:
    """The lasting names of the USB cameras that are plugged in, sorted."""
    return sorted(path.name for path in BY_ID.glob(f"*{FIRST_STREAM}"))


def video_numbers() -> list[int]:
    """The numbers of all `/dev/videoN` that may be cameras, USB or not, rising. The Raspberry Pi's own are left out."""
    found = []
    for path in DEVICES.glob("video*"):
        number = path.name.removeprefix("video")
        if not number.isdecimal():
            continue
        about = SYSTEM / path.name
        named, index = _text(about / "name"), _text(about / "index")
        if not named.startswith(NO_CAMERAS) and index in ("", "0"):
            found.append(int(number))
    return sorted(found)


def stable(spec: str) -> str:
    """`spec` by its lasting name where it has one, so that a camera plugged in again is known again."""
    kind, _, rest = spec.partition(":")
    if kind != "usb" or not rest.isdecimal() or which(spec) is not None:
        return spec
    device = os.path.realpath(DEVICES / f"video{rest}")
    return next((f"usb:{name}" for name in usb_names() if os.path.realpath(BY_ID / name) == device), spec)


def which(spec: str) -> str | None:
    """One line that asks for a lasting name, where `spec` is a bare number and several USB cameras have such names:
    after the next start the number may be another one's."""
    kind, _, rest = spec.partition(":")
    names = usb_names()
    if kind != "usb" or not rest.isdecimal() or len(names) < 2:
        return None
    lasting = ", ".join(f"usb:{name}" for name in names)
    return f"{spec}: numbers change, and {len(names)} cameras are here (allowed: {lasting})"


def usb_device(name: str) -> Path | None:
    """The device of the USB camera called `name`: a number N for `/dev/videoN`, else a name in `/dev/v4l/by-id` or a
    part of one that only one has. Looked up anew at every call; None while it is not plugged in."""
    if name.isdecimal():
        device = DEVICES / f"video{name}"
        return device if os.access(device, os.F_OK) else None
    alike = [known for known in usb_names() if name in known]
    chosen = name if name in alike else alike[0] if len(alike) == 1 else None
    return Path(os.path.realpath(BY_ID / chosen)) if chosen is not None else None


def no_recording(path: Path) -> str | None:
    """Why there can be no recording at `path`; None where there may be one. Nothing is opened: a pipe would be waited
    for, and a device read for ever."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "does not exist"
    except ValueError:
        return "cannot be read: no file can be called so"
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return "is neither a folder nor a file (allowed: a folder of numbered pictures, or a video file)"
    if not os.access(path, os.R_OK | os.X_OK if stat.S_ISDIR(mode) else os.R_OK):
        return "cannot be read: Permission denied"
    return None


def candidates() -> list[str]:
    """The cameras that `auto` may stand for, best first: the Raspberry Pi's camera connector, then USB cameras."""
    usb = usb_names() or [str(number) for number in video_numbers()]
    return [*(["csi:0"] if _csi_possible() else []), *(f"usb:{name}" for name in usb)]


def trace(spec: str) -> object:
    """Changes when the camera may have come back: what is plugged in, or the file that stands for it."""
    kind, _, rest = spec.partition(":")
    if kind in ("recording", "virtual"):
        try:
            return Path(rest).stat().st_mtime_ns
        except OSError:
            return None
    return (*usb_names(), *video_numbers())


def noticed(spec: str) -> bool:
    """Whether `trace` changes when the camera comes back: nothing shows that a ribbon was put in."""
    return not spec.startswith("csi:") and not (spec == "auto" and _csi_possible())


def _csi_possible() -> bool:
    """Whether the connector's own video devices are there; with a Raspberry Pi 5 even when no camera is on it."""
    if importlib.util.find_spec("picamera2") is None:
        return False
    return any(_text(path / "name").startswith(("unicam", "rp1-cfe")) for path in SYSTEM.glob("video*"))


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
