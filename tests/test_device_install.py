"""`systemd/install`: what it refuses, and what it says it would do."""

import configparser
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_device_kiosk import APT

ROOT = Path(__file__).parent.parent
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if os.geteuid() == 0 else ()

pytestmark = pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="the installer is for Debian")


DEBIAN = 'ID=debian\nVERSION_ID="13"\n'


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that anybody may read; pytest's own may not."""
    with tempfile.TemporaryDirectory(prefix="tallytray-install-") as name:
        Path(name).chmod(0o755)
        shutil.copytree(ROOT / "systemd", Path(name) / "systemd")
        yield Path(name)


def install(folder: Path, *words: str, system: str = DEBIAN) -> subprocess.CompletedProcess[str]:
    """The installer on that system, started by somebody who may do nothing."""
    told = folder / "os-release"
    told.write_text(system)
    return subprocess.run(
        [*NOBODY, "/usr/bin/env", f"OS_RELEASE={told}", "bash", folder / "systemd/install", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )


@pytest.mark.parametrize(
    ("words", "system", "said"),
    [
        ((), DEBIAN, "needs root: sudo ./systemd/install"),
        (("--uninstall",), DEBIAN, "needs root: sudo ./systemd/install"),
        (("--dry-run",), 'ID=ubuntu\nVERSION_ID="24.04"\n', "this is ubuntu 24.04 (allowed: Debian"),
        (("--dry-run",), 'ID=debian\nVERSION_ID="11"\n', "this is debian 11 (allowed: Debian"),
        (("--dry-run",), "ID=debian\n", "this is debian without a number (allowed: Debian"),
        (("--dry-run",), "", "this is no known system without a number (allowed: Debian"),
        (("--frobnicate",), DEBIAN, "'--frobnicate' is none of its options (allowed: "),
    ],
)
def test_what_it_cannot_do_is_said_in_one_line(folder: Path, words: tuple[str, ...], system: str, said: str) -> None:
    done = install(folder, *words, system=system)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"install: {said}")


@pytest.mark.parametrize(
    ("words", "commands"),
    [
        (
            ("--dry-run",),
            (
                "python3 -m venv --system-site-packages /opt/tallytray/",
                "--only-binary :all: --ignore-installed --require-hashes -r ",
                "cv2, numpy, pygame, gpiozero, msgspec",
                "mv -T /opt/tallytray/current.new /opt/tallytray/current",
                "/etc/systemd/system/tallytray.service",
                "/etc/systemd/system.conf.d/99-tallytray.conf",
                "/etc/systemd/journald.conf.d/99-tallytray.conf",
                "/etc/udev/rules.d/99-tallytray.rules",
                "/switch-off.rules /etc/polkit-1/rules.d/50-tallytray.rules",
                "/wifi.conf /etc/NetworkManager/conf.d/99-tallytray.conf",
                "systemctl --quiet enable tallytray.service",
                "/usr/local/bin/tallytray doctor",
            ),
        ),
        (
            ("--uninstall", "--dry-run"),
            (
                "rm -rf /opt/tallytray",
                "chown -R root:root /var/lib/tallytray",
                " /etc/NetworkManager/conf.d/99-tallytray.conf",
                " /etc/polkit-1/rules.d/50-tallytray.rules",
            ),
        ),
        (("--purge", "--dry-run"), ("rm -rf /opt/tallytray", "rm -rf /var/lib/tallytray /etc/tallytray")),
    ],
)
def test_what_it_would_do_is_printed_and_not_done(
    folder: Path, words: tuple[str, ...], commands: tuple[str, ...]
) -> None:
    done = install(folder, *words)
    assert (done.returncode, done.stderr) == (0, "")
    printed = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    for command in commands:
        assert any(command in line for line in printed), command
    if "--purge" not in words:
        assert not any("rm -rf /var/lib/tallytray" in line for line in printed)
    assert not Path("/opt/tallytray").exists() or Path("/etc/systemd/system/tallytray.service").exists()


def test_wifi_does_not_sleep() -> None:
    wifi = configparser.ConfigParser()
    wifi.read(ROOT / "systemd/wifi.conf")
    assert {name: dict(wifi[name]) for name in wifi.sections()} == {"connection": {"wifi.powersave": "2"}}


OFF = ("org.freedesktop.login1.power-off", "org.freedesktop.login1.power-off-multiple-sessions")


