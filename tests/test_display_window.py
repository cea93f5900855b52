"""The window: one tap is one intent, nothing is drawn when nothing changed, a part redrawn is as good as all."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pygame
import pytest

from display import layout, paint
from display.__main__ import main
from display.desk import Desk
from display.examples import gallery, on, picture, view
from display.view import View
from display.window import LOST_SECONDS, Closed, Key, NoScreen, Tap, Window, draw


@pytest.fixture
def window():
    made = Window((800, 480), title="test")
    pygame.event.clear()
    yield made
    made.close()


def finger(kind, x, y, number=1):
    pygame.event.post(
        pygame.event.Event(kind, touch_id=1, finger_id=number, x=x / 800, y=y / 480, dx=0, dy=0, pressure=1)
    )


def mouse(kind, x, y, button=1, touch=False):
    pygame.event.post(pygame.event.Event(kind, pos=(x, y), button=button, touch=touch))


def test_a_finger_gives_one_tap_where_it_came_down(window):
    finger(pygame.FINGERDOWN, 100, 200)
    finger(pygame.FINGERUP, 103, 198)
    assert window.poll() == [Tap(100, 200)]
    assert window.poll() == []


def test_the_mouse_sdl_makes_of_a_finger_is_not_a_second_tap(window):
    finger(pygame.FINGERDOWN, 100, 200)
    mouse(pygame.MOUSEBUTTONDOWN, 100, 200, touch=True)
    finger(pygame.FINGERUP, 100, 200)
    mouse(pygame.MOUSEBUTTONUP, 100, 200, touch=True)
    assert window.poll() == [Tap(100, 200)]
    assert os.environ["SDL_TOUCH_MOUSE_EVENTS"] == "0"


def test_the_mouse_taps_with_its_left_button_only(window):
    for button in (1, 2, 3, 4):
        mouse(pygame.MOUSEBUTTONDOWN, 10, 20, button)
        mouse(pygame.MOUSEBUTTONUP, 10, 20, button)
    assert window.poll() == [Tap(10, 20)]


def test_a_drag_is_no_tap_and_a_second_finger_is_ignored(window):
    finger(pygame.FINGERDOWN, 100, 200)
    finger(pygame.FINGERUP, 180, 200)
    assert window.poll() == []
    finger(pygame.FINGERDOWN, 100, 200, 1)
    finger(pygame.FINGERDOWN, 300, 300, 2)
    finger(pygame.FINGERUP, 300, 300, 2)
    finger(pygame.FINGERUP, 100, 200, 1)
    assert window.poll() == [Tap(100, 200)]


def test_a_finger_whose_lifting_was_lost_gives_way_to_the_next_one(window, monkeypatch):
    now = 100.0
    monkeypatch.setattr("display.window.time.monotonic", lambda: now)
    finger(pygame.FINGERDOWN, 100, 100, 7)
    assert window.poll() == []
    now += LOST_SECONDS + 0.1
    finger(pygame.FINGERDOWN, 300, 300, 8)
    finger(pygame.FINGERUP, 300, 300, 8)
    assert window.poll() == [Tap(300, 300)]
    finger(pygame.FINGERDOWN, 100, 100, 7)
    assert window.poll() == []
    now += LOST_SECONDS + 0.1
    mouse(pygame.MOUSEBUTTONDOWN, 40, 50)
    mouse(pygame.MOUSEBUTTONUP, 40, 50)
    assert window.poll() == [Tap(40, 50)]


def test_keys_come_by_name(window):
    def key(code, text=""):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode=text, mod=0, scancode=0))

    key(pygame.K_RETURN, "\r")
    key(pygame.K_3, "3")
    key(pygame.K_u, "U")
    key(ord("å"), "å")
    key(pygame.K_SPACE, " ")
    key(pygame.K_LSHIFT)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert window.poll() == [Key("enter"), Key("3"), Key("u"), Key("å"), Key("space"), Closed()]


def test_the_screen_is_turned_while_it_runs_and_turned_back():
    window = Window((800, 480))
    shown = gallery("en")["play-choose"]
    try:
        for turned in (0, 90, 270, 180, 0):
            view = replace(shown, desk=replace(shown.desk, rotate=turned))
            window.show(view)
            upright = pygame.Surface((480, 800) if turned in (90, 270) else (800, 480))
            draw(upright, view)
            expected = pygame.transform.rotate(upright, -turned)
            assert pygame.image.tobytes(window._screen, "RGB") == pygame.image.tobytes(expected, "RGB"), turned
    finally:
        window.close()


def test_the_screen_is_shown_to_the_person_opposite_by_one_touch():
    window = Window((800, 480))
    try:
        shown = gallery("en")["play-choose"]
        window.show(shown)
        assert window.upright(10, 20) == (10, 20)
        window.show(replace(shown, desk=replace(shown.desk, turned=True)))
        assert window.upright(10, 20) == (789, 459)
        assert window._screen.get_at((789, 459)) == window._canvas.get_at((10, 20))
        window.show(shown)
        assert window.upright(10, 20) == (10, 20)
        assert window._screen.get_at((10, 20)) == window._canvas.get_at((10, 20))
    finally:
        window.close()


def test_a_full_screen_hides_the_mouse_and_still_listens_to_it():
    """On some touchscreens a mouse that is switched off takes the fingers with it."""
    window = Window((800, 480), fullscreen=True, title="test")
    try:
        assert not pygame.mouse.get_visible()
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.FINGERDOWN, pygame.FINGERUP):
            assert not pygame.event.get_blocked(kind)
    finally:
        window.close()


def test_nothing_is_drawn_when_nothing_changed():
    window = Window((800, 480), off_screen=True)
    shown = gallery("en")["play-choose"]
    window.show(shown)
    assert window.drawn == 1
    window.show(replace(shown))
    again = replace(shown.picture, pixels=bytes(len(shown.picture.pixels)))
    window.show(replace(shown, picture=again))
    assert window.drawn == 1
    window.show(replace(shown, picture=replace(shown.picture, number=99)))
    assert window.drawn == 2


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)], ids=str)
def test_drawing_only_what_changed_gives_the_same_picture_as_drawing_all(size, tmp_path):
    views = [on(one, motion=False) for one in list(gallery("sv").values())[:: 2 if size[0] > size[1] else 5]]
    window = Window(size)
    for one, other in pairwise(views):
        window.show(one)
        window.show(other)
        whole = pygame.Surface(size)
        draw(whole, other)
        window.save(tmp_path / "part.png")
        assert pygame.image.tobytes(window._canvas, "RGB") == pygame.image.tobytes(whole, "RGB")
        assert pygame.image.tobytes(window._screen, "RGB") == pygame.image.tobytes(whole, "RGB")
    window.close()
    saved = pygame.image.load(str(tmp_path / "part.png"))
    assert saved.get_size() == size


def test_a_changed_box_redraws_a_small_part():
    shown = gallery("en")["play-choose"]
    old = layout.scene(shown, (1280, 720))
    new = layout.scene(replace(shown, desk=replace(shown.desk, box=("fives", 1))), (1280, 720))
    areas = paint.changed(old, new)
    assert 0 < sum(area.w * area.h for area in areas) < 1280 * 720 / 10


def test_no_screen_is_one_clear_error(monkeypatch):
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonsense")
    with pytest.raises(NoScreen, match="nonsense"):
        Window((800, 480))


def test_the_window_starts_no_sound_and_no_joystick():
    program = (
        "import os; os.environ['SDL_VIDEODRIVER']='dummy'\n"
        "from display.window import Window; import pygame\n"
        "w = Window((320, 240)); assert w.poll() == []\n"
        "assert not pygame.mixer or pygame.mixer.get_init() is None\n"
        "assert not pygame.joystick.get_init()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("size", [(320, 240), (240, 320), (480, 320), (2560, 1440)], ids=str)
def test_any_size_is_drawn_without_a_fault(size):
    for shown in list(gallery("de").values())[:: 1 if max(size) < 1000 else 5]:
        draw(pygame.Surface(size), shown)


@pytest.mark.slow
def test_the_gallery_writes_every_screen(tmp_path, capsys):
    assert main(["--gallery", str(tmp_path / "shots"), "--size", "800x480", "--language", "fi"]) == 0
    names = {path.name for path in (tmp_path / "shots").iterdir()}
    assert len(names) == len(gallery("fi")) == len(capsys.readouterr().out.splitlines())
    assert "play-choose-800x480-fi.png" in names


@pytest.mark.parametrize("words", [["--size", "12"], ["--size", "1x1"], ["--language", "xx"]])
def test_the_gallery_refuses_what_it_cannot_draw(words, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--gallery", str(tmp_path), *words])
    assert stop.value.code == 2
    assert words[0] in capsys.readouterr().err


def test_the_gallery_says_in_one_line_where_it_cannot_write(tmp_path, capsys):
    blocked = tmp_path / "file"
    blocked.write_text("x")
    assert main(["--gallery", str(blocked)]) == 1
    assert str(blocked) in capsys.readouterr().err


def test_an_empty_table_has_something_to_show():
    shown = View((), None, Desk())
    with pytest.raises(IndexError):
        layout.scene(shown, (800, 480))
    assert layout.scene(view(None), (800, 480)).things


def test_a_photo_is_drawn_from_the_pictures_own_pixels():
    lying, seen = picture((6,))
    shown = view(None)
    assert shown.picture is not None
    assert (lying.wide, lying.high, len(lying.pixels)) == (640, 360, 640 * 360 * 3)
    assert seen[0].value == 6


@pytest.mark.skipif(sys.platform != "linux", reason="only there does SDL draw for nobody")
def test_without_a_screen_it_says_so_and_draws_for_nobody() -> None:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    bare = {name: value for name, value in os.environ.items() if name not in names}
    program = "from display.window import NoScreen, Window\ntry: Window((800, 480))\nexcept NoScreen: print('none')"
    said = subprocess.run(
        [sys.executable, "-c", program], env=bare, capture_output=True, text=True, timeout=30, check=True
    )
    assert said.stdout == "none\n"
