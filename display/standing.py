"""How the game stands, in the shape screens ask for it."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from display.desk import Desk, current
from display.picture import Picture
from display.view import PASSING, Fault, SeenDie, View
from rules import Game, Match, Option, RuleValue
from rules.in_force import InForce, in_force
from rules.sheet import ColumnScore, SheetScore

_Answer = TypeVar("_Answer")


class Line(NamedTuple):
    """One line of a sheet: a box to fill (`kind` "box"), or what the sheet adds up by itself ("upper-sum",
    "upper-bonus", "chips", "total", and the game's own bonus box, "bonus-box")."""

    kind: str
    box: str = ""


@dataclass(frozen=True)
class Column:
    """One column of a sheet: written points by box, sums, and how far the upper sum is from par (None: decided)."""

    boxes: Mapping[str, int]
    upper_sum: int
    upper_bonus: int
    par: int | None
    total: int


@dataclass(frozen=True)
class Standing:
    """One player's or team's sheet, that of the `seat` at the table (from 0). `rank` is None for someone who left."""

    player: str
    seat: int
    rank: int | None
    total: int
    chips: int
    columns: tuple[Column, ...]


def _once(work: Callable[[Match], _Answer]) -> Callable[[Match], _Answer]:
    """Works an answer out once for each of the last matches, known by identity: comparing them costs too much."""
    known: deque[tuple[Match, _Answer]] = deque(maxlen=8)

    def answer(match: Match) -> _Answer:
        for one, found in known:
            if one is match:
                return found
        made = work(match)
        known.append((match, made))
        return made

    return answer


@_once
def standings(match: Match) -> tuple[Standing, ...]:
    """Every sheet of the game, in turn order. What an event does not change stays the very same sheet and column."""
    scored = zip(match.seats, match.scores, match.ranks, strict=True)
    return tuple(_standing(match, place, seat.name, score, rank) for place, (seat, score, rank) in enumerate(scored))


_standings_known: dict[int, tuple[InForce, SheetScore, Standing]] = {}
"""The last sheet made for each place at the table."""


def _standing(match: Match, place: int, name: str, score: SheetScore, rank: int | None) -> Standing:
    known = _standings_known.get(place)
    if known is not None and known[0] is match.in_force and known[1] is score:
        last = known[2]
        if last.rank == rank and last.player == name:
            return last
    columns = tuple(_column(match, place, number, column) for number, column in enumerate(score.columns))
    made = Standing(name, place, rank, score.total, score.chips, columns)
    _standings_known[place] = (match.in_force, score, made)
    return made


_columns_known: dict[tuple[int, int], tuple[InForce, ColumnScore, Column]] = {}
"""The last column made for each place at the table and number."""


def _column(match: Match, place: int, number: int, score: ColumnScore) -> Column:
    known = _columns_known.get((place, number))
    if known is not None and known[0] is match.in_force and (known[1] is score or known[1] == score):
        return known[2]
    boxes = dict(score.boxes)
    made = Column(boxes, score.upper_sum, score.upper_bonus, _par(match, number, boxes), score.total)
    _columns_known[place, number] = (match.in_force, score, made)
    return made


def _par(match: Match, column: int, written: Mapping[str, int]) -> int | None:
    """The plain upper sum against its share of the bonus threshold for the faces filled so far."""
    rules = match.in_force
    if rules.bonus == 0 or rules.threshold == 0:
        return None
    faces = {box.id: box.pattern.face for box in match.game.boxes if box.section == "upper"}
    filled = [box for box in faces if box in written]
    points = sum(written[box] for box in filled) // rules.written_times[column]
    if points >= rules.threshold or len(filled) == len(faces):
        return None
    left = sum(face for box, face in faces.items() if box not in written) * match.game.dice
    if points + left < rules.threshold:
        return None
    whole = sum(faces.values())
    ahead = points * whole - rules.threshold * sum(faces[box] for box in filled)
    return ahead // whole if ahead >= 0 else -(-ahead // whole)


def standing(match: Match, player: str) -> Standing:
    """That sheet; the first one where there is none of that name."""
    all_of_them = standings(match)
    return next((sheet for sheet in all_of_them if sheet.player == player), all_of_them[0])


@_once
def entries(match: Match) -> Mapping[tuple[str, int], Option]:
    """What could be written now, by box and column; the very same as before where nothing differs, as when a die is
    held."""
    found = {(option.box, option.column): option for option in match.options}
    if _last_entries != [found]:
        _last_entries[:] = [found]
    return _last_entries[0]


_last_entries: list[Mapping[tuple[str, int], Option]] = []


def best_entry(match: Match) -> tuple[str, int] | None:
    """Where a cursor starts: the entry with the most points, what it brings besides included."""
    found = entries(match)
    if not found:
        return None
    extra = ("yahtzee-bonus", "extra-bonus", "chip")
    return max(
        found,
        key=lambda place: (
            found[place].points + sum(n for name, n in found[place].bonus_effect if name in extra),
            -list(found).index(place),
        ),
    )


def upper_lines(match: Match) -> tuple[Line, ...]:
    """The upper part: its boxes, its sum and its bonus. A household's own game may have no bonus, or no upper part."""
    boxes = tuple(Line("box", box.id) for box in match.game.boxes if box.section == "upper")
    if not boxes:
        return ()
    bonus = (Line("upper-bonus"),) if "upper-bonus-value" in match.game.rule else ()
    return (*boxes, Line("upper-sum"), *bonus)


def lower_lines(match: Match) -> tuple[Line, ...]:
    """The lower part: its boxes, then what the game fills by itself."""
    boxes = tuple(Line("box", box.id) for box in match.game.boxes if box.section == "lower")
    own = (Line("bonus-box", match.in_force.bonus_box.id),) if match.in_force.bonus_box is not None else ()
    chips = (Line("chips"),) if match.game.chips else ()
    return (*boxes, *own, *chips)


def column_count(match: Match) -> int:
    """How many columns a sheet has."""
    return match.in_force.columns


def multipliers(match: Match) -> tuple[int, ...]:
    """What each column counts."""
    return match.in_force.multipliers


def sheet_on_turn(match: Match) -> str:
    """The name on the sheet of the player on turn (a team's name where they share one); the leader's at the end."""
    if match.seat is not None:
        return match.seat.name
    place = match.seat_of(match.player) if match.player is not None else None
    if place is not None:
        return match.seats[place].name
    return match.winners[0] if match.winners else match.seats[0].name


def reading_waits(view: View) -> bool:
    """Whether a throw read by the camera waits to be confirmed; not while dice are entered by finger instead."""
    return bool(view.seen) and view.match is not None and current(view).screen != "pad"


def can_enter(view: View) -> bool:
    """Whether a box may be chosen now."""
    return (
        view.match is not None
        and view.match.phase == "choose"
        and not view.seen
        and not current(view).pad
        and bool(entries(view.match))
    )


def can_pass(view: View) -> bool:
    """Whether the turn may end without writing."""
    return can_enter(view) and view.match is not None and view.match.can_pass


def saved_throws(match: Match) -> int | None:
    """How many throws the player on turn has saved; None in games without them."""
    return match.saved.get(sheet_on_turn(match), 0) if match.in_force.saved_throws else None


def can_spend(match: Match) -> bool:
    """Whether a saved throw can be paid now."""
    return match.phase == "choose" and match.throws_left == 0 and bool(saved_throws(match))


def dice_wanted(match: Match) -> int:
    """How many dice a throw has now: all, or those of a throw for who begins."""
    return match.game.lot_dice if match.phase in ("begin", "throw-off") else match.game.dice


def pad_room(view: View) -> int:
    """How many faces the pad takes: those of the dice not held. 0 when no throw can be entered."""
    match = view.match
    if match is None or match.phase == "over":
        return 0
    if match.phase == "choose":
        return 0 if match.throws_left == 0 else match.game.dice - len(match.held)
    return dice_wanted(match)


def asked_slot(view: View) -> int | None:
    """The die asked about: the one chosen to be put right, else the first doubtful one."""
    desk = current(view)
    count = len(view.seen) if reading_waits(view) else len(view.match.dice) if view.match else 0
    if desk.slot is not None and 1 <= desk.slot <= count:
        return desk.slot
    if reading_waits(view):
        return next((slot for slot, die in enumerate(view.seen, start=1) if die.asked or die.value is None), None)
    return None


@dataclass(frozen=True)
class Slot:
    """A place for a die, as it is shown now."""

    number: int
    value: int | None
    held: bool = False
    asked: bool = False
    empty: bool = False
    crop: Picture | None = None


def slots(view: View) -> tuple[Slot, ...]:
    """The dice to show: the reading that waits, else the faces entered by finger, else the throw confirmed last."""
    match = view.match
    if match is None:
        return ()
    if reading_waits(view):
        return tuple(_seen_slot(number, die) for number, die in enumerate(view.seen, start=1))
    desk = current(view)
    if desk.pad or not match.dice:
        faces = list(desk.pad)
        shown = []
        for number in range(1, dice_wanted(match) + 1):
            if match.phase == "choose" and number in match.held:
                shown.append(Slot(number, match.dice[number - 1], held=True))
            elif faces:
                shown.append(Slot(number, faces.pop(0)))
            else:
                shown.append(Slot(number, None, empty=True))
        return tuple(shown)
    crops = (*view.crops, *(None,) * len(match.dice))
    return tuple(
        Slot(number, value, number in match.held, crop=crop)
        for number, (value, crop) in enumerate(zip(match.dice, crops, strict=False), start=1)
    )


def _seen_slot(number: int, die: SeenDie) -> Slot:
    return Slot(number, die.value, die.held, die.asked or die.value is None, crop=die.crop)


def too_many(view: View) -> bool:
    """Whether the reading that waits shows more dice than the game has."""
    return reading_waits(view) and view.match is not None and len(view.seen) > dice_wanted(view.match)


def can_be_no_die(view: View, slot: int) -> bool:
    """Whether what lies in that slot was seen by the camera, and may be something else than a die."""
    return reading_waits(view) and 1 <= slot <= len(view.seen) and view.seen[slot - 1].centre is not None


def pad_dice(view: View) -> tuple[int, ...] | None:
    """All dice of a throw entered by finger, slot by slot; None until every face is there, and where a reading is asked
    about instead."""
    desk = current(view)
    if not desk.pad or reading_waits(view) or len(desk.pad) != pad_room(view):
        return None
    values = [slot.value for slot in slots(view)]
    return tuple(value for value in values if value is not None)


def screen(view: View) -> str:
    """The screen to show: what the desk says, as far as the game allows it."""
    if view.desk.screen == "idle" and (view.match is None or view.match.phase == "over"):
        return "idle"
    if view.match is None or view.desk.screen == "new-game":
        return "new-game"
    return "result" if view.match.phase == "over" else "play"


def pane(view: View) -> str:
    """What stands in the tray's place: a die "asked" about, the "pad", or the camera's "picture"."""
    if asked_slot(view) is not None:
        return "asked"
    if (
        view.match is not None
        and (current(view).screen == "pad" or view.tray == "no-camera")
        and not reading_waits(view)
    ):
        return "pad" if pad_room(view) else "picture"
    return "picture"


def alarms(view: View) -> tuple[Fault, ...]:
    """The faults to be seen to: all that stand, but for those that were read and put away."""
    dismissed = view.desk.dismissed
    return tuple(fault for fault in view.faults if fault.name not in PASSING or fault.name not in dismissed)


Settled = tuple[tuple[str, RuleValue], ...]


def rule_value(game: Game, rule: str, chosen: Settled) -> RuleValue:
    """What a house rule is with these chosen: one rule's choice may set what another has by itself."""
    own = dict(chosen).get(rule)
    if own is not None:
        return own
    if game.rule[rule].per_column:
        return game.rule[rule].default
    return in_force(game, chosen).values[rule]


def house_rules(view: View, desk: Desk | None = None) -> tuple[Game, Settled]:
    """The game whose house rules are looked at, and what is settled there: of the game on the table as it would be,
    else of the new one."""
    desk = desk or current(view)
    if view.match is None:
        return game_of(view), desk.rules
    return view.match.game, view.match.settled if desk.house is None else desk.house


def rules_wanted(view: View) -> tuple[tuple[str, RuleValue | None], ...]:
    """What would change in the rules of the game on the table; None goes back to the game's own value."""
    if view.match is None:
        return ()
    before, after = dict(view.match.settled), dict(house_rules(view)[1])
    changed = sorted(rule for rule in before.keys() | after.keys() if before.get(rule) != after.get(rule))
    return tuple((rule, after.get(rule)) for rule in changed)


def typing(view: View) -> bool:
    """Whether a name is being written: on a new game, or by one who joins the game on the table."""
    desk = current(view)
    if desk.typing is None or desk.open == "faults":
        return False
    return (desk.naming == "join") == (screen(view) != "new-game")


def game_of(view: View) -> Game:
    """The game chosen for a new match; the first one where the desk names none."""
    return next((game for game in view.games if game.id == view.desk.game), view.games[0])
