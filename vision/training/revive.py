"""Training goes on from a shipped model when its checkpoints are gone.

An exported net has every batch normalization folded into the convolution before it. Unfolding needs each convolution's
mean and variance, measured on pictures like those the net learns from; the net then answers as the model did and can
be trained like any other."""

import itertools
from collections.abc import Sequence
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.training.made import read_metadata


def revive(net: nn.Module, model: Path, pictures: Sequence[Tensor]) -> tuple[int, float]:
    """Give `net` the weights of `model`, an ONNX file exported from one like it; the batches of `pictures` measure what
    its normalizations see. Returns the steps and minutes it was trained for. ValueError if it is of another net."""
    graph = onnx.load(model).graph
    kept = {tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy()) for tensor in graph.initializer}
    folded = [(kept[node.input[1]], kept[node.input[2]]) for node in graph.node if node.op_type in ("Conv", "Gemm")]
    layers = [m for m in net.modules() if isinstance(m, nn.Conv2d | nn.Linear)]
    shapes = [tuple(weight.shape) for weight, _ in folded]
    if not shapes or shapes != [tuple(layer.weight.shape) for layer in layers[: len(shapes)]]:
        raise ValueError(f"{model} is of another net than this code's")
    normalized = _normalized(net)
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, folded, strict=False):  # a new last layer begins as it is
            layer.weight.copy_(weight)
            if layer in normalized:
                _pass_through(normalized[layer], bias)
            elif layer.bias is not None:
                layer.bias.copy_(bias)
        _unfold(net, normalized, pictures)
    made = read_metadata(model.read_bytes())
    return int(made["steps"]), float(made["minutes"])


def _normalized(net: nn.Module) -> dict[nn.Module, nn.BatchNorm2d]:
    """Every convolution that a normalization follows, with it."""
    pairs = {}
    for block in net.modules():
        if isinstance(block, nn.Sequential):
            inner = list(block)
            pairs.update({a: b for a, b in itertools.pairwise(inner) if isinstance(b, nn.BatchNorm2d)})
    return pairs


def _pass_through(norm: nn.BatchNorm2d, bias: Tensor) -> None:
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)
    norm.weight.fill_(1.0)
    norm.bias.copy_(bias)


def _unfold(net: nn.Module, normalized: dict[nn.Module, nn.BatchNorm2d], pictures: Sequence[Tensor]) -> None:
    seen: dict[nn.Module, list[tuple[Tensor, Tensor]]] = {layer: [] for layer in normalized}

    def note(layer: nn.Module, _: object, out: Tensor) -> None:
        seen[layer].append((out.mean((0, 2, 3)), (out**2).mean((0, 2, 3))))

    hooks = [layer.register_forward_hook(note) for layer in normalized]
    net.eval()
    for batch in pictures:
        net(batch)
    for hook in hooks:
        hook.remove()
    for layer, norm in normalized.items():
        assert norm.running_mean is not None
        assert norm.running_var is not None
        mean = torch.stack([m for m, _ in seen[layer]]).mean(0)
        variance = torch.stack([s for _, s in seen[layer]]).mean(0) - mean**2
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance.clamp(min=1e-6))
        norm.weight.copy_((norm.running_var + norm.eps).sqrt())
        norm.bias.add_(mean)
    net.train()
