"""From the levels of a bouncing contact to presses. Pure: the clock is handed in."""

from dataclasses import dataclass, replace
from typing import Literal

STEADY_SECONDS = 0.025
"""A level counts when it has not changed for this long: arcade buttons bounce for up to about 10 ms, and no finger
presses for less than 40."""

LONG_SECONDS = 1.5
"""A button held for this long means something else, where it has a second meaning: nobody leans on one by accident
for that long."""

FLOATING_SECONDS = 2.0
"""A level that has not been steady for so long is no finger's: a wire is loose and picks up the mains."""

CALM_SECONDS = 1.0
"""So long a floating contact must be steady before it is listened to again."""

Press = Literal["press", "long"]


@dataclass(frozen=True)
class Contact:
    """One button. `level` is the raw contact, `since` when it last changed, `restless` since when it has not been
    steady, `pressed` what counts, `told` whether the long press that goes on was told already, `floating` whether it
    cannot be believed."""

    level: bool = False
    since: float = 0.0
    restless: float = 0.0
    pressed: bool = False
    told: bool = False
    floating: bool = False


def changed(contact: Contact, level: bool, at: float) -> Contact:
    """The raw contact was seen at `level` at time `at` (seconds)."""
    if level == contact.level:
        return contact
    restless = at if at - contact.since >= STEADY_SECONDS else contact.restless
    floating = contact.floating or at - restless >= FLOATING_SECONDS
    return replace(contact, level=level, since=at, restless=restless, floating=floating)


def settled(contact: Contact, at: float, *, long: bool = False) -> tuple[Contact, Press | None]:
    """The contact at time `at`, and the press that happened: one per press, however it bounced; none while it floats.

    A press is told when it begins. For a button that means something else when it is held (`long`) it is told when it
    ends, unless it was told as a long one before."""
    if contact.floating:
        if at - contact.since < CALM_SECONDS:
            return contact, None
        return replace(contact, pressed=contact.level, told=True, floating=False), None
    if contact.level == contact.pressed:
        if long and contact.pressed and not contact.told and at - contact.since >= LONG_SECONDS:
            return replace(contact, told=True), "long"
        return contact, None
    if at - contact.since < STEADY_SECONDS:
        return contact, None
    now = replace(contact, pressed=contact.level, told=False)
    if contact.level:
        return now, None if long else "press"
    return now, "press" if long and not contact.told else None
