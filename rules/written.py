"""Sheets written by hand: dice or numbers in every box, added up; a number no throw can give is refused."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

from rules.checking import check_rules, good_name
from rules.events import EventError, rules_from_json, tidy_name
from rules.game import Game
from rules.game_file import games as shipped
from rules.in_force import InForce, in_force, settle
from rules.patterns import alike
from rules.sheet import ColumnScore, SheetScore, add_columns, add_up, ranks, sheet_answer
from rules.shown import shown

Cell = int | tuple[int, ...] | None
"""What stands in a box of a written sheet: written points, dice, or nothing."""


class ScoreError(ValueError):
    """The sheets cannot be scored. The message is one line: where, what was found, what is possible."""


def score(written: object, games: Mapping[str, Game] | None = None) -> dict[str, object]:
    """What ``tallytray score`` answers for a sheet file's content."""
    top = _object("the sheet file", written, ("game", "sheets"), ("rules",))
    known = shipped() if games is None else games
    game = known.get(top["game"]) if isinstance(top["game"], str) else None
    if game is None:
        raise ScoreError(f"game: {shown(top['game'])} is no game; allowed: {', '.join(known)}")
    rules = _rules(game, top.get("rules", {}))
    if not isinstance(top["sheets"], list) or not top["sheets"]:
        raise ScoreError("sheets: a list of at least one sheet is needed")
    names: list[str] = []
    teams: list[tuple[str, ...]] = []
    scores: list[SheetScore] = []
    for number, sheet in enumerate(top["sheets"], 1):
        name, members, sheet_score = _sheet(rules, f"sheet {number}", sheet)
        if name in names:
            raise ScoreError(f"sheet {number}: player {shown(name)} has a sheet already; every name once")
        names.append(name)
        teams.append(members)
        scores.append(sheet_score)
    finished = all(sheet_score.full for sheet_score in scores)
    placed = ranks([sheet_score.total for sheet_score in scores])
    return {
        "game": game.id,
        "finished": finished,
        "winners": [name for name, rank in zip(names, placed, strict=True) if finished and rank == 1],
        "sheets": [sheet_answer(rules, *sheet) for sheet in zip(names, teams, placed, scores, strict=True)],
    }


@lru_cache(maxsize=4096)
def possible_points(rules: InForce, place: int, column: int) -> tuple[int, ...]:
    """Every written number a throw, or a strike, can give in a box (``column`` from 0)."""
    game = rules.game
    every_throw = combinations_with_replacement(range(1, game.faces + 1), game.dice)
    plain = {0} | {rules.worth(place, dice) for dice in every_throw}
    return tuple(sorted(points * rules.written_times[column] for points in plain))


def _rules(game: Game, value: object) -> InForce:
    try:
        changes = rules_from_json("rules", value)
    except EventError as error:
        raise ScoreError(str(error)) from None
    if (found := check_rules(game, (), changes)) is not None:
        raise ScoreError(f"rules: {found.detail}")
    return in_force(game, settle((), changes))


