"""How screens look when they are painted: what is declared is what is seen, and every eye can tell meanings apart."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from functools import cache
from itertools import combinations

import numpy as np
import pygame
import pytest
from surfaces import colours

from display import layout
from display.examples import gallery, on
from display.paint import paint
from display.rect import Rect
from display.scene import Lettering, Photo, Scene
from display.theme import DAY, NIGHT, contrast

SIZE = (800, 480)
PALETTES = {False: DAY, True: NIGHT}
SCREENS = (
    *("new-game", "play-reading", "play-asked", "play-held", "play-choose", "play-refused", "play-entered", "pad"),
    *("play-cursor", "play-counting", "play-trippel-maxi", "large-trippel-maxi", "menu", "result"),
)


@cache
def painted(name: str, *, night: bool) -> tuple[Scene, np.ndarray]:
    """The scene, and its pixels (H, W), each 0xRRGGBB."""
    scene = layout.scene(on(gallery("sv")[name], night=night), SIZE)
    surface = pygame.Surface(SIZE)
    paint(surface, scene)
    return scene, (colours(surface) @ np.array([0x10000, 0x100, 1])).T


def within(pixels: np.ndarray, rect: Rect) -> np.ndarray:
    """The pixels in a rectangle, (N,)."""
    return pixels[rect.y : rect.bottom, rect.x : rect.right].ravel()


def code(colour: tuple[int, int, int]) -> int:
    """A colour as a pixel."""
    return colour[0] << 16 | colour[1] << 8 | colour[2]


@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
@pytest.mark.parametrize("name", SCREENS)
def test_letters_stand_on_the_ground_they_are_said_to_stand_on(name: str, *, night: bool) -> None:
    """So that the contrast computed from the palette is the contrast on the screen: 7:1 for numbers, 4.5:1 for all."""
    scene, pixels = painted(name, night=night)
    palette = PALETTES[night]
    letters = [thing for thing in scene.things if isinstance(thing, Lettering) and any(thing.lines)]
    assert letters
    for thing in letters:
        found, counts = np.unique(within(pixels, thing.rect), return_counts=True)
        ground = palette[thing.ground]
        assert found[counts.argmax()] == code(ground), thing
        number = any(mark.isdigit() for line in thing.lines for mark in line)
        assert contrast(palette[thing.ink], ground) >= (7 if number else 4.5), thing
        assert code(palette[thing.ink]) in found, f"{thing} is not there"


# Linear RGB as seen without the long, middle or short cones (Machado, Oliveira and Fernandes 2009, severity 1).
EYES = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = XYZ @ np.ones(3)


def lab(pixels: np.ndarray, eyes: str) -> np.ndarray:
    """CIE L*a*b* of pixels (N, 3) as these eyes see them."""
    part = np.asarray(pixels) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    xyz = np.clip(linear @ np.array(EYES[eyes]).T, 0, 1) @ XYZ.T / WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


TOGETHER = {
    "play-held": (("held-edge", "die-edge"), ("held", "die"), ("open", "paper"), ("turn", "table"), ("accent", "line")),
    "play-asked": (("ask-edge", "die-edge"), ("ask", "die"), ("ask", "table"), ("notice", "table"), ("notice", "ask")),
    "play-refused": (("notice", "table"), ("notice", "turn")),
    "play-cursor": (("focus", "open-edge"), ("focus", "paper"), ("focus", "open"), ("open", "paper")),
    "play-counting": (("main", "table"), ("main", "on-main"), ("main", "paper")),
    "result": (("turn", "table"), ("paper", "table")),
}
"""Colours that say different things side by side on one screen."""


@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("name", TOGETHER)
def test_what_means_different_things_on_a_screen_looks_different_to_every_eye(
    name: str, eyes: str, *, night: bool
) -> None:
    """The painted screen as each eye sees it: the pixels of two meanings lie at least 5 apart in CIE L*a*b*, twice what
    people just tell apart side by side; edges and letters, which are thin, twice that."""
    _, pixels = painted(name, night=night)
    for one, other in TOGETHER[name]:
        seen = []
        for role in (one, other):
            colour = PALETTES[night][role]
            assert (pixels == code(colour)).sum() > 20, f"{role} is not on the screen"
            seen.append(lab(np.array([colour]), eyes)[0])
        apart = float(np.linalg.norm(seen[0] - seen[1]))
        thin = "edge" in one or one in ("focus", "accent")
        assert apart >= (10 if thin else 5), (one, other, round(apart, 1))


@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
def test_the_three_kinds_of_die_differ_without_any_colour(*, night: bool) -> None:
    """Held, asked about and plain: in shades of grey their pictures still differ, by place, edge and question mark."""
    from display.paint import _drawn_die

    drawn = {}
    for kind in ("plain", "held", "asked"):
        surface = pygame.Surface((60, 60))
        surface.fill(PALETTES[night]["table"])
        surface.blit(_drawn_die(60, 4, kind, night), (0, 0))
        drawn[kind] = colours(surface) @ np.array([0.299, 0.587, 0.114])
    for one, other in combinations(drawn, 2):
        differing = np.abs(drawn[one] - drawn[other]) > 40
        assert differing.mean() > 0.02, (one, other)


def test_pictures_of_the_camera_are_never_written_on() -> None:
    for name in SCREENS:
        scene, _ = painted(name, night=False)
        photos = [pygame.Rect(thing.rect) for thing in scene.things if isinstance(thing, Photo)]
        for thing in scene.things:
            if isinstance(thing, Lettering):
                assert pygame.Rect(thing.rect).collidelist(photos) < 0, (name, thing)
