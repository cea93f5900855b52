"""What is wrong and what to do, one card each, what may cost a game first."""

from display.intent import Look
from display.page import Page
from display.rect import Rect
from display.standing import alarms
from display.view import PASSING, Fault


def lay_faults(page: Page) -> None:
    """As many cards as fit, then the next page."""
    area = page.bar(page.words.ui("faults"), Look("open", None)).inset(page.gap * 2)
    faults = alarms(page.view)
    if not faults:
        _all_well(page, area)
        return
    fits = max(1, (area.h + page.gap) // (page.of(HEIGHT_UPRIGHT if page.upright else HEIGHT) + page.gap))
    if len(faults) > fits:
        more, area = area.foot(page.of(1.1), page.gap)
        fits = max(1, (area.h + page.gap) // (page.of(HEIGHT_UPRIGHT if page.upright else HEIGHT) + page.gap))
        pages = -(-len(faults) // fits)
        here = page.view.desk.page % pages
        faults = faults[here * fits : (here + 1) * fits]
        label = f"{page.words.ui('more')}  {here + 1}/{pages}"
        page.button(more.right_part(page.of(4))[0], label, Look("page", here + 1), sign="next")
    row_h = min((area.h - page.gap * (fits - 1)) // fits, page.of(HEIGHT_UPRIGHT))
    for place, fault in enumerate(faults):
        _card(page, Rect(area.x, area.y + place * (row_h + page.gap), area.w, row_h), fault)


HEIGHT, HEIGHT_UPRIGHT = 2.25, 3.2
"""Least height of a card, in touches."""


def _card(page: Page, card: Rect, fault: Fault) -> None:
    page.panel(card, "paper", "notice", page.of(0.06))
    inner = card.inset(page.of(0.2), page.of(0.12))
    mark, inner = inner.left(page.of(0.8), page.of(0.2))
    badge = mark.top(page.of(0.8))[0]
    page.panel(badge, "notice")
    page.sign(badge.centred(page.of(0.54), page.of(0.54)), "warn", "on-notice", "notice")
    if fault.name in PASSING:
        away, inner = inner.right_part(page.of(2.5), page.of(0.2))
        label = page.words.ui("understood")
        page.button(away.centred(away.w, page.of(1.1)), label, Look("dismiss", fault.name), sign="check")
    title, cure = page.words.fault(fault.name)
    inner = page.flow(inner, title, "body", bold=True, ground="paper", lines=2, smallest=0.3)
    exact, inner = inner.foot(page.of((0.66 if page.upright else 0.36) if fault.detail else 0))
    page.flow(inner, cure, "small", ground="paper", lines=4)
    if fault.detail:
        page.text(exact, fault.detail, "tiny", ink="soft", ground="paper", lines=2, smallest=page.of(0.22))


def _all_well(page: Page, area: Rect) -> None:
    spot = area.centred(min(area.w, page.of(9)), page.of(1.2))
    sign, text = spot.left(page.of(1.0), page.of(0.3))
    page.sign(sign.centred(page.of(0.8), page.of(0.8)), "check", "accent")
    page.text(text, page.words.ui("all-well"), "title", bold=True, lines=2)
