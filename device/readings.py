"""What the doctor looks at, read from the machine. Nothing here judges; what cannot be read is None or left out."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from types import MappingProxyType

from device.config import Settings
from device.connectors import connectors
from vision.cameras import finding

Run = Callable[[tuple[str, ...]], str | None]

PARTS = {
    "opencv-python": "cv2",
    "numpy": "numpy",
    "pygame": "pygame",
    "gpiozero": "gpiozero",
    "msgspec": "msgspec",
}
"""The packages the program is made of, and what each is imported as."""
PI_PARTS = {"picamera2": "picamera2", "lgpio": "lgpio"}
"""Those that only a Raspberry Pi has."""

SECONDS = 3.0
"""The longest any other program may take to answer."""


@dataclass(frozen=True)
class Node:
    """A device, whether it may be opened, and why it can be no camera all the same."""

    name: str
    allowed: bool
    wrong: str | None = None


@dataclass(frozen=True)
class Disk:
    """The state folder: bytes free, and the complaint of a test write (None when it went well)."""

    folder: Path
    free: int
    complaint: str | None = None


@dataclass(frozen=True)
class Vital:
    """What may go wrong while the table is played at; cheap to read."""

    card_errors: Mapping[str, str]
    throttled: str | None
    alarm: str | None
    temperature: str | None
    now: datetime
    synchronised: bool | None
    clock_chip: bool


@dataclass(frozen=True)
class Readings:
    """Everything that was read. `service` is what `systemctl show` says, None where there is no systemd."""

    settings: Settings
    cameras: tuple[Node, ...]
    chips: tuple[Node, ...]
    pin_library: str | None
    screens: Mapping[str, str]
    missing_letters: str | None
    disk: Disk
    vital: Vital
    service: str | None
    packages: Mapping[str, str]
    broken: Mapping[str, str]


def take(settings: Settings, state: Path, *, root: Path = Path("/"), run: Run | None = None) -> Readings:
    """Reads it all. `root` stands for the file system's, `run` for whatever answers commands. May take seconds: never
    in the table's loop."""
    run = run or ask
    packages, broken = parts()
    return Readings(
        settings=settings,
        cameras=cameras(settings.config.camera, broken),
        chips=tuple(node(path) for path in sorted((root / "dev").glob("gpiochip*"))),
        pin_library=_complaint("lgpio"),
        screens=connectors(root),
        missing_letters=missing_letters(),
        disk=disk(state),
        vital=vital(root=root, run=run),
        service=service(root, run),
        packages=packages,
        broken=broken,
    )


def vital(*, root: Path = Path("/"), run: Run | None = None) -> Vital:
    """Reads what may change at any time. May take a second: never in the table's loop."""
    run = run or ask
    return Vital(
        card_errors=card_errors(root),
        throttled=run(("vcgencmd", "get_throttled")),
        alarm=alarm(root),
        temperature=_text(root / "sys/class/thermal/thermal_zone0/temp"),
        now=datetime.now(UTC).astimezone(),
        synchronised=synchronised(root),
        clock_chip=bool(list((root / "sys/class/rtc").glob("rtc*"))),
    )


def ask(command: tuple[str, ...]) -> str | None:
    """What a command answers; None where there is no such command, or it fails or takes too long."""
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run((program, *command[1:]), capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return done.stdout if done.returncode == 0 else None


def node(path: Path) -> Node:
    return Node(str(path), os.access(path, os.R_OK | os.W_OK))


def cameras(spec: str, broken: Mapping[str, str] = MappingProxyType({})) -> tuple[Node, ...]:
    """The cameras that the specification may stand for. None of them is opened: the table may be looking through it.
    `broken` are the parts that cannot be used, with their own words."""
    kind, _, rest = spec.partition(":")
    if spec == "auto":
        return tuple(one for found in finding.candidates() for one in cameras(found, broken))
    if finding.which(spec) is not None:
        return tuple(one for name in finding.usb_names() for one in cameras(f"usb:{name}"))
    if kind == "usb":
        device = finding.usb_device(rest)
        return () if device is None else (Node(f"{spec} ({device})", node(device).allowed),)
    if kind == "csi":
        here = any(found.startswith("csi") for found in finding.candidates())
        return (Node(spec, allowed=True, wrong=broken.get("picamera2")),) if here else ()
    return (Node(spec, allowed=True, wrong=finding.no_recording(Path(rest))),)


def disk(folder: Path) -> Disk:
    """The room in that folder, and whether a file can be made in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
        return Disk(folder, shutil.disk_usage(folder).free)
    except OSError as error:
        return Disk(folder, 0, error.strerror or str(error))


def card_errors(root: Path) -> dict[str, str]:
    """What each ext4 file system says of its errors, by its device."""
    found = {path.parent.name: _text(path) for path in sorted((root / "sys/fs/ext4").glob("*/errors_count"))}
    return {name: text for name, text in found.items() if text is not None}


def alarm(root: Path) -> str | None:
    """The kernel's alarm of too little voltage on a Raspberry Pi."""
    for chip in sorted((root / "sys/class/hwmon").glob("hwmon*")):
        if _text(chip / "name") == "rpi_volt":
            return _text(chip / "in0_lcrit_alarm")
    return None


def synchronised(root: Path) -> bool | None:
    """Whether the clock was set by a network's time since the start; None where nobody keeps that."""
    folder = root / "run/systemd/timesync"
    return (folder / "synchronized").exists() if folder.is_dir() else None


def service(root: Path, run: Run) -> str | None:
    """The state of the service that starts the table."""
    if not (root / "run/systemd/system").is_dir():
        return None
    wanted = "LoadState,ActiveState,UnitFileState,NRestarts"
    return run(("systemctl", "show", "tallytray.service", f"--property={wanted}"))


def missing_letters() -> str | None:
    """The letters of the language files that the font cannot draw; None where there is no font."""
    try:
        from display.lettering import has_glyph
        from display.words import LANGUAGES, words

        letters = {letter for code in LANGUAGES for letter in _letters(words(code).table)}
        return "".join(sorted(letter for letter in letters if not has_glyph(letter)))
    except (OSError, LookupError, ImportError):
        return None


def _letters(table: object) -> set[str]:
    if isinstance(table, Mapping):
        return {letter for value in table.values() for letter in _letters(value)}
    if isinstance(table, list):
        return {letter for value in table for letter in _letters(value)}
    return set(str(table))


def parts() -> tuple[dict[str, str], dict[str, str]]:
    """The versions of everything the program is made of, and the complaints of what cannot be used. What only a
    Raspberry Pi has may be absent."""
    packages = {"tallytray": _version("tallytray") or "(not installed)", "Python": sys.version.split()[0]}
    broken: dict[str, str] = {}
    for name, module in (*PARTS.items(), *PI_PARTS.items()):
        complaint = _complaint(module)
        if complaint is None:
            packages[name] = _version(name) or str(getattr(sys.modules[module], "__version__", "?"))
        elif name in PARTS or _installed(module):
            broken[name] = complaint
    if "pygame" in packages:
        import pygame

        packages["SDL"] = ".".join(map(str, pygame.get_sdl_version()))
    if _version("opencv-python") and _version("opencv-python-headless"):
        broken["opencv-python-headless"] = "installed beside opencv-python: remove both, install opencv-python"
    return packages, broken


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # it is imported already, by other ways than the usual ones
        return True


def _complaint(module: str) -> str | None:
    """What importing it says; None when it went well. A library built for another one raises anything at all."""
    try:
        importlib.import_module(module)
    except Exception as error:  # noqa: BLE001
        return " ".join(str(error).split()) or type(error).__name__
    return None


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None
