"""Reading a game file: TOML in, a ``Game`` out, or one clear line about what is wrong with it."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from rules.game import UNLIMITED_COLUMNS, Box, Game, HouseRule, RuleValue
from rules.in_force import SCORING_RULES
from rules.patterns import Pattern
from rules.table import GameFileError, Table

SHIPPED = Path(__file__).parent / "games"
MENU = ("yahtzee", "kniffel", "triple-yahtzee", "yatzy", "trippel-yatzy", "maxi-yatzy", "trippel-maxi-yatzy")
SECTIONS = ("upper", "lower", "bonus")
KINDS_OF_PATTERN = ("face", "groups", "faces", "straight", "any")


def load_game(path: str | Path) -> Game:
    """The game of one file. Raises ``GameFileError`` with one clear line when the file cannot be played."""
    path = Path(path)
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GameFileError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise GameFileError(f"{path}: byte {error.start} is no UTF-8 text; a game file is a text file") from None
    except tomllib.TOMLDecodeError as error:
        raise GameFileError(f"{path}: {error}") from None
    return _game(Table(str(path), "", values))


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, Game]:
    return MappingProxyType({game: load_game(SHIPPED / f"{game}.toml") for game in MENU})


def games(extra_folder: str | Path | None = None) -> Mapping[str, Game]:
    """The shipped games in menu order, then the owner's own files (``*.toml``) of a folder, by file name.

    An own file may not take the id of another game: copy the file, then change its id and name.
    """
    if extra_folder is None:
        return _shipped()
    found = dict(_shipped())
    for path in sorted(Path(extra_folder).glob("*.toml")):
        game = load_game(path)
        if game.id in found:
            raise GameFileError(f"{path}: id: found {game.id!r}, allowed: an id no other game has")
        found[game.id] = game
    return MappingProxyType(found)


def _game(top: Table) -> Game:
    dice = top.number("dice", 1, 8)
    columns = top.number("columns", 1, UNLIMITED_COLUMNS, 1)
    rules = tuple(_house_rule(table) for table in top.tables("house-rules", ()))
    by_id = {rule.id: rule for rule in rules}
    boxes = tuple(_box(table, dice, by_id) for table in top.tables("boxes"))
    game = Game(
        id=top.name_id("id"),
        name=top.text("name"),
        description=top.text("description"),
        dice=dice,
        faces=6,
        throws=top.number("throws", 1, 10, 3),
        columns=columns,
        multipliers=top.numbers("multipliers", 1, 10, (1,) * columns),
        written=top.word("written", ("plain", "multiplied"), "plain"),
        lot_dice=top.number("lot-dice", 1, dice, dice),
        boxes=boxes,
        house_rules=rules,
        yahtzee_box=top.text("yahtzee-box") if "yahtzee-box" in top.values else None,
        chips=top.numbers("chips", 1, 1000, ()),
        source=top.text("source", "the owner's own file"),
    )
    top.get("yahtzee-box", "the id of a box", None)
    top.done()
    _check_whole(top, game)
    return game


def _check_whole(top: Table, game: Game) -> None:
    """What no single key can show."""
    for what, ids in (
        ("boxes", [b.id for b in game.boxes]),
        ("house-rules", [r.id for r in game.house_rules]),
    ):
        for name in ids:
            if ids.count(name) > 1:
                raise top.wrong(what, f"{name!r} twice", "every id once")
    if not game.entry_boxes:
        raise top.wrong("boxes", "no box for a throw", "at least one upper or lower box")
    if len(game.multipliers) != game.columns:
        raise top.wrong("multipliers", f"{len(game.multipliers)} numbers", f"one per column, {game.columns}")
    if game.chips and len(game.chips) != game.columns:
        raise top.wrong("chips", f"{len(game.chips)} numbers", f"one per column, {game.columns}")
    if game.chips and "columns" in game.rule:
        raise top.wrong("chips", "chips beside the house rule columns", "one of the two")
    bonus_boxes = [box.id for box in game.boxes if box.section == "bonus"]
    if bonus_boxes not in ([], ["yahtzee-bonus"]):
        raise top.wrong("boxes", f"bonus boxes {', '.join(bonus_boxes)}", "only yahtzee-bonus, once")
    if game.chips and bonus_boxes:
        raise top.wrong("chips", "chips beside the box yahtzee-bonus", "one of the two")
    if game.yahtzee_box is not None and game.yahtzee_box not in game.places:
        raise top.wrong("yahtzee-box", repr(game.yahtzee_box), ", ".join(game.places))
    if game.yahtzee_box is None and (game.chips or bonus_boxes):
        raise top.wrong("yahtzee-box", "nothing", "the id of the box that chips and yahtzee-bonus depend on")
    faces = [game.entry_boxes[place].pattern.face for place in game.uppers]
    for face in faces:
        if faces.count(face) > 1:
            raise top.wrong("boxes", f"two upper boxes for face {face}", "one per face")
    used = {rule for box in game.boxes for rule, _ in box.also}
    used |= {box.points_by_rule[0] for box in game.boxes if box.points_by_rule is not None}
    for rule in game.house_rules:
        if rule.id not in SCORING_RULES and rule.id not in used:
            allowed = "a rule that a box names, or one of " + ", ".join(SCORING_RULES)
            raise top.wrong("house-rules", repr(rule.id), allowed)


def _box(table: Table, dice: int, rules: Mapping[str, HouseRule]) -> Box:
    section = table.word("section", SECTIONS)
    box_id, name = table.name_id("id"), table.text("name")
    if section == "bonus":
        table.done()
        return Box(box_id, name, section, Pattern("any"), 0)
    pattern = _pattern(table, dice)
    if section == "upper" and pattern.kind != "face":
        raise table.wrong("pattern", repr(pattern.kind), "face, in the upper section")
    points, by_rule = _points(table, rules)
    also = []
    if "also" in table.values:
        other = table.table("also")
        rule = other.word("rule", [r.id for r in rules.values() if r.kind == "switch"])
        also.append((rule, _pattern(other, dice)))
        other.done()
    joker = table.switch("joker", False)
    if joker and not isinstance(points, int):
        raise table.wrong("joker", "true", "true only where points is a number")
    table.get("also", "a table", None)
    table.done()
    return Box(box_id, name, section, pattern, points, by_rule, tuple(also), joker)


def _pattern(table: Table, dice: int) -> Pattern:
    kind = table.word("pattern", KINDS_OF_PATTERN)
    if kind == "face":
        return Pattern(kind, face=table.number("face", 1, 6))
    if kind == "groups":
        groups = table.numbers("groups", 1, dice)
        if sum(groups) > dice:
            raise table.wrong("groups", repr(list(groups)), f"together at most {dice} dice")
        return Pattern(kind, groups=tuple(sorted(groups, reverse=True)))
    if kind == "faces":
        faces = table.numbers("faces", 1, 6)
        if len(set(faces)) != len(faces) or len(faces) > dice:
            raise table.wrong("faces", repr(list(faces)), f"different faces, at most {dice}")
        return Pattern(kind, faces=faces)
    if kind == "straight":
        return Pattern(kind, length=table.number("length", 2, min(6, dice)))
    return Pattern(kind)


def _points(table: Table, rules: Mapping[str, HouseRule]) -> tuple[int | str, tuple[str, Mapping[str, int]] | None]:
    allowed = '"used", "all", a number 0 to 1000, or a table with a rule and a number per choice'
    value = table.get("points", allowed, "used")
    if isinstance(value, dict):
        by_rule = table.table("points")
        rule = by_rule.word("rule", [r.id for r in rules.values() if r.kind == "choice"])
        chosen = {choice: by_rule.number(choice, 0, 1000) for choice in rules[rule].choices}
        by_rule.done()
        return chosen[str(rules[rule].default)], (rule, MappingProxyType(chosen))
    if isinstance(value, str) and value in ("used", "all"):
        return value, None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1000:
        return value, None
    raise table.wrong("points", repr(value), allowed)


def _house_rule(table: Table) -> HouseRule:
    rule_id, name, explanation = table.name_id("id"), table.text("name"), table.text("explanation")
    default = table.get("default", "a number, a word, true or false, or a list of words")
    if isinstance(default, list):
        default = tuple(default)
    if isinstance(default, bool):
        rule = HouseRule(rule_id, name, explanation, "switch", default)
    elif isinstance(default, int):
        low, high = (*table.numbers("range", 0, 10_000), 0, 0)[:2]
        step = table.number("step", 1, 10_000, 1)
        rule = HouseRule(rule_id, name, explanation, "number", default, low, high, step)
    else:
        choices = table.get("choices", "a list of words")
        if not isinstance(choices, list) or not all(isinstance(word, str) for word in choices):
            raise table.wrong("choices", repr(choices), "a list of words")
        per_column = table.switch("per-column", False)
        sets = _sets(table, choices)
        rule = HouseRule(
            rule_id,
            name,
            explanation,
            "choice",
            _as_value(table, default),
            choices=tuple(choices),
            per_column=per_column,
            sets=sets,
        )
    if (trouble := rule.trouble(rule.default)) is not None:
        raise GameFileError(f"{table.file}: {table.where}.default: {trouble}")
    table.done()
    return rule


def _as_value(table: Table, default: object) -> RuleValue:
    if isinstance(default, str) or (isinstance(default, tuple) and all(isinstance(w, str) for w in default)):
        return default
    raise table.wrong("default", repr(default), "a number, a word, true or false, or a list of words")


def _sets(table: Table, choices: Sequence[str]) -> Mapping[str, Mapping[str, RuleValue]]:
    if "sets" not in table.values:
        table.get("sets", "a table", None)
        return {}
    sets = table.table("sets")
    found: dict[str, Mapping[str, RuleValue]] = {}
    for choice in choices:
        if choice in sets.values:
            inner = sets.table(choice)
            found[choice] = {rule: inner.number(rule, 0, 10_000) for rule in inner.values}
    sets.done()
    return found
