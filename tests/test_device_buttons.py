"""Push buttons: whatever bounces, one press is one press."""

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from device.buttons import LONG, NAMES, STUCK_SECONDS, Buttons, ButtonsError, check_pins
from device.config import MOCK_BUTTONS, MOCK_LAMPS
from device.debounce import LONG_SECONDS, STEADY_SECONDS, Contact, changed, settled
from device.lamps import FLASH_SECONDS, PAUSE_SECONDS, flashes, lit
from display.desk import Desk
from display.view import Fault, View


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def buttons(clock: Clock) -> Iterator[Buttons]:
    buttons = Buttons(MOCK_BUTTONS, MOCK_LAMPS, "mock", clock=clock)
    yield buttons
    buttons.close()


def test_each_pin_is_pulled_up_so_that_a_long_wire_presses_nothing(buttons: Buttons) -> None:
    assert {button.pin.pull for button in buttons._buttons.values()} == {"up"}


def press_train(gaps: list[float], hold: float) -> int:
    """Presses counted for a contact that bounces with these gaps, is held, and bounces again when let go."""
    contact, at, presses, level = Contact(), 0.0, 0, False

    def look(until: float) -> None:
        nonlocal contact, presses
        contact, press = settled(contact, until)
        presses += press is not None

    for edge in (True, False):
        train = gaps if len(gaps) % 2 == 0 else gaps[:-1]  # an even number of extra edges ends at the level wanted
        level = edge
        contact = changed(contact, level, at)
        for gap in train:
            at += gap
            look(at)
            level = not level
            contact = changed(contact, level, at)
        at += hold
        look(at)
    return presses


@given(
    st.lists(st.floats(0.0, STEADY_SECONDS * 0.9), max_size=40),
    st.floats(STEADY_SECONDS * 1.01, 30.0),
)
def test_any_train_of_bounces_is_one_press(gaps: list[float], hold: float) -> None:
    assert press_train(gaps, hold) == 1


@given(st.floats(0.0, STEADY_SECONDS * 0.99))
def test_a_spike_shorter_than_any_finger_is_no_press(width: float) -> None:
    contact = changed(changed(Contact(), True, 1.0), False, 1.0 + width)
    contact, press = settled(contact, 2.0)
    assert not press
    assert not contact.pressed


@settings(deadline=None)
@given(st.floats(0.004, STEADY_SECONDS * 0.9), st.floats(2.2, 6.0), st.booleans())
def test_a_loose_wire_gives_no_press_is_noticed_and_forgiven(period: float, lasts: float, long: bool) -> None:
    contact, at, level = Contact(), 10.0, False
    presses = []
    while at < 10 + lasts:
        at += period
        level = not level
        contact, press = settled(contact, at, long=long)
        presses.append(press)
        contact = changed(contact, level, at)
    assert contact.floating
    contact = changed(contact, False, at + period)
    for later in (0.3, 0.9, 1.2):
        contact, press = settled(contact, at + later, long=long)
        presses.append(press)
    assert not contact.floating
    assert set(presses) == {None}
    contact = changed(contact, True, at + 5)
    contact, down = settled(contact, at + 5.1, long=long)
    contact = changed(contact, False, at + 5.2)
    contact, up = settled(contact, at + 5.3, long=long)
    assert [down, up].count("press") == 1


@given(st.lists(st.floats(0.08, 0.4), min_size=5, max_size=60))
def test_a_finger_that_hammers_is_no_loose_wire(gaps: list[float]) -> None:
    contact, at, presses = Contact(), 10.0, 0
    for gap in gaps:
        for level, lasts in ((True, 0.4 * gap), (False, 0.6 * gap)):
            for bounce in (0.0, 0.002, 0.004):
                contact = changed(contact, level if bounce != 0.002 else not level, at + bounce)
            at += lasts
            contact, press = settled(contact, at)
            presses += press is not None
    assert not contact.floating
    assert presses == len(gaps)


