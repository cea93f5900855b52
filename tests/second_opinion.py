"""A second implementation of all seven games, which shares no line with ``rules``.

Written from the rule texts alone and kept simple on purpose: a box looks at every subset of the dice, a sheet
is played turn by turn with points worked out as they are written. It takes finished turns only, no undo, no
change of rules; what a changed rule does is asked by playing the same turns again under it.

``python tests/second_opinion.py`` writes the census of every box to ``tests/rules_census.json``.
"""

import json
from itertools import combinations, product
from pathlib import Path

CENSUS = Path(__file__).with_name("rules_census.json")
NUMBERS = ["ones", "twos", "threes", "fours", "fives", "sixes"]
AMERICAN = [
    "three-of-a-kind",
    "four-of-a-kind",
    "full-house",
    "small-straight",
    "large-straight",
    "yahtzee",
    "chance",
]
NORDIC = ["one-pair", "two-pairs", "three-of-a-kind", "four-of-a-kind", "small-straight", "large-straight"]
NORDIC += ["full-house", "chance", "yatzy"]
MAXI = ["one-pair", "two-pairs", "three-pairs", "three-of-a-kind", "four-of-a-kind", "five-of-a-kind"]
MAXI += [
    "small-straight",
    "large-straight",
    "full-straight",
    "full-house",
    "house",
    "tower",
    "chance",
    "maxi-yatzy",
]
LOWER = {
    "yahtzee": AMERICAN,
    "kniffel": AMERICAN,
    "triple-yahtzee": AMERICAN,
    "yatzy": NORDIC,
    "trippel-yatzy": NORDIC,
    "maxi-yatzy": MAXI,
    "trippel-maxi-yatzy": MAXI,
}
TIMES = {
    "yahtzee": [1],
    "kniffel": [1, 1, 1],
    "triple-yahtzee": [1, 2, 3],
    "yatzy": [1],
    "trippel-yatzy": [1, 2, 3],
    "maxi-yatzy": [1],
    "trippel-maxi-yatzy": [1, 2, 3],
}
FIVE_ALIKE = {"one-pair": 2, "three-of-a-kind": 3, "four-of-a-kind": 4, "five-of-a-kind": 5}


def american(game):
    return LOWER[game] is AMERICAN


def dice_of(game):
    return 6 if LOWER[game] is MAXI else 5


def highest(dice, size, wanted):
    """The highest sum of any ``size`` of the dice that, laid in order, look as wanted; None if none do."""
    sums = [sum(some) for some in combinations(sorted(dice), size) if wanted(some)]
    return max(sums) if sums else None


def same(some):
    return min(some) == max(some)


def worth(game, box, dice, house=()):
    """The plain points of a throw in a box; ``house`` holds the names of switches that are on."""
    if box in NUMBERS:
        return sum(die for die in dice if die == NUMBERS.index(box) + 1)
    if box == "chance":
        return sum(dice)
    if american(game):
        found = {
            "three-of-a-kind": (3, same, sum(dice)),
            "four-of-a-kind": (4, same, sum(dice)),
            "full-house": (
                5,
                lambda s: same(s[:2]) and same(s[3:]) and s[2] in (s[1], s[3]) and s[0] != s[4],
                25,
            ),
            "small-straight": (4, lambda s: s in ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)), 30),
            "large-straight": (5, lambda s: s in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)), 40),
            "yahtzee": (5, same, 50),
        }
        size, wanted, points = found[box]
        return points if highest(dice, size, wanted) is not None else 0
    if box in FIVE_ALIKE:
        return highest(dice, FIVE_ALIKE[box], same) or 0
    if box in ("yatzy", "maxi-yatzy"):
        return (100 if box == "maxi-yatzy" else 50) if same(dice) else 0
    small, large = (30, 40) if "straights" in house else (15, 20)
    if box == "small-straight":
        return small if highest(dice, 5, lambda s: s == (1, 2, 3, 4, 5)) else 0
    if box == "large-straight":
        return large if highest(dice, 5, lambda s: s == (2, 3, 4, 5, 6)) else 0
    if box == "full-straight":
        return 21 if sorted(dice) == [1, 2, 3, 4, 5, 6] else 0
    if box == "two-pairs":
        four = "four-as-two-pairs" in house
        return highest(dice, 4, lambda s: s[0] == s[1] and s[2] == s[3] and (four or s[1] != s[2])) or 0
    if box == "three-pairs":
        return highest(dice, 6, lambda s: s[0] == s[1] < s[2] == s[3] < s[4] == s[5]) or 0
    if box == "full-house":
        five = "yatzy-as-full-house" in house
        return (
            highest(
                dice,
                5,
                lambda s: (
                    s[0] == s[1] == s[2] < s[3] == s[4] or s[0] == s[1] < s[2] == s[3] == s[4] or (five and same(s))
                ),
            )
            or 0
        )
    if box == "house":
        return highest(dice, 6, lambda s: same(s[:3]) and same(s[3:]) and s[0] != s[5]) or 0
    assert box == "tower"
    return (
        highest(
            dice,
            6,
            lambda s: not same(s) and ((same(s[:4]) and same(s[4:])) or (same(s[:2]) and same(s[2:]))),
        )
        or 0
    )


