"""Push buttons and their lamps over GPIO. The only room for gpiozero.

The pin factory is chosen by argument: a table with a broken GPIO library must say so, not look healthy with dead
buttons.
"""

import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from device import debounce

Factory = Literal["gpio", "mock"]

NAMES = (*(f"hold-{slot}" for slot in range(1, 7)), "saved-throw", "confirm", "undo")
"""Every push button of a table, in the order of its wiring."""

LONG = {"undo": "setup"}
"""What a button means when it is held down, by its name. Undo: taking back too much can be done again."""

STUCK_SECONDS = 10.0
"""A button that is down for so long is jammed, or its wire touches ground."""

RESERVED = {
    2: "I2C",
    3: "I2C",
    4: "1-wire",
    7: "SPI",
    8: "SPI",
    9: "SPI",
    10: "SPI",
    11: "SPI",
    14: "the serial console",
    15: "the serial console",
}
"""GPIO numbers (BCM) that a Raspberry Pi uses for something else once that is switched on."""

PI_4B = "c03111"
"""Revision code of a Raspberry Pi 4 Model B."""

FREE = "0, 1, 5, 6, 12, 13 or 16 to 27"
"""The GPIO numbers that remain, in words."""


class ButtonsError(Exception):
    """The buttons cannot be used. Its text is one line that says which pin and why."""


def check_pins(buttons: Mapping[str, int], lamps: Mapping[str, int]) -> None:
    """Raises ButtonsError for a pin that does not exist, is reserved or is used twice, before any is opened."""
    if wrong := wrong_pins(buttons, lamps):
        raise ButtonsError(wrong[0])


def wrong_pins(buttons: Mapping[str, int], lamps: Mapping[str, int]) -> tuple[str, ...]:
    """One line for each pin that does not exist, is reserved or is used twice: it names the setting, what was found and
    what is allowed."""
    wrong: list[str] = []
    users: dict[int, str] = {}
    for kind, pins in (("buttons", buttons), ("lamps", lamps)):
        for name, pin in pins.items():
            user = f"{kind}.{name}"
            if not 0 <= pin <= 27:
                wrong.append(f"{user}: pin {pin} does not exist (allowed: {FREE})")
            elif pin in RESERVED:
                wrong.append(f"{user}: pin {pin} is used by {RESERVED[pin]} (allowed: {FREE})")
            elif pin in users:
                wrong.append(f"{user}: pin {pin} is already {users[pin]} (allowed: {FREE}, each once)")
            users.setdefault(pin, user)
    return tuple(wrong)


def header() -> dict[int, str]:
    """The pins of a Raspberry Pi's forty-pin header by the number printed beside them; all models since 2014 agree."""
    import gpiozero

    found = gpiozero.pi_info(PI_4B).headers["J8"].pins
    return {number: str(found[number].name) for number in sorted(found)}


class Buttons:
    """The wired push buttons. Each closes its pin to ground; lamps are lit by a high pin.

    A button that is down from the start is no press; let go, it counts again. `factory` "mock" gives gpiozero's
    own mock pins (`pin(name)` hands them to whoever plays the fingers). `clock` is in seconds. Raises ButtonsError when
    the pins cannot be opened.
    """

    def __init__(
        self,
        buttons: Mapping[str, int],
        lamps: Mapping[str, int],
        factory: Factory,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        import gpiozero

        check_pins(buttons, lamps)
        self._clock = clock
        self._contacts: dict[str, debounce.Contact] = {}
        self._open = contextlib.ExitStack()
        try:
            self._factory = _factory(factory)
            self._open.callback(self._factory.close)
            self._buttons = {
                name: self._open.enter_context(gpiozero.Button(pin, pull_up=True, pin_factory=self._factory))
                for name, pin in buttons.items()
            }
            self._lamps = {
                name: self._open.enter_context(gpiozero.LED(pin, pin_factory=self._factory))
                for name, pin in lamps.items()
            }
        except Exception as error:  # each pin library has errors of its own, which derive from nothing else
            self._open.close()
            raise ButtonsError(f"the pins cannot be opened: {error}") from error
        self._edges: deque[tuple[str, bool, float]] = deque()
        for name, button in self._buttons.items():
            self._contacts[name] = debounce.Contact()
            # gpiozero calls these from its own thread; a deque's two ends may be used from two threads.
            button.when_pressed = self._noter(name, level=True)
            button.when_released = self._noter(name, level=False)
            if button.is_pressed:  # jammed since before the start: such a contact never changes
                now = clock()
                self._contacts[name] = debounce.Contact(level=True, since=now, restless=now, pressed=True, told=True)

    def poll(self) -> list[str]:
        """The names of the buttons pressed since the last call, each press once, in order; a button held down that
        means something else then (see `LONG`) by that name."""
        pressed: list[str] = []
        while self._edges:
            name, level, at = self._edges.popleft()
            self._settle(name, at, pressed)
            self._contacts[name] = debounce.changed(self._contacts[name], level, at)
        now = self._clock()
        for name in self._contacts:
            self._settle(name, now, pressed)
        return pressed

    def down(self) -> frozenset[str]:
        """The buttons that are held down now."""
        return frozenset(name for name, contact in self._contacts.items() if contact.pressed)

    def stuck(self) -> tuple[str, ...]:
        """The buttons held down for longer than anybody presses one."""
        now = self._clock()
        return tuple(
            name
            for name, one in self._contacts.items()
            if one.pressed and one.level and now - one.since >= STUCK_SECONDS
        )

    def floating(self) -> tuple[str, ...]:
        """The buttons whose contact changes faster than any finger, without end: a loose wire. Not listened to."""
        return tuple(name for name, contact in self._contacts.items() if contact.floating)

    def light(self, names: Iterable[str]) -> None:
        """Light exactly these lamps."""
        wanted = set(names)
        for name, lamp in self._lamps.items():
            if (name in wanted) != lamp.is_lit:
                lamp.toggle()

    @property
    def lamps(self) -> tuple[str, ...]:
        """The lamps there are."""
        return tuple(self._lamps)

    def lit(self) -> frozenset[str]:
        """The lamps that are lit."""
        return frozenset(name for name, lamp in self._lamps.items() if lamp.is_lit)

    def pin(self, name: str) -> Any:
        """The pin under a button: gpiozero's MockPin with the mock factory."""
        return self._buttons[name].pin

    def close(self) -> None:
        self._open.close()

    def _noter(self, name: str, *, level: bool) -> Callable[[], None]:
        return lambda: self._edges.append((name, level, self._clock()))

    def _settle(self, name: str, at: float, pressed: list[str]) -> None:
        self._contacts[name], press = debounce.settled(self._contacts[name], at, long=name in LONG)
        if press is not None:
            pressed.append(LONG[name] if press == "long" else name)


def _factory(kind: Factory) -> Any:
    if kind == "mock":
        from gpiozero.pins.mock import MockFactory

        return MockFactory()
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()
