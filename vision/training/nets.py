"""The two nets, for torch. Both take blue-green-red pictures in 0–1, shape (N, 3, H, W).

The proposer looks at a whole picture, the verifier at one face. Together they stay below 200 000 parameters."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.net import CHANNELS, CROP, VERIFIER_CLASSES


def conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


def centred(picture: Tensor) -> Tensor:
    return (picture - 0.45) * 4.0


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class Proposer(nn.Module):
    """Whole pictures whose sides are multiples of 16 to a map of stride 4, channels as in `vision.net.CHANNELS`:
    heats of faces, unreadable and side faces, value logits, offset and size."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 24, 40, 48), head: int = 24) -> None:
        super().__init__()
        half, quarter, eighth, sixteenth = widths
        self.stem = nn.Sequential(conv(3, half, 2), conv(half, quarter, 2), conv(quarter, quarter))
        self.eighth = nn.Sequential(conv(quarter, eighth, 2), Residual(eighth))
        self.sixteenth = nn.Sequential(conv(eighth, sixteenth, 2), Residual(sixteenth))
        self.up_eighth = nn.Conv2d(sixteenth, eighth, 1)
        self.merge_eighth = conv(eighth, eighth)
        self.up_quarter = nn.Conv2d(eighth, head, 1)
        self.across_quarter = nn.Conv2d(quarter, head, 1)
        self.merge_quarter = conv(head, head)
        self.out = nn.Conv2d(head, len(CHANNELS), 1)
        assert self.out.bias is not None
        with torch.no_grad():
            self.out.bias[:3] = -4.0  # faces are rare: start there, or the first steps only learn that

    def forward(self, picture: Tensor) -> Tensor:
        quarter = self.stem(centred(picture))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        up = functional.interpolate(self.up_eighth(sixteenth), scale_factor=2.0, mode="nearest")
        eighth = self.merge_eighth(functional.relu(eighth + up))
        up = functional.interpolate(self.up_quarter(eighth), scale_factor=2.0, mode="nearest")
        merged = self.merge_quarter(functional.relu(self.across_quarter(quarter) + up))
        found = self.out(merged)
        return torch.cat([torch.sigmoid(found[:, :3]), found[:, 3:]], 1)


class Verifier(nn.Module):
    """Crops of one face to logits of `vision.net.VERIFIER_CLASSES`, and what is seen of the unit vector on the face."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 24, 40, 48), slant: int = 10) -> None:
        super().__init__()
        whole, half, quarter, eighth = widths
        self.features = nn.Sequential(
            conv(3, whole), nn.MaxPool2d(2),
            conv(whole, half), nn.MaxPool2d(2),
            conv(half, quarter), conv(quarter, quarter), nn.MaxPool2d(2),
            conv(quarter, eighth), conv(eighth, eighth),
        )  # fmt: skip
        self.answer = nn.Linear(3 * eighth, VERIFIER_CLASSES)
        self.narrow = nn.Conv2d(eighth, slant, 1)
        self.aslant = nn.Linear(slant * (CROP // 8) ** 2, 2)

    def forward(self, crop: Tensor) -> Tensor:
        x = self.features(centred(crop))
        middle = x[:, :, 2:5, 2:5].mean((2, 3))
        answer = self.answer(torch.cat([x.mean((2, 3)), x.amax((2, 3)), middle], 1))
        aslant = self.aslant(functional.relu(self.narrow(x)).flatten(1))
        return torch.cat([answer, aslant], 1)


def parameters(net: nn.Module) -> int:
    return sum(p.numel() for p in net.parameters())
