"""What new house rules would change, sheet by sheet, before anybody says yes."""

from dataclasses import dataclass

from display.changes import Change, Preview, preview
from display.desk import current
from display.intent import ChangeRules, Look
from display.page import Page
from display.rect import Rect
from display.standing import column_count, rules_wanted
from rules import Match, RuleValue

LINE = 0.6
"""Height of a line in touches: nothing here is to be touched."""


@dataclass(frozen=True)
class Said:
    """One line: what, and from what to what; a heading has neither and names a player, or the rules (`seat` None)."""

    what: str
    before: str = ""
    after: str = ""
    heading: bool = False
    seat: int | None = None


def lay_preview(page: Page) -> None:
    """The lines in columns, as many pages as they need; below them back, and the one button that changes anything."""
    match, ui, gap = page.view.match, page.words.ui, page.gap
    wanted = rules_wanted(page.view)
    found = preview(page.view, wanted)
    if match is None or found is None:
        return
    area = page.bar(ui("preview"), Look("open", "rules")).inset(gap * 2, gap)
    foot, area = area.foot(page.of(1.15), gap)
    back, more, yes = foot.shares((1, 1, 1.4), gap)
    page.button(back, ui("back"), Look("open", "rules"), sign="back")
    accept = ChangeRules(wanted) if wanted and found.refusal is None else None
    page.button(yes, ui("accept"), accept, main=True, sign="check", size="large")
    notice = page.notice or (page.words.notice(found.refusal) if found.refusal is not None else None)
    if notice is not None:
        said, area = area.top(page.of(0.76), gap)
        page.said(said, notice)
    columns = area.columns(1 if page.upright else 2, gap * 3)
    deep = max(2, area.h // page.of(LINE))
    pages = _pages(_lines(page, match, found), deep, len(columns))
    here = current(page.view).page % len(pages)
    if len(pages) > 1:
        page.button(more, f"{ui('more')}  {here + 1}/{len(pages)}", Look("page", here + 1), sign="next")
    for lines, column in zip(pages[here], columns, strict=False):
        for place, said_line in enumerate(lines):
            _line(page, Rect(column.x, column.y + place * page.of(LINE), column.w, page.of(LINE)), said_line)


def _line(page: Page, row: Rect, said: Said) -> None:
    if said.heading:
        mark, text = row.left(page.of(0.5), page.of(0.14))
        if said.seat is not None:
            page.mark(mark.centred(page.of(0.48), page.of(0.48)), said.seat)
        else:
            page.sign(mark.centred(page.of(0.44), page.of(0.44)), "pen")
        page.text(text, said.what, "body", bold=True)
        return
    what, values = row.inset(page.of(0.1), 0).shares((1.25, 1), page.gap)
    if not said.after:
        page.text(row.inset(page.of(0.1), 0), said.what, "small", ink="soft", smallest=page.of(0.22))
        return
    page.text(what, said.what, "small", smallest=page.of(0.22))
    arrow = page.of(0.5)
    room = (values.w - arrow) // 2
    before, rest = values.left(room)
    sign, after = rest.left(arrow)
    page.text(before, said.before, "small", align="right", smallest=page.of(0.22))
    page.sign(sign.centred(page.of(0.3), page.of(0.3)), "turn")
    page.text(after, said.after, "small", bold=True, smallest=page.of(0.22))


def _pages(lines: list[Said], deep: int, across: int) -> list[list[list[Said]]]:
    """The lines in columns of that depth; a heading never stands alone at a foot, and is said again on top."""
    columns: list[list[Said]] = [[]]
    heading: Said | None = None
    for line in lines:
        if len(columns[-1]) >= deep - (1 if line.heading else 0):
            columns.append([] if line.heading or heading is None else [heading])
        heading = line if line.heading else heading
        columns[-1].append(line)
    return [columns[first : first + across] for first in range(0, len(columns), across)]


def _lines(page: Page, match: Match, found: Preview) -> list[Said]:
    words, ui = page.words, page.words.ui
    lines = [Said(ui("house-rules"), heading=True)] if found.rules else []
    for rule, before, after in found.rules:
        name = words.rule(found.game, found.game.rule[rule])[0]
        lines.append(Said(name, _value(page, before), _value(page, after)))
    for seat in match.seats:
        changes = [change for change in found.changes if change.player == seat.name]
        if changes:
            lines.append(Said(seat.name, heading=True, seat=match.seats.index(seat)))
            lines += [_said(page, match, change) for change in changes]
    if not found.changes and found.refusal is None:
        lines.append(Said(ui("nothing-changes")))
    return lines


def _value(page: Page, value: RuleValue) -> str:
    return page.words.value(value)


def _said(page: Page, match: Match, change: Change) -> Said:
    words, ui = page.words, page.words.ui
    match change.kind:
        case "box" | "irregular":
            what = words.box(match.game, change.box)
        case "rank":
            what = ui("place")
        case "extra":
            what = words.rule(match.game, match.game.rule["extra-yatzy-bonus"])[0]
        case kind:
            what = ui(kind)
    if change.column is not None and column_count(match) > 1:
        what = f"{what} · {ui('column', n=words.number(change.column))}"
    if change.kind == "irregular":
        return Said(f"{what}: {ui('stays-written')}")
    before, after = (words.number(value) if value is not None else "–" for value in (change.before, change.after))
    return Said(what, before, after)
