"""Keys and push buttons: both come through here, so whatever can be touched can also be pressed.

On the play screen the hold buttons hold; everywhere else, and while the cursor is on the sheet, 1 and 2 go up and
down, 3 and 4 left and right, confirm takes what is pointed at, undo leaves it.
"""

from collections.abc import Mapping

from display import layout
from display.desk import back, current
from display.intent import (
    Confirm,
    Enter,
    Hold,
    Intent,
    Look,
    Mend,
    NoDie,
    Pass,
    PlayOn,
    SpendSavedThrow,
    ThrowByHand,
    Undo,
    Unlock,
)
from display.rect import Rect
from display.screens.idle import waking
from display.screens.naming import LETTERS, named
from display.standing import (
    asked_slot,
    best_entry,
    can_be_no_die,
    can_enter,
    can_pass,
    can_spend,
    entries,
    pad_dice,
    pad_room,
    pane,
    reading_waits,
    screen,
    typing,
)
from display.view import View

SAME: Mapping[str, str] = {
    **{str(slot): f"hold-{slot}" for slot in range(1, 7)},
    "s": "saved-throw",
    "enter": "confirm",
    "u": "undo",
    "n": "play-on",
    "space": "play-on",
    "m": "menu",
    "escape": "menu",
    "c": "change",
    "r": "redo",
    "p": "pass",
    "d": "pad",
    "x": "no-die",
}
"""Keys of the keyboard, and the button each stands for."""
MOVES: Mapping[str, tuple[int, int]] = {
    "up": (0, -1),
    "down": (0, 1),
    "left": (-1, 0),
    "right": (1, 0),
    "hold-1": (0, -1),
    "hold-2": (0, 1),
    "hold-3": (-1, 0),
    "hold-4": (1, 0),
}
USUAL = (800, 480)


def intent(view: View, key: str, size: tuple[int, int] = USUAL) -> Intent | None:
    """What a key or button means now; None when it means nothing. `size` is the screen's: neighbours on it differ."""
    desk = current(view)
    where = screen(view)
    if view.off == "going":
        return None
    if where == "idle" and desk.open is None:
        return waking(view)
    if not view.alone and typing(view):
        return _typing(view, key, size)
    if desk.open == "pin" and (meant := _pin(view, key)) is not None:
        return meant
    name = SAME.get(key, key)
    if name == "setup":
        return Look("open", "setup")
    if desk.open == "setup-buttons" and any(name == button.name for button in view.setup.wired):
        # Every button is tried here, the one that leads back too: it does so when it was tried before.
        return Look("open", "setup") if name == "undo" and name in desk.tried else Look("tried", name)
    if name == "play-on":
        return PlayOn() if view.waiting or view.match is not None else None
    if where != "play" or desk.open is not None or view.alone:
        return _pointing(view, name, size)
    if name == "menu":
        return Look("open", "menu")
    return _playing(view, name, size)


def _playing(view: View, name: str, size: tuple[int, int]) -> Intent | None:
    desk = current(view)
    match = view.match
    if match is None:
        return None
    if desk.focus is not None and not reading_waits(view) and name in (*MOVES, "confirm", "undo"):
        return Look("focus", None) if name == "undo" else _pointing(view, name, size)
    asked = asked_slot(view)
    if asked is not None:
        return _answering(view, name, asked)
    if desk.box is not None and can_enter(view):
        return _on_the_sheet(view, name)
    if name.startswith("hold-"):
        slot = int(name.removeprefix("hold-"))
        if reading_waits(view) or desk.changing:
            return Look("slot", slot)
        if pane(view) == "pad" and (not match.dice or desk.pad or desk.screen == "pad"):
            return Look("face", slot)
        return Hold(slot)
    match name:
        case "confirm":
            return _confirm(view)
        case "undo" if desk.pad:
            return Look("erase-face")
        case "undo" if desk.changing:
            return Look("changing", False)
        case "undo" if desk.large:
            return Look("large", False)
        case "undo" if desk.screen == "pad":
            return Look("screen", "play")
        case "undo":
            return Undo()
        case "saved-throw" if match.throws_left and view.tray == "no-camera" and pad_room(view):
            return Look("screen", "pad")
        case "saved-throw" if match.phase == "choose" and match.in_force.saved_throws:
            return SpendSavedThrow()
        case "saved-throw":
            return Look("open", "menu")  # the push buttons' way there, while nothing can be spent
        case "change":
            return Look("changing", not desk.changing)
        case "pad":
            return Look("screen", "play" if desk.screen == "pad" else "pad")
        case "pass":
            return Pass()
        case "redo":
            return next((i for _, i in layout.scene(_menu(view), size).targets() if type(i).__name__ == "Redo"), None)
        case _ if name in MOVES:
            best = best_entry(match) if can_enter(view) else None
            return Look("box", best) if best is not None else _pointing(view, name, size)
    return None


def _menu(view: View) -> View:
    from dataclasses import replace

    return replace(view, desk=replace(view.desk, open="menu"))


def _confirm(view: View) -> Intent | None:
    dice = pad_dice(view)
    if dice is not None:
        return ThrowByHand(dice)
    if reading_waits(view):
        return Confirm()
    if can_enter(view) and view.match is not None:
        return Look("box", best_entry(view.match))
    return PlayOn() if view.waiting else None


