"""Touches from SDL to intent: finger and mouse alike, on a screen mounted or turned any way, one tap one intent."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pygame
import pytest
from surfaces import colours

from display import layout
from display.examples import gallery, on
from display.intent import Look
from display.window import Tap, Window

MOUNTED = (800, 480)


@pytest.fixture
def window() -> Iterator[Window]:
    made = Window(MOUNTED)
    pygame.event.clear()
    yield made
    made.close()


def finger(kind: int, x: float, y: float, number: int = 1) -> None:
    place = {"x": x / MOUNTED[0], "y": y / MOUNTED[1], "dx": 0.0, "dy": 0.0, "pressure": 1.0}
    pygame.event.post(pygame.event.Event(kind, touch_id=1, finger_id=number, **place))


def tap(x: float, y: float, how: str) -> None:
    """One tap at this pixel of the screen as it is mounted."""
    if how == "finger":
        finger(pygame.FINGERDOWN, x + 0.5, y + 0.5)
        finger(pygame.FINGERUP, x + 0.5, y + 0.5)
    else:
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(kind, pos=(round(x), round(y)), button=1, touch=False))


@pytest.mark.parametrize("how", ["finger", "mouse"])
@pytest.mark.parametrize("opposite", [False, True], ids=["near", "opposite"])
@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_nine_points_are_touched_where_they_are_seen(window: Window, rotate: int, how: str, *, opposite: bool) -> None:
    window.show(on(gallery("en")["menu"], rotate=rotate, turned=opposite))
    wide, high = window.size
    assert (wide, high) == ((480, 800) if rotate in (90, 270) else (800, 480))
    for column in range(3):
        for row in range(3):
            x, y = (wide - 1) * column // 2, (high - 1) * row // 2
            window._canvas.fill((0, 0, 0))
            window._canvas.set_at((x, y), (255, 255, 255))
            window._hand_over(None)
            assert window._screen is not None
            lit = np.argwhere(colours(window._screen).any(axis=2))
            assert len(lit) == 1, "one pixel of the picture is one pixel of the screen"
            tap(*lit[0], how)
            assert window.poll() == [Tap(x, y)]


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_what_is_seen_there_is_what_is_meant_there(window: Window, rotate: int) -> None:
    """On the painted screen, each target of the menu is touched where its own pixels are."""
    view = on(gallery("sv")["menu"], rotate=rotate)
    window.show(view)
    scene = layout.scene(view, window.size)
    for rect, meant in scene.targets():
        mark = pygame.Surface(window.size)
        mark.fill((255, 255, 255), rect)
        window._canvas.blit(mark, (0, 0))
        window._hand_over(None)
        assert window._screen is not None
        spot = np.argwhere(colours(window._screen).any(axis=2)).mean(axis=0)
        tap(*spot, "finger")
        (signal,) = window.poll()
        assert isinstance(signal, Tap)
        assert layout.hit(view, window.size, signal.x, signal.y) == meant


def test_the_person_opposite_gets_the_sheet_by_one_touch_and_gives_it_back_by_one(window: Window) -> None:
    view = gallery("en")["play-choose"]
    for opposite in (True, False):
        window.show(view)
        assert window._screen is not None
        (spot,) = [rect for rect, meant in layout.scene(view, MOUNTED).targets() if meant == Look("turned", opposite)]
        x, y = spot.middle
        tap(*((MOUNTED[0] - 1 - x, MOUNTED[1] - 1 - y) if not opposite else (x, y)), "finger")
        (signal,) = window.poll()
        assert isinstance(signal, Tap)
        assert layout.hit(view, MOUNTED, signal.x, signal.y) == Look("turned", opposite)
        view = replace(view, desk=replace(view.desk, turned=opposite))


def test_a_quick_double_tap_is_two_taps_and_nothing_else(window: Window) -> None:
    for _ in range(2):
        tap(100, 100, "finger")
    assert window.poll() == [Tap(100, 100)] * 2


def test_a_finger_that_only_passes_over_means_nothing(window: Window) -> None:
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=(50, 50), rel=(1, 1), buttons=(0, 0, 0), touch=False))
    finger(pygame.FINGERMOTION, 60, 60)
    finger(pygame.FINGERUP, 60, 60)
    assert window.poll() == []


def test_a_drag_ends_without_a_tap_and_the_next_touch_counts(window: Window) -> None:
    finger(pygame.FINGERDOWN, 100, 200)
    finger(pygame.FINGERMOTION, 200, 200)
    finger(pygame.FINGERUP, 260, 200)
    assert window.poll() == []
    tap(300, 300, "finger")
    assert window.poll() == [Tap(300, 300)]
