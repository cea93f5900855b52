"""Training of one net: resumable at any step, the same batches whenever it is run with the same scenes.

The learning rate stays up during the run, so that it can always go on; `cool` lets it sink in a branch beside the
run, and what comes out of that is what ships."""

import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.net import VERIFIER_CLASSES, ProposingNet
from vision.training.nets import Proposer, Verifier
from vision.training.revive import revive
from vision.training.samples import UNASKED, Asked, Spots, Targets, find_spots, joined, proposer_batch, verifier_batch
from vision.training.store import Scenes, read_scenes, usable_cores

NetName = Literal["proposer", "verifier"]
Item = TypeVar("Item")
SEED = 1
BATCH = {"proposer": 20, "verifier": 64}
RATE = {"proposer": 3e-3, "verifier": 2.5e-3}
FULL_STEPS = {"proposer": 40_000, "verifier": 80_000}
WARM_STEPS = 100
ASLANT_WEIGHT = 10.0  # of its loss: both then begin alike large
SAVE_EVERY = 200
SAY_EVERY = 100
NEW_SCENES_EVERY = 400  # steps between looks for scenes drawn meanwhile
CHECK_BATCHES = 12
PICTURES_AT_MOST = 24_000  # 7.4 GB in memory


@dataclass
class Run:
    """What a checkpoint holds."""

    step: int
    minutes: float
    scenes: int


def fresh_net(name: NetName) -> nn.Module:
    torch.manual_seed(SEED)
    return Proposer() if name == "proposer" else Verifier()


def checkpoint(folder: Path, name: NetName, cooled: bool = False) -> Path:
    return folder / f"{name}{'-cooled' if cooled else ''}.pt"


def _save(path: Path, net: nn.Module, optimizer: torch.optim.Optimizer, run: Run) -> None:
    part = path.with_name(path.name + ".part")
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "run": vars(run), "seed": SEED}, part)
    part.replace(path)


def _picture(images: NDArray[np.uint8], rng: np.random.Generator | None) -> Tensor:
    """Bytes to 0–1, channels first, exposure and balance varied by `rng`."""
    x = torch.from_numpy(images).permute(0, 3, 1, 2).float() / 255
    if rng is not None and rng.random() < 0.6:
        gain = torch.from_numpy(rng.uniform(0.75, 1.3, (len(images), 3, 1, 1)).astype(np.float32))
        lift = torch.from_numpy(rng.uniform(-0.06, 0.06, (len(images), 1, 1, 1)).astype(np.float32))
        x = (x * gain + lift).clamp(0, 1)
    return x.contiguous(memory_format=torch.channels_last)


def proposer_loss(net: nn.Module, pictures: Tensor, wanted: list[Targets]) -> tuple[Tensor, dict[str, float]]:
    """Focal loss on the heats, cross-entropy on values at the faces, L1 on offsets and size."""
    heat, weight, value, shape, shaped = (
        torch.from_numpy(np.stack([getattr(t, k) for t in wanted])) for k in Targets.__dataclass_fields__
    )
    found = net(pictures)
    seen = found[:, :3].clamp(1e-4, 1 - 1e-4)
    at_face = (heat >= 0.999).float()
    hit = at_face * (1 - seen) ** 2 * torch.log(seen)
    miss = (1 - at_face) * weight * (1 - heat) ** 4 * seen**2 * torch.log(1 - seen)
    count = at_face.sum((0, 2, 3)).clamp(min=1)
    focal = (-(hit + miss).sum((0, 2, 3)) / count * torch.tensor([1.0, 0.4, 0.2])).sum()
    values = functional.cross_entropy(found[:, 3:9], value, ignore_index=-1, label_smoothing=0.02)
    right = (found[:, 3:9].argmax(1) == value)[value >= 0].float().mean()
    drift = (functional.l1_loss(found[:, 9:], shape, reduction="none") * shaped[:, None]).sum() / shaped.sum().clamp(
        min=1
    )
    figures = {"focal": focal.item(), "value": values.item(), "right": right.item(), "drift": drift.item()}
    return focal + 1.0 * values + 0.3 * drift, figures


