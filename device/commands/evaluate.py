"""`tallytray evaluate`: reads labelled folders and counts how well."""

import argparse
import json
import time
from pathlib import Path

import cv2

from device.commands import BadInput
from device.commands.read import sentence
from vision.evaluate import Case, Evaluation, Tally, as_json, evaluate, worst
from vision.labels import LabelError, LabelledPhoto, labelled_folders, load_labels
from vision.photo import PhotoError, open_photo
from vision.read import read
from vision.reading import enlarged

SUMMARY = "reads labelled folders and reports how many dice and frames were read right"
EXAMPLE = "tallytray evaluate --tell-count fixtures/photos"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", metavar="DIR", nargs="+", type=Path, help="a labelled folder, or a folder of them")
    parser.add_argument("--json", action="store_true", help="the counts as one JSON object")
    parser.add_argument("--tell-count", action="store_true", help="tell the reader how many dice each picture shows")
    parser.add_argument("--worst", metavar="N", type=_count, default=0, help="list the N worst pictures")


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
        cases = [_case(photo, options.tell_count) for photo in photos]
    except (LabelError, PhotoError) as error:
        raise BadInput(str(error)) from error
    found = evaluate(cases)
    listed = worst(cases, options.worst)
    if options.json:
        answer = as_json(found)
        if options.worst:
            answer["worst"] = [_worst_json(case) for case in listed]
        print(json.dumps(answer, ensure_ascii=False))
    else:
        print(_table(found))
        for case in listed:
            print(f"{case.name}: {' '.join(map(str, case.label.values)) or 'no dice'}  read {sentence(case.reading)}")
    return 0


def _case(photo: LabelledPhoto, tell_count: bool) -> Case:
    began = time.perf_counter()
    opened = open_photo(photo.path)
    decoded = time.perf_counter()
    reading = read(opened.image, photo.label.dice if tell_count else None)
    done = time.perf_counter()
    return Case(
        name=str(photo.path),
        folder_name=photo.folder_name,
        label=photo.label,
        reading=enlarged(reading, opened.reduced),
        ms=(done - decoded) * 1000,
        decode_ms=(decoded - began) * 1000,
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
