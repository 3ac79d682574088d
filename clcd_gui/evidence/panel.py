"""The panel that answers "why?" for whatever is selected, and what its pages are filled with."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget
from shiboken6 import isValid

from clcd_gui.document.listing import is_of_same_table
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.document.templates import filled, unfilled
from clcd_gui.evidence.explanation import Explainer, ListingRow, Mark, mark_of
from clcd_gui.evidence.selected_explanation import SelectionExplainer
from clcd_gui.plots.chart_view import ChartView
from clcd_gui.run.selecting import SelectingState
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.labels import LinkedText, PhraseLabel
from clcd_gui.widgets.window_page import Workspace
from clcd_gui.wording.text import NUMBERS
from engine.discovery.effects.estimates import Estimand, Size
from engine.discovery.effects.size_words import size_sentences
from engine.discovery.evidence import Evidence, Rule
from engine.discovery.finding_words import DIRECT, reason_text
from engine.discovery.findings import Finding, Findings, Relation, relation_of
from engine.discovery.result import DiscoveryResult
from engine.reporting.sentences.stability import common_again_sentence, pair_again_sentence
from engine.reporting.size_charts import pair_chart
from engine.selection.selected import SelectedFeature
from engine.wording.phrases import Phrase

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
    result : DiscoveryResult
        The result that is asked.
    """

    def __init__(self, result: DiscoveryResult) -> None:
        self._result = result
        self._findings = result.findings
        self._explainer = Explainer(result)

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
        result = self._result
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
            sizes=self._further_sizes(feature, label),
            doubts=[flag.sentence for flag in result.flags(feature, label)] if reasons else [],
            again=pair_again_sentence(result, feature, label, NUMBERS),
            elsewhere=self._label_rows(self._findings.finding(feature), besides=label),
        )

    def _further_sizes(self, feature: str, label: str) -> list[Phrase]:
        """Say how large a finding is, but for the association, which stands above with its picture."""
        effects = self._findings.effects
        if effects is None:
            return []
        sizes = effects.of(feature, label)
        return size_sentences(
            [each for each in sizes.values() if each.estimand is not Estimand.ASSOCIATION], NUMBERS
        )

    def _variable(self, feature: str) -> str:
        finding = self._findings.finding(feature)
        others = finding.interchangeable if finding is not None else ()
        return filled(
            "why_variable.html",
            mark=self._mark(feature),
            feature=feature,
            labels=self._label_rows(finding),
            again="" if finding is None else common_again_sentence(self._result, finding, NUMBERS),
            interchangeable=self._explainer.names(others),
            not_told_apart=self._explainer.names(self._findings.not_told_apart_from(feature)),
        )

    def _label(self, label: str) -> str:
        findings = self._findings
        features = findings.of_label(label)
        return filled(
            "why_label.html",
            label=label,
            is_unfinished=label in self._result.unfinished_labels,
            groups=self._groups(label, features),
            count=len(features),
            alone=sum(1 for finding in features if not finding.is_common),
            several_labels=len(findings.labels) > 1,
        )

    def _groups(self, label: str, features: Sequence[Finding]) -> dict[str, list[ListingRow]]:
        """Sort what is linked to a label by the relation, and list the other labels last."""
        result = self._result
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
        result = self._result
        return [
            self._row(label, result.reasons(finding.feature, label)[0])
            for label in finding.labels
            if label != besides
        ]

    def _row(self, name: str, reason: Evidence) -> ListingRow:
        """Make the line that names one of the two of which a reason speaks."""
        if reason.rule is Rule.NEIGHBOUR:
            detail = DIRECT.get(self._findings.direction(reason.feature, reason.label), "")
        else:
            detail = reason_text(reason)
        pair = SelectedPair(reason.feature, reason.label)
        return ListingRow(self._mark(name), pair, name, detail, reason.strength)

    def _mark(self, name: str) -> Mark:
        if self._findings.is_label(name):
            return Mark.LABEL
        finding = self._findings.finding(name)
        return Mark.NONE if finding is None else mark_of(finding)


