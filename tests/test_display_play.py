"""Whole games, driven as people drive them: by taps alone, by the keyboard alone, by the nine push buttons alone."""

import os
from dataclasses import dataclass, field, replace

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pytest

from device.lamps import steady
from display import keys, layout
from display.desk import Desk, react
from display.examples import NAMES, Dice, gallery, kept, known_games
from display.intent import (
    Calibrate,
    ChangeRules,
    CheckUp,
    CloseProgram,
    Confirm,
    Enter,
    ForgetName,
    Hold,
    JoinTable,
    LeaveTable,
    Look,
    Mend,
    NewGame,
    NoDie,
    Pass,
    PlayOn,
    PutAside,
    Redo,
    SpendSavedThrow,
    Start,
    SwitchOff,
    TakeUp,
    ThrowByHand,
    Undo,
    Unlock,
)
from display.scene import DrawnDie, Lettering, Photo
from display.standing import best_entry, rules_wanted
from display.theme import touch
from display.view import Aside, Fault, SeenDie, Setup, View, Wired
from display.words import words
from rules import (
    Corrected,
    Entered,
    GameClosed,
    GameStarted,
    Held,
    LotThrown,
    Passed,
    PlayerJoined,
    PlayerLeft,
    Redone,
    RulesChanged,
    SavedThrowSpent,
    Thrown,
    Undone,
    apply,
    check,
)

BUTTONS = (*(f"hold-{slot}" for slot in range(1, 7)), "saved-throw", "confirm", "undo")
SIZE = (800, 480)


