"""What a person at the table can want. Fingers, keys and push buttons all become one of these.

Slots and columns count from 1. Intents that only change what is looked at (a page, a letter typed) are applied by
`display.desk.react`; the others are facts for the game, which `device.session` turns into events.
"""

from dataclasses import dataclass

from rules import RuleValue


@dataclass(frozen=True)
class Confirm:
    """The dice shown are right: take them as thrown."""


@dataclass(frozen=True)
class Hold:
    """Hold this die for the next throw, or let it go again."""

    slot: int


@dataclass(frozen=True)
class Mend:
    """The die in this slot shows `value`, whatever the camera says."""

    slot: int
    value: int


@dataclass(frozen=True)
class NoDie:
    """What was read in this slot is no die at all."""

    slot: int


@dataclass(frozen=True)
class Enter:
    """Write the dice into this box."""

    box: str
    column: int


@dataclass(frozen=True)
class Pass:
    """End the turn without writing (where a house rule allows it)."""


@dataclass(frozen=True)
class SpendSavedThrow:
    """Pay one saved throw for one more throw."""


@dataclass(frozen=True)
class Undo:
    """Take back the last thing that happened."""


@dataclass(frozen=True)
class Redo:
    """Do again what was taken back."""


@dataclass(frozen=True)
class ThrowByHand:
    """Dice entered by finger, for a table without camera: slots in order."""

    dice: tuple[int, ...]


@dataclass(frozen=True)
class Start:
    """Start this game with these players, in turn order. `begins` "throw": who begins is thrown for."""

    game: str
    players: tuple[str, ...]
    rules: tuple[tuple[str, RuleValue | None], ...] = ()
    teams: tuple[tuple[str, ...], ...] = ()
    team_names: tuple[str, ...] = ()
    begins: str | None = None


@dataclass(frozen=True)
class NewGame:
    """Close the game on the table, finished or not, and choose another."""


@dataclass(frozen=True)
class ChangeRules:
    """Change house rules of the game on the table; None goes back to the game's own value."""

    rules: tuple[tuple[str, RuleValue | None], ...]


@dataclass(frozen=True)
class LeaveTable:
    """This player leaves the game; the sheet stays, unranked."""

    player: str


@dataclass(frozen=True)
class JoinTable:
    """This player joins the game with an empty sheet."""

    player: str


@dataclass(frozen=True)
class PutAside:
    """Put the game on the table aside, to be taken up again, and choose another."""


@dataclass(frozen=True)
class TakeUp:
    """Go on with a game put aside, named by the number `Aside` gives it; one on the table is put aside for it."""

    game: int


@dataclass(frozen=True)
class ForgetName:
    """Leave a name out of the remembered ones."""

    player: str


@dataclass(frozen=True)
class Unlock:
    """These digits are the owner's PIN."""

    digits: str


@dataclass(frozen=True)
class SwitchOff:
    """Switch the device off, safely."""


@dataclass(frozen=True)
class CloseProgram:
    """End the program; where a service looks after it, it starts again."""


@dataclass(frozen=True)
class PlayOn:
    """A recording waiting for the next throw goes on, or begins anew with `clip` (0-based). A live camera has nothing
    to wait for."""

    clip: int | None = None


@dataclass(frozen=True)
class Calibrate:
    """Learn where the empty tray is in the camera's picture, or (not `on`) stop that. `insist`: the tray is empty,
    whatever it looks like."""

    on: bool = True
    insist: bool = False


@dataclass(frozen=True)
class CheckUp:
    """Look over everything the table needs, now."""


@dataclass(frozen=True)
class Look:
    """Change only what is looked at: `what` and `value` belong to `display.desk`."""

    what: str
    value: object = None


Intent = (
    Confirm
    | Hold
    | Mend
    | NoDie
    | Enter
    | Pass
    | SpendSavedThrow
    | Undo
    | Redo
    | ThrowByHand
    | Start
    | NewGame
    | ChangeRules
    | LeaveTable
    | JoinTable
    | PutAside
    | TakeUp
    | ForgetName
    | Unlock
    | SwitchOff
    | CloseProgram
    | PlayOn
    | Calibrate
    | CheckUp
    | Look
)
