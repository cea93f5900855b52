"""A score sheet as a person reads it on a terminal."""

from collections.abc import Mapping
from typing import Any

import rules

SUMS = (("upper-sum", "Upper sum"), ("upper-bonus", "Upper bonus"), ("upper-total", "Upper total"))


def score_text(answer: Mapping[str, Any], games: Mapping[str, rules.Game]) -> str:
    """The answer of `rules.score` (or the sheets of a state) as a table: a line per box, a column per column of each
    sheet. `games` are those it may be of."""
    game = games[answer["game"]]
    sheets = answer["sheets"]
    heads = [""]
    columns: list[Mapping[str, Any]] = []
    for sheet in sheets:
        for number, column in enumerate(sheet["columns"], start=1):
            heads.append(sheet["player"] + (f" {number}" if len(sheet["columns"]) > 1 else ""))
            columns.append(column)
    rows: list[list[str]] = [heads]
    for section in ("upper", "lower", "bonus"):
        boxes = [box for box in game.boxes if box.section == section]
        rows += [[box.name, *(_cell(column["boxes"].get(box.id)) for column in columns)] for box in boxes]
        if section == "upper":
            rows += [[name, *(_cell(column[key]) for column in columns)] for key, name in SUMS]
    if any(column.get("extra-bonus") for column in columns):
        rows.append(["Extra bonus", *(_cell(column.get("extra-bonus")) for column in columns)])
    rows.append(["Lower total", *(_cell(column["lower-total"]) for column in columns)])
    rows.append(["Column total", *(_cell(column["total"]) for column in columns)])
    lines = [game.name, *_aligned(rows), ""]
    for sheet in sorted(sheets, key=lambda sheet: sheet["rank"] or len(sheets) + 1):
        chips = f" (chips {sheet['chips']})" if sheet["chips"] else ""
        place = f"{sheet['rank']}." if sheet["rank"] else "–"
        lines.append(f"{place:>3} {sheet['player']}: {sheet['total']}{chips}")
    if answer["winners"]:
        lines.append("Winner: " + ", ".join(answer["winners"]))
    elif not answer.get("finished", True):
        lines.append("Not finished.")
    return "\n".join(lines)


def _cell(points: int | None) -> str:
    return "" if points is None else str(points)


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        f"{row[0]:<{widths[0]}}  "
        + "  ".join(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
        for row in rows
    ]
