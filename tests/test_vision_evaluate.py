"""Labels and counting."""

import json
from pathlib import Path

import pytest

from vision.evaluate import Case, as_json, confusion, evaluate, tally, worst
from vision.labels import Label, LabelError, labelled_folders, load_film, load_labels
from vision.reading import Die, Reading


def die(value: int | None, x: float = 0, y: float = 0, confidence: float = 1.0) -> Die:
    return Die(value, (x, y), 50, 0, confidence)


def case(label: Label, values: tuple[int | None, ...], sure: bool = True, name: str = "a.jpg", **more: str) -> Case:
    dice = tuple(die(value, 10 + 100 * index, 10) for index, value in enumerate(values))
    return Case(name, more.get("folder", "set"), label, Reading(dice, (), sure), ms=2, decode_ms=1)


def test_exact_needs_the_multiset_and_nothing_more() -> None:
    label = Label(values=(1, 3, 3))
    assert case(label, (3, 1, 3)).exact
    assert not case(label, (1, 3)).exact
    assert not case(label, (1, 3, 3, 3)).exact
    assert case(label, (3, 3, 5)).dice_right == 2


def test_unreadable_dice_must_stay_unread_and_unsure() -> None:
    label = Label(values=(5,), unreadable=1)
    assert label.dice == 2
    assert case(label, (5, None), sure=False).exact
    assert not case(label, (5, None), sure=True).exact
    assert not case(label, (5, 6), sure=False).exact


def test_empty_frames_count() -> None:
    found = tally([case(Label(values=()), (), sure=False)])
    assert (found.frames, found.exact, found.dice, found.sure_and_wrong) == (1, 1, 0, 0)


def test_the_answer_has_the_keys_scripts_rely_on() -> None:
    right = case(Label(values=(2,)), (2,), folder="one")
    wrong = case(Label(values=(2,), tier="wild"), (3,), folder="two")
    answer = as_json(evaluate([right, wrong]))
    assert answer["frames"] == 2
    assert answer["sure_and_right"] == 1
    assert answer["sure_and_wrong"] == 1
    assert set(answer["sets"]) == {"one", "two"}
    assert set(answer["tiers"]) == {"tray", "wild"}
    keys = {"frames", "exact", "dice", "dice_right", "sure_and_right", "sure_and_wrong", "ms", "decode_ms"}
    assert set(answer["sets"]["one"]) == keys
    assert set(answer) == keys | {"sets", "tiers", "confusion"}
    assert [len(row) for row in answer["confusion"]] == [7] * 6
    json.dumps(answer)


def test_confusion_by_boxes() -> None:
    boxes = ((0.0, 0.0, 20.0, 20.0), (100.0, 0.0, 120.0, 20.0), (200.0, 0.0, 220.0, 20.0), (300.0, 0.0, 320.0, 20.0))
    label = Label(values=(1, 6, 4), faces=(6, 1, None, 4), boxes=boxes, unreadable=1)
    counts = confusion([case(label, (6, 4, 2, None))])
    assert counts[5][5] == 1
    assert counts[0][3] == 1
    assert counts[3][6] == 1
    assert sum(map(sum, counts)) == 3  # the unreadable die is nobody's row


def test_worst_puts_sure_and_wrong_first() -> None:
    label = Label(values=(1, 2, 3))
    good, doubted, wrong = case(label, (1, 2, 3)), case(label, (6, 6, 6), sure=False), case(label, (1, 2, 4))
    assert worst([good, doubted, wrong], 2) == [wrong, doubted]


def folder(tmp_path: Path, text: str, name: str = "labels.json") -> Path:
    (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a.jpg": {"values": [1]},\n "b.jpg": {"values": [1,]}}', "labels.json:2"),
        ("", "labels.json:1"),
        ("[]", "a list"),
        ('{"a.jpg": {"values": [7]}}', '"a.jpg".*values'),
        ('{"a.jpg": {"values": "1"}}', '"a.jpg".*values'),
        ('{"a.jpg": {}}', '"a.jpg".*values'),
        ('{"a.jpg": {"values": [1], "troubles": ["bored"]}}', '"a.jpg".*bored'),
        ('{"a.jpg": {"values": [1, 2], "faces": [1, 3]}}', "faces show"),
        ('{"a.jpg": {"values": [1], "faces": [1], "boxes": []}}', "1 faces but 0 boxes"),
        ('{"a.jpg": {"values": [1], "unreadable": -1}}', '"a.jpg".*unreadable'),
        ('{"../a.jpg": {"values": [1]}}', "folder itself"),
    ],
)
def test_broken_labels_are_named_with_their_place(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(LabelError, match=words) as caught:
        load_labels(folder(tmp_path, text))
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_labels_may_say_more_than_is_asked(tmp_path: Path) -> None:
    text = '{"b.jpg": {"values": [2, 1], "tier": "wild", "seed": 4}, "a.jpg": {"values": []}}'
    photos = load_labels(folder(tmp_path, text))
    assert [photo.path.name for photo in photos] == ["a.jpg", "b.jpg"]
    assert photos[1].label.tier == "wild"
    assert photos[0].folder_name == tmp_path.name


def test_folders_are_found_below(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        folder(tmp_path / name, "{}")
    assert [found.name for found in labelled_folders(tmp_path)] == ["a", "b"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(LabelError, match="holds no labels"):
        labelled_folders(tmp_path / "empty")
    with pytest.raises(LabelError, match="does not exist"):
        labelled_folders(tmp_path / "none")
    with pytest.raises(LabelError, match="is a file"):
        labelled_folders(tmp_path / "a" / "labels.json")


def test_film_truth(tmp_path: Path) -> None:
    text = '{"fps": 15, "dice": 5, "throws": [{"from": 3, "settled": 9, "values": [1, 2], "stayed": []}]}'
    film = load_film(folder(tmp_path, text, "film.json"))
    assert film.throws[0].begins == 3
    assert film.throws[0].values == (1, 2)
    with pytest.raises(LabelError, match=r"film\.json.*values"):
        load_film(folder(tmp_path, text.replace('"values": [1, 2]', '"values": [0]'), "film.json"))
