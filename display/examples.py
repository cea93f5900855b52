"""Example games in every state a screen can show: for the gallery and the tests. Nothing here needs a camera."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import pygame

from display.desk import Desk, moment
from display.example_setup import setup
from display.paint import PIPS
from display.picture import Picture
from display.standing import best_entry
from display.view import FAULTS, Fault, SeenDie, View
from rules import (
    Entered,
    Game,
    GameStarted,
    Held,
    Match,
    SavedThrowSpent,
    Thrown,
    apply,
    games,
)

NAMES = ("Anna", "Björn", "Zoë", "Åse", "Jürgen", "Mikkel", "Päivi", "Øystein")
LONG = (
    "Wilhelmina-Gwendolyn",
    "Åsa-Märta Östergrens",
    "Großmutter Weißmüller",
    "Päivi-Kyllikki Mäki",
    "Bjørn-Åge Sørensøæåø",
    "Mmmmmmmmmmmmmmmmmmmm",
    "Léonore-Zoë Wöllmann",
    "Iiiiiiiiiiiiiiiiiiii",
)
"""Names as long as names can be: 20 letters."""


def known_games() -> tuple[Game, ...]:
    """The games that come with the product."""
    found = games()
    return tuple(found.values()) if isinstance(found, Mapping) else tuple(found)


def game(name: str) -> Game:
    """One of them."""
    return next(one for one in known_games() if one.id == name)


class Dice:
    """Dice that always fall the same way."""

    def __init__(self, seed: int = 7) -> None:
        self._state = seed

    def face(self) -> int:
        """The next face."""
        self._state = (self._state * 1103515245 + 12345) % 2**31
        return (self._state >> 12) % 6 + 1

    def throw(self, count: int) -> tuple[int, ...]:
        """Some faces."""
        return tuple(self.face() for _ in range(count))


def started(name: str, players: Sequence[str], **house: object) -> Match:
    """A game with nothing thrown yet."""
    rules = tuple((rule.replace("_", "-"), value) for rule, value in house.items())
    return apply(None, GameStarted(name, tuple(players), rules))  # type: ignore[arg-type]


def kept(dice: Sequence[int]) -> tuple[int, ...]:
    """The slots of the face thrown most often: what most people would hold."""
    face = max(set(dice), key=lambda one: (dice.count(one), one))
    return tuple(slot for slot, value in enumerate(dice, start=1) if value == face)


@lru_cache(maxsize=64)
def played(name: str, players: tuple[str, ...], turns: int, seed: int = 7) -> Match:
    """A game some turns in (never more than there are), each turn with one rethrow and the best box."""
    match = started(name, players)
    dice = Dice(seed)
    for _ in range(turns):
        if match.phase != "throw":
            break
        match = thrown(match, dice, 2)
        place = best_entry(match)
        assert place is not None
        match = apply(match, Entered(*place))
    return match


def thrown(match: Match, dice: Dice, throws: int = 1) -> Match:
    """The turn some throws on, the commonest face held between them."""
    for number in range(throws):
        if number:
            slots = kept(match.dice)
            if len(slots) == match.game.dice:
                break
            match = apply(match, Held(slots))
        fresh = dice.throw(match.game.dice)
        faces = tuple(
            match.dice[slot - 1] if match.dice and slot in match.held else fresh[slot - 1]
            for slot in range(1, match.game.dice + 1)
        )
        match = apply(match, Thrown(faces))
    return match


@lru_cache(maxsize=16)
def picture(faces: tuple[int, ...], number: int = 1) -> tuple[Picture, tuple[SeenDie, ...]]:
    """A drawn stand-in for the camera's picture, and where its dice lie."""
    wide, high = 640, 360
    surface = pygame.Surface((wide, high))
    for y in range(high):
        shade = 1 - 0.25 * abs(y / high - 0.4)
        surface.fill(tuple(round(c * shade) for c in (38, 92, 70)), (0, y, wide, 1))
    seen = []
    places = ((110, 120), (250, 230), (330, 90), (450, 210), (545, 110), (120, 270))
    for place, face in enumerate(faces):
        x, y = places[place % len(places)]
        angle = (17 + 31 * place) % 90
        side = 62
        die = pygame.Surface((side * 4, side * 4), pygame.SRCALPHA)
        pygame.draw.rect(die, (238, 232, 220), die.get_rect(), border_radius=side * 4 // 5)
        for dx, dy in PIPS[face]:
            centre = (side * 2 + dx * side, side * 2 + dy * side)
            pygame.draw.circle(die, (30, 26, 24), centre, side * 0.36)
        turned = pygame.transform.rotozoom(die, -angle, 0.25)
        shadow = pygame.mask.from_surface(turned).to_surface(setcolor=(10, 30, 22, 120), unsetcolor=(0, 0, 0, 0))
        spot = turned.get_rect(center=(x, y))
        surface.blit(shadow, spot.move(6, 8))
        surface.blit(turned, spot)
        seen.append(SeenDie(face, asked=False, centre=(float(x), float(y)), size=float(side), angle=float(angle)))
    for place, one in enumerate(seen):
        seen[place] = replace(one, crop=_pictured(-100 * number - place - 1, _cut(surface, one)))
    return _pictured(number, surface), tuple(seen)


def _cut(surface: pygame.Surface, die: SeenDie) -> pygame.Surface:
    """The die by itself, as the vision process cuts it out."""
    x, y = die.centre or (0.0, 0.0)
    part = pygame.Rect(0, 0, round(die.size * 1.9), round(die.size * 1.9))
    part.center = (round(x), round(y))
    cut = pygame.Surface(part.size)
    cut.blit(surface, (0, 0), part)
    return pygame.transform.smoothscale(cut, (96, 96))


def _pictured(number: int, surface: pygame.Surface) -> Picture:
    return Picture(number, *surface.get_size(), pygame.image.tobytes(surface, "RGB"))


def crops(match: Match) -> tuple[Picture | None, ...]:
    """The dice confirmed last, as a camera would have seen them."""
    number = int("".join(map(str, match.dice)))  # other dice, other pictures
    return tuple(die.crop for die in picture(match.dice, number)[1])


def view(match: Match | None, language: str = "en", **parts: object) -> View:
    """A view of the match with a camera, the desk on the play screen."""
    desk = Desk(screen="play" if match is not None else "new-game", language=language)
    made = View(known_games(), match, desk, tray="settled", picture=picture((2, 4, 4, 6, 1))[0])
    if match is not None and match.dice and made.tray != "no-camera":
        made = replace(made, crops=crops(match))
    made = replace(made, **parts)  # type: ignore[arg-type]
    return replace(made, desk=replace(made.desk, language=language, moment=moment(made)))


def on(shown: View, **parts: object) -> View:
    """The view with its desk changed."""
    return replace(shown, desk=replace(shown.desk, **parts))  # type: ignore[arg-type]


DETAIL = {
    "camera-missing": "usb:0: /dev/video0 does not open",
    "config-wrong": "/etc/tallytray/config.toml: rotate: 45 (allowed: 0, 90, 180, 270)",
    "disk-full": "database or disk is full",
    "game-file-wrong": "/etc/tallytray/games/ours.toml: box[3].pattern: found 'two-of-a-kin'",
    "buttons-stuck": "confirm (GPIO 20)",
    "too-hot": "86 °C",
}


def gallery(language: str) -> dict[str, View]:
    """Every screen of the product, by a name for its file."""
    from display.example_ends import ends
    from display.example_pages import pages

    dice = Dice(3)
    four = NAMES[:4]
    yatzy = played("yatzy", four, 22)
    lying, seen = picture((2, 4, 4, 6, 1))
    chosen = thrown(yatzy, Dice(11), 2)
    last = thrown(yatzy, Dice(11), 3)
    yahtzee = thrown(played("yahtzee", ("Anna", "Bo"), 12), dice, 2)
    triple = thrown(played("triple-yahtzee", NAMES[:3], 50), dice, 3)
    trippel = thrown(played("trippel-yatzy", NAMES[:5], 120), dice, 3)
    maxi = thrown(played("maxi-yatzy", NAMES, 90), dice, 3)
    large = thrown(played("trippel-maxi-yatzy", NAMES, 300), dice, 3)
    kniffel = thrown(played("kniffel", NAMES[:2], 30), dice, 1)
    doubtful = (*seen[:3], replace(seen[3], value=None, asked=True, trouble="cocked"), seen[4])
    sixth = picture((2, 4, 4, 6, 1, 5))[1]
    guessed = (*seen[:2], replace(seen[2], asked=True), *seen[3:])
    half_held = tuple(replace(die, held=place in (1, 3)) for place, die in enumerate(seen))
    some = (Fault("camera-missing", DETAIL["camera-missing"]), Fault("config-wrong", DETAIL["config-wrong"]))
    every = tuple(Fault(name, DETAIL.get(name, "")) for name in FAULTS)
    return {
        "new-game-empty": view(None, language, remembered=NAMES),
        "new-game": on(
            view(None, language, remembered=(*NAMES, *LONG)), players=(*four[:3], LONG[0]), game="maxi-yatzy"
        ),
        "naming": on(view(None, language), players=four[:2], typing="Åse-Mær"),
        "house-rules": on(
            view(None, language), open="rules", game="maxi-yatzy", rules=(("saved-throws", False), ("tie", "throw-off"))
        ),
        "house-rules-kniffel": on(view(None, language), open="rules", game="kniffel"),
        "house-rules-more": on(view(None, language), open="rules", game="kniffel", page=1),
        "play-to-throw": view(yatzy, language, tray="empty", picture=picture((), 2)[0]),
        "play-reading": view(yatzy, language, picture=lying, seen=seen),
        "play-asked": view(yatzy, language, picture=lying, seen=doubtful, troubles=("doubtful-face",)),
        "play-too-many": view(yatzy, language, picture=lying, seen=sixth, troubles=("count",)),
        "play-counting": view(yatzy, language, picture=lying, seen=seen, countdown=0.6),
        "play-entered": view(apply(chosen, Entered("two-pairs", 1)), language, picture=lying),
        "play-rolling": view(chosen, language, tray="moving", picture=lying),
        "play-choose": view(chosen, language, picture=lying),
        "play-held": view(apply(chosen, Held((2, 4))), language, picture=lying),
        "play-reading-held": view(apply(chosen, Held((2, 4))), language, picture=lying, seen=half_held),
        "play-doubtful": view(yatzy, language, picture=lying, seen=guessed),
        "play-other": on(view(chosen, language, picture=lying), shown_player="Anna"),
        "play-last-throw": view(last, language, picture=lying),
        "play-waiting": view(chosen, language, picture=lying, waiting=True),
        "play-cursor": on(view(last, language, picture=lying), box=best_entry(last)),
        "play-saving": view(chosen, language, picture=lying, saving=True),
        "play-refused": view(chosen, language, picture=lying, notice="held-die-changed"),
        "play-fault": view(
            chosen, language, tray="no-camera", picture=None, faults=(Fault("disk-full"), Fault("camera-missing"))
        ),
        "play-changing": on(view(last, language, picture=lying), slot=2),
        "play-yahtzee": view(yahtzee, language, picture=lying),
        "play-triple-yahtzee": view(triple, language, picture=lying),
        "play-trippel-yatzy": view(trippel, language, picture=lying),
        "play-maxi": view(maxi, language, picture=lying),
        "play-kniffel": view(kniffel, language, picture=lying),
        "play-trippel-maxi": view(large, language, picture=lying),
        "large-trippel-maxi": on(view(large, language), large=True),
        "play-night": on(view(chosen, language, picture=lying), night=True),
        "pad": on(view(yatzy, language, tray="no-camera", picture=None), pad=(3, 3, 5)),
        "pad-again": on(view(chosen, language, picture=lying), screen="pad"),
        "faults": on(view(chosen, language, faults=some), open="faults"),
        "faults-more": on(view(None, language, faults=every), open="faults", page=1),
        "faults-none": on(view(None, language), open="faults"),
        "new-game-fault": on(view(None, language, remembered=NAMES, faults=some), players=four[:2]),
        **setup(view(None, language, remembered=NAMES, picture=lying), view(yatzy, language), seen),
        "longest-names": view(thrown(played("trippel-yatzy", LONG, 200), dice, 3), language, picture=lying),
        "extra-throw": view(extra(), language, picture=lying),
        "largest-numbers": view(thrown(greatest("trippel-maxi-yatzy", LONG), dice, 3), language, picture=lying),
        "largest-sheet": on(view(greatest("trippel-maxi-yatzy", LONG), language), large=True),
        "largest-yahtzees": view(greatest("yahtzee", ("Anna", LONG[5])), language, picture=lying),
        "play-begin": view(begin(), language, tray="empty", picture=lying),
        "play-begin-pad": on(view(begin(), language, tray="no-camera", picture=None), pad=(3,)),
        "play-throw-off": view(tie("throw-off"), language, picture=lying),
        "play-teams": view(teams(), language, picture=lying),
        "six-columns": view(six_columns(), language, picture=lying),
        "six-columns-large": on(view(six_columns(), language), large=True),
        **ends(language),
        **pages(language),
    }


def begin() -> Match:
    """Lots are thrown for who begins."""
    return apply(None, GameStarted("maxi-yatzy", NAMES[:3], begins="throw"))


def teams() -> Match:
    """Two against two."""
    started = GameStarted("yatzy", NAMES[:4], teams=(NAMES[:2], NAMES[2:4]))
    return thrown(apply(None, started), Dice(6), 2)


@lru_cache(maxsize=8)
def tie(rule: str = "shared", players: tuple[str, ...] = NAMES[:2]) -> Match:
    """Players who all threw the same."""
    match = started("yatzy", players, tie=rule)
    dice = Dice(5)
    faces: tuple[int, ...] = ()
    turn = 0
    while match.phase == "throw":
        faces = dice.throw(5) if turn % len(players) == 0 else faces
        turn += 1
        match = apply(match, Thrown(faces))
        place = best_entry(match)
        assert place is not None
        match = apply(match, Entered(*place))
    return match


BEST = {
    "ones": (1,) * 6,
    "twos": (2,) * 6,
    "threes": (3,) * 6,
    "fours": (4,) * 6,
    "fives": (5,) * 6,
    "two-pairs": (6, 6, 5, 5, 1, 2),
    "three-pairs": (6, 6, 5, 5, 4, 4),
    "small-straight": (1, 2, 3, 4, 5, 6),
    "large-straight": (1, 2, 3, 4, 5, 6),
    "full-straight": (1, 2, 3, 4, 5, 6),
    "full-house": (6, 6, 6, 5, 5, 5),
    "house": (6, 6, 6, 5, 5, 5),
    "tower": (6, 6, 6, 6, 5, 5),
}


@lru_cache(maxsize=8)
def greatest(name: str, players: tuple[str, ...], keep_free: int = 1) -> Match:
    """A game in which the first player throws the best there is for every box, but for a few left free."""
    match = started(name, players)
    first = players[0]
    places = [(box.id, column) for column in (3, 2, 1) for box in match.game.entry_boxes]
    places = [place for place in places if place[1] <= match.in_force.columns][: -keep_free or None]
    while match.phase == "throw" and (match.player != first or places):
        box, column = places.pop(0) if match.player == first else ("", 0)
        faces = BEST.get(box, (6,) * 6)[: match.game.dice] if match.game.dice == 6 else (6,) * 5
        match = apply(match, Thrown(faces))
        chosen = (box, column)
        if match.game.dice == 5 or match.player != first:
            chosen = best_entry(match) or chosen
        match = apply(match, Entered(*chosen))
    return match


@lru_cache(maxsize=2)
def six_columns(turns: int = 60) -> Match:
    """The widest sheet there is."""
    match = started("kniffel", NAMES[:2], columns=6)
    dice = Dice(4)
    for _ in range(turns):
        match = apply(match, Thrown(dice.throw(5)))
        match = apply(match, Entered(*(best_entry(match) or ("ones", 1))))
    return match if match.phase == "over" else apply(match, Thrown(dice.throw(5)))


def extra() -> Match:
    """A Maxi turn with a saved throw paid and thrown."""
    match = played("maxi-yatzy", NAMES[:2], 6)
    match = thrown(match, Dice(2), 3)
    return thrown(apply(match, SavedThrowSpent()), Dice(9), 1)
