"""A household's own game: dropped into a folder, played like any other."""

import re
from pathlib import Path

import pytest

import rules
from device.__main__ import main
from device.config import games_folder
from device.journal import Journal
from device.session import Session
from display import layout
from display.intent import Enter, Start, ThrowByHand
from display.scene import Lettering
from display.window import Window

README = Path(__file__).parent.parent / "README.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings folder of a household that followed the README."""
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    example = re.search(r"```toml\n(id = .*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    games = games_folder()
    games.mkdir()
    (games / "six-or-nothing.toml").write_text(example[1], encoding="utf-8")
    return games


def test_the_example_of_the_readme_is_in_the_menu_and_can_be_played(folder: Path, tmp_path: Path) -> None:
    games, troubles = rules.games_and_troubles(folder)
    assert troubles == ()
    session = Session(games, Journal(tmp_path / "state"))
    window = Window((800, 480), off_screen=True)
    window.show(session.view())
    session.act(Start("six-or-nothing", ("Anna",)))
    session.act(ThrowByHand((6, 6, 6, 6, 1)))
    window.show(session.view())
    session.act(Enter("triplet", 1))
    session.act(ThrowByHand((6, 6, 6, 6, 1)))
    session.journal.close()
    again = Session(games, Journal(tmp_path / "state"))
    again.act(Enter("sixes", 1))
    window.show(again.view())
    assert again.match is not None
    assert again.match.phase == "over"
    assert again.match.scores[0].total == 44
    again.journal.close()


@pytest.mark.parametrize("game", ["six-or-nothing", "lower-only"])
def test_its_sheet_has_no_line_for_what_it_does_not_have(game: str, folder: Path, tmp_path: Path) -> None:
    """The README's example knows no upper bonus; a game without an upper part has nothing to sum up there either."""
    text = (folder / "six-or-nothing.toml").read_text(encoding="utf-8")
    lower = text.replace('"upper"', '"lower"').replace("six-or-nothing", "lower-only")
    (folder / "lower-only.toml").write_text(lower, encoding="utf-8")
    session = Session(rules.games_and_troubles(folder)[0], Journal(tmp_path / "state"))

    def said() -> set[str]:
        scenes = [layout.scene(session.view(), size) for size in ((800, 480), (720, 1280))]
        return {
            line for scene in scenes for thing in scene.things if isinstance(thing, Lettering) for line in thing.lines
        }

    session.act(Start(game, ("Anna",)))
    for box in ("sixes", "triplet"):
        session.act(ThrowByHand((6, 6, 6, 6, 1)))
        assert {"Sixes", "Three alike", "Total", "24", "20"} <= said()
        assert "Bonus" not in said()
        session.act(Enter(box, 1))
    assert "44" in said()
    assert "Bonus" not in said()
    assert ("Sum" in said()) == (game == "six-or-nothing")
    session.journal.close()


def test_the_commands_know_it(folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "six-or-nothing"]) == 0
    assert "Three alike" in capfd.readouterr().out
    sheet = tmp_path / "sheet.json"
    sheet.write_text('{"game": "six-or-nothing", "sheets": [{"player": "Anna", "columns": [{"triplet": 20}]}]}')
    assert main(["score", str(sheet)]) == 0
    assert "Anna: 20" in capfd.readouterr().out
    events = tmp_path / "events.jsonl"
    events.write_text('{"type": "game-started", "game": "six-or-nothing", "players": ["Anna"]}\n')
    assert main(["replay", str(events)]) == 0
    assert "Six or nothing" in capfd.readouterr().out


def test_a_wrong_file_is_named_and_hides_no_other_game(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "wrong.toml").write_text('id = "wrong"\nname = "Wrong"\ndice = 99\n')
    assert main(["games"]) == 1
    said = capfd.readouterr()
    assert "wrong.toml" in said.err
    assert len(said.err.splitlines()) == 1
    assert "six-or-nothing" in said.out


def test_every_wrong_file_is_named_wherever_its_game_is_missed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sheet = folder.parent / "sheet.json"
    sheet.write_text('{"game": "wrong", "sheets": []}')
    events = folder.parent / "events.jsonl"
    events.write_text('{"type": "game-started", "game": "wrong", "players": ["Anna"]}\n')
    (folder / "wrong.toml").write_text('id = "wrong"\nname = "Wrong"\ndice = 99\n')
    (folder / "worse.toml").write_text("id = \n")
    for words in (["games", "wrong"], ["score", str(sheet)], ["replay", str(events)]):
        assert main(words) == 1
        said = capfd.readouterr().err.splitlines()
        assert len(said) == 3
        assert "worse.toml" in said[0]
        assert "line 1" in said[0]
        assert "wrong.toml: dice: found 99, allowed: 1 to 8" in said[1]


def test_a_game_whose_file_is_gone_does_not_keep_the_table_from_starting(folder: Path, tmp_path: Path) -> None:
    session = Session(rules.games_and_troubles(folder)[0], Journal(tmp_path / "state"))
    session.act(Start("six-or-nothing", ("Anna",)))
    session.journal.close()
    again = Session(rules.games(), Journal(tmp_path / "state"))
    assert again.match is None
    again.act(Start("yatzy", ("Bo",)))
    assert again.match is not None
    assert [row.body["game"] for row in again.journal.rows] == ["six-or-nothing", "yatzy"]
    again.journal.close()
