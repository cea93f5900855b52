"""Tells a journal through the second implementation: every event in words, and the sheet whenever it changed.

``python tests/second_story.py`` writes the stories of ``fixtures/games``, leaving what stands by hand above the line
of ``=`` as it is. It shares no line with ``rules``: after each event the whole journal so far is played again on paper.
"""

import json
from pathlib import Path

from second_opinion import NUMBERS, Paper, american, dice_of

FOLDER = Path(__file__).parent.parent / "fixtures" / "games"
LINE = "=" * 100


def standing(events):
    """The events that stand after undo and redo."""
    stands, taken_back = [], []
    for event in events:
        if event["type"] == "undone":
            taken_back.append(stands.pop())
        elif event["type"] == "redone":
            stands.append(taken_back.pop())
        else:
            stands.append(event)
            taken_back = []
    return stands


def who_begins(lots):
    """The highest of the last round; all throw, then those who tied throw again."""
    left = {}
    for lot in lots:
        if lot["player"] in left:  # a second lot: the earlier ones were a tie
            best = max(left.values())
            assert list(left.values()).count(best) > 1
            left = {}
        left[lot["player"]] = sum(lot["dice"])
    return max(left, key=left.get)


class Story:
    """The papers as they lie on the table after these events."""

    def __init__(self, events):
        stands = standing(events)
        start = stands[0]
        self.game = start["game"]
        self.seats = start.get("teams") or [[player] for player in start["players"]]
        self.names = [" & ".join(seat) for seat in self.seats]
        house = dict(start["rules"])
        for event in stands:
            if event["type"] == "rules-changed":
                house |= event["rules"]
        self.papers = [Paper(self.game, **{name.replace("-", "_"): n for name, n in house.items()}) for _ in self.seats]
        self.saved = [0 for _ in self.seats]
        self.log = self.played(stands)
        for seat, box, column, dice in self.log:
            self.papers[seat].enter(box, column, dice)

    def played(self, stands):
        """Every entry as (seat, box, column, dice), counting saved throws on the way."""
        begins = stands[0].get("begins")
        if begins == "throw":
            lots = [event for event in stands if event["type"] == "lot-thrown"]
            begins = who_begins(lots) if lots else None
        seat = next((n for n, members in enumerate(self.seats) if begins in members), 0)
        log, dice, throws, paid = [], None, 0, 0
        for event in stands[1:]:
            if event["type"] == "thrown":
                dice, throws = event["dice"], throws + 1
            elif event["type"] == "saved-throw-spent":
                self.saved[seat] -= 1
                paid += 1
            elif event["type"] == "corrected" and "box" in event:
                where = self.names.index(event["player"]), event["box"], event["column"]
                log = [(*where, event["dice"]) if entry[:3] == where else entry for entry in log]
            elif event["type"] == "corrected":
                dice = event["dice"]
            elif event["type"] == "entered":
                log.append((seat, event["box"], event["column"], dice))
                if dice_of(self.game) == 6:
                    self.saved[seat] += max(0, 3 - throws) + (paid - max(0, throws - 3))
                seat, dice, throws, paid = (seat + 1) % len(self.seats), None, 0, 0
        return log

    def sheets(self):
        """What ``tell`` needs of every sheet."""
        for name, paper, saved in zip(self.names, self.papers, self.saved, strict=True):
            columns = []
            for column, written in enumerate(paper.written):
                times = paper.times[column] if self.game.startswith("trippel") else 1
                boxes = {box: written[box] * times for box in paper.boxes if box in written}
                upper = sum(written.get(box, 0) for box in NUMBERS)
                bonus = paper.paid if upper >= paper.needed else 0
                extras = paper.extras[column]
                if american(self.game) and self.game != "triple-yahtzee" and (extras or len(boxes) == len(paper.boxes)):
                    boxes["yahtzee-bonus"] = extras
                lower = sum(points for box, points in boxes.items() if box not in NUMBERS)
                columns.append((boxes, upper * times, bonus * times, lower, paper.column_total(column)))
            yield name, paper.total(), sum(paper.chips), saved, columns


def words(event):
    """An event as a person would say it."""
    rest = {key: value for key, value in event.items() if key != "type"}
    if "dice" in rest:
        rest["dice"] = "-".join(map(str, rest["dice"]))
    said = ", ".join(
        f"{key} {value if isinstance(value, str | int) else json.dumps(value)}" for key, value in rest.items()
    )
    return f"{event['type']} {said}".strip()


def tell(sheets):
    """The sheets as text, one after the other. Filled boxes only; the maxi games show the bank."""
    lines = []
    for name, total, chips, saved, columns in sheets:
        lines.append(
            f"      {name}: {total}" + (f", chips {chips}" if chips else "") + (f", saved {saved}" if saved else "")
        )
        for number, (boxes, upper, bonus, lower, column_total) in enumerate(columns, 1):
            above = "  ".join(f"{box} {points}" for box, points in boxes.items() if box in NUMBERS)
            below = "  ".join(f"{box} {points}" for box, points in boxes.items() if box not in NUMBERS)
            if boxes:
                lines.append(f"        {number}: {above} | {upper} + {bonus}".replace("  |", " |"))
                lines.append(f"           {below} | {lower} | column {column_total}".replace("  |", " |"))
    return "\n".join(lines)


def story(events, sheets_after):
    """The whole story; ``sheets_after(events so far)`` says how the sheets look."""
    lines, last = [], None
    for number, event in enumerate(events, 1):
        lines.append(f"{number:4}  {words(event)}")
        told = tell(sheets_after(events[:number]))
        if told != last:
            lines.append(told)
        last = told
    return "\n".join(lines) + "\n"


def journal(game):
    text = (FOLDER / f"{game}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def by_hand(game):
    """What stands above the line, and the story below it."""
    above, _, below = (FOLDER / f"{game}.txt").read_text(encoding="utf-8").partition(f"{LINE}\n")
    return above, below


def second_story(game):
    """On paper nothing changes while dice are thrown, so the papers are taken out only when something was said."""
    events = journal(game)
    papers = {}

    def sheets_after(so_far):
        said = len([event for event in so_far if event["type"] not in ("thrown", "held", "lot-thrown")])
        if so_far[-1]["type"] not in ("thrown", "held", "lot-thrown"):
            papers[said] = list(Story(so_far).sheets())
        return papers[said]

    return story(events, sheets_after)


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.jsonl")):
        told = second_story(path.stem)
        (FOLDER / f"{path.stem}.txt").write_text(f"{by_hand(path.stem)[0]}{LINE}\n{told}", encoding="utf-8")
