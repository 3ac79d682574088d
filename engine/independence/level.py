"""The same test data at another level: nothing that was counted or arranged depends on it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from engine.independence.data import TestData
from engine.independence.distributions import chi2_critical_values, normal_quantile


def at_level(data: TestData, alpha: float) -> TestData:
    """Give test data whose critical values are those of another level.

    Parameters
    ----------
    data : TestData
        Of any test.
    alpha : float
        Level, between 0 and 1.

    Returns
    -------
    TestData
        As :func:`engine.independence.data.make_test_data` would make it; the arrays are shared.
    """
    return replace(data, table=_table_at_level(data.table, alpha))


def _table_at_level(table: Any, alpha: float) -> Any:
    fields = table._fields
    changed: dict[str, Any] = {}
    if "counted" in fields:
        # A table with gaps holds the one that is counted.
        changed["counted"] = _table_at_level(table.counted, alpha)
    if "critical" in fields:
        changed["critical"] = _critical(table.critical, alpha)
    if "normal_quantile" in fields:
        changed["normal_quantile"] = normal_quantile(alpha)
    if "log_alpha" in fields:
        changed["log_alpha"] = math.log(alpha)
    return table._replace(**changed)


def _critical(previous: np.ndarray | float, alpha: float) -> np.ndarray | float:
    """Critical values by degrees of freedom, or the one of |z|."""
    if isinstance(previous, np.ndarray):
        return chi2_critical_values(alpha, previous.size - 1)
    return math.sqrt(chi2_critical_values(alpha, 1)[1])
