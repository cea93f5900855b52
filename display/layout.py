"""Where everything is: the scene of a view at a size, and what a touch there means. Pure."""

from collections.abc import Callable, Mapping

from display.desk import current
from display.intent import Intent
from display.page import Page
from display.scene import Ring, Scene
from display.screens.faults import lay_faults
from display.screens.house_rules import lay_house_rules
from display.screens.idle import lay_idle
from display.screens.large import lay_large
from display.screens.menu import lay_end, lay_menu
from display.screens.naming import lay_naming
from display.screens.new_game import lay_new_game
from display.screens.play import lay_play
from display.screens.result import lay_result
from display.screens.setup import lay_setup
from display.screens.setup_buttons import lay_buttons
from display.screens.setup_camera import lay_camera
from display.screens.setup_checks import lay_checks
from display.screens.setup_touch import lay_touch
from display.standing import reading_waits, screen
from display.view import View

PAGES: Mapping[str, Callable[[Page], None]] = {
    "faults": lay_faults,
    "setup": lay_setup,
    "setup-buttons": lay_buttons,
    "setup-camera": lay_camera,
    "setup-checks": lay_checks,
    "setup-touch": lay_touch,
}
"""What opens over any screen, by the desk's `open`."""


def scene(view: View, size: tuple[int, int]) -> Scene:
    """Everything on the screen, each thing in its rectangle, for a screen of this size in pixels."""
    page = Page(view, size)
    desk = current(view)
    over = PAGES.get(desk.open or "")
    match screen(view):
        case _ if over is not None:
            over(page)
        case "new-game" if desk.typing is not None:
            lay_naming(page)
        case "new-game" if desk.open == "rules":
            lay_house_rules(page)
        case "new-game":
            lay_new_game(page)
        case _ if desk.open == "menu":
            lay_menu(page)
        case _ if desk.open == "end":
            lay_end(page)
        case "idle":
            lay_idle(page)
        case "result":
            lay_result(page)
        case _ if desk.large and not reading_waits(view):
            lay_large(page)
        case _:
            lay_play(page)
    _focus(page)
    return page.scene()


def hit(view: View, size: tuple[int, int], x: int, y: int) -> Intent | None:
    """What a touch at this pixel means; None where there is nothing to touch."""
    return scene(view, size).touched(x, y)


def _focus(page: Page) -> None:
    """A frame around what the keys point at."""
    desk = current(page.view)
    wanted = desk.focus
    if wanted is None or (desk.open is None and screen(page.view) == "play" and reading_waits(page.view)):
        return
    for thing in page.things:
        if thing.intent == wanted:
            page.add(Ring(thing.rect, "focus", max(3, page.of(0.09)), page.radius))
            return
