"""Reading a game file: TOML in, a ``Game`` out, or one clear line about what is wrong with it."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from rules.game import MOST_COLUMNS, Box, Game, HouseRule, RuleValue
from rules.in_force import KNOWN_RULES, KNOWN_WORDS
from rules.patterns import Pattern
from rules.shown import plain, shown
from rules.table import GameFileError, Table
from rules.text_file import read_text

SHIPPED = Path(__file__).parent / "games"
MENU = ("yahtzee", "kniffel", "triple-yahtzee", "yatzy", "trippel-yatzy", "maxi-yatzy", "trippel-maxi-yatzy")
SECTIONS = ("upper", "lower", "bonus")
KINDS_OF_PATTERN = ("face", "groups", "faces", "straight", "any")


def load_game(path: str | Path) -> Game:
    """The game of one file. Raises ``GameFileError`` with one clear line when the file cannot be played."""
    path = Path(path)
    try:
        values = tomllib.loads(read_text(path))
    except OSError as error:
        raise GameFileError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise GameFileError(f"{path}: byte {error.start} is no UTF-8 text; a game file is a text file") from None
    except tomllib.TOMLDecodeError as error:
        raise GameFileError(f"{path}: {error}") from None
    except (ValueError, RecursionError):
        raise GameFileError(f"{path}: no TOML that can be read: a number or nesting out of bounds") from None
    return _game(Table(str(path), "", values))


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, Game]:
    return MappingProxyType({game: load_game(SHIPPED / f"{game}.toml") for game in MENU})


def games(extra_folder: str | Path | None = None) -> Mapping[str, Game]:
    """The shipped games in menu order, then the owner's own (``*.toml`` of a folder), by file name.

    Raises ``GameFileError`` for the first own file that cannot be played; ``games_and_troubles`` goes on.
    """
    found, troubles = games_and_troubles(extra_folder)
    if troubles:
        raise GameFileError(troubles[0])
    return found


def games_and_troubles(extra_folder: str | Path | None) -> tuple[Mapping[str, Game], tuple[str, ...]]:
    """The games that can be played, and one line for each own file that cannot.

    An own file may not take the id of another game: copy the file, then change its id and name.
    """
    if extra_folder is None:
        return _shipped(), ()
    found = dict(_shipped())
    paths, troubles = _own_files(Path(extra_folder))
    for path in paths:
        try:
            game = load_game(path)
        except GameFileError as error:
            troubles.append(str(error))
            continue
        if game.id in found:
            troubles.append(f"{path}: id: found {shown(game.id)}, allowed: an id no other game has")
        else:
            found[game.id] = game
    return MappingProxyType(found), tuple(troubles)


def _own_files(folder: Path) -> tuple[list[Path], list[str]]:
    """The files of that folder that may be games, and a line where it cannot be looked into; no folder, no games."""
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(".toml")), []
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [f"{folder}: cannot be read ({error.strerror or error}); allowed: a folder of game files"]


def _game(top: Table) -> Game:
    dice = top.number("dice", 1, 8)
    columns = top.number("columns", 1, MOST_COLUMNS, 1)
    rules = tuple(_house_rule(table) for table in top.tables("house-rules", []))
    _every_id_once(top, "house-rules", [rule.id for rule in rules])
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


def _every_id_once(top: Table, what: str, ids: Sequence[str]) -> None:
    for name in ids:
        if ids.count(name) > 1:
            raise top.wrong(what, f"{shown(name)} twice", "every id once")


def _check_whole(top: Table, game: Game) -> None:
    """What no single key can show."""
    _every_id_once(top, "boxes", [box.id for box in game.boxes])
    if not game.entry_boxes:
        raise top.wrong("boxes", "no box for a throw", "at least one upper or lower box")
    for key, numbers in (("multipliers", game.multipliers), ("chips", game.chips)):
        if numbers and len(numbers) != game.columns:
            raise top.wrong(key, f"{len(numbers)} numbers", f"one per column, {game.columns}")
    faces = [game.entry_boxes[place].pattern.face for place in game.uppers]
    for face in faces:
        if faces.count(face) > 1:
            raise top.wrong("boxes", f"two upper boxes for face {face}", "one per face")
    _check_yahtzees(top, game)
    _check_rules(top, game)


def _check_yahtzees(top: Table, game: Game) -> None:
    """The yahtzee box, the bonus box and the chips, and the house rules that speak of them."""
    if game.yahtzee_box is not None and game.yahtzee_box not in game.places:
        raise top.wrong("yahtzee-box", shown(game.yahtzee_box), ", ".join(game.places))
    bonus_boxes = [box.id for box in game.boxes if box.section == "bonus"]
    if bonus_boxes not in ([], ["yahtzee-bonus"]):
        raise top.wrong("boxes", f"bonus boxes {', '.join(bonus_boxes)}", "only yahtzee-bonus, once")
    if ("yahtzee-bonus-value" in game.rule) != bool(bonus_boxes):
        raise top.wrong("boxes", "one of two", "the box yahtzee-bonus with the house rule yahtzee-bonus-value")
    if bonus_boxes and "extra-yatzy-bonus" in game.rule:
        raise top.wrong("house-rules", "two bonuses", "yahtzee-bonus-value or extra-yatzy-bonus, not both")
    if game.chips:
        for rule in ("columns", "jokers", "yahtzee-bonus-value", "extra-yatzy-bonus"):
            if rule in game.rule:
                raise top.wrong("chips", f"the house rule {rule}", f"chips or {rule}, not both")
    for rule in ("jokers", "yahtzee-bonus-value", "extra-yatzy-bonus", "extra-kniffel"):
        if rule in game.rule and game.yahtzee_box is None:
            raise top.wrong("yahtzee-box", "nothing", f"the id of the box that {rule} depends on")
    if game.chips and game.yahtzee_box is None:
        raise top.wrong("yahtzee-box", "nothing", "the id of the box that the chips depend on")


def _check_rules(top: Table, game: Game) -> None:
    """Every house rule does something, and is what the program takes it for."""
    used = {rule for box in game.boxes for rule, _ in box.also}
    used |= {box.points_by_rule[0] for box in game.boxes if box.points_by_rule is not None}
    used |= {rule.id for rule in game.house_rules if rule.sets}
    for rule in game.house_rules:
        where = f"house-rules {rule.id}"
        if rule.id not in KNOWN_RULES and rule.id not in used:
            allowed = "a rule that a box names or that sets others, or one of " + ", ".join(KNOWN_RULES)
            raise top.wrong(where, "a rule that does nothing", allowed)
        kind = KNOWN_RULES.get(rule.id, rule.kind)
        if rule.kind != kind:
            raise top.wrong(f"{where}.default", f"a {rule.kind}", f"a {kind}")
        words = KNOWN_WORDS.get(rule.id, rule.choices)
        if not set(rule.choices) <= set(words):
            raise top.wrong(f"{where}.choices", ", ".join(map(plain, rule.choices)), ", ".join(words))
        if rule.per_column and rule.id != "order":
            raise top.wrong(f"{where}.per-column", "true", "only for order")
        for choice, values in rule.sets.items():
            for other, value in values.items():
                if other not in game.rule or (trouble := game.rule[other].trouble(value)) is not None:
                    found = trouble if other in game.rule else f"{plain(other)}, no house rule of this file"
                    raise top.wrong(f"{where}.sets.{choice}", found, "values of other rules of this file")
    if "columns" in game.rule and game.rule["columns"].default != game.columns:
        raise top.wrong("house-rules columns.default", game.rule["columns"].default, f"{game.columns}, as columns")


def _box(table: Table, dice: int, rules: Mapping[str, HouseRule]) -> Box:
    section = table.word("section", SECTIONS)
    box_id, name = table.name_id("id"), table.text("name")
    if section == "bonus":
        table.done()
        return Box(box_id, name, section, Pattern("any"), 0)
    pattern = _pattern(table, dice)
    if section == "upper" and pattern.kind != "face":
        raise table.wrong("pattern", shown(pattern.kind), "face, in the upper section")
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
            raise table.wrong("groups", shown(list(groups)), f"together at most {dice} dice")
        return Pattern(kind, groups=tuple(sorted(groups, reverse=True)))
    if kind == "faces":
        faces = table.numbers("faces", 1, 6)
        if len(set(faces)) != len(faces) or len(faces) > dice:
            raise table.wrong("faces", shown(list(faces)), f"different faces, at most {dice}")
        return Pattern(kind, faces=faces)
    if kind == "straight":
        return Pattern(kind, length=table.number("length", 2, min(6, dice)))
    return Pattern(kind)


def _points(table: Table, rules: Mapping[str, HouseRule]) -> tuple[int | str, tuple[str, Mapping[str, int]] | None]:
    allowed = '"used", "all", a number 0 to 1000, or a table with a rule and a number per choice'
    value = table.get("points", allowed, "used")
    if isinstance(value, dict):
        by_rule = table.table("points")
        rule = by_rule.word("rule", [r.id for r in rules.values() if r.kind == "choice" and not r.per_column])
        chosen = {choice: by_rule.number(choice, 0, 1000) for choice in rules[rule].choices}
        by_rule.done()
        return chosen[str(rules[rule].default)], (rule, MappingProxyType(chosen))
    if isinstance(value, str) and value in ("used", "all"):
        return value, None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1000:
        return value, None
    raise table.wrong("points", shown(value), allowed)


def _house_rule(table: Table) -> HouseRule:
    rule_id, name, explanation = table.name_id("id"), table.text("name"), table.text("explanation")
    default = table.get("default", "a number, a word, true or false, or a list of words")
    if isinstance(default, bool):
        rule = HouseRule(rule_id, name, explanation, "switch", default)
    elif isinstance(default, int):
        ends = table.numbers("range", 0, 10_000)
        if len(ends) != 2 or ends[0] > ends[1]:
            raise table.wrong("range", shown(list(ends)), "the lowest and the highest number")
        step = table.number("step", 1, 10_000, 1)
        rule = HouseRule(rule_id, name, explanation, "number", default, ends[0], ends[1], step)
    else:
        choices = tuple(table.words("choices"))
        per_column = table.switch("per-column", False)
        sets = _sets(table, choices)
        chosen = tuple(table.words("default")) if isinstance(default, list) else table.text("default")
        rule = HouseRule(
            rule_id, name, explanation, "choice", chosen, choices=choices, per_column=per_column, sets=sets
        )
    if (trouble := rule.trouble(rule.default)) is not None:
        raise GameFileError(f"{table.file}: {table.where}.default: {trouble}")
    table.done()
    return rule


def _sets(table: Table, choices: Sequence[str]) -> Mapping[str, Mapping[str, RuleValue]]:
    """What each choice sets other rules to; a choice that sets nothing need not be named."""
    sets = table.table("sets", {})
    found: dict[str, Mapping[str, RuleValue]] = {}
    for choice in choices:
        inner = sets.table(choice, {})
        found[choice] = {rule: inner.number(rule, 0, 10_000) for rule in inner.values}
    sets.done()
    return {choice: values for choice, values in found.items() if values}
