"""Push buttons: whatever bounces, one press is one press."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.buttons import NAMES, Buttons, ButtonsError, check_pins
from device.config import MOCK_BUTTONS, MOCK_LAMPS
from device.debounce import STEADY_SECONDS, Contact, changed, settled


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


def press_train(gaps: list[float], hold: float) -> int:
    """Presses counted for a contact that bounces with these gaps, is held, and bounces again when let go."""
    contact, at, presses, level = Contact(), 0.0, 0, False

    def look(until: float) -> None:
        nonlocal contact, presses
        contact, press = settled(contact, until)
        presses += press

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


def test_holding_a_button_down_stays_one_press() -> None:
    contact = changed(Contact(), True, 0.0)
    presses = 0
    for step in range(1, 1000):
        contact, press = settled(contact, step / 10)
        presses += press
    assert presses == 1


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
    buttons.pin("undo").drive_low()
    clock.now += 2 * STEADY_SECONDS
    assert buttons.poll() == ["hold-3", "undo"]


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
