"""The model files that ship: small, told how they were made, and loadable."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.net import ANSWERS, CHANNELS, CROP, MODELS, load
from vision.training.made import append_metadata, count_weights, fields, read_metadata

NETS = ("proposer", "verifier")


def model(net: str) -> Path:
    return MODELS / f"{net}.onnx"


@pytest.mark.parametrize("net", NETS)
def test_a_model_tells_how_it_was_made(net: str) -> None:
    made = read_metadata(model(net).read_bytes())
    assert made["net"] == net
    assert re.fullmatch(r"[0-9a-f]{12}\+?", made["code"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", made["date"])
    assert int(made["pictures"]) >= 1000
    assert int(made["steps"]) >= 1000
    assert int(made["seed"]) >= 0
    assert "no photographs" in made["data"]


def test_the_nets_keep_within_their_limits() -> None:
    told = [int(read_metadata(model(net).read_bytes())["parameters"]) for net in NETS]
    assert sum(told) <= 200_000
    assert sum(model(net).stat().st_size for net in NETS) <= 1_000_000
    for net, parameters in zip(NETS, told, strict=True):
        kept = count_weights(model(net).read_bytes())  # batch norms are folded into the convolutions before
        assert 0.9 * parameters < kept <= parameters + 100


@pytest.mark.parametrize(("height", "width"), [(64, 64), (368, 640), (720, 1280)])
def test_the_proposer_takes_pictures_of_any_whole_size(height: int, width: int) -> None:
    net = load(model("proposer"))
    net.setInput(cv2.dnn.blobFromImage(np.full((height, width, 3), 90, np.uint8), 1 / 255.0))
    found = np.asarray(net.forward())
    assert found.shape == (1, len(CHANNELS), height // 4, width // 4)
    assert np.isfinite(found).all()
    assert 0 <= found[0, :3].min() <= found[0, :3].max() <= 1


@pytest.mark.parametrize("crops", [1, 2, 7])
def test_the_verifier_takes_any_number_of_crops(crops: int) -> None:
    net = load(model("verifier"))
    pictures = list(np.random.default_rng(0).integers(0, 255, (crops, CROP, CROP, 3), np.uint8))
    net.setInput(cv2.dnn.blobFromImages(pictures, 1 / 255.0))
    together = np.asarray(net.forward())
    assert together.shape == (crops, ANSWERS)
    net.setInput(cv2.dnn.blobFromImage(pictures[-1], 1 / 255.0))
    assert np.asarray(net.forward())[0] == pytest.approx(together[-1], abs=1e-3)


def test_metadata_comes_back_as_written() -> None:
    content = append_metadata(append_metadata(b"", {"a": "1"}), {"long": "ä" * 300})
    assert read_metadata(content) == {"a": "1", "long": "ä" * 300}


def test_a_model_cut_off_is_refused() -> None:
    content = append_metadata(b"", {"a": "1" * 50})
    with pytest.raises(ValueError, match="cut off"):
        list(fields(content[:-5]))