def _answering(view: View, name: str, slot: int) -> Intent | None:
    """A die is asked about: a hold button says its face, confirm takes the face it was read as, the saved
    throw's button says that it is no die."""
    if name.startswith("hold-"):
        return Mend(slot, int(name.removeprefix("hold-")))
    if name in ("no-die", "saved-throw"):
        return NoDie(slot) if can_be_no_die(view, slot) else None
    if name == "undo":
        return Look("slot", None) if current(view).slot is not None else Undo()
    if name == "confirm" and reading_waits(view):
        value = view.seen[slot - 1].value
        return Mend(slot, value) if value is not None else None
    return Look("slot", None) if name == "confirm" else None


def _on_the_sheet(view: View, name: str) -> Intent | None:
    """The cursor is on the sheet: it moves among the boxes that may be written."""
    match, box = view.match, current(view).box
    if match is None or box is None:
        return None
    found = list(entries(match))
    if box not in found:
        return Look("box", best_entry(match))
    if name == "confirm":
        return Enter(*box)
    if name == "undo":
        return Look("box", None)
    if name == "pass" or (name == "saved-throw" and can_pass(view)):
        return Pass()
    if name == "saved-throw":
        return SpendSavedThrow() if can_spend(match) else Look("open", "menu")
    if name not in MOVES:
        return None
    dx, dy = MOVES[name]
    order = {line.id: place for place, line in enumerate(match.game.entry_boxes)}
    if dx == 0:
        column = sorted((one for one in found if one[1] == box[1]), key=lambda one: order[one[0]])
        return Look("box", column[(column.index(box) + dy) % len(column)])
    others = sorted({one[1] for one in found})
    column_to = others[(others.index(box[1]) + dx) % len(others)]
    if column_to == box[1]:
        return None
    near = min((one for one in found if one[1] == column_to), key=lambda one: abs(order[one[0]] - order[box[0]]))
    return Look("box", near)


def _typing(view: View, key: str, size: tuple[int, int]) -> Intent | None:
    """Letters are typed; arrows and push buttons move over the keys on the screen."""
    if key in LETTERS:
        return Look("letter", key)
    if key == "space":
        return Look("letter", " ")
    if key == "backspace":
        return Look("erase-letter")
    if key == "escape":
        return Look("stop-typing")
    focus = current(view).focus
    if key == "enter" and focus is None:
        return named(view) or Look("add-player", "")
    if key == "undo" and focus is None:
        return Look("erase-letter") if view.desk.typing else Look("stop-typing")
    return _pointing(view, "confirm" if key == "enter" else key, size)


def _pin(view: View, key: str) -> Intent | None:
    """Digits are typed; push buttons and arrows move over the keys on the screen."""
    if len(key) == 1 and key in "0123456789":
        return Look("digit", key)
    if key == "backspace":
        return Look("erase-digit")
    digits = current(view).digits
    return Unlock(digits) if key == "enter" and digits and current(view).focus is None else None


def _pointing(view: View, name: str, size: tuple[int, int]) -> Intent | None:
    """Moves what is pointed at over everything that can be touched, or takes it."""
    desk = current(view)
    targets = layout.scene(view, size).targets()
    spot = next((rect for rect, meant in targets if meant == desk.focus), None)
    if name == "confirm":
        first = _first(view, targets)
        if spot is None and (desk.open or "").startswith("setup"):
            return Look("focus", first)  # nothing of the owner's is changed by a press in passing
        return desk.focus if spot is not None else first
    if name == "undo":
        return _leave(view)
    if name in ("menu", "saved-throw"):
        return Look("open", back(desk.open) if desk.open is not None else "menu")
    if name not in MOVES or not targets:
        return None
    if spot is None:
        return Look("focus", _first(view, targets))
    nearest = _neighbour(spot, [rect for rect, _ in targets], MOVES[name])
    if nearest is None:
        return None
    return Look("focus", next(meant for rect, meant in targets if rect == nearest))


def _first(view: View, targets: tuple[tuple[Rect, Intent], ...]) -> Intent | None:
    """Where pointing begins: on a new game the chosen game, elsewhere the button that goes on."""
    where = screen(view)
    if (current(view).open or "").startswith("setup"):
        return next((meant for _, meant in targets if not (isinstance(meant, Look) and meant.what == "open")), None)
    if where == "new-game" and not typing(view) and current(view).open is None:
        wanted = [meant for _, meant in targets if type(meant).__name__ == "Start"]
        return wanted[0] if wanted else next((m for _, m in targets if isinstance(m, Look) and m.what == "game"), None)
    if where == "result" and current(view).open is None:
        return next((meant for _, meant in targets if type(meant).__name__ == "NewGame"), None)
    return targets[0][1] if targets else None


def _leave(view: View) -> Intent | None:
    desk = current(view)
    if view.alone:
        return Look("awake")
    if desk.focus is not None:
        return Look("focus", None)
    if desk.open is not None:
        return Look("open", back(desk.open))
    return Undo() if view.match is not None else None


def _neighbour(spot: Rect, rects: list[Rect], way: tuple[int, int]) -> Rect | None:
    """The nearest rectangle in that direction; from the edge it goes round to the other side."""
    dx, dy = way
    x, y = spot.middle

    def ahead(rect: Rect) -> float:
        return (rect.middle[0] - x) * dx + (rect.middle[1] - y) * dy

    def cost(rect: Rect) -> float:
        along = ahead(rect)
        across = abs((rect.middle[0] - x) * dy) + abs((rect.middle[1] - y) * dx)
        return along + 2.5 * across

    others = [rect for rect in rects if rect != spot]
    forward = [rect for rect in others if ahead(rect) > 1]
    if forward:
        return min(forward, key=cost)
    wide = 10_000
    return min(others, key=lambda rect: cost(rect.moved(wide * dx, wide * dy)), default=None)
