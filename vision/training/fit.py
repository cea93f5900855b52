"""The weights of the readers' agreement, fitted on labelled photographs: a logistic regression on ten numbers a frame.

Every figure printed is of frames whose source (folder) the weights did not see. The weights printed last are fitted on
all sources; they go into `vision/tuning.py`."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.agree import features
from vision.labels import Label, labelled_folders, load_labels
from vision.photo import load_photo
from vision.read import Evidence, decide, look

Doubles = NDArray[np.float64]
RIDGE = 1.0  # on each standardised weight: ten weights on some hundred frames
ROUNDS = 30  # of Newton's method: it is still after eight
SIGNS = np.array([1, 1, 1, -1, 1, -1, -1, -1, -1, -1, 1, -1, -1])  # of `tuning.SAFETY_FEATURES`
TIERS = ("tray", "oblique", "wild")


@dataclass(frozen=True, eq=False)
class Seen:
    source: str
    name: str
    label: Label
    evidence: Evidence


@dataclass(frozen=True, eq=False)
class Judged:
    """`features` is None where the number of dice taken is not the one told; `doubted`: something else already speaks
    against the frame."""

    seen: Seen
    exact: bool
    right: bool
    features: Doubles | None
    doubted: bool


def see(folders: Sequence[Path], kept: Path | None) -> list[Seen]:
    """What both readers see in every photograph; `kept` is a file that spares looking twice."""
    if kept is not None and kept.exists():
        found: list[Seen] = pickle.loads(kept.read_bytes())
        return found
    cv2.setNumThreads(1)
    seen = []
    for folder in (inner for outer in folders for inner in labelled_folders(outer)):
        for photo in load_labels(folder):
            evidence = look(load_photo(photo.path))
            seen.append(Seen(folder.name, photo.path.name, photo.label, evidence))
        print(f"{folder.name}: seen", flush=True)
    if kept is not None:
        kept.write_bytes(pickle.dumps(seen))
    return seen


def judge(seen: Seen, *, told: bool) -> Judged:
    dice = seen.label.dice if told else None
    decision = decide(seen.evidence, dice)
    taken, doubt = decision.taken, decision.doubt
    exact = sorted(one.value for one in taken.dice) == sorted(seen.label.values)
    complete = bool(taken.dice) and (dice is None or len(taken.dice) == dice)
    inputs = features(taken, pips_left=bool(doubt.left_pips), bodies_left=bool(doubt.left_bodies)) if complete else None

    return Judged(seen, exact, exact and not seen.label.unreadable, inputs, not doubt.firm)


def fitted(inputs: Doubles, right: Doubles) -> Doubles:
    """(1 + F,) weights of the logistic regression of `right` (N,) on `inputs` (N, F), the constant first. More of what
    a reader believes never makes a frame less safe, more of what speaks against it never safer: a weight of the wrong
    sign is an accident of few wrong frames, and becomes 0."""
    middle, spread = inputs.mean(0), inputs.std(0) + 1e-6
    used = np.ones(inputs.shape[1], bool)
    while True:
        z = np.column_stack([np.ones(len(inputs)), (inputs - middle) / spread * used])
        ridge = np.eye(z.shape[1]) * RIDGE
        ridge[0, 0] = 0
        weights = np.zeros(z.shape[1])
        for _ in range(ROUNDS):
            chance = 1 / (1 + np.exp(-z @ weights))
            slope = z.T @ (chance - right) + ridge @ weights
            weights -= np.linalg.solve((z * (chance * (1 - chance))[:, None]).T @ z + ridge, slope)
        against = used & (weights[1:] * SIGNS < 0)
        if not against.any():
            break
        used[int(np.where(against, weights[1:] * SIGNS, 0).argmin())] = False
    weights[1:] = np.where(used, weights[1:], 0) / spread
    weights[0] -= weights[1:] @ middle
    return weights


def held_out(judged: Sequence[Judged]) -> Doubles:
    """(N,) safety of each frame by weights fitted on the other sources; −∞ where there is nothing to judge."""
    usable = np.array([j.features is not None for j in judged])
    inputs = np.array([j.features if j.features is not None else np.zeros(len(SIGNS)) for j in judged])
    right = np.array([j.right for j in judged], float)
    sources = np.array([j.seen.source for j in judged])
    safety = np.full(len(judged), -np.inf)
    for source in set(sources.tolist()):
        own = sources == source
        weights = fitted(inputs[usable & ~own], right[usable & ~own])
        safety[own & usable] = weights[0] + inputs[own & usable] @ weights[1:]
    return safety


def fit(folders: Sequence[Path], kept: Path | None) -> None:
    """Print figures with sources held out, the trade-off, and the weights."""
    seen = see(folders, kept)
    for told in (True, False):
        judged = [judge(one, told=told) for one in seen if one.label.dice or not told]
        safety = held_out(judged)
        print(f"\ncount {'told' if told else 'not told'}")
        tiers = np.array([j.seen.label.tier for j in judged])
        right, exact = np.array([j.right for j in judged]), np.array([j.exact for j in judged])
        free = np.array([not j.doubted for j in judged])
        for tier in TIERS:
            here = tiers == tier
            print(f"  {tier:8s} {here.sum():4d} frames  exact {100 * exact[here].mean():5.1f} %")
        for least in np.arange(0.5, 5.1, 0.5):
            line = [f"  safety > {least:3.1f}:"]
            for tier in TIERS:
                here = tiers == tier
                for words, which in (("", safety > least), ("less doubts ", (safety > least) & free)):
                    sure = here & which
                    line.append(
                        f"{tier} {words}{100 * (sure & right).sum() / here.sum():5.1f} % / {(sure & ~right).sum()}"
                    )
            print("  ".join(line))
        worst = sorted(((safety[n], j) for n, j in enumerate(judged) if not j.right), key=lambda w: -w[0])[:12]
        for height, j in worst:
            print(
                f"    wrong at {height:5.2f}{' (doubted)' if j.doubted else ''}: "
                f"{j.seen.source}/{j.seen.name} {j.seen.label.tier}"
            )
        usable = [j for j in judged if j.features is not None]
        weights = fitted(np.array([j.features for j in usable]), np.array([j.right for j in usable], float))
        print(f"  {'SAFETY' if told else 'SAFETY_UNTOLD'} = ({', '.join(f'{w:.3f}' for w in weights)})")
