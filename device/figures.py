"""What `tallytray bench` tells, and how it takes times."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured figure, and the most it should be (None: only told)."""

    name: str
    value: float
    unit: str
    most: float | None = None


def timed(work: Callable[..., object], *what: object) -> float:
    """Seconds of the processor's time, of one thread."""
    start = time.process_time()
    work(*what)
    return time.process_time() - start


def median_time(rounds: int, work: Callable[[], object]) -> float:
    """Seconds, after one run to warm up."""
    work()
    return statistics.median(timed(work) for _ in range(rounds))


def median_times(rounds: int, works: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Seconds of each of `works`, measured in turn after one run to warm up: what else the machine does burdens all of
    them alike."""
    for work in works.values():
        work()
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            taken[name].append(timed(work))
    return {name: statistics.median(times) for name, times in taken.items()}
