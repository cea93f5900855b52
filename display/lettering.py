"""Letters: which font file, how wide a word is, how it is fitted into a rectangle.

Only `pygame.font` is started here, never the display: measuring needs no screen.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, pairwise

import fontpkg
import pygame

from display.rect import Rect
from display.theme import BOLD, FAMILY, REGULAR

DOTS = "…"

NO_BREAK = "\u00a0"
"""The space within a number: every font draws it, though Python does not call it printable."""

KNOWN = 5_000
"""Measures kept: all screens in one language ask for 4,300."""


@lru_cache(maxsize=256)
def font(size: int, bold: bool = False) -> pygame.font.Font:
    """The font at this height in pixels."""
    pygame.font.init()
    return pygame.font.Font(str(fontpkg.path(FAMILY, weight=BOLD if bold else REGULAR)), size)


@lru_cache(maxsize=KNOWN)
def width(text: str, size: int, bold: bool = False) -> int:
    """How many pixels wide the text is drawn."""
    return font(size, bold).size(drawable(text))[0]


def drawable(text: str) -> str:
    """The text with a ? for what no font draws, and what makes a font refuse the whole of it."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter == NO_BREAK else "?" for letter in text)


@lru_cache(maxsize=256)
def line_height(size: int, bold: bool = False) -> int:
    """From one line's top to the next one's."""
    return font(size, bold).get_height()


def placed(rect: Rect, lines: tuple[str, ...], size: int, bold: bool, align: str) -> Iterator[pygame.Rect]:
    """What each line is drawn in; all of them stand in the middle of the rectangle's height."""
    high = line_height(size, bold)
    y = rect.y + (rect.h - high * len(lines)) // 2
    for line in lines:
        wide = width(line, size, bold)
        spare = {"left": 0, "centre": (rect.w - wide) // 2, "right": rect.w - wide}[align]
        yield pygame.Rect(rect.x + spare, y, wide, high)
        y += high


@lru_cache(maxsize=256)
def even_digits(size: int, bold: bool = False) -> bool:
    """Whether a number is drawn just as its digits side by side: none reaches into its neighbour."""
    return all(left >= 0 and right <= step for left, right, _, _, step in font(size, bold).metrics("0123456789"))


@lru_cache(maxsize=KNOWN)
def fit(
    text: str, room: tuple[int, int], size: int, smallest: int, bold: bool = False, most_lines: int = 1
) -> tuple[int, tuple[str, ...], bool]:
    """The largest size from `size` down to `smallest` at which the text fits the room (width, height), with its
    lines, and whether letters had to be left out at the end (never in the middle of a letter)."""
    wide, high = room
    for tried in range(size, smallest - 1, -1):
        lines = wrap(text, wide, tried, bold)
        if (
            len(lines) <= most_lines
            and len(lines) * line_height(tried, bold) <= high
            and all(width(line, tried, bold) <= wide for line in lines)
        ):
            return tried, lines, False
    lines = wrap(text, wide, smallest, bold)
    count = max(1, min(most_lines, high // line_height(smallest, bold)))
    kept = list(lines[:count])
    if len(lines) > count:
        kept[-1] += DOTS
    told = [shortened(line, wide, smallest, bold) for line in kept]
    ends = next((place for place, line in enumerate(told) if line.endswith(DOTS)), len(told) - 1)
    return smallest, tuple(told[: ends + 1]), True  # nothing is said after the dots


def fit_all(
    texts: tuple[str, ...],
    room: tuple[int, int],
    size: int,
    smallest: int,
    bold: bool = False,
    most_lines: int = 1,
) -> int:
    """The largest size at which each of the texts fits a room of that size: so that a list looks like one."""
    return min((fit(text, room, size, smallest, bold, most_lines)[0] for text in texts), default=size)


def fit_apart(digits: int, wide: int, high: int, size: int, smallest: int, bold: bool = False) -> int:
    """The largest size at which a number of so many digits leaves part of its cell free, so that the numbers of
    neighbouring columns never run together: a digit's width, of three digits and more half of that. One digit is as
    large as two."""
    halves = 2 * max(digits, 2) + (2 if digits <= 2 else 1)
    return fit("0" * halves, (2 * wide, high), size, smallest, bold)[0]


def wrap(text: str, wide: int, size: int, bold: bool = False) -> tuple[str, ...]:
    """Lines broken at spaces and after hyphens where the text is wider than `wide`."""
    lines: list[str] = []
    line = ""
    for word in parted(text):
        if line and width((line + word).rstrip(), size, bold) > wide:
            lines.append(line.rstrip())
            line = ""
        line += word
    lines.append(line.rstrip())
    return tuple(lines)


def parted(text: str) -> list[str]:
    """The text in the pieces between which a line may be broken."""
    return text.replace("-", "-\u200b").replace(" ", " \u200b").split("\u200b")


@lru_cache(maxsize=KNOWN)
def narrowest(text: str, size: int, bold: bool, most_lines: int) -> int:
    """The least width in which the text fits at this size in so many lines."""
    pieces = parted(text)
    widths = []
    for breaks in combinations(range(1, len(pieces)), min(most_lines, len(pieces)) - 1):
        edges = (0, *breaks, len(pieces))
        lines = ["".join(pieces[a:b]).rstrip() for a, b in pairwise(edges)]
        widths.append(max(width(line, size, bold) for line in lines))
    return min(widths)


def apart(name: str, lines: tuple[str, ...], others: Iterable[str]) -> str:
    """The name, or where the lines it was shortened to could be those of another one, its end: what comes after the
    last break that both begin with."""
    left = "".join(lines).removesuffix(DOTS).replace(" ", "")
    for other in others:
        if other != name and other.replace(" ", "").startswith(left):
            letters, same = clusters(name), 0
            for one, two in zip(letters, clusters(other), strict=False):
                if one != two:
                    break
                same += 1
            begin = max(
                (place + 1 for place, one in enumerate(letters[:same]) if one in " -"), default=max(0, same - 1)
            )
            return DOTS + "".join(letters[begin:])
    return name


def shortened(text: str, wide: int, size: int, bold: bool = False) -> str:
    """The text, or as many of its first letters as fit with three dots after them."""
    if width(text, size, bold) <= wide:
        return text
    letters = clusters(text.removesuffix(DOTS))
    while letters and width("".join(letters).rstrip() + DOTS, size, bold) > wide:
        letters.pop()
    return "".join(letters).rstrip() + DOTS


def clusters(text: str) -> list[str]:
    """The text letter by letter, an accent kept with the letter that carries it."""
    letters: list[str] = []
    for mark in unicodedata.normalize("NFC", text):
        if letters and unicodedata.combining(mark):
            letters[-1] += mark
        else:
            letters.append(mark)
    return letters


@lru_cache(maxsize=4096)
def has_glyph(letter: str, bold: bool = False) -> bool:
    """Whether the font draws this letter as itself and not as the box for a missing one."""
    if letter.isspace():
        return True
    drawn = font(40, bold).render(letter, True, (0, 0, 0))
    missing = font(40, bold).render("\ue123", True, (0, 0, 0))
    return pygame.image.tobytes(drawn, "RGBA") != pygame.image.tobytes(missing, "RGBA")
