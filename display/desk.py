"""What is looked at: the screen, the page, the letters typed so far. Nothing here is ever journalled."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Desk:
    """Where the person is. `screen` is "new-game", "play", "pad" or "result"; the rest belongs to those screens."""

    screen: str = "new-game"
    language: str = "en"
    game: str = "yatzy"
    players: tuple[str, ...] = ()
    typing: str | None = None
    slot: int | None = None
    pad: tuple[int, ...] = ()
    box: tuple[str, int] | None = None
    shown_player: str | None = None
    page: int = 0
