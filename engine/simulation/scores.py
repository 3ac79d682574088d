"""How well found label sets agree with the truth: precision and recall by type of causal variable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.simulation.truth import Truth

LabelSets = Mapping[str, frozenset[str]]
Pairs = set[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PairScore:
    """Agreement on a set of (feature, label) pairs.

    Attributes
    ----------
    true_positives, false_positives, false_negatives : int
        Pairs that are found and true, found only, true only.
    """

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """Share of found pairs that are true; with nothing found, 1 if nothing was to be found, else 0."""
        found = self.true_positives + self.false_positives
        if found == 0:
            return 1.0 if self.false_negatives == 0 else 0.0
        return self.true_positives / found

    @property
    def recall(self) -> float:
        """Share of true pairs that are found; 1 if nothing was to be found."""
        true = self.true_positives + self.false_negatives
        return self.true_positives / true if true else 1.0


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision and recall, by type and averaged over the types.

    Attributes
    ----------
    common, label_specific : PairScore
        A pair is of the common type when its feature serves two or more labels, else label-specific;
        found pairs are typed by the found label set, true pairs by the true one. A found pair is a
        true positive only when the truth has the same pair in the same type.
    pairs : PairScore
        The same pairs with types disregarded.
    """

    common: PairScore
    label_specific: PairScore
    pairs: PairScore

    @property
    def precision(self) -> float:
        """Mean of the precisions of the two types, as in the paper's Section 5.1."""
        return (self.common.precision + self.label_specific.precision) / 2

    @property
    def recall(self) -> float:
        """Mean of the recalls of the two types, as in the paper's Section 5.1."""
        return (self.common.recall + self.label_specific.recall) / 2


def score(label_sets: LabelSets, truth: Truth | LabelSets) -> Scores:
    """Compare found label sets with the truth.

    The paper computes "precision" and "recall" "on each type of causal variables" and averages the two.
    Common variables belong to label sets and label-specific ones to a label, so what is counted is the
    pair (feature, label). A feature taken for common that serves one label thus costs precision
    of the common and recall of the label-specific type.

    Parameters
    ----------
    label_sets : mapping of str to frozenset of str
        Labels of each feature that was found, e.g. ``DiscoveryResult.label_sets``.
    truth : Truth, or mapping of str to frozenset of str
        The exact answer.

    Returns
    -------
    Scores

    Examples
    --------
    >>> found = {"a": frozenset({"x", "y"}), "b": frozenset({"x"})}
    >>> true = {"a": frozenset({"x", "y"}), "b": frozenset({"y"})}
    >>> scores = score(found, true)
    >>> scores.precision, scores.recall
    (0.5, 0.5)
    """
    true_sets = truth.label_sets if isinstance(truth, Truth) else truth
    found_common, found_specific = _typed_pairs(label_sets)
    true_common, true_specific = _typed_pairs(true_sets)
    return Scores(
        common=_compare(found_common, true_common),
        label_specific=_compare(found_specific, true_specific),
        pairs=_compare(found_common | found_specific, true_common | true_specific),
    )


def _typed_pairs(label_sets: LabelSets) -> tuple[Pairs, Pairs]:
    common: Pairs = set()
    specific: Pairs = set()
    for feature, labels in label_sets.items():
        pairs = common if len(labels) > 1 else specific
        pairs.update((feature, label) for label in labels)
    return common, specific


def _compare(found: Pairs, true: Pairs) -> PairScore:
    return PairScore(len(found & true), len(found - true), len(true - found))
