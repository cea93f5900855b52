"""The screen and the fingers: the one place that opens a display and asks it for events."""

import errno
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# SDL reads this when it starts: without it every finger is reported twice, as a finger and as a mouse.
os.environ["SDL_TOUCH_MOUSE_EVENTS"] = "0"
os.environ.setdefault("SDL_MOUSE_TOUCH_EVENTS", "0")
# With some builds of SDL a window under a bare Wayland compositor never opens while this is allowed.
os.environ.setdefault("SDL_VIDEO_WAYLAND_ALLOW_LIBDECOR", "0")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from display import layout, motion, paint
from display.motion import Motion
from display.rect import Rect
from display.scene import Scene
from display.theme import touch
from display.view import View

DRAG = 0.6
"""A finger that moves farther than this part of a touch target between down and up is a drag, and ignored."""

LOST_SECONDS = 2.0
"""A finger that has not been let go for so long gives way to another: some panels lose the moment it was lifted."""

INVISIBLE = ("offscreen", "dummy", "evdev")
"""Drivers of SDL that show nothing to anybody."""


class NoScreen(Exception):
    """No screen can be opened. Its text says in one line what was tried; the caller may go on off screen."""


def _canvas(size: tuple[int, int]) -> pygame.Surface:
    """Lines that begin a multiple of 16 bytes apart SDL copies past the processor's cache, which takes longer for
    what is narrow; one odd pixel at each line's end keeps it from that."""
    w, h = size
    return pygame.Surface((w | 1, h)).subsurface((0, 0, w, h))


@dataclass(frozen=True)
class Tap:
    """One touch or one click, where it came down, in pixels of the upright screen."""

    x: int
    y: int


@dataclass(frozen=True)
class Key:
    """One key went down, by its name: "1", "enter", "up", "a", "å"."""

    name: str


@dataclass(frozen=True)
class Closed:
    """The window was closed."""


Signal = Tap | Key | Closed

NAMES = {
    pygame.K_RETURN: "enter",
    pygame.K_KP_ENTER: "enter",
    pygame.K_BACKSPACE: "backspace",
    pygame.K_ESCAPE: "escape",
    pygame.K_SPACE: "space",
    pygame.K_TAB: "tab",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_DELETE: "backspace",
    pygame.K_F10: "menu",
    pygame.K_MENU: "menu",
    pygame.K_F2: "setup",
}


