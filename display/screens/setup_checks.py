"""The check-up in the setup: everything the table looks after itself, and what to do where it is wrong."""

from display.intent import CheckUp, Look
from display.page import Page
from display.rect import Rect
from display.view import Finding

SIGNS = {"well": "check", "wrong": "warn", "absent": "minus"}
ROW, ROW_WRONG = 0.72, 1.75
"""Heights of a row, in touches: what is well is ticked, one that is wrong says what exactly and what to do."""


def lay_checks(page: Page) -> None:
    """As many rows as fit, what is wrong first; then the next page."""
    ui = page.words.ui
    area = page.bar(ui("setup-checks"), Look("open", "setup")).inset(page.gap * 2)
    foot, area = area.foot(page.of(1.1), page.gap)
    again, more = foot.columns(2, page.gap)
    page.button(again, ui("look-again"), CheckUp(), sign="undo")
    findings = page.view.setup.findings
    if not findings:
        page.text(area.top(page.of(1.2))[0], ui("looking"), "body", lines=2)
        return
    pages = _pages(page, sorted(findings, key=lambda finding: finding.state != "wrong"), area.h)
    here = page.view.desk.page % len(pages)
    if len(pages) > 1:
        page.button(more, f"{ui('more')}  {here + 1}/{len(pages)}", Look("page", here + 1), sign="next")
    for finding in pages[here]:
        row, area = area.top(_height(page, finding), page.of(0.08))
        _row(page, row, finding)


def _height(page: Page, finding: Finding) -> int:
    if finding.state != "wrong":
        return page.of(ROW)
    return round(page.of(ROW_WRONG) * (1.7 if page.upright else 1.0))


def _pages(page: Page, findings: list[Finding], room: int) -> list[list[Finding]]:
    pages: list[list[Finding]] = [[]]
    left = room
    for finding in findings:
        high = _height(page, finding) + page.of(0.08)
        if high > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(finding)
        left -= high
    return pages


def _row(page: Page, row: Rect, finding: Finding) -> None:
    wrong = finding.state == "wrong"
    page.panel(row, "paper", "notice" if wrong else "line", page.of(0.06) if wrong else 1)
    inner = row.inset(page.of(0.16), page.of(0.06))
    mark, inner = inner.left(page.of(0.56), page.of(0.16))
    page.sign(mark.centred(page.of(0.44), page.of(0.44)), SIGNS[finding.state], "ink", "paper")
    title, cure = page.words.check(finding.check)
    if not wrong:
        name, rest = inner.shares((1.4, 1), page.of(0.2))
        page.text(name, title, "body", ground="paper", smallest=page.of(0.26))
        if finding.state == "absent":
            page.text(rest, page.words.ui("not-here"), "small", ink="soft", ground="paper", align="right")
        return
    if page.upright:
        rest = page.flow(inner, title, "body", bold=True, ground="paper", smallest=0.3)
    else:
        name, rest = inner.left(page.of(4.2), page.of(0.2))
        page.text(name, title, "body", bold=True, ground="paper", lines=2, smallest=page.of(0.26))
    rest = page.flow(rest, cure, "small", ground="paper", lines=2, smallest=0.22)
    page.text(rest, finding.said, "tiny", ink="soft", ground="paper", lines=2, smallest=page.of(0.2))
