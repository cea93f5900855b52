"""Which die of a throw belongs in which slot, and which dice were not thrown again. Pure.

A slot is a place on the screen and a hold button, counted from 1; a die keeps its slot for the whole turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from display.picture import Picture
from display.view import SeenDie
from vision.reading import Die
from vision.throws import ThrowSeen


@dataclass(frozen=True)
class Place:
    """Where one die of a throw stands. `unmoved`: it has lain in the tray since the last confirmed throw.
    `slot` is None for a die too many."""

    slot: int | None
    unmoved: bool


def lot(throw: ThrowSeen, crops: Sequence[Picture], slots: int) -> tuple[ThrowSeen, tuple[Picture, ...]]:
    """A throw for who begins, or in a throw-off, with its pictures. Where more lies in the tray than is thrown (five
    of six dice, and one is cast), only what was cast counts, if that is the right number."""
    dice = throw.reading.dice
    cast = [index for index, origin in enumerate(throw.stayed) if origin is None]
    if len(dice) <= slots or len(cast) != slots:
        return replace(throw, stayed=(None,) * len(dice)), tuple(crops)
    reading = replace(throw.reading, dice=tuple(dice[index] for index in cast))
    seen = tuple(crops[index] for index in cast) if len(crops) == len(dice) else ()
    return ThrowSeen(throw.number, reading, (None,) * slots), seen


def place(
    throw: ThrowSeen,
    before: Sequence[Place],
    dice: Sequence[int],
    held: Sequence[int],
    slots: int,
) -> tuple[Place, ...]:
    """The place of each die of `throw`, in the order of its reading.

    `before` are the places of the throw seen before it (empty at the start of a turn), `dice` the faces confirmed last
    by slot, `held` the slots the player holds, `slots` how many dice the game has. Dice that stayed keep their slots; a
    held die that was taken up and put back is known by its face; the others fill the free slots by rising face,
    unreadable ones last.
    """
    seen = throw.reading.dice
    places: list[Place | None] = [None] * len(seen)
    taken: set[int] = set()

    def put(index: int, slot: int, *, unmoved: bool) -> None:
        places[index] = Place(slot, unmoved)
        taken.add(slot)

    for index, origin in enumerate(throw.stayed):
        if origin is None or origin >= len(before):
            continue
        old = before[origin]
        if old.slot is not None and old.slot not in taken:
            put(index, old.slot, unmoved=old.unmoved)
    for slot in held:
        if slot in taken or len(seen) < slots:
            continue  # with dice missing from view the held ones lie aside, and none in view is one of them
        for index, die in enumerate(seen):
            if places[index] is None and die.value is not None and die.value == dice[slot - 1]:
                put(index, slot, unmoved=True)
                break
    aside = set(held) - taken if len(seen) < slots else set()
    free = [slot for slot in range(1, slots + 1) if slot not in taken and slot not in aside]
    left = [index for index in range(len(seen)) if places[index] is None]
    left.sort(key=lambda index: seen[index].value or 7)
    for index, slot in zip(left, free, strict=False):
        put(index, slot, unmoved=False)
    return tuple(spot or Place(None, unmoved=False) for spot in places)


def by_slot(
    throw: ThrowSeen,
    places: Sequence[Place],
    dice: Sequence[int],
    held: Sequence[int],
    slots: int,
    scale: float,
    crops: Sequence[Picture] = (),
) -> tuple[SeenDie, ...]:
    """The throw as it will stand, slot by slot. A slot without a die in view is a held die lying aside, or else asked
    for. `scale` takes the reading's positions to those of the picture shown; `crops` are the reading's dice, one by
    one, or none."""
    faces: list[SeenDie | None] = [None] * slots
    for index, (die, spot) in enumerate(zip(throw.reading.dice, places, strict=True)):
        if spot.slot is not None:
            stayed = spot.unmoved and bool(dice) and die.value == dice[spot.slot - 1]
            faces[spot.slot - 1] = replace(_seen(die, scale, crops, index), held=stayed)
    for slot in range(1, slots + 1):
        if faces[slot - 1] is None:
            aside = slot in held and bool(dice)
            faces[slot - 1] = SeenDie(value=dice[slot - 1] if aside else None, asked=not aside, held=aside)
    return tuple(face for face in faces if face is not None)


def too_many(
    throw: ThrowSeen, places: Sequence[Place], no_dice: Sequence[int], scale: float, crops: Sequence[Picture] = ()
) -> tuple[SeenDie, ...]:
    """The dice that no slot is left for, those left out that were said to be no dice."""
    return tuple(
        replace(_seen(die, scale, crops, index), asked=False)
        for index, (die, spot) in enumerate(zip(throw.reading.dice, places, strict=True))
        if spot.slot is None and index not in no_dice
    )


def _seen(die: Die, scale: float, crops: Sequence[Picture], index: int) -> SeenDie:
    x, y = die.centre
    return SeenDie(
        value=die.value,
        asked=die.value is None or die.trouble is not None,
        centre=(x * scale, y * scale),
        size=die.size * scale,
        angle=die.angle,
        trouble=die.trouble,
        crop=crops[index] if index < len(crops) else None,
    )
