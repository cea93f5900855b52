"""The table waits for a screen that wakes up slowly, and for none for ever."""

from pathlib import Path

import pytest

from device.connectors import LONGEST_SECONDS, connectors, wait_for_screen


class Sleeps:
    """Time that passes in rests only; `then` happens at its second."""

    def __init__(self, at: float = 0.0, then: tuple[Path, str] | None = None) -> None:
        self.now, self.at, self.then = 0.0, at, then

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.then is not None and self.now >= self.at:
            self.then[0].write_text(self.then[1])


def card(root: Path, **status: str) -> None:
    for name, said in status.items():
        folder = root / "sys/class/drm" / f"card1-{name.replace('_', '-')}"
        folder.mkdir(parents=True)
        (folder / "status").write_text(f"{said}\n")


def wait(root: Path, time: Sleeps) -> bool:
    return wait_for_screen(root, clock=time.clock, sleep=time.sleep)


@pytest.mark.parametrize("said", ["connected", "unknown"])
def test_a_screen_that_is_there_is_not_waited_for(tmp_path: Path, said: str) -> None:
    card(tmp_path, HDMI_A_1="disconnected", DSI_1=said)
    time = Sleeps()
    assert wait(tmp_path, time)
    assert time.now == 0


def test_a_television_that_wakes_up_slowly_is_waited_for(tmp_path: Path) -> None:
    card(tmp_path, HDMI_A_1="disconnected", HDMI_A_2="disconnected")
    time = Sleeps(8.0, (tmp_path / "sys/class/drm/card1-HDMI-A-2/status", "connected\n"))
    assert wait(tmp_path, time)
    assert 8 <= time.now < 9


def test_without_any_screen_the_table_starts_all_the_same(tmp_path: Path) -> None:
    card(tmp_path, HDMI_A_1="disconnected")
    time = Sleeps()
    assert not wait(tmp_path, time)
    assert time.now == pytest.approx(LONGEST_SECONDS, abs=1)


def test_without_a_graphics_card_nothing_is_waited_for(tmp_path: Path) -> None:
    time = Sleeps()
    assert wait(tmp_path, time)
    assert time.now == 0


def test_a_connector_that_cannot_be_read_is_unknown(tmp_path: Path) -> None:
    card(tmp_path, HDMI_A_1="", DSI_1="connected")
    (tmp_path / "sys/class/drm/card1-eDP-1/status").mkdir(parents=True)
    assert connectors(tmp_path) == {"card1-DSI-1": "connected", "card1-HDMI-A-1": "unknown", "card1-eDP-1": "unknown"}