class Window:
    """The table's screen.

    `size` is that of the window, None the whole screen's; `off_screen` draws without opening one. The desk's `rotate`
    turns the picture for a screen that is mounted so, and touches back; `size` is then that of the upright picture.
    `clock` tells the seconds that motion is timed by; off screen, where nobody looks, nothing moves without one.
    Raises NoScreen when no screen can be opened.
    """

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        *,
        fullscreen: bool = False,
        title: str = "Tallytray",
        off_screen: bool = False,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.turned = 0
        self.driver = "none"
        self._screen: pygame.Surface | None = None
        if not off_screen:
            self._screen = _open(size, fullscreen, title)
            self.driver = pygame.display.get_driver()
            size = self._screen.get_size()
        self.size: tuple[int, int] = size or (1280, 720)
        pygame.font.init()
        self._canvas = _canvas(self.size)
        paint.keep_for(self.size)
        self._scene: Scene | None = None
        self._view: View | None = None
        self._clock = clock if clock is not None or off_screen else time.monotonic
        self._motion: Motion | None = None
        self._moves_since = 0.0
        self._finger: tuple[object, int, int] | None = None
        self._finger_since = 0.0
        self._shown_at = 0
        self.drawn = 0
        """How many times anything was drawn."""

    def poll(self) -> list[Tap | Key | Closed]:
        """What happened since the last call, oldest first. A finger or mouse that moved far is no tap."""
        if self._screen is None:
            return []
        signals: list[Tap | Key | Closed] = []
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                signals.append(Closed())
            elif event.type == pygame.KEYDOWN:
                name = NAMES.get(event.key) or event.unicode.lower()
                if name.strip():
                    signals.append(Key(name))
            elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED):
                self._view = self._scene = None
            else:
                tap = self._pointer(event)
                if tap is not None:
                    self._rest()
                    signals.append(tap)
        return signals

    def show(self, view: View) -> None:
        """Draws the view, and of it only what differs from what is on the screen; nothing when nothing does."""
        same = self._view is not None and (view is self._view or view == self._view)
        if same and self._motion is None:
            return
        self._mount(view.desk.rotate)
        scene = self._moving(view) or layout.scene(view, self.size)
        self._view = view
        old, self._scene = self._scene, scene
        areas = None if old is None else paint.changed(old, scene)
        if areas == [] and self._angle() == self._shown_at:
            return
        paint.paint(self._canvas, scene, areas)
        self.drawn += 1
        self._hand_over(areas)

    def _mount(self, turned: int) -> None:
        """The screen is mounted so: a quarter turn changes what is high and what is wide."""
        if turned == self.turned:
            return
        if (turned - self.turned) % 180:
            self.size = (self.size[1], self.size[0])
            self._canvas = _canvas(self.size)
            self._scene = None
        self.turned = turned
        self._finger = self._motion = None

    def _moving(self, view: View) -> Scene | None:
        """The screen with something on its way; None when nothing is. A change of anything else ends it."""
        if self._clock is None or self._view is None or self._scene is None:
            return None
        now = self._clock()
        if self._motion is None or not self._motion.goes_on(view):
            self._motion = motion.begun(self._view, view, self._scene, self.size)
            self._moves_since = now
        part = (now - self._moves_since) / motion.SECONDS
        if self._motion is None or part >= 1:
            self._motion = None
            return None
        return self._motion.scene(view, part)

    def _rest(self) -> None:
        """What is on its way arrives at once: what is touched is what is there now."""
        if self._motion is not None:
            self._motion = self._view = None

    def _hand_over(self, areas: list[Rect] | None) -> None:
        """Gives the drawn picture to the screen, or only these parts of it."""
        angle = self._angle()
        if self._screen is None:
            return
        if areas is None or angle or angle != self._shown_at:
            self._screen.blit(pygame.transform.rotate(self._canvas, -angle) if angle else self._canvas, (0, 0))
            pygame.display.flip()
        else:
            boxes = [pygame.Rect(area.x, area.y, area.w, area.h) for area in areas]
            for box in boxes:
                self._screen.blit(self._canvas, box, box)
            pygame.display.update(boxes)
        self._shown_at = angle

    @property
    def moving(self) -> bool:
        """Whether something is on its way and wants to be shown again soon."""
        return self._motion is not None

    def save(self, path: str | Path) -> None:
        """Writes what is shown as a picture, upright; the file's ending says which kind (.png). Raises OSError."""
        try:
            pygame.image.save(self._canvas, str(path))
        except pygame.error as error:
            raise OSError(errno.EIO, "cannot be written", str(path)) from error

    def close(self) -> None:
        """Gives the screen back."""
        if self._screen is not None:
            self._screen = None
            pygame.display.quit()

    def upright(self, x: float, y: float) -> tuple[int, int]:
        """A place on the screen as it is mounted, as a place on the upright picture."""
        w, h = self.size
        x, y = int(x), int(y)  # the pixel first: a turned half pixel would lie in its neighbour
        match self._angle():
            case 90:
                x, y = y, h - 1 - x
            case 180:
                x, y = w - 1 - x, h - 1 - y
            case 270:
                x, y = w - 1 - y, x
        return min(max(x, 0), w - 1), min(max(y, 0), h - 1)

    def _angle(self) -> int:
        """How far the picture is turned: as the screen is mounted, and round when the desk says so."""
        opposite = self._view is not None and self._view.desk.turned
        return (self.turned + (180 if opposite else 0)) % 360

    def _pointer(self, event: pygame.event.Event) -> Tap | None:
        """Fingers and the mouse alike: pressed and let go in about the same place is one tap."""
        if event.type in (pygame.FINGERDOWN, pygame.FINGERUP):
            assert self._screen is not None
            wide, high = self._screen.get_size()
            x, y = self.upright(event.x * wide, event.y * high)
            who: object = (event.touch_id, event.finger_id)
            down = event.type == pygame.FINGERDOWN
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            if event.button != 1 or getattr(event, "touch", False):
                return None
            x, y = self.upright(*event.pos)
            who, down = "mouse", event.type == pygame.MOUSEBUTTONDOWN
        else:
            return None
        if down:
            now = time.monotonic()
            if self._finger is None or self._finger[0] == who or now - self._finger_since > LOST_SECONDS:
                self._finger, self._finger_since = (who, x, y), now
            return None
        if self._finger is None or self._finger[0] != who:
            return None
        _, x0, y0 = self._finger
        self._finger = None
        far = touch(self.size) * DRAG
        return Tap(x0, y0) if abs(x - x0) <= far and abs(y - y0) <= far else None


def draw(surface: pygame.Surface, view: View) -> None:
    """Draws the whole view on any surface, at that surface's size."""
    paint.paint(surface, layout.scene(view, surface.get_size()))


def _open(size: tuple[int, int] | None, fullscreen: bool, title: str) -> pygame.Surface:
    chosen = os.environ.get("SDL_VIDEODRIVER")
    named = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform == "linux" and not chosen and not named and not Path("/dev/dri").exists():
        raise NoScreen("neither DISPLAY nor WAYLAND_DISPLAY names a screen, and there is no graphics device")
    try:
        pygame.display.init()
        pygame.display.set_caption(title)
        flags = pygame.FULLSCREEN if fullscreen or size is None else 0
        screen = pygame.display.set_mode(size or (0, 0), flags)
    except pygame.error as error:
        pygame.display.quit()
        raise NoScreen(f"no screen can be opened (video driver {chosen or 'any'}): {error}") from error
    driver = pygame.display.get_driver()
    if driver in INVISIBLE and not chosen:
        # Where nothing else works SDL silently draws for nobody, and the game would run on unseen.
        pygame.display.quit()
        raise NoScreen(f"no screen can be opened (only the {driver} driver works here)")
    # Hidden, never disabled: on some touchscreens a disabled mouse takes the fingers with it.
    pygame.mouse.set_visible(not (fullscreen or size is None))
    pygame.event.set_blocked([pygame.MOUSEMOTION, pygame.FINGERMOTION])
    return screen
