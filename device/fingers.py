"""Fingers for a table without any: they drive gpiozero's mock pins as a real press would."""

import time
from collections.abc import Callable

from device.buttons import Buttons
from device.debounce import STEADY_SECONDS


class MockFingers:
    """Presses the push buttons of `buttons` (made with the mock factory) by driving their pins.

    A press takes time, like a finger's: `move()` is called in every round of the loop and lets go when the press was
    long enough; `busy` is true until the contact has come to rest. `clock` is in seconds.
    """

    def __init__(self, buttons: Buttons, clock: Callable[[], float] = time.monotonic) -> None:
        self._buttons = buttons
        self._clock = clock
        self._down: str | None = None
        self._until = 0.0

    @property
    def busy(self) -> bool:
        return self._down is not None or self._clock() < self._until

    def press(self, button: str) -> None:
        """Press one button; the contact bounces as real ones do."""
        pin = self._buttons.pin(button)
        for _ in range(2):
            pin.drive_low()
            pin.drive_high()
        pin.drive_low()
        self._down = button
        self._until = self._clock() + 1.5 * STEADY_SECONDS

    def move(self) -> None:
        if self._down is not None and self._clock() >= self._until:
            self._buttons.pin(self._down).drive_high()
            self._down = None
            self._until = self._clock() + 1.5 * STEADY_SECONDS