def test_the_tables_user_may_switch_off_and_nothing_more() -> None:
    rule = (ROOT / "systemd/switch-off.rules").read_text()
    assert set(re.findall(r'action\.id == "([^"]*)"', rule)) == set(OFF)
    (user,) = re.findall(r'subject\.user == "([^"]*)"', rule)
    assert f"\nUser={user}\n" in (ROOT / "systemd/tallytray.service").read_text()
    assert rule.count("polkit.Result.") == rule.count("polkit.Result.YES") == 1


POLKITD = Path("/usr/lib/polkit-1/polkitd")
ASKED = """
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /etc/polkit-1/rules.d
mkdir /run/dbus
{ cat /etc/passwd; echo "tallytray:x:990:65534::/:/bin/sh"; echo "guest:x:991:65534::/:/bin/sh"; } >/run/passwd
mount --bind /run/passwd /etc/passwd
install -m 0644 "$0" /etc/polkit-1/rules.d/50-tallytray.rules
dbus-daemon --system --nofork --nopidfile >&2 &
bus=$!
until [ -S /run/dbus/system_bus_socket ]; do sleep 0.1; done
"$1" --no-debug >&2 &
daemon=$!
for user in 990 991; do
  for action in power-off power-off-multiple-sessions reboot halt; do
    setpriv --reuid "$user" --clear-groups sh -c \
      'pkcheck --action-id "$0" --process $$ >&2 && echo "$1 $0"' "org.freedesktop.login1.$action" "$user" || true
  done
done
kill "$daemon" "$bus"
"""


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root for a name space with other users")
@pytest.mark.skipif(not POLKITD.exists() or shutil.which("dbus-daemon") is None, reason="no polkitd here")
def test_polkit_itself_lets_the_tables_user_switch_off() -> None:
    if subprocess.run(["unshare", "--mount", "true"], check=False, capture_output=True).returncode:
        pytest.skip("no name spaces here")
    done = subprocess.run(
        ["unshare", "--mount", "bash", "-c", ASKED, ROOT / "systemd/switch-off.rules", POLKITD],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == [f"990 {action}" for action in OFF], done.stderr


def part(begin: str, end: str) -> str:
    """A part of the installer, from that text up to the other."""
    script = (ROOT / "systemd/install").read_text()
    return script[script.index(begin) : script.index(end)]


@pytest.mark.parametrize(("number", "gl"), [("12", "libglib2.0-0"), ("13", "libglib2.0-0t64")])
def test_each_release_has_its_own_names_of_packages(folder: Path, number: str, gl: str) -> None:
    asked = f"""
    set -euo pipefail
    dry=true base=/none work=/tmp release={number}
    say() {{ echo "$@"; }}; run() {{ :; }}; known() {{ false; }}; installed() {{ false; }}
    {part("packages() {", "account() {")}
    packages
    """
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    assert gl in done.stdout.split()
    assert {
        "cage",
        "xwayland",
        "libwayland-egl1",
        "libwayland-cursor0",
        "libgl1",
        "python3-venv",
        "libpam-systemd",
        "polkitd",
    } <= set(done.stdout.split())


def test_a_program_whose_parts_cannot_be_loaded_is_not_put_in_use(tmp_path: Path) -> None:
    asked = f"""
    set -euo pipefail
    dry=false base={tmp_path} work={tmp_path} here=/none release=13
    say() {{ :; }}; known() {{ false; }}; fail() {{ echo "$*" >&2; exit 1; }}
    run() {{
      case "$*" in *' -c import '*cv2*) echo 'ImportError: libGL.so.1'; return 1 ;; esac
      echo "$*" >>{tmp_path}/done
    }}
    {part("program() {", "files() {")}
    program
    """
    tried = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=False)
    assert (tried.returncode, tried.stderr) == (
        1,
        "a part of the program cannot be loaded: ImportError: libGL.so.1\n",
    )
    assert "--require-hashes" in (tmp_path / "done").read_text()
    assert "current" not in (tmp_path / "done").read_text()


