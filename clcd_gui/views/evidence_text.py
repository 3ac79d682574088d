"""Why something was found: what the pages that answer it are filled with."""

from __future__ import annotations

from collections.abc import Sequence

from clcd_gui.core.again_words import common_again_sentence, pair_again_sentence
from clcd_gui.core.explanation import Explainer, ListingRow, Mark, mark_of
from clcd_gui.core.findings import Finding, Findings, Relation, relation_of
from clcd_gui.core.selection import SelectedPair
from clcd_gui.core.templates import filled
from engine.discovery.evidence import Evidence, Rule
from engine.reporting.sentences.directions import DIRECT, reason_text

_GROUPS = {
    Relation.NEIGHBOUR: "Direct neighbours",
    Relation.SPOUSE: "Spouses",
    Relation.INTERCHANGEABLE: "Interchangeable with one of these",
}
_OTHER_LABELS = "Other labels in its boundary"


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
            return filled("why_unknown.html", name=pair.feature, kind="variables")
        if pair.label is not None and not findings.is_label(pair.label):
            return filled("why_unknown.html", name=pair.label, kind="labels")
        if pair.feature is not None and pair.label is not None and pair.feature != pair.label:
            return self._pair(pair.feature, pair.label)
        if pair.feature is not None and not findings.is_label(pair.feature):
            return self._variable(pair.feature)
        label = pair.label if pair.label is not None else pair.feature
        return self._label(label) if label is not None else ""

    def _pair(self, feature: str, label: str) -> str:
        result = self._findings.result
        reasons = self._explainer.reasons(feature, label)
        return filled(
            "why_pair.html",
            mark=self._mark(feature),
            feature=feature,
            label=label,
            is_unfinished=not reasons and label in result.unfinished_labels,
            reasons=reasons,
            letter=self._explainer.symbol,
            direction=self._explainer.direction(feature, label),
            alike=self._explainer.alike(feature, label),
            again=pair_again_sentence(result, feature, label),
            elsewhere=self._label_rows(self._findings.finding(feature), besides=label),
        )

    def _variable(self, feature: str) -> str:
        finding = self._findings.finding(feature)
        others = finding.interchangeable if finding is not None else ()
        return filled(
            "why_variable.html",
            mark=self._mark(feature),
            feature=feature,
            labels=self._label_rows(finding),
            again="" if finding is None else common_again_sentence(self._findings.result, finding),
            interchangeable=self._explainer.names(others),
            not_told_apart=self._explainer.names(self._findings.not_told_apart_from(feature)),
        )

    def _label(self, label: str) -> str:
        findings = self._findings
        features = findings.of_label(label)
        return filled(
            "why_label.html",
            label=label,
            is_unfinished=label in findings.result.unfinished_labels,
            groups=self._groups(label, features),
            count=len(features),
            alone=sum(1 for finding in features if not finding.is_common),
            several_labels=len(findings.labels) > 1,
        )

    def _groups(self, label: str, features: Sequence[Finding]) -> dict[str, list[ListingRow]]:
        """Sort what bears on a label by the relation, and list the other labels last."""
        result = self._findings.result
        groups: dict[str, list[ListingRow]] = {title: [] for title in (*_GROUPS.values(), _OTHER_LABELS)}
        for finding in features:
            reason = result.reasons(finding.feature, label)[0]
            groups[_GROUPS[relation_of(reason.rule)]].append(self._row(finding.feature, reason))
        for reason in self._findings.related_labels(label):
            groups[_OTHER_LABELS].append(self._row(reason.feature, reason))
        return {title: rows for title, rows in groups.items() if rows}

    def _label_rows(self, finding: Finding | None, besides: str | None = None) -> list[ListingRow]:
        if finding is None:
            return []
        result = self._findings.result
        return [
            self._row(label, result.reasons(finding.feature, label)[0])
            for label in finding.labels
            if label != besides
        ]

    def _row(self, name: str, reason: Evidence) -> ListingRow:
        """Make the line that names one of the two of which a reason speaks."""
        if reason.rule is Rule.NEIGHBOUR:
            detail = DIRECT.get(self._findings.result.direction(reason.feature, reason.label), "")
        else:
            detail = reason_text(reason)
        pair = SelectedPair(reason.feature, reason.label)
        return ListingRow(self._mark(name), pair, name, detail, reason.strength)

    def _mark(self, name: str) -> Mark:
        if self._findings.is_label(name):
            return Mark.LABEL
        finding = self._findings.finding(name)
        return Mark.NONE if finding is None else mark_of(finding)
