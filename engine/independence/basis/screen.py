"""Tests of one variable against many others with nothing held fixed, from products that are made at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.decorators import counting_kernel
from engine.independence.basis.kernel import find_offsets
from engine.independence.basis.ratio import likelihood_ratio
from engine.independence.basis.table import BasisTable, BasisWorkspace, new_basis_workspace


def marginal_tests(data: BasisTable, x: int, others: np.ndarray, stop: np.ndarray) -> Any:
    """Test one variable against others with nothing held fixed.

    Parameters
    ----------
    data : BasisTable
        Over rows that are complete.
    x : int
        Position of the variable.
    others : ndarray of int64, shape (tests,)
        Positions of the others.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the arrays are then unfinished and must not be used.

    Returns
    -------
    statistic, dof, ratio : ndarray of float64, shape (tests,)
    reliable : ndarray of bool, shape (tests,)
        As of tests one by one.
    """
    mine = slice(data.tested[x], data.tested[x + 1])
    if data.screened.size:
        products = np.ascontiguousarray(data.screened[mine])
    else:
        products = data.columns[mine] @ data.columns[: data.tested[-1]].T
    count = len(others)
    statistic, dof, ratio = np.empty(count), np.empty(count), np.empty(count)
    reliable = np.empty(count, np.bool_)
    workspace = new_basis_workspace(data, 0)
    _test_each(data, workspace, x, products, others, stop, statistic, dof, ratio, reliable)
    return statistic, dof, ratio, reliable


@counting_kernel
def _test_each(
    data: BasisTable,
    workspace: BasisWorkspace,
    x: int,
    products: np.ndarray,
    others: np.ndarray,
    stop: np.ndarray,
    statistic: np.ndarray,
    dof: np.ndarray,
    ratio: np.ndarray,
    reliable: np.ndarray,
) -> None:
    matrix, offsets, members = workspace.matrix, workspace.offsets, workspace.members
    for place in range(others.shape[0]):
        if stop[0]:
            break
        other = others[place]
        members[0], members[1] = x, other
        find_offsets(data, workspace, 0)
        p = offsets[1]
        for row in range(offsets[2]):
            for column in range(row, offsets[2]):
                matrix[row, column] = 1.0 if row == column else 0.0
        for row in range(p):
            for column in range(offsets[2] - p):
                matrix[row, p + column] = products[row, data.tested[other] + column]
        outcome = likelihood_ratio(data, workspace, 0, np.float64(data.columns.shape[1]))
        statistic[place], dof[place], ratio[place], reliable[place] = outcome
