"""What was chosen on the screen: a second settings file, in the state folder, which wins over the owner's.

The owner's file is never written. A choice that says what the owner's file says is taken out again, so that the file
keeps its word. Writing has its own thread: a slow disk never freezes the screen.
"""

import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from device.config import CHOSEN, NOTHING, SETTINGS, VERSION, Config, Kept, read, value_of
from device.textfile import write_text
from display.desk import Desk
from rules.text_file import missing

NAME = "choices.toml"
PREVIOUS = "choices.previous.toml"
RETRY_SECONDS = 2.0
"""How long the writer waits before it tries a failed disk again."""

HEAD = """\
# Chosen on the screen of the table, which writes this file. It wins over config.toml; take a line away while the table
# is off, and that file's word holds again.
"""


def kept(folder: Path) -> Kept:
    """The choices in that state folder; those before the last change where the file is damaged. Changes nothing."""
    path = folder / NAME
    if missing(path):
        return NOTHING
    found = read(path, CHOSEN)
    if found.wrong and not found.values and not missing(folder / PREVIOUS):
        return Kept(read(folder / PREVIOUS, CHOSEN).values, found.wrong)
    return found


class Choices:
    """Keeps in `folder` what is chosen, over what the `owner` says by key. `found` is what `kept` gave; a file that
    is not sound is set aside before another is written, and never becomes the copy of the one before. `fault` is the
    disk's complaint, None while it can be written."""

    def __init__(self, folder: Path, owner: Mapping[str, Any], found: Kept) -> None:
        self._path = folder / NAME
        self._owner = dict(owner)
        self._values = dict(found.values)
        self.fault: str | None = None
        self._wake = threading.Condition()
        self._dirty = False
        self._open = True
        self._writer = threading.Thread(target=self._write, name="choices", daemon=True)
        self._writer.start()

    def choose(self, key: str, value: object) -> None:
        """Keep this choice; it is on the disk soon."""
        with self._wake:
            if value == self._owner.get(key, SETTINGS[key].default):
                self._values.pop(key, None)
            else:
                self._values[key] = value
            self._dirty = True
            self._wake.notify()

    def close(self, patience: float = 5.0) -> None:
        """Write what waits, in at most `patience` seconds."""
        with self._wake:
            self._open = False
            self._wake.notify()
        self._writer.join(patience)

    def _write(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._dirty or not self._open)
                if not self._dirty:
                    return
                self._dirty = False
                text = written(self._values)
            try:
                self._replace(text)
            except OSError as error:
                self.fault = str(error)
                with self._wake:
                    self._dirty = True
                    if not self._open:
                        return
                    self._wake.wait_for(lambda: not self._open, RETRY_SECONDS)
            else:
                self.fault = None

    def _replace(self, text: str) -> None:
        if self._path.exists():
            if not read(self._path, CHOSEN).wrong:
                write_text(self._path.with_name(PREVIOUS), self._path.read_text(encoding="utf-8"))
            else:
                aside = (self._path.with_name(f"choices.damaged-{number}.toml") for number in range(1, 10_000))
                self._path.replace(next(path for path in aside if not path.exists()))
        write_text(self._path, text)


def written(values: Mapping[str, Any]) -> str:
    """The choices as a TOML file. Strings, whole numbers and booleans are written alike in JSON and TOML."""
    lines = [f"{key} = {json.dumps(values[key], ensure_ascii=False)}" for key in CHOSEN if key in values]
    return HEAD + "\n".join((f"version = {VERSION}", *lines, ""))


def on_desk(desk: Desk, config: Config) -> Desk:
    """The desk as these settings want it."""
    return replace(desk, **{SETTINGS[key].name: value_of(config, key) for key in CHOSEN})


def chosen(before: Desk, after: Desk) -> dict[str, object]:
    """The settings that were chosen between two looks of the desk."""
    names = {key: SETTINGS[key].name for key in CHOSEN}
    return {key: getattr(after, name) for key, name in names.items() if getattr(before, name) != getattr(after, name)}