@dataclass
class FakeSession:
    """A table without disk: intents become events, a throw in the tray waits until it is confirmed."""

    camera: bool = False
    remembered: tuple[str, ...] = ()
    pin: str | None = None
    unlocked: bool = False
    shelf: dict = field(default_factory=dict)
    alone: bool = False
    reached: set = field(default_factory=set)
    tells_the_desk: bool = True
    match: object = None
    desk: Desk = field(default_factory=Desk)
    seen: tuple[SeenDie, ...] = ()
    notice: str | None = None
    faults: tuple[Fault, ...] = ()
    setup: Setup = field(default_factory=Setup)
    refused: list = field(default_factory=list)

    def view(self) -> View:
        tray = "settled" if self.camera else "no-camera"
        return View(
            known_games(),
            self.match,
            self.desk,
            tray,
            seen=self.seen,
            notice=self.notice,
            faults=self.faults,
            setup=self.setup,
            remembered=self.remembered,
            aside=tuple(
                Aside(number, match.game, tuple(seat.name for seat in match.seats), None, 0, 1)
                for number, match in reversed(self.shelf.items())
            ),
            locked=self.pin is not None and not self.unlocked,
            alone=self.alone and self.match is not None and self.match.phase != "over",
        )

    def act(self, intent) -> None:
        if intent is None:
            return
        self.notice = None
        before = self.view()
        self.alone = False
        match intent:
            case Look():
                self.desk = react(self.desk, intent, before)
                return
            case Start(game, players, rules, teams, names, begins):
                done = self.record(GameStarted(game, players, rules, teams, names, begins))
            case NewGame():
                done = self.match is None or self.record(GameClosed())
                self.match = None
            case Confirm():
                assert all(die.value for die in self.seen)
                done = self.record(self.throw(tuple(die.value for die in self.seen)))
                self.seen = () if done else self.seen
            case ThrowByHand(dice):
                done = self.record(self.throw(dice))
                self.seen = () if done else self.seen
            case Mend(slot, value) if self.seen:
                mended = replace(self.seen[slot - 1], value=value, asked=False)
                self.seen = (*self.seen[: slot - 1], mended, *self.seen[slot:])
                done = True
            case Mend(slot, value):
                faces = self.match.dice
                done = self.record(Corrected((*faces[: slot - 1], value, *faces[slot:])))
            case NoDie(slot):
                missing = SeenDie(None, asked=True)
                self.seen = (*self.seen[: slot - 1], missing, *self.seen[slot:])
                done = True
            case Hold(slot):
                done = self.record(Held(tuple(sorted(set(self.match.held) ^ {slot}))))
            case Enter(box, column):
                done = self.record(Entered(box, column))
            case Pass():
                done = self.record(Passed())
            case SpendSavedThrow():
                done = self.record(SavedThrowSpent())
            case Undo():
                done = self.record(Undone())
            case Redo():
                done = self.record(Redone())
            case ChangeRules(rules):
                done = self.record(RulesChanged(rules))
            case LeaveTable(player):
                done = self.record(PlayerLeft(player))
            case JoinTable(player):
                done = self.record(PlayerJoined(player))
            case PutAside():
                self.shelf[max(self.shelf, default=0) + 1] = self.match
                self.match, done = None, True
            case TakeUp(game):
                taken = self.shelf.pop(game)
                if self.match is not None and self.match.phase != "over":
                    self.shelf[max((*self.shelf, game)) + 1] = self.match
                self.match, done = taken, True
            case ForgetName(player):
                self.remembered = tuple(name for name in self.remembered if name != player)
                done = True
            case Unlock(digits):
                done = self.unlocked = digits == self.pin
                self.notice = None if done else "wrong-pin"
            case SwitchOff() | CloseProgram():
                assert not before.locked
                done, self.notice = False, "off-failed"
            case PlayOn() | Calibrate() | CheckUp():
                done = True
        if done and self.tells_the_desk:
            self.desk = react(self.desk, intent, before)
        elif done and isinstance(intent, Start):
            self.desk = replace(self.desk, screen="play")

    def throw(self, dice):
        """What thrown dice are: a throw of the turn, or a lot."""
        lots = self.match.phase in ("begin", "throw-off")
        return LotThrown(self.match.player, dice) if lots else Thrown(dice)

    def record(self, event) -> bool:
        refusal = check(self.match, event)
        if refusal is not None:
            self.notice = refusal
            self.refused.append((event, refusal))
            return False
        self.match = apply(self.match, event)
        return True

    def press(self, *names: str) -> None:
        for name in names:
            self.act(keys.intent(self.view(), name, SIZE))

    def tap(self, wanted, size=SIZE) -> None:
        """A finger on the rectangle that means this: fails when there is none."""
        view = self.view()
        rect = next((rect for rect, meant in layout.scene(view, size).targets() if meant == wanted), None)
        assert rect is not None, f"nothing on the screen means {wanted}"
        hit = layout.hit(view, size, rect.x + rect.w // 2, rect.y + rect.h // 2)
        assert hit == wanted
        self.act(hit)

    def falls(self, dice: Dice) -> tuple[int, ...]:
        """The dice thrown: held ones lie, the others roll."""
        match = self.match
        if match.phase in ("begin", "throw-off"):
            return dice.throw(match.game.lot_dice)
        fresh = dice.throw(match.game.dice)
        return tuple(
            match.dice[slot - 1] if slot in match.held else fresh[slot - 1] for slot in range(1, match.game.dice + 1)
        )


@pytest.mark.parametrize(
    ("name", "size", "throws", "tells_the_desk"),
    [
        ("yatzy", (800, 480), 2, True),
        ("yatzy", (720, 1280), 1, False),
        ("yahtzee", (800, 480), 1, False),
        ("maxi-yatzy", (800, 480), 1, True),
        pytest.param("trippel-maxi-yatzy", (800, 480), 2, False, marks=pytest.mark.slow),
        pytest.param("trippel-maxi-yatzy", (720, 1280), 1, True, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_a_whole_game_by_taps_alone_without_a_camera(name, size, throws, tells_the_desk):
    table = FakeSession(tells_the_desk=tells_the_desk)
    tap = lambda wanted: table.tap(wanted, size)  # noqa: E731
    tap(Look("game", name))
    for player in ("Åse", "Bo-é"):
        tap(Look("type"))
        for letter in player.lower():
            tap(Look("letter", letter))
        tap(Look("add-player", table.desk.typing))
    assert table.desk.players == ("Åse", "Bo-É")
    tap(Start(name, ("Åse", "Bo-É")))
    dice = Dice(21)
    turns = 0
    while table.match.phase != "over":
        for throw in range(throws):
            if throw:
                slots = kept(table.match.dice)[: table.match.game.dice - 1]
                for slot in slots:
                    tap(Hold(slot))
            faces = table.falls(dice)
            for slot, face in enumerate(faces, start=1):
                if slot not in table.match.held:
                    tap(Look("face", face))
            tap(ThrowByHand(faces))
            assert table.match.dice == faces
        place = best_entry(table.match)
        if Enter(*place) not in [meant for _, meant in layout.scene(table.view(), size).targets()]:
            tap(Look("large", True))
        tap(Enter(*place))
        turns += 1
        assert turns < 500
    assert not table.refused
    assert turns == 2 * len(table.match.game.entry_boxes) * table.match.in_force.columns
    tap(NewGame())
    assert table.match is None
    tap(Start(name, ("Åse", "Bo-É")))  # the same people at once again
    assert table.match.phase == "throw"


@pytest.mark.parametrize("game", known_games(), ids=lambda game: game.id)
def test_a_whole_game_by_the_nine_buttons_alone_with_a_camera(game):
    table = FakeSession(camera=True, remembered=NAMES[:3])
    for _ in range(40):  # down the list of games to the one wanted
        focus = table.desk.focus
        if focus == Look("game", game.id):
            break
        table.press("hold-3" if focus is not None and getattr(focus, "what", "") != "game" else "hold-2")
    table.press("confirm")
    assert table.desk.game == game.id
    for player in NAMES[:2]:
        steer(table, Look("add-player", player))
        table.press("confirm")
    steer(table, Start(game.id, NAMES[:2]))
    table.press("confirm")
    assert table.match.game.id == game.id
    play_by_buttons(table, Dice(8))
    assert not table.refused
    table.press("confirm")
    assert table.match is None
    table.press("confirm")  # the same game with the same people at once again
    assert table.match.players == NAMES[:2]
    assert table.match.phase == "throw"


def steer(table, wanted, arrows=("hold-1", "hold-2", "hold-3", "hold-4")) -> None:
    """Moves what is pointed at to the wanted thing, with four keys alone, as a person does: by looking."""
    seen = {table.desk.focus}
    ways = [(table.desk, ())]
    while ways:
        desk, path = ways.pop(0)
        for name in arrows:
            view = replace(table.view(), desk=desk)
            intent = keys.intent(view, name, SIZE)
            after = react(desk, intent, view) if isinstance(intent, Look) else desk
            if after.focus == wanted:
                table.press(*path, name)
                return
            if after.focus not in seen:
                seen.add(after.focus)
                ways.append((after, (*path, name)))
    raise AssertionError(f"no buttons lead to {wanted}")


def play_by_buttons(table, dice) -> None:
    turns = 0
    while table.match.phase != "over":
        turns += 1
        assert turns < 500
        throws = 3 if turns % 3 else 1
        for throw in range(throws):
            if throw:
                slots = kept(table.match.dice)
                if len(slots) == table.match.game.dice:
                    break
                table.press(*(f"hold-{slot}" for slot in slots))
                assert table.match.held == slots
            faces = table.falls(dice)
            table.seen = tuple(SeenDie(face, asked=False) for face in faces)
            if turns % 5 == 0:  # one die is doubtful: it is asked about, its button says its face
                table.seen = (replace(table.seen[0], value=None, asked=True), *table.seen[1:])
                table.press("confirm")
                assert table.match.dice != faces or throw, "an unread die is never confirmed"
                table.press(f"hold-{faces[0]}")
            table.press("confirm")
            assert table.match.dice == faces
            assert table.seen == ()
        if table.match.saved and table.match.throws_left == 0 and table.match.saved.get(table.match.player, 0):
            table.press("saved-throw")
            table.seen = tuple(SeenDie(face, asked=False) for face in table.falls(dice))
            table.press("confirm")
        move_cursor(table, turns)


def move_cursor(table, turns) -> None:
    table.press("confirm")
    view = table.view()
    assert view.desk.box == best_entry(table.match)
    if turns % 4 == 0:  # look round the sheet first, and come back
        start = view.desk.box
        table.press("hold-2", "hold-1")
        assert table.desk.box == start
        table.press("undo")
        assert table.desk.box is None
        table.press("confirm")
    filled = sum(len(column.boxes) for score in table.match.scores for column in score.columns)
    table.press("confirm")
    after = sum(len(column.boxes) for score in table.match.scores for column in score.columns)
    assert after > filled


def test_a_whole_game_by_the_keyboard_alone_names_and_dice_typed():
    table = FakeSession()
    for _ in range(9):
        if table.desk.focus == Look("game", "yahtzee"):
            break
        table.press("down")
    table.press("enter")
    assert table.desk.game == "yahtzee"
    steer(table, Look("type"))
    table.press("enter", *"åse", "space", *"mö", "enter")
    assert table.desk.players == ("Åse Mö",)
    steer(table, Start("yahtzee", ("Åse Mö",)))
    table.press("enter")
    dice = Dice(4)
    while table.match.phase != "over":
        table.press(*(str(face) for face in dice.throw(5)), "enter")
        assert table.match.phase == "choose"
        table.press("s", *(str(face) for face in dice.throw(5)), "enter")  # all again
        assert table.match.throw == 2
        table.press("enter", "down", "up", "enter")
    assert not table.refused
    assert len(table.match.scores[0].columns[0].boxes) == len(table.match.game.boxes)


def test_a_name_can_be_written_with_the_buttons_too():
    table = FakeSession()
    steer(table, Look("type"))
    table.press("confirm")
    for letter in "åke":
        steer(table, Look("letter", letter))
        table.press("confirm")
    assert table.desk.typing == "Åke"
    steer(table, Look("add-player", "Åke"))
    table.press("confirm")
    assert table.desk.players == ("Åke",)


def test_names_are_as_the_table_wants_them():
    table = FakeSession()
    for _ in range(2):
        table.act(Look("type"))
        for letter in "x" * 30:
            table.press(letter)
        assert table.desk.typing == "X" + "x" * 19
        table.press("enter")
    assert table.desk.players == ("X" + "x" * 19,)
    assert table.desk.notice == "name-taken"
    table.press("escape")
    table.act(Look("add-player", "  "))
    assert table.desk.notice == "name-missing"
    for name in NAMES:
        table.act(Look("add-player", name))
    assert len(table.desk.players) == 8
    assert table.desk.notice == "table-full"
    table.tap(Look("earlier", NAMES[0]))
    assert table.desk.players[0] == NAMES[0]
    table.tap(Look("remove-player", NAMES[0]))
    assert NAMES[0] not in table.desk.players


def test_house_rules_are_settled_by_touch_before_the_game():
    table = FakeSession(remembered=("Anna",))
    table.tap(Look("game", "maxi-yatzy"))
    table.tap(Look("open", "rules"))
    table.tap(Look("rule", ("bonus-variant", "75-50")))
    table.tap(Look("rule", ("upper-bonus-threshold", 76)))  # one step up from what the variant says
    table.tap(Look("rule", ("upper-bonus-threshold", 75)))
    assert table.desk.rules == (("bonus-variant", "75-50"),)
    table.tap(Look("rule", ("saved-throws", False)))
    table.tap(Look("page", 1))
    table.tap(Look("rule", ("order", "down")))
    table.tap(Look("open", None))
    table.tap(Look("add-player", "Anna"))
    table.tap(Start("maxi-yatzy", ("Anna",), table.desk.rules))
    rules = table.match.in_force
    assert (rules.threshold, rules.bonus, rules.saved_throws, rules.order) == (75, 50, False, ("down",))


def test_a_house_rule_out_of_its_range_is_refused_with_a_sentence():
    table = FakeSession()
    table.act(Look("rule", ("upper-bonus-threshold", 999)))
    assert table.desk.rules == ()
    assert table.desk.notice == "rule-out-of-range"
    table.act(Look("rule", ("nonsense", 1)))
    table.act(Look("rule", ("order", "up")))
    assert table.desk.rules == (("order", "up"),)
    table.act(Look("game", "yahtzee"))
    assert table.desk.rules == ()


def test_house_rules_changed_on_trial_in_mid_game_may_stay_as_they_were():
    table = FakeSession()
    table.act(Start("yatzy", ("Anna",), (("extra-yatzy-bonus", 50),)))
    before = table.match
    table.tap(Look("open", "menu"))
    table.tap(Look("open", "rules"))
    targets = [meant for _, meant in layout.scene(table.view(), SIZE).targets()]
    table.tap(next(meant for meant in targets if isinstance(meant, Look) and meant.what == "rule"))
    assert rules_wanted(table.view()) != ()
    table.tap(Look("open", None))
    assert table.desk.open is None
    assert table.match is before
    table.tap(Look("open", "menu"))
    table.tap(Look("open", "rules"))
    assert rules_wanted(table.view()) == ()


def test_the_small_sheet_is_no_button_while_a_throw_waits_over_the_large_one():
    table = FakeSession(camera=True)
    table.act(Start("trippel-maxi-yatzy", ("Anna",)))
    assert Look("large", True) in [meant for _, meant in layout.scene(table.view(), SIZE).targets()]
    table.seen = tuple(SeenDie(face, asked=False) for face in (1, 2, 3, 4, 5, 6))
    assert Look("large", True) not in [meant for _, meant in layout.scene(table.view(), SIZE).targets()]


def test_a_language_is_changed_in_mid_game_without_loss():
    table = FakeSession()
    table.act(Start("yatzy", ("Anna",)))
    for face in (1, 2, 3):
        table.tap(Look("face", face))
    before = table.match
    table.tap(Look("open", "menu"))
    table.tap(Look("open", "language"))
    table.tap(Look("language", "fi"))
    table.tap(Look("open", None))
    assert table.desk.language == "fi"
    assert table.desk.pad == (1, 2, 3)
    assert table.match is before
    table.tap(Look("open", "menu"))
    table.tap(Look("night", True))
    table.tap(Look("open", "end"))
    table.tap(NewGame())
    assert table.match is None
    assert (table.desk.language, table.desk.night) == ("fi", True)


def test_a_key_that_points_never_confirms_in_place_of_the_dice():
    table = FakeSession(camera=True)
    table.act(Start("yatzy", ("Anna",)))
    table.press("down")
    assert table.desk.focus is not None
    table.seen = tuple(SeenDie(face, asked=False) for face in (1, 2, 3, 4, 5))
    assert keys.intent(table.view(), "confirm", SIZE) == Confirm()


def test_undo_reaches_back_by_one_button_and_a_cursor_never_costs():
    table = FakeSession(camera=True)
    table.act(Start("yatzy", ("Anna", "Bo")))
    table.seen = tuple(SeenDie(face, asked=False) for face in (1, 2, 3, 4, 5))
    table.press("confirm", "confirm", "confirm")
    assert table.match.phase == "throw"
    assert table.match.player == "Bo"
    table.tap(Undo())
    assert table.match.player == "Anna"
    assert table.match.dice == (1, 2, 3, 4, 5)
    assert keys.intent(table.view(), "undo") == Undo()


def test_a_doubtful_die_is_asked_about_by_itself_and_the_throw_waits():
    table = FakeSession(camera=True)
    table.act(Start("yatzy", ("Anna",)))
    table.seen = (*(SeenDie(face, asked=False) for face in (1, 2, 3, 4)), SeenDie(None, asked=True))
    targets = [meant for _, meant in layout.scene(table.view(), SIZE).targets()]
    assert {Mend(5, face) for face in range(1, 7)} <= set(targets)
    assert Confirm() not in targets
    table.tap(Mend(5, 6))
    table.tap(Confirm())
    assert table.match.dice == (1, 2, 3, 4, 6)
    table.tap(Look("changing", True))
    table.tap(Look("slot", 1))
    table.tap(Mend(1, 5))
    assert table.match.dice == (5, 2, 3, 4, 6)


def test_the_doubtful_dies_own_trouble_is_said_and_it_may_be_no_die():
    table = FakeSession(camera=True)
    table.act(Start("yatzy", ("Anna",)))
    sure = tuple(SeenDie(face, asked=False, centre=(90.0 * face, 50.0), size=40.0) for face in (1, 2, 3, 4))
    doubtful = SeenDie(None, asked=True, centre=(10.0, 50.0), size=40.0)
    for name, sentence in words("sv").table["trouble"].items():
        table.seen = (*sure, replace(doubtful, trouble=name))
        table.desk = replace(table.desk, language="sv")
        scene = layout.scene(table.view(), SIZE)
        said = [" ".join(thing.lines) for thing in scene.things if isinstance(thing, Lettering)]
        assert sentence in said, name
        asked = [meant for _, meant in scene.targets() if isinstance(meant, Mend | NoDie)]
        assert set(asked) == {NoDie(5), *(Mend(5, face) for face in range(1, 7))}
        assert keys.intent(table.view(), "saved-throw") == NoDie(5), "by push button too"
    table.tap(NoDie(5))
    scene = layout.scene(table.view(), SIZE)
    said = [" ".join(thing.lines) for thing in scene.things if isinstance(thing, Lettering)]
    assert words("sv").ui("die-missing") in said
    assert NoDie(5) not in [meant for _, meant in scene.targets()]


def test_dice_too_many_are_shown_and_not_taken_until_one_is_no_die():
    table = FakeSession(camera=True)
    table.act(Start("yatzy", ("Anna",)))
    table.seen = tuple(SeenDie(1 + n, asked=False, centre=(90.0 * n, 50.0), size=40.0) for n in range(6))
    scene = layout.scene(table.view(), SIZE)
    targets = [meant for _, meant in scene.targets()]
    assert Confirm() not in targets
    assert {Look("slot", slot) for slot in range(1, 7)} <= set(targets)
    table.tap(Look("slot", 2))
    assert NoDie(2) in [meant for _, meant in layout.scene(table.view(), SIZE).targets()]


def test_each_drawn_die_stands_beside_what_the_camera_saw_of_it():
    for name in ("play-reading", "play-choose", "play-held", "play-maxi", "play-trippel-maxi"):
        for size in ((800, 480), (1280, 720), (720, 1280)):
            scene = layout.scene(gallery("en")[name], size)
            dice = [thing for thing in scene.things if isinstance(thing, DrawnDie) and thing.shelf]
            crops = [thing for thing in scene.things if isinstance(thing, Photo) and thing.picture.number < 0]
            assert len(dice) == len(crops) in (5, 6)
            for die, crop in zip(dice, crops, strict=True):
                (x, y), (other_x, other_y) = die.rect.middle, crop.rect.middle
                apart = max(abs(x - other_x), abs(y - other_y))
                assert apart <= 1.5 * crop.rect.w, (name, size)
                assert crop.rect.w == crop.rect.h >= 0.75 * touch(size)


def test_a_throw_read_or_entered_but_not_taken_yet_is_counted_as_the_next():
    def said(view):
        texts = [thing.lines[0] for thing in layout.scene(view, SIZE).things if isinstance(thing, Lettering)]
        return next(text for text in texts if text.startswith("Throw ") and "of" in text)

    shown = gallery("en")
    assert said(shown["play-to-throw"]) == said(shown["play-reading"]) == "Throw 1 of 3"
    chosen = shown["play-choose"]
    assert said(chosen) == "Throw 2 of 3"
    assert said(replace(chosen, seen=shown["play-reading"].seen)) == "Throw 3 of 3"
    entering = replace(chosen.desk, screen="pad", pad=(6,), moment=chosen.match.standing)
    assert said(replace(chosen, desk=entering)) == "Throw 3 of 3"
    last = shown["play-last-throw"]
    assert said(replace(last, seen=shown["play-reading"].seen)) == said(last) == "Throw 3 of 3"


def test_everyones_total_is_always_in_sight_and_every_sheet_one_touch_away():
    for name in ("play-maxi", "play-trippel-maxi", "longest-names"):
        for size in ((800, 480), (720, 1280)):
            view = gallery("en")[name]
            targets = [meant for _, meant in layout.scene(view, size).targets()]
            players = {meant.value for meant in targets if isinstance(meant, Look) and meant.what == "player"}
            others = {seat.name for seat in view.match.seats if seat.name != view.match.player}
            assert players == {*others, None}
            assert len(players) == 8


def test_an_entry_is_taken_back_by_one_button_that_names_it_until_the_next_throw():
    view = gallery("en")["play-entered"]
    scene = layout.scene(view, SIZE)
    named = [thing for thing in scene.things if isinstance(thing, Lettering) and "Take back" in thing.lines[0]]
    assert [" ".join(one.lines) for one in named] == ["Take back Two pairs"]
    assert scene.touched(*named[0].rect.middle) == Undo()
    later = replace(view, match=apply(view.match, Thrown((1, 2, 3, 4, 5))))
    texts = [thing.lines[0] for thing in layout.scene(later, SIZE).things if isinstance(thing, Lettering)]
    assert not any("Take back" in text for text in texts)


def test_without_a_camera_it_is_taken_back_until_the_first_face_of_the_next_throw():
    view = replace(gallery("en")["play-entered"], tray="no-camera")
    begun = replace(view, desk=replace(view.desk, screen="pad", pad=(3,), moment=view.match.standing))
    for shown, there in ((view, True), (begun, False)):
        texts = [" ".join(t.lines) for t in layout.scene(shown, SIZE).things if isinstance(t, Lettering)]
        assert ("Take back Two pairs" in texts) == there


@pytest.mark.parametrize("tells_the_desk", [True, False])
def test_a_reading_can_be_set_aside_and_the_dice_entered_by_finger_once(tells_the_desk):
    table = FakeSession(camera=True, tells_the_desk=tells_the_desk)
    table.act(Start("yatzy", ("Anna",)))
    table.desk = replace(table.desk, screen="play")
    table.seen = tuple(SeenDie(None, asked=True) for _ in range(5))
    table.tap(Look("screen", "pad"))
    for face in (6, 6, 6, 6, 5):
        table.tap(Look("face", face))
    table.tap(Look("erase-face"))
    table.tap(Look("face", 6))
    table.tap(ThrowByHand((6, 6, 6, 6, 6)))
    assert table.match.dice == (6, 6, 6, 6, 6)
    table.tap(Hold(1))
    table.seen = tuple(SeenDie(face, asked=False) for face in (6, 1, 2, 3, 4))
    table.tap(Confirm())
    assert table.match.throw == 2


def test_a_reading_that_comes_while_faces_were_entered_is_taken_as_a_reading():
    table = FakeSession()
    table.act(Start("yatzy", ("Anna",)))
    for face in (6, 6, 6, 6, 5):
        table.tap(Look("face", face))
    table.camera = True
    table.seen = tuple(SeenDie(face, asked=False) for face in (1, 2, 3, 4, 5))
    targets = [meant for _, meant in layout.scene(table.view(), SIZE).targets()]
    assert not any(isinstance(meant, ThrowByHand) for meant in targets)
    assert keys.intent(table.view(), "confirm") == Confirm()
    table.tap(Confirm())
    assert table.match.dice == (1, 2, 3, 4, 5)


def test_a_die_is_held_by_touch_and_let_go_again():
    table = FakeSession(camera=True)
    table.act(Start("maxi-yatzy", ("Anna",)))
    table.seen = tuple(SeenDie(face, asked=False) for face in (1, 2, 3, 4, 5, 6))
    table.tap(Confirm())
    table.tap(Hold(6))
    table.tap(Hold(2))
    table.tap(Hold(6))
    assert table.match.held == (2,)


def test_passing_and_playing_on_are_offered_only_when_they_mean_something():
    table = FakeSession(camera=True)
    table.act(Start("yatzy", ("Anna",), (("write-zero", False), ("order", "down"))))
    table.seen = tuple(SeenDie(face, asked=False) for face in (2, 2, 3, 4, 5))
    table.tap(Confirm())
    targets = [meant for _, meant in layout.scene(table.view(), SIZE).targets()]
    assert Pass() in targets
    assert PlayOn() not in targets
    waiting = replace(table.view(), waiting=True)
    assert PlayOn() in [meant for _, meant in layout.scene(waiting, SIZE).targets()]
    assert keys.intent(waiting, "n") == keys.intent(waiting, "space") == PlayOn()
    assert keys.intent(table.view(), "p") == Pass()


def test_any_players_sheet_is_one_touch_away_and_so_is_the_way_back():
    table = FakeSession()
    table.act(Start("yatzy", ("Anna", "Bo")))
    table.tap(Look("player", "Bo"))
    assert table.desk.shown_player == "Bo"
    table.tap(Look("player", None))
    assert table.desk.shown_player is None


def test_from_the_first_screen_to_the_first_scored_box_in_eight_touches():
    """With a camera, for one of the players the table knows."""
    table = FakeSession(camera=True, remembered=NAMES)
    touches = [Look("add-player", "Anna"), Start("yatzy", ("Anna",))]
    for wanted in touches:
        table.tap(wanted)
    table.seen = tuple(SeenDie(face, asked=False) for face in (1, 2, 3, 4, 5))
    table.tap(Confirm())
    table.tap(Enter("small-straight", 1))
    assert len(touches) + 2 <= 8
    assert table.match.scores[0].total == 15


@pytest.mark.parametrize("playing", [False, True])
def test_the_cards_of_what_is_wrong_are_one_touch_away_and_are_left_again(playing):
    table = FakeSession(faults=(Fault("disk-full"), Fault("sound-missing")))
    if playing:
        table.act(Start("yatzy", ("Anna",)))
    else:
        table.act(Look("type"))  # in the middle of a name
    table.tap(Look("open", "faults"))
    table.tap(Look("dismiss", "sound-missing"))
    meant = [meant for _, meant in layout.scene(table.view(), SIZE).targets()]
    assert meant == [Look("open", None)], "what lasts cannot be put away"
    table.press("undo")
    assert table.desk.open is None
    steer(table, Look("open", "faults"), ("up", "down", "left", "right"))
    table.press("confirm")
    assert table.desk.open == "faults"
    table.press("confirm")
    assert table.desk.open is None


def wired(*down: str) -> Setup:
    return Setup(wired=tuple(Wired(name, 5 + place, down=name in down) for place, name in enumerate(BUTTONS)))


@pytest.mark.parametrize("playing", [False, True])
def test_the_setup_is_used_with_the_push_buttons_alone(playing):
    table = FakeSession(setup=wired())
    if playing:
        table.act(Start("yatzy", ("Anna",)))
    before = table.match
    table.press("setup")
    assert table.desk.open == "setup"
    table.press("confirm")
    assert table.desk.language == "en", "nothing is changed by a press in passing"
    for wanted in (Look("rotate", 90), Look("sound", True), Look("night", True), Look("language", "fi")):
        steer(table, wanted)
        table.press("confirm")
    assert (table.desk.rotate, table.desk.sound, table.desk.night, table.desk.language) == (90, True, True, "fi")
    steer(table, Look("open", "setup-buttons"))
    table.press("confirm", *BUTTONS)
    assert table.desk.tried == BUTTONS
    assert table.desk.open == "setup-buttons", "undo is tried first"
    table.press("confirm", "undo")
    assert table.desk.open == "setup"
    steer(table, Look("open", "setup-checks"))
    table.press("confirm", "undo", "undo")
    assert table.desk.open is None
    assert table.match is before
    assert not table.refused


def test_the_setup_is_reached_by_touch_with_and_without_a_game():
    table = FakeSession()
    table.tap(Look("open", "menu"))
    table.tap(Look("open", "setup"))
    table.tap(Look("open", None))
    table.act(Start("yatzy", ("Anna",)))
    table.tap(Look("open", "menu"))
    table.tap(Look("open", "setup"))
    assert table.desk.open == "setup"


def test_the_setup_is_used_with_the_keyboard_alone():
    table = FakeSession(setup=wired())
    table.press("setup")
    steer(table, Look("open", "setup-touch"), ("up", "down", "left", "right"))
    table.press("enter", "escape")
    assert table.desk.open == "setup"
    steer(table, Look("motion", False), ("up", "down", "left", "right"))
    table.press("enter", "escape")
    assert (table.desk.open, table.desk.motion) == (None, False)


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)], ids=str)
def test_five_points_are_touched_in_turn_and_a_touch_elsewhere_is_shown(size):
    table = FakeSession()
    table.act(Look("open", "setup-touch"))

    def touch(x, y):
        table.act(layout.hit(table.view(), size, x, y))

    right, bottom = size[0] - 10, size[1] - 10
    touch(10, 10)
    touch(10, bottom)  # a mirrored screen: the second point was asked for
    assert (table.desk.tried, table.desk.astray) == (("1",), "4")
    for x, y in ((right, 10), (right, bottom), (10, bottom), (size[0] // 2, size[1] // 2)):
        touch(x, y)
    assert (table.desk.tried, table.desk.astray) == (tuple("12345"), None)
    table.tap(Look("open", "setup"), size)
    assert table.desk.tried == ()


def test_a_button_that_is_tried_lights_its_lamp_and_does_nothing_else():
    table = FakeSession(setup=wired())
    table.act(Start("yatzy", ("Anna",)))
    table.act(Look("open", "setup-buttons"))
    match = table.match
    table.press("hold-3")
    assert list(steady(table.view())) == ["hold-3"]
    table.tap(Look("tried", "undo"))
    assert list(steady(table.view())) == ["undo"]
    assert table.match is match
