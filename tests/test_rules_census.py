"""Every throw there is, in every box of every game, against the file of the second implementation."""

import json
from itertools import product

import pytest
import second_opinion

from rules import games
from rules.in_force import in_force
from rules.patterns import Pattern, alike, shown

CENSUS = json.loads(second_opinion.CENSUS.read_text(encoding="utf-8"))
SETTLED = {
    "": (),
    "straights 30-40": (("straights", "30-40"),),
    "four-as-two-pairs": (("four-as-two-pairs", True),),
    "yatzy-as-full-house": (("yatzy-as-full-house", True),),
}


def test_the_file_is_what_the_second_implementation_writes():
    assert second_opinion.census_text() == second_opinion.CENSUS.read_text(encoding="utf-8")


def test_the_file_holds_every_game():
    assert list(CENSUS) == list(games())


@pytest.mark.parametrize(("game", "house"), [(game, house) for game in CENSUS for house in CENSUS[game]])
def test_all_throws(game, house):
    rules = in_force(games()[game], SETTLED[house])
    count = [0] * len(rules.game.entry_boxes)
    points = [0] * len(rules.game.entry_boxes)
    for dice in product(range(1, 7), repeat=rules.game.dice):
        for place, worth in enumerate(rules.worths(dice)):
            count[place] += worth > 0
            points[place] += worth
    found = {box.id: [count[place], points[place]] for place, box in enumerate(rules.game.entry_boxes)}
    assert found == CENSUS[game][house]


@pytest.mark.parametrize("game", CENSUS)
def test_every_single_throw_is_worth_the_same_to_both(game):
    """The census adds up; this looks at each combination of faces by itself, so that no two errors cancel."""
    rules = in_force(games()[game], ())
    for dice in sorted({tuple(sorted(dice)) for dice in product(range(1, 7), repeat=rules.game.dice)}):
        worths = dict(zip(rules.game.places, rules.worths(dice), strict=True))
        assert worths == {box: second_opinion.worth(game, box, dice) for box in worths}, dice


def test_a_pattern_that_needs_no_number_has_none():
    assert Pattern("any") == Pattern("any", face=0, groups=(), faces=(), length=0)
    assert shown(Pattern("any"), (1, 2, 6)) == 9


def test_patterns_by_themselves():
    """What no shipped box asks of them: an own game may."""
    assert not alike(())
    assert alike((3,))
    run = Pattern("straight", length=3)
    assert shown(run, (1, 2, 3, 5, 6)) == 6
    assert shown(run, (1, 2, 3, 4, 5)) == 12  # the highest run counts
    assert shown(run, (1, 2, 4, 5)) is None
    assert shown(Pattern("faces", faces=(2, 4)), (1, 2, 3, 4)) == 6
    assert shown(Pattern("faces", faces=(2, 4)), (2, 2, 3)) is None
    assert shown(Pattern("groups", groups=(2, 1)), (1, 1, 6)) == 8
    assert shown(Pattern("groups", groups=(2, 1)), (1, 1, 1)) is None
    assert shown(Pattern("face", face=2), (2, 2, 3)) == 4
