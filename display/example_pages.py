"""The pages around a game in every state: the menu, teams, who leaves and joins, games put aside, switching off."""

from collections.abc import Sequence
from datetime import date

from display.examples import LONG, NAMES, Dice, game, greatest, on, played, thrown, view
from display.view import Aside, View
from rules import GameStarted, LotThrown, Match, RulesChanged, RuleValue, apply


def aside(*games: tuple[str, Sequence[str], int]) -> tuple[Aside, ...]:
    """Games put aside: which, who, and how many boxes are filled."""
    return tuple(
        Aside(number, game(name), tuple(players), date(2027, 9, 30), filled, 160)
        for number, (name, players, filled) in enumerate(games, start=1)
    )


def changed(match: Match, **rules: RuleValue) -> tuple[tuple[str, RuleValue], ...]:
    """The house rules of the match with these on top."""
    wanted = tuple((rule.replace("_", "-"), value) for rule, value in rules.items())
    return apply(match, RulesChanged(wanted)).settled


def lots(name: str, players: Sequence[str], thrown: int) -> Match:
    """Some have thrown for who begins: the first two the highest, and the same where more than two throw."""
    match = apply(None, GameStarted(name, tuple(players), begins="throw"))
    for place in range(thrown):
        assert match.player is not None
        value = 6 if place < 2 and len(players) > 2 else 5 - place % 3
        match = apply(match, LotThrown(match.player, (value,) * match.game.lot_dice))
    return match


def pages(language: str) -> dict[str, View]:
    """Every page that covers a screen, by a name for its file."""
    four = NAMES[:4]
    chosen = thrown(played("yatzy", four, 22), Dice(11), 2)
    late = played("yatzy", four, 56)
    many = played("trippel-maxi-yatzy", LONG, 440)
    lying = aside(
        ("trippel-maxi-yatzy", LONG, 123), ("yatzy", ("Anna", "Bo"), 7), *[("kniffel", four, n) for n in range(6)]
    )
    new = view(None, language, remembered=(*NAMES, *LONG))
    full = on(new, players=LONG, game="trippel-maxi-yatzy")
    table = view(chosen, language, remembered=NAMES, aside=lying)
    return {
        "new-game-aside": on(view(None, language, remembered=NAMES, aside=lying), players=four[:1]),
        "new-game-forgetting": on(new, players=four[:2], forgetting=True, lots=True),
        "new-game-full": on(full, teams=2),
        "teams-none": on(new, open="teams", players=four),
        "teams": on(new, open="teams", players=four, teams=2, team_names=("", "Hattifnattar")),
        "teams-full": on(full, open="teams", teams=4, team_names=LONG[::-1][:4]),
        "naming-team": on(new, open="teams", players=four, teams=2, typing="", naming=1),
        "menu": on(table, open="menu"),
        "menu-locked": on(view(late, language, locked=True), open="menu"),
        "menu-new-game": on(new, open="menu"),
        "menu-long": on(view(thrown(many, Dice(3), 3), language, aside=lying), open="menu"),
        "lots-some": view(lots("yatzy", LONG, 4), language, tray="empty", picture=None),
        "lots-again": view(lots("maxi-yatzy", four, 4), language, tray="no-camera", picture=None),
        "lots-decided": view(lots("maxi-yatzy", four[:2], 2), language, tray="empty", picture=None),
        "language": on(new, open="language"),
        "end": on(table, open="end"),
        "aside": on(table, open="aside"),
        "aside-none": on(new, open="aside"),
        "house-rules-changed": on(
            view(late, language), open="rules", house=changed(late, straights="30-40", write_zero=False)
        ),
        "preview": on(
            view(late, language), open="preview", house=changed(late, straights="30-40", upper_bonus_threshold=42)
        ),
        "preview-long": on(
            view(greatest("trippel-maxi-yatzy", LONG), language),
            open="preview",
            house=changed(many, bonus_variant="75-50", straights="30-40", extra_yatzy_bonus=200, order="down"),
        ),
        "preview-same": on(view(late, language), open="preview", house=changed(late, write_zero=False)),
        "preview-refused": on(
            view(played("kniffel", four, 40), language),
            open="preview",
            house=changed(played("kniffel", four, 40), columns=1),
        ),
        "players": on(table, open="players"),
        "players-full": on(view(many, language, remembered=NAMES), open="players"),
        "joining": on(view(many, language), open="players", typing="Mæ", naming="join"),
        "leave": on(table, open="leave", leaving=LONG[5]),
        "pin": on(view(chosen, language, locked=True), open="pin", behind="off", digits="123"),
        "pin-wrong": on(view(None, language, locked=True, notice="wrong-pin"), open="pin", behind="off"),
        "off": on(table, open="off"),
        "off-failed": on(view(None, language, notice="off-failed"), open="off"),
        "off-going": view(chosen, language, off="going"),
        "alone": view(chosen, language, alone=True),
        "alone-long": view(many, language, alone=True),
    }
