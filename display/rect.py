"""Rectangles in whole pixels, and how they are shared out."""

from collections.abc import Sequence
from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle; its right and bottom edges are not part of it."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first x to the right of it."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first y below it."""
        return self.y + self.h

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return self.x + self.w / 2, self.y + self.h / 2

    def has(self, x: float, y: float) -> bool:
        """Whether the point lies in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def overlaps(self, other: "Rect") -> bool:
        """Whether any pixel lies in both."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def holds(self, other: "Rect") -> bool:
        """Whether the other lies wholly in it."""
        return self.x <= other.x and self.y <= other.y and self.right >= other.right and self.bottom >= other.bottom

    def joined(self, other: "Rect") -> "Rect":
        """The smallest rectangle around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Rect(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def inset(self, dx: int, dy: int | None = None) -> "Rect":
        """Smaller by `dx` on the left and right and `dy` (else `dx`) above and below."""
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, max(0, self.w - 2 * dx), max(0, self.h - 2 * dy))

    def moved(self, dx: int, dy: int) -> "Rect":
        """The same size elsewhere."""
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def top(self, h: int, gap: int = 0) -> "tuple[Rect, Rect]":
        """Its upper `h` pixels, and what is left below after a gap."""
        h = min(h, self.h)
        below = min(self.h, h + gap)
        return Rect(self.x, self.y, self.w, h), Rect(self.x, self.y + below, self.w, self.h - below)

    def foot(self, h: int, gap: int = 0) -> "tuple[Rect, Rect]":
        """Its lower `h` pixels, and what is left above after a gap."""
        h = min(h, self.h)
        above = max(0, self.h - h - gap)
        return Rect(self.x, self.bottom - h, self.w, h), Rect(self.x, self.y, self.w, above)

    def left(self, w: int, gap: int = 0) -> "tuple[Rect, Rect]":
        """Its left `w` pixels, and what remains to the right after a gap."""
        w = min(w, self.w)
        after = min(self.w, w + gap)
        return Rect(self.x, self.y, w, self.h), Rect(self.x + after, self.y, self.w - after, self.h)

    def right_part(self, w: int, gap: int = 0) -> "tuple[Rect, Rect]":
        """Its right `w` pixels, and what remains to the left after a gap."""
        w = min(w, self.w)
        before = max(0, self.w - w - gap)
        return Rect(self.right - w, self.y, w, self.h), Rect(self.x, self.y, before, self.h)

    def columns(self, count: int, gap: int = 0) -> "tuple[Rect, ...]":
        """Side by side, as equal as whole pixels allow."""
        x, y, w, h = self
        room = w - gap * (count - 1)
        edges = [x + round(room * place / count) for place in range(count + 1)]
        return tuple(Rect(edges[place] + gap * place, y, edges[place + 1] - edges[place], h) for place in range(count))

    def shares(self, weights: Sequence[float], gap: int = 0) -> "tuple[Rect, ...]":
        """Side by side, as wide as their weights say."""
        room = self.w - gap * (len(weights) - 1)
        whole = sum(weights)
        cells = []
        for place in range(len(weights)):
            x0 = self.x + round(room * sum(weights[:place]) / whole) + gap * place
            x1 = self.x + round(room * sum(weights[: place + 1]) / whole) + gap * place
            cells.append(Rect(x0, self.y, x1 - x0, self.h))
        return tuple(cells)

    def rows(self, count: int, gap: int = 0) -> "tuple[Rect, ...]":
        """One below the other, as equal as whole pixels allow."""
        room = self.h - gap * (count - 1)
        cells = []
        for place in range(count):
            y0 = self.y + round(room * place / count) + gap * place
            y1 = self.y + round(room * (place + 1) / count) + gap * place
            cells.append(Rect(self.x, y0, self.w, y1 - y0))
        return tuple(cells)

    def centred(self, w: int, h: int) -> "Rect":
        """A rectangle of this size in its middle, no larger than itself."""
        w, h = min(w, self.w), min(h, self.h)
        return Rect(self.x + (self.w - w) // 2, self.y + (self.h - h) // 2, w, h)
