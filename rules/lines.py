"""An event file, line by line: what ``tallytray replay`` answers."""

import json
from collections.abc import Iterable, Iterator, Mapping

from rules.answers import state
from rules.applying import apply
from rules.checking import check
from rules.events import EventError, event_from_json
from rules.game import Game
from rules.match import Match


class ReplayError(ValueError):
    """The file is no event file. The message is one line with the line's number."""


def replay_lines(lines: Iterable[str], games: Mapping[str, Game] | None = None) -> Iterator[dict[str, object]]:
    """One answer per line that holds an event (``n``, ``ok``, ``refusal``), then one with the ``state``.

    A refused event changes nothing and the rest goes on. Blank lines are passed over. ReplayError for a line
    that is no event, and for a file in which no game was started.
    """
    match: Match | None = None
    first_refusal = ""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = event_from_json(json.loads(line))
        except EventError as error:
            raise ReplayError(f"line {number}: {error}") from None
        except json.JSONDecodeError as error:
            raise ReplayError(f"line {number}: no JSON: {error.msg} at column {error.colno}") from None
        except (ValueError, RecursionError):
            raise ReplayError(f"line {number}: no JSON that can be read: a number or nesting out of bounds") from None
        refusal = check(match, event, games)
        if refusal is None:
            match = apply(match, event, games)
            yield {"n": number, "ok": True}
        else:
            first_refusal = first_refusal or f" (line {number}: {refusal.detail})"
            yield {"n": number, "ok": False, "refusal": str(refusal)}
    if match is None:
        raise ReplayError(f"no game was started{first_refusal}")
    yield {"state": state(match)}
