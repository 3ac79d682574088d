"""Selected features, arranged for looking at: one entry a feature, with the labels that it serves and why."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.selection.result import SelectedFeature, Selection


class SelectedFeatures:
    """A selection as the views read it."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection

    @property
    def result(self) -> DiscoveryResult:
        """What the selection rests on."""
        return self.selection.discovery

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label of the analysis, in column order."""
        return self.result.dataset.labels

    @property
    def finished_labels(self) -> tuple[str, ...]:
        """Labels that features were selected for, in column order."""
        return tuple(label for label in self.labels if label in self.selection.boundaries)

    @property
    def all(self) -> tuple[SelectedFeature, ...]:
        """Every selected feature, in the order in which they were chosen."""
        return self.selection.selected

    @cached_property
    def served_labels(self) -> tuple[str, ...]:
        """Labels that at least one selected feature serves, in column order."""
        served = {label for each in self.all for label in each.labels}
        return tuple(label for label in self.labels if label in served)

    def selected(self, feature: str) -> SelectedFeature | None:
        """Return the entry of a feature, or None when it was not selected."""
        return self._by_feature.get(feature)

    def of_label(self, label: str) -> tuple[SelectedFeature, ...]:
        """Return the features that serve one label, in the order in which they were chosen."""
        return tuple(each for each in self.all if label in each.labels)

    def in_column_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Sort names of variables as the columns of the table are."""
        order = self._column_order
        return tuple(sorted(names, key=lambda name: order.get(name, len(order))))

    def is_label(self, name: str) -> bool:
        """Tell whether a name is that of a label."""
        return name in self._label_names

    def is_known(self, name: str) -> bool:
        """Tell whether a name is that of any variable of the analysed table."""
        return name in self._column_order

    @cached_property
    def _by_feature(self) -> dict[str, SelectedFeature]:
        return {each.feature: each for each in self.all}

    @cached_property
    def _label_names(self) -> frozenset[str]:
        return frozenset(self.labels)

    @cached_property
    def _column_order(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.result.dataset.names)}
