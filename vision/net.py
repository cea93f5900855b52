"""The second reader: two small nets that never saw a real photograph, run by OpenCV's own `dnn`.

The proposer finds faces in the whole picture, the verifier looks at each one closely. Both were trained on
synthetic scenes (`vision.training`); the model files in `models/` carry how. This reader knows nothing of the
first one's geometry: when the two agree, they agree independently.

Pictures are (H, W, 3) uint8 blue-green-red, places and sizes are pixels of the picture given."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import median
from vision.frame import Image
from vision.working import resized

Floats = NDArray[np.float32]
Boxes = NDArray[np.intp]

CHANNELS = ("face", "unreadable", "side", "1", "2", "3", "4", "5", "6", "dx", "dy", "size")
"""Of the proposer's map: probabilities of a readable top face's centre, of one that can't be read and of a side
face's; value logits; offset of the centre in cells; log2 of the face's side over SIZE_UNIT."""
VERIFIER_CLASSES = 8
"""Of the verifier: 0 is not a top face, 1–6 its value, 7 a top face that can't be read."""
ANSWERS = VERIFIER_CLASSES + 2
"""Numbers that the verifier answers: a logit for each class, and how aslant a top face is seen: what shows of the unit
vector that stands on it, across and down, square to the ray by which it is seen. Straight on it is (0, 0)."""

MODELS = Path(__file__).parent / "models"
STRIDE = 4  # px a cell of the proposer's map
COARSEST = 16  # px: the picture's sides must be whole numbers of it
SIZE_UNIT = 32.0  # px
CROP = 56  # px of the verifier's picture
CROP_SIDES = 2.0  # face sides across it: the side faces and the ground tell which face is on top

SEARCH_AREA = 640 * 368  # px of the first pass when no size is told: 13 ms, dice of 16–64 px
NEAR_HALVES = 0.2  # octaves: as near to a whole half, that one is taken, as it costs a tenth to make
BEST_SIZE = 32.0  # px: the middle of what the proposer reads well
SMALL_SIZE = 24.0  # px of the typical face in the first pass below which a finer pass is worth its time
LARGE_SIZE = 52.0  # px above which a coarser pass is
LARGEST_SCALE = 2.0  # times: enlarging more shows nothing new
PART_AREA = 240_000  # px: larger pictures are looked at in parts; with all its maps this one takes 20 MB
PART_SIDE = 384  # px of a part without its overlap, whole coarsest cells
CUT_BY_PART = 0.5  # sides: a face whose centre is nearer to the border of a part reaches over it
PART_OVERLAP = 96  # px: the largest die that this pass is for, and what the net sees around it
FEWEST_CELLS = 4  # coarsest cells a picture is at least enlarged or padded to
LEAST_FACE = 0.1  # probability of a proposal: lower ones never were faces
LEAST_UNREADABLE = 0.3  # probability: unreadable faces are only worth a look when they are plain
TYPICAL = 0.35  # probability from which a proposal counts for the typical size
APART = 0.6  # face sides between two proposals of one pass; touching dice are 1.0 apart, side faces 0.7
APART_PASSES = 0.55  # face sides (of the larger) between proposals of different passes
PROPOSALS = 40  # at most: 7 dice have 7; bounds the work on print and carpet
VIEWS = ((0.0, 1.05, False), (0.0, 0.9, True), (0.0, 1.15, True), (0.0, 1.25, False))
"""(degrees, scale, mirrored) of the verifier's looks: the proposer's sizes are off by up to a quarter, but what is cut
out smaller than a face looks like none; and a mirrored face has the same value. Nothing is turned: of a die seen from
the side, another face would be on top."""
AT_ONCE = 8  # crops at most that the verifier is given together: more take memory, and no less time
PROPOSED_SHARE = 0.2  # of what the nets together say of a value
PLAINLY = 0.93  # probability of the proposer's value at the first look from which there is no second
REFUSED = 0.9  # probability of not-a-face at the first look from which there is no second

UNITS = cv2.dnn.blobFromImage(np.arange(256, dtype=np.uint8)[None], 1 / 255.0).reshape(1, 256)
"""What OpenCV makes of each level when it takes them to 0–1."""


