"""The facts that can happen at the table, and their one-line JSON form. No event carries points."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.game import RuleValue
from rules.shown import plain, shown


class EventError(ValueError):
    """What was read is no event. The message is one clear line."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins. ``begins`` is a player's name, ``"throw"`` (the lots decide) or None (the first)."""

    game: str
    players: tuple[str, ...]
    rules: tuple[tuple[str, RuleValue | None], ...] = ()
    teams: tuple[tuple[str, ...], ...] = ()
    team_names: tuple[str, ...] = ()
    begins: str | None = None


@dataclass(frozen=True, slots=True)
class Thrown:
    """All dice after a throw, slot by slot, the held ones among them."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """The slots (from 1) kept for the next throw; replaces the whole set."""

    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SavedThrowSpent:
    """One saved throw is paid for one extra throw."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The true dice: of the present throw, or with player, box and column of an entry."""

    dice: tuple[int, ...]
    player: str | None = None
    box: str | None = None
    column: int = 1


@dataclass(frozen=True, slots=True)
class LotThrown:
    """A player's throw for who begins, or in a throw-off."""

    player: str
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Entered:
    """The present dice are written into a box; the turn ends."""

    box: str
    column: int = 1


@dataclass(frozen=True, slots=True)
class Passed:
    """The turn ends without writing."""


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """House rules change in mid-game; None goes back to the game file's value."""

    rules: tuple[tuple[str, RuleValue | None], ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """The last event still standing is taken back."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The event last taken back stands again."""


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player leaves; the sheet stays, unranked."""

    player: str


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """A player joins with an empty sheet."""

    player: str


@dataclass(frozen=True, slots=True)
class GameClosed:
    """The game is put away, finished or not."""


Event = (
    GameStarted
    | Thrown
    | Held
    | SavedThrowSpent
    | Corrected
    | LotThrown
    | Entered
    | Passed
    | RulesChanged
    | Undone
    | Redone
    | PlayerLeft
    | PlayerJoined
    | GameClosed
)

KINDS: Mapping[str, type[Any]] = {
    "game-started": GameStarted,
    "thrown": Thrown,
    "held": Held,
    "saved-throw-spent": SavedThrowSpent,
    "corrected": Corrected,
    "lot-thrown": LotThrown,
    "entered": Entered,
    "passed": Passed,
    "rules-changed": RulesChanged,
    "undone": Undone,
    "redone": Redone,
    "player-left": PlayerLeft,
    "player-joined": PlayerJoined,
    "game-closed": GameClosed,
}
TYPE_OF: Mapping[type[Any], str] = {kind: word for word, kind in KINDS.items()}


def tidy_name(name: str) -> str:
    """A name as it is kept: trimmed, and one spelling for one look (å is one letter, however typed)."""
    return unicodedata.normalize("NFC", name).strip()


def _number(where: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise EventError(f"{where}: {shown(value)} is not a whole number")
    return value


def _numbers(where: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise EventError(f"{where}: {shown(value)} is not a list of whole numbers")
    if {*map(type, value)} - {int}:
        for item in value:
            _number(where, item)
    return tuple(value)


def _word(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise EventError(f"{where}: {shown(value)} is not a text")
    return value


def _name(where: str, value: object) -> str:
    return tidy_name(_word(where, value))


def _names(where: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise EventError(f"{where}: {shown(value)} is not a list of names")
    return tuple(_name(where, item) for item in value)


def _teams(where: str, value: object) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list):
        raise EventError(f"{where}: {shown(value)} is not a list of teams")
    return tuple(_names(where, item) for item in value)


def rules_from_json(where: str, value: object) -> tuple[tuple[str, RuleValue | None], ...]:
    """House rules as a JSON object gives them; whether they are allowed is the game's to say."""
    if not isinstance(value, dict):
        raise EventError(f"{where}: {shown(value)} is not an object of house rules")
    rules: list[tuple[str, RuleValue | None]] = []
    for rule, chosen in value.items():
        if isinstance(chosen, list):
            rules.append((rule, tuple(_word(f"{where}: {plain(rule)}", word) for word in chosen)))
        elif chosen is None or isinstance(chosen, int | str):
            rules.append((rule, chosen))
        else:
            raise EventError(
                f"{where}: {plain(rule)}: {shown(chosen)} is not a whole number, a word, true, false or a list of words"
            )
    return tuple(rules)


_READ: Mapping[str, Callable[[str, object], Any]] = {
    "game": _word,
    "players": _names,
    "rules": rules_from_json,
    "teams": _teams,
    "team-names": _names,
    "begins": _name,
    "dice": _numbers,
    "slots": _numbers,
    "player": _name,
    "box": _word,
    "column": _number,
}
_FIELD: Mapping[str, str] = {key: key.replace("-", "_") for key in _READ}
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "game-started": ("game", "players"),
    "thrown": ("dice",),
    "held": ("slots",),
    "corrected": ("dice",),
    "lot-thrown": ("player", "dice"),
    "entered": ("box",),
    "rules-changed": ("rules",),
    "player-left": ("player",),
    "player-joined": ("player",),
}
_OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "game-started": ("rules", "teams", "team-names", "begins"),
    "corrected": ("player", "box", "column"),
    "entered": ("column",),
}


