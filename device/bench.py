"""The project's speed figures, all measured in one run on one core.

A machine's speed drifts, so reading is told in decodes of one named picture, measured in turn with it, and the rest
beside the time of one fixed loop: ratios hold where milliseconds do not. Times are the processor's, one thread's:
what else the machine does makes little difference.
"""

import random
import statistics
from collections.abc import Iterator
from dataclasses import replace

import rules
from device import bench_reading, bench_table
from device.figures import Figure, median_time, timed
from device.sweeping import sweep, swept_at_rest
from display.desk import Desk
from display.view import View
from display.window import Window

SCREEN = (1280, 720)


def figures(rounds: int) -> Iterator[Figure]:
    """Measure everything, `rounds` times each; gives medians."""
    loop = median_time(rounds, _reference_loop)
    yield Figure("fixed loop", loop * 1e3, "ms")
    yield from bench_reading.measured(rounds)
    events = long_game()
    journal = [rules.event_to_json(event) for event in events]
    replay = median_time(rounds, lambda: rules.replay(map(rules.event_from_json, journal)))
    yield Figure("replay of 6 players × 60 boxes", replay * 1e3, "ms", 50)
    yield Figure("options of a state", _options(rounds, events) * 1e6, "µs", 300)
    full, box, following = _drawing(rounds)
    yield Figure("full redraw at 1280×720", full * 1e3, "ms", 8)
    yield Figure("a changed box", box * 1e3, "ms", 2)
    yield Figure("the next player's sheet", following * 1e3, "ms")
    waited, busy = bench_table.touches(SCREEN, min(1000, 70 * rounds))
    yield Figure("touch to frame, 99th percentile", waited * 1e3, "ms", 33)
    yield Figure("of it the processor's", busy * 1e3, "ms")
    yield Figure("an idle table", bench_table.idle(SCREEN, min(3.0, 0.3 * rounds)) * 100, "% of a core", 1)


TURN_EVENTS = 6
"""Of a turn in `long_game`: three throws, what was held for two of them, and the box."""


def long_game() -> list[rules.Event]:
    """A whole game of trippel-maxi-yatzy by six players who throw three times, hold some dice and write where chance
    takes them."""
    chance = random.Random(1)
    players = ("Anna", "Bo", "Cia", "Dan", "Eva", "Finn")
    events: list[rules.Event] = [rules.GameStarted("trippel-maxi-yatzy", players=players)]
    match = rules.replay(events)
    while match is not None and match.phase != "over":
        event: rules.Event
        if match.phase == "throw":
            event = rules.Thrown(tuple(chance.randint(1, 6) for _ in range(match.game.dice)))
        elif match.throws_left and not match.held:
            event = rules.Held(tuple(sorted(chance.sample(range(1, match.game.dice + 1), chance.randint(1, 5)))))
        elif match.throws_left:
            slots = enumerate(match.dice, start=1)
            event = rules.Thrown(tuple(die if slot in match.held else chance.randint(1, 6) for slot, die in slots))
        else:
            option = chance.choice(rules.options(match))
            event = rules.Entered(option.box, option.column)
        events.append(event)
        match = rules.apply(match, event)
    return events


def _reference_loop() -> int:
    total = 0
    for number in range(1_000_000):
        total += number & 7
    return total


def _options(rounds: int, events: list[rules.Event]) -> float:
    """Each round on a match that never answered before: what was worked out once is kept."""
    match = rules.replay(events[: len(events) // 2])
    assert match is not None
    dice = rules.Thrown((2, 2, 2, 5, 5, 5))
    if match.phase == "choose":
        match = rules.apply(match, rules.Entered(match.options[0].box, match.options[0].column))
    return statistics.median(timed(rules.options, rules.apply(match, dice)) for _ in range(rounds))


def _drawing(rounds: int) -> tuple[float, float, float]:
    """A full redraw, the redraw of a box just written, and that of the sheet of the player whose turn it is then;
    seconds. Memory is swept between them, as between the loop's frames."""
    events = long_game()
    start = 1 + 96 * TURN_EVENTS
    warm = 12 * TURN_EVENTS  # every player's sheet was shown before: two turns of each
    match = rules.replay(events[:start])
    games = tuple(rules.games().values())
    one = View(games=games, match=match, desk=Desk(screen="play"))
    other = replace(one, desk=Desk(screen="new-game"))
    full, box, following = [], [], []
    now = 0.0
    window = Window(SCREEN, off_screen=True, clock=lambda: now)
    with swept_at_rest():
        for _ in range(rounds + 1):
            window.show(other)
            sweep()
            full.append(timed(window.show, one))
        step = match
        for place, event in enumerate(events[start : start + warm + TURN_EVENTS * (rounds + 1)]):
            step = rules.apply(step, event)
            view = replace(one, match=step)
            sweep()
            taken = timed(window.show, view)
            now += 1  # what is on its way arrives
            sweep()
            arrived = timed(window.show, view)
            if isinstance(event, rules.Entered) and place >= warm:
                box.append(taken)
                following.append(arrived)
    window.close()
    return statistics.median(full[1:]), statistics.median(box), statistics.median(following)