@dataclass(frozen=True)
class NetFace:
    """One face as the nets see it. `values` are the probabilities of 1–6 given that it is a readable face (sum 1);
    `not_a_face` and `unreadable` come from the verifier, `score` (0–1) is the proposer's."""

    centre: tuple[float, float]
    size: float
    values: tuple[float, ...]
    not_a_face: float
    unreadable: float
    score: float
    agree: bool
    """Whether proposer and verifier read the same value."""
    aslant: tuple[float, float]
    """What is seen of the unit vector that stands on the face, across and down; (0, 0) straight from above."""

    @property
    def value(self) -> int:
        return 1 + int(np.argmax(self.values))

    @property
    def belief(self) -> float:
        """0–1: that here is a readable top face at all."""
        return self.score * max(0.0, 1.0 - self.not_a_face)


@dataclass(frozen=True)
class Proposal:
    x: float
    y: float
    size: float
    score: float
    unreadable: float
    values: tuple[float, ...]


def load(path: Path) -> cv2.dnn.Net:
    """The net of an ONNX file, on the classic engine where OpenCV has several: it is 1.4–2.5 times faster."""
    engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    if engine is None:
        return cv2.dnn.readNetFromONNX(str(path))
    return cv2.dnn.readNetFromONNX(str(path), engine)


def softmax(logits: Floats) -> Floats:
    """Over the last axis."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True), np.float32)


def crop_face(
    image: Image, centre: tuple[float, float], size: float, angle: float = 0.0, mirrored: bool = False
) -> Image:
    """(CROP, CROP, 3): the face in the middle, CROP_SIDES of its sides across, turned by `angle` degrees
    anticlockwise; the picture's border is repeated outwards."""
    height, width = image.shape[:2]
    side = CROP_SIDES * size
    reach = side * 0.75 + 2
    x0, x1 = int(max(0, centre[0] - reach)), int(min(width, centre[0] + reach + 1))
    y0, y1 = int(max(0, centre[1] - reach)), int(min(height, centre[1] + reach + 1))
    part = image[y0:y1, x0:x1]
    if part.shape[0] < 2 or part.shape[1] < 2:
        return np.zeros((CROP, CROP, 3), np.uint8)
    x, y = centre[0] - x0, centre[1] - y0
    scale = CROP / side
    if scale < 0.7:  # shrink by areas first: a warp alone would skip pixels
        shape = part.shape
        part = shrunk(part, scale)
        fx, fy = part.shape[1] / shape[1], part.shape[0] / shape[0]
        x, y = (x + 0.5) * fx - 0.5, (y + 0.5) * fy - 0.5
        scale = 1.0
    turn = np.radians(angle)
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    middle = CROP / 2 - 0.5
    flip = -1.0 if mirrored else 1.0
    matrix = np.array([
        [flip * c, flip * s, middle - flip * (c * x + s * y)],
        [-s, c, middle + s * x - c * y],
    ])  # fmt: skip
    return np.asarray(
        cv2.warpAffine(part, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def shrunk(part: Image, scale: float) -> Image:
    """`part` at about `scale` of its size, at least a pixel wide and high."""
    return resized(part, (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))))


def scaled(image: Image, scale: float) -> tuple[Image, float, float]:
    """The picture at about `scale`, and its exact scales across and down."""
    height, width = image.shape[:2]
    size = max(COARSEST, round(width * scale)), max(COARSEST, round(height * scale))
    if size == (width, height):
        return image, 1.0, 1.0
    return resized(image, size), size[0] / width, size[1] / height


