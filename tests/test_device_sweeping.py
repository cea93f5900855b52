"""What nothing holds any more goes when the loop rests, not in the middle of a frame."""

import gc
import weakref

from device.sweeping import YOUNG, sweep, swept_at_rest


class Ring:
    """Holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_made_in_a_frame_goes_at_the_next_rest() -> None:
    with swept_at_rest():
        ring = weakref.ref(Ring())
        made = [[number] for number in range(20 * YOUNG)]
        assert ring() is not None, "nobody swept while they were made"
        sweep()
        assert ring() is None
        assert made
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_little_is_left_until_more_is_made_or_the_table_is_left_alone() -> None:
    with swept_at_rest():
        gc.collect()
        ring = weakref.ref(Ring())
        sweep()
        assert ring() is not None
        sweep(alone=True)
        assert ring() is None
