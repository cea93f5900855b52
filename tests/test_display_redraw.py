"""A window that is only drawn where something changed always shows what drawing all of it anew would show."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import random
from dataclasses import replace

import pygame
import pytest
from test_display_play import FakeSession

from display import layout, paint
from display.examples import NAMES, Dice
from display.intent import Enter, Hold, Intent, Look, NewGame, Start, ThrowByHand
from display.picture import Picture
from display.scene import Part, Scene
from display.view import SeenDie
from display.window import Window

GAMES = ("yatzy", "maxi-yatzy", "trippel-maxi-yatzy", "kniffel", "triple-yahtzee")


def anew(scene: Scene) -> bytes:
    """All of it, thing by thing: no part is copied from a picture kept."""
    surface = pygame.Surface(scene.size)
    paint.paint(surface, replace(scene, parts=(Part(scene.things),)))
    return pygame.image.tobytes(surface, "RGB")


def weight(meant: Intent) -> float:
    """Mostly the game goes on, so that every part of its screens is reached."""
    match meant:
        case ThrowByHand() | Start():
            return 30
        case Enter() | Hold() | Look(what="face"):
            return 5
        case NewGame() | Look(what="screen" | "language" | "rotate"):
            return 0.1
    return 1


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_touched_a_part_redrawn_is_as_good_as_all(seed: int) -> None:
    chance, dice = random.Random(seed), Dice(seed)
    size = ((800, 480), (1280, 720), (480, 800), (1024, 600))[seed]
    now = 0.0
    window = Window(size, off_screen=True, clock=lambda: now)
    table = FakeSession(camera=seed % 2 == 0, remembered=NAMES)
    table.act(Start(GAMES[seed], NAMES[: 2 + seed]))
    pictures = [bytes([shade]) * (160 * 90 * 3) for shade in (40, 90, 140)]
    part = 0
    for step in range(90):
        match = table.match
        if table.camera and match is not None and (match.throws_left or match.phase == "begin") and not table.seen:
            faces = table.falls(dice) if chance.random() < 0.7 else ()
            table.seen = tuple(
                SeenDie(face, asked=False, centre=(20.0 + 20 * n, 40), size=12) for n, face in enumerate(faces)
            )
        elif not table.camera:
            table.seen = ()
        view = table.view()
        if table.camera:
            view = replace(view, picture=Picture(step // 3, 160, 90, pictures[step // 3 % 3]))
        drawn = window.drawn
        window.show(view)
        part += window.drawn - drawn
        assert window._scene is not None
        assert pygame.image.tobytes(window._canvas, "RGB") == anew(window._scene), (step, view.desk)
        now += chance.choice((0.05, 0.1, 1.0))
        if not window.moving:
            assert window._scene == layout.scene(view, size)
        targets = layout.scene(view, size).targets()
        ((_, meant),) = chance.choices(targets, [weight(meant) for _, meant in targets])
        if not (hasattr(meant, "dice") and match is None):
            table.act(meant)
    assert part > 30
