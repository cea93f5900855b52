"""Hypothesis plays: whatever is accepted, in whatever order, certain things hold."""

import json
from itertools import combinations
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import rules
from rules import (
    Corrected,
    Entered,
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
)

NAMES = ("Anna", "Ben", "Cia", "Dan")
faces = st.integers(1, 6)


def a_throw(count):
    """Dice as they fall, or all alike: Yahtzees are what the rules are hard about."""
    return st.one_of(st.lists(faces, min_size=count, max_size=count), faces.map(lambda face: [face] * count)).map(tuple)


def a_value(rule):
    """A value the rule allows (a list of words fits some numbers of columns only)."""
    if rule.kind == "switch":
        return st.booleans()
    if rule.kind == "number":
        return st.sampled_from(range(rule.low, rule.high + 1, rule.step))
    return st.sampled_from(rule.choices)


class AnyGame(RuleBasedStateMachine):
    """One table. ``feed`` offers any event to the door and applies it when it is let in."""

    @initialize(data=st.data())
    def start(self, data):
        game = data.draw(st.sampled_from(list(rules.games().values())))
        players = NAMES[: data.draw(st.integers(1, 3))]
        teams = ()
        if len(players) == 3 and data.draw(st.booleans()):
            teams = (players[:2], players[2:])
        house = tuple(
            (house.id, data.draw(a_value(house))) for house in game.house_rules if data.draw(st.integers(0, 3)) == 0
        )
        begins = data.draw(st.sampled_from([None, "throw", players[-1]]))
        self.match = None
        self.events = []
        self.feed(GameStarted(game.id, players, house, teams, (), begins))
        assert self.match is not None
        if begins != "throw":
            self.play_on(data.draw(st.integers(0, 7)), Random(data.draw(st.integers(0, 10_000))))

    def play_on(self, left, rng):
        """Skips ahead until a few turns are left, or a few are played: most of the rules is about full sheets."""
        turns = sum(entries.count(None) for seat in self.match.seats for entries in seat.sheet.columns)
        for _ in range(left if rng.random() < 0.3 else max(0, turns - left)):
            face = rng.choice([0, 0, 0, 5, 6])
            self.feed(Thrown(tuple(face or rng.randint(1, 6) for _ in range(self.match.game.dice))))
            option = rng.choice(self.match.options)
            assert self.feed(Entered(option.box, option.column))

    def feed(self, event):
        """Whether the event was let in. Nothing that was not may change anything."""
        refusal = rules.check(self.match, event)
        if refusal is not None:
            assert isinstance(refusal, str)
            assert refusal.detail
            return False
        self.match = rules.apply(self.match, event)
        self.events.append(event)
        return True

    @property
    def dice(self):
        return a_throw(self.match.game.dice)

    @property
    def totals(self):
        return {seat.name: score.total for seat, score in zip(self.match.seats, self.match.scores, strict=True)}

    def totals_never_fall(self, event):
        before = self.totals
        if self.feed(event):
            assert all(self.totals[name] >= total for name, total in before.items())

    # what happens at the table

    @precondition(lambda self: self.match.phase in ("throw", "choose"))
    @rule(data=st.data())
    def throw(self, data):
        dice = list(data.draw(self.dice))
        for slot in self.match.held:
            dice[slot - 1] = self.match.dice[slot - 1]
        self.totals_never_fall(Thrown(tuple(dice)))

    @precondition(lambda self: self.match.phase == "choose")
    @rule(data=st.data())
    def enter(self, data):
        option = data.draw(st.sampled_from(self.match.options))
        written = dict(option.bonus_effect)
        before = self.match
        place = before.on_turn
        self.totals_never_fall(Entered(option.box, option.column))
        column = self.match.scores[place].columns[option.column - 1]
        assert dict(column.boxes)[option.box] == option.points
        gained = self.match.scores[place].chips - before.scores[place].chips
        assert gained == written.get("chip", 0)
        assert column.upper_bonus > before.scores[place].columns[option.column - 1].upper_bonus or (
            "reached" not in written
        )

    @precondition(lambda self: self.match.phase == "throw")
    @rule(data=st.data())
    def whole_turn(self, data):
        """So that games get somewhere."""
        self.feed(Thrown(data.draw(self.dice)))
        self.enter(data)

    @rule()
    def pass_on(self):
        could = self.match.can_pass
        before = self.totals
        assert self.feed(Passed()) == could
        assert self.totals == before

    @rule(slots=st.lists(st.integers(0, 7), max_size=6))
    def hold(self, slots):
        self.feed(Held(tuple(slots)))

    @rule()
    def spend(self):
        self.feed(SavedThrowSpent())

    @precondition(lambda self: self.match.phase in ("begin", "throw-off"))
    @rule(data=st.data())
    def lot(self, data):
        dice = tuple(data.draw(st.lists(faces, min_size=self.match.game.lot_dice, max_size=self.match.game.lot_dice)))
        assert self.feed(LotThrown(self.match.player, dice))

    @rule(data=st.data())
    def correct(self, data):
        places = [
            (seat.name, box, column)
            for seat in self.match.seats
            for column, entries in enumerate(seat.sheet.columns, 1)
            for box, place in self.match.game.places.items()
            if entries[place] is not None
        ]
        player, box, column = data.draw(st.sampled_from([(None, None, 1), *places]))
        self.feed(Corrected(data.draw(self.dice), player, box, column))

    @rule(name=st.sampled_from(NAMES))
    def leave(self, name):
        if len(self.match.players) > 1:
            self.feed(PlayerLeft(name))

    @rule(name=st.sampled_from(NAMES))
    def join(self, name):
        self.totals_never_fall(PlayerJoined(name))

    @rule()
    def close(self):
        if self.feed(GameClosed()):
            assert not self.match.options
            self.feed(Undone())

    @rule(data=st.data())
    def anything_at_all(self, data):
        """Mostly nonsense: the door must give it a name, and never fall over."""
        number = st.integers(-1, 8)
        some = st.lists(number, max_size=7).map(tuple)
        name = st.sampled_from((*NAMES, "", "Nobody", "Anna & Ben"))
        box = st.sampled_from((*self.match.game.places, "yahtzee-bonus", "nothing"))
        known = st.sampled_from((*self.match.game.rule, "nothing"))
        value = st.one_of(st.none(), st.booleans(), number, st.sampled_from(["free", "x"]), st.just(("up", "free")))
        event = data.draw(
            st.one_of(
                st.builds(Thrown, some),
                st.builds(Held, some),
                st.builds(Entered, box, number),
                st.builds(Corrected, some, name, box, number),
                st.builds(LotThrown, name, some),
                st.builds(PlayerJoined, name),
                st.builds(
                    RulesChanged,
                    st.lists(st.tuples(known, value), max_size=2, unique_by=lambda pair: pair[0]).map(tuple),
                ),
                st.builds(GameStarted, st.sampled_from(["yatzy", "chess"]), st.lists(name, max_size=3).map(tuple)),
            )
        )
        before = rules.state(self.match)
        if not self.feed(event):
            assert rules.state(self.match) == before

    # what must hold of undo and of rules

    @rule()
    def undo(self):
        what = self.match.can_undo
        state = rules.state(self.match)
        match = self.match
        if self.feed(Undone()):
            assert self.match.can_redo == what
            again = rules.apply(self.match, Redone())
            assert rules.state(again) == state
            assert again.standing == match.standing == self.match.standing + 1
        else:
            assert what is None
            assert self.match.standing == 1

    @rule()
    def redo(self):
        what = self.match.can_redo
        assert self.feed(Redone()) == (what is not None)

    @rule(data=st.data())
    def change_a_rule_and_change_it_back(self, data):
        house = data.draw(st.sampled_from(self.match.game.house_rules))
        before = rules.state(self.match)
        old = self.match.rules[house.id]
        settled = dict(self.match.settled)
        if self.feed(RulesChanged(((house.id, data.draw(a_value(house))),))):
            json.dumps(rules.state(self.match))
            if house.id in settled or not any(rule.sets for rule in self.match.game.house_rules):
                back = RulesChanged(((house.id, settled.get(house.id, old)),))
            else:
                back = RulesChanged(((house.id, None),))
            self.match = rules.apply(self.match, back)
            self.events.append(back)
            assert rules.state(self.match) == before

    @rule(data=st.data())
    def change_a_rule(self, data):
        house = data.draw(st.sampled_from(self.match.game.house_rules))
        facts = [seat.sheet for seat in self.match.seats]
        if self.feed(RulesChanged(((house.id, data.draw(a_value(house))),))) and house.id != "columns":
            assert [seat.sheet for seat in self.match.seats] == facts

    # what always holds

    @invariant()
    def a_turn_always_has_a_way_on(self):
        if self.match.phase == "choose":
            assert self.match.options or self.match.can_pass
            assert self.match.player in self.match.players
        if self.match.phase in ("begin", "throw-off"):
            assert len(self.match.lots_due) >= 1
            assert self.match.player is not None
        if self.match.phase == "over":
            assert self.match.player is None

    @invariant()
    def every_option_is_let_in_and_nothing_else(self):
        if self.match.phase == "choose":
            offered = {(option.box, option.column) for option in self.match.options}
            for box in self.match.game.places:
                for column in range(1, self.match.in_force.columns + 1):
                    let_in = rules.check(self.match, Entered(box, column)) is None
                    assert let_in == ((box, column) in offered)

    @invariant()
    def the_order_of_the_dice_does_not_matter(self):
        if self.match.phase == "choose":
            turned = rules.apply(self.match, Corrected(self.match.dice[::-1]))
            assert turned.options == self.match.options

    @invariant()
    def saved_throws_are_never_negative(self):
        assert all(seat.saved >= 0 for seat in self.match.seats)
        assert self.match.throws_left >= 0

    @invariant()
    def ranks_and_winners_agree(self):
        ranks = dict(zip((seat.name for seat in self.match.seats), self.match.ranks, strict=True))
        assert all(ranks[name] == 1 for name in self.match.winners)
        if self.match.phase == "over" and not self.match.closed and self.match.players:
            assert {name for name, rank in ranks.items() if rank == 1} == set(self.match.winners)
        for (one, first), (two, second) in combinations(zip(self.match.seats, self.match.scores, strict=True), 2):
            if ranks[one.name] is not None and ranks[two.name] is not None and first.total > second.total:
                assert ranks[one.name] < ranks[two.name]

    def teardown(self):
        """The journal, written down and read again, gives the same game."""
        read = [rules.event_from_json(json.loads(json.dumps(rules.event_to_json(event)))) for event in self.events]
        assert read == self.events
        again = rules.replay(read)
        assert again == self.match
        assert rules.state(again) == rules.state(self.match)
        assert again.standing == self.match.standing
        assert again.can_redo == self.match.can_redo


AnyGame.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyGame = AnyGame.TestCase