class SelectedText:
    """Writes the answer to "why was it selected?" for anything that is highlighted.

    Parameters
    ----------
    selected : SelectedFeatures
        The selection that is asked.
    """

    def __init__(self, selected: SelectedFeatures) -> None:
        self._selected = selected
        self._explainer = SelectionExplainer(selected)

    def write(self, pair: SelectedPair) -> str:
        """Write the HTML for a pair, a feature alone, or a label alone."""
        feature, label = pair.feature, pair.label
        if feature is None or self._selected.is_label(feature):
            asked = label if label is not None else feature
            return self._label(asked) if asked is not None else ""
        entry = self._selected.selected(feature)
        if entry is None:
            return self._not_selected(feature)
        if label is None:
            return self._feature(entry)
        return self._pair(entry, label)

    def _pair(self, entry: SelectedFeature, label: str) -> str:
        return filled(
            "selected_pair.html",
            mark=mark_of(entry),
            feature=entry.feature,
            label=label,
            grounds=self._explainer.grounds(entry.feature, label),
            letter=self._explainer.explainer.symbol,
            direction=self._explainer.explainer.direction(entry.feature, label),
            is_unfinished=label in self._selected.selection.unfinished_labels,
            elsewhere=_label_rows(entry, besides=label),
        )

    def _feature(self, entry: SelectedFeature) -> str:
        names = self._explainer.explainer.names
        return filled(
            "selected_feature.html",
            mark=mark_of(entry),
            feature=entry.feature,
            labels=_label_rows(entry),
            place=self._selected.all.index(entry) + 1,
            total=len(self._selected.all),
            is_common=entry.is_common,
            stands_for=names(entry.stands_for),
            alternatives=names(entry.alternatives),
        )

    def _not_selected(self, feature: str) -> str:
        stand_ins = self._explainer.stand_ins(feature)
        return filled(
            "selected_not.html",
            feature=feature,
            stand_ins=self._explainer.explainer.names(stand_ins),
            is_one=len(stand_ins) == 1,
        )

    def _label(self, label: str) -> str:
        rows = []
        for entry in self._selected.of_label(label):
            reason = next(reason for reason in entry.first_reasons if reason.label == label)
            pair = SelectedPair(entry.feature, label)
            rows.append(ListingRow(mark_of(entry), pair, entry.feature, reason.text, reason.strength))
        return filled(
            "selected_label.html",
            label=label,
            is_unfinished=label in self._selected.selection.unfinished_labels,
            features=rows,
            left_labels=self._explainer.left_labels(label),
        )


def _label_rows(entry: SelectedFeature, besides: str | None = None) -> list[ListingRow]:
    return [
        ListingRow(
            Mark.LABEL,
            SelectedPair(entry.feature, reason.label),
            reason.label,
            reason.text,
            reason.strength,
        )
        for reason in entry.first_reasons
        if reason.label != besides
    ]


class SizeView(QFrame):
    """Shows the sizes of a pair; it takes no room where none were measured."""

    followed = Signal(SelectedPair)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "panel")
        self.sentence = PhraseLabel(self)
        self.sentence.followed.connect(self.followed)
        # As narrow as the panel is.
        self.sentence.setMinimumWidth(0)
        self.chart = ChartView(self, is_narrow=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.sentence)
        layout.addWidget(self.chart)
        self.hide()

    def set_sizes(self, sizes: Sequence[Size]) -> None:
        """Show other sizes, of one pair."""
        drawn = [size for size in sizes if size.points]
        self.setVisible(bool(drawn))
        if drawn:
            self.sentence.set_sentences(size_sentences(sizes, NUMBERS)[:1])
            self.chart.set_chart(pair_chart(drawn, NUMBERS))


