"""What CLCD-FS selected, and why, with the tables of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from engine.errors import InvalidParameter
from engine.selection import selected
from engine.selection.selected import Reason as Reason
from engine.selection.selected import SelectedFeature
from engine.wording.choices import choose_one

if TYPE_CHECKING:
    import pandas

    from engine.boundaries.settings import DiscoverySettings
    from engine.discovery.result import DiscoveryResult
    from engine.selection.clcd_fs import FeatureBoundary
    from engine.table.dataset import Dataset


@dataclass(frozen=True, eq=False)
class Selection:
    """Selected features, the labels that each serves, and by which rule.

    Attributes
    ----------
    features : tuple of str
        In the order in which they were chosen: those that serve several labels as the greedy search took
        them, then those of one label, the most strongly associated first.
    reasons : mapping of str to tuple of Reason
        By feature: every label that it serves, by label order.
    boundaries : mapping of str to FeatureBoundary
        By label: the boundary without labels, from which features were chosen.
    discovery : DiscoveryResult
        What the selection rests on.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=4, features=20, rows=2000, seed=1)
    >>> selection = engine.select_features(network.dataset)
    >>> set(selection.features) == set(selection.label_sets)
    True
    """

    features: tuple[str, ...]
    reasons: Mapping[str, tuple[Reason, ...]]
    boundaries: Mapping[str, FeatureBoundary]
    discovery: DiscoveryResult

    @property
    def dataset(self) -> Dataset:
        """The prepared table in which features were selected."""
        return self.discovery.dataset

    @property
    def settings(self) -> DiscoverySettings:
        """How they were searched for."""
        return self.discovery.settings

    @property
    def unfinished_labels(self) -> tuple[str, ...]:
        """Labels that a stopped search did not finish, so that nothing was selected for them."""
        return self.discovery.unfinished_labels

    @property
    def is_partial(self) -> bool:
        """Whether the search was stopped before every label was finished."""
        return bool(self.unfinished_labels)

    @cached_property
    def selected(self) -> tuple[SelectedFeature, ...]:
        """Every selected feature with its reasons, in the order in which they were chosen."""
        chosen = frozenset(self.features)
        made = []
        for order, feature in enumerate(self.features, start=1):
            replaced = tuple(name for name in self.stands_for(feature) if name not in chosen)
            made.append(SelectedFeature(order, feature, self.reasons[feature], replaced))
        return tuple(made)

    @cached_property
    def label_sets(self) -> dict[str, frozenset[str]]:
        """Labels that each selected feature serves, in the order in which the features were chosen."""
        return {feature: frozenset(each.label for each in self.reasons[feature]) for feature in self.features}

    def labels_of(self, feature: str) -> tuple[str, ...]:
        """Return the labels that a feature serves, in label order; none when it was not selected."""
        return tuple(dict.fromkeys(each.label for each in self.reasons.get(feature, ())))

    def features_of(self, label: str) -> tuple[str, ...]:
        """Return the features that serve one label, in the order in which they were chosen.

        Raises
        ------
        InvalidParameter
            When there is no such label.
        """
        if label not in self.dataset.labels:
            raise InvalidParameter(f"{label!r} is not a label.", remedy=choose_one(self.dataset.labels))
        return tuple(feature for feature in self.features if label in self.label_sets[feature])

    def stands_for(self, feature: str) -> tuple[str, ...]:
        """Return the variables whose place a selected feature takes, for any label, each once."""
        reasons = self.reasons.get(feature, ())
        return tuple(dict.fromkeys(name for each in reasons for name in each.stands_for))

    def alternatives_to(self, feature: str) -> tuple[str, ...]:
        """Return the features that could have been selected instead for some label, each once."""
        reasons = self.reasons.get(feature, ())
        return tuple(dict.fromkeys(name for each in reasons for name in each.alternatives))

    @cached_property
    def common(self) -> pandas.DataFrame:
        """One row for each feature that serves two or more labels, in the order in which they were chosen.

        Columns: ``feature``, ``labels`` (tuple of str), ``rules`` (tuple of str, that of each label),
        ``stands_for`` (tuple of str), ``strength`` (the largest of the marginal associations).
        """
        return selected.COMMON.frame(self.selected)

    @cached_property
    def label_specific(self) -> pandas.DataFrame:
        """One row for each feature that serves one label, in the order in which they were chosen.

        Columns: ``feature``, ``label``, ``rule``, ``stands_for`` (tuple of str), ``strength``.
        """
        return selected.LABEL_SPECIFIC.frame(self.selected)

    @cached_property
    def reason_table(self) -> pandas.DataFrame:
        """One row for each reason: feature and label, and the rule with all that goes with it.

        Columns: the fields of :class:`Reason`.
        """
        return selected.REASONS.frame(self.selected)
