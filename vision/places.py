"""Places where a die may lie, and what each of the two readers says of every one of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision import tuning
from vision.arrays import Floats
from vision.choice import Choice
from vision.closer import VALUES, look_closer
from vision.frame import Image
from vision.level import out_of_slope
from vision.lying import Lying
from vision.net import NetFace, NetReader


@dataclass(frozen=True, eq=False)
class Place:
    """One place, px of the picture as given. `pips` (6,) is the credit 0–1 that the pip reader gives to each value,
    `plain` (6,) the same without what it sees in single colour channels only,
    `rows` (6,) the hypotheses behind it in its `Choice` (−1: none, or seen in a closer look). `net` (6,) are the
    second reader's probabilities of the values, `score` its belief in a face here (0–1), `not_a_face` and
    `unreadable` what its closer look says, `agree` whether both its looks read the same value. `half` (2, 2), px, are
    the half axes of the face of the second reader's value where a closer look at the pips showed them; `aslant` is how
    aslant the second reader sees it, as in `NetFace`."""

    centre: tuple[float, float]
    size: float
    pips: Floats
    plain: Floats
    rows: tuple[int, ...]
    net: Floats
    score: float
    not_a_face: float
    unreadable: float
    agree: bool
    aslant: tuple[float, float]
    half: Floats | None = None


def find_places(image: Image, scale: float, choice: Choice, net: NetReader, lying: Lying | None = None) -> list[Place]:
    """Every place that one of the readers takes for a die, seen by both. `choice` is the pip reader's, in pixels of
    the picture at `scale`; `lying` tells where alone something lies, and how large a die is."""
    faces = net.faces(image) if lying is None else net.faces(image, lying.side, lying.boxes)
    places = [_seen_by_net(face, scale, choice) for face in faces]
    places += _seen_by_pips(image, scale, choice, net, places)
    return [_closer(image, place) for place in _looked_along(image, places, net)]


def _looked_along(image: Image, places: list[Place], net: NetReader) -> list[Place]:
    """The places, how aslant they are seen made surer where one seems to lean against the others."""
    likely = [n for n, place in enumerate(places) if place.score * (1 - place.not_a_face) > tuning.CLOSER_BELIEF]
    centres = np.array([places[n].centre for n in likely]).reshape(-1, 2)
    aslant = np.array([places[n].aslant for n in likely]).reshape(-1, 2)
    off = out_of_slope(centres, aslant, max(image.shape[:2]))
    again = [n for n, slope in zip(likely, off.tolist(), strict=True) if slope > tuning.ASLANT_AGAIN]
    surer = net.verifying.aslant(image, [(*places[n].centre, places[n].size, 0.0) for n in again])
    for n, (x, y) in zip(again, surer.tolist(), strict=True):
        places[n] = replace(places[n], aslant=(x, y))
    return places


def _seen_by_net(face: NetFace, scale: float, choice: Choice) -> Place:
    pips, rows = _credits(face.centre, face.size, scale, choice)
    return Place(
        face.centre, face.size, pips, pips, rows, np.array(face.values), face.score, face.not_a_face, face.unreadable,
        face.agree, face.aslant,
    )  # fmt: skip


def _credits(centre: tuple[float, float], size: float, scale: float, choice: Choice) -> tuple[Floats, tuple[int, ...]]:
    """The pip reader's credit for each value around a place."""
    credit, rows = np.zeros(6), [-1] * 6
    faces = choice.faces
    if len(faces):
        x, y = (np.array(centre) + 0.5) * scale - 0.5
        side = size * scale
        off = np.hypot(faces.centre[:, 0] - x, faces.centre[:, 1] - y)
        low, high = tuning.SAME_PLACE_SIZE
        here = (off < tuning.SAME_PLACE * np.minimum(side, faces.side)) & (faces.side > low * side)
        here &= faces.side < high * side
        for value in VALUES:
            of_value = np.nonzero(here & (faces.value == value))[0]
            if len(of_value):
                best = of_value[int(choice.credit[of_value].argmax())]
                credit[value - 1], rows[value - 1] = choice.credit[best], int(best)
    return credit, tuple(rows)


def _seen_by_pips(image: Image, scale: float, choice: Choice, net: NetReader, known: Sequence[Place]) -> list[Place]:
    """Hypotheses of the pip reader where the net proposed nothing; its verifier looks at each."""
    found: list[tuple[tuple[float, float], float]] = []
    faces = choice.faces
    taken = [(place.centre, place.size) for place in known]
    for index in np.argsort(-choice.credit, kind="stable").tolist():
        if choice.credit[index] < tuning.PLACE_CREDIT or len(found) == tuning.PLACES_BY_PIPS:
            break
        x, y = ((faces.centre[index] + 0.5) / scale - 0.5).tolist()
        size = float(faces.side[index] / scale)
        if all(np.hypot(x - c[0], y - c[1]) > tuning.SAME_PLACE * max(size, s) for c, s in (*taken, *found)):
            found.append(((x, y), size))
    looks = net.verifying.verify_all(image, [(*centre, size, 0.0) for centre, size in found])
    places = []
    for (centre, size), look in zip(found, looks, strict=True):
        pips, rows = _credits(centre, size, scale, choice)
        values = look[1:7] + 1e-3
        places.append(
            Place(
                centre, size, pips, pips, rows, np.asarray(values / values.sum(), np.float64), tuning.UNPROPOSED,
                float(look[0]), float(look[7]), True, (float(look[8]), float(look[9])),
            )
        )  # fmt: skip
    return places


def _closer(image: Image, place: Place) -> Place:
    """The place after the pip reader's closer look, where the two don't plainly say the same already."""
    value = int(place.net.argmax())
    likely = place.score * (1 - place.not_a_face)
    if place.pips[value] > tuning.PLAIN_CREDIT and place.pips.argmax() == value:
        return place
    if likely < tuning.CLOSER_BELIEF and place.pips.max() < tuning.CLOSER_CREDIT:
        return place
    plain, seen, half = look_closer(image, place.centre, place.size, value + 1)
    better = seen > place.pips
    rows = tuple(-1 if b else row for b, row in zip(better.tolist(), place.rows, strict=True))
    pips, plain = closer_first(place.pips, seen), closer_first(place.pips, plain)
    return replace(place, pips=pips, plain=plain, rows=rows, half=half)


def closer_first(far: Floats, close: Floats) -> Floats:
    """(6,) credits of a look from afar and a closer one: what was only seen from afar counts down to half, the more the
    closer one is sure of something."""
    return np.where(close > far, close, far * (1 - 0.5 * close.max()))