@pytest.mark.parametrize("apt", ["well", "torn", "broken"])
def test_of_the_packages_it_brought_those_go_that_nothing_else_needs(tmp_path: Path, apt: str) -> None:
    """With a torn apt something that somebody else installed would go with them; a broken one does nothing."""
    (tmp_path / "packages").write_text("cage\nlibwlroots10\nxwayland\nlong-gone\n")
    asked = f"""
    set -euo pipefail
    declare -A places=()
    base={tmp_path} work={tmp_path} state=/none/games settings=/none/settings unit=/none/unit purge=false dry=false
    say() {{ echo "said: $*"; }}; live() {{ :; }}; run() {{ :; }}; try() {{ "$@"; }}; getent() {{ false; }}
    dpkg-query() {{ printf 'installed %s\n' xwayland bash libwlroots10 cage; echo 'config-files long-gone'; }}
    apt-get() {{
      if [ {apt} = broken ]; then echo 'E: dpkg was interrupted' >&2; return 100; fi
      case "$*" in
        *" autoremove") printf 'Remv %s [1]\n' cage libwlroots10:amd64 somebodys-orphan ;;
        *" purge cage libwlroots10") printf 'Purg %s [1]\n' cage libwlroots10 {"gnome" if apt == "torn" else ""} ;;
      esac
    }}
    export PATH={tmp_path}/bin:$PATH
    {part("here_now() {", "account() {")}
    {part("uninstall() {", "dry=false purge=false")}
    uninstall
    """
    (tmp_path / "bin").mkdir()
    for name in ("apt-mark", "apt-get"):
        (tmp_path / "bin" / name).write_text(f'#!/bin/sh\necho "{name} $*" >>{tmp_path}/done\n')
        (tmp_path / "bin" / name).chmod(0o755)
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    ran = (tmp_path / "done").read_text().splitlines()
    assert ran[0] == "apt-mark auto cage libwlroots10 xwayland"
    assert ran[1:] == (["apt-get purge -y -qq cage libwlroots10"] if apt == "well" else [])
    assert {
        "well": "said: these stay, as something else needs them: xwayland",
        "torn": "said: these stay, as something else needs them: cage libwlroots10 xwayland",
        "broken": "said: apt cannot tell what is needed (E: dpkg was interrupted);"
        " these Debian packages stay: cage libwlroots10 xwayland",
    }[apt] in done.stdout
    assert "said: taken away" in done.stdout
    assert "the games and the settings stay in /none/games" in done.stdout


def test_packages_that_came_before_the_rest_failed_are_known_as_brought(tmp_path: Path) -> None:
    asked = f"""
    set -euo pipefail
    dry=false base={tmp_path}/base work={tmp_path}/work release=13 half=
    mkdir "$work"
    say() {{ :; }}; known() {{ false; }}; installed() {{ false; }}; run() {{ "$@"; }}
    fail() {{ echo "$*" >&2; exit 1; }}
    env() {{ touch "$base.came"; echo 'E: no room' ; return 100; }}
    apt-get() {{ :; }}
    dpkg-query() {{ echo 'installed bash'; if [ -e "$base.came" ]; then echo 'installed cage'; fi; }}
    {part("packages() {", "# Those that the table brought")}
    {part("leave() {", "$what")}
    packages
    """
    tried = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=False)
    assert (tried.returncode, tried.stderr) == (1, "the Debian packages did not come (no network?): E: no room\n")
    assert (tmp_path / "base/packages").read_text() == "cage\n"


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="no shellcheck here")
def test_the_shell_scripts_are_sound() -> None:
    scripts = [ROOT / "systemd/install", ROOT / "systemd/tallytray", ROOT / "scripts/newcomer", ROOT / "scripts/setup"]
    checked = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_lock_for_debian_12s_camera_leaves_numpy_as_debian_has_it() -> None:
    pinned = dict(
        line.split(" ")[0].split("==")
        for line in (ROOT / "requirements/picamera2-bookworm.lock").read_text().splitlines()
        if "==" in line and not line.startswith((" ", "#"))
    )
    assert pinned["numpy"].startswith("1."), "picamera2's parts there are built for numpy 1"
    assert pinned["opencv-python"].split(".")[:2] == ["4", "11"], "newer ones take none but numpy 2"
    run = (ROOT / "requirements/run.lock").read_text()
    assert pinned["gpiozero"] == "2.0.1.post3", "older ones find no pins of a Raspberry Pi 5 with a newer kernel"
    assert {name for name in pinned if f"\n{name}==" not in run} == set()


def test_the_files_a_raspberry_pi_starts_from_are_left_alone() -> None:
    for script in ("install", "tallytray"):
        text = (ROOT / "systemd" / script).read_text()
        assert not re.search(r"/boot|cmdline\.txt|config\.txt", text), script


def test_a_commit_is_tried_with_the_kiosk_wherever_it_can_be_installed() -> None:
    run = (ROOT / ".ci/run").read_text()
    assert f"for package in strace {APT.removeprefix('apt-get install ')}; do" in run
    assert run.index("for package in") < run.index("make slow")
