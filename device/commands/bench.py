"""`tallytray bench`: the project's speed figures, measured in one run."""

import argparse
import json

from device import bench, bench_reading
from device.commands import BadInput

SUMMARY = "measures the project's speed figures in one run"
EXAMPLE = "tallytray bench"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="how often each is measured (default 15)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    if not 1 <= options.rounds <= 1000:
        raise BadInput(f"--rounds: {options.rounds} is out of range (allowed: 1 to 1000)")
    if not bench_reading.PICTURE.exists():
        raise BadInput(f"{bench_reading.PICTURE}: the picture to measure with is not here")
    found = []
    for figure in bench.figures(options.rounds):
        found.append(figure)
        if not options.json:
            most = "" if figure.most is None else f"   (at most {figure.most:g})"
            print(f"{figure.name:<34}{figure.value:9.2f} {figure.unit}{most}", flush=True)
    if options.json:
        named = [{"name": f.name, "value": f.value, "unit": f.unit, "most": f.most} for f in found]
        print(json.dumps({"figures": named}, ensure_ascii=False))
    return 0
