"""Which columns are the labels: as told, by a label file, or as the data file declares."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.dataset import Dataset, unknown_variable
from engine.errors import InvalidData, InvalidParameter

Labels = str | os.PathLike[str] | Iterable[str] | None
"""A label file, column names, or None for what the data file declares."""


def choose_labels(dataset: Dataset, names: Sequence[str], origin: str = "") -> Dataset:
    """Make columns the labels.

    Parameters
    ----------
    dataset : Dataset
    names : sequence of str
        Wanted labels.
    origin : str
        Where the names come from, for error messages.

    Returns
    -------
    Dataset

    Raises
    ------
    InvalidParameter
        When a name is no column (with the nearest names), or no name is given.
    InvalidData
        When no feature would remain.
    """
    if not names:
        raise InvalidParameter(
            "no label is named.", place="setting 'labels'", remedy="Name at least one column."
        )
    columns = {name.strip(): name for name in reversed(dataset.names)}
    missing = [name for name in names if name.strip() not in columns]
    if missing:
        raise _absent(missing, dataset.names, origin)
    labelled = dataset.with_labels(columns[name.strip()] for name in names)
    if not labelled.features:
        raise InvalidData(
            "every column is a label, so no feature is left to analyse.",
            place=origin,
            remedy="Name fewer labels, or open the table that also holds the features.",
        )
    return labelled


def beside(path: Path) -> Path | None:
    """Find the Mulan XML file that lies beside a data file.

    ``emotions.xml`` belongs to ``emotions.arff`` and to ``emotions-train.arff.gz``.
    """
    stem = path.name.lower().removesuffix(".gz").rpartition(".")[0]
    stems = [stem, *(stem.removesuffix(part) for part in ("-train", "-test", "_train", "_test", ".orig"))]
    try:
        by_name = {each.name.lower(): each for each in path.parent.iterdir() if each.is_file()}
    except OSError:
        return None
    return next((by_name[f"{each}.xml"] for each in stems if f"{each}.xml" in by_name), None)


def _absent(missing: Sequence[str], known: Sequence[str], origin: str) -> InvalidParameter:
    first = missing[0]
    error = unknown_variable(first, known)
    problem = f"the label '{first}' is no column of the table"
    if len(missing) > 1:
        problem += f" ({len(missing)} labels are absent)"
    return InvalidParameter(f"{problem}.", place=origin, remedy=error.remedy)
