"""Which columns can hold row weights, and that a table carries them along."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from engine.errors import InvalidData
from engine.table.dataset import Dataset
from engine.table.row_weights import observations_in
from engine.table.variable import Kind, Role, Variable


def _dataset(weights: list[object]) -> Dataset:
    frame = pandas.DataFrame({"x": [1.5, 2.5, 3.5], "ill": ["n", "y", "n"], "w": weights})
    return Dataset.from_frame(frame, labels=["ill"]).with_roles({"w": Role.WEIGHT})


def test_weights_are_neither_feature_nor_label() -> None:
    dataset = _dataset([0.5, 2.0, 0.0])
    assert (dataset.weight, dataset.labels, dataset.features) == ("w", ("ill",), ("x",))
    assert dataset.row_weights is not None and dataset.row_weights.tolist() == [0.5, 2.0, 0.0]
    assert dataset.select_rows(np.array([1, 2])).row_weights.tolist() == [2.0, 0.0]


def test_two_different_weights_are_read_as_categories_and_still_numbers() -> None:
    dataset = _dataset([1, 2, 1])
    assert dataset.variable("w").kind is Kind.NOMINAL
    assert dataset.row_weights is not None and dataset.row_weights.tolist() == [1.0, 2.0, 1.0]


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        ([1.5, None, 2.5], r"1 row weights are missing; the first is in row 2"),
        ([1.5, -1.0, 2.5], r"in row 2 is negative"),
        ([0.0, 0.0, 0.0], r"every row weight is 0"),
        (["a", "b", "c"], r"must be numbers"),
    ],
)
def test_what_is_no_weight_is_refused(weights: list[object], problem: str) -> None:
    with pytest.raises(InvalidData, match=f"column 'w'.*{problem}"):
        _ = _dataset(weights).row_weights


def test_only_one_column_can_hold_them() -> None:
    with pytest.raises(InvalidData, match=r"columns 'w' and 'x'|columns 'x' and 'w'"):
        _dataset([1.5, 2.5, 1.0]).with_roles({"x": Role.WEIGHT})
    variables = tuple(Variable(name, Kind.CONTINUOUS, Role.WEIGHT) for name in "ab")
    with pytest.raises(InvalidData, match="two columns are row weights"):
        Dataset(variables, (np.ones(3), np.ones(3)))


@pytest.mark.parametrize("factor", [1e-200, 1.0, 1e200])
def test_the_unit_of_sampling_weights_makes_no_difference_to_what_rows_are_worth(factor: float) -> None:
    worth = observations_in(np.array([1.0, 1.0, 2.0]) * factor, is_sample=True)
    assert worth == pytest.approx(16 / 6, rel=1e-12)
