"""Where everything is: the scene of a view at a size, and what a touch there means. Pure."""

from collections.abc import Callable, Mapping

from display.desk import current
from display.intent import Intent
from display.page import Page
from display.scene import Ring, Scene
from display.screens.alone import lay_alone
from display.screens.aside import lay_aside
from display.screens.end import lay_end
from display.screens.faults import lay_faults
from display.screens.house_rules import lay_house_rules
from display.screens.idle import lay_idle
from display.screens.language import lay_language
from display.screens.large import lay_large
from display.screens.menu import lay_menu
from display.screens.naming import lay_naming
from display.screens.new_game import lay_new_game
from display.screens.off import lay_going, lay_off
from display.screens.pin import lay_pin
from display.screens.play import lay_play
from display.screens.players import lay_leave, lay_players
from display.screens.preview import lay_preview
from display.screens.result import lay_result
from display.screens.setup import lay_setup
from display.screens.setup_buttons import lay_buttons
from display.screens.setup_camera import lay_camera
from display.screens.setup_checks import lay_checks
from display.screens.setup_touch import lay_touch
from display.screens.teams import lay_teams
from display.standing import reading_waits, screen, typing
from display.view import View

PAGES: Mapping[str, Callable[[Page], None]] = {
    "aside": lay_aside,
    "faults": lay_faults,
    "language": lay_language,
    "menu": lay_menu,
    "off": lay_off,
    "pin": lay_pin,
    "rules": lay_house_rules,
    "setup": lay_setup,
    "setup-buttons": lay_buttons,
    "setup-camera": lay_camera,
    "setup-checks": lay_checks,
    "setup-touch": lay_touch,
    "teams": lay_teams,
}
"""What opens over any screen, by the desk's `open`."""
PAGES_OF_A_GAME: Mapping[str, Callable[[Page], None]] = {
    "end": lay_end,
    "leave": lay_leave,
    "players": lay_players,
    "preview": lay_preview,
}
"""What opens only over a game on the table."""


def scene(view: View, size: tuple[int, int]) -> Scene:
    """Everything on the screen, each thing in its rectangle, for a screen of this size in pixels."""
    for known, made in _last:
        if made.size == size and known.match is view.match and known == view:
            return made
    _last[:] = [(view, _laid_out(view, size))]  # what is touched is mostly what was shown last
    return _last[0][1]


_last: list[tuple[View, Scene]] = []


def _laid_out(view: View, size: tuple[int, int]) -> Scene:
    page = Page(view, size)
    desk = current(view)
    where = screen(view)
    over = PAGES.get(desk.open or "") or (PAGES_OF_A_GAME.get(desk.open or "") if view.match is not None else None)
    if view.off == "going":
        lay_going(page)
    elif view.alone and view.match is not None:
        lay_alone(page)
    elif typing(view):
        lay_naming(page)
    elif over is not None:
        over(page)
    elif where == "idle":
        lay_idle(page)
    elif where == "new-game":
        lay_new_game(page)
    elif where == "result":
        lay_result(page)
    elif desk.large and not reading_waits(view):
        lay_large(page)
    else:
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
    for thing in page.scene().things:
        if thing.intent == wanted:
            page.add(Ring(thing.rect, "focus", max(3, page.of(0.09)), page.radius))
            return
