"""Weights of rows: rows that stand for nothing are left out, and a person is told what the rest is worth."""

from __future__ import annotations

from engine.dataset import Dataset
from engine.notes import Note, counted
from engine.row_weights import observations_in


def check_weights(dataset: Dataset) -> Dataset:
    """Leave out the rows of weight 0, and say what the weights do.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    Dataset
        As given when no column holds weights.

    Raises
    ------
    InvalidData
        When a weight is missing, negative or no number, or all are 0.
    """
    weights = dataset.row_weights
    if weights is None:
        return dataset
    kept = weights > 0.0
    notes = []
    if not kept.all():
        lost = int((~kept).sum())
        was = "has weight 0 and was" if lost == 1 else "have weight 0 and were"
        notes.append(Note("weight-zero", f"{counted(lost, 'row')} {was} left out."))
        dataset, weights = dataset.select_rows(kept), weights[kept]
    message = (
        f"'{dataset.weight}' says how much each row stands for: {_short(weights.min())} to "
        f"{_short(weights.max())}, together {_short(weights.sum())}. As sampling weights, "
        f"{counted(len(weights), 'row')} tell as much as {_short(observations_in(weights, True))} "
        "of equal weight where the weights go with nothing that is tested."
    )
    notes.append(Note("row-weights", message))
    return dataset.with_notes(notes)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == round(value) else f"{value:.3g}"
