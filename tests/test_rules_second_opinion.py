"""A thousand random whole games of all seven, under random house rules, against the second implementation.

Each turn both must allow the same boxes and come to the same totals. The dice are loaded, or Yahtzees, jokers
and chips would never be seen.
"""

import random

import pytest
import second_opinion
from rules_table import Table

import rules

GAMES = list(rules.games())
SHARES = 20
WHOLE_GAMES = 1000


def house_rules(game, rng):
    """Some house rules of the game, each set at random, often none."""
    found = {}
    if rng.random() < 0.3:
        return found
    for rule in game.house_rules:
        if rng.random() < 0.35 and rule.id not in ("saved-throws", "tie"):
            if rule.kind == "switch":
                found[rule.id] = rng.random() < 0.5
            elif rule.kind == "number":
                found[rule.id] = rng.choice(range(rule.low, rule.high + 1, rule.step))
            elif not rule.per_column:
                found[rule.id] = rng.choice(rule.choices)
    columns = found.get("columns", game.columns)
    if rng.random() < 0.4:
        words = [rng.choice(["free", "free", "down", "up"]) for _ in range(columns)]
        found["order"] = words if rng.random() < 0.7 else words[0]
    return found


def loaded_dice(count, rng):
    face = rng.randint(1, 6)
    if rng.random() < 0.45:
        return (face,) * count
    return tuple(face if rng.random() < 0.3 else rng.randint(1, 6) for _ in range(count))


def play_both(game_id, seed):
    rng = random.Random(f"{game_id} {seed}")
    game = rules.games()[game_id]
    house = house_rules(game, rng)
    named = {name.replace("-", "_"): value for name, value in house.items()}
    table = Table(game_id, tuple("AB"[: rng.choice([1, 1, 2])]), **named)
    papers = [second_opinion.Paper(game_id, **named) for _ in table.match.seats]
    while table.match.phase != "over":
        if table.match.phase == "throw-off":
            table.do(rules.LotThrown(table.match.player, loaded_dice(game.lot_dice, rng)))
            continue
        place = table.match.on_turn
        paper = papers[place]
        dice = loaded_dice(game.dice, rng)
        table.throw(*dice)
        offers = table.offers()
        assert set(offers) == paper.legal(dice), (house, paper.written, dice)
        if not house.get("write-zero", True):
            assert table.match.can_pass == (not any(offers.values()))
            if table.match.can_pass and rng.random() < 0.7:
                table.do(rules.Passed())
                paper.skip(dice)
                continue
        box, column = rng.choice(sorted(offers))
        if rng.random() < 0.5:  # the good box is where bonuses and chips are found
            box, column = max(sorted(offers), key=lambda o: (o[0] == paper.last_box, offers[o]))
        table.enter(box, column)
        paper.enter(box, column, dice)
        if seed % 5:
            continue  # added up at the end only; every fifth game is after every turn
        score = table.match.scores[place]
        totals = [paper.column_total(c) for c in range(len(paper.times))]
        assert [column.total for column in score.columns] == totals, (house, paper.written)
        assert score.chips == sum(paper.chips), (house, paper.written, paper.history)
        assert score.total == paper.total()
        assert not any(column.irregular for column in score.columns)
    assert table.match.finished
    for score, paper in zip(table.match.scores, papers, strict=True):
        assert score.full
        assert paper.full()
        assert score.total == paper.total()
    return table, papers


@pytest.mark.parametrize("share", range(SHARES))
def test_random_whole_games(share):
    for number in range(share, WHOLE_GAMES, SHARES):
        play_both(GAMES[number % len(GAMES)], number)


def test_the_random_games_hold_what_they_are_for():
    """Otherwise the thousand games would agree about nothing but plain boxes."""
    chips, jokers, bonuses = set(), 0, 0
    for seed in range(7, 40):
        table, papers = play_both("triple-yahtzee", seed)
        chips |= {chip for paper in papers for chip in paper.chips}
        table, papers = play_both("yahtzee", seed)
        bonuses += sum(sum(paper.extras) for paper in papers)
        place = table.match.game.places["full-house"]
        for seat, paper in zip(table.match.seats, papers, strict=True):
            for entries, points in zip(seat.sheet.columns, paper.written, strict=True):
                jokers += len(set(entries[place].dice)) == 1 and points["full-house"] == 25
    assert chips == {100, 200, 300}
    assert bonuses > 1000
    assert jokers > 5
