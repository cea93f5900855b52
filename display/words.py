"""The words of a language, from its file. No fallback from one language to another: every file is complete."""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from importlib import resources
from typing import Any

from rules import Entered, Event, Game, HouseRule, RuleValue, event_to_json

LANGUAGES = tuple(
    sorted(
        file.name.removesuffix(".toml")
        for file in resources.files("display.languages").iterdir()
        if file.name.endswith(".toml")
    )
)
"""Every language there is a file for, by its code."""


class Words:
    """One language."""

    def __init__(self, code: str, table: Mapping[str, Any]) -> None:
        self.code = code
        self.table = table

    @property
    def name(self) -> str:
        """The language's own name."""
        return str(self.table["name"])

    def ui(self, key: str, **parts: object) -> str:
        """A word or sentence of the screens, with its parts filled in."""
        return str(self.table["ui"][key]).format(**parts)

    @property
    def faces(self) -> Sequence[str]:
        """What several dice of one face are called, face by face: ones, twos."""
        return tuple(self.table["speech"]["faces"])

    def spoken(self, key: str, **parts: object) -> str:
        """A sentence that is said aloud."""
        return str(self.table["speech"][key]).format(**parts)

    def tray(self, state: str) -> str:
        """What the tray is doing."""
        return str(self.table["tray"][state])

    def calibration(self, step: str) -> str:
        """What is asked while a camera is calibrated, or what keeps that from going on."""
        return str(self.table["calibration"][step])

    def game(self, game: Game) -> str:
        """The game's name: the language's, or for a household's own game the name in its file."""
        known = self.table["game"].get(game.id)
        return str(known["name"]) if known else game.name

    def about(self, game: Game) -> str:
        """The game in one line."""
        known = self.table["game"].get(game.id)
        return str(known["about"]) if known else game.description

    def box(self, game: Game, box: str) -> str:
        """The box's name in that game: the same box is called differently in different games."""
        known = self.table["box"].get(game.id, {}).get(box)
        if known:
            return str(known)
        found = game.box(box)
        return found.name if found else box

    def notice(self, name: str) -> str:
        """The sentence for a refusal, or for one of the reader's troubles."""
        for part in ("notice", "trouble"):
            if name in self.table[part]:
                return str(self.table[part][name])
        return str(self.table["notice"]["other"]).format(name=name)

    def fault(self, name: str) -> tuple[str, str]:
        """What is wrong, and what to do about it."""
        card = self.table["fault"][name]
        return str(card["title"]), str(card["cure"])

    def check(self, name: str) -> tuple[str, str]:
        """What is checked, and what to do where it is wrong."""
        card = self.table["check"][name]
        return str(card["name"]), str(card["cure"])

    def rule(self, game: Game, rule: HouseRule) -> tuple[str, str]:
        """A house rule's name and what it means; those of the game's file for a rule of a household's own, or for one
        that is about a box their game does not have.

        A box is called what it is called in that game, `{full_house}` as its sheet says, and so are all dice alike: a
        Kniffel player has no Yahtzee.
        """
        known = self.table["rule"].get(rule.id)
        if known is None:
            return rule.name, rule.explanation
        parts = {box.id.replace("-", "_"): self.box(game, box.id) for box in game.boxes}
        parts["yahtzee"] = game.name if game.yahtzee_box is None else self.box(game, game.yahtzee_box)
        try:
            return str(known["name"]).format_map(parts), str(known["about"]).format_map(parts)
        except KeyError:
            return rule.name, rule.explanation

    def value(self, value: RuleValue) -> str:
        """A house rule's value as people say it: on, 63, freely."""
        if isinstance(value, bool):
            return self.ui("on" if value else "off")
        if isinstance(value, int):
            return self.number(value)
        if isinstance(value, tuple):
            return " · ".join(self.value(one) for one in value)
        return str(self.table["choice"].get(value, value.replace("-", "–")))

    def did(self, game: Game, event: Event) -> str:
        """What an event did, as undo names it."""
        if isinstance(event, Entered):
            return self.box(game, event.box)
        kind = str(event_to_json(event)["type"])
        return str(self.table["did"].get(kind, "")).format(name=getattr(event, "player", ""))

    def number(self, value: int) -> str:
        """A number as a sheet shows it: four digits stand together, more are grouped; a true minus."""
        digits = str(abs(value))
        if len(digits) > 4:
            digits = f"{abs(value):,}".replace(",", str(self.table["number"]["group"]))
        return digits if value >= 0 else str(self.table["number"]["minus"]) + digits

    def signed(self, value: int) -> str:
        """A number with its sign; nothing stands before 0 but ±."""
        return f"+{self.number(value)}" if value > 0 else self.number(value) if value else "±0"

    def date(self, day: date) -> str:
        """A date as people write it."""
        months = self.table["date"]["months"]
        pattern = str(self.table["date"]["pattern"])
        return pattern.format(day=day.day, month=months[day.month - 1], year=day.year)

    def listed(self, names: Sequence[str]) -> str:
        """Names as a sentence lists them: Anna, Bo and Cia."""
        if len(names) < 2:
            return "".join(names)
        return ", ".join(names[:-1]) + str(self.table["and"]) + names[-1]


@lru_cache
def words(code: str) -> Words:
    """The language of that code; KeyError when there is none."""
    if code not in LANGUAGES:
        raise KeyError(code)
    text = resources.files("display.languages").joinpath(f"{code}.toml").read_text(encoding="utf-8")
    return Words(code, tomllib.loads(text))
