"""One table of a game file being read: every key must be asked for, and be what was asked for."""

from collections.abc import Mapping, Sequence

from rules.shown import plain, shown

MOST_LETTERS = 300
"""Longer than any sentence about a house rule."""


class GameFileError(ValueError):
    """A game file cannot be played. The message is one line: file, key, what was found, what is allowed."""


class Table:
    """One TOML table being read: every key must be asked for, and be what was asked for."""

    def __init__(self, file: str, where: str, values: Mapping[str, object]) -> None:
        self.file = file
        self.where = where
        self.values = dict(values)
        self.asked: list[str] = []

    def wrong(self, key: str, found: object, allowed: str) -> GameFileError:
        at = f"{self.where}.{plain(key)}" if self.where else plain(key)
        return GameFileError(f"{self.file}: {at}: found {found}, allowed: {allowed}")

    def get(self, key: str, allowed: str, otherwise: object = ...) -> object:
        self.asked.append(key)
        if key in self.values:
            return self.values[key]
        if otherwise is ...:
            raise self.wrong(key, "nothing", allowed)
        return otherwise

    def text(self, key: str, otherwise: object = ...) -> str:
        allowed = f"a text of 1 to {MOST_LETTERS} letters, in one line"
        value = self.get(key, allowed, otherwise)
        if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > MOST_LETTERS:
            raise self.wrong(key, shown(value), allowed)
        return value

    def word(self, key: str, words: Sequence[str], otherwise: object = ...) -> str:
        allowed = " or ".join(map(plain, words)) or "nothing, the file has none that would fit"
        value = self.get(key, allowed, otherwise)
        if not isinstance(value, str) or value not in words:
            raise self.wrong(key, shown(value), allowed)
        return value

    def name_id(self, key: str) -> str:
        value = self.text(key)
        if not all(c.isascii() and (c.islower() or c.isdigit() or c == "-") for c in value):
            raise self.wrong(key, shown(value), "small letters a-z, digits and -")
        return value

    def number(self, key: str, low: int, high: int, otherwise: object = ...) -> int:
        value = self.get(key, f"{low} to {high}", otherwise)
        return self._in_range(key, value, low, high)

    def numbers(self, key: str, low: int, high: int, otherwise: object = ...) -> tuple[int, ...]:
        value = self.get(key, f"a list of numbers {low} to {high}", otherwise)
        if not isinstance(value, list | tuple) or (not value and otherwise is ...):
            raise self.wrong(key, shown(value), f"a list of numbers {low} to {high}")
        return tuple(self._in_range(key, item, low, high) for item in value)

    def words(self, key: str) -> list[str]:
        value = self.get(key, "a list of words")
        if not isinstance(value, list) or not value or not all(isinstance(word, str) for word in value):
            raise self.wrong(key, shown(value), "a list of words")
        if not all(word.isprintable() and 0 < len(word) <= MOST_LETTERS for word in value):
            raise self.wrong(key, shown(value), "words that can be read")
        return value

    def switch(self, key: str, otherwise: object = ...) -> bool:
        value = self.get(key, "true or false", otherwise)
        if not isinstance(value, bool):
            raise self.wrong(key, shown(value), "true or false")
        return value

    def table(self, key: str, otherwise: object = ...) -> "Table":
        value = self.get(key, "a table", otherwise)
        if not isinstance(value, dict):
            raise self.wrong(key, shown(value), "a table")
        return Table(self.file, f"{self.where}.{key}" if self.where else key, value)

    def tables(self, key: str, otherwise: object = ...) -> "list[Table]":
        value = self.get(key, "a list of tables", otherwise)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.wrong(key, shown(value), f"a list of tables [[{key}]]")
        at = f"{self.where}.{key}" if self.where else key
        return [
            Table(self.file, f"{at} {plain(item.get('id', f'number {n}'))}", item) for n, item in enumerate(value, 1)
        ]

    def done(self) -> None:
        for key in self.values:
            if key not in self.asked:
                raise self.wrong(key, "an unknown key", ", ".join(self.asked))

    def _in_range(self, key: str, value: object, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(key, shown(value), f"{low} to {high}")
        return value
