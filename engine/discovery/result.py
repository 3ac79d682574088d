"""What CLCD found, with the evidence for each finding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from engine.boundaries.boundary import MarkovBoundary
from engine.dataset import Dataset
from engine.discovery.evidence import Equivalence, Evidence, evidence_key
from engine.discovery.settings import DiscoverySettings

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class DiscoveryResult:
    """Common and label-specific causal variables, boundaries, equivalences and their evidence.

    Attributes
    ----------
    dataset : Dataset
        The prepared table that was analysed.
    settings : DiscoverySettings
        How it was analysed.
    boundaries : mapping of str to MarkovBoundary
        The boundary found for each finished label.
    equivalence_records : tuple of Equivalence
        Every equivalence found about a label or a connecting child.
    evidence : mapping of str to tuple of Evidence
        By ``evidence_key(feature, label)``: every reason, the strongest rule (θ1, θ2, θ3) first.
    label_evidence : mapping of str to Evidence
        By ``evidence_key(other_label, label)``: why one label is in the boundary of another.
    unfinished_labels : tuple of str
        Labels that a stopped run did not finish; empty when complete.
    tests_made : int
        Conditional-independence tests in the whole run.
    unreliable_tests : int
        Tests that the reliability rule did not let count as independence.
    seconds : float
        Wall-clock duration of the run.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=4, features=20, rows=2000, seed=1)
    >>> result = engine.discover(network.dataset)
    >>> sorted(result.boundaries) == sorted(network.dataset.labels)
    True
    """

    dataset: Dataset
    settings: DiscoverySettings
    boundaries: Mapping[str, MarkovBoundary]
    equivalence_records: tuple[Equivalence, ...]
    evidence: Mapping[str, tuple[Evidence, ...]]
    label_evidence: Mapping[str, Evidence]
    unfinished_labels: tuple[str, ...] = ()
    tests_made: int = 0
    unreliable_tests: int = 0
    seconds: float = 0.0

    @property
    def is_partial(self) -> bool:
        """Whether the run was stopped before every label was finished."""
        return bool(self.unfinished_labels)

    @cached_property
    def label_sets(self) -> dict[str, frozenset[str]]:
        """Labels that each causal feature counts for, by feature in column order."""
        found: dict[str, set[str]] = {}
        for reasons in self.evidence.values():
            found.setdefault(reasons[0].feature, set()).add(reasons[0].label)
        order = {name: place for place, name in enumerate(self.dataset.names)}
        return {name: frozenset(found[name]) for name in sorted(found, key=order.__getitem__)}

    def reasons(self, feature: str, label: str) -> tuple[Evidence, ...]:
        """Give every reason why a feature counts for a label; empty when it does not."""
        return self.evidence.get(evidence_key(feature, label), ())

    @cached_property
    def common(self) -> pandas.DataFrame:
        """Common causal variables, most labels first.

        Columns: ``feature``, ``labels`` (tuple of str, column order), ``rules`` (tuple of str, one a
        label), ``strength`` (strongest over its labels, 0 to 1), ``evidence`` (tuple of keys).
        """
        from engine.discovery.tables import common_table

        return common_table(self)

    @cached_property
    def label_specific(self) -> pandas.DataFrame:
        """Label-specific causal variables, by label and then strength.

        Columns: ``feature``, ``label``, ``rule``, ``strength``, ``evidence`` (key).
        """
        from engine.discovery.tables import label_specific_table

        return label_specific_table(self)

    @cached_property
    def equivalences(self) -> pandas.DataFrame:
        """Equivalences: target, in_boundary, equivalent, and the p-values of the four tests."""
        from engine.discovery.tables import equivalence_table

        return equivalence_table(self)

    @cached_property
    def label_relations(self) -> pandas.DataFrame:
        """Labels in the boundary of another label: label, related_label, relation, children, strength."""
        from engine.discovery.tables import label_relation_table

        return label_relation_table(self)