class EvidencePanel(QWidget):
    """Shows the evidence for the shared selection: why something was found, or why it was selected.

    Parameters
    ----------
    workspace : Workspace
        Its selection is asked about, and the step that is shown says which of the two.
    """

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        session = workspace.session
        self._document, self._selecting = session.document, session.selecting
        self._highlight = workspace.highlight
        self._findings: Findings | None = None
        self._text: EvidenceText | None = None
        self._selected: SelectedFeatures | None = None
        self._selected_text: SelectedText | None = None
        self._asks_why_selected = False
        self._came_from: QWidget | None = None
        self.browser = LinkedText(self._html, "panel", self)
        self.browser.setAccessibleName("Why?")
        self.browser.setAccessibleDescription("The evidence for the selected variable and label.")
        self.browser.followed.connect(self._follow)
        self.browser.left.connect(self._go_back)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.size_view = SizeView(self)
        self.size_view.followed.connect(self._follow)
        layout.addWidget(self.size_view)
        layout.addWidget(self.browser, 1)
        self.setMinimumWidth(260)
        self._highlight.changed.connect(self._on_selection)
        workspace.navigation.changed.connect(self._on_step)
        for signal in (self._document.result_changed, self._document.refined):
            signal.connect(self._on_result)
        self._document.features_selected.connect(self._on_selected)
        self._selecting.changed.connect(self._on_selecting)
        session.controller.selection.noticed.connect(self._forget_selected)

    def _on_result(self) -> None:
        """Answer from another result, or from none."""
        before, result = self._findings, self._document.result
        self._findings = result.findings if result is not None else None
        self._text = EvidenceText(result) if result is not None else None
        self.browser.refresh(stays=is_of_same_table(before, self._findings))
        self._show_size()

    def _on_selected(self) -> None:
        self._set_selected(self._document.selected_features)

    def _on_selecting(self) -> None:
        if self._selecting.state not in (SelectingState.DONE, SelectingState.WORKING):
            self._forget_selected()

    def _forget_selected(self) -> None:
        self._set_selected(None)

    def _set_selected(self, selected: SelectedFeatures | None) -> None:
        """Answer from another selection of features, or from none."""
        self._selected = selected
        self._selected_text = SelectedText(selected) if selected is not None else None
        if self._asks_why_selected:
            self.browser.refresh(stays=True)

    def _on_step(self, step: str) -> None:
        """Say why something was selected instead of why it was found, where features are selected."""
        asked = step == "selection"
        if asked != self._asks_why_selected:
            self._asks_why_selected = asked
            self.browser.refresh()
            self._show_size()

    def focus_text(self) -> None:
        """Put the keyboard into the text; Esc leads back to where it was."""
        before = QApplication.focusWidget()
        if before is not self.browser:
            self._came_from = before
        self.browser.setFocus()

    def _go_back(self) -> None:
        if self._came_from is not None and isValid(self._came_from) and self._came_from.isVisible():
            self._came_from.setFocus()

    def _on_selection(self, _pair: SelectedPair) -> None:
        self.browser.refresh()
        self._show_size()

    def _show_size(self) -> None:
        """Show how large the finding is that is asked about, where it was measured."""
        pair, findings = self._highlight.pair, self._findings
        is_measured = findings is not None and findings.effects is not None and not self._asks_why_selected
        if not is_measured or pair.feature is None or pair.label is None:
            self.size_view.set_sizes(())
        else:
            assert findings is not None and findings.effects is not None
            self.size_view.set_sizes(tuple(findings.effects.of(pair.feature, pair.label).values()))

    def _html(self) -> str:
        if self._asks_why_selected and self._selected_text is not None:
            pair = self._highlight.pair
            return (
                unfilled("selected_nothing_chosen.html") if pair.is_empty else self._selected_text.write(pair)
            )
        if self._text is None:
            return unfilled("why_no_result.html")
        if self._highlight.pair.is_empty:
            return unfilled("why_nothing_chosen.html")
        return self._text.write(self._highlight.pair)

    def _follow(self, pair: SelectedPair) -> None:
        label = self._highlight.label
        if pair.label is None and pair.feature is not None and label in self._labels_of(pair.feature):
            pair = SelectedPair(pair.feature, label)
        self._highlight.select(pair.feature, pair.label)

    def _labels_of(self, feature: str) -> tuple[str, ...]:
        """Return the labels that a feature counts for, or was selected for."""
        if self._asks_why_selected and self._selected is not None:
            selected = self._selected.selected(feature)
            return selected.labels if selected is not None else ()
        finding = self._findings.finding(feature) if self._findings is not None else None
        return finding.labels if finding is not None else ()
