"""G² and X² against the values that bnlearn 5.2.1 gave for the same files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas
import pytest

from engine.dataset import Dataset
from engine.independence.single import ci_test

TESTS = {
    "mi": ("g2", "nominal"),
    "x2": ("x2", "nominal"),
    "mi-adf": ("g2", "adjusted"),
    "x2-adf": ("x2", "adjusted"),
}
ROWS_PER_CELL = 5


@cache
def _table(path: Path) -> Dataset:
    return Dataset.from_frame(pandas.read_csv(path, dtype=str))


def _cells(dataset: Dataset, names: list[str]) -> int:
    return int(np.prod([dataset.variable(name).level_count for name in names]))


@pytest.mark.parametrize("kind", TESTS)
def test_statistic_degrees_of_freedom_and_p(shared_reference: Path, kind: str) -> None:
    rows = pandas.read_csv(shared_reference / "ci_tests_bnlearn.csv", keep_default_na=False)
    compared = 0
    for row in rows[rows["test"] == kind].itertuples(index=False):
        dataset = _table(shared_reference / row.file)
        given = row.S.split()
        if kind.endswith("adf") and dataset.row_count < ROWS_PER_CELL * _cells(
            dataset, [row.x, row.y, *given]
        ):
            # Here bnlearn's own reliability rule replaces the statistic by 0.
            assert float(row.stat) == 0.0
            continue
        test, dof = TESTS[kind]
        outcome = ci_test(test, dataset, row.x, row.y, given, dof=dof)
        assert outcome.statistic == pytest.approx(float(row.stat), abs=1e-9, rel=1e-11)
        assert outcome.dof == float(row.df)
        assert outcome.p_value == pytest.approx(float(row.p), abs=1e-300, rel=1e-8)
        compared += 1
    assert compared > 100
