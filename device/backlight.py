"""The screen's backlight, where the system shows one."""

from pathlib import Path

LEAST = 1
"""Never off: some screens do not come back."""


class Backlight:
    """The first backlight under `/sys/class/backlight`; without one nothing happens. `root` stands for the file
    system's."""

    def __init__(self, root: Path = Path("/")) -> None:
        found = sorted((root / "sys/class/backlight").glob("*/max_brightness"))
        self._most = _number(found[0]) if found else None
        self._path = found[0].with_name("brightness") if found else None

    @property
    def here(self) -> bool:
        return bool(self._most)

    def set(self, percent: int) -> bool:
        """Whether it was set to that brightness; the system may not let us."""
        if self._path is None or not self._most:
            return False
        try:
            self._path.write_text(str(max(LEAST, round(self._most * percent / 100))))
        except OSError:
            return False
        return True


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None