def padded(image: Image) -> Image:
    """The picture with its border repeated to whole numbers of the coarsest cell."""
    height, width = image.shape[:2]
    least = FEWEST_CELLS * COARSEST
    down, right = max(-height % COARSEST, least - height), max(-width % COARSEST, least - width)
    return np.asarray(cv2.copyMakeBorder(image, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)


def blob(image: Image) -> Floats:
    """(1, 3, H, W): the very numbers of `cv2.dnn.blobFromImage`, in a third of its time and half of its memory."""
    made = np.empty((1, 3, *image.shape[:2]), np.float32)
    for channel, plane in enumerate(made[0]):
        cv2.LUT(cv2.extractChannel(image, channel), UNITS, plane)
    return made


def peaks(found: Floats, limit: tuple[int, int]) -> list[Proposal]:
    """Proposals in a map (len(CHANNELS), rows, columns) of a picture of `limit` (width, height) pixels, best first,
    no two closer than APART."""
    face, unreadable = found[0], found[1]
    evidence = np.maximum(face, np.where(unreadable > LEAST_UNREADABLE, unreadable, 0))
    top = (evidence >= cv2.dilate(evidence, np.ones((3, 3), np.uint8))) & (evidence > LEAST_FACE)
    rows, columns = np.nonzero(top)
    order = np.argsort(-evidence[rows, columns])[: 4 * PROPOSALS]
    kept: list[Proposal] = []
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        around = found[:, max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
        weight = np.maximum(around[0], around[1])
        logits = (around[3:9] * weight).sum((1, 2)) / weight.sum()
        dx, dy = np.clip(found[9:11, row, column], -2, 2)
        size = SIZE_UNIT * 2.0 ** float(np.clip(found[11, row, column], -2.5, 3))
        x, y = (column + 0.5 + float(dx)) * STRIDE - 0.5, (row + 0.5 + float(dy)) * STRIDE - 0.5
        if x > limit[0] or y > limit[1]:
            continue
        score = float(face[row, column])
        if all(np.hypot(x - p.x, y - p.y) > APART * min(size, p.size) for p in kept):
            values = tuple(softmax(np.asarray(logits, np.float32)).tolist())
            kept.append(Proposal(x, y, size, score, float(unreadable[row, column]), values))
        if len(kept) == PROPOSALS:
            break
    return kept


def _parts(image: Image) -> Iterator[tuple[int, int, int, int]]:
    """x0, y0, x1, y1 of overlapping parts that cover the picture."""
    height, width = image.shape[:2]
    side, reach = (PART_SIDE, PART_SIDE + PART_OVERLAP) if height * width > PART_AREA else (max(height, width),) * 2
    for top in range(0, max(1, height - (reach - side)), side):
        for left in range(0, max(1, width - (reach - side)), side):
            yield left, top, min(width, left + reach), min(height, top + reach)


def _evidence(proposal: Proposal) -> float:
    return -max(proposal.score, proposal.unreadable)


class ProposingNet:
    """Finds faces in whole pictures; not for several threads at a time."""

    def __init__(self, path: Path) -> None:
        self.net = load(path)

    def propose(self, image: Image, scale: float) -> list[Proposal]:
        """Faces found at one scale, in the pixels of the picture given. A large picture is looked at in parts, which
        bounds the memory it takes."""
        small, across, down = scaled(image, scale)
        mean = float(np.sqrt(across * down))
        seen = sorted((p for part in _parts(small) for p in self._in_part(small, *part)), key=_evidence)
        found: list[Proposal] = []
        for p in seen:
            if all(np.hypot(p.x - f.x, p.y - f.y) > APART * min(p.size, f.size) for f in found):
                found.append(p)
        return [
            replace(p, x=(p.x + 0.5) / across - 0.5, y=(p.y + 0.5) / down - 0.5, size=p.size / mean)
            for p in found[:PROPOSALS]
        ]

    def _in_part(self, image: Image, x0: int, y0: int, x1: int, y1: int) -> list[Proposal]:
        """Faces in one part, in px of `image`, but for those that its border cuts: another part sees them whole."""
        self.net.setInput(blob(padded(image[y0:y1, x0:x1])))
        seen = peaks(np.asarray(self.net.forward(), np.float32)[0], (x1 - x0, y1 - y0))
        height, width = image.shape[:2]
        whole = []
        for p in seen:
            near = CUT_BY_PART * p.size
            cut = (x0 and p.x < near) or (y0 and p.y < near)
            cut = cut or (x1 < width and x1 - x0 - p.x < near) or (y1 < height and y1 - y0 - p.y < near)
            if not cut:
                whole.append(replace(p, x=p.x + x0, y=p.y + y0))
        return whole

    def search(self, image: Image, size: float | None = None, boxes: Boxes | None = None) -> list[Proposal]:
        """Proposals of all passes needed: one where the dice's size is told, else two to four. With a size told,
        `boxes` (B, 4) x0, y0, x1, y1 in px are all that is looked at."""
        if size is not None:
            scale = min(LARGEST_SCALE, BEST_SIZE / size)
            if boxes is None:
                return self.propose(image, scale)
            return [
                replace(p, x=p.x + x0, y=p.y + y0)
                for x0, y0, x1, y1 in boxes.tolist()
                for p in self.propose(image[y0:y1, x0:x1], scale)
            ][:PROPOSALS]
        height, width = image.shape[:2]
        scale = min(LARGEST_SCALE, float(np.sqrt(SEARCH_AREA / (height * width))))
        halves = 2.0 ** round(np.log2(scale))
        if abs(np.log2(scale / halves)) < NEAR_HALVES:
            scale = halves
        found = self.propose(image, scale) + self.propose(image, scale / 2)
        plain = [p.size for p in found if p.score > TYPICAL]
        typical = median(plain) * scale if plain else 0.0
        if typical < SMALL_SIZE and scale < LARGEST_SCALE:
            found += self.propose(image, min(LARGEST_SCALE, scale * 2))
        if typical > 2 * LARGE_SIZE:
            found += self.propose(image, scale / 4)
        found.sort(key=lambda p: -max(p.score, p.unreadable))
        return found[:PROPOSALS]


class VerifyingNet:
    """Looks at single faces; not for several threads at a time."""

    def __init__(self, path: Path) -> None:
        self.net = load(path)

    def verify_all(
        self, image: Image, places: Sequence[tuple[float, float, float, float]], expected: Sequence[int] = ()
    ) -> Floats:
        """(N, ANSWERS) probabilities, and how aslant, of faces given as (x, y, size, angle in degrees anticlockwise).
        What the first look plainly refuses, or plainly takes for the value `expected` of it, gets no second one."""
        looks = self._look(image, places, VIEWS[:1])
        open_ = looks[:, 0] < REFUSED
        if len(expected):
            open_ &= looks[np.arange(len(looks)), np.array(expected)] < PLAINLY
        again = np.flatnonzero(open_)
        if len(again):
            others = self._look(image, [places[i] for i in again.tolist()], VIEWS[1:])
            looks[again] = (looks[again] + others * np.float32(len(VIEWS) - 1)) / np.float32(len(VIEWS))
        return looks

    def aslant(self, image: Image, places: Sequence[tuple[float, float, float, float]]) -> Floats:
        """(N, 2) how aslant the faces are seen, as in `NetFace`, by all the looks there are."""
        return self._look(image, places, VIEWS)[:, VERIFIER_CLASSES:]

    def _look(
        self,
        image: Image,
        places: Sequence[tuple[float, float, float, float]],
        views: Sequence[tuple[float, float, bool]],
    ) -> Floats:
        """The mean of the verifier's answers over some views, (N, ANSWERS)."""
        if not places:
            return np.zeros((0, ANSWERS), np.float32)
        crops = [
            crop_face(image, (x, y), size * scale, angle + turn, mirrored)
            for x, y, size, angle in places
            for turn, scale, mirrored in views
        ]
        looks = self._answers(crops)
        looks[:, :VERIFIER_CLASSES] = softmax(looks[:, :VERIFIER_CLASSES])
        looks = looks.reshape(len(places), len(views), ANSWERS)
        looks[:, [mirrored for _, _, mirrored in views], VERIFIER_CLASSES] *= -1
        return np.asarray(looks.mean(1), np.float32)

    def _answers(self, crops: list[Image]) -> Floats:
        """(len(crops), ANSWERS), each whatever the others are."""
        passes = -(-len(crops) // AT_ONCE)
        each = -(-len(crops) // passes)
        full = crops + crops[:1] * (passes * each - len(crops))  # another number would let the net be laid out anew
        answers = []
        for first in range(0, len(full), each):
            self.net.setInput(cv2.dnn.blobFromImages(full[first : first + each], 1 / 255.0))
            answers.append(np.array(self.net.forward(), np.float32))
        return np.concatenate(answers)[: len(crops)]


class NetReader:
    """The second reader: both nets, loaded once; not for several threads at a time."""

    def __init__(self, proposer: Path = MODELS / "proposer.onnx", verifier: Path = MODELS / "verifier.onnx") -> None:
        self.proposing = ProposingNet(proposer)
        self.verifying = VerifyingNet(verifier)

    def rest(self) -> None:
        """Give back what both nets keep of the last pictures, about 20 MB: only the size of the last one counts."""
        for net, side in ((self.proposing.net, FEWEST_CELLS * COARSEST), (self.verifying.net, CROP)):
            net.setInput(np.zeros((1, 3, side, side), np.float32))
            net.forward()

    def verify(self, image: Image, centre: tuple[float, float], size: float, angle: float = 0.0) -> Floats:
        """(VERIFIER_CLASSES,) probabilities of what is seen at a place another reader names."""
        return np.asarray(self.verifying.verify_all(image, [(*centre, size, angle)])[0, :VERIFIER_CLASSES], np.float32)

    def faces(self, image: Image, size: float | None = None, boxes: Boxes | None = None) -> tuple[NetFace, ...]:
        """All faces the nets see, the most credible first, no two on the same die. `size` in pixels of a face's
        side, where it is known, saves passes; with it `boxes` (B, 4) x0, y0, x1, y1 are all that is looked at."""
        found = self.proposing.search(image, size, boxes)
        first: list[Proposal] = []
        again: list[Proposal] = []
        for p in found:  # what two passes see alike is looked at closely once, where that look is plain
            (again if any(_on_one_die(_spot(p), _spot(f)) for f in first) else first).append(p)
        faces = self._verified(image, first)
        plain = [f for f in faces if max(f.values) >= PLAINLY and f.not_a_face + f.unreadable < 1 - PLAINLY]
        again = [p for p in again if not any(_on_one_die(_spot(p), (*f.centre, f.size)) for f in plain)]
        faces = sorted((*faces, *self._verified(image, again)), key=_standing, reverse=True)
        kept: list[NetFace] = []
        for face in faces:
            if not any(_on_one_die((*face.centre, face.size), (*k.centre, k.size)) for k in kept):
                kept.append(face)
        return tuple(kept)

    def _verified(self, image: Image, found: Sequence[Proposal]) -> list[NetFace]:
        values = [1 + int(np.argmax(p.values)) for p in found]
        looks = self.verifying.verify_all(image, [(p.x, p.y, p.size, 0.0) for p in found], values)
        return [_joined(p, look) for p, look in zip(found, looks, strict=True)]


def _spot(proposal: Proposal) -> tuple[float, float, float]:
    return proposal.x, proposal.y, proposal.size


def _on_one_die(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    """Whether two faces (x, y, size), seen in different passes, lie too near for two dice."""
    return bool(np.hypot(one[0] - other[0], one[1] - other[1]) <= APART_PASSES * max(one[2], other[2]))


def _standing(face: NetFace) -> float:
    return face.score * (1.02 - face.not_a_face)


def _joined(proposal: Proposal, look: Floats) -> NetFace:
    """Of the values the verifier has most to say: the proposer, which sees the whole picture, doubts four times as many
    right ones."""
    proposed = np.array(proposal.values)
    verified = (look[1:7] + 1e-3) / (look[1:7] + 1e-3).sum()
    values = PROPOSED_SHARE * proposed + (1 - PROPOSED_SHARE) * verified
    return NetFace(
        (proposal.x, proposal.y), proposal.size, tuple(values.tolist()), float(look[0]), float(look[7]),
        proposal.score, bool(proposed.argmax() == verified.argmax()), (float(look[8]), float(look[9])),
    )  # fmt: skip


CREDIBLE = 0.5  # belief from which a face counts when no number of dice is told


def choose(faces: Sequence[NetFace], dice: int | None) -> tuple[NetFace, ...]:
    """The faces that this reader alone takes for the dice: the `dice` most credible ones, or, not told, all that
    are credible."""
    ranked = sorted(faces, key=lambda f: -f.belief)
    if dice is not None:
        return tuple(ranked[:dice])
    return tuple(f for f in ranked if f.belief >= CREDIBLE)