def census(game, house=()):
    """Per box: how many of all possible throws score, and the sum of what they score."""
    boxes = NUMBERS + LOWER[game]
    counted = {}
    for dice in product(range(1, 7), repeat=dice_of(game)):
        laid = tuple(sorted(dice))
        counted[laid] = counted.get(laid, 0) + 1
    found = {}
    for box in boxes:
        points = {laid: worth(game, box, laid, house) for laid in counted}
        found[box] = [
            sum(times for laid, times in counted.items() if points[laid] > 0),
            sum(times * points[laid] for laid, times in counted.items()),
        ]
    return found


HOUSES = {"": (), "straights 30-40": ("straights",), "four-as-two-pairs": ("four-as-two-pairs",)}
HOUSES["yatzy-as-full-house"] = ("yatzy-as-full-house",)


def whole_census():
    return {
        game: {name: census(game, house) for name, house in HOUSES.items() if not (name and american(game))}
        for game in LOWER
    }


class Paper:
    """One sheet of paper and a pencil. ``rules`` are house rules by their ids; the rest is as printed."""

    def __init__(self, game, **rules):
        rules = {name.replace("_", "-"): value for name, value in rules.items()}
        self.game = game
        self.boxes = NUMBERS + LOWER[game]
        self.last_box = "yahtzee" if american(game) else self.boxes[-1]
        self.times = list(TIMES[game])
        if "columns" in rules:
            self.times = [1] * rules["columns"]
        maxi = LOWER[game] is MAXI
        needed, paid = (84, 100) if maxi else (63, 35 if american(game) else 50)
        if rules.get("bonus-variant") == "75-50":
            needed, paid = 75, 50
        self.needed = rules.get("upper-bonus-threshold", needed)
        self.paid = rules.get("upper-bonus-value", paid)
        self.house = [n for n in ("four-as-two-pairs", "yatzy-as-full-house") if rules.get(n)]
        if rules.get("straights") == "30-40":
            self.house.append("straights")
        order = rules.get("order", ["down", "free", "up"] if game == "kniffel" else "free")
        self.order = [order if isinstance(order, str) else order[c % len(order)] for c in range(len(self.times))]
        self.jokers = rules.get("jokers", True)
        self.schmidt = rules.get("extra-kniffel") == "schmidt"
        self.each_extra = rules.get("yahtzee-bonus-value", 50 if self.schmidt else 100)
        if not american(game):
            self.each_extra = rules.get("extra-yatzy-bonus", 0)
        self.chip_with_zero = rules.get("chip-with-zero", True)
        self.sum_columns = rules.get("sum-columns", True)
        self.written = [{} for _ in self.times]  # plain points
        self.extras = [0 for _ in self.times]
        self.history = []  # for every Yahtzee so far: was it put into a Yahtzee box?
        self.chips = []

    # what may be taken

    def open_in(self, column):
        free = [box for box in self.boxes if box not in self.written[column]]
        if self.order[column] == "down":
            return free[:1]
        return free[-1:] if self.order[column] == "up" else free

    def legal(self, dice):
        """Every (box, column) that may be taken, columns from 1."""
        places = [(box, c) for c in range(len(self.times)) for box in self.open_in(c)]
        if same(dice) and american(self.game):
            if self.game == "triple-yahtzee":
                places = self.legal_with_chips(dice, places)
            elif self.jokers:
                places = [place for place in places if self.legal_joker(dice, *place)]
        return {(box, c + 1) for box, c in places}

    def legal_joker(self, dice, box, column):
        if self.order[column] != "free" or "yahtzee" not in self.written[column]:
            return True
        number = NUMBERS[dice[0] - 1]
        if number not in self.written[column]:
            return box == number
        return box in AMERICAN or all(lower in self.written[column] for lower in AMERICAN)

    def legal_with_chips(self, dice, places):
        if len(self.history) < 3 or False in self.history[:3]:
            return places
        number = NUMBERS[dice[0] - 1]
        if not all(number in column for column in self.written):
            return [(b, c) for b, c in places if b == number or self.order[c] != "free"]
        if all(lower in column for lower in AMERICAN for column in self.written):
            return places
        return [(b, c) for b, c in places if b in AMERICAN or self.order[c] != "free"]

    # what is written

    def enter(self, box, column, dice):
        column -= 1
        points = worth(self.game, box, dice, self.house)
        if same(dice):
            if self.game == "triple-yahtzee":
                points = self.with_chips(box, column, dice, points)
            elif american(self.game):
                points = self.with_bonus(box, column, dice, points)
            elif self.written[column].get(self.last_box):
                self.extras[column] += self.each_extra
        self.written[column][box] = points

    def skip(self, dice):
        if same(dice):
            self.history.append(False)

    def with_bonus(self, box, column, dice, points):
        if "yahtzee" not in self.written[column]:
            return points
        number = NUMBERS[dice[0] - 1]
        if self.written[column]["yahtzee"] == 50 and (box == number or not self.schmidt):
            self.extras[column] += self.each_extra
        if self.jokers and number in self.written[column]:
            return {"full-house": 25, "small-straight": 30, "large-straight": 40}.get(box, points)
        return points

    def with_chips(self, box, column, dice, points):
        number = NUMBERS[dice[0] - 1]
        numbers_gone = all(number in c for c in self.written)
        lowers_gone = all(lower in c for lower in AMERICAN for c in self.written)
        if numbers_gone and all("yahtzee" in c for c in self.written):
            points = {"full-house": 25, "small-straight": 30, "large-straight": 40}.get(box, points)
        into_yahtzee = box == "yahtzee"
        count = len(self.history) + 1
        if count in (2, 3):
            chip = self.history[0] and into_yahtzee
        elif count >= 4 and self.history[:3] == [True, True, True]:
            chip = box == number or (numbers_gone and box in AMERICAN)
            chip = chip or (numbers_gone and lowers_gone and self.chip_with_zero)
        else:
            chip = False
        if chip:
            self.chips.append(100 * (column + 1))
        self.history.append(into_yahtzee)
        return points

    # adding up

    def column_total(self, column):
        """The column's total, after its multiplier."""
        written = self.written[column]
        upper = sum(written.get(box, 0) for box in NUMBERS)
        lower = sum(written.get(box, 0) for box in LOWER[self.game])
        bonus = self.paid if upper >= self.needed else 0
        return (upper + bonus + lower + self.extras[column]) * self.times[column]

    def total(self):
        totals = [self.column_total(column) for column in range(len(self.times))]
        return (sum(totals) if self.sum_columns else max(totals)) + sum(self.chips)

    def full(self):
        return all(len(column) == len(self.boxes) for column in self.written)


def census_text():
    """The census as the file holds it, one line per box: how many throws score, and the sum of their points."""
    blocks = []
    for game, houses in whole_census().items():
        inner = []
        for house, boxes in houses.items():
            lines = ",\n".join(f"   {json.dumps(box)}: {json.dumps(found)}" for box, found in boxes.items())
            inner.append(f"  {json.dumps(house)}: {{\n{lines}\n  }}")
        blocks.append(f" {json.dumps(game)}: {{\n" + ",\n".join(inner) + "\n }")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


if __name__ == "__main__":
    CENSUS.write_text(census_text(), encoding="utf-8")
