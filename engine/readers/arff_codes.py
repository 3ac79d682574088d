"""Numeric attributes of ARFF that hold identifiers: whole numbers too long to be told apart as numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pandas

from engine.readers.arff_header import Attribute
from engine.readers.cell_text import is_long_code
from engine.table.column_kinds import LARGEST_EXACT


def with_codes_as_text(
    attributes: Sequence[Attribute],
    values: Sequence[np.ndarray],
    read_again: Callable[[Sequence[Attribute]], Sequence[np.ndarray]],
) -> tuple[list[Attribute], list[np.ndarray], list[int]]:
    """Keep as text what is written as whole numbers beyond 2**53: a float64 would make one of two neighbours.

    Parameters
    ----------
    values : sequence of ndarray, each of shape (rows,)
        As they were read.

    Returns
    -------
    values : list of ndarray, each of shape (rows,)
        Likewise text, None for missing.
    """
    new_attributes, columns = list(attributes), list(values)
    positions: list[int] = []
    suspects = {
        position
        for position, attribute in enumerate(attributes)
        if attribute.type == "numeric" and _is_beyond(values[position])
    }
    if not suspects:
        return new_attributes, columns, positions
    as_text = [
        replace(attribute, type="string") if position in suspects else attribute
        for position, attribute in enumerate(attributes)
    ]
    written = read_again(as_text)
    for position in sorted(suspects):
        texts = _filled(written[position], values[position])
        if any(is_long_code(text) for text in set(texts.tolist()) - {None}):
            new_attributes[position], columns[position] = as_text[position], texts
            positions.append(position)
    return new_attributes, columns, positions


def _is_beyond(numbers: np.ndarray) -> bool:
    return bool(np.fmax.reduce(np.abs(numbers), initial=0.0) >= LARGEST_EXACT)


def _filled(texts: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Write the zeros that a sparse row leaves out, where text that is left out would be missing."""
    filled = texts.copy()
    filled[pandas.isna(texts) & ~np.isnan(numbers)] = "0"
    return filled
