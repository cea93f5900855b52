"""Draws every screen with example games: `python -m display --gallery DIR`. Needs no camera and no screen."""

import argparse
import os
import sys
from functools import cache
from pathlib import Path


def main(words: list[str] | None = None) -> int:
    """Writes one picture per screen; 0 when done."""
    parser = argparse.ArgumentParser(
        prog="python -m display",
        description="Draws every screen of the product with example games, for people who work on the looks.",
        epilog="example: python -m display --gallery out/screens --size 800x480 --language sv",
    )
    parser.add_argument("--gallery", metavar="DIR", required=True, type=Path, help="where the pictures go")
    parser.add_argument("--size", metavar="WxH", default="1280x720", help="size in pixels (default: %(default)s)")
    parser.add_argument("--language", metavar="xx", default="en", help="en, sv, da, nb, fi or de")
    parser.add_argument("--only", metavar="NAME", help="only screens with this in their name")
    parser.add_argument("--golden", action="store_true", help="those of fixtures/screens instead, in all their sizes")
    options = parser.parse_args(words)
    size = _size(options.size)
    if size is None:
        parser.error(f"--size: {options.size!r} is not a size such as 800x480 (from 480x320 to 4096x4096)")

    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from display.examples import gallery
    from display.golden import file_name, golden
    from display.window import Window
    from display.words import LANGUAGES

    if options.language not in LANGUAGES:
        parser.error(f"--language: {options.language!r} is not one of {', '.join(LANGUAGES)}")
    views = cache(gallery)  # games are played for them
    wanted = golden() if options.golden else [(name, size, options.language) for name in views(options.language)]
    try:
        options.gallery.mkdir(parents=True, exist_ok=True)
        for name, at, language in wanted:
            if options.only is None or options.only in name:
                window = Window(at, off_screen=True)
                window.show(views(language)[name])
                path = options.gallery / file_name(name, at, language)
                window.save(path)
                print(path)  # noqa: T201
    except OSError as error:
        print(f"python -m display: {options.gallery}: {error.strerror or error}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


def _size(text: str) -> tuple[int, int] | None:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        return None
    wide, high = int(parts[0]), int(parts[1])
    return (wide, high) if min(wide, high) >= 320 and max(wide, high) <= 4096 else None


if __name__ == "__main__":
    sys.exit(main())