def verifier_loss(net: nn.Module, crops: Tensor, asked: Asked) -> tuple[Tensor, dict[str, float]]:
    """Cross-entropy of the classes, and Huber loss of how aslant the faces are seen."""
    wanted, aslant = torch.from_numpy(asked.classes), torch.from_numpy(asked.aslant)
    logits, found = net(crops).split((VERIFIER_CLASSES, 2), 1)
    known = ~aslant[:, 0].isnan()
    off = found[known] - aslant[known]
    slant = functional.huber_loss(off, torch.zeros_like(off), delta=0.1)
    values = functional.cross_entropy(logits, wanted, ignore_index=UNASKED, label_smoothing=0.02)
    right = (logits.argmax(1) == wanted).float()
    faces = (wanted > 0) & (wanted < 7)
    figures = {
        "loss": values.item(), "right": right[wanted != UNASKED].mean().item(), "faces": right[faces].mean().item(),
        "not": right[wanted == 0].mean().item(), "aslant": off.norm(dim=1).median().item(),
    }  # fmt: skip
    return values + ASLANT_WEIGHT * slant, figures


@dataclass
class Feed:
    """The scenes read so far, growing while others are still being drawn."""

    folder: Path
    miner: ProposingNet | None
    with_spots: bool
    scenes: Scenes
    names: set[str]
    spots: Spots

    def refresh(self) -> None:
        if len(self.scenes) >= PICTURES_AT_MOST:
            return
        start = len(self.scenes)
        new = read_scenes(self.folder, PICTURES_AT_MOST - start, self.names)
        self.scenes.images.extend(new.images)
        self.scenes.faces.extend(new.faces)
        self.scenes.sides.extend(new.sides)
        self.scenes.upright.extend(new.upright)
        if self.with_spots:
            self.spots = joined(self.spots, find_spots(self.scenes, start, self.miner))


def open_feed(folder: Path, name: NetName, proposer: Path | None) -> Feed:
    none = np.zeros((0, 7), np.float32)
    miner = ProposingNet(proposer) if proposer is not None and name == "verifier" else None
    spots = Spots(*[none] * len(Spots.__dataclass_fields__))
    feed = Feed(folder, miner, name == "verifier", Scenes([], [], [], []), set(), spots)
    feed.refresh()
    if not len(feed.scenes):
        raise SystemExit(f"no scenes in {folder}: draw some first (python -m vision.training scenes {folder})")
    return feed


def _ahead(work: Callable[[int], Item], steps: Iterator[int]) -> Iterator[Item]:
    """The work's results in order, the next one always being made in another thread."""
    with ThreadPoolExecutor(1) as pool:
        waiting = None
        for step in steps:
            following = pool.submit(work, step)
            if waiting is not None:
                yield waiting.result()
            waiting = following
        if waiting is not None:
            yield waiting.result()


def _batch(feed: Feed, name: NetName, step: int) -> tuple[NDArray[np.uint8], Any]:
    if step % NEW_SCENES_EVERY == 0:
        feed.refresh()
    if name == "proposer":
        return proposer_batch(feed.scenes, SEED, step, BATCH[name])
    return verifier_batch(feed.scenes, feed.spots, SEED, step, BATCH[name])


def _check(net: nn.Module, feed: Feed, name: NetName) -> str:
    """Figures on scenes of other styles."""
    net.eval()
    totals: list[dict[str, float]] = []
    with torch.no_grad():
        for step in range(CHECK_BATCHES):
            if name == "proposer":
                images, wanted = proposer_batch(feed.scenes, SEED + 1, step, BATCH[name])
                totals.append(proposer_loss(net, torch.from_numpy(images).permute(0, 3, 1, 2).float() / 255, wanted)[1])
            else:
                crops, asked = verifier_batch(feed.scenes, feed.spots, SEED + 1, step, BATCH[name])
                totals.append(verifier_loss(net, torch.from_numpy(crops).permute(0, 3, 1, 2).float() / 255, asked)[1])
    net.train()
    return "other styles: " + _figures(totals)


