"""A table to play at in tests: every event goes through ``check`` first, as in the appliance."""

import rules


def settled(values):
    """House rules as events carry them; ``upper_bonus_value=40`` stands for ``upper-bonus-value``."""
    return tuple(
        (name.replace("_", "-"), tuple(value) if isinstance(value, list) else value) for name, value in values.items()
    )


class Table:
    def __init__(self, game="yatzy", players=("Anna",), teams=(), begins=None, team_names=(), **house):
        self.events = []
        self.match = None
        self.do(rules.GameStarted(game, players, settled(house), teams, team_names, begins))

    def do(self, event):
        refusal = rules.check(self.match, event)
        assert refusal is None, f"{event} was refused: {refusal.detail}"
        self.match = rules.apply(self.match, event)
        self.events.append(event)
        return self

    def refused(self, event):
        """The name of the refusal; a refused event must not be let through."""
        refusal = rules.check(self.match, event)
        assert refusal is not None, f"{event} was not refused"
        return str(refusal)

    def throw(self, *dice):
        return self.do(rules.Thrown(dice))

    def hold(self, *slots):
        return self.do(rules.Held(slots))

    def enter(self, box, column=1):
        return self.do(rules.Entered(box, column))

    def turn(self, box, *dice, column=1):
        return self.throw(*dice).enter(box, column)

    def undo(self):
        return self.do(rules.Undone())

    def redo(self):
        return self.do(rules.Redone())

    def change(self, **house):
        return self.do(rules.RulesChanged(settled(house)))

    def sheet(self, place=0):
        return rules.sheets(self.match)["sheets"][place]

    def column(self, column=1, place=0):
        return self.sheet(place)["columns"][column - 1]

    def box(self, box, column=1, place=0):
        return self.column(column, place)["boxes"].get(box)

    def total(self, place=0):
        return self.sheet(place)["total"]

    def offers(self):
        """What could be entered now: (box, column) -> written points."""
        return {(o.box, o.column): o.points for o in self.match.options}

    def jokers(self):
        return {(o.box, o.column) for o in self.match.options if o.joker}

    def effect(self, box, column=1):
        found = [o.bonus_effect for o in self.match.options if (o.box, o.column) == (box, column)]
        assert found, f"{box} is not offered"
        return dict(found[0])

    @property
    def state(self):
        return rules.state(self.match)


ALL_FACES = (1, 2, 3, 4, 6)
"""Five dice that are worth nothing in a straight of five, a pair or more alike."""


def written(game, columns, chips=(), **house):
    """One written sheet, scored."""
    sheet = {"player": "Anna", "columns": columns, "chips": list(chips)}
    answer = rules.score({"game": game, "rules": dict(settled(house)), "sheets": [sheet]})
    return answer["sheets"][0]
