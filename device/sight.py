"""What the reader sees now, whatever the game makes of it: for the setup."""

from display.view import SeenDie
from vision.throws import Seen, TrayState

Sight = tuple[tuple[SeenDie, ...], tuple[str, ...]]
"""The dice, placed in the picture shown, and the reader's troubles with them."""

NO_SIGHT: Sight = ((), ())


def in_sight(seen: Seen, scale: float) -> Sight:
    """The dice that lie still now; none while anything moves."""
    if seen.reading is None or seen.state not in (TrayState.SETTLED, TrayState.UNSURE):
        return NO_SIGHT
    dice = tuple(
        SeenDie(
            value=die.value,
            asked=die.value is None or die.trouble is not None,
            centre=(die.centre[0] * scale, die.centre[1] * scale),
            size=die.size * scale,
            angle=die.angle,
        )
        for die in seen.reading.dice
    )
    return dice, tuple(seen.reading.troubles)
