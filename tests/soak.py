"""Long runs that print one line per figure, and go on where they were stopped.

    python tests/soak.py                      every run, whole
    python tests/soak.py kills cuts --cases 50
    python tests/soak.py cuts --case 4711     one case again, by itself

Each run is a numbered row of cases, every one of them made from its number alone. What was done stands in `out/soak`;
take a run's file away to start it anew. The quick tests run a few cases of each.
"""

import argparse
import json
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
OUT = ROOT / "out" / "soak"
SAVE_SECONDS = 5.0


@dataclass(frozen=True)
class Soak:
    """`case` runs case number n in a folder that lasts through the run, and counts what happened; it raises
    AssertionError when something does not hold. `line` says what the counts of so many cases mean."""

    name: str
    cases: int
    case: Callable[[int, Path], Counter[str]]
    line: Callable[[int, Counter[str]], str]


def every() -> Iterator[Soak]:
    import soak_damage
    import soak_fuzz
    import soak_kills

    yield from (*soak_damage.SOAKS, *soak_fuzz.SOAKS, *soak_kills.SOAKS)


def run_some(soak: Soak, cases: int, folder: Path) -> Counter[str]:
    """A few cases from anywhere in the run, always the same ones, for a quick test; prints the figure."""
    counts: Counter[str] = Counter()
    for number in random.Random(soak.name).sample(range(soak.cases), cases):
        counts += soak.case(number, folder)
    print(soak.line(cases, counts))
    return counts


def run(soak: Soak, cases: int) -> bool:
    """Go on with a run up to that many cases; whether everything held."""
    notes = OUT / f"{soak.name}.json"
    folder = OUT / soak.name
    folder.mkdir(parents=True, exist_ok=True)
    kept = json.loads(notes.read_text()) if notes.exists() else {"done": 0, "counts": {}, "seconds": 0.0}
    done, counts, seconds = kept["done"], Counter[str](kept["counts"]), kept["seconds"]
    begun = saved = time.monotonic()
    try:
        while done < cases:
            try:
                counts += soak.case(done, folder)
            except (AssertionError, ExceptionGroup) as error:  # Hypothesis gathers what it finds
                first = error.exceptions[0] if isinstance(error, ExceptionGroup) else error
                print(f"{soak.name}: case {done} does not hold: {first}")
                return False
            done += 1
            if time.monotonic() - saved > SAVE_SECONDS:
                saved = time.monotonic()
                _save(notes, done, counts, seconds + saved - begun)
                if sys.stderr.isatty():
                    print(f"\r{soak.name} {done}/{cases} ", end="", file=sys.stderr, flush=True)
    finally:
        seconds += time.monotonic() - begun
        _save(notes, done, counts, seconds)
        print(f"{soak.line(done, counts)} ({done} of {soak.cases} cases, {seconds:.0f} s)", flush=True)
    return True


def _save(notes: Path, done: int, counts: Counter[str], seconds: float) -> None:
    fresh = notes.with_suffix(".new")
    fresh.write_text(json.dumps({"done": done, "counts": counts, "seconds": seconds}))
    fresh.replace(notes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    soaks = {soak.name: soak for soak in every()}
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(soaks))
    parser.add_argument("--cases", type=int, help="stop after so many cases of each run")
    parser.add_argument("--case", type=int, help="only this one, in a folder of its own")
    options = parser.parse_args()
    logging.disable()  # each damaged file is told there too
    unknown = sorted(set(options.names) - set(soaks))
    if unknown:
        parser.error(f"no such run: {', '.join(unknown)} (there are {', '.join(soaks)})")
    held = True
    for name in options.names or soaks:
        if options.case is not None:
            with tempfile.TemporaryDirectory() as folder:
                print(f"{name}: case {options.case}: {dict(soaks[name].case(options.case, Path(folder)))}")
        else:
            held &= run(soaks[name], min(options.cases or soaks[name].cases, soaks[name].cases))
    return 0 if held else 1


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT)]
    sys.exit(main())
