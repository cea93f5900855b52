"""Teams of a new game: how many, who is in which, and what they are called."""

from display.intent import Look
from display.page import Page
from display.rect import Rect
from display.seating import LONGEST_NAME, MOST_TEAMS, side_of, sides


def lay_teams(page: Page) -> None:
    """How many teams on top, the teams below, then the players: touching one moves it to the next team."""
    desk, ui, gap = page.view.desk, page.words.ui, page.gap
    area = page.bar(ui("teams"), Look("open", None)).inset(gap)
    if page.notice is not None:
        said, area = area.top(page.of(0.76), gap)
        page.said(said, page.notice)
    done, area = area.foot(page.of(1.15), gap)
    page.button(done.right_part(done.w // 3)[0], ui("done"), Look("open", None), main=True, sign="check")
    counts, area = area.top(page.of(1.1), gap * 2)
    most = min(MOST_TEAMS, len(desk.players))
    for count, cell in zip((0, *range(2, MOST_TEAMS + 1)), counts.columns(MOST_TEAMS, gap), strict=True):
        label = ui("team-count", n=page.words.number(count)) if count else ui("no-teams")
        page.button(cell, label, Look("teams", count) if count <= most else None, chosen=desk.teams == count)
    if not desk.teams:
        page.text(area.top(page.of(1.4))[0], ui("no-teams-about"), "body", ink="soft", lines=2)
        return
    across = 2 if page.upright else 4
    heads, area = area.top(page.of(1.3) * -(-desk.teams // across), gap // 2)
    for number, cell in enumerate(_cells(page, heads, desk.teams, min(across, desk.teams))):
        _team(page, cell, number)
    hint, area = area.top(page.of(0.8 if page.upright else 0.55), gap // 2)
    page.text(hint, ui("team-hint"), "small", ink="soft", lines=2)
    rows = -(-len(desk.players) // across)
    for name, cell in zip(
        desk.players,
        _cells(page, area.top(page.of(1.2) * rows)[0], len(desk.players), across),
        strict=True,
    ):
        page.panel(cell, "paper", "line", 1, intent=Look("side", name))
        mark, inner = cell.inset(page.of(0.12), 0).left(page.of(0.6), page.of(0.1))
        page.mark(mark, side_of(desk, name))
        page.text(inner, name, "body", bold=True, ground="paper", lines=2)


def _cells(page: Page, area: Rect, count: int, across: int) -> list[Rect]:
    lines = area.rows(-(-count // across), page.gap // 2)
    return [cell for line in lines for cell in line.columns(across, page.gap)][:count]


def _team(page: Page, cell: Rect, number: int) -> None:
    """A team's sign and name: touched, it is renamed."""
    page.panel(cell, "paper", "accent", page.of(0.06), intent=Look("type", number))
    inner = cell.inset(page.of(0.14), page.of(0.08))
    mark, inner = inner.left(page.of(0.7), page.of(0.12))
    page.mark(mark, number)
    pen, inner = inner.right_part(page.of(0.4), page.of(0.08))
    page.sign(pen.centred(page.of(0.36), page.of(0.36)), "pen", "soft", "paper")
    page.text(inner, team_name(page, number), "body", bold=True, ground="paper", lines=3, smallest=page.of(0.26))


def team_name(page: Page, number: int) -> str:
    """What a team is called: as was written, else by its members where that is no longer than a name, else by its
    number."""
    desk = page.view.desk
    given = desk.team_names[number] if number < len(desk.team_names) else ""
    joined = " & ".join(sides(desk)[number])
    if given:
        return given
    return joined if 0 < len(joined) <= LONGEST_NAME else page.words.ui("team", n=page.words.number(number + 1))
