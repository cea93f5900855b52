"""The options that `play` and `demo` share."""

import argparse
import re
from pathlib import Path
from typing import get_args

from device.commands import BadInput
from device.config import ALLOWED_CAMERAS, CAMERA, Language, one_line, short
from display.window import Window
from vision.cameras.finding import no_recording


def camera(text: str) -> str:
    """What names a camera, see `vision.cameras`."""
    if re.fullmatch(CAMERA, text):
        return text
    raise argparse.ArgumentTypeError(f"'{one_line(short(text))}' is no camera (allowed: {ALLOWED_CAMERAS})")


def window_size(text: str) -> tuple[int, int]:
    """WxH in pixels, from 320x240 to 7680x4320."""
    found = re.fullmatch(r"(\d{1,5})[xX](\d{1,5})", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no size (allowed: WIDTHxHEIGHT, for example 1280x720)")
    width, height = int(found[1]), int(found[2])
    if not (min(width, height) >= 320 and max(width, height) <= 7680):
        raise argparse.ArgumentTypeError(f"'{text}' is out of range (allowed: sides from 320 to 7680 pixels)")
    return width, height


def language(text: str) -> str:
    known = get_args(Language)
    if text not in known:
        raise argparse.ArgumentTypeError(f"'{text}' is no language here (allowed: {', '.join(known)})")
    return text


def check_recording(camera: str) -> None:
    """Raises BadInput where no recording can be: that would only be found once the window is open."""
    kind, _, path = camera.partition(":")
    if kind in ("recording", "virtual") and (why := no_recording(Path(path))) is not None:
        raise BadInput(f"{path} {why}")


def open_window(size: tuple[int, int] | None) -> Window:
    """A window of this size, or the full screen. Raises NoScreen."""
    return Window(size, fullscreen=size is None)
