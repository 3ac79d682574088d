"""The evidence for what is selected, written as HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence

from clcd_gui.core.again_words import common_again_sentence, pair_again_sentence
from clcd_gui.core.explanation import Explainer, Reason
from clcd_gui.core.findings import Finding, Findings, Relation, relation_of
from clcd_gui.core.number_format import counted
from clcd_gui.core.rich_text import breakable
from clcd_gui.core.selection import SelectedPair
from clcd_gui.views import evidence_html as write
from clcd_gui.views.evidence_html import COMMON_MARK, LABEL_MARK, SPECIFIC_MARK
from engine.discovery.evidence import Evidence, Rule
from engine.exporting.direction_words import DIRECT
from engine.exporting.phrases import phrase
from engine.exporting.rule_words import RULE_HELP, RULE_WORDS, reason_text

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
            text = f"{breakable(pair.feature)} is not among the variables of this result."
            return write.paragraph(text)
        if pair.label is not None and not findings.is_label(pair.label):
            return write.paragraph(f"{breakable(pair.label)} is not among the labels of this result.")
        if pair.feature is not None and pair.label is not None and pair.feature != pair.label:
            return self._pair(pair.feature, pair.label)
        if pair.feature is not None and not findings.is_label(pair.feature):
            return self._feature(pair.feature)
        label = pair.label if pair.label is not None else pair.feature
        return self._label(label) if label is not None else ""

    def _pair(self, feature: str, label: str) -> str:
        reasons = self._explainer.reasons(feature, label)
        head = write.title(self._mark(feature), feature) + write.paragraph(
            f'<span class="muted">bears on</span> {LABEL_MARK} {write.link(label, SelectedPair(label=label))}'
        )
        if not reasons:
            return head.replace("bears on", "and") + self._no_relation(feature, label)
        body = "".join(self._reason(reason, place, len(reasons)) for place, reason in enumerate(reasons))
        body += write.direction(self._explainer.direction(feature, label), self._explainer.symbol)
        body += self._alike(feature, label)
        body += self._again(pair_again_sentence(self._findings.result, feature, label))
        return head + body + self._elsewhere(feature, label)

    def _no_relation(self, feature: str, label: str) -> str:
        result = self._findings.result
        if label in result.unfinished_labels:
            return write.paragraph(f"The run was stopped before {breakable(label)} was finished.")
        alike = self._alike(feature, label)
        if alike:
            text = (
                f"{breakable(feature)} does not count for {breakable(label)}, because another variable tells "
                "as much, as far as these rows show. It may be the one that bears on it."
            )
        else:
            text = (
                f"{breakable(feature)} does not count for {breakable(label)}: either the two are not "
                "associated beyond chance, or other neighbours of the label explain the association away."
            )
        again = self._again(pair_again_sentence(result, feature, label))
        return write.paragraph(text) + alike + again + self._elsewhere(feature, label)

    def _elsewhere(self, feature: str, label: str) -> str:
        finding = self._findings.finding(feature)
        others = [] if finding is None else [other for other in finding.labels if other != label]
        if not others:
            return ""
        rows = [self._label_row(feature, other) for other in others]
        return write.section("It also bears on") + write.listing(rows)

    def _feature(self, feature: str) -> str:
        head = write.title(self._mark(feature), feature)
        finding = self._findings.finding(feature)
        if finding is None:
            text = write.paragraph("It counts for none of the labels, as far as these data show.")
            return head + text + self._open(self._findings.not_told_apart_from(feature))
        kind = "common" if finding.is_common else "label-specific"
        head += f'<p class="muted">{kind}: bears on {counted(len(finding.labels), "label")}</p>'
        rows = [self._label_row(feature, label) for label in finding.labels]
        again = self._again(common_again_sentence(self._findings.result, finding))
        text = head + write.listing(rows) + again + self._twins(finding)
        return text + '<p class="small">Choose a label to see the tests.</p>'

    def _again(self, sentence: str) -> str:
        return write.section("How sure") + write.paragraph(html.escape(sentence)) if sentence else ""

    def _label_row(self, feature: str, label: str) -> str:
        reason = self._findings.result.reasons(feature, label)[0]
        return self._row(LABEL_MARK, SelectedPair(feature, label), label, reason)

    def _alike(self, feature: str, label: str) -> str:
        sentences = self._explainer.alike(feature, label)
        if not sentences:
            return ""
        return write.section("Tells the same, or may") + "".join(map(write.sentence, sentences))

    def _twins(self, finding: Finding) -> str:
        text = ""
        if finding.interchangeable:
            sentence = phrase(
                "It is interchangeable with {names}: the data cannot tell which of them counts.",
                names=self._explainer.names(finding.interchangeable),
            )
            text += write.section("Interchangeable") + write.sentence(sentence)
        return text + self._open(finding.not_told_apart)

    def _open(self, names: tuple[str, ...]) -> str:
        if not names:
            return ""
        sentence = phrase(
            "These rows do not tell it apart from {names}, and do not show that they tell the same.",
            names=self._explainer.names(names),
        )
        return write.section("Not told apart with these rows") + write.sentence(sentence)

    def _label(self, label: str) -> str:
        findings = self._findings
        head = write.title(LABEL_MARK, label)
        if label in findings.result.unfinished_labels:
            return head + write.paragraph("The run was stopped before this label was finished.")
        features = findings.of_label(label)
        related = findings.related_labels(label)
        if not features and not related:
            text = "Nothing was found that bears on it, as far as these data show."
            return head + write.paragraph(text)
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
                parts.append(write.section(title) + write.listing(rows))
        rows = [
            self._row(LABEL_MARK, SelectedPair(record.feature, label), record.feature, record)
            for record in related
        ]
        if rows:
            parts.append(write.section("Other labels in its boundary") + write.listing(rows))
        return parts

    def _row(self, mark: str, pair: SelectedPair, text: str, reason: Evidence) -> str:
        if reason.rule is Rule.NEIGHBOUR:
            detail = DIRECT.get(self._findings.result.direction(reason.feature, reason.label), "")
        else:
            detail = reason_text(reason)
        return write.row(mark, pair, text, detail, reason.strength)

    def _reason(self, reason: Reason, place: int, count: int) -> str:
        number = f"Reason {place + 1}: " if count > 1 else ""
        return write.reason(
            f"{number}{RULE_WORDS[reason.rule]}",
            RULE_HELP[reason.rule],
            reason.rule.symbol,
            reason.sentences,
            reason.tests,
            self._explainer.symbol,
        )

    def _mark(self, name: str) -> str:
        if self._findings.is_label(name):
            return LABEL_MARK
        finding = self._findings.finding(name)
        if finding is None:
            return ""
        return COMMON_MARK if finding.is_common else SPECIFIC_MARK
