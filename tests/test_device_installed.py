"""The installer in bare roots of Debian 12 and 13."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root for debootstrap and chroot")
@pytest.mark.skipif(shutil.which("debootstrap") is None, reason="no debootstrap here (apt-get install debootstrap)")
@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_install_upgrade_no_network_uninstall_and_purge(suite: str) -> None:
    subprocess.run([ROOT / "scripts/installed", suite], check=True)
