"""What the whole appliance costs while nobody plays."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
@pytest.mark.soak
def test_a_still_tray_costs_little() -> None:
    told = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "still_tray"), "15"], capture_output=True, text=True, check=False
    )
    print(told.stdout)
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_table_does_without_opencv() -> None:
    program = "import sys, device.app, device.commands.play; sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0, "30 MB for nothing"
