"""What the table says and sounds: the right words, one at a time, never waiting, never an error."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest

from device.announce import Announcement, announcement
from device.announcer import Announcer
from device.faults import Faults
from device.sound import RATE, SOUNDS, Sounds, made
from device.speech import Speech
from display.examples import picture, view
from display.view import View
from display.words import LANGUAGES
from rules import Entered, Event, GameStarted, Match, Thrown, Undone, apply


def played(*events: Event) -> Match:
    match = None
    for event in (GameStarted("yatzy", players=("Anna", "Bo")), *events):
        match = apply(match, event)
    assert match is not None
    return match


THROWN = played(Thrown((4, 4, 6, 6, 6)))
ENTERED = apply(THROWN, Entered("full-house"))


def said(old: Match, new: Match, language: str = "sv") -> Announcement | None:
    return announcement(view(old, language), view(new, language))


def test_an_entry_is_said_as_people_say_it() -> None:
    assert said(THROWN, ENTERED) == Announcement("entered", "Anna, 2 fyror, 3 sexor, Kåk 26. Bo.")
    struck = said(THROWN, apply(THROWN, Entered("ones")), "de")
    assert struck == Announcement("struck", "Anna streicht Einer. Bo.")


def test_a_throw_is_said_by_what_is_alike_else_die_by_die() -> None:
    start = played()
    assert said(start, apply(start, Thrown((4, 4, 6, 6, 6)))) == Announcement("thrown", "Anna, 2 fyror, 3 sexor")
    assert said(played(), played(Thrown((1, 3, 4, 5, 6)))) is None, "two games have nothing to do with each other"
    assert said(start, apply(start, Thrown((1, 6, 4, 5, 3)))) == Announcement("thrown", "Anna, 1, 3, 4, 5, 6")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything(language: str) -> None:
    for event in (Entered("full-house"), Entered("ones")):
        found = said(THROWN, apply(THROWN, event), language)
        assert found is not None
        assert found.text is not None
        assert "Anna" in found.text
        assert "{" not in found.text


def test_taking_back_is_seen_and_not_said() -> None:
    assert said(ENTERED, apply(ENTERED, Undone())) is None
    assert said(ENTERED, ENTERED) is None


def test_the_end_of_the_game_names_the_winner() -> None:
    boxes = [box.id for box in THROWN.game.entry_boxes]
    match = played()
    for box in boxes:
        for faces in ((6, 6, 6, 6, 6), (1, 1, 1, 1, 2)):
            match = apply(match, Thrown(faces))
            last, match = match, apply(match, Entered(box))
    assert match.phase == "over"
    found = said(last, match, "en")
    assert found is not None
    assert found.sound == "won"
    assert found.text is not None
    assert found.text.endswith("Anna wins.")


def test_what_is_refused_and_what_is_doubtful_is_said() -> None:
    quiet = view(THROWN, "en")
    refused = announcement(quiet, replace(quiet, notice="throw-first"))
    assert refused == Announcement("refused", "Throw the dice first.")
    seen = picture((2, 4, 4, 6, 1))[1]
    assert announcement(quiet, replace(quiet, seen=seen)) == Announcement("seen")
    asked = (*seen[:4], replace(seen[4], value=None, asked=True, trouble="cut-off"))
    doubtful = announcement(quiet, replace(quiet, seen=asked))
    assert doubtful == Announcement("asked", "A die lies at the edge of the picture.")
    assert announcement(replace(quiet, seen=asked), replace(quiet, seen=asked)) is None, "said once"


def test_sounds_are_short_soft_and_without_clicks() -> None:
    for name, notes in SOUNDS.items():
        wave = np.array(made(notes)) / 32_767
        assert len(wave) / RATE <= 0.7, name
        assert 0.05 < np.abs(wave).max() <= 0.3, name
        assert abs(wave[0]) < 0.01, name
        assert np.abs(np.diff(wave)).max() < 0.2, name


@pytest.fixture
def sounds(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sounds]:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    made_here = Sounds()
    yield made_here
    made_here.close()
    pygame.mixer.quit()


def until(true: Callable[[], object], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.01)
    return bool(true())


def test_every_sound_plays_on_a_device(sounds: Sounds) -> None:
    sounds.play("won")
    assert until(lambda: sounds._open)
    for name in SOUNDS:
        sounds.play(name)
    assert pygame.mixer.get_busy()
    assert sounds.missing is None


def test_without_a_device_nothing_sounds_and_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    sounds = Sounds()
    sounds.play("won")
    assert until(lambda: sounds.missing)
    sounds.play("won")
    sounds.close()


@pytest.fixture
def espeak(tmp_path: Path) -> Path:
    """Stands in for espeak-ng: notes what it was to say, and speaks until it is hushed."""
    program = tmp_path / "espeak-ng"
    program.write_text(f'#!/bin/sh\n(echo "$@"; cat; echo) >>{tmp_path}/said\nexec sleep 60\n')
    program.chmod(0o755)
    return program


def test_a_new_announcement_replaces_the_old_and_closing_hushes(espeak: Path) -> None:
    speech = Speech(str(espeak))
    heard = espeak.with_name("said")
    began = time.monotonic()
    speech.say("Anna, två fyror, kåk tjugosex", "sv")
    assert time.monotonic() - began < 5, "it was not waited for"
    assert until(lambda: heard.exists() and "kåk" in heard.read_text())
    assert "-v sv" in heard.read_text()
    first = speech._process
    assert first is not None
    speech.say("Bo", "sv")
    assert until(lambda: "Bo" in heard.read_text())
    assert until(lambda: first.poll() is not None), "the old one fell silent"
    second = speech._process
    speech.close()
    assert second is not None
    assert second.poll() is not None
    assert not (Path(f"/proc/{second.pid}").exists() and os.getpgid(second.pid) == second.pid)


def test_announcements_that_come_fast_end_with_the_last(espeak: Path) -> None:
    speech = Speech(str(espeak))
    for number in range(30):
        speech.say(f"number {number}", "en")
    heard = espeak.with_name("said")
    assert until(lambda: heard.exists() and "number 29" in heard.read_text())
    speech.close()


def test_a_table_without_espeak_is_silent_and_says_so_once(tmp_path: Path) -> None:
    faults = Faults()
    announcer = Announcer(faults, speech=Speech(str(tmp_path / "none")))

    def shown(match: Match, *, speech: bool) -> View:
        made_view = view(match, "en")
        return replace(made_view, desk=replace(made_view.desk, speech=speech))

    announcer.show(shown(played(), speech=True))
    for match in (THROWN, ENTERED):
        announcer.show(shown(played(), speech=True))
        announcer.show(shown(match, speech=True))
    start = played()
    announcer.show(shown(start, speech=True))
    announcer.show(shown(apply(start, Thrown((1, 1, 2, 3, 4))), speech=True))
    assert until(lambda: announcer._speech.missing)
    announcer.show(shown(start, speech=True))
    assert [fault.name for fault in faults.standing] == ["sound-missing"]
    announcer.show(shown(start, speech=False))
    assert faults.standing == ()
    announcer.close()


def test_switched_off_nothing_is_opened() -> None:
    announcer = Announcer(Faults())
    announcer.show(view(played(), "en"))
    announcer.show(view(THROWN, "en"))
    assert announcer._sounds._opening is None
    assert announcer._speech._speaker is None
    announcer.close()
