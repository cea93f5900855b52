"""What is looked at: the screen, the page, the letters typed so far. Nothing here is ever journalled."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from display import seating
from display.intent import (
    ChangeRules,
    Confirm,
    Enter,
    ForgetName,
    Intent,
    JoinTable,
    LeaveTable,
    Look,
    NewGame,
    Pass,
    PutAside,
    Redo,
    SpendSavedThrow,
    Start,
    TakeUp,
    ThrowByHand,
    Undo,
    Unlock,
)
from display.words import LANGUAGES
from rules import RuleValue

if TYPE_CHECKING:
    from display.view import View

LONGEST_PIN = 8


@dataclass(frozen=True)
class Desk:
    """Where the person is. `screen` is "new-game", "play", "pad", "result" or "idle".

    `game`, `players`, `rules` (house rules that differ from the game's own), `teams` (how many; 0: everyone alone),
    `sides` (players who were moved to another team, and to which, from 0), `team_names` ("": by its members), `lots`
    (who begins is thrown for), `names` (page of the remembered names) and `forgetting` (a remembered name touched is
    forgotten) belong to a new game. `typing` is a name being written (None: no keyboard), `naming` whose: a "player",
    one who wants to "join", or a team (its number).

    Others last: `language`, `night` (dark colours), `turned` (shown to the person opposite), `page` of a list,
    `dismissed` (faults whose sentence was read and touched away), `digits` of the PIN written so far, and what is
    `behind` it, `auto_confirm` (a sure reading is taken by itself), `motion`, `sound`, `speech`, `rotate` (degrees
    clockwise, as the screen is mounted), `brightness` (percent of the backlight).

    The rest lives only as long as the game stands as it stood at `moment` (how many events stand): `slot` is the die
    being put right, `changing` means the next die touched is put right, `pad` the faces entered by finger so far,
    `box` the cursor on the sheet, `shown_player` whose sheet is looked at (None: the player on turn), `large` the
    sheet over the whole screen, `open` a page over the screen ("menu", "end", "rules", "setup"), `leaving` who is asked
    about, `house` the house rules as they would be (None: as they are), `tried` the buttons or points that were tried,
    `astray` the point touched instead of the one asked for, `focus` what the keys point at, `notice` a sentence of the
    screen's own.
    """

    screen: str = "new-game"
    language: str = "en"
    game: str = "yatzy"
    players: tuple[str, ...] = ()
    rules: tuple[tuple[str, RuleValue], ...] = ()
    teams: int = 0
    sides: tuple[tuple[str, int], ...] = ()
    team_names: tuple[str, ...] = ()
    lots: bool = False
    names: int = 0
    forgetting: bool = False
    typing: str | None = None
    naming: str | int = "player"
    slot: int | None = None
    pad: tuple[int, ...] = ()
    box: tuple[str, int] | None = None
    shown_player: str | None = None
    page: int = 0
    changing: bool = False
    large: bool = False
    open: str | None = None
    tried: tuple[str, ...] = ()
    astray: str | None = None
    leaving: str | None = None
    house: tuple[tuple[str, RuleValue], ...] | None = None
    digits: str = ""
    behind: str = ""
    focus: Intent | None = None
    notice: str | None = None
    night: bool = False
    turned: bool = False
    auto_confirm: bool = False
    motion: bool = True
    sound: bool = False
    speech: bool = False
    rotate: int = 0
    brightness: int = 100
    dismissed: tuple[str, ...] = ()
    moment: int = -1


def moment(view: "View") -> int:
    """How many events stand; -1 without a game."""
    return -1 if view.match is None else view.match.standing


def current(view: "View") -> Desk:
    """The desk without what belonged to an earlier moment of the game."""
    desk = view.desk
    return desk if desk.moment == moment(view) else _cleared_once(desk)


def react(desk: Desk, intent: Intent, view: "View") -> Desk:
    """The desk after this intent. A `Look` changes it; a fact for the game clears what belonged to the moment before
    it (needed only where the next facts come to a number of events at which something was looked at: after an undo, and
    with another game). Looks that mean nothing here change nothing."""
    if not isinstance(intent, Look):
        return _after(desk, intent)
    change = LOOKS.get(intent.what)
    if change is None:
        return desk
    kept = desk if desk.moment == moment(view) else _cleared(desk)
    kept = replace(kept, moment=moment(view), notice=None)
    if intent.what not in ("focus", "letter", "erase-letter", "digit", "erase-digit"):
        kept = replace(kept, focus=None)  # while a name is written the keys go on from the letter last taken
    after = change(kept, intent.value, view)
    behind = guarded(after)
    if view.locked and behind is not None:
        return replace(kept, open="pin", behind=behind, digits="")
    return after


_last_cleared: list[tuple[Desk, Desk]] = []


def _cleared_once(desk: Desk) -> Desk:
    """Asked for many times while one screen is laid out."""
    if not _last_cleared or _last_cleared[0][0] is not desk:
        _last_cleared[:] = [(desk, _cleared(desk))]
    return _last_cleared[0][1]


def _cleared(desk: Desk) -> Desk:
    return replace(
        desk,
        screen="play" if desk.screen == "pad" else desk.screen,
        slot=None,
        pad=(),
        box=None,
        shown_player=None,
        changing=False,
        large=False,
        open=None,
        leaving=None,
        house=None,
        focus=None,
        notice=None,
    )


def _after(desk: Desk, intent: Intent) -> Desk:
    match intent:
        case Start(game, players):
            return replace(_cleared(desk), screen="play", game=game, players=players, typing=None, page=0)
        case NewGame() | PutAside():
            return replace(_cleared(desk), screen="new-game", typing=None, page=0)
        case TakeUp():
            return replace(_cleared(desk), screen="play", typing=None, page=0)
        case ChangeRules() | LeaveTable() | JoinTable():
            return replace(_cleared(desk), typing=None)
        case ForgetName():
            return replace(desk, notice=None)
        case Unlock():
            return replace(desk, open=desk.behind or None, digits="", focus=None, notice=None)
        case ThrowByHand():
            return replace(_cleared(desk), screen="play")
        case Confirm() | Enter() | Pass() | Undo() | Redo() | SpendSavedThrow():
            return _cleared(desk)
        case _:
            return replace(desk, slot=None, changing=False, notice=None)


def _game(desk: Desk, value: object, view: "View") -> Desk:
    if value == desk.game or not any(game.id == value for game in view.games):
        return desk
    return replace(desk, game=str(value), rules=())


def _rule(desk: Desk, value: object, view: "View") -> Desk:
    """A house rule gets a value, (rule, value); its game's own value leaves it out again."""
    from display.standing import house_rules, rule_value

    game, settled = house_rules(view, desk)
    if not isinstance(value, tuple) or value[0] not in game.rule:
        return desk
    rule, chosen = value
    if game.rule[rule].trouble(chosen) is not None:
        return replace(desk, notice="rule-out-of-range")
    others = tuple(pair for pair in settled if pair[0] != rule)
    same = chosen == rule_value(game, rule, others)
    return _settled(desk, others if same else tuple(sorted((*others, (rule, chosen)), key=lambda one: one[0])), view)


def _settled(desk: Desk, rules: tuple[tuple[str, RuleValue], ...], view: "View") -> Desk:
    return replace(desk, rules=rules) if view.match is None else replace(desk, house=rules)


def _face(desk: Desk, value: object, view: "View") -> Desk:
    from display.standing import pad_room

    if not isinstance(value, int) or not 1 <= value <= 6 or len(desk.pad) >= pad_room(view):
        return desk
    return replace(desk, pad=(*desk.pad, value))


def _slot(desk: Desk, value: object, view: "View") -> Desk:
    return replace(desk, slot=value if isinstance(value, int) else None, changing=False)


def _box(desk: Desk, value: object, view: "View") -> Desk:
    if not isinstance(value, tuple):
        return replace(desk, box=None)
    return replace(desk, box=(str(value[0]), int(value[1])), shown_player=None)


def _digit(desk: Desk, value: object, view: "View") -> Desk:
    digit = str(value)
    if len(desk.digits) >= LONGEST_PIN or len(digit) != 1 or digit not in "0123456789":
        return desk
    return replace(desk, digits=desk.digits + digit)


def guarded(desk: Desk) -> str | None:
    """What of the owner's is shown, if any: a page of the setup, or the one to switch off."""
    return desk.open if desk.open is not None and (desk.open == "off" or desk.open.startswith("setup")) else None


def _screen(desk: Desk, value: object, view: "View") -> Desk:
    return replace(
        desk, screen=str(value), page=0, typing=None, open=None, large=False, changing=False, slot=None, pad=()
    )


def _open(desk: Desk, value: object, view: "View") -> Desk:
    kept = desk.house if value in ("rules", "preview") else None
    return replace(
        desk,
        open=None if value is None else str(value),
        page=0,
        digits="",
        leaving=None,
        house=kept,
        tried=(),
        astray=None,
    )


def back(page: str | None) -> str | None:
    """The page behind a page: the setup behind its own, the screen itself (None) behind most."""
    if page is not None and page.startswith("setup-"):
        return "setup"
    return {"preview": "rules", "leave": "players"}.get(page or "")


POINTS = 5
"""How many points the touch test asks for, one after the other."""


def _touched(desk: Desk, value: object, view: "View") -> Desk:
    """A point of the touch test was touched: the one asked for, or another because the screen is mounted otherwise."""
    if len(desk.tried) < POINTS and value == len(desk.tried) + 1:
        return replace(desk, tried=(*desk.tried, str(value)), astray=None)
    return replace(desk, astray=None if str(value) in desk.tried else str(value))


def _leaving(desk: Desk, value: object, view: "View") -> Desk:
    return replace(desk, open="leave", leaving=str(value))


def _language(desk: Desk, value: object, view: "View") -> Desk:
    return replace(desk, language=str(value)) if value in LANGUAGES else desk


LOOKS: Mapping[str, Callable[[Desk, object, "View"], Desk]] = {
    "game": _game,
    "rule": _rule,
    "as-printed": lambda desk, value, view: _settled(desk, (), view),
    "add-player": seating.add,
    "remove-player": seating.remove,
    "earlier": seating.earlier,
    "teams": seating.teams,
    "side": seating.side,
    "name-team": seating.name_team,
    "lots": lambda desk, value, view: replace(desk, lots=bool(value)),
    "names": lambda desk, value, view: replace(desk, names=value if isinstance(value, int) else 0),
    "forgetting": lambda desk, value, view: replace(desk, forgetting=bool(value)),
    "type": seating.write,
    "letter": seating.letter,
    "erase-letter": lambda desk, value, view: replace(desk, typing=desk.typing[:-1] if desk.typing else desk.typing),
    "stop-typing": lambda desk, value, view: replace(desk, typing=None),
    "leaving": _leaving,
    "awake": lambda desk, value, view: desk,
    "digit": _digit,
    "erase-digit": lambda desk, value, view: replace(desk, digits=desk.digits[:-1]),
    "slot": _slot,
    "changing": lambda desk, value, view: replace(desk, changing=bool(value), slot=None, box=None),
    "face": _face,
    "erase-face": lambda desk, value, view: replace(desk, pad=desk.pad[:-1]),
    "box": _box,
    "player": lambda desk, value, view: replace(desk, shown_player=None if value is None else str(value)),
    "page": lambda desk, value, view: replace(desk, page=value if isinstance(value, int) else 0),
    "screen": _screen,
    "open": _open,
    "large": lambda desk, value, view: replace(desk, large=bool(value)),
    "tried": lambda desk, value, view: replace(desk, tried=(*(o for o in desk.tried if o != value), str(value))),
    "touched": _touched,
    "language": _language,
    "dismiss": lambda desk, value, view: replace(desk, dismissed=(*desk.dismissed, str(value))),
    "turned": lambda desk, value, view: replace(desk, turned=bool(value)),
    "night": lambda desk, value, view: replace(desk, night=bool(value)),
    "auto-confirm": lambda desk, value, view: replace(desk, auto_confirm=bool(value)),
    "motion": lambda desk, value, view: replace(desk, motion=bool(value)),
    "sound": lambda desk, value, view: replace(desk, sound=bool(value)),
    "speech": lambda desk, value, view: replace(desk, speech=bool(value)),
    "rotate": lambda desk, value, view: replace(desk, rotate=value if value in (0, 90, 180, 270) else 0),
    "brightness": lambda desk, value, view: replace(desk, brightness=min(max(int(str(value)), 10), 100)),
    "focus": lambda desk, value, view: replace(desk, focus=value),  # type: ignore[arg-type]
}
"""Everything a `Look` can change, by its `what`."""
