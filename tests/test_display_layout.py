"""Every screen, at every size, in every language: nothing overlaps, nothing is cut off, everything can be touched."""

import os
from dataclasses import replace
from functools import cache

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pytest

from display import layout
from display.examples import LONG, NAMES, gallery
from display.intent import Look
from display.lettering import line_height, width
from display.rect import Rect
from display.scene import DrawnDie, Lettering, Photo, Scene, Sign
from display.standing import screen
from display.theme import DAY, NIGHT, contrast, touch
from display.view import FAULTS, PASSING, Fault
from display.words import LANGUAGES, words

SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (720, 1280))


@pytest.fixture(scope="module")
def views():
    return {language: pictures(language) for language in LANGUAGES}


def ink(thing: Lettering) -> list[Rect]:
    """Where the letters themselves stand, line by line."""
    high = line_height(thing.size, thing.bold)
    top = thing.rect.y + (thing.rect.h - high * len(thing.lines)) // 2
    lines = []
    for place, line in enumerate(thing.lines):
        wide = width(line, thing.size, thing.bold)
        spare = thing.rect.w - wide
        x = thing.rect.x + {"left": 0, "centre": spare // 2, "right": spare}[thing.align]
        lines.append(Rect(x, top + place * high, wide, high))
    return lines


@cache
def laid_out(name: str, language: str, size: tuple[int, int]) -> Scene:
    return layout.scene(pictures(language)[name], size)


@cache
def pictures(language: str):
    return gallery(language)


def scenes(views, size):
    for language, shown in views.items():
        for name in shown:
            yield f"{name} {language}", laid_out(name, language, size)


def touching(rects):
    """Every two of these (thing, rectangle) pairs whose rectangles overlap, found by going through them by x."""
    ordered = sorted(rects, key=lambda pair: pair[1].x)
    for place, (one, a) in enumerate(ordered):
        for other, b in ordered[place + 1 :]:
            if b.x >= a.right:
                break
            if a.y < b.bottom and b.y < a.bottom:
                yield one, a, other, b


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_is_cut_off_and_nothing_overlaps(views, size):
    faults = []
    for name, scene in scenes(views, size):
        faults += [f"{name}: {fault}" for fault in troubles(scene)]
    assert not faults, "\n".join(faults[:40])


def troubles(scene: Scene) -> list[str]:
    screen = Rect(0, 0, *scene.size)
    found = [f"{thing} leaves the screen" for thing in scene.things if not screen.holds(thing.rect)]
    letters = [thing for thing in scene.things if isinstance(thing, Lettering)]
    spots = [(thing, one) for thing in letters for one in ink(thing)]
    for thing, spot in spots:
        if not thing.rect.holds(spot):
            found.append(f"{thing.lines} does not fit {thing.rect}: {spot}")
    drawn = [(thing, thing.rect) for thing in scene.things if isinstance(thing, DrawnDie | Photo | Sign)]
    targets = [(meant, rect) for rect, meant in scene.targets()]
    for one, a, other, b in touching(spots + drawn):
        if one is not other:
            found.append(f"{one} {a} overlaps {other} {b}")
    for one, a, other, b in touching(targets):
        if one != other:
            found.append(f"two meanings in one place: {one} {a}, {other} {b}")
    for one, a, other, b in touching(spots + targets):
        letters, spot, meant, rect = (one, a, other, b) if isinstance(one, Lettering) else (other, b, one, a)
        if isinstance(letters, Lettering) and not isinstance(meant, Lettering) and not rect.holds(spot):
            found.append(f"{letters.lines} lies half in {meant}")
    return found


TEAMS = (" & ".join(LONG[:4]), " & ".join(LONG[4:]))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_only_long_names_are_shortened_and_never_within_a_letter(views, size):
    for name, scene in scenes(views, size):
        assert not cut(scene), name


def cut(scene: Scene) -> list[tuple[str, ...]]:
    """What is shortened and is no long name, or has no letter left."""
    found = []
    for thing in scene.things:
        if isinstance(thing, Lettering) and thing.short:
            text = " ".join(thing.lines).removesuffix("…").replace("- ", "-").strip()
            named = any(player.startswith(text) for player in (*LONG, *NAMES, "Anna & Björn", "Zoë & Åse", *TEAMS))
            if not text or not named:
                found.append(thing.lines)
    return found


SPEAKING = ("new-game", "naming", "play-trippel-maxi", "large-trippel-maxi", "result-eight", "result-first", "menu")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_sentence_fits_every_screen_that_says_any(views, size):
    """The widest sentences of each language, on every screen that says any."""
    for language, shown in views.items():
        table = words(language).table
        names = {name: text for part in ("notice", "trouble") for name, text in table[part].items()}
        longest = sorted(names, key=lambda name: width(names[name], 40), reverse=True)[:7]
        for name in longest:
            for speaking in SPEAKING:
                scene = layout.scene(replace(shown[speaking], notice=name), size)
                said = [t for t in scene.things if isinstance(t, Lettering) and t.ground == "notice"]
                assert len(said) == 1
                assert not said[0].short, (language, name, said[0].lines)
                assert not troubles(scene), (language, name, speaking)


EVERY = tuple(Fault(name) for name in FAULTS)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_fault_fits_its_card_and_its_sentence(views, size):
    for language, shown in views.items():
        cards = set()
        for page in range(len(FAULTS)):
            view = replace(shown["faults"], faults=EVERY, desk=replace(shown["faults"].desk, page=page))
            scene = layout.scene(view, size)
            assert not troubles(scene), (language, page)
            cards |= {" ".join(t.lines).replace("- ", "-") for t in scene.things if isinstance(t, Lettering)}
            assert not [t for t in scene.things if isinstance(t, Lettering) and t.short], (language, page)
        for name in FAULTS:
            assert set(words(language).fault(name)) <= cards, (language, name)
            scene = layout.scene(replace(shown["play-choose"], faults=(Fault(name),)), size)
            said = [t for t in scene.things if isinstance(t, Lettering) and t.ground == "notice"]
            assert [" ".join(t.lines).replace("- ", "-") for t in said] == [words(language).fault(name)[0]]
            assert not troubles(scene), (language, name)


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)], ids=str)
def test_every_screen_shows_that_something_is_wrong_and_leads_to_the_cards(views, size):
    cards = Look("open", "faults")
    for name, view in views["fi"].items():
        if view.desk.open == "faults" or view.off == "going":
            continue
        if screen(view) == "idle":  # its first touch only wakes
            assert "warn" in [
                thing.name
                for thing in layout.scene(replace(view, faults=EVERY), size).things
                if isinstance(thing, Sign)
            ]
            continue
        well, ill = (layout.scene(replace(view, faults=faults), size) for faults in ((), EVERY))
        assert cards not in [meant for _, meant in well.targets()], name
        assert [meant for _, meant in ill.targets()].count(cards) == 1, name
        assert not troubles(ill), name
        read = replace(view, faults=EVERY, desk=replace(view.desk, dismissed=FAULTS))
        assert cards in [meant for _, meant in layout.scene(read, size).targets()], "a lasting fault keeps its sign"
        done = replace(read, faults=tuple(fault for fault in EVERY if fault.name in PASSING))
        assert cards not in [meant for _, meant in layout.scene(done, size).targets()], name


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_everything_to_touch_is_at_least_nine_millimetres_on_a_seven_inch_panel(views, size):
    assert touch(size) >= nine_millimetres(size)
    for name, scene in scenes(views, size):
        assert not too_small(scene), name


