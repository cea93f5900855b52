"""From readings and fingers to events: every way of playing, without a camera."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rules
from device.journal import Journal
from device.lamps import steady
from device.session import Session
from display import layout
from display.desk import current
from display.intent import (
    Confirm,
    Enter,
    Hold,
    Look,
    Mend,
    NewGame,
    NoDie,
    Pass,
    PlayOn,
    Redo,
    Start,
    ThrowByHand,
    Undo,
)
from display.picture import Picture
from display.standing import asked_slot
from display.view import Fault
from vision.reading import Die, Reading
from vision.throws import Seen, ThrowSeen, TrayState


class Tray:
    """A hand and a camera: throws come to rest in front of the session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.number = 0

    def throw(
        self, *faces: int | None, stayed: dict[int, int] | None = None, sure: bool = True, crops: bool = False
    ) -> None:
        """These dice lie in view now; `stayed` says which of them (by index) lay as which before."""
        self.number += 1
        dice = tuple(
            Die(face, (100.0 * index, 50.0), 40.0, 0.0, 0.99, None if face else "doubtful-face")
            for index, face in enumerate(faces)
        )
        reading = Reading(dice, () if sure else ("doubtful-face",), sure)
        origins = tuple((stayed or {}).get(index) for index in range(len(faces)))
        cut = tuple(Picture(-1 - index, 96, 96, bytes(96 * 96 * 3)) for index in range(len(faces) * crops))
        seen = Seen(TrayState.SETTLED, self.number, ThrowSeen(self.number, reading, origins), reading)
        self.session.see(seen, 0.5, cut)

    def lies(self, *faces: int | None) -> None:
        """These dice lay in the tray when the camera opened its eyes: no throw to vision."""
        dice = tuple(Die(face, (100.0 * index, 50.0), 40.0, 0.0, 0.99) for index, face in enumerate(faces))
        self.session.see(Seen(TrayState.SETTLED, 0, None, Reading(dice, (), sure=True)), 0.5)

    def take_up(self) -> None:
        self.session.see(Seen(TrayState.EMPTY, self.number, None, None), 0.5)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(tmp_path: Path, clock: Clock) -> Iterator[Session]:
    session = Session(rules.games(), Journal(tmp_path), clock=clock)
    yield session
    session.journal.close()


@pytest.fixture
def tray(session: Session) -> Tray:
    session.act(Start("yatzy", ("Anna", "Bo")))
    return Tray(session)


def facts(session: Session) -> list[dict[str, object]]:
    return [row.body for row in session.journal.rows]


def kinds(session: Session) -> list[str]:
    return [row.body["type"] for row in session.journal.rows]


def match(session: Session) -> rules.Match:
    assert session.match is not None
    return session.match


