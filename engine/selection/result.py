"""What CLCD-FS selected, and why, with the tables of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

from engine.discovery.evidence import Rule
from engine.errors import InvalidParameter

if TYPE_CHECKING:
    import pandas

    from engine.boundaries.settings import DiscoverySettings
    from engine.discovery.result import DiscoveryResult
    from engine.selection.clcd_fs import FeatureBoundary
    from engine.table.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a selected feature serves a label.

    Attributes
    ----------
    feature, label : str
        The pair that it speaks of.
    rule : Rule
        By which rule the feature serves the label.
    stands_for : tuple of str
        Members of the boundary of the label whose place the feature takes; empty when it is one itself.
    together_with : tuple of str
        Other selected features that take that place jointly with it.
    children : tuple of str
        For a spouse and what stands in for one, the effects that it shares with the label.
    in_place_of : tuple of str
        Labels that left the boundary and in whose place the feature came in.
    alternatives : tuple of str
        Features outside the boundary that tell the same about the label, or about a shared effect: each of
        them could have been selected for the label instead.
    strength : float
        Marginal association of feature and label, between 0 and 1.
    log_p : float
        Natural logarithm of the p-value of that association.
    """

    feature: str
    label: str
    rule: Rule
    stands_for: tuple[str, ...] = ()
    together_with: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    in_place_of: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    strength: float = 0.0
    log_p: float = 0.0


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
            raise InvalidParameter(
                f"{label!r} is not a label.", remedy=f"Labels are: {', '.join(self.dataset.labels)}."
            )
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
        return common_table(self)

    @cached_property
    def label_specific(self) -> pandas.DataFrame:
        """One row for each feature that serves one label, in the order in which they were chosen.

        Columns: ``feature``, ``label``, ``rule``, ``stands_for`` (tuple of str), ``strength``.
        """
        return label_specific_table(self)

    @cached_property
    def reason_table(self) -> pandas.DataFrame:
        """One row for each reason: feature and label, and the rule with all that goes with it.

        Columns: the fields of :class:`Reason`.
        """
        return reason_table(self)


COMMON_COLUMNS = ("feature", "labels", "rules", "stands_for", "strength")
LABEL_SPECIFIC_COLUMNS = ("feature", "label", "rule", "stands_for", "strength")
REASON_COLUMNS = tuple(each.name for each in fields(Reason))


def common_table(selection: Selection) -> pandas.DataFrame:
    """Make one row for each feature that serves two or more labels."""
    import pandas

    rows = []
    for feature in selection.features:
        labels = selection.labels_of(feature)
        if len(labels) > 1:
            rules = tuple(rule for _, rule in _first_rules(selection, feature))
            rows.append(
                (feature, labels, rules, selection.stands_for(feature), _strength(selection, feature))
            )
    return pandas.DataFrame(rows, columns=list(COMMON_COLUMNS))


def label_specific_table(selection: Selection) -> pandas.DataFrame:
    """Make one row for each feature that serves exactly one label."""
    import pandas

    rows = []
    for feature in selection.features:
        served = list(_first_rules(selection, feature))
        if len(served) == 1:
            rows.append((feature, *served[0], selection.stands_for(feature), _strength(selection, feature)))
    return pandas.DataFrame(rows, columns=list(LABEL_SPECIFIC_COLUMNS))


def reason_table(selection: Selection) -> pandas.DataFrame:
    """Make one row for each reason."""
    import pandas

    rows = [
        (reason.feature, reason.label, str(reason.rule), *astuple(reason)[3:])
        for feature in selection.features
        for reason in selection.reasons[feature]
    ]
    return pandas.DataFrame(rows, columns=list(REASON_COLUMNS))


def _first_rules(selection: Selection, feature: str) -> Iterator[tuple[str, str]]:
    """Return each label that a feature serves with the first rule by which it does."""
    seen = set()
    for reason in selection.reasons[feature]:
        if reason.label not in seen:
            seen.add(reason.label)
            yield reason.label, str(reason.rule)


def _strength(selection: Selection, feature: str) -> float:
    return max(reason.strength for reason in selection.reasons[feature])