@pytest.mark.parametrize("size", [(480, 800), (800, 1280), (1280, 800)], ids=str)
def test_panels_mounted_upright_and_those_between_have_room_for_fingers_and_words(views, size):
    """Where every touch is a pixel or two larger than on the sizes kept; the two languages with the longest words."""
    for language in ("de", "fi"):
        for name in views[language]:
            scene = laid_out(name, language, size)
            assert not too_small(scene), (name, language)
            assert not troubles(scene), (name, language)
            assert not cut(scene), (name, language)


def nine_millimetres(size):
    return 9 * (size[0] ** 2 + size[1] ** 2) ** 0.5 / (7 * 25.4)


def too_small(scene: Scene):
    found = []
    for rect, meant in scene.targets():
        big = [one for one, other in scene.targets() if other == meant and one.holds(rect)]
        if not any(min(one.w, one.h) >= nine_millimetres(scene.size) for one in big):
            found.append((meant, rect))
    return found


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_rectangle_gives_its_intent_to_a_touch_in_its_middle_and_near_its_corners(views, size):
    for language in ("en", "fi"):
        for name, view in views[language].items():
            scene = layout.scene(view, size)
            for rect, meant in scene.targets():
                for x, y in (
                    (rect.x + rect.w // 2, rect.y + rect.h // 2),
                    (rect.x + 2, rect.y + 2),
                    (rect.right - 3, rect.bottom - 3),
                ):
                    assert scene.touched(x, y) == meant, f"{name} {language}: {rect}"


def test_hit_answers_what_the_scene_shows(views):
    view = views["sv"]["play-choose"]
    rect, meant = layout.scene(view, (800, 480)).targets()[0]
    assert layout.hit(view, (800, 480), rect.x + 1, rect.y + 1) == meant
    assert layout.hit(view, (800, 480), -5, -5) is None


@pytest.mark.parametrize("palette", [DAY, NIGHT], ids=["day", "night"])
def test_letters_and_numbers_stand_out_from_what_they_stand_on(views, palette):
    pairs = {}
    for name, scene in scenes({"sv": views["sv"], "de": views["de"]}, (1280, 720)):
        for thing in scene.things:
            if isinstance(thing, Lettering):
                number = any(mark.isdigit() for line in thing.lines for mark in line)
                pairs.setdefault((thing.ink, thing.ground), {})[number] = f"{name} {thing.lines}"
            elif isinstance(thing, Sign):
                pairs.setdefault((thing.ink, thing.ground), {})[False] = f"{name} {thing.name}"
    assert len(pairs) > 5
    for (letters, ground), used in pairs.items():
        ratio = contrast(palette[letters], palette[ground])
        assert ratio >= (7 if True in used else 4.5), (letters, ground, round(ratio, 2), used)
    for edge, ground in (("held-edge", "table"), ("ask-edge", "table"), ("accent", "paper"), ("focus", "paper")):
        assert contrast(palette[edge], palette[ground]) >= 3, (edge, ground)
    assert contrast(palette["pip"], palette["die"]) >= 7


def test_a_held_die_is_known_by_its_place_too_not_by_colour_alone(views):
    import pygame

    from display.window import draw

    pictures = {}
    for name in ("play-choose", "play-held"):
        surface = pygame.Surface((1280, 720))
        draw(surface, views["en"][name])
        pictures[name] = surface
    scene = layout.scene(views["en"]["play-held"], (1280, 720))
    dice = [thing for thing in scene.things if isinstance(thing, DrawnDie) and thing.shelf]
    held, free = dice[1], dice[0]
    assert held.held
    assert not free.held

    def grey(surface, x, y):
        r, g, b, _ = surface.get_at((x, y))
        return 0.3 * r + 0.6 * g + 0.1 * b

    x, top = held.rect.x + held.rect.w // 2, held.rect.y + 3
    assert abs(grey(pictures["play-held"], x, top) - grey(pictures["play-choose"], x, top)) > 40


# Linear RGB as seen without the long, middle or short cones (Machado, Oliveira and Fernandes 2009, severity 1).
BLINDNESS = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
ALIKE_NEVER = (
    *(("held-edge", "ask-edge"), ("held-edge", "die-edge"), ("ask-edge", "accent"), ("held", "die"), ("ask", "die")),
    *(
        ("open", "paper"),
        ("held", "ask"),
        ("turn", "table"),
        ("notice", "table"),
        ("focus", "paper"),
        ("main", "paper"),
    ),
)


@pytest.mark.parametrize("palette", [DAY, NIGHT], ids=["day", "night"])
@pytest.mark.parametrize("eyes", BLINDNESS)
def test_what_means_different_things_looks_different_to_every_eye(palette, eyes):
    def seen(role):
        linear = [(c / 255) ** 2.2 for c in palette[role]]
        mixed = [sum(m * c for m, c in zip(row, linear, strict=True)) for row in BLINDNESS[eyes]]
        return [min(max(c, 0), 1) ** (1 / 2.2) * 255 for c in mixed]

    for one, other in ALIKE_NEVER:
        apart = sum((a - b) ** 2 for a, b in zip(seen(one), seen(other), strict=True)) ** 0.5
        assert apart >= 24, (one, other, round(apart))
