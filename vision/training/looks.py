"""What dice of the world look like: shape, material, pips and how they are arranged.

A `Look` is one make of dice. Pips are kept per face as (u, v, radius) in die sides, so that every odd layout of
the world (wide and narrow sixes, a big 1, a straight 2) is only numbers."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from vision.training.noise import GREY_WEIGHTS, Floats, Rng, chance, colour, floats, grey, log_uniform, weighted

PipKind = Literal["painted", "drilled", "ringed", "inlaid", "square"]
Marks = Literal["pips", "blank", "glyphs"]
Layout = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, eq=False)
class Look:
    corner: float
    """Radius of edges and corners, die sides: 0.02 is sharp, 0.3 is nearly a ball."""
    ball: float
    """Radius of the ball the cube is cut with, die sides; 0.87 or more cuts nothing."""
    body: Floats
    second: Floats
    """Colour of marbling, speckles or grain."""
    marbling: float
    marble_pitch: float
    speckled: bool
    translucent: float
    pip_kind: PipKind
    pip: Floats
    special: Floats
    """Colour of the pips of the faces in `special_faces`, as of the red 1 and 4 of Asian dice."""
    special_faces: tuple[int, ...]
    pip_core: Floats
    """Colour inside a ringed pip and of the gap around an inlaid one."""
    hollow: float
    """Radius of a ringed pip's inside over that of the pip."""
    dot: float
    """The same of a dot in its middle; 0 is none."""
    worn: float
    """Share of a pip's paint that is gone."""
    disc: float
    """Radius of a disc of another colour that carries the pips, die sides; 0 is none."""
    disc_colour: Floats
    dent: float
    gloss: float
    shininess: float
    rim: float
    """How brightly the polished bevel glints where a face passes into its rounded edge or the ball; 0 is none."""
    rim_width: float
    """Of that bevel, die sides."""
    mirrored: bool
    marks: Marks
    faces: tuple[Layout, ...]
    """Pips of the faces 1–6."""


def draw_layout(rng: Rng) -> tuple[Layout, ...]:
    """The six faces of one make."""
    radius = rng.uniform(0.065, 0.115) if chance(rng, 0.7) else rng.uniform(0.04, 0.155)
    spread = rng.uniform(0.2, 0.3) if chance(rng, 0.85) else rng.uniform(0.14, 0.22)
    spread = float(min(max(spread, radius * 1.5), 0.47 - radius))
    columns = rng.uniform(0.55, 1.1) if chance(rng, 0.7) else 1.0
    rows = rng.uniform(0.85, 1.1) if chance(rng, 0.4) else 1.0
    rows = max(rows, 2.15 * radius / spread)
    columns = max(columns, 1.15 * radius / spread)
    one = radius * (rng.uniform(1.25, 2.3) if chance(rng, 0.2) else 1.0)
    two = max(rng.uniform(0.42, 1.0) if chance(rng, 0.35) else 1.0, 0.85 * radius / spread)
    three = max(rng.uniform(0.6, 1.0) if chance(rng, 0.2) else 1.0, 1.55 * radius / spread)
    four = max(rng.uniform(0.7, 1.05) if chance(rng, 0.15) else 1.0, 1.15 * radius / spread)
    signs = [1 if chance(rng, 0.5) else -1 for _ in range(2)]
    straight = chance(rng, 0.06)

    def place(points: list[tuple[float, float]], size: float = radius) -> Layout:
        return tuple((x * spread, y * spread, size) for x, y in points)

    corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)]
    slant = signs[0] if not straight else 0
    pair = [(-slant * two, -two), (slant * two, two)]
    row = [(-signs[1] * three, -three), (0.0, 0.0), (signs[1] * three, three)]
    six = [(x * columns, y * rows) for x in (-1, 1) for y in (-1, 0, 1)]
    if chance(rng, 0.5):
        six = [(y, x) for x, y in six]
    return (
        place([(0.0, 0.0)], one),
        place(pair),
        place(row),
        place([(x * four, y * four) for x, y in corners]),
        place([*corners, (0.0, 0.0)]),
        place([(float(x), float(y)) for x, y in six]),
    )


def contrast(one: Floats, other: Floats) -> float:
    """The largest difference of a channel, 0–1, half of it where the brightness is alike."""
    brightness = abs(float((one - other) @ GREY_WEIGHTS))
    return max(brightness, 0.6 * float(np.abs(one - other).max()))


