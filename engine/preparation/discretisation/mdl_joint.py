"""MDL cuts with the combination of all labels as the class."""

from __future__ import annotations

import numpy as np

from engine.preparation.discretisation.mdl import cuts_for_all_classes
from engine.preparation.discretisation.method import Classes, DiscretisationMethod


def label_combinations(labels: Classes) -> np.ndarray:
    """Give each row the number of its combination of label values, shape (rows,).

    Examples
    --------
    >>> label_combinations((np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))).tolist()
    [0, 1, 2, 2]
    """
    combination = np.zeros(len(labels[0]), dtype=np.int64)
    for label in labels:
        # Numbered anew at each label, so that no product of level counts can overflow.
        pairs = combination * (int(label.max()) + 1) + label
        combination = np.unique(pairs, return_inverse=True)[1]
    return combination


def _one_combination(labels: Classes) -> Classes:
    return (label_combinations(labels),)


METHOD = DiscretisationMethod(
    name="mdl-joint",
    title="By all labels together (MDL)",
    help="Cuts that tell most about the combination of labels; needs combinations that recur in many rows.",
    result="where they tell most about the combination of labels",
    source="Fayyad and Irani (1993), Multi-interval discretization of continuous-valued attributes for "
    "classification learning, IJCAI, 1022-1027",
    cut_points=cuts_for_all_classes,
    classes_from_labels=_one_combination,
)
