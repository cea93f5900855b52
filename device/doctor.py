"""The table's doctor: one pure function for each check, from what was read to what it means.

`device.readings` does the reading. Hardware that is not here is "absent", never an error: a table without a camera, or
a desktop computer, is well.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from device.buttons import ButtonsError, check_pins
from device.config import Settings, one_line
from device.readings import Disk, Node, Readings, Vital
from display.view import CheckName, FaultName, Finding

HOT = 80.0
"""Degrees Celsius: from here on a Raspberry Pi slows itself down."""

LOW_MB = 200
"""Megabytes free, under which a table may come to its disk's end in one evening of films and pictures."""

FIRST_YEAR = 2026
"""No table was made before: an earlier date is that of a clock which was never set."""

RESTARTS = 5
"""More often than this since the computer started is not what one restart after a fault looks like."""

UNDER_VOLTAGE = 0x1 | 0x1_0000
"""The bits of `vcgencmd get_throttled` for too little voltage now and since the start."""

FAULT_OF: Mapping[CheckName, FaultName] = {
    "card": "card-errors",
    "voltage": "undervoltage",
    "temperature": "too-hot",
    "clock": "clock-wrong",
}
"""The fault that each of the checks finds which go on while the table is played at. The other faults are found by
whoever uses the thing itself."""


def examined(found: Readings) -> tuple[Finding, ...]:
    """Every check, in the order it is told."""
    findings = (
        settings(found.settings),
        camera(found.settings.config.camera, found.cameras),
        buttons(found.settings.config.buttons, found.settings.config.lamps, found.chips, found.pin_library),
        screen(found.screens),
        fonts(found.missing_letters),
        disk(found.disk),
        *vital(found.vital),
        service(found.service),
        versions(found.packages, found.broken),
    )
    return tuple(replace(finding, said=one_line(finding.said)) for finding in findings)


def vital(found: Vital) -> tuple[Finding, ...]:
    """The checks that go on while the table is played at."""
    return (
        card(found.card_errors),
        voltage(found.throttled, found.alarm),
        temperature(found.temperature),
        clock(found.now, found.synchronised, found.clock_chip),
    )


def faults(findings: Sequence[Finding]) -> dict[FaultName, str | None]:
    """The faults that these findings tell of, with None those that are not so."""
    return {
        FAULT_OF[finding.check]: one_line(finding.said) if finding.state == "wrong" else None
        for finding in findings
        if finding.check in FAULT_OF
    }


def settings(found: Settings) -> Finding:
    """Whether every line of the settings can be used."""
    wrong = [fault.detail for fault in found.faults]
    if wrong:
        return Finding("settings", "wrong", " · ".join(wrong))
    if not found.owner.values:
        return Finding("settings", "absent", f"{found.path}")
    return Finding("settings", "well", f"{found.path}")


def camera(spec: str, found: Sequence[Node]) -> Finding:
    """Whether the camera that the settings name is there and may be used; `found` are those that it may stand for."""
    if not found:
        return Finding("camera", "absent" if spec == "auto" else "wrong", f"{spec}: none found")
    if spec != "auto" and len(found) > 1:
        return Finding("camera", "wrong", f"{spec}: one of {', '.join(node.name for node in found)}")
    well = [node.name for node in found if node.allowed and node.wrong is None]
    if well:
        return Finding("camera", "well", ", ".join(well))
    wrong = [f"{node.name}: {node.wrong}" for node in found if node.wrong is not None]
    denied = [node.name for node in found if node.wrong is None]
    if denied:
        wrong.append(f"{', '.join(denied)}: no permission (group video)")
    return Finding("camera", "wrong", "; ".join(wrong))


def buttons(pins: Mapping[str, int], lamps: Mapping[str, int], chips: Sequence[Node], library: str | None) -> Finding:
    """Whether the buttons' pins can be opened. `library` is the complaint of the pin library, None when it is there."""
    if not pins and not lamps:
        return Finding("buttons", "absent", "no [buttons] in the settings")
    try:
        check_pins(pins, lamps)
    except ButtonsError as error:
        return Finding("buttons", "wrong", str(error))
    if not chips:
        return Finding("buttons", "wrong", "/dev/gpiochip*: not here")
    if not any(chip.allowed for chip in chips):
        return Finding("buttons", "wrong", f"{chips[0].name}: no permission (group gpio)")
    if library is not None:
        return Finding("buttons", "wrong", library)
    used = [f"{name} {pin}" for name, pin in pins.items()] + [f"lamp {name} {pin}" for name, pin in lamps.items()]
    return Finding("buttons", "well", ", ".join(used))


