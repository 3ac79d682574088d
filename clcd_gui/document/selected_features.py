"""Selected features, arranged for looking at: one entry a feature, with the labels that it serves and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from engine.discovery.findings import Relation, relation_of

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.selection.result import Reason, Selection


@dataclass(frozen=True, slots=True)
class SelectedFeature:
    """One selected feature.

    Attributes
    ----------
    feature : str
        Its name.
    reasons : tuple of Reason
        Why it serves each of its labels, by label order; the first of a label is the one that tables show.
    """

    feature: str
    reasons: tuple[Reason, ...]

    @property
    def first_reasons(self) -> tuple[Reason, ...]:
        """One reason a label."""
        return tuple({reason.label: reason for reason in reversed(self.reasons)}.values())[::-1]

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that it serves, in column order."""
        return tuple(dict.fromkeys(reason.label for reason in self.reasons))

    @property
    def relations(self) -> tuple[Relation, ...]:
        """How it stands to each of them."""
        return tuple(relation_of_reason(reason) for reason in self.first_reasons)

    @property
    def strengths(self) -> tuple[float, ...]:
        """How much it tells about each of them, between 0 and 1."""
        return tuple(reason.strength for reason in self.first_reasons)

    @property
    def strength(self) -> float:
        """The greatest of these strengths."""
        return max(self.strengths)

    @property
    def is_common(self) -> bool:
        """Whether it serves two or more labels."""
        return len(self.labels) > 1

    @property
    def stands_for(self) -> tuple[str, ...]:
        """Variables whose place it takes for some label, each once."""
        return tuple(dict.fromkeys(name for reason in self.reasons for name in reason.stands_for))

    @property
    def alternatives(self) -> tuple[str, ...]:
        """Features that could have been selected instead for some label, each once."""
        return tuple(dict.fromkeys(name for reason in self.reasons for name in reason.alternatives))

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which it is looked for."""
        return (self.feature, *self.labels, *self.stands_for, *self.alternatives)


class SelectedFeatures:
    """A selection as the views read it.

    Parameters
    ----------
    selection : Selection
        What the engine selected.
    """

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

    @cached_property
    def all(self) -> tuple[SelectedFeature, ...]:
        """Every selected feature, in the order in which they were chosen."""
        return tuple(
            SelectedFeature(feature, self.selection.reasons[feature]) for feature in self.selection.features
        )

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


def relation_of_reason(reason: Reason) -> Relation:
    """Return the relation that a reason amounts to: what came in the place of a label is no neighbour."""
    relation = relation_of(reason.rule)
    return Relation.IN_PLACE if reason.in_place_of and relation is Relation.NEIGHBOUR else relation
