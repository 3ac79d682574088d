"""G² and X² against the values that bnlearn 5.2.1 gave for the same files."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import pandas
import pytest

from engine.independence.arranging import ci_test
from engine.table.dataset import Dataset

# Of each kind: test, degrees of freedom, and the rows a cell that bnlearn's own rule asks for.
TESTS = {
    "mi": ("g2", "nominal", 0.0),
    "x2": ("x2", "nominal", 0.0),
    "mi-adf": ("g2", "adjusted", 5.0),
    "x2-adf": ("x2", "adjusted", 5.0),
}
# How many of the tests in the file bnlearn's rule sets aside.
SET_ASIDE = {("mi-adf", "small.csv"): 1, ("mi-adf", "small300.csv"): 71}
SET_ASIDE |= {("x2-adf", file): count for (_, file), count in SET_ASIDE.items()}


@cache
def _table(path: Path) -> Dataset:
    return Dataset.from_frame(pandas.read_csv(path, dtype=str))


@pytest.mark.parametrize("file", ["small.csv", "small300.csv"])
@pytest.mark.parametrize("kind", TESTS)
def test_every_test_of_the_reference(shared_reference: Path, kind: str, file: str) -> None:
    dataset = _table(shared_reference / file)
    rows = pandas.read_csv(shared_reference / "ci_tests_bnlearn.csv", keep_default_na=False)
    rows = rows[(rows["test"] == kind) & (rows["file"] == file)]
    assert len(rows) > 100
    test, dof, rows_per_cell = TESTS[kind]
    set_aside = 0
    for row in rows.itertuples(index=False):
        outcome = ci_test(
            test, dataset, row.x, row.y, row.S.split(), dof=dof, min_rows_per_cell=rows_per_cell
        )
        statistic, p = float(row.stat), float(row.p)
        # Where its rule sets a test aside, bnlearn gives 0 for the statistic and 1 for p.
        assert outcome.reliable is not (statistic == 0.0 and p == 1.0)
        assert outcome.dof == float(row.df)
        if not outcome.reliable:
            set_aside += 1
            continue
        assert outcome.statistic == pytest.approx(statistic, abs=1e-9, rel=0)
        assert outcome.log_p == pytest.approx(math.log(p), abs=1e-9, rel=1e-9)
    assert set_aside == SET_ASIDE.get((kind, file), 0)
