"""Groups of rows: a person is told how many there are, and what they do."""

from __future__ import annotations

import numpy as np

from engine.dataset import Dataset
from engine.notes import Note, counted
from engine.row_groups import require_several_groups


def check_groups(dataset: Dataset) -> Dataset:
    """Refuse a table whose rows are all of one group, and say what the groups do.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    Dataset
        As given when no column says which rows belong together.

    Raises
    ------
    InvalidData
        When the group of a row is missing, or all rows are of one group.
    """
    name, groups = dataset.groups, dataset.row_groups
    if name is None or groups is None:
        return dataset
    require_several_groups(dataset.variable(name), groups)
    sizes = np.bincount(groups)
    if sizes.max() == 1:
        message = f"'{name}' differs in every row, so each row is a group of its own and nothing is grouped."
    else:
        each = str(sizes[0]) if sizes.min() == sizes.max() else f"{sizes.min():,} to {sizes.max():,}"
        message = (
            f"'{name}' says which rows belong together: {counted(len(sizes), 'group')} of {each} rows. "
            "Groups are taken for independent of each other, rows of the same group are not."
        )
    return dataset.with_notes([Note("row-groups", message)])
