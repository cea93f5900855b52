"""The house rules of a game, about to be played or on the table: every rule with what it means, changed by touch."""

from display.intent import Intent, Look
from display.page import Page
from display.rect import Rect
from display.standing import house_rules, rule_value, rules_wanted
from rules import Game, HouseRule, RuleValue


def lay_house_rules(page: Page) -> None:
    """As many rules as fit, then the next page."""
    game, settled = house_rules(page.view)
    bar, rest = page.whole.top(page.of(1.02))
    page.panel(bar, "turn", radius=0)
    wanted = rules_wanted(page.view)
    if wanted:  # they may stay as they are
        bar = page.crossed(bar, Look("open", None))
    title = f"{page.words.game(game)}: {page.words.ui('house-rules')}"
    page.text(page.warned(bar).inset(page.of(0.25), 0), title, "title", bold=True, ink="on-turn", ground="turn")
    inside = rest.inset(page.gap)
    foot, area = inside.foot(page.of(1.1), page.gap)
    if page.notice is not None:
        said, area = area.top(page.of(0.76), page.gap // 2)
        page.said(said, page.notice)
    fits = max(1, area.h // page.of(1.6 if page.upright else 1.16))
    pages = -(-len(game.house_rules) // fits)
    here = page.view.desk.page % pages
    row_h = min(area.h // fits, page.of(1.7))
    on_table = page.view.match is not None
    changed = {rule for rule, _ in (wanted if on_table else settled)}
    for place, rule in enumerate(game.house_rules[here * fits : (here + 1) * fits]):
        row = Rect(area.x, area.y + place * row_h, area.w, row_h).inset(0, page.of(0.04))
        _rule(page, row, game, rule, rule_value(game, rule.id, settled), changed=rule.id in changed)
    printed, more, done = foot.shares((1, 1, 1.2), page.gap)
    page.button(printed, page.words.ui("as-printed"), Look("as-printed") if settled else None, sign="undo")
    if pages > 1:
        page.button(more, page.words.ui("more"), Look("page", here + 1), sign="next")
    if wanted:
        page.button(done, page.words.ui("see-changes"), Look("open", "preview"), main=True, sign="next")
    else:
        page.button(done, page.words.ui("done"), Look("open", None), main=True, sign="check")


def _rule(page: Page, row: Rect, game: Game, rule: HouseRule, value: RuleValue, *, changed: bool) -> None:
    page.panel(row, "paper", "accent" if changed else "line", page.of(0.06) if changed else 1)
    controls, words = row.inset(page.of(0.16), 0).right_part(page.of(3.5), page.of(0.2))
    name, about = words.inset(0, page.of(0.04)).top(round(row.h * 0.46))
    title, meaning = page.words.rule(game, rule)
    page.text(name, title, "body", bold=True, ground="paper")
    page.text(about, meaning, "small", ink="soft", ground="paper", lines=2, smallest=page.of(0.24))
    if rule.kind == "number":
        _steps(page, controls, rule, value)
        return
    following = _following(rule, value)
    page.panel(controls, None, radius=0, intent=Look("rule", (rule.id, following)))
    button = controls.inset(0, page.of(0.06))
    page.panel(button, "band", "line", 1)
    inner = button.inset(page.of(0.15), 0)
    if rule.kind == "switch":
        spot, inner = inner.left(page.of(0.4), page.of(0.12))
        page.sign(spot.centred(page.of(0.4), page.of(0.4)), "check" if value else "cross", "ink", "band")
    page.text(inner, page.words.value(value), "body", ground="band", align="centre", lines=2)


def _steps(page: Page, area: Rect, rule: HouseRule, value: RuleValue) -> None:
    """One step less, the value, one step more."""
    assert isinstance(value, int)
    wide = page.of(1.06)
    less, rest = area.left(wide)
    more, middle = rest.right_part(wide)
    for spot, sign, step in ((less, "minus", -rule.step), (more, "plus", rule.step)):
        new = value + step
        intent: Intent | None = Look("rule", (rule.id, new)) if rule.low <= new <= rule.high else None
        page.panel(spot, None, radius=0, intent=intent)
        button = spot.inset(0, page.of(0.06))
        if intent is not None:
            page.panel(button, "band", "line", 1)
            page.sign(button.centred(page.of(0.45), page.of(0.45)), sign, "ink", "band")
    page.text(middle, page.words.value(value), "large", bold=True, ground="paper", align="centre")


def _following(rule: HouseRule, value: RuleValue) -> RuleValue:
    """The next value of a switch or a choice; a choice per column begins and ends with its own default."""
    if rule.kind == "switch":
        return not value
    values: list[RuleValue] = list(rule.choices)
    if rule.default not in values:
        values.insert(0, rule.default)
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]