def event_from_json(obj: object) -> Event:
    """The event a JSON object stands for; EventError, one line, when it is none."""
    if not isinstance(obj, dict):
        raise EventError(f"an event is an object with a type, not {shown(obj)}")
    kind = obj.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        raise EventError(f"type: {shown(kind)} is no event; allowed: {', '.join(KINDS)}")
    needed = _NEEDED.get(kind, ())
    fields: dict[str, Any] = {}
    for key in needed:
        if key not in obj:
            raise EventError(f"{kind}: {key} is missing")
        fields[_FIELD[key]] = _READ[key](f"{kind}: {key}", obj[key])
    if len(obj) > 1 + len(needed):
        fields |= _optional(kind, {key: value for key, value in obj.items() if key != "type" and key not in needed})
    event: Event = KINDS[kind](**fields)
    return event


def _optional(kind: str, obj: Mapping[str, object]) -> dict[str, Any]:
    """The fields of an event beyond those it must have."""
    optional = _OPTIONAL.get(kind, ())
    for key in obj:
        if key not in optional:
            allowed = ", ".join((*_NEEDED.get(kind, ()), *optional)) or "nothing more"
            raise EventError(f"{kind}: {shown(key)} does not belong here; allowed: {allowed}")
    if kind == "corrected" and ("box" in obj) != ("player" in obj):
        raise EventError("corrected: player and box go together")
    if kind == "corrected" and "column" in obj and "box" not in obj:
        raise EventError("corrected: column needs player and box")
    return {_FIELD[key]: _READ[key](f"{kind}: {key}", value) for key, value in obj.items() if value is not None}


def event_to_json(event: Event) -> dict[str, object]:
    """The JSON object of an event; ``event_from_json`` gives the same event back."""
    kind = TYPE_OF[type(event)]
    answer: dict[str, object] = {"type": kind}
    keys = _NEEDED.get(kind, ()) + _OPTIONAL.get(kind, ())
    for key in ("game", "rules", *keys) if kind == "game-started" else keys:
        value = getattr(event, _FIELD[key])
        if key == "rules":
            answer[key] = rules_to_json(value)
        elif not value and key in ("teams", "team-names", "begins", "player", "box"):
            continue  # not said
        elif key == "column" and getattr(event, "box", None) is None:
            continue  # the present dice stand in no column
        elif key == "teams":
            answer[key] = [list(team) for team in value]
        else:
            answer[key] = list(value) if isinstance(value, tuple) else value
    return answer


def rules_to_json(rules: tuple[tuple[str, RuleValue | None], ...]) -> dict[str, object]:
    """House rules as a JSON object."""
    return {rule: list(value) if isinstance(value, tuple) else value for rule, value in rules}
