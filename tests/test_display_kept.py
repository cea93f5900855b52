"""What is kept of what was drawn: enough to be quick, never more than there is room for."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame
import pytest

from display import layout, paint, photo
from display.examples import gallery
from display.kept import BYTES_PER_PIXEL, Kept
from display.picture import Picture
from display.rect import Rect
from display.scene import Lettering, Part, Photo, Scene, Sign
from display.theme import DAY
from display.window import Window


def test_what_is_drawn_again_is_the_very_same():
    assert paint._line_of("Anna", 20, True, (0, 0, 0)) is paint._line_of("Anna", 20, True, (0, 0, 0))
    assert paint._panel(40, 20, "paper", None, 0, 4, False) is not paint._panel(40, 20, "paper", None, 0, 4, True)


@pytest.mark.parametrize("bold", [False, True])
def test_a_number_put_together_from_its_digits_is_drawn_as_the_whole_is(bold):
    for size in range(8, 60):
        for number in (*range(10), 11, 71, 117, 480, 999, 2026):
            thing = Lettering(Rect(0, 0, 300, 80), (str(number),), size, bold, "ink", "paper", "centre")
            surface, whole = (pygame.Surface((300, 80)) for _ in range(2))
            paint.paint(surface, Scene((300, 80), (Part((thing,)),)))
            whole.fill(DAY["table"])
            whole.blit(paint._line_of(str(number), size, bold, DAY["ink"]), thing.placed[0])
            assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(whole, "RGB"), (size, number)


@pytest.mark.parametrize("align", ["left", "centre", "right"])
def test_words_and_signs_cover_no_more_than_is_said(align):
    lines = ("Åsa fjärde", "gick", "100")
    words = Lettering(Rect(20, 20, 260, 150), lines, 36, True, "ink", "table", align, struck=True)
    for thing in (words, Sign(Rect(20, 20, 260, 61), "undo", "ink", "table")):
        part = Part((thing,))
        surface = pygame.Surface((300, 200))
        paint.paint(surface, Scene((300, 200), (part,)))
        inked = pygame.mask.from_threshold(surface, DAY["table"], (1, 1, 1, 255))
        inked.invert()
        assert inked.count() > 100
        assert all(part.box.contains(rect) for rect in inked.get_bounding_rects())
        assert part.box.w * part.box.h < thing.rect.w * thing.rect.h


def test_months_of_names_and_numbers_take_no_more_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(paint.KEPT, "room", 1_000_000)
    surface = pygame.Surface((400, 60))
    for number in range(500):
        name = Lettering(Rect(0, 0, 400, 60), (f"name {number}",), 30, bold=False, ink="ink", ground="paper")
        paint.paint(surface, Scene((400, 60), (Part((name,)),)))
        assert paint.KEPT.taken <= 1_000_000
    assert paint.KEPT.taken > 900_000, "as many as there is room for"


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)])
@pytest.mark.parametrize("name", ["play-trippel-maxi", "result-eight", "new-game", "faults"])
def test_as_much_is_kept_as_one_screen_needs(monkeypatch, size, name):
    monkeypatch.setattr(paint.KEPT, "room", paint.KEPT.room)
    Window(size, off_screen=True)
    surface, scene = pygame.Surface(size), layout.scene(gallery("de")[name], size)
    paint.paint(surface, scene)
    drawn = list(paint.KEPT._pictures.values())
    paint.paint(surface, scene)
    assert {id(one) for one in paint.KEPT._pictures.values()} == {id(one) for one in drawn}, "nothing is drawn anew"


def test_what_was_not_wanted_for_longest_makes_way():
    kept, drawn = Kept(290 * BYTES_PER_PIXEL), []

    @kept.once
    def square(side):
        drawn.append(side)
        return pygame.Surface((side, side))

    for side in (10, 9, 8, 10, 7, 10, 9):
        square(side)
    assert drawn == [10, 9, 8, 7, 9]
    assert len(kept) == 3
    assert kept.taken == (100 + 81 + 49) * BYTES_PER_PIXEL
    square(30)
    assert len(kept) == 1, "one that is too large stays until the next"


def test_a_live_picture_leaves_no_trail():
    surface = pygame.Surface((320, 180))
    photo._SHOWN.clear()
    for number in range(30):
        tray = Picture(number, 64, 36, bytes([number]) * (64 * 36 * 3))
        photo.draw_photo(surface, Photo(Rect(0, 0, 320, 180), tray))
        crop = Picture(-1 - number % 5, 9, 9, bytes([number]) * (9 * 9 * 3))
        photo.draw_photo(surface, Photo(Rect(0, 0, 90, 90), crop))
        assert surface.get_at((200, 100))[:3] == (number,) * 3
    assert len([key for key in photo._SHOWN if key[0] >= 0]) <= 2
    assert len([key for key in photo._SHOWN if key[0] < 0]) == 5