def test_a_reading_is_no_throw_until_it_is_confirmed(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    assert kinds(session) == ["game-started"]
    assert [die.value for die in session.view().seen] == [1, 3, 3, 5, 6]
    session.act(Confirm())
    assert match(session).dice == (1, 3, 3, 5, 6)
    assert session.view().seen == ()


def test_dice_are_marked_where_they_lie_in_the_picture(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    one = session.view().seen[0]
    assert one.centre == (100.0, 25.0)
    assert one.size == 20.0


def test_dice_left_in_the_tray_are_held_without_a_button(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    tray.throw(3, 2, 3, 6, 6, stayed={0: 1, 2: 3})
    assert [(die.value, die.held) for die in session.view().seen] == [
        (2, False),
        (3, True),
        (3, True),
        (6, False),
        (6, False),
    ]
    session.act(Confirm())
    assert match(session).dice == (2, 3, 3, 6, 6)
    assert facts(session)[-2:] == [{"type": "held", "slots": [2, 3]}, {"type": "thrown", "dice": [2, 3, 3, 6, 6]}]


def test_held_dice_lying_aside_are_not_looked_for(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.act(Hold(2))
    session.act(Hold(3))
    tray.throw(4, 4, 2)
    seen = session.view().seen
    assert [die.value for die in seen] == [2, 3, 3, 4, 4]
    assert [die.held for die in seen] == [False, True, True, False, False]
    assert not any(die.asked for die in seen)
    session.act(Confirm())
    assert match(session).dice == (2, 3, 3, 4, 4)


def test_dice_lying_aside_stay_aside_for_the_third_throw(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.act(Hold(2))
    session.act(Hold(3))
    tray.throw(4, 4, 2)
    session.act(Confirm())
    tray.throw(6, 5, 6)
    assert [die.held for die in session.view().seen] == [False, True, True, False, False]
    session.act(Confirm())
    assert match(session).throw == 3
    assert match(session).dice == (5, 3, 3, 6, 6)


def test_dice_held_in_the_hand_and_put_back_are_known_by_their_faces(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.act(Hold(2))
    session.act(Hold(3))
    tray.throw(3, 1, 4, 3, 1)
    session.act(Confirm())
    assert facts(session)[-1] == {"type": "thrown", "dice": [1, 3, 3, 1, 4]}


def test_a_die_pressed_as_held_but_thrown_all_the_same_is_what_lies_there(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.act(Hold(5))
    tray.throw(1, 1, 2, 2, 4)
    session.act(Confirm())
    assert facts(session)[-2:] == [{"type": "held", "slots": []}, {"type": "thrown", "dice": [1, 1, 2, 2, 4]}]


def test_missing_dice_that_nobody_holds_are_asked_for(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3)
    assert [die.value for die in session.view().seen] == [1, 3, 3, 6, None]
    session.act(Confirm())
    assert session.notice == "die-asked"
    assert kinds(session) == ["game-started"]
    session.act(Mend(5, 2))
    session.act(Confirm())
    assert match(session).dice == (1, 3, 3, 6, 2)


def test_an_unreadable_die_is_asked_about_by_itself(session: Session, tray: Tray) -> None:
    tray.throw(6, None, 1, 3, 5, sure=False)
    assert [die.asked for die in session.view().seen] == [False, False, False, False, True]
    session.act(Mend(5, 4))
    assert not any(die.asked for die in session.view().seen)
    session.act(Confirm())
    assert match(session).dice == (1, 3, 5, 6, 4)


def test_a_misread_die_is_put_right_before_and_after_confirming(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Mend(1, 2))
    session.act(Confirm())
    assert match(session).dice == (2, 3, 3, 5, 6)
    session.act(Mend(5, 5))
    assert match(session).dice == (2, 3, 3, 5, 5)
    assert facts(session)[-1] == {"type": "corrected", "dice": [2, 3, 3, 5, 5]}


def test_a_held_die_put_right_is_no_longer_held(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    tray.throw(3, 2, 3, 6, 6, stayed={0: 1, 2: 3})
    session.act(Mend(2, 4))
    session.act(Confirm())
    assert facts(session)[-2:] == [{"type": "held", "slots": [3]}, {"type": "thrown", "dice": [2, 4, 3, 6, 6]}]


def test_pushing_the_dice_about_is_no_throw(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    tray.throw(3, 6, 1, 5, 3, stayed={0: 1, 1: 0, 2: 2, 3: 4, 4: 3})
    assert session.view().seen == ()
    assert kinds(session) == ["game-started", "thrown"]


def test_a_throw_before_the_box_is_chosen_waits_for_the_next_turn(session: Session, tray: Tray) -> None:
    for _ in range(3):
        tray.throw(1, 2, 3, 4, 6)
        session.act(Confirm())
    tray.throw(5, 5, 5, 5, 5)
    session.act(Confirm())
    assert session.notice == "choose-a-box"
    assert match(session).dice == (1, 2, 3, 4, 6)
    session.act(Enter("chance", 1))
    assert [die.value for die in session.view().seen] == [5] * 5
    session.act(Confirm())
    assert match(session).player == "Bo"
    assert match(session).dice == (5,) * 5


def test_a_die_put_right_is_asked_about_no_more_and_the_throw_can_be_taken(session: Session, tray: Tray) -> None:
    tray.throw(1, 2, 3, 4, 5)
    session.act(Look("slot", 2))
    assert asked_slot(session.view()) == 2
    session.act(Mend(2, 6))
    assert asked_slot(session.view()) is None
    assert Confirm() in [meant for _, meant in layout.scene(session.view(), (800, 480)).targets()]
    session.act(Confirm())
    assert match(session).dice == (1, 6, 3, 4, 5)


def test_an_entry_is_taken_back_although_the_next_player_has_thrown(session: Session, tray: Tray) -> None:
    tray.throw(1, 2, 3, 4, 5)
    session.act(Confirm())
    session.act(Enter("chance", 1))
    tray.throw(6, 6, 6, 6, 6)
    session.act(Undo())
    assert session.view().seen == (), "Bo's dice are no throw of Anna's"
    assert match(session).dice == (1, 2, 3, 4, 5)
    session.act(Confirm())
    assert match(session).throw == 1
    session.act(Enter("small-straight", 1))
    assert match(session).player == "Bo"
    assert [die.value for die in session.view().seen] == [6, 6, 6, 6, 6], "Bo's throw waits for him again"


def test_dice_thrown_for_a_turn_are_no_lot_after_an_undo(session: Session, tray: Tray) -> None:
    session.act(NewGame())
    session.act(Start("maxi-yatzy", ("Anna", "Bo"), begins="throw"))
    for lot in (6, 2):
        tray.throw(lot)
        session.act(Confirm())
    tray.throw(1, 2, 3, 4, 5, 6)
    assert len(session.view().seen) == 6
    session.act(Undo())
    assert match(session).phase == "begin"
    assert session.view().seen == ()
    tray.throw(3)
    assert [die.value for die in session.view().seen] == [3]


def test_dice_thrown_before_the_last_box_are_no_lot_in_a_throw_off(session: Session, tray: Tray) -> None:
    session.act(NewGame())
    session.act(Start("maxi-yatzy", ("Anna", "Bo"), rules=(("tie", "throw-off"), ("saved-throws", False))))
    boxes = len(match(session).game.boxes)
    for turn in range(2 * boxes):
        last = turn == 2 * boxes - 1
        for _ in range(3 if last else 1):
            session.act(ThrowByHand((1, 1, 2, 2, 3, 3)))
        if last:
            tray.throw(1, 2, 3, 4, 5, 6)
        session.act(Enter(match(session).options[0].box, 1))
    assert match(session).phase == "throw-off"
    assert session.view().seen == ()


def test_on_the_pad_dice_are_held_though_a_throw_was_read_and_no_box_is_offered(session: Session, tray: Tray) -> None:
    tray.throw(1, 2, 3, 4, 5)
    session.act(Confirm())
    tray.throw(1, 2, 3, 4, 6)
    session.act(Look("screen", "pad"))
    offered = [meant for _, meant in layout.scene(session.view(), (800, 480)).targets()]
    assert Hold(1) in offered
    assert not any(isinstance(meant, Enter) for meant in offered)
    session.act(Hold(1))
    assert session.notice is None
    assert match(session).held == (1,)


def test_a_box_is_not_taken_while_a_throw_waits(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    tray.throw(1, 1, 1, 1, 1)
    session.act(Enter("ones", 1))
    assert session.notice == "confirm-first"
    session.act(Hold(1))
    assert session.notice == "confirm-first"
    assert kinds(session) == ["game-started", "thrown"]


def test_stayed_dice_are_followed_over_a_throw_that_was_never_confirmed(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    tray.throw(3, 3, 2, 2, 2, stayed={0: 1, 1: 3})
    tray.throw(3, 3, 4, 4, 2, stayed={0: 0, 1: 1, 4: 4})
    seen = session.view().seen
    assert sorted(die.value or 0 for die in seen) == [2, 3, 3, 4, 4]
    assert [die.held for die in seen] == [False, True, True, False, False], "the 2 was thrown since the last confirmed"
    session.act(Confirm())
    assert match(session).throw == 2
    assert facts(session)[-2] == {"type": "held", "slots": [2, 3]}


def test_every_refusal_leaves_a_sentence(session: Session, tray: Tray) -> None:
    session.act(Enter("ones", 1))
    assert session.notice == "throw-first"
    session.act(Hold(1))
    assert session.notice is not None
    session.act(Pass())
    assert session.notice is not None
    assert kinds(session) == ["game-started"]


def test_undo_and_redo_reach_the_throw_before(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.act(Enter("chance", 1))
    assert match(session).player == "Bo"
    session.act(Undo())
    assert match(session).player == "Anna"
    assert match(session).dice == (1, 3, 3, 5, 6)
    session.act(Redo())
    assert match(session).player == "Bo"
    assert kinds(session)[-2:] == ["undone", "redone"]


def test_a_die_being_put_right_is_not_asked_about_in_the_next_throw(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Look("slot", 3))
    assert asked_slot(session.view()) == 3
    tray.throw(1, 2, 3, 4, 6)
    assert asked_slot(session.view()) is None
    session.act(Confirm())
    assert match(session).dice == (1, 2, 3, 4, 6)


def test_what_was_open_does_not_come_back_when_as_many_events_stand_again(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.act(Look("open", "menu"))
    session.act(Undo())
    assert current(session.view()).open is None
    tray.throw(1, 2, 3, 4, 6)
    session.act(Confirm())
    assert match(session).dice == (1, 2, 3, 4, 6)
    assert current(session.view()).open is None


def test_faces_entered_by_finger_do_not_come_back_with_an_undo(session: Session, tray: Tray) -> None:
    for _ in range(5):
        session.act(Look("face", 6))
    assert current(session.view()).pad == (6, 6, 6, 6, 6)
    session.act(ThrowByHand((6, 6, 6, 6, 6)))
    session.act(Undo())
    assert current(session.view()).pad == ()


def test_the_page_a_game_was_ended_on_does_not_come_up_in_the_next_one(session: Session, tray: Tray) -> None:
    session.act(ThrowByHand((6, 3, 1, 3, 5)))
    session.act(Look("open", "end"))
    session.act(NewGame())
    session.act(Start("yatzy", ("Anna", "Bo")))
    session.act(ThrowByHand((6, 3, 1, 3, 5)))
    assert current(session.view()).open is None


def test_dice_by_finger_need_no_camera(session: Session) -> None:
    session.act(Start("yatzy", ("Anna",)))
    session.act(ThrowByHand((6, 6, 6, 6, 6)))
    session.act(Enter("yatzy", 1))
    assert match(session).scores[0].total == 50


def test_the_same_game_and_throw_after_a_restart(session: Session, tray: Tray, tmp_path: Path) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.act(Hold(2))
    before = match(session)
    session.journal.close()
    again = Session(rules.games(), Journal(tmp_path))
    assert again.match == before
    assert again.desk.screen == "play"
    tray.session = again
    tray.throw(3, 5, 1, 6, 3)
    assert again.view().seen == (), "the dice still lying there are the throw we know"
    tray.throw(3, 5, 1, 2, 2, stayed={0: 0, 1: 1, 2: 2})
    again.act(Confirm())
    assert match(again).throw == 2
    assert sorted(match(again).dice) == [1, 2, 2, 3, 5]
    again.journal.close()


def test_after_a_restart_the_dice_of_the_turn_before_are_no_throw(session: Session, tray: Tray, tmp_path: Path) -> None:
    """The box is chosen before the camera has opened its eyes."""
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.journal.close()
    again = Session(rules.games(), Journal(tmp_path))
    again.act(Enter("chance", 1))
    assert again.notice is None
    tray.session = again
    tray.lies(3, 5, 1, 6, 3)
    assert again.view().seen == ()
    tray.throw(3, 5, 1, 6, 2)
    again.act(Confirm())
    assert sorted(match(again).dice) == [1, 2, 3, 5, 6]
    again.journal.close()


def test_dice_lying_there_when_the_camera_opens_its_eyes_are_the_throw_we_know(
    session: Session, tray: Tray, tmp_path: Path
) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.lose_camera("vision-restarting", "gone")
    tray.lies(3, 5, 1, 6, 3)
    assert session.view().seen == ()
    tray.throw(3, 5, 1, 2, 2, stayed={0: 0, 1: 1, 2: 2})
    assert [die.held for die in session.view().seen].count(True) == 3


def test_dice_thrown_while_nobody_looked_are_offered_and_no_more(session: Session, tray: Tray) -> None:
    tray.lies(2, 2, 2, 2, 2)
    assert [die.value for die in session.view().seen] == [2] * 5
    assert kinds(session) == ["game-started"]


def test_other_dice_after_a_restart_are_a_new_throw(session: Session, tray: Tray, tmp_path: Path) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.journal.close()
    again = Session(rules.games(), Journal(tmp_path))
    tray.session = again
    tray.throw(1, 1, 1, 1, 1)
    assert [die.value for die in again.view().seen] == [1] * 5
    again.journal.close()


def test_a_recording_begins_with_the_game_and_waits_before_each_further_throw(tmp_path: Path) -> None:
    session = Session(rules.games(), Journal(tmp_path), recorded=True)
    session.act(Start("yatzy", ("Anna",)))
    assert session.play_on == PlayOn(clip=0)
    session.play_on = None
    tray = Tray(session)
    tray.throw(1, 2, 3, 4, 5)
    assert not session.view().waiting, "first the dice must be confirmed"
    session.act(Confirm())
    assert session.view().waiting
    session.act(PlayOn())
    assert session.play_on == PlayOn()
    session.journal.close()


def test_a_finished_game_shows_its_result_and_another_can_begin(session: Session) -> None:
    session.act(Start("yatzy", ("Anna",)))
    for box in rules.games()["yatzy"].entry_boxes:
        session.act(ThrowByHand((1, 2, 3, 4, 5)))
        session.act(Enter(box.id, 1))
    assert match(session).phase == "over"
    assert session.desk.screen == "result"
    session.act(Undo())
    assert match(session).phase == "choose"
    assert session.desk.screen == "play"
    session.act(Redo())
    session.act(NewGame())
    assert session.match is None
    session.act(Start("maxi-yatzy", ("Bo", "Cia")))
    assert match(session).game.id == "maxi-yatzy"
    assert session.dice_expected == 6
    assert session.view().remembered == ("Bo", "Cia", "Anna")


def test_lamps_follow_what_can_be_pressed(session: Session) -> None:
    assert set(steady(session.view())) == set()
    session.act(Start("maxi-yatzy", ("Anna",)))
    tray = Tray(session)
    tray.throw(1, 2, 3, 4, 5, None)
    assert "confirm" not in steady(session.view()), "one die is still asked about"
    session.act(Mend(6, 6))
    assert "confirm" in steady(session.view())
    session.act(Confirm())
    assert set(steady(session.view())) == {"undo"}
    session.act(Hold(2))
    assert set(steady(session.view())) == {"hold-2", "undo"}
    session.act(Enter("chance", 1))
    for _ in range(3):
        assert "saved-throw" not in steady(session.view()), "ordinary throws come first"
        session.act(ThrowByHand((1, 2, 3, 4, 5, 6)))
    assert "saved-throw" in steady(session.view())


def test_a_lost_camera_is_a_fault_and_no_end(session: Session, tray: Tray) -> None:
    session.lose_camera("camera-missing", "usb:0 is gone", forgot=False)
    assert session.view().faults == (Fault("camera-missing", "usb:0 is gone"),)
    assert session.view().tray == "no-camera"
    session.act(ThrowByHand((1, 2, 3, 4, 5)))
    assert match(session).dice == (1, 2, 3, 4, 5)
    tray.take_up()
    assert session.view().faults == ()


def test_what_is_not_on_the_disk_yet_is_shown_as_pending(session: Session, tray: Tray) -> None:
    session.journal.written = 0  # as if the disk had not answered
    assert session.view().saving


def test_an_event_that_breaks_the_rules_module_never_reaches_the_journal(
    session: Session, tray: Tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> rules.Match:
        raise RuntimeError("broken")

    monkeypatch.setattr("device.table.apply", broken)
    with pytest.raises(RuntimeError):
        session.act(ThrowByHand((1, 2, 3, 4, 5)))
    assert kinds(session) == ["game-started"]


def test_one_thing_at_most_is_wrong_with_the_camera_and_a_look_ends_it(session: Session, tray: Tray) -> None:
    session.lose_camera("camera-dark", "black", forgot=False)
    session.lose_camera("camera-frozen", "again and again", forgot=False)
    assert [fault.name for fault in session.faults.standing] == ["camera-frozen"]
    tray.throw(6, 3, 1, 3, 5)
    assert session.faults.standing == ()


def test_a_camera_back_without_its_memory_lost_shows_the_old_dice_as_old(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.act(Enter("chance", 1))
    session.lose_camera("camera-missing", "unplugged", forgot=False)
    tray.lies(6, 3, 1, 3, 5)
    assert session.view().seen == ()


def test_what_is_no_die_is_said_to_be_none_and_the_one_too_many_takes_its_place(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5, None, sure=False)
    seen = session.view().seen
    assert [die.value for die in seen] == [1, 3, 3, 5, 6, None], "one too many stands after the others"
    session.act(Confirm())
    assert session.notice == "count"
    session.act(Mend(6, 4))
    assert session.notice == "count"
    assert kinds(session) == ["game-started"]
    session.act(NoDie(2))
    assert [die.value for die in session.view().seen] == [1, None, 3, 5, 6]
    session.act(Mend(2, 2))
    session.act(Confirm())
    assert match(session).dice == (1, 2, 3, 5, 6)


def test_one_too_many_goes_by_one_touch(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5, None, sure=False)
    session.act(NoDie(6))
    session.act(NoDie(6))
    assert [die.value for die in session.view().seen] == [1, 3, 3, 5, 6]
    assert session.view().troubles == ()
    session.act(Confirm())
    assert match(session).dice == (1, 3, 3, 5, 6)


def test_without_one_too_many_the_die_that_was_none_is_missing(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(NoDie(1))
    missing = session.view().seen[0]
    assert (missing.value, missing.asked, missing.centre) == (None, True, None)
    session.act(Confirm())
    assert session.notice == "die-asked"
    tray.throw(6, 2, 2, 2, 2)
    assert [die.value for die in session.view().seen] == [2, 2, 2, 2, 6], "the next throw is read anew"


def test_only_what_is_still_doubtful_is_said(session: Session, tray: Tray) -> None:
    tray.throw(6, None, None, 3, 5, sure=False)
    assert session.view().troubles == ("doubtful-face",)
    session.act(Mend(4, 1))
    assert session.view().troubles == ("doubtful-face",)
    session.act(Mend(5, 1))
    assert session.view().troubles == ()


def test_each_die_keeps_what_the_camera_saw_of_it(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5, crops=True)
    seen = session.view().seen
    assert [die.crop.number for die in seen if die.crop] == [-3, -2, -4, -5, -1]
    session.act(Confirm())
    assert [crop.number for crop in session.view().crops if crop] == [-3, -2, -4, -5, -1]
    session.act(Hold(2))
    session.act(Hold(3))
    tray.throw(4, 4, 2, crops=True)
    assert [die.crop.number for die in session.view().seen if die.crop] == [-3, -2, -4, -1, -2]
    session.act(Confirm())
    session.act(Enter("chance", 1))
    assert session.view().crops == ()


def test_a_die_is_put_right_although_the_next_throw_came_too_early(session: Session, tray: Tray) -> None:
    for _ in range(3):
        tray.throw(1, 2, 3, 4, 6)
        session.act(Confirm())
    tray.throw(5, 5, 5, 5, 5)
    session.act(Mend(1, 2))
    assert match(session).dice == (2, 2, 3, 4, 6)


def hands_off(session: Session, tray: Tray) -> Tray:
    session.act(Look("auto-confirm", True))
    session.tick()
    return tray


def test_a_sure_reading_counts_down_two_seconds_and_is_taken(session: Session, tray: Tray, clock: Clock) -> None:
    hands_off(session, tray).throw(6, 3, 1, 3, 5)
    session.tick()
    assert session.view().countdown == 1
    clock.now += 1
    session.tick()
    assert session.view().countdown == 0.5
    assert kinds(session) == ["game-started"]
    clock.now += 1.01
    session.tick()
    assert match(session).dice == (1, 3, 3, 5, 6)
    assert session.view().countdown is None


def test_without_the_option_nothing_is_ever_taken_by_itself(session: Session, tray: Tray, clock: Clock) -> None:
    tray.throw(6, 3, 1, 3, 5)
    for _ in range(100):
        session.tick()
        clock.now += 1
    assert session.view().countdown is None
    assert kinds(session) == ["game-started"]


@pytest.mark.parametrize(
    ("faces", "sure"),
    [((6, None, 1, 3, 5), False), ((6, 2, 1, 3, 5), False), ((6, 3, 1, 3), True), ((6, 3, 1, 3, 5, 5), True)],
)
def test_what_is_not_sure_and_whole_waits_for_a_finger(
    session: Session, tray: Tray, clock: Clock, faces: tuple[int | None, ...], *, sure: bool
) -> None:
    hands_off(session, tray).throw(*faces, sure=sure)
    for _ in range(10):
        session.tick()
        clock.now += 1
    assert session.view().countdown is None
    assert kinds(session) == ["game-started"]


@pytest.mark.parametrize("touch", [Look("slot", 1), Mend(1, 1), Look("open", "menu"), Look("player", "Bo"), Undo()])
def test_any_touch_leaves_the_reading_to_the_finger(session: Session, tray: Tray, clock: Clock, touch: Any) -> None:
    hands_off(session, tray).throw(6, 3, 1, 3, 5)
    session.tick()
    clock.now += 1.9
    session.act(touch)
    session.act(Look("open", None))
    for _ in range(10):
        session.tick()
        clock.now += 1
    assert "thrown" not in kinds(session)
    session.act(Start("yatzy", ("Anna", "Bo")))
    session.act(Confirm())
    tray.throw(6, 3, 1, 3, 5)
    session.tick()
    assert session.view().countdown is not None, "the next reading counts down again"


def test_throwing_again_lets_the_sure_throw_before_stand(session: Session, tray: Tray, clock: Clock) -> None:
    hands_off(session, tray).throw(6, 3, 1, 3, 5)
    session.tick()
    clock.now += 0.5
    tray.throw(3, 2, 3, 6, 6, stayed={0: 1, 2: 3})
    assert match(session).dice == (1, 3, 3, 5, 6)
    session.tick()
    clock.now += 2.1
    session.tick()
    assert match(session).throw == 2
    assert match(session).dice == (2, 3, 3, 6, 6)
    assert facts(session)[-2] == {"type": "held", "slots": [2, 3]}


def test_hands_off_only_the_box_needs_a_touch_and_it_can_be_taken_back(
    session: Session, tray: Tray, clock: Clock
) -> None:
    hands_off(session, tray)
    for faces in ((1, 2, 3, 4, 6), (2, 2, 3, 4, 6), (2, 2, 2, 4, 6), (5, 5, 5, 5, 5)):
        tray.throw(*faces)
        session.tick()
        clock.now += 2.1
        session.tick()
    assert match(session).dice == (2, 2, 2, 4, 6), "the fourth throw came too early and waits"
    session.act(Enter("twos", 1))
    session.act(Undo())
    session.act(Enter("three-of-a-kind", 1))
    session.tick()
    clock.now += 2.1
    session.tick()
    assert match(session).player == "Bo"
    assert match(session).dice == (5,) * 5


def test_old_dice_found_lying_by_a_new_process_are_no_throw(session: Session, tray: Tray) -> None:
    tray.throw(6, 3, 1, 3, 5)
    session.act(Confirm())
    session.act(Enter("chance", 1))
    session.lose_camera("vision-restarting", "killed")
    tray.lies(6, 3, 1, 3, 5)
    assert session.view().seen == (), "nobody touched them"


def test_what_was_put_right_stays_when_a_new_process_finds_the_same_dice(session: Session, tray: Tray) -> None:
    tray.throw(6, None, 1, 3, 5)
    slot = [die.value for die in session.view().seen].index(None) + 1
    session.act(Mend(slot, 3))
    session.lose_camera("vision-restarting", "killed")
    tray.lies(6, None, 1, 3, 5)
    assert sorted(die.value or 0 for die in session.view().seen) == [1, 3, 3, 5, 6]


def test_dice_that_nobody_saw_thrown_are_never_taken_hands_off(session: Session, tray: Tray) -> None:
    session.lose_camera("vision-restarting", "killed")
    tray.lies(6, 3, 1, 3, 5)
    assert [die.value for die in session.view().seen] == [1, 3, 3, 5, 6]
    assert not session.tray.sure(session.match)
    tray.throw(6, 2, 2, 2, 5)
    assert session.tray.sure(session.match)


def test_dice_entered_by_finger_are_known_when_the_camera_comes_back(session: Session, tray: Tray) -> None:
    session.lose_camera("camera-missing", "unplugged", forgot=False)
    session.act(ThrowByHand((6, 3, 1, 3, 5)))
    tray.throw(3, 3, 1, 6, 5)  # it saw the rest of the throw
    assert session.view().seen == ()
    tray.throw(3, 3, 2, 2, 5, stayed={0: 0, 1: 1})
    assert [die.value for die in session.view().seen].count(2) == 2
