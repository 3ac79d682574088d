"""What the list of columns says about a column."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from PySide6.QtCore import Qt

from clcd_gui.data.columns_model import ColumnsModel, Field
from clcd_gui.data.cut_editor import points_of
from clcd_gui.document.column_summary import BARS, summarise, summarise_all
from clcd_gui.document.columns import number_text, values_text, values_tooltip
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Variable


def test_skew_and_zeros_of_a_number_are_told() -> None:
    variable = Variable("visits", Kind.CONTINUOUS)
    column = np.array([0.0] * 30 + [*range(1, 11)])
    assert values_tooltip(variable, summarise(variable, column)) == (
        "0 to 10; 11 different values; skewed to the right (1.9); 75 % zeros"
    )
    even = np.arange(40.0)
    assert values_tooltip(variable, summarise(variable, even)) == "0 to 39; 40 different values"


def test_what_a_column_holds_stands_below_its_name_under_the_pointer() -> None:
    variable = Variable("v01", Kind.CONTINUOUS, description="Felt lonely in the last year")
    model = ColumnsModel()
    model.set_table([variable], [summarise(variable, np.arange(9.0))])
    tip = model.index(0, Field.NAME).data(Qt.ItemDataRole.ToolTipRole)
    assert "v01" in tip and "Felt lonely in the last year" in tip


def test_numbers_below_zero_have_the_sign_of_subtraction_and_are_read_back() -> None:
    variable, column = Variable("change", Kind.CONTINUOUS), np.array([-2.5, -0.000012, 3.0])
    assert values_text(variable, summarise(variable, column)) == "\N{MINUS SIGN}2.5 to 3"
    written = [number_text(value) for value in (*column, -12_000.0, -40.0)]
    assert not any("-" in text for text in written)
    # What is read off may be typed as a cut.
    assert points_of("; ".join([written[0], written[-1]])) == (-40.0, -2.5)


def test_columns_are_described_together_as_one_by_one_and_as_numpy_does() -> None:
    rng = np.random.default_rng(5)
    frame = pandas.DataFrame({f"n{place}": rng.normal(size=90) for place in range(20)})
    frame["gaps"] = frame["n3"].where(rng.random(90) < 0.6)
    frame["empty"], frame["equal"] = np.nan, 7.5
    frame["largest"] = np.where(frame["n1"] > 0, 1e308, -1e308 * rng.random(90))
    frame["level"] = rng.choice(["a", "b", None], 90)
    dataset = Dataset.from_frame(frame)
    described = summarise_all(dataset)
    for variable, column, summary in zip(dataset.variables, dataset.columns, described, strict=True):
        assert repr(summary) == repr(summarise(variable, column))
        if variable.kind is Kind.CONTINUOUS and not np.isnan(column).all():
            present = column[~np.isnan(column)]
            counts = np.histogram(present / 1e300, BARS)[0]
            assert (summary.smallest, summary.largest) == (present.min(), present.max())
            assert (summary.distinct, summary.missing) == (len(np.unique(present)), 90 - len(present))
            bars = counts / counts.max() if summary.distinct > 1 else [1.0]
            assert summary.bars == pytest.approx(bars, abs=1 / 255)
