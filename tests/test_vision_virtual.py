"""Orders to the virtual camera."""

from pathlib import Path

import pytest

from vision.cameras import CameraError
from vision.cameras.virtual import Virtual


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("light = 0", "light is 0: allowed are numbers above 0"),
        ("light = -1", "light is -1: allowed are numbers above 0"),
        ("light = nan", "light is nan: allowed are numbers above 0"),
        ("light = inf", "light is inf: allowed are numbers above 0"),
        ('fault = "plugged"', "plugged.*allowed are none, unplugged, frozen, black, .* leak, wrong-size"),
    ],
)
def test_wrong_orders_are_refused_in_one_line_that_says_what_is_allowed(tmp_path: Path, order: str, why: str) -> None:
    path = tmp_path / "camera.toml"
    path.write_text(f'film = "nowhere"\n{order}\n')
    with pytest.raises(CameraError, match=why) as caught:
        Virtual(path)
    assert "\n" not in str(caught.value)
