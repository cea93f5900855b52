"""Nothing leaves the table: no network, no listener, and of pictures only the tray's rectangle."""

import ast
import time
from pathlib import Path

import pytest
from soak_kills import Witness

ROOT = Path(__file__).parent.parent
NETWORK = {"socket", "ssl", "http", "urllib", "asyncio", "socketserver", "ftplib", "smtplib", "xmlrpc", "requests"}


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_only_the_watchdog_knows_what_a_socket_is() -> None:
    rooms = [path for room in ("rules", "vision", "display", "device") for path in (ROOT / room).rglob("*.py")]
    assert len(rooms) > 60
    users = {str(path.relative_to(ROOT)): imported(path) & NETWORK for path in rooms}
    assert {path: names for path, names in users.items() if names} == {"device/watchdog.py": {"socket"}}
    assert "AF_INET" not in (ROOT / "device/watchdog.py").read_text(encoding="utf-8")


def sockets(process: int) -> set[str]:
    """The inodes of the sockets a process has open."""
    links = []
    for handle in Path(f"/proc/{process}/fd").iterdir():
        try:
            links.append(str(handle.readlink()))
        except OSError:
            continue
    return {link[8:-1] for link in links if link.startswith("socket:[")}


def network(kind: str) -> set[str]:
    lines = Path(f"/proc/net/{kind}").read_text().splitlines()[1:]
    return {line.split()[9] for line in lines}


def listening_locally() -> set[str]:
    lines = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    return {line[6] for line in lines if int(line[3], 16) & 0x10000}


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_while_it_plays_no_socket_of_any_network_is_open(tmp_path: Path) -> None:
    witness = Witness(tmp_path / "state", tmp_path / "out")
    try:
        witness.wait_for(4)
        looks = 0
        deadline = time.monotonic() + 100
        while looks < 20 and witness.process.poll() is None and time.monotonic() < deadline:
            children = Path(f"/proc/{witness.process.pid}/task/{witness.process.pid}/children").read_text().split()
            assert children, "the vision process is not there"
            for process in (witness.process.pid, *map(int, children)):
                open_here = sockets(process)
                for kind in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6"):
                    assert not open_here & network(kind), f"a {kind} socket"
                assert not open_here & listening_locally(), "a local listener"
            looks += 1
            time.sleep(0.02)
        assert looks == 20
    finally:
        witness.kill(group=True)
        witness.end()
