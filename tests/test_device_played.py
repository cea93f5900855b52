"""Whole games as settled pictures: from picture to golden sheet, with fingers that only hold, choose and confirm.

What was held and which boxes were filled comes from the golden journal, as a person would have done it; what the dice
show comes from the pictures.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import pytest
import second_story

import rules
from device.journal import Journal
from device.session import Session
from display import intent as wants
from vision.frame import Frame
from vision.labels import Label, load_labels
from vision.photo import load_photo
from vision.throws import Seen
from vision.watch import Watch

FOLDER = Path(__file__).parent.parent / "fixtures" / "games-pictures"
GAMES = sorted(path.parent.name for path in FOLDER.glob("*/labels.json"))
FPS = 15
LOOKS = 8
"""Frames that each picture is looked at: half a second, more than an unsure reading takes."""

pytestmark = pytest.mark.skipif(not GAMES, reason="installed without the recordings")


@dataclass
class Table:
    """A table whose camera sees one settled picture after another, and whose person knows the journal."""

    session: Session
    watch: Watch
    frames: int = 0
    sure: int = 0
    asked: int = 0

    def see(self, picture: Path) -> Seen:
        """The picture comes and lies still; the throw that it shows, told to the session."""
        image = load_photo(picture)
        thrown = None
        self.watch.expect(self.session.dice_told)
        for _ in range(LOOKS):
            seen = self.watch.look(Frame(self.frames, self.frames / FPS, image))
            self.session.see(seen, 1.0)
            self.frames += 1
            thrown = seen if seen.throw is not None else thrown
        return thrown or seen

    def throw(self, picture: Path, label: Label) -> None:
        """Confirm what was read when it was read surely; else put right what it asks about, by the label."""
        seen = self.see(picture)
        reading = seen.reading
        assert reading is not None, picture
        if reading.sure:
            self.sure += 1
            assert reading.values == tuple(sorted(label.values)), f"{picture}: sure and wrong"
        else:
            self.asked += 1
        self.mend(label)
        self.act(wants.Confirm())

    def mend(self, label: Label) -> None:
        """Put right what the screen shows, until it shows the dice of the label."""
        shown = [die.value for die in self.session.view().seen]
        missing = Counter(label.values) - Counter(shown)
        extra = Counter(shown) - Counter(label.values)
        for slot, value in enumerate(shown, start=1):
            if extra[value] > 0 and missing:
                extra[value] -= 1
                true = min(missing.elements())
                missing -= Counter([true])
                self.act(wants.Mend(slot, true))

    def hold(self, faces: list[int]) -> None:
        """Press the hold buttons until these faces are held."""
        match = self.session.match
        assert match is not None
        wanted, keep = Counter(faces), set()
        for slot, face in enumerate(match.dice, start=1):
            if wanted[face] > 0:
                wanted[face] -= 1
                keep.add(slot)
        for slot in sorted(keep ^ set(match.held)):
            self.act(wants.Hold(slot))

    def act(self, intent: wants.Intent) -> None:
        self.session.act(intent)
        assert self.session.notice is None, (intent, self.session.notice)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    cv2.setNumThreads(1)
    session = Session(rules.games(), Journal(tmp_path))
    yield Table(session, Watch())
    session.journal.close()


def play(table: Table, game: str) -> None:
    """The golden journal, with every throw read from its picture."""
    photos = iter(load_labels(FOLDER / game))
    dice: list[int] = []
    for event in second_story.journal(game):
        match event["type"]:
            case "game-started":
                table.act(wants.Start(event["game"], tuple(event["players"])))
            case "thrown":
                dice = event["dice"]
                photo = next(photos)
                assert sorted(photo.label.values) == sorted(dice)
                table.throw(photo.path, photo.label)
            case "held":
                table.hold([dice[slot - 1] for slot in event["slots"]])
            case "entered":
                table.act(wants.Enter(event["box"], event["column"]))
            case "saved-throw-spent":
                table.act(wants.SpendSavedThrow())
            case "rules-changed":
                table.act(wants.ChangeRules(tuple(event["rules"].items())))
            case other:
                raise AssertionError(f"{game}: nobody knows how to do {other}")


def sheets(match: rules.Match | None) -> list[dict[str, Any]]:
    assert match is not None
    found: list[dict[str, Any]] = rules.state(match)["sheets"]
    return found


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_pictures_ends_with_the_golden_sheet(table: Table, game: str) -> None:
    play(table, game)
    match = table.session.match
    assert match is not None
    assert match.phase == "over"
    golden = None
    for event in second_story.journal(game):
        golden = rules.apply(golden, rules.event_from_json(event))
    assert sheets(match) == sheets(golden)
    by_hand = dict(re.findall(r"^Total (.+) = (\d+)$", second_story.by_hand(game)[0], re.MULTILINE))
    assert {sheet["player"]: str(sheet["total"]) for sheet in sheets(match)} == by_hand
    print(f"\n{game}: {table.sure} of {table.sure + table.asked} throws read surely, all of them right")
    assert table.sure >= 0.9 * (table.sure + table.asked)


def test_the_pictures_are_the_journals_throws() -> None:
    for game in GAMES:
        thrown = [event["dice"] for event in second_story.journal(game) if event["type"] == "thrown"]
        labels = json.loads((FOLDER / game / "labels.json").read_text(encoding="utf-8"))
        assert [label["values"] for _, label in sorted(labels.items())] == [sorted(dice) for dice in thrown]
