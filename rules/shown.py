"""A value as it stands in a message: one line, no longer than can be taken in."""

import reprlib

MOST_LETTERS = 60

_SHORT = reprlib.Repr()
_SHORT.maxlevel = 4
_SHORT.maxlist = _SHORT.maxtuple = 24
_SHORT.maxdict = 6
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = MOST_LETTERS


def shown(value: object) -> str:
    """The value as Python writes it, or its beginning."""
    try:
        text = _SHORT.repr(value)
    except ValueError:  # Python does not write out a number of more than 4300 digits
        text = "a number of thousands of digits"
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


def plain(word: object) -> str:
    """A key or name as it is, where it is one that can be read; else as `shown`."""
    readable = isinstance(word, str) and word.isprintable() and 0 < len(word) <= MOST_LETTERS
    return str(word) if readable else shown(word)