def screen(connectors: Mapping[str, str]) -> Finding:
    """Whether a screen is plugged in: the status of each connector of the graphics card."""
    if not connectors:
        return Finding("screen", "absent", "/sys/class/drm: no connector")
    connected = sorted(name for name, status in connectors.items() if status == "connected")
    if connected:
        return Finding("screen", "well", ", ".join(connected))
    unknown = sorted(name for name, status in connectors.items() if status == "unknown")
    if unknown:
        return Finding("screen", "absent", f"{', '.join(unknown)}: unknown")
    return Finding("screen", "wrong", f"{', '.join(sorted(connectors))}: nothing is connected")


def fonts(missing: str | None) -> Finding:
    """Whether every letter of every language can be drawn: those that cannot, None where there is no font at all."""
    if missing is None:
        return Finding("fonts", "wrong", "the font is missing")
    if missing:
        return Finding("fonts", "wrong", f"missing: {' '.join(missing)}")
    return Finding("fonts", "well", "every letter of every language")


def disk(found: Disk) -> Finding:
    """Whether games can be kept in the state folder, and for how long yet."""
    if found.complaint is not None:
        return Finding("disk", "wrong", f"{found.folder}: {found.complaint}")
    free = found.free // 1_000_000
    said = f"{found.folder}: {free:,} MB free".replace(",", " ")
    return Finding("disk", "wrong" if free < LOW_MB else "well", said)


def card(errors: Mapping[str, str]) -> Finding:
    """The errors that the file system counted on each disk since it was made."""
    if not errors:
        return Finding("card", "absent", "/sys/fs/ext4: no disk")
    bad = sorted(f"{name}: {count} errors" for name, count in errors.items() if count.strip() not in ("", "0"))
    if bad:
        return Finding("card", "wrong", ", ".join(bad))
    return Finding("card", "well", ", ".join(f"{name}: 0 errors" for name in sorted(errors)))


def voltage(throttled: str | None, alarm: str | None) -> Finding:
    """Whether the power supply holds: what `vcgencmd get_throttled` says ("throttled=0x50005"), and the kernel's own
    alarm ("0" or "1"), which goes on telling where the first is cleared."""
    bits = (
        re.fullmatch(r"(?:throttled=)?(0[xX][0-9a-fA-F]{1,8}|0)", throttled.strip()) if throttled is not None else None
    )
    if (bits is None and alarm is None) or (alarm is not None and alarm.strip() not in ("0", "1")):
        return Finding("voltage", "absent", "not a Raspberry Pi")
    if alarm is not None and alarm.strip() == "1":
        return Finding("voltage", "wrong", "too low now")
    if bits is None:
        return Finding("voltage", "well", "no alarm")
    seen = int(bits[1], 16)
    if seen & UNDER_VOLTAGE:
        when = "now" if seen & 0x1 else "since the start"
        return Finding("voltage", "wrong", f"too low {when} ({hex(seen)})")
    return Finding("voltage", "well", hex(seen))


def temperature(millidegrees: str | None) -> Finding:
    """How hot the processor is."""
    told = re.fullmatch(r"-?\d{1,7}", millidegrees.strip()) if millidegrees is not None else None
    if told is None:
        return Finding("temperature", "absent", "no thermometer")
    degrees = int(told[0]) / 1000
    return Finding("temperature", "wrong" if degrees >= HOT else "well", f"{degrees:.0f} °C")


def clock(now: datetime, synchronised: bool | None, chip: bool) -> Finding:
    """Whether the date can be believed. `synchronised`: with a network's time since the start, None where nobody
    keeps that; `chip`: a clock that goes on without power."""
    said = f"{now:%Y-%m-%d %H:%M}"
    if now.year < FIRST_YEAR:
        return Finding("clock", "wrong", said)
    if synchronised or chip:
        return Finding("clock", "well", said)
    if synchronised is None:
        return Finding("clock", "absent", f"{said}, nobody says whether it is set")
    return Finding("clock", "wrong", f"{said}, not set since the start")


def service(shown: str | None) -> Finding:
    """The service as `systemctl show` tells of it, one `Name=value` a line."""
    if shown is None:
        return Finding("service", "absent", "no systemd")
    told = dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)
    if told.get("LoadState") != "loaded":
        return Finding("service", "absent", "not installed")
    active, enabled = told.get("ActiveState", ""), told.get("UnitFileState", "")
    restarts = told.get("NRestarts", "0")
    said = f"{active}, {enabled}, {restarts} restarts"
    often = restarts.isdecimal() and int(restarts) > RESTARTS
    if active not in ("active", "activating") or enabled != "enabled" or often:
        return Finding("service", "wrong", said)
    return Finding("service", "well", said)


def versions(packages: Mapping[str, str], broken: Mapping[str, str]) -> Finding:
    """What the program is made of; `broken` are the parts that cannot be used, with their own words."""
    if broken:
        return Finding("versions", "wrong", ", ".join(f"{name}: {said}" for name, said in broken.items()))
    return Finding("versions", "well", ", ".join(f"{name} {version}" for name, version in packages.items()))
