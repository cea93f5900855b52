"""What is said and sounded after a change on the table. Pure: from the view before and the view now."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from display.standing import asked_slot, reading_waits, sheet_on_turn
from display.view import View
from display.words import Words, words
from rules import Entered, LotThrown, Match, Passed, Thrown


@dataclass(frozen=True)
class Announcement:
    """`sound` names one of `device.sound.SOUNDS`, `text` is a sentence in the table's language; None for neither."""

    sound: str | None = None
    text: str | None = None


def announcement(old: View, new: View) -> Announcement | None:
    """What this change is worth saying; None for nothing."""
    said = words(new.desk.language)
    if new.notice is not None and new.notice != old.notice:
        return Announcement("refused", said.notice(new.notice))
    if new.match is not None and new.match is not old.match and old.match is not None:
        found = _event(old.match, new.match, said)
        if found is not None:
            return found
    asked = asked_slot(new) if reading_waits(new) else None
    if asked is not None and not (reading_waits(old) and asked_slot(old) == asked):
        die = new.seen[asked - 1]
        return Announcement("asked", said.notice(die.trouble) if die.trouble is not None else said.ui("which-face"))
    if new.seen and not old.seen:
        return Announcement("seen")
    return None


def _event(old: Match, new: Match, said: Words) -> Announcement | None:
    """What the one event between the two did; nothing for undo and redo, which are seen."""
    if new.previous is not old and (new.previous is None or new.previous.previous is not old):
        return None
    match new.last:
        case Thrown(dice=dice) | LotThrown(dice=dice):
            return Announcement("thrown", f"{new.player or old.player}, {dice_in_words(dice, said)}")
        case Entered(box=box, column=column):
            return Announcement(*_entered(old, new, box, column, said))
        case Passed():
            return Announcement("entered", _next(new))
    return None


def _entered(old: Match, new: Match, box: str, column: int, said: Words) -> tuple[str, str]:
    name = old.player or ""
    points = next((one.points for one in old.options if (one.box, one.column) == (box, column)), 0)
    where = said.box(old.game, box)
    if points:
        text = said.spoken("entered", name=name, dice=dice_in_words(old.dice, said), box=where, points=points)
    else:
        text = said.spoken("struck", name=name, box=where)
    if new.phase == "over":
        ends = said.ui("share", names=said.listed(new.winners)) if len(new.winners) > 1 else None
        ends = ends or said.ui("wins", name=new.winners[0] if new.winners else name)
        return "won", f"{text}. {ends}."
    after = _next(new) if sheet_on_turn(new) != sheet_on_turn(old) else None
    return "entered" if points else "struck", f"{text}. {after}." if after else f"{text}."


def _next(match: Match) -> str | None:
    return match.player


def dice_in_words(dice: Sequence[int], said: Words) -> str:
    """Two fours, three sixes; dice of which none is alike one by one."""
    alike = Counter(dice)
    groups = [(face, count) for face, count in sorted(alike.items()) if count > 1]
    if not groups:
        return ", ".join(str(face) for face in sorted(dice))
    return ", ".join(f"{said.number(count)} {said.faces[face - 1]}" for face, count in groups)
