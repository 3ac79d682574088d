"""Why features were selected, written as HTML: label by label, with what each stands for."""

from __future__ import annotations

from clcd_gui.core.number_format import count_text, counted
from clcd_gui.core.rich_text import breakable
from clcd_gui.core.selected_explanation import SelectionExplainer
from clcd_gui.core.selected_features import SelectedFeature, SelectedFeatures
from clcd_gui.core.selected_words import words
from clcd_gui.core.selection import SelectedPair
from clcd_gui.views import evidence_html as write
from clcd_gui.views.evidence_html import COMMON_MARK, LABEL_MARK, SPECIFIC_MARK
from engine.exporting.phrases import phrase


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
        feature = entry.feature
        grounds = self._explainer.grounds(feature, label)
        verb = "serves" if grounds else "and"
        named = write.link(label, SelectedPair(label=label))
        head = write.title(_mark(entry), feature)
        head += write.paragraph(f'<span class="muted">{verb}</span> {LABEL_MARK} {named}')
        if not grounds:
            head += write.paragraph(self._no_ground(feature, label))
        letter = self._explainer.explainer.symbol
        parts = []
        for place, ground in enumerate(grounds, start=1):
            number = f"Reason {place}: " if len(grounds) > 1 else ""
            parts.append(
                write.reason(
                    f"{number}{ground.title}",
                    ground.help,
                    ground.symbol,
                    ground.sentences,
                    ground.tests,
                    letter,
                )
            )
        if grounds:
            parts.append(write.direction(self._explainer.explainer.direction(feature, label), letter))
        others = [row for other, row in self._label_rows(entry) if other != label]
        elsewhere = write.section("It also serves") + write.listing(others) if others else ""
        return head + "".join(parts) + elsewhere

    def _no_ground(self, feature: str, label: str) -> str:
        if label in self._selected.selection.unfinished_labels:
            return f"The run was stopped before {breakable(label)} was finished."
        return f"{breakable(feature)} was not selected for {breakable(label)}: other features tell about it."

    def _feature(self, entry: SelectedFeature) -> str:
        place = count_text(self._selected.all.index(entry) + 1)
        total = count_text(len(self._selected.all))
        served = counted(len(entry.labels), "label")
        head = write.title(_mark(entry), entry.feature)
        head += f'<p class="muted">serves {served}; chosen as number {place} of {total}</p>'
        rows = [row for _, row in self._label_rows(entry)]
        if entry.is_common:
            because = "When it was chosen, no other feature served more of the labels still to be served."
        else:
            because = "It was taken after the features that serve several labels."
        text = head + write.paragraph(because) + write.listing(rows) + self._exchange(entry)
        return text + '<p class="gap"></p><p class="small">Choose a label to see the tests.</p>'

    def _exchange(self, entry: SelectedFeature) -> str:
        name = self._explainer.explainer.names
        parts = []
        if entry.stands_for:
            sentence = phrase("It takes the place of {names}.", names=name(entry.stands_for))
            parts.append(write.section("Stands for") + write.sentence(sentence))
        if entry.alternatives:
            sentence = phrase(
                "For some of its labels {names} could have been taken instead.",
                names=name(entry.alternatives),
            )
            parts.append(write.section("Alternatives") + write.sentence(sentence))
        return "".join(parts)

    def _not_selected(self, feature: str) -> str:
        head = write.title("", feature) + write.paragraph("It was not selected.")
        stand_ins = self._explainer.stand_ins(feature)
        if not stand_ins:
            return head + write.paragraph(
                "No label needs it: either it is not associated with any beyond chance, or other features "
                "explain the association away."
            )
        verb = "tells" if len(stand_ins) == 1 else "tell"
        sentence = phrase(
            "{names} {verb} the same about a label, and {more} selected.",
            names=self._explainer.explainer.names(stand_ins),
            verb=verb,
            more="was" if len(stand_ins) == 1 else "were",
        )
        return head + write.sentence(sentence)

    def _label(self, label: str) -> str:
        head = write.title(LABEL_MARK, label)
        if label in self._selected.selection.unfinished_labels:
            return head + write.paragraph("The run was stopped before this label was finished.")
        features = self._selected.of_label(label)
        left = self._explainer.left_labels(label)
        after = write.section("Labels in its boundary") + write.sentence(left) if left else ""
        if not features:
            text = "No feature was selected for it, as far as these data show."
            return head + write.paragraph(text) + after
        verb = "serves" if len(features) == 1 else "serve"
        head += f'<p class="muted">label: {counted(len(features), "feature")} {verb} it</p>'
        rows = []
        for entry in features:
            reason = next(reason for reason in entry.first_reasons if reason.label == label)
            pair = SelectedPair(entry.feature, label)
            rows.append(write.row(_mark(entry), pair, entry.feature, words(reason), reason.strength))
        return head + write.listing(rows) + after

    def _label_rows(self, entry: SelectedFeature) -> list[tuple[str, str]]:
        return [
            (
                reason.label,
                write.row(
                    LABEL_MARK,
                    SelectedPair(entry.feature, reason.label),
                    reason.label,
                    words(reason),
                    reason.strength,
                ),
            )
            for reason in entry.first_reasons
        ]


def _mark(entry: SelectedFeature) -> str:
    return COMMON_MARK if entry.is_common else SPECIFIC_MARK