def _object(where: str, value: object, needed: Sequence[str], optional: Sequence[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ScoreError(f"{where}: found {shown(value)}, an object with {', '.join(needed)} is needed")
    for key in needed:
        if key not in value:
            raise ScoreError(f"{where}: {key} is missing")
    for key in value:
        if key not in needed and key not in optional:
            raise ScoreError(f"{where}: {shown(key)} does not belong here; allowed: {', '.join((*needed, *optional))}")
    return value


def _sheet(rules: InForce, where: str, value: object) -> tuple[str, tuple[str, ...], SheetScore]:
    sheet = _object(where, value, ("columns",), ("player", "members", "chips"))
    members = sheet.get("members", [])
    if not isinstance(members, list):
        raise ScoreError(f"{where}: members: found {shown(members)}, a list of names is needed")
    team = tuple(_name(f"{where}: members", member) for member in members)
    if "player" not in sheet and not team:
        raise ScoreError(f"{where}: player is missing")
    name = _name(f"{where}: player", sheet["player"]) if "player" in sheet else " & ".join(team)
    where = f"{where} ({name})"
    columns = sheet["columns"]
    if not isinstance(columns, list) or not 1 <= len(columns) <= rules.columns:
        found = f"{len(columns)} columns" if isinstance(columns, list) else shown(columns)
        raise ScoreError(f"{where}: columns: found {found}, allowed: a list of 1 to {rules.columns}")
    columns = [*columns, *({} for _ in range(rules.columns - len(columns)))]
    read = [_cells(rules, f"{where}, column {n}", n - 1, column) for n, column in enumerate(columns, 1)]
    added = [_column(rules, f"{where}, column {n}", n - 1, columns[n - 1], read) for n in range(1, len(read) + 1)]
    return name, team, add_columns(rules, added, _chips(rules, where, sheet.get("chips", [])))


def _name(where: str, value: object) -> str:
    name = tidy_name(value) if isinstance(value, str) else ""
    if not good_name(name):
        raise ScoreError(f"{where}: found {shown(value)}, allowed: a name of 1 to 20 letters")
    return name


def _cells(rules: InForce, where: str, column: int, value: object) -> tuple[Cell, ...]:
    """What stands in each box of a column, every number and die of it possible."""
    bonus_box = rules.game.bonus_box
    others = () if bonus_box is None else (bonus_box.id,)
    if bonus_box is None and rules.extra:
        others = ("extra-bonus",)
    boxes = _object(where, value, (), (*rules.game.places, *others))
    return tuple(
        _cell(rules, f"{where}, {box}", column, place, boxes.get(box)) for box, place in rules.game.places.items()
    )


def _cell(rules: InForce, where: str, column: int, place: int, value: object) -> Cell:
    if value is None:
        return None
    if isinstance(value, list):
        dice = rules.game.dice
        if len(value) != dice or not all(type(die) is int and 1 <= die <= 6 for die in value):
            raise ScoreError(f"{where}: found {shown(value)}, allowed: {dice} dice from 1 to 6, or a number")
        return tuple(value)
    _possible(where, value, possible_points(rules, place, column))
    return int(str(value))


def _possible(where: str, value: object, possible: Sequence[int]) -> None:
    if type(value) is not int or value not in possible:
        raise ScoreError(f"{where}: {shown(value)} is not possible; possible: {', '.join(map(str, possible))}")


def _column(
    rules: InForce, where: str, column: int, boxes: Mapping[str, object], cells: Sequence[tuple[Cell, ...]]
) -> ColumnScore:
    times = rules.written_times[column]
    plain: list[int | None] = []
    for place, cell in enumerate(cells[column]):
        if isinstance(cell, tuple):
            plain.append(_worth(rules, column, place, cell, cells))
        else:
            plain.append(None if cell is None else cell // times)
    holds = rules.game.yahtzee_place is not None and plain[rules.game.yahtzee_place] != 0
    most = len(plain) - 1
    if rules.number_box_only:
        most = len(rules.game.uppers)
    possible = [n * rules.extra * times for n in range((most if holds and rules.extra else 0) + 1)]
    bonus_box = rules.game.bonus_box
    if bonus_box is not None:
        bonus = boxes.get(bonus_box.id)
        if bonus is not None:
            _possible(f"{where}, {bonus_box.id}", bonus, possible)
        return add_up(rules, column, plain, None if bonus is None else int(str(bonus)) // times, 0)
    if "extra-bonus" in boxes:
        _possible(f"{where}, extra-bonus", boxes["extra-bonus"], possible)
        return add_up(rules, column, plain, None, int(str(boxes["extra-bonus"])) // times)
    return add_up(rules, column, plain, None, rules.extra * _further(rules, plain, cells[column]))


def _worth(rules: InForce, column: int, place: int, dice: tuple[int, ...], cells: Sequence[tuple[Cell, ...]]) -> int:
    """Dice on a written sheet: a joker wherever the boxes it needs are filled, since paper keeps no order."""
    game = rules.game
    fixed = rules.fixed[place]
    yahtzee_place = game.yahtzee_place
    if alike(dice) and game.entry_boxes[place].joker and isinstance(fixed, int) and yahtzee_place is not None:
        upper = game.upper_of.get(dice[0], yahtzee_place)
        needed = cells if game.chips else (cells[column],)
        if (rules.jokers or game.chips) and all(
            cell[yahtzee_place] is not None and cell[upper] is not None for cell in needed
        ):
            return fixed
    return rules.worth(place, dice)


def _further(rules: InForce, plain: Sequence[int | None], cells: Sequence[Cell]) -> int:
    """How many further Yatzys stand in a column as dice, beside a yatzy box that holds its points."""
    place = rules.game.yahtzee_place
    if place is None or not plain[place]:
        return 0
    return sum(1 for p, cell in enumerate(cells) if p != place and isinstance(cell, tuple) and alike(cell))


def _chips(rules: InForce, where: str, value: object) -> int:
    """The chips lying on the sheet, each by its worth; a game without chips counts none."""
    if not isinstance(value, list):
        raise ScoreError(f"{where}: chips: found {shown(value)}, a list of chips is needed")
    allowed = rules.game.chips
    for chip in value:
        if type(chip) is not int or (allowed and chip not in allowed):
            named = ", ".join(map(str, allowed)) if allowed else "whole numbers"
            raise ScoreError(f"{where}: chips: {shown(chip)} is no chip; allowed: {named}")
    return sum(value) if allowed else 0
