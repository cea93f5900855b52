"""`tallytray evaluate`: reads labelled folders and counts how well."""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2

from device.commands import BadInput
from device.commands.read import make_folder, sentence, write_explained
from vision import tuning
from vision.evaluate import Case, Evaluation, Tally, as_json, at_most, curve, evaluate, worst
from vision.labels import LabelError, LabelledPhoto, labelled_folders, load_labels
from vision.photo import PhotoError, open_photo
from vision.read import decide, look
from vision.reading import enlarged

SUMMARY = "reads labelled folders and reports how many dice and frames were read right"
EXAMPLE = "tallytray evaluate --tell-count fixtures/photos"
CURVE = tuple(sorted({*(step / 2 for step in range(13)), tuning.SAFE, tuning.SAFE_UNTOLD}))  # log-odds
BAR = 40  # signs


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", metavar="DIR", nargs="+", type=Path, help="a labelled folder, or a folder of them")
    parser.add_argument("--json", action="store_true", help="the counts as one JSON object")
    parser.add_argument("--tell-count", action="store_true", help="tell the reader how many dice each picture shows")
    parser.add_argument("--worst", metavar="N", type=_count, default=0, help="list the N worst pictures")
    parser.add_argument("--explain", metavar="DIR", type=Path, help="write the worst pictures with what was seen")
    parser.add_argument("--curve", action="store_true", help="what being sure more often or more seldom would cost")


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of pictures")
    return int(text)


def run(options: argparse.Namespace) -> int:
    cv2.setNumThreads(1)
    try:
        photos = [
            photo for given in options.folders for folder in labelled_folders(given) for photo in load_labels(folder)
        ]
        cases = [_case(photo, options.tell_count) for photo in _with_progress(photos)]
    except (LabelError, PhotoError) as error:
        raise BadInput(str(error)) from error
    found = evaluate(cases)
    listed = worst(cases, options.worst)
    if options.explain is not None:
        _explain(options.explain, listed, options.tell_count)
    if options.json:
        answer = as_json(found)
        if options.worst:
            answer["worst"] = [_worst_json(case) for case in listed]
        if options.curve:
            answer["curve"] = [vars(point) for point in curve(cases, CURVE)]
        print(json.dumps(answer, ensure_ascii=False))
    else:
        print(_table(found))
        if options.curve:
            print(_curve(cases, tuning.SAFE if options.tell_count else tuning.SAFE_UNTOLD))
        for case in listed:
            print(f"{case.name}: {' '.join(map(str, case.label.values)) or 'no dice'}  read {sentence(case.reading)}")
    return 0


def _with_progress(photos: Sequence[LabelledPhoto]) -> Iterator[LabelledPhoto]:
    """The photos, with a bar on a terminal while they are read."""
    if not sys.stderr.isatty():
        yield from photos
        return
    for number, photo in enumerate(photos, 1):
        yield photo
        filled = BAR * number // len(photos)
        sys.stderr.write(f"\r{'█' * filled}{'·' * (BAR - filled)} {number} of {len(photos)}")
        sys.stderr.flush()
    sys.stderr.write("\n")


def _explain(folder: Path, cases: Sequence[Case], tell_count: bool) -> None:
    """Write each case's picture with what was seen, named by its rank and set."""
    make_folder(folder)
    for rank, case in enumerate(cases, 1):
        path = Path(case.name)
        decision = decide(look(open_photo(path).image), case.label.dice if tell_count else None)
        write_explained(folder / f"{rank:03}-{case.folder_name}-{path.stem}.jpg", decision)


def _curve(cases: Sequence[Case], used: float) -> str:
    head = "\nsure from a safety of   sure+right  sure+wrong   wrong at most (95 %)"
    lines = [head]
    for point in curve(cases, CURVE):
        sure = point.sure_and_right + point.sure_and_wrong
        bound = f"{100 * at_most(point.sure_and_wrong, sure):.1f} % of {sure}" if sure else "–"
        mark = "  <- in use" if point.least == used else ""
        share = 100 * point.sure_and_right / max(1, len(cases))
        lines.append(f"{point.least:20.2f}   {share:8.1f} %  {point.sure_and_wrong:10}   {bound}{mark}")
    return "\n".join(lines)


def _case(photo: LabelledPhoto, tell_count: bool) -> Case:
    began = time.perf_counter()
    opened = open_photo(photo.path)
    decoded = time.perf_counter()
    decision = decide(look(opened.image), photo.label.dice if tell_count else None)
    done = time.perf_counter()
    return Case(
        name=str(photo.path),
        folder_name=photo.folder_name,
        label=photo.label,
        reading=enlarged(decision.reading, opened.reduced),
        ms=(done - decoded) * 1000,
        decode_ms=(decoded - began) * 1000,
        safety=decision.doubt.safety if decision.doubt.firm else -math.inf,
    )


def _worst_json(case: Case) -> dict[str, object]:
    return {
        "photo": case.name,
        "values": sorted(case.label.values),
        "read": list(case.reading.values),
        "sure": case.reading.sure,
        "troubles": list(case.reading.troubles),
        "missing_troubles": list(case.missing_troubles),
    }


def _table(found: Evaluation) -> str:
    head = f"{'':24} {'frames':>6} {'exact':>7} {'dice right':>10} {'sure+right':>10} {'sure+wrong':>10}"
    head += f" {'ms':>7} {'decode':>7}"
    lines = [head, _line("all", found.total)]
    lines += [_line(f"tier {name}", tally) for name, tally in found.tiers.items()]
    lines += [_line(name, tally) for name, tally in found.sets.items()]
    if any(map(any, found.confusion)):
        lines += ["", "true face, read as:    1    2    3    4    5    6  unread"]
        lines += [
            f"{face:18}" + "".join(f"{count:5}" for count in row[:6]) + f"{row[6]:8}"
            for face, row in enumerate(found.confusion, 1)
        ]
    return "\n".join(lines)


def _line(name: str, tally: Tally) -> str:
    def share(part: int, whole: int) -> str:
        return f"{100 * part / whole:.1f} %" if whole else "–"

    return (
        f"{name[:24]:24} {tally.frames:6} {share(tally.exact, tally.frames):>7} "
        f"{share(tally.dice_right, tally.dice):>10} {share(tally.sure_and_right, tally.frames):>10} "
        f"{tally.sure_and_wrong:10} {tally.ms:7.1f} {tally.decode_ms:7.1f}"
    )
