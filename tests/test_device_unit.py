"""The service file says what keeps a table alive, what it may use, and closes the rest."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from device.before_start import WAITS_SECONDS
from device.connectors import LONGEST_SECONDS

SYSTEMD = Path(__file__).parent.parent / "systemd"
UNIT = SYSTEMD / "tallytray.service"
MOST_EXPOSED = 2.5
"""Of 10, as `systemd-analyze security` counts."""


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


def environment() -> dict[str, str]:
    return dict(pair.split("=", 1) for line in settings("Service")["Environment"] for pair in line.split())


def test_a_hung_loop_is_killed_and_said_where_it_hung() -> None:
    service = settings("Service")
    assert service["Type"] == ["notify"]
    assert service["NotifyAccess"] == ["all"], "with main alone, a table under cage is never heard"
    assert service["WatchdogSec"] == ["20"]
    assert service["WatchdogSignal"] == ["SIGABRT"]
    assert service["TimeoutStartFailureMode"] == ["abort"], "a start that hangs says where, too"
    assert environment()["PYTHONFAULTHANDLER"] == "1"
    assert service["LimitCORE"] == ["0"], "a killed table leaves no memory image on the card"


def test_it_is_started_again_for_ever() -> None:
    assert settings("Service")["Restart"] == ["always"]
    assert settings("Unit")["StartLimitIntervalSec"] == ["0"]
    assert "RestartSteps" not in settings("Service"), "Debian 12's systemd warns of it; device.before_start waits"


def test_state_and_working_folder_can_be_written() -> None:
    service = settings("Service")
    assert service["ProtectSystem"] == ["strict"]
    assert service["StateDirectory"] == ["tallytray"]
    assert service["RuntimeDirectory"] == ["tallytray"]
    assert service["WorkingDirectory"] == ["/run/tallytray"], "lgpio makes its pipe in the current folder"


def test_no_shell_between_the_manager_and_the_table() -> None:
    (command,) = settings("Service")["ExecStart"]
    assert command.endswith("/usr/bin/cage -s -- /opt/tallytray/current/bin/python -m device play")
    assert "sh " not in command


def test_it_waits_for_a_screen_and_starts_without_one() -> None:
    (before,) = settings("Service")["ExecStartPre"]
    assert before == "-/opt/tallytray/current/bin/python -m device.before_start", "- goes on whatever becomes of it"
    assert float(settings("Service")["TimeoutStartSec"][0]) > LONGEST_SECONDS + max(WAITS_SECONDS) + 30


def test_cages_socket_lies_where_the_table_may_write() -> None:
    service = settings("Service")
    assert service["ProtectHome"] == ["yes"], "closes /run/user, where the login session would have it"
    assert service["PAMName"] == ["login"], "sets XDG_RUNTIME_DIR after every Environment="
    assert service["ExecStart"][0].startswith("/usr/bin/env XDG_RUNTIME_DIR=/run/tallytray ")
    assert service["RuntimeDirectoryMode"] == ["0700"]


def test_a_group_that_a_system_lacks_does_not_keep_the_table_from_starting() -> None:
    assert "SupplementaryGroups" not in settings("Service")
    assert "groups=(video render input audio gpio)" in (SYSTEMD / "install").read_text()


def test_camera_screen_touch_pins_sound_and_backlight_are_not_closed() -> None:
    service = settings("Service")
    for closed in (
        "PrivateDevices",
        "DevicePolicy",
        "DeviceAllow",
        "ProcSubset",
        "MemoryDenyWriteExecute",
        "PrivateNetwork",
    ):
        assert closed not in service, closed
    assert "ProtectClock" not in service, "on systemd 252 it brings a list of devices along"
    assert service["ReadWritePaths"] == ["-/sys/devices"], "ProtectKernelTunables closes the backlight"
    assert "AF_NETLINK" in service["RestrictAddressFamilies"][0].split(), "tells of what is plugged in"
    assert environment()["SDL_AUDIODRIVER"] == "alsa", "dummy would never sound"
    assert environment()["GPIOZERO_PIN_FACTORY"] == "lgpio", "no silent fallback to pins that do nothing"
    assert environment()["WLR_LIBINPUT_NO_DEVICES"] == "1", "cage starts without a touchscreen"
    assert environment()["SDL_VIDEO_WAYLAND_ALLOW_LIBDECOR"] == "0", "some builds of SDL never open a window otherwise"


def test_no_network() -> None:
    service = settings("Service")
    assert service["RestrictAddressFamilies"] == ["AF_UNIX AF_NETLINK"]
    assert service["IPAddressDeny"] == ["any"]


def test_a_backlight_is_the_groups_that_the_table_is_in() -> None:
    rule = (SYSTEMD / "backlight.rules").read_text()
    assert 'SUBSYSTEM=="backlight"' in rule
    assert "chgrp video /sys%p/brightness" in rule
    assert "chmod g+w /sys%p/brightness" in rule


def drop_in(name: str) -> dict[str, str]:
    parser = configparser.ConfigParser()
    parser.read(SYSTEMD / name)
    (section,) = parser.sections()
    return dict(parser[section])


def test_the_hardware_watchdog_counts_no_further_than_a_raspberry_pi_can() -> None:
    told = drop_in("watchdog.conf")
    assert 0 < int(told["runtimewatchdogsec"]) <= int(told["rebootwatchdogsec"]) <= 15


def test_the_log_outlives_a_restart_and_stays_small() -> None:
    assert drop_in("journald.conf") == {"storage": "persistent", "systemmaxuse": "50M"}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
def test_systemd_finds_nothing_wrong_and_little_exposed(tmp_path: Path) -> None:
    # The program's place stands empty here; only what starts it must be there.
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/usr/bin/cage", "/usr/bin/env"))
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", unit], capture_output=True, text=True, check=False
    )
    found = re.search(r"exposure level for \S+: ([0-9.]+)", rated.stdout)
    assert found is not None, rated.stderr
    assert float(found[1]) <= MOST_EXPOSED
