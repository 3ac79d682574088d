"""MDL cuts with the combination of all labels as the class.

A combination that few rows have is part of one class for all such combinations (Read, Pfahringer and
Holmes 2008 prune them likewise). Otherwise, with a class for nearly every row, any cut would part the
classes perfectly and be accepted, down to single rows.
"""

from __future__ import annotations

import numpy as np

from engine.codes import MISSING_CODE
from engine.preparation.discretisation.mdl import cuts_for_all_classes
from engine.preparation.discretisation.method import Classes, DiscretisationMethod

# Combinations in fewer rows than this are one class together.
_RARE = 5


def label_combinations(labels: Classes) -> np.ndarray:
    """Give each row the number of its combination of label values, shape (rows,); -1 where one is missing.

    Examples
    --------
    >>> label_combinations((np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))).tolist()
    [0, 1, 2, 2]
    """
    combination = np.zeros(len(labels[0]), dtype=np.int64)
    for label in labels:
        # Numbered anew at each label, so that no product of level counts can overflow.
        pairs = combination * (int(label.max()) + 1) + label
        known = (combination >= 0) & (label >= 0)
        combination = np.full(len(label), MISSING_CODE, dtype=np.int64)
        combination[known] = np.unique(pairs[known], return_inverse=True)[1]
    return combination


def frequent_combinations(combinations: np.ndarray) -> np.ndarray:
    """Renumber the combinations: 0 for all that few rows have, 1 and more for the others; -1 stays.

    Examples
    --------
    >>> frequent_combinations(np.array([0, 0, 0, 0, 0, 1, 2])).tolist()
    [1, 1, 1, 1, 1, 0, 0]
    """
    known = combinations >= 0
    frequent = np.bincount(combinations[known]) >= _RARE
    classes = combinations.copy()
    classes[known] = np.where(frequent, np.cumsum(frequent), 0)[combinations[known]]
    return classes


def _one_combination(labels: Classes) -> Classes:
    return (frequent_combinations(label_combinations(labels)),)


METHOD = DiscretisationMethod(
    name="mdl-joint",
    title="By all labels together (MDL)",
    help="Cuts that tell most about the combination of labels; needs combinations that recur in many rows.",
    result="at the points that tell most about the combination of labels",
    source="Fayyad and Irani (1993), Multi-interval discretization of continuous-valued attributes for "
    "classification learning, IJCAI, 1022-1027; Read, Pfahringer and Holmes (2008), Multi-label "
    "classification using ensembles of pruned sets, ICDM, 995-1000",
    cut_points=cuts_for_all_classes,
    classes_from_labels=_one_combination,
)
