"""From the levels of a bouncing contact to presses. Pure: the clock is handed in."""

from dataclasses import dataclass
from typing import Literal

STEADY_SECONDS = 0.025
"""A level counts when it has not changed for this long: arcade buttons bounce for up to about 10 ms, and no finger
presses for less than 40."""

LONG_SECONDS = 1.5
"""A button held for this long means something else, where it has a second meaning: nobody leans on one by accident
for that long."""

Press = Literal["press", "long"]


@dataclass(frozen=True)
class Contact:
    """One button. `level` is the raw contact, `since` when it last changed, `pressed` what counts, `told` whether the
    long press that goes on was told already."""

    level: bool = False
    since: float = 0.0
    pressed: bool = False
    told: bool = False


def changed(contact: Contact, level: bool, at: float) -> Contact:
    """The raw contact was seen at `level` at time `at` (seconds)."""
    if level == contact.level:
        return contact
    return Contact(level, at, contact.pressed, contact.told)


def settled(contact: Contact, at: float, *, long: bool = False) -> tuple[Contact, Press | None]:
    """The contact at time `at`, and the press that happened: one per press, however it bounced.

    A press is told when it begins. For a button that means something else when it is held (`long`) it is told when it
    ends, unless it was told as a long one before."""
    if contact.level == contact.pressed:
        if long and contact.pressed and not contact.told and at - contact.since >= LONG_SECONDS:
            return Contact(contact.level, contact.since, contact.pressed, told=True), "long"
        return contact, None
    if at - contact.since < STEADY_SECONDS:
        return contact, None
    now = Contact(contact.level, contact.since, contact.level)
    if contact.level:
        return now, None if long else "press"
    return now, "press" if long and not contact.told else None
