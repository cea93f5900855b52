"""`python -m vision.training`: draw scenes, train the nets on them, export and measure them."""

import argparse
from pathlib import Path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    scenes = commands.add_parser("scenes", help="draw synthetic scenes that are still missing")
    scenes.add_argument("folder", type=Path)
    scenes.add_argument("--count", type=int, default=12000, help="scenes in all (default 12000)")
    scenes.add_argument("--seed", type=int, default=1)
    scenes.add_argument("--other-styles", action="store_true", help="styles that training does not know")
    train = commands.add_parser("train", help="train a net, going on where the last run ended")
    train.add_argument("net", choices=("proposer", "verifier"))
    train.add_argument("scenes", type=Path)
    train.add_argument("run", type=Path, help="folder of checkpoints")
    train.add_argument("--steps", type=int, help="steps in all (default: the full training)")
    train.add_argument("--cool", type=int, default=0, metavar="STEPS",
                       help="then let the learning rate sink for so many steps, beside the run")  # fmt: skip
    train.add_argument("--check", type=Path, help="folder of scenes of other styles to check on")
    train.add_argument("--proposer", type=Path, help="ONNX file whose mistakes the verifier learns from")
    train.add_argument("--begin", type=Path, metavar="MODEL.onnx",
                       help="shipped model to go on from when there is no checkpoint")  # fmt: skip
    train.add_argument(
        "--rate", type=float, default=1.0, metavar="SHARE", help="of the usual learning rate (default 1)"
    )
    train.add_argument("--threads", type=int, default=0, help="default: all cores")
    export = commands.add_parser("export", help="write the ONNX file of a net's newest checkpoint")
    export.add_argument("net", choices=("proposer", "verifier"))
    export.add_argument("run", type=Path)
    export.add_argument("out", type=Path)
    measure = commands.add_parser("measure", help="read labelled photographs and count what is right")
    measure.add_argument("folders", type=Path, nargs="+", help="folders with a labels.json")
    measure.add_argument("--models", type=Path, action="append", default=[],
                         help="folder with proposer.onnx and verifier.onnx; may be given several times")  # fmt: skip
    measure.add_argument("--beside", type=Path, nargs=2, action="append", default=[], metavar=("READER.py", "DIR"),
                         help="another reader's script and its folder of models, in the same run")  # fmt: skip
    measure.add_argument("--by-set", action="store_true")
    measure.add_argument("--misses", action="store_true", help="list the photographs read wrong")
    fit = commands.add_parser("fit", help="fit the readers' agreement on labelled photographs")
    fit.add_argument("folders", type=Path, nargs="+", help="folders with a labels.json, or folders of those")
    fit.add_argument("--keep", type=Path, help="file that keeps what was seen, for fitting again")
    return parser


def main() -> None:
    given = _parser().parse_args()
    match given.command:
        case "scenes":
            from vision.training.store import write_scenes

            for line in write_scenes(given.folder, given.seed, given.count, given.other_styles):
                print(line, flush=True)
        case "train":
            from vision.training.train import train

            train(
                given.net, given.scenes, given.run, given.steps, given.cool, given.check, given.threads, given.proposer,
                given.begin, given.rate,
            )  # fmt: skip
        case "export":
            from vision.training.export import export

            export(given.net, given.run, given.out)
        case "measure":
            from vision.training.measure import measure

            measure(given.folders, given.models, given.beside, given.by_set, given.misses)
        case "fit":
            from vision.training.fit import fit

            fit(given.folders, given.keep)


if __name__ == "__main__":
    main()