@given(
    st.lists(st.floats(0.0, STEADY_SECONDS * 0.9), max_size=40),
    st.floats(STEADY_SECONDS * 1.1, LONG_SECONDS * 0.95) | st.floats(LONG_SECONDS * 1.05, 30.0),
)
def test_any_train_of_bounces_of_a_button_that_can_be_held_is_one_press_or_one_long_one(
    gaps: list[float], hold: float
) -> None:
    told = []
    contact, at = Contact(), 0.0
    for edge in (True, False):
        train = gaps if len(gaps) % 2 == 0 else gaps[:-1]
        level = edge
        contact = changed(contact, level, at)
        for gap in train:
            at += gap
            contact, press = settled(contact, at, long=True)
            told.append(press)
            level = not level
            contact = changed(contact, level, at)
        for _ in range(50):
            at += hold / 50
            contact, press = settled(contact, at, long=True)
            told.append(press)
    assert [press for press in told if press] == ["long" if hold >= LONG_SECONDS else "press"]


def test_a_button_that_is_held_opens_the_setup_and_takes_nothing_back(buttons: Buttons, clock: Clock) -> None:
    def hold(name: str, seconds: float) -> list[str]:
        found = []
        for drive, wait in ((buttons.pin(name).drive_low, seconds), (buttons.pin(name).drive_high, 0.1)):
            drive()
            for _ in range(20):
                clock.now += wait / 20
                found += buttons.poll()
        return found

    assert hold("undo", 0.2) == ["undo"]
    assert hold("undo", LONG_SECONDS + 0.2) == ["setup"]
    assert hold("confirm", LONG_SECONDS + 0.2) == ["confirm"]
    assert set(LONG) <= set(NAMES)


def test_what_is_held_down_is_known(buttons: Buttons, clock: Clock) -> None:
    assert buttons.down() == frozenset()
    buttons.pin("hold-2").drive_low()
    clock.now += 0.1
    buttons.poll()
    assert buttons.down() == {"hold-2"}


def test_holding_a_button_down_stays_one_press() -> None:
    contact = changed(Contact(), True, 0.0)
    presses = 0
    for step in range(1, 1000):
        contact, press = settled(contact, step / 10)
        presses += press is not None
    assert presses == 1


