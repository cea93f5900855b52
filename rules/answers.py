"""A match as the outside sees it: the state that ``replay`` ends with, the sheets that ``score`` answers."""

from rules.entering import Option
from rules.events import rules_to_json
from rules.match import Match
from rules.sheet import sheet_answer


def options(match: Match) -> tuple[Option, ...]:
    """Every entry that is legal now, 0 ones included, by column, then in the sheet's order."""
    return match.options


def state(match: Match) -> dict[str, object]:
    """The whole state, ready for JSON."""
    return {
        "game": match.game.id,
        "rules": rules_to_json(tuple(match.rules.items())),
        "phase": match.phase,
        "player": match.player,
        "throw": match.throw,
        "throws-left": match.throws_left,
        "saved": dict(match.saved),
        "dice": list(match.dice),
        "held": list(match.held),
        "options": [
            {"box": option.box, "column": option.column, "points": option.points, "joker": option.joker}
            for option in match.options
        ],
        "sheets": _sheets(match),
        "winners": list(match.winners),
    }


def sheets(match: Match) -> dict[str, object]:
    """The match's sheets in the shape of ``tallytray score``'s answer."""
    return {
        "game": match.game.id,
        "finished": match.finished,
        "winners": list(match.winners),
        "sheets": _sheets(match),
    }


def _sheets(match: Match) -> list[dict[str, object]]:
    return [
        sheet_answer(match.in_force, seat.name, seat.members, rank, score)
        for seat, rank, score in zip(match.seats, match.ranks, match.scores, strict=True)
    ]
