"""The wiring that the program shows is the wiring it opens."""

import re
from pathlib import Path

import pytest

from device.__main__ import main
from device.buttons import NAMES, header
from device.config import MOCK_BUTTONS, MOCK_LAMPS
from device.lamps import CODES, NO_SCREEN
from device.wiring import drawing, pins, text

DOCS = Path(__file__).parent.parent / "docs"


def test_the_header_is_a_raspberry_pis() -> None:
    known = header()
    assert list(known) == list(range(1, 41))
    assert [number for number, name in known.items() if name == "GND"] == [6, 9, 14, 20, 25, 30, 34, 39]
    assert (known[1], known[2], known[11], known[40]) == ("3V3", "5V", "GPIO17", "GPIO21")
    assert sorted(name for name in known.values() if name.startswith("GPIO")) == sorted(f"GPIO{n}" for n in range(28))


def test_every_button_and_lamp_stands_at_its_pin() -> None:
    found = {pin.wired + pin.kind: pin.name for pin in pins(MOCK_BUTTONS, MOCK_LAMPS) if pin.wired}
    assert found == {
        **{f"{name}button": f"GPIO{MOCK_BUTTONS[name]}" for name in NAMES},
        **{f"{name}lamp": f"GPIO{MOCK_LAMPS[name]}" for name in NAMES},
    }


def test_the_page_shows_what_the_program_draws() -> None:
    assert (DOCS / "wiring.svg").read_text("utf-8") == drawing(pins(MOCK_BUTTONS, MOCK_LAMPS)), (
        "tallytray wiring --example --svg docs/wiring.svg"
    )
    page = (DOCS / "wiring.md").read_text("utf-8")
    told = {int(number) for number in re.findall(r"(\d) flash", page)}
    assert told == {NO_SCREEN, *CODES.values()}


def test_the_command_shows_ones_own_wiring(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text("[buttons]\nconfirm = 16\n")
    assert main(["wiring", "--config", str(settings)]) == 0
    shown = capsys.readouterr().out
    assert "36  GPIO16 · button confirm" in shown
    assert shown == text(pins({"confirm": 16}, {}))
    assert len(shown.splitlines()) == 20
    assert main(["wiring", "--example", "--svg", str(tmp_path / "drawn.svg")]) == 0
    assert "<svg" in (tmp_path / "drawn.svg").read_text("utf-8")
    assert main(["wiring", "--svg", str(tmp_path / "no" / "drawn.svg")]) == 1
    assert "cannot be written" in capsys.readouterr().err