class Shorted(MockPin):
    """A pin whose wire touches ground before anything looks at it."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._state = False


@pytest.mark.parametrize("name", ["confirm", "undo"])
def test_a_button_that_is_down_at_the_start_presses_nothing_and_is_told_as_stuck(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("device.buttons._factory", lambda kind: MockFactory(pin_class=Shorted))
    with contextlib.closing(Buttons({name: 5}, {}, "mock", clock=clock)) as buttons:
        assert buttons.poll() == []
        assert buttons.down() == {name}
        assert buttons.stuck() == (), "a finger may lie on it"
        clock.now += STUCK_SECONDS
        assert buttons.poll() == []
        assert buttons.stuck() == (name,)
        buttons.pin(name).drive_high()
        clock.now += 1
        assert buttons.poll() == []
        assert buttons.stuck() == ()
        buttons.pin(name).drive_low()
        clock.now += 0.1
        pressed = buttons.poll()
        buttons.pin(name).drive_high()
        clock.now += 0.1
        assert pressed + buttons.poll() == [name]


def test_a_finger_on_a_button_at_the_start_that_bounces_is_no_loose_wire(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.buttons._factory", lambda kind: MockFactory(pin_class=Shorted))
    with contextlib.closing(Buttons({"confirm": 5}, {}, "mock", clock=clock)) as buttons:
        clock.now += STEADY_SECONDS / 5
        buttons.pin("confirm").drive_high()
        buttons.pin("confirm").drive_low()
        assert buttons.poll() == []
        assert buttons.floating() == ()


def test_mock_pins_press_once_however_they_bounce(buttons: Buttons, clock: Clock) -> None:
    for _ in range(5):
        buttons.pin("confirm").drive_low()
        buttons.pin("confirm").drive_high()
    buttons.pin("confirm").drive_low()
    assert buttons.poll() == []
    clock.now += STEADY_SECONDS
    assert buttons.poll() == ["confirm"]
    clock.now += 1
    assert buttons.poll() == []
    buttons.pin("confirm").drive_high()
    clock.now += STEADY_SECONDS
    assert buttons.poll() == []


def test_a_press_between_two_looks_is_not_missed(buttons: Buttons, clock: Clock) -> None:
    buttons.pin("hold-3").drive_low()
    clock.now += 2 * STEADY_SECONDS
    buttons.pin("hold-3").drive_high()
    clock.now += 2 * STEADY_SECONDS
    buttons.pin("confirm").drive_low()
    clock.now += 2 * STEADY_SECONDS
    assert buttons.poll() == ["hold-3", "confirm"]


def test_lamps_are_exactly_those_asked_for(buttons: Buttons) -> None:
    buttons.light(["hold-1", "confirm"])
    assert buttons.lit() == {"hold-1", "confirm"}
    buttons.light(["hold-2"])
    assert buttons.lit() == {"hold-2"}


@pytest.mark.parametrize(
    ("buttons", "lamps", "line"),
    [
        ({"undo": 28}, {}, "buttons.undo: pin 28 does not exist"),
        ({"undo": 2}, {}, "buttons.undo: pin 2 is used by I2C"),
        ({"undo": 5, "confirm": 5}, {}, "buttons.confirm: pin 5 is already buttons.undo"),
        ({"undo": 5}, {"undo": 5}, "lamps.undo: pin 5 is already buttons.undo"),
    ],
)
def test_wrong_wiring_is_one_line_before_any_pin_is_opened(
    buttons: dict[str, int], lamps: dict[str, int], line: str
) -> None:
    with pytest.raises(ButtonsError, match=line):
        check_pins(buttons, lamps)


def test_no_silent_fallback_to_mock_pins_without_gpio() -> None:
    with pytest.raises(ButtonsError, match="cannot be opened"):
        Buttons({"undo": 5}, {}, "gpio")


def test_every_button_has_a_mock_pin() -> None:
    assert tuple(MOCK_BUTTONS) == NAMES == tuple(MOCK_LAMPS)
    assert len({*MOCK_BUTTONS.values(), *MOCK_LAMPS.values()}) == 2 * len(NAMES)


def lit_at(view: View, moments: int = 400) -> list[bool]:
    """Whether the lamp of confirm is lit, every 20 ms."""
    return ["confirm" in lit(view, 999 + 0.02 * moment) for moment in range(moments)]


def rises(lamp: list[bool]) -> int:
    return sum(after and not before for before, after in itertools.pairwise(lamp))


def test_the_lamp_of_confirm_says_whose_turn_it_is_and_what_is_wrong() -> None:
    match = rules.apply(None, rules.GameStarted("yatzy", players=("Anna",)))
    view = View(games=(), match=match, desk=Desk(screen="play"))
    assert rises(lit_at(view)) == 4, "once in two seconds: your turn"
    assert 0.4 < sum(lit_at(view)) / 400 < 0.6
    gone = replace(view, faults=(Fault("camera-missing", "usb:0"),))
    assert rises(lit_at(gone, 360)) in (5, 6), "two flashes in 2.4 s"
    assert not any(lit_at(replace(view, match=None)))
    assert any(lit_at(replace(gone, match=None))), "a fault is told without a game too"
    passing = replace(view, match=None, faults=(Fault("clock-wrong", ""),))
    assert not any(lit_at(passing))


@pytest.mark.parametrize("code", range(1, 5))
def test_a_code_can_be_counted(code: int) -> None:
    period = code * FLASH_SECONDS + PAUSE_SECONDS
    lamp = [flashes(code, 0.01 * moment) for moment in range(-1, round(100 * period) - 1)]
    assert rises(lamp) == code


class LibraryError(Exception):
    """As lgpio's own: it derives from nothing that anybody else knows."""


@pytest.mark.parametrize("where", ["_factory", "gpiozero.Button", "gpiozero.LED"])
def test_an_error_of_the_pin_librarys_own_is_one_line_and_closes_what_was_opened(
    monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def busy(*words: object, **more: object) -> None:
        raise LibraryError("GPIO busy")

    monkeypatch.setattr(where if "." in where else f"device.buttons.{where}", busy)
    with pytest.raises(ButtonsError, match=r"^the pins cannot be opened: GPIO busy$"):
        Buttons(MOCK_BUTTONS, MOCK_LAMPS, "mock")
    monkeypatch.undo()
    Buttons(MOCK_BUTTONS, MOCK_LAMPS, "mock").close()
