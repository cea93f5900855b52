"""The end of a game in every state, and the idle screen."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from display.examples import LONG, NAMES, Dice, game, greatest, on, played, six_columns, thrown, tie, view
from display.scores import Best, Score, ScoreList
from display.standing import best_entry
from display.view import FAULTS, Fault, View
from rules import Entered, GameStarted, LotThrown, Match, PlayerLeft, RuleValue, Undone, apply


def ends(language: str) -> dict[str, View]:
    """Results and idle screens, by a name for their files."""
    four = NAMES[:4]
    alone = played("yahtzee", ("Anna",), 400)
    most = greatest("trippel-maxi-yatzy", LONG[:1], 0)
    own = scores("yahtzee", [("Anna", 130, True), ("Björn", 128), ("Anna", 99)])
    long = scores("trippel-maxi-yatzy", [(name, 3894 - place) for place, name in enumerate((*LONG, *LONG[:2]))])
    ruled = scores(
        "maxi-yatzy", [("Zoë", 412), ("Anna & Björn", 365)], (("bonus-variant", "75-50"), ("saved-throws", False))
    )
    shown = {
        "result": view(played("yatzy", four, 400), language),
        "result-two": view(played("triple-yahtzee", four[:2], 400), language),
        "result-shared": view(tie(), language),
        "result-level": view(tie("stands"), language),
        "result-throw-off": view(thrown_off(), language),
        "result-all-level": view(tie("shared", LONG), language, notice="nothing-to-redo"),
        "result-solo": view(alone, language, best=Best(312, 7, 22), scores=(own, long)),
        "result-best": view(alone, language, best=Best(119, 3, 3), scores=(own,)),
        "result-equal": view(alone, language, best=Best(130, 1, 1), scores=(own,)),
        "result-first": view(alone, language, best=Best(), scores=(own,)),
        "result-most": view(most, language, best=Best(3800, 118, 1204), scores=(long,)),
        "result-eight": view(played("maxi-yatzy", LONG, 400), language),
        "result-three-columns": view(played("trippel-maxi-yatzy", LONG, 600), language),
        "result-last-page": on(view(played("trippel-maxi-yatzy", LONG, 600), language), page=2),
        "result-six-columns": view(six_columns(400), language),
        "result-teams": view(long_teams(), language),
        "result-left": view(left(), language, faults=(Fault("camera-missing"),)),
    }
    idle = {
        "idle": view(None, language, scores=(own, ruled)),
        "idle-rules": on(view(None, language, scores=(own, ruled)), page=1),
        "idle-long": view(None, language, scores=(long,), faults=tuple(Fault(name) for name in FAULTS[:2])),
        "idle-first": view(None, language),
        "idle-over": on(view(alone, language), page=4),
    }
    found = {name: on(one, screen="result") for name, one in shown.items()}
    return found | {name: on(one, screen="idle") for name, one in idle.items()}


def scores(name: str, best: Sequence[tuple[object, ...]], changed: tuple[tuple[str, RuleValue], ...] = ()) -> ScoreList:
    """A high-score list: who, how many, and whether it was just now."""
    days = [date(2027, 9, 30), date(2026, 12, 24), None]
    found = [Score(str(who), int(str(total)), days[n % 3], *here) for n, (who, total, *here) in enumerate(best)]  # type: ignore[arg-type]
    return ScoreList(game(name), changed, tuple(found))


def thrown_off() -> Match:
    """A tie that a throw-off decided."""
    match = tie("throw-off")
    match = apply(match, LotThrown("Anna", (6, 5, 5, 2, 1)))
    return apply(match, LotThrown("Björn", (6, 6, 5, 4, 3)))


@lru_cache(maxsize=1)
def long_teams() -> Match:
    """Four against four, all with long names."""
    match = apply(None, GameStarted("yatzy", LONG, teams=(LONG[:4], LONG[4:])))
    dice = Dice(7)
    while match.phase != "over":
        match = thrown(match, dice)
        match = apply(match, Entered(*(best_entry(match) or ("ones", 1))))
    return match


def left() -> Match:
    """One gave up just before the end."""
    match = apply(played("yatzy", NAMES[:3], 400), Undone())
    while match.phase != "over":
        match = apply(match, PlayerLeft(match.player or ""))
    return match
