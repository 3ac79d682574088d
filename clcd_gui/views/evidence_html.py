"""The pieces that answers to "why?" are written of, as HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence

from clcd_gui.core.anchors import anchor
from clcd_gui.core.explanation import DirectionReason, TestRow
from clcd_gui.core.number_format import strength_text
from clcd_gui.core.rich_text import breakable, rich
from clcd_gui.core.selection import SelectedPair
from engine.exporting.phrases import Phrase

LABEL_MARK = '<span class="label">▢</span>'
COMMON_MARK = '<span class="common">●</span>'
SPECIFIC_MARK = '<span class="specific">○</span>'


def title(mark: str, name: str) -> str:
    """Write the name that is asked about, with the mark of its kind."""
    return f'<p class="title">{mark} {breakable(name)}</p>'


def section(text: str) -> str:
    """Write the heading of a part."""
    return f'<p class="section">{text}</p>'


def paragraph(inner: str) -> str:
    """Write a paragraph of HTML."""
    return f"<p>{inner}</p>"


def sentence(words: Phrase) -> str:
    """Write a phrase as a paragraph in which names are links."""
    return paragraph(rich(words))


def link(text: str, pair: SelectedPair) -> str:
    """Write a name as a link that selects a pair."""
    return f'<a href="{html.escape(anchor(pair))}">{breakable(text)}</a>'


def row(mark: str, pair: SelectedPair, text: str, detail: str, strength: float) -> str:
    """Write one line of a listing: a link, a word below it, and a strength."""
    below = f'<br><span class="small">{html.escape(detail)}</span>' if detail else ""
    return (
        f"<tr><td>{mark} {link(text, pair)}{below}</td>"
        f'<td align="right" class="muted">{strength_text(strength)}</td></tr>'
    )


def listing(rows: Sequence[str]) -> str:
    """Write rows under one heading."""
    return _table(['<tr><th></th><th align="right">strength</th></tr>', *rows])


def reason(
    heading: str,
    meaning: str,
    symbol: str,
    sentences: Sequence[Phrase],
    tests: Sequence[TestRow],
    letter: str,
) -> str:
    """Write one reason: the rule, the sentences, and the tests under the letter of their statistic."""
    head = (
        f'<p class="section" title="{html.escape(meaning)}">{heading} <span class="muted">{symbol}</span></p>'
    )
    return head + "".join(map(sentence, sentences)) + test_table(tests, letter)


def direction(told: DirectionReason | None, letter: str) -> str:
    """Write what tells a cause from an effect; nothing when it was not examined."""
    if told is None:
        return ""
    return section("Cause or effect") + sentence(told.sentence) + test_table(told.tests, letter)


def test_table(tests: Sequence[TestRow], letter: str) -> str:
    """Write tests with their figures; `letter` names the statistic."""
    if not tests:
        return ""
    heading = (
        f'<tr><th align="right">{letter}</th>'
        '<th align="right">df</th><th align="right">p</th><th align="right">strength</th></tr>'
    )
    return f'<p class="gap"></p>{_table([heading, *map(_test, tests)])}'


def _table(rows: Sequence[str]) -> str:
    return f'<table width="97%" cellspacing="0">{"".join(rows)}</table>'


def _test(each: TestRow) -> str:
    caution = f'<br><span class="caution">{html.escape(each.caution)}</span>' if each.caution else ""
    figures = "".join(
        f'<td><p class="figure">{html.escape(text).replace(" ", "&nbsp;")}</p></td>'
        for text in (each.statistic, each.degrees, each.p, each.strength)
    )
    return (
        f'<tr><td colspan="4" class="test">{rich(each.subject)}: {each.verdict}{caution}</td></tr>'
        f"<tr>{figures}</tr>"
    )
