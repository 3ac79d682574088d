"""What the list of columns says about a column."""

from __future__ import annotations

import numpy as np

from clcd_gui.document.columns import values_tooltip
from engine.table.column_summary import summarise
from engine.table.variable import Kind, Variable


def test_skew_and_zeros_of_a_number_are_told() -> None:
    variable = Variable("visits", Kind.CONTINUOUS)
    column = np.array([0.0] * 30 + [*range(1, 11)])
    assert values_tooltip(variable, summarise(variable, column)) == (
        "0 to 10; 11 different values; skewed to the right (1.9); 75 % zeros"
    )
    even = np.arange(40.0)
    assert values_tooltip(variable, summarise(variable, even)) == "0 to 39; 40 different values"