def _figures(totals: list[dict[str, float]]) -> str:
    return " ".join(f"{k} {np.nanmean([t[k] for t in totals]):.3f}" for k in totals[0])


def train(
    name: NetName, scenes: Path, folder: Path, steps: int | None, cool: int, check: Path | None, threads: int,
    proposer: Path | None = None, begin: Path | None = None, rate: float = 1.0,
) -> None:  # fmt: skip
    """Go on with the run in `folder` to `steps` in all, then cool a branch of it for `cool` steps. A run that is not
    there yet begins with the weights of the model `begin`, where one is given. `rate` is the share of the usual
    learning rate: a model that is to learn a little more forgets much at the whole one."""
    torch.set_num_threads(threads or usable_cores())
    torch.set_flush_denormal(True)  # numbers that sink towards zero would cost ten times the time
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    net: nn.Module = fresh_net(name).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.AdamW(net.parameters(), RATE[name], weight_decay=1e-3)
    run = Run(0, 0.0, 0)
    kept = checkpoint(folder, name)
    if kept.exists():
        state = torch.load(kept, weights_only=True)
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        run = Run(**state["run"])
        print(f"going on at step {run.step}", flush=True)
    feed = open_feed(scenes, name, proposer)
    if begin is not None and not kept.exists():
        run.step, run.minutes = revive(
            net, begin, [_picture(_batch(feed, name, 10**9 + n)[0], None) for n in range(12)]
        )
        print(f"going on from {begin} at step {run.step}", flush=True)
    checked = open_feed(check, name, proposer) if check is not None else None
    total = FULL_STEPS[name] if steps is None else steps
    _advance(
        net, optimizer, run, feed, checked, name, total, kept, lambda step: rate * min(1.0, (step + 1) / WARM_STEPS)
    )
    if cool:
        start = run.step
        _advance(net, optimizer, run, feed, checked, name, start + cool, checkpoint(folder, name, cooled=True),
                 lambda step: rate * max(0.003, 1 - ((step - start) / cool) ** 0.5))  # fmt: skip


def _advance(
    net: nn.Module, optimizer: torch.optim.Optimizer, run: Run, feed: Feed, checked: Feed | None, name: NetName,
    total: int, path: Path, share: Callable[[int], float],
) -> None:  # fmt: skip
    net.train()
    totals: list[dict[str, float]] = []
    started = time.monotonic()
    before = run.minutes
    first = run.step
    batches = _ahead(lambda step: _batch(feed, name, step), iter(range(first, total)))
    for step, (images, wanted) in zip(itertools.count(first), batches):
        for group in optimizer.param_groups:
            group["lr"] = RATE[name] * share(step)
        pictures = _picture(images, np.random.default_rng([SEED, step, 3]))
        loss, figures = (proposer_loss if name == "proposer" else verifier_loss)(net, pictures, wanted)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        totals.append(figures)
        run.step, run.minutes, run.scenes = step + 1, before + (time.monotonic() - started) / 60, len(feed.scenes)
        if run.step % SAY_EVERY == 0:
            pace = (run.step - first) / (time.monotonic() - started)
            print(
                f"{name} {run.step} of {total}, {run.scenes} pictures, {pace:.2f} steps/s: {_figures(totals)}",
                flush=True,
            )
            totals = []
        if run.step % SAVE_EVERY == 0 or run.step == total:
            _save(path, net, optimizer, run)
            if checked is not None and (run.step % (5 * SAVE_EVERY) == 0 or run.step == total):
                print(_check(net, checked, name), flush=True)
