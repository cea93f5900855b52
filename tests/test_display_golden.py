"""The screens as they are kept in fixtures/screens, drawn again."""

import os
import re

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from functools import cache
from pathlib import Path

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray
from surfaces import colours

from display.examples import gallery
from display.golden import LANGUAGES, SCREENS, SIZES, file_name, golden
from display.view import View
from display.window import Window

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "fixtures" / "screens"
LEVELS = 40  # of 255: another version of the letter renderer shades edges otherwise by less
SHARE = 0.002  # of the pixels: a moved word is more


@cache
def views(language: str) -> dict[str, View]:
    return gallery(language)


def pixels(surface: pygame.Surface) -> NDArray[np.int16]:
    return colours(surface).astype(np.int16)


def drawn_again(screen: str, size: tuple[int, int], language: str, folder: Path, kept_in: Path = KEPT) -> float:
    """The share of pixels that differ from the picture kept."""
    window = Window(size, off_screen=True)
    window.show(views(language)[screen])
    window.save(folder / "again.png")
    again = pixels(pygame.image.load(folder / "again.png"))
    kept = pixels(pygame.image.load(kept_in / file_name(screen, size, language)))
    assert again.shape == kept.shape
    return float((np.abs(again - kept).max(axis=2) > LEVELS).mean())


def test_every_screen_is_kept_in_every_size_and_no_other_file() -> None:
    assert sorted(path.name for path in KEPT.glob("*.png")) == sorted(file_name(*one) for one in golden())
    assert {size for _, size, _ in golden()} == set(SIZES)
    for size in SIZES:
        assert {language for _, at, language in golden() if at == size} == set(LANGUAGES)
    assert set(SCREENS) <= set(views("en"))


@pytest.mark.parametrize(("screen", "size", "language"), [one for one in golden() if one[1] == SIZES[0]])
def test_the_small_screens_are_as_kept(
    screen: str, size: tuple[int, int], language: str, tmp_path: Path
) -> None:  # fmt: skip
    assert drawn_again(screen, size, language, tmp_path) < SHARE


@pytest.mark.slow
@pytest.mark.parametrize(("screen", "size", "language"), [one for one in golden() if one[1] != SIZES[0]])
def test_the_larger_screens_are_as_kept(
    screen: str, size: tuple[int, int], language: str, tmp_path: Path
) -> None:  # fmt: skip
    assert drawn_again(screen, size, language, tmp_path) < SHARE


def test_the_readme_shows_the_screens_as_they_are(tmp_path: Path) -> None:
    shown = re.findall(
        r"docs/screens/([a-z-]+)-(\d+)x(\d+)-(\w\w)\.png", (ROOT / "README.md").read_text(encoding="utf-8")
    )
    assert len(shown) >= 4
    for screen, wide, high, language in shown:
        size = (int(wide), int(high))
        assert drawn_again(screen, size, language, tmp_path, ROOT / "docs" / "screens") < SHARE, screen


def test_another_screen_is_told_from_the_one_kept(tmp_path: Path) -> None:
    kept = pixels(pygame.image.load(KEPT / file_name(*golden()[0])))
    window = Window(golden()[0][1], off_screen=True)
    window.show(views("sv")["menu"])
    window.save(tmp_path / "other.png")
    other = pixels(pygame.image.load(tmp_path / "other.png"))
    assert (np.abs(other - kept).max(axis=2) > LEVELS).mean() > 10 * SHARE
