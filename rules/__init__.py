"""The games, as pure rules: no clock, no randomness, no file but game files, only the standard library.

Events hold facts, never points: ``check`` says whether a new event is allowed, ``apply`` says what it does,
and every score, bonus, chip, total and rank follows from the facts and the rules in force when it is asked
for.
"""

from rules.answers import options, sheets, state
from rules.applying import apply, replay
from rules.checking import Refusal, check, check_rules
from rules.entering import Option
from rules.events import (
    Corrected,
    Entered,
    Event,
    EventError,
    GameClosed,
    GameStarted,
    Held,
    LotThrown,
    Passed,
    PlayerJoined,
    PlayerLeft,
    Redone,
    RulesChanged,
    SavedThrowSpent,
    Thrown,
    Undone,
    event_from_json,
    event_to_json,
)
from rules.game import Box, Game, HouseRule, RuleValue
from rules.game_file import games, games_and_troubles, load_game
from rules.lines import ReplayError, replay_lines
from rules.match import Match, Seat
from rules.sheet import ColumnScore, SheetScore
from rules.table import GameFileError
from rules.written import ScoreError, score

__all__ = [
    "Box",
    "ColumnScore",
    "Corrected",
    "Entered",
    "Event",
    "EventError",
    "Game",
    "GameClosed",
    "GameFileError",
    "GameStarted",
    "Held",
    "HouseRule",
    "LotThrown",
    "Match",
    "Option",
    "Passed",
    "PlayerJoined",
    "PlayerLeft",
    "Redone",
    "Refusal",
    "ReplayError",
    "RuleValue",
    "RulesChanged",
    "SavedThrowSpent",
    "ScoreError",
    "Seat",
    "SheetScore",
    "Thrown",
    "Undone",
    "apply",
    "check",
    "check_rules",
    "event_from_json",
    "event_to_json",
    "games",
    "games_and_troubles",
    "load_game",
    "options",
    "replay",
    "replay_lines",
    "score",
    "sheets",
    "state",
]
