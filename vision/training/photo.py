"""From light to picture: exposure, white balance, lens and motion blur, noise, sharpening, resampling, JPEG."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.noise import Floats, Rng, chance, colour, log_uniform


@dataclass(frozen=True, eq=False)
class Photo:
    image: NDArray[np.uint8]
    blur: float
    """Pixels that a point is smeared over, as the sigma of a Gaussian."""


def _expose(rng: Rng, light: Floats, careful: bool) -> Floats:
    side = light.shape[0]
    y, x = np.mgrid[:side, :side].astype(np.float32) / np.float32(side) - np.float32(0.5)
    fall = 1 + np.float32(rng.uniform(0, 0.7)) * (x * np.float32(rng.normal()) + y * np.float32(rng.normal()))
    image = light * np.clip(fall, 0.25, 2)[..., None] * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
    kind = 0.0 if careful else rng.random()
    gain = (
        rng.uniform(0.75, 1.25)
        if kind < 0.3
        else (log_uniform(rng, 0.2, 0.75) if kind < 0.65 else rng.uniform(1.25, 2.6))
    )
    image = np.clip(image * np.float32(gain) + np.float32(rng.uniform(0, 0.08)), 0, 1) ** np.float32(
        rng.uniform(0.65, 1.3)
    )
    if not careful and chance(rng, 0.4):
        flat = rng.uniform(0.35, 0.8)
        image = image * np.float32(flat) + np.float32(rng.uniform(0, 1 - flat))
    return np.asarray(image, np.float32)


def _blur(rng: Rng, image: Floats, die_px: float, careful: bool) -> tuple[Floats, float]:
    spread = 0.0
    if chance(rng, 0.65):
        spread = log_uniform(rng, 0.4, max(0.9, die_px * (0.04 if careful else 0.085)))
        image = cv2.GaussianBlur(image, (0, 0), spread)  # type: ignore[assignment]
    if not careful and chance(rng, 0.25):
        length = int(rng.integers(2, max(4, int(die_px * 0.16))))
        kernel = np.zeros((length * 2 + 1,) * 2, np.float32)
        angle = rng.uniform(0, 6.3)
        half = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        ends = [tuple(round(float(c)) for c in length + sign * half) for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())  # type: ignore[assignment]
        spread = float(np.hypot(spread, length / 3.5))
    if chance(rng, 0.35):
        share = rng.uniform(0.5, 1)
        small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        back = cv2.INTER_CUBIC if chance(rng, 0.5) else cv2.INTER_LINEAR
        image = cv2.resize(small, image.shape[1::-1], interpolation=back)  # type: ignore[assignment]
        spread = float(np.hypot(spread, 0.4 / share))
    return image, spread


def photograph(rng: Rng, light: Floats, die_px: float) -> Photo:
    """A picture as a camera and its software would make it, three in five of them with some care; blur is bounded
    by the die's size."""
    careful = chance(rng, 0.6)
    image, spread = _blur(rng, _expose(rng, light, careful), die_px, careful)
    if chance(rng, 0.35):
        halo = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2.0))
        image = image + np.float32(rng.uniform(0.3, 1.8)) * (image - halo)
    if chance(rng, 0.14):
        image = np.repeat(image.mean(-1, keepdims=True), 3, -1)
        if chance(rng, 0.3):
            image = image * colour(rng, 0.4)
    elif chance(rng, 0.35):
        mean = image.mean(-1, keepdims=True)
        image = mean + (image - mean) * np.float32(rng.uniform(0.2, 1.6))
    noise = rng.standard_normal(image.shape, dtype=np.float32)
    if chance(rng, 0.3):
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * np.float32(2)
    image = image + noise * np.float32(log_uniform(rng, 0.002, 0.025 if careful else 0.06)) * (np.float32(0.4) + image)
    picture = np.ascontiguousarray(np.clip(image * 255, 0, 255).astype(np.uint8))
    if chance(rng, 0.3):
        halved = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
        size = picture.shape[1::-1]
        small = cv2.resize(halved[..., 1:], (size[0] // 2, size[1] // 2), interpolation=cv2.INTER_AREA)
        halved[..., 1:] = cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)
        picture = np.asarray(cv2.cvtColor(halved, cv2.COLOR_YCrCb2BGR), np.uint8)
    if chance(rng, 0.7):
        code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 97))])[1]
        picture = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return Photo(picture, spread)
