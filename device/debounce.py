"""From the levels of a bouncing contact to presses. Pure: the clock is handed in."""

from dataclasses import dataclass

STEADY_SECONDS = 0.025
"""A level counts when it has not changed for this long: arcade buttons bounce for up to about 10 ms, and no finger
presses for less than 40."""


@dataclass(frozen=True)
class Contact:
    """One button. `level` is the raw contact, `since` when it last changed, `pressed` what counts."""

    level: bool = False
    since: float = 0.0
    pressed: bool = False


def changed(contact: Contact, level: bool, at: float) -> Contact:
    """The raw contact was seen at `level` at time `at` (seconds)."""
    if level == contact.level:
        return contact
    return Contact(level, at, contact.pressed)


def settled(contact: Contact, at: float) -> tuple[Contact, bool]:
    """The contact at time `at`, and whether a press happened: once per press, however it bounced."""
    if contact.level == contact.pressed or at - contact.since < STEADY_SECONDS:
        return contact, False
    return Contact(contact.level, contact.since, contact.level), contact.level
