"""From checkpoint to ONNX: plain operators both OpenCV 4.11 and 5 know, batch and size free, made-how written in."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import torch

from vision.net import CROP
from vision.training.made import append_metadata
from vision.training.nets import parameters
from vision.training.train import NetName, checkpoint, fresh_net

OPSET = 17


def code_version() -> str:
    """The commit the code is of, marked where it was changed since; "unknown" outside a work tree."""
    here = Path(__file__).parent
    try:
        commit = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"], cwd=here, capture_output=True, text=True, check=True
        )
        changed = subprocess.run(
            ["git", "status", "--porcelain", "--", "."], cwd=here, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return commit.stdout.strip() + ("+" if changed.stdout.strip() else "")


def export(name: NetName, folder: Path, out: Path) -> None:
    """Write the cooled checkpoint, or the running one where there is no newer cooled one."""
    cooled, running = checkpoint(folder, name, cooled=True), checkpoint(folder, name)
    path = cooled if cooled.exists() else running
    state = torch.load(path, weights_only=True)
    net = fresh_net(name)
    net.load_state_dict(state["net"])
    net.eval()
    example = torch.rand((1, 3, 320, 320) if name == "proposer" else (2, 3, CROP, CROP))
    free = {0: "n", 2: "h", 3: "w"} if name == "proposer" else {0: "n"}
    answer = {0: "n", 2: "h4", 3: "w4"} if name == "proposer" else {0: "n"}
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        net, (example,), out, opset_version=OPSET, dynamo=False, input_names=["picture"], output_names=["answer"],
        dynamic_axes={"picture": free, "answer": answer},
    )  # fmt: skip
    run = state["run"]
    made = {
        "net": name,
        "code": code_version(),
        "seed": str(state["seed"]),
        "pictures": str(run["scenes"]),
        "steps": str(run["step"]),
        "minutes": f"{run['minutes']:.0f}",
        "cooled": str(path == cooled).lower(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "parameters": str(parameters(net)),
        "data": "synthetic scenes only, drawn by vision.training; no photographs",
    }
    out.write_bytes(append_metadata(out.read_bytes(), made))
    print(f"{out}: {out.stat().st_size / 1e3:.0f} kB, {made['parameters']} parameters, {made['steps']} steps")
