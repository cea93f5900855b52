"""Motion: short, only where it explains, ended by anything else, and never a reason to draw when nothing moves."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from dataclasses import replace

import pygame
import pytest

from display import layout, motion, paint
from display.examples import NAMES, Dice, on, picture, played, thrown, view
from display.scene import DrawnDie, Lettering, Stroke
from display.window import Window
from rules import Entered, apply, options

SIZE = (800, 480)


class Clock:
    now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def window(clock):
    return Window(SIZE, off_screen=True, clock=clock)


@pytest.fixture(scope="module")
def lying():
    return picture((2, 4, 4, 6, 1))


@pytest.fixture(scope="module")
def before(lying):
    return view(thrown(played("yatzy", NAMES[:4], 22), Dice(11), 2), picture=lying[0])


@pytest.fixture(scope="module")
def after(before):
    return replace(before, match=apply(before.match, Entered("two-pairs", 1)))


def written(scene):
    found = [thing for thing in scene.things if isinstance(thing, Lettering | Stroke) and thing.box == ("two-pairs", 1)]
    assert len(found) == 1
    return found[0]


def test_points_fly_from_the_dice_into_the_box_of_the_player_who_wrote_them(window, clock, before, after):
    window.show(before)
    window.show(after)
    start = written(window._scene)
    assert start.lines == ("14",)
    dice = [thing.rect for thing in window._scene.things if isinstance(thing, DrawnDie) and thing.shelf]
    assert dice[0].x <= start.rect.middle[0] <= dice[-1].right
    clock.now += 0.15
    window.show(after)
    half = written(window._scene)
    clock.now += 0.12
    window.show(after)
    end = written(window._scene)
    assert start.rect.x < half.rect.x <= end.rect.x
    rested = layout.scene(motion.through(after, "Zoë"), SIZE)
    assert abs(end.rect.x - written(rested).rect.x) <= 2
    clock.now += 0.05
    window.show(after)
    assert window._scene == layout.scene(after, SIZE), "after 300 ms the next player's sheet is there"


def test_what_belonged_to_the_throw_before_does_not_come_back_while_points_fly(window, before, after):
    """Faces entered by finger stand on the desk until something else is looked at; so does a sheet looked at large."""
    desk = {"screen": "pad", "pad": (2, 4, 4, 6, 1), "large": True, "moment": before.match.standing - 1}
    window.show(on(before, **desk))
    window.show(on(after, **desk))
    going, still = window._scene, layout.scene(motion.through(after, "Zoë"), SIZE)
    assert window._motion is not None
    assert going.targets() == still.targets()
    assert len([thing for thing in going.things if isinstance(thing, DrawnDie)]) == len(
        [thing for thing in still.things if isinstance(thing, DrawnDie)]
    )


def test_dice_settle_from_where_they_lie_into_their_slots(window, clock, lying):
    rolling = view(played("yatzy", NAMES[:4], 22), tray="moving", picture=lying[0])
    settled = replace(rolling, tray="settled", seen=lying[1])
    window.show(rolling)
    window.show(settled)
    dice = [thing for thing in window._scene.things if isinstance(thing, DrawnDie) and thing.shelf]
    ends = [thing for thing in layout.scene(settled, SIZE).things if isinstance(thing, DrawnDie) and thing.shelf]
    assert [die.value for die in dice] == [die.value for die in ends]
    assert all(die.rect.y < end.rect.y for die, end in zip(dice, ends, strict=True)), "they come from the picture"
    clock.now += 0.29
    window.show(settled)
    assert window._scene == layout.scene(settled, SIZE)


def test_it_can_be_switched_off(window, before, after):
    window.show(on(before, motion=False))
    window.show(on(after, motion=False))
    assert window._scene == layout.scene(on(after, motion=False), SIZE)


def test_nothing_is_drawn_when_it_is_over(window, clock, before, after):
    assert motion.SECONDS <= 0.3
    window.show(before)
    for _ in range(40):
        window.show(after)
        clock.now += 1 / 60
    drawn = window.drawn
    assert drawn <= 20
    for _ in range(100):
        window.show(replace(after))
        clock.now += 1 / 60
    assert window.drawn == drawn


def test_a_newer_picture_or_an_event_safe_on_the_disk_does_not_end_it(window, clock, before, after, lying):
    window.show(before)
    window.show(replace(after, saving=True))
    clock.now += 0.05
    window.show(replace(after, picture=picture((1, 1, 1, 1, 1), 9)[0]))
    assert window._motion is not None
    assert window._scene != layout.scene(after, SIZE)


def test_any_other_change_and_any_touch_ends_it(window, before, after):
    window.show(before)
    window.show(after)
    other = on(after, shown_player="Anna", moment=after.match.standing)
    window.show(other)
    assert window._scene == layout.scene(other, SIZE)


def test_a_touch_shows_what_is_there_now(before, after):
    window = Window(SIZE, clock=lambda: 7.0)
    try:
        pygame.event.clear()
        window.show(before)
        window.show(after)
        assert window._scene != layout.scene(after, SIZE)
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(kind, pos=(10, 470), button=1, touch=False))
        assert len(window.poll()) == 1
        window.show(after)
        assert window._scene == layout.scene(after, SIZE)
    finally:
        window.close()


def test_a_struck_box_gets_its_stroke_by_motion_too(before, window):
    zero = next(option for option in options(before.match) if option.points == 0)
    window.show(before)
    window.show(replace(before, match=apply(before.match, Entered(zero.box, 1))))
    moving = [thing for thing in window._scene.things if isinstance(thing, Stroke) and thing.box == (zero.box, 1)]
    assert len(moving) == 1
    assert window._motion is not None


@pytest.mark.parametrize("game", ["trippel-maxi-yatzy", "kniffel", "yahtzee"])
def test_drawing_what_moved_gives_the_same_picture_as_drawing_all(window, clock, game):
    match = thrown(played(game, NAMES[:3], 20), Dice(5), 2)
    one = view(match)
    choice = max(options(match), key=lambda option: option.points)
    other = replace(one, match=apply(match, Entered(choice.box, choice.column)))
    whole = pygame.Surface(SIZE)
    window.show(one)
    for _ in range(7):
        window.show(other)
        paint.paint(whole, window._scene)
        assert pygame.image.tobytes(whole, "RGB") == pygame.image.tobytes(window._canvas, "RGB")
        clock.now += 0.05
