"""Example views of the owner's setup, for the gallery and the tests."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from display.view import CHECKS, Calibrating, Finding, SeenDie, View, Wired

BUTTONS = (*(f"hold-{slot}" for slot in range(1, 7)), "saved-throw", "confirm", "undo")
WELL_OR_NOT: Mapping[str, Literal["well", "wrong", "absent"]] = {
    "buttons": "absent",
    "screen": "absent",
    "temperature": "wrong",
    "clock": "wrong",
}
SAID = {
    "settings": "/etc/tallytray/config.toml",
    "camera": "usb:usb-Longest_Name_Of_A_Camera_0123456789-video-index0",
    "buttons": "no [buttons] in the settings",
    "screen": "/sys/class/drm: no connector",
    "fonts": "every letter of every language",
    "disk": "/var/lib/tallytray: 24 713 MB free",
    "card": "mmcblk0p2: 0 errors",
    "voltage": "0x0",
    "temperature": "86 °C",
    "clock": "2026-11-30 13:33, not set since the start",
    "service": "active, enabled, 0 restarts",
    "versions": "tallytray 0.1.0, Python 3.13.5, opencv-python 5.0.0.93, numpy 2.2.4, pygame 2.6.1, SDL 2.28.4",
}


def setup(bare: View, playing: View, seen: tuple[SeenDie, ...]) -> dict[str, View]:
    """Every page of the setup: over a table without a game, and over one with."""

    def at(where: str, made: View = bare, **parts: object) -> View:
        own = {name: parts.pop(name) for name in ("tried", "astray", "page") if name in parts}
        desk = replace(made.desk, open=where, **own)  # type: ignore[arg-type]
        return replace(made, desk=desk, setup=replace(made.setup, **parts))  # type: ignore[arg-type]

    doubtful = (*seen[:3], replace(seen[3], value=None, asked=True), seen[4])
    wired = tuple(Wired(name, 5 + place, 14 + place) for place, name in enumerate(BUTTONS))
    half = (*wired[:3], replace(wired[3], down=True), replace(wired[4], lamp=None))
    camera = "usb:usb-Longest_Name_Of_A_Camera_0123456789-video-index0"
    rim = ((40.0, 30.0), (600.0, 36.0), (610.0, 330.0), (30.0, 325.0))
    throw = Calibrating("throw-the-dice", part=0.4, outline=rim)
    full = Calibrating("empty-the-tray", "dice-in-the-tray")
    done = Calibrating("nothing-more", None, 1.0, rim, done=True, advice=("too-dark", "dice-too-small", "no-rim-found"))
    every = tuple(Finding(check, WELL_OR_NOT.get(check, "well"), SAID.get(check, "")) for check in CHECKS)
    wrong = tuple(replace(finding, state="wrong") for finding in every)
    return {
        "setup": at("setup"),
        "setup-brightness": at("setup", playing, backlight=True),
        "setup-camera": at("setup-camera", camera=camera, sight=seen, calibrates=True),
        "setup-camera-unsure": at("setup-camera", camera=camera, sight=doubtful, troubles=("touching-unresolved",)),
        "setup-camera-none": at("setup-camera", replace(bare, picture=None, tray="no-camera"), camera="auto"),
        "setup-calibrating": at("setup-camera", camera=camera, calibrates=True, calibrating=throw),
        "setup-calibrating-not-empty": at("setup-camera", camera=camera, calibrates=True, calibrating=full),
        "setup-calibrated": at("setup-camera", camera=camera, calibrates=True, calibrating=done),
        "setup-buttons": at("setup-buttons", wired=wired, tried=("hold-1", "confirm", "hold-2")),
        "setup-buttons-few": at("setup-buttons", wired=half, tried=("hold-4",)),
        "setup-buttons-none": at("setup-buttons"),
        "setup-touch": at("setup-touch", tried=("1", "2")),
        "setup-touch-astray": at("setup-touch", tried=("1",), astray="4"),
        "setup-touch-right": at("setup-touch", tried=tuple("12345")),
        "setup-checks": at("setup-checks", findings=every),
        "setup-checks-more": at("setup-checks", findings=every, page=1),
        "setup-checks-wrong": at("setup-checks", findings=wrong),
        "setup-checks-first": at("setup-checks"),
    }
