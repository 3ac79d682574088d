"""The overview of a result, written as HTML: sentences first, then the figures by label."""

from __future__ import annotations

import html

from clcd_gui.core.anchors import anchor, step_anchor
from clcd_gui.core.findings import Findings
from clcd_gui.core.number_format import NUMBERS, count_text, strength_text
from clcd_gui.core.rich_text import breakable, rich
from clcd_gui.core.selection import SelectedPair
from clcd_gui.style.tokens import Colours
from engine.exporting.direction_words import direction_phrases
from engine.exporting.overview import Overview
from engine.exporting.stability_words import stability_phrases

_MOST_SENTENCES = 8
_LONGEST = 40
_UNBROKEN = 24
_MOST_LABELS = 40
_NOT_REPEATED = (
    "Not looked into yet. <b>How sure?</b> at the top searches random halves of the rows again and counts "
    "how often each variable is found again."
)
_NOTHING_FOUND = (
    '<p class="section">What you can try</p>'
    "<p>Weaker relations show with a larger level α (more of what is found is then chance) or with fewer "
    f'variables held fixed at once, both on the <a href="{step_anchor("method")}">Method page</a>, or in a '
    "table with more rows.</p>"
)


def overview_html(findings: Findings, _colours: Colours) -> str:
    """Write the overview."""
    overview = Overview(findings.result, NUMBERS)
    parts = [f'<p class="lead">{" ".join(map(rich, overview.summary()))}</p>']
    stopped = overview.partial()
    if stopped:
        parts.insert(0, f'<p class="caution">{rich(stopped)}</p>')
    parts.append(_by_label(findings) if findings.all else _NOTHING_FOUND)
    parts.append(_directions(findings))
    parts.append(_how_sure(findings))
    parts += [_label_relations(findings, overview), _notes(findings), _run(overview)]
    return "".join(parts)


def _by_label(findings: Findings) -> str:
    several = len(findings.labels) > 1
    headings = ("common", "only here") if several else ("variables",)
    head = "".join(f'<th align="right">&nbsp;&nbsp;{title.replace(" ", "&nbsp;")}</th>' for title in headings)
    unfinished = set(findings.result.unfinished_labels)
    told = [label for label in findings.labels if findings.of_label(label) or label in unfinished]
    rows = "".join(_label_row(findings, label, several) for label in told[:_MOST_LABELS])
    rest = len(told) - _MOST_LABELS
    more = f'<p class="muted">{count_text(rest)} more labels, all shown in the grid.</p>' if rest > 0 else ""
    return (
        '<p class="section">By label</p><table cellspacing="0" cellpadding="3">'
        f'<tr><th align="left">label</th>{head}<th align="left">&nbsp;&nbsp;strongest variable</th></tr>'
        f"{rows}</table>{more}"
    )


def _label_row(findings: Findings, label: str, several: bool) -> str:
    name = f'<span class="label">▢</span>&nbsp;{_link(SelectedPair(label=label), label)}'
    whole = f'<p class="whole">{name}</p>' if len(label) <= _UNBROKEN else name
    link = f"<td>{whole}</td>"
    if label in findings.result.unfinished_labels:
        return f'<tr>{link}<td colspan="3" class="muted">&nbsp;&nbsp;not finished</td></tr>'
    features = findings.of_label(label)
    common = sum(1 for finding in features if finding.is_common)
    figures = [common, len(features) - common] if several else [len(features)]
    cells = "".join(f'<td align="right">{count_text(figure) if figure else "–"}</td>' for figure in figures)
    top = _link(SelectedPair(features[0].feature, label), features[0].feature)
    strength = strength_text(findings.result.reasons(features[0].feature, label)[0].strength)
    return f'<tr>{link}{cells}<td>&nbsp;&nbsp;{top}&nbsp;<span class="muted">{strength}</span></td></tr>'


def _directions(findings: Findings) -> str:
    sentences = direction_phrases(findings.result, NUMBERS)
    if not sentences:
        return ""
    return f'<p class="section">Causes and effects</p><p>{" ".join(map(rich, sentences))}</p>'


def _how_sure(findings: Findings) -> str:
    sentences = stability_phrases(findings.result, NUMBERS)
    if not findings.all and not sentences:
        return ""
    text = " ".join(map(rich, sentences)) or _NOT_REPEATED
    return f'<p class="section">How sure</p><p>{text}</p>'


def _label_relations(findings: Findings, overview: Overview) -> str:
    if len(findings.labels) < 2:
        return ""
    sentences = overview.label_relations()
    head = '<p class="section">Labels and labels</p>'
    if not sentences:
        return f"{head}<p>No label is in the Markov boundary of another.</p>"
    items = "".join(f"<li>{rich(sentence)}</li>" for sentence in sentences[:_MOST_SENTENCES])
    rest = len(sentences) - _MOST_SENTENCES
    more = (
        f'<p class="muted">{count_text(rest)} more; the graph and “Why?” show them.</p>' if rest > 0 else ""
    )
    return f"{head}<ul>{items}</ul>{more}"


def _notes(findings: Findings) -> str:
    notes = findings.result.dataset.notes
    if not notes:
        return ""
    items = []
    for note in notes[: 2 * _MOST_SENTENCES]:
        subject = f"<b>{breakable(note.variable)}</b>: " if note.variable else ""
        items.append(f"<li>{subject}{html.escape(note.message)}</li>")
    rest = len(notes) - len(items)
    more = f'<p class="muted">{count_text(rest)} more; the Data page lists them all.</p>' if rest > 0 else ""
    return f'<p class="section">What was changed or set aside</p><ul>{"".join(items)}</ul>{more}'


def _run(overview: Overview) -> str:
    text = " ".join(map(rich, overview.run()))
    return f'<p class="section">What it rests on</p><p>{text}</p>'


def _link(pair: SelectedPair, text: str) -> str:
    shown = text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}…{text[-_LONGEST // 2 + 1 :]}"
    return f'<a href="{html.escape(anchor(pair))}" title="{html.escape(text)}">{breakable(shown)}</a>'
