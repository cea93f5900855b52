"""Looking for what nothing holds any more when the loop rests: by itself Python does it in the middle of a frame."""

import contextlib
import gc
from collections.abc import Iterator

YOUNG, MIDDLE = 700, 10
"""How much is made, and how often that was swept, before the next older things are: Python's own measure."""
OLD = 50
"""Sweeps of those after which all is swept, though nobody left the table alone."""


@contextlib.contextmanager
def swept_at_rest() -> Iterator[None]:
    """Meanwhile only `sweep` sweeps; what is there at the start stays for good and is not looked at again."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def sweep(*, alone: bool = False) -> None:
    """As much as is due; all of it when the table was left `alone`."""
    young, middle, old = gc.get_count()
    if alone or old > OLD:
        gc.collect()
    elif young > YOUNG:
        gc.collect(1 if middle > MIDDLE else 0)
