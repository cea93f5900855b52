"""High scores and a personal best, as screens are given them."""

from dataclasses import dataclass
from datetime import date

from rules import Game, RuleValue


@dataclass(frozen=True)
class Score:
    """One sheet of a finished game. `day` is None where the clock could not be trusted; `here`: it belongs to the
    game on the table."""

    player: str
    total: int
    day: date | None = None
    here: bool = False


@dataclass(frozen=True)
class ScoreList:
    """The best sheets of one game as it was played, best first, the earlier of two equals first. `changed` are the
    house rules that make it another list than the game as printed."""

    game: Game
    changed: tuple[tuple[str, RuleValue], ...]
    scores: tuple[Score, ...]


@dataclass(frozen=True)
class Best:
    """What a solo player had reached before the game on the table: the `total`, in which of their `games` (from 1,
    in the order played); None and no games when this one is the first."""

    total: int | None = None
    which: int = 0
    games: int = 0
