"""The evidence for what is selected, written as HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence

from clcd_gui.core.again_words import common_again_sentence, pair_again_sentence
from clcd_gui.core.anchors import anchor
from clcd_gui.core.explanation import Explainer, Reason, TestRow
from clcd_gui.core.findings import Finding, Findings, Relation, relation_of
from clcd_gui.core.number_format import counted, strength_text
from clcd_gui.core.rich_text import breakable, rich
from clcd_gui.core.selection import SelectedPair
from engine.discovery.evidence import Evidence, Rule
from engine.exporting.direction_words import DIRECT
from engine.exporting.phrases import Phrase, phrase
from engine.exporting.rule_words import RULE_HELP, RULE_WORDS, reason_text

_LABEL_MARK = '<span class="label">▢</span>'
_COMMON_MARK = '<span class="common">●</span>'
_SPECIFIC_MARK = '<span class="specific">○</span>'
_GROUPS = (
    (Relation.NEIGHBOUR, "Direct neighbours"),
    (Relation.SPOUSE, "Spouses"),
    (Relation.INTERCHANGEABLE, "Interchangeable with one of these"),
)


class EvidenceText:
    """Writes the answer to "why?" for any selection.

    Parameters
    ----------
    findings : Findings
        The result that is asked.
    """

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._explainer = Explainer(findings)

    def write(self, pair: SelectedPair) -> str:
        """Write the HTML for a pair, a variable alone, or a label alone."""
        findings = self._findings
        if pair.feature is not None and not findings.is_known(pair.feature):
            return _paragraph(f"{_name(pair.feature)} is not among the variables of this result.")
        if pair.label is not None and not findings.is_label(pair.label):
            return _paragraph(f"{_name(pair.label)} is not among the labels of this result.")
        if pair.feature is not None and pair.label is not None and pair.feature != pair.label:
            return self._pair(pair.feature, pair.label)
        if pair.feature is not None and not findings.is_label(pair.feature):
            return self._feature(pair.feature)
        label = pair.label if pair.label is not None else pair.feature
        return self._label(label) if label is not None else ""

    def _pair(self, feature: str, label: str) -> str:
        reasons = self._explainer.reasons(feature, label)
        head = (
            f'<p class="title">{self._mark(feature)} {_name(feature)}</p>'
            f'<p><span class="muted">bears on</span> {_LABEL_MARK} {self._link(label=label, text=label)}</p>'
        )
        if not reasons:
            return head.replace("bears on", "and") + self._no_relation(feature, label)
        body = "".join(self._reason(reason, place, len(reasons)) for place, reason in enumerate(reasons))
        body += self._direction(feature, label)
        body += self._again(pair_again_sentence(self._findings.result, feature, label))
        return head + body + self._elsewhere(feature, label)

    def _no_relation(self, feature: str, label: str) -> str:
        result = self._findings.result
        if label in result.unfinished_labels:
            return _paragraph(f"The run was stopped before {_name(label)} was finished.")
        text = (
            f"{_name(feature)} does not count for {_name(label)}: either the two are not associated beyond "
            "chance, or other neighbours of the label explain the association away."
        )
        again = self._again(pair_again_sentence(result, feature, label))
        return _paragraph(text) + again + self._elsewhere(feature, label)

    def _elsewhere(self, feature: str, label: str) -> str:
        finding = self._findings.finding(feature)
        others = [] if finding is None else [other for other in finding.labels if other != label]
        if not others:
            return ""
        rows = [self._label_row(feature, other) for other in others]
        return f'<p class="section">It also bears on</p>{_listing(rows)}'

    def _feature(self, feature: str) -> str:
        head = f'<p class="title">{self._mark(feature)} {_name(feature)}</p>'
        finding = self._findings.finding(feature)
        if finding is None:
            return head + _paragraph("It counts for none of the labels, as far as these data show.")
        kind = "common" if finding.is_common else "label-specific"
        head += f'<p class="muted">{kind}: bears on {counted(len(finding.labels), "label")}</p>'
        rows = [self._label_row(feature, label) for label in finding.labels]
        again = self._again(common_again_sentence(self._findings.result, finding))
        text = head + _listing(rows) + again + self._twins(finding)
        return text + '<p class="small">Choose a label to see the tests.</p>'

    def _direction(self, feature: str, label: str) -> str:
        told = self._explainer.direction(feature, label)
        if told is None:
            return ""
        head = '<p class="section">Cause or effect</p>'
        return head + _sentence(told.sentence) + self._tests(told.tests)

    def _again(self, sentence: str) -> str:
        return f'<p class="section">How sure</p>{_paragraph(html.escape(sentence))}' if sentence else ""

    def _label_row(self, feature: str, label: str) -> str:
        reason = self._findings.result.reasons(feature, label)[0]
        return self._row(_LABEL_MARK, SelectedPair(feature, label), label, reason)

    def _twins(self, finding: Finding) -> str:
        if not finding.interchangeable:
            return ""
        names = self._explainer.names(finding.interchangeable)
        sentence = phrase("It is interchangeable with {names}: the data cannot tell them apart.", names=names)
        return f'<p class="section">Interchangeable</p>{_sentence(sentence)}'

    def _label(self, label: str) -> str:
        findings = self._findings
        head = f'<p class="title">{_LABEL_MARK} {_name(label)}</p>'
        if label in findings.result.unfinished_labels:
            return head + _paragraph("The run was stopped before this label was finished.")
        features = findings.of_label(label)
        related = findings.related_labels(label)
        if not features and not related:
            return head + _paragraph("Nothing was found that bears on it, as far as these data show.")
        count = counted(len(features), "variable")
        verb = "bears" if len(features) == 1 else "bear"
        own = sum(1 for finding in features if not finding.is_common)
        share = ""
        if own and len(findings.labels) > 1:
            share = ", on it alone" if own == len(features) else f", {own} of them on it alone"
        head += f'<p class="muted">label: {count} {verb} on it{share}</p>'
        return head + "".join(self._groups(label, features, related))

    def _groups(self, label: str, features: Sequence[Finding], related: Sequence[Evidence]) -> list[str]:
        parts = []
        for relation, title in _GROUPS:
            rows = []
            for finding in features:
                reason = self._findings.result.reasons(finding.feature, label)[0]
                if relation_of(reason.rule) is relation:
                    pair = SelectedPair(finding.feature, label)
                    rows.append(self._row(self._mark(finding.feature), pair, finding.feature, reason))
            if rows:
                parts.append(f'<p class="section">{title}</p>{_listing(rows)}')
        rows = [
            self._row(_LABEL_MARK, SelectedPair(record.feature, label), record.feature, record)
            for record in related
        ]
        if rows:
            parts.append(f'<p class="section">Other labels in its boundary</p>{_listing(rows)}')
        return parts

    def _row(self, mark: str, pair: SelectedPair, text: str, reason: Evidence) -> str:
        if reason.rule is Rule.NEIGHBOUR:
            detail = DIRECT.get(self._findings.result.direction(reason.feature, reason.label), "")
        else:
            detail = html.escape(reason_text(reason))
        detail = f'<br><span class="small">{detail}</span>' if detail else ""
        return (
            f'<tr><td>{mark} <a href="{html.escape(anchor(pair))}">{breakable(text)}</a>{detail}</td>'
            f'<td align="right" class="muted">{strength_text(reason.strength)}</td></tr>'
        )

    def _reason(self, reason: Reason, place: int, count: int) -> str:
        number = f"Reason {place + 1}: " if count > 1 else ""
        head = (
            f'<p class="section" title="{html.escape(RULE_HELP[reason.rule])}">'
            f'{number}{RULE_WORDS[reason.rule]} <span class="muted">{reason.rule.symbol}</span></p>'
        )
        return head + "".join(map(_sentence, reason.sentences)) + self._tests(reason.tests)

    def _tests(self, tests: Sequence[TestRow]) -> str:
        if not tests:
            return ""
        heading = (
            f'<tr><th align="right">{self._explainer.symbol}</th>'
            '<th align="right">df</th><th align="right">p</th><th align="right">strength</th></tr>'
        )
        return f'<p class="gap"></p>{_table([heading, *map(_test, tests)])}'

    def _mark(self, name: str) -> str:
        if self._findings.is_label(name):
            return _LABEL_MARK
        finding = self._findings.finding(name)
        if finding is None:
            return ""
        return _COMMON_MARK if finding.is_common else _SPECIFIC_MARK

    def _link(self, text: str, feature: str | None = None, label: str | None = None) -> str:
        address = anchor(SelectedPair(feature, label))
        return f'<a href="{html.escape(address)}">{breakable(text)}</a>'


def _listing(rows: Sequence[str]) -> str:
    return _table(['<tr><th></th><th align="right">strength</th></tr>', *rows])


def _table(rows: Sequence[str]) -> str:
    return f'<table width="97%" cellspacing="0">{"".join(rows)}</table>'


def _test(row: TestRow) -> str:
    caution = f'<br><span class="caution">{html.escape(row.caution)}</span>' if row.caution else ""
    figures = "".join(
        f'<td><p class="figure">{html.escape(text).replace(" ", "&nbsp;")}</p></td>'
        for text in (row.statistic, row.degrees, row.p, row.strength)
    )
    return (
        f'<tr><td colspan="4" class="test">{rich(row.subject)}: {row.verdict}{caution}</td></tr>'
        f"<tr>{figures}</tr>"
    )


def _sentence(sentence: Phrase) -> str:
    return f"<p>{rich(sentence)}</p>"


def _paragraph(inner: str) -> str:
    return f"<p>{inner}</p>"


def _name(text: str) -> str:
    return breakable(text)
