"""A picture as the camera saw it: plain bytes, as the table does without numpy."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Picture:
    """`pixels`: `high` rows from the top of `wide` pixels, red-green-blue, one byte each. Two pictures with the same
    `number` are the same picture: the tray's count from zero up, those of single dice from below zero down."""

    number: int
    wide: int = field(compare=False)
    high: int = field(compare=False)
    pixels: bytes = field(compare=False, repr=False)
