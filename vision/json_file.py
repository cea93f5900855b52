"""Reading a JSON file that a person may have written: each thing wrong with it is one line, raised as the error that
`wrong` makes of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

MOST_LETTERS = 200
"""A line longer than this is not read to its end."""


def read_file(path: Path) -> bytes:
    """The bytes of a file. Raises OSError, also for what is no file: a pipe would be waited for, a device read for
    ever."""
    if path.exists() and not path.is_file():
        raise OSError(0, "is no file")
    return path.read_bytes()


def load_json(path: Path, wrong: Callable[[str], Exception]) -> Any:
    """What stands in the file. The line has file, place and what was found."""
    try:
        return json.loads(read_file(path).decode("utf-8"))
    except FileNotFoundError:
        raise wrong(f"{path} does not exist") from None
    except OSError as error:
        raise wrong(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise wrong(f"{path} is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise wrong(f"{path}:{error.lineno}: no JSON here, column {error.colno}: {error.msg}") from error
    except (ValueError, RecursionError):
        raise wrong(f"{path}: no JSON that can be read: a number or nesting out of bounds") from None


def as_kind(known: Any, kind: type[T], place: object, wrong: Callable[[str], Exception]) -> T:
    """`known` as a value of that kind. The line has the place and what is allowed."""
    try:
        return msgspec.convert(known, kind)
    except (msgspec.ValidationError, ValueError) as error:  # ValueError: half a letter, which JSON can say
        raise wrong(f"{place}: {sentence(error)}") from error


def sentence(error: Exception) -> str:
    """A library's own words in one line that can be read, its end says where; without any, the kind of error."""
    words = " ".join(str(error).split()) or type(error).__name__
    text = "".join(letter if letter.isprintable() else " " for letter in words)
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS // 2]} … {text[-MOST_LETTERS // 2 :]}"
