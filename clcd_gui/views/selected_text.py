"""Why features were selected: what the pages that answer it are filled with."""

from __future__ import annotations

from clcd_gui.core.explanation import ListingRow, Mark, mark_of
from clcd_gui.core.selected_explanation import SelectionExplainer
from clcd_gui.core.selected_features import SelectedFeature, SelectedFeatures
from clcd_gui.core.selected_words import words
from clcd_gui.core.selection import SelectedPair
from clcd_gui.core.templates import filled


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
            rows.append(ListingRow(mark_of(entry), pair, entry.feature, words(reason), reason.strength))
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
            words(reason),
            reason.strength,
        )
        for reason in entry.first_reasons
        if reason.label != besides
    ]