def draw_colours(rng: Rng) -> tuple[Floats, Floats]:
    """Body and pips."""
    body = weighted(
        rng,
        [
            (0.36, np.clip(grey(rng.uniform(0.68, 1)) - floats(0.2, 0.06, 0) * np.float32(rng.random()), 0, 1)),
            (0.12, grey(rng.uniform(0.02, 0.14))),
            (0.14, floats(rng.uniform(0.02, 0.2), rng.uniform(0.02, 0.15), rng.uniform(0.35, 0.9))),
            (0.38, colour(rng)),
        ],
    )
    least = 0.13 if chance(rng, 0.25) else 0.3
    for _ in range(60):
        pip = weighted(
            rng,
            [
                (0.4, grey(rng.uniform(0.02, 0.12))),
                (0.3, grey(rng.uniform(0.8, 1))),
                (0.1, floats(rng.uniform(0.2, 0.5), rng.uniform(0.55, 0.8), rng.uniform(0.7, 0.95))),
                (0.2, colour(rng)),
            ],
        )
        if contrast(pip, body) > least:
            return body, pip
    return body, grey(0.03 if float(body @ GREY_WEIGHTS) > 0.4 else 0.95)


def draw_look(rng: Rng, unusual: float = 1.0) -> Look:
    """One make of dice. `unusual` scales how often rare materials and pips are drawn."""
    body, pip = draw_colours(rng)
    u = unusual
    kind: PipKind = weighted(rng, [
        (0.5, "painted"), (0.3, "drilled"), (0.12 * u, "ringed"), (0.1 * u, "inlaid"), (0.025 * u, "square"),
    ])  # fmt: skip
    red = floats(rng.uniform(0.03, 0.2), rng.uniform(0.03, 0.15), rng.uniform(0.6, 0.9))
    special_faces: tuple[int, ...] = ()
    if chance(rng, 0.1 * u) and contrast(red, body) > 0.2:
        special_faces = (1, 4) if chance(rng, 0.6) else (1,)
    disc_colour = colour(rng)
    has_disc = chance(rng, 0.06 * u) and contrast(disc_colour, pip) > 0.25
    marks: Marks = weighted(rng, [(1.0, "pips"), (0.02 * u, "blank"), (0.03 * u, "glyphs")])
    return Look(
        corner=rng.uniform(0.04, 0.22) if chance(rng, 0.85) else rng.uniform(0.22, 0.32),
        ball=rng.uniform(0.66, 0.8) if chance(rng, 0.45) else 1.0,
        body=body,
        second=colour(rng),
        marbling=rng.uniform(0.15, 0.8) if chance(rng, 0.18 * u) else 0.0,
        marble_pitch=log_uniform(rng, 2, 14),
        speckled=chance(rng, 0.25),
        translucent=rng.uniform(0.15, 0.6) if chance(rng, 0.12 * u) else 0.0,
        pip_kind=kind,
        pip=pip,
        special=red,
        special_faces=special_faces,
        pip_core=(body if chance(rng, 0.6) else colour(rng)) if kind == "ringed" else body * np.float32(0.4),
        hollow=rng.uniform(0.45, 0.8),
        dot=rng.uniform(0.15, 0.35) if chance(rng, 0.4) else 0.0,
        worn=rng.uniform(0.1, 0.5) if chance(rng, 0.08 * u) else 0.0,
        disc=rng.uniform(0.4, 0.47) if has_disc else 0.0,
        disc_colour=disc_colour,
        dent=rng.uniform(0.3, 1.0) if kind == "drilled" else (rng.uniform(0, 0.4) if chance(rng, 0.3) else 0.0),
        gloss=rng.uniform(0, 0.95) ** 2,
        shininess=log_uniform(rng, 4, 150),
        rim=log_uniform(rng, 0.15, 1.5) if chance(rng, 0.3) else 0.0,
        rim_width=rng.uniform(0.012, 0.05),
        mirrored=chance(rng, 0.5),
        marks=marks,
        faces=draw_layout(rng),
    )


def like(rng: Rng, look: Look) -> Look:
    """Another colour of the same make."""
    body, pip = draw_colours(rng)
    core = body if look.pip_kind == "ringed" else body * np.float32(0.4)
    disc = look.disc if contrast(look.disc_colour, pip) > 0.25 else 0.0
    return replace(look, body=body, pip=pip, pip_core=core, special_faces=(), disc=disc)
