"""The service file says what keeps a table alive."""

from pathlib import Path

UNIT = Path(__file__).parent.parent / "systemd" / "tallytray.service"


def settings(section: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    here = ""
    for line in UNIT.read_text().splitlines():
        if line.startswith("["):
            here = line.strip("[]")
        elif here == section and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def test_a_hung_loop_is_killed_and_said_where_it_hung() -> None:
    service = settings("Service")
    assert service["Type"] == ["notify"]
    assert service["NotifyAccess"] == ["all"], "with main alone, a table under cage is never heard"
    assert service["WatchdogSec"] == ["20"]
    assert service["WatchdogSignal"] == ["SIGABRT"]
    assert any("PYTHONFAULTHANDLER=1" in line for line in service["Environment"])


def test_it_is_started_again_for_ever() -> None:
    assert settings("Service")["Restart"] == ["always"]
    assert settings("Unit")["StartLimitIntervalSec"] == ["0"]


def test_state_and_working_folder_can_be_written() -> None:
    service = settings("Service")
    assert service["StateDirectory"] == ["tallytray"]
    assert service["WorkingDirectory"] == ["/run/tallytray"], "lgpio makes its pipe in the current folder"


def test_no_shell_between_the_manager_and_the_table() -> None:
    (command,) = settings("Service")["ExecStart"]
    assert command.endswith("-m device play")
    assert "sh " not in command
