"""Which kind of table a test works on: for complete or incomplete rows, with or without weights.

The tables are imported late, so that only the kernels of the kind that is needed are loaded and compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.code_blocks import CodedBlock
from engine.codes import missing_mask
from engine.independence.registry import ci_tests
from engine.row_weights import observations_in
from engine.variable import Variable


def numbers_table(
    variables: Sequence[Variable],
    columns: Sequence[np.ndarray],
    weights: np.ndarray | None,
    is_sample: bool,
    *,
    alpha: float,
) -> Any:
    """Arrange columns for Fisher's z.

    Parameters
    ----------
    variables : sequence of Variable
        Continuous, or nominal with two levels.
    columns : sequence of ndarray, each of shape (rows,)
        Their values.
    weights : ndarray of float64, shape (rows,), or None
        Weights of the rows, all above 0.
    is_sample : bool
        Count the effective rows instead of the weights.
    alpha : float
        Level of the tests.

    Returns
    -------
    named tuple
        Registered test data.
    """
    missing = np.array([missing_mask(*each) for each in zip(variables, columns, strict=True)])
    values = np.array(columns, dtype=np.float64)
    if missing.any():
        from engine.independence.incomplete_gaussian import incomplete_gaussian_table

        values[missing] = np.nan
        return incomplete_gaussian_table(values, weights, is_sample, alpha=alpha)
    from engine.independence.fisher_z import gaussian_table, weighted_gaussian_table

    if weights is None:
        return gaussian_table(values, alpha=alpha)
    return weighted_gaussian_table(values, weights, observations_in(weights, is_sample), alpha=alpha)


def categories_table(
    variables: Sequence[Variable],
    columns: Sequence[np.ndarray],
    weights: np.ndarray | None,
    is_sample: bool,
    test: str,
    coded: CodedBlock | None = None,
    **settings: Any,
) -> Any:
    """Arrange columns for G² or Pearson's X².

    Parameters
    ----------
    variables : sequence of Variable
        Nominal.
    columns : sequence of ndarray of int, each of shape (rows,)
        Their codes.
    weights : ndarray of float64, shape (rows,), or None
        Weights of the rows, all above 0.
    is_sample : bool
        Count the effective rows instead of the weights.
    test : str
        ``"g2"`` or ``"x2"``.
    coded : CodedBlock, optional
        Where the columns may come from.
    **settings
        Level, degrees of freedom and reliability rules, as of
        :func:`~engine.independence.discrete.discrete_table`.

    Returns
    -------
    named tuple
        Registered test data.
    """
    levels = [each.level_count for each in variables]
    settings["statistic"] = _statistic(test)
    if weights is not None:
        from engine.independence.weighted import weighted_table

        return weighted_table(columns, levels, weights, is_sample=is_sample, **settings)
    from engine.independence.discrete import discrete_table

    table = discrete_table(columns, levels, coded=coded, **settings)
    if not any((each < 0).any() for each in columns):
        return table
    from engine.independence.incomplete_discrete import incomplete_table

    return incomplete_table(columns, table)


def shuffled_table(
    variables: Sequence[Variable], columns: Sequence[np.ndarray], test: str, **settings: Any
) -> Any:
    """Arrange columns for G² or Pearson's X² by permutation.

    Parameters
    ----------
    variables : sequence of Variable
        Nominal.
    columns : sequence of ndarray of int, each of shape (rows,)
        Their codes.
    test : str
        A test that permutes.
    **settings
        Level, permutations, seed and reliability rules, as of
        :func:`~engine.independence.permutation.permutation_table`.

    Returns
    -------
    named tuple
        Registered test data.
    """
    from engine.independence.permutation import permutation_table

    levels, names = [each.level_count for each in variables], [each.name for each in variables]
    return permutation_table(columns, levels, names, statistic=_statistic(test), **settings)


def _statistic(test: str) -> int:
    from engine.independence.discrete_table import G_SQUARED, PEARSON

    return PEARSON if ci_tests()[test].statistic == "X²" else G_SQUARED


def rows_in_all(present: np.ndarray, variables: Sequence[int], rows: int) -> np.ndarray:
    """Tell for each row whether it is complete in some variables.

    Parameters
    ----------
    present : ndarray of uint64, shape (variables, words)
        Rows in which each variable has a value, as bits.
    variables : sequence of int
        Positions.
    rows : int
        Number of rows.

    Returns
    -------
    ndarray of bool, shape (rows,)

    Examples
    --------
    >>> rows_in_all(np.array([[0b011], [0b110]], dtype=np.uint64), [0, 1], 3).tolist()
    [False, True, False]
    """
    together = np.bitwise_and.reduce(present[list(variables)], axis=0)
    bits = np.unpackbits(together.astype("<u8").view(np.uint8), bitorder="little")
    complete: np.ndarray = bits[:rows].astype(bool)
    return complete
