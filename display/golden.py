"""The screens kept as pictures in `fixtures/screens`: which, in which size and language."""

from itertools import cycle

SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (720, 1280))
LANGUAGES = ("sv", "en", "da", "fi", "de", "nb")
SCREENS = (
    *("idle", "new-game", "teams", "naming", "house-rules", "lots-some"),
    *("play-reading", "play-asked", "play-held", "play-choose", "play-entered", "play-trippel-maxi", "play-night"),
    *("large-trippel-maxi", "pad", "menu", "preview", "players", "aside", "alone", "pin", "language", "end", "off"),
    *("result", "result-eight", "setup", "setup-camera", "setup-buttons", "setup-touch", "setup-checks", "faults"),
    *("joining", "leave", "play-throw-off"),
)
"""Names of `display.examples.gallery`: every screen, and play in its stages."""


def golden() -> list[tuple[str, tuple[int, int], str]]:
    """(screen, size, language): each screen in every size, the languages in turn so that all meet every size."""
    languages = cycle(LANGUAGES)
    return [(screen, size, next(languages)) for screen in SCREENS for size in SIZES]


def file_name(screen: str, size: tuple[int, int], language: str) -> str:
    return f"{screen}-{size[0]}x{size[1]}-{language}.png"
