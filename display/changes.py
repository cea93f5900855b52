"""What new house rules would do to the game on the table, worked out before anybody says yes. Pure."""

from dataclasses import dataclass

from display.view import View
from rules import Game, Match, Refusal, RulesChanged, RuleValue, apply, check

Wanted = tuple[tuple[str, RuleValue | None], ...]


@dataclass(frozen=True)
class Change:
    """One thing of a sheet that becomes another. `kind` is "box" (with its `box`), "upper-bonus", "extra" (the bonus
    for further Yahtzees), "chips", "total", "rank", or "irregular": a box that may no longer be filled so, but stays;
    `column` counts from 1, None where it is the whole sheet's. None
    stands for what is not there: no such box, no rank."""

    player: str
    kind: str
    before: int | None
    after: int | None
    box: str = ""
    column: int | None = None


@dataclass(frozen=True)
class Preview:
    """`rules` are all rules that would differ, also those that follow from another, as (rule, before, after);
    `refusal` says why it can't be."""

    game: Game
    rules: tuple[tuple[str, RuleValue, RuleValue], ...]
    changes: tuple[Change, ...]
    refusal: Refusal | None = None


def preview(view: View, wanted: Wanted) -> Preview | None:
    """What `wanted` would change; None without a game."""
    match = view.match
    if match is None:
        return None
    event = RulesChanged(wanted)
    refusal = check(match, event, {game.id: game for game in view.games})
    if refusal is not None:
        return Preview(match.game, (), (), refusal)
    after = apply(match, event)
    rules = tuple(
        (rule, match.rules[rule], after.rules[rule]) for rule in match.rules if match.rules[rule] != after.rules[rule]
    )
    changes = tuple(change for place in range(len(match.seats)) for change in _sheet(match, after, place))
    return Preview(match.game, rules, changes)


def _sheet(before: Match, after: Match, place: int) -> list[Change]:
    """What becomes different on one sheet: its total and rank first, then box by box."""
    name = before.seats[place].name
    old, new = before.scores[place], after.scores[place]
    found = [
        Change(name, "total", old.total, new.total),
        Change(name, "rank", before.ranks[place], after.ranks[place]),
    ]
    for number in range(max(len(old.columns), len(new.columns))):
        one = old.columns[number] if number < len(old.columns) else None
        other = new.columns[number] if number < len(new.columns) else None
        boxes, others = dict(one.boxes if one else ()), dict(other.boxes if other else ())
        found += [
            Change(name, "box", boxes.get(box.id), others.get(box.id), box.id, number + 1) for box in before.game.boxes
        ]
        for kind, part in (("upper-bonus", "upper_bonus"), ("extra", "extra_bonus")):
            points, then = (getattr(column, part) if column else 0 for column in (one, other))
            found.append(Change(name, kind, points, then, column=number + 1))
        irregular = set(other.irregular if other else ()) - set(one.irregular if one else ())
        found += [Change(name, "irregular", 0, 1, box, number + 1) for box in sorted(irregular)]
    found.append(Change(name, "chips", old.chips, new.chips))
    return [change for change in found if change.before != change.after]
