"""Levels and power of the tests as a chart: a row a case, a mark a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.reporting.figures.chart import Axis, Chart, RowMark, RowPanel, Series
from engine.reporting.figures.looks import series_look
from tests.benchmarks.level_cases import CASES
from tests.benchmarks.level_tables import LEAST, MOST, PARTS, share, tests_of

_TITLE = "Share of p-values of at most .05 where nothing is there, and where y follows x, by case and test"
_LEVEL = Axis(0.0, 0.12, ticks=((0.0, "0"), (LEAST, ".03"), (0.05, ".05"), (MOST, ".07"), (0.1, ".1")))
_POWER = Axis(0.0, 1.0, ticks=tuple((quarter / 4, f"{quarter / 4:g}") for quarter in range(5)))

Figures = Mapping[str, Any]


def levels_chart(figures: Figures) -> Chart:
    """Return the level of each test in each case, and its power.

    Parameters
    ----------
    figures : mapping
        What ``levels.json`` holds.
    """
    tests = list(dict.fromkeys(test for part in PARTS for test in tests_of(figures, part)))
    series = {test: Series(test, series_look(place)) for place, test in enumerate(tests)}
    rows = []
    for part in PARTS:
        cases = tuple(case.name for case in CASES if case.part == part)
        level = _marks(figures, series, cases, "null")
        power = _marks(figures, series, cases, "power")
        rows.append(
            (
                RowPanel(f"{part}: level", cases, _LEVEL, level, bounds=(LEAST, MOST)),
                RowPanel("power", cases, _POWER, power),
            )
        )
    return Chart(_TITLE, tuple(rows), legend=tuple(series.values()))


def _marks(
    figures_on_file: Figures, series: Mapping[str, Series], cases: tuple[str, ...], what: str
) -> tuple[RowMark, ...]:
    """Return what each test has in each case."""
    marks = []
    for test, look in series.items():
        for row, case in enumerate(cases):
            figures = figures_on_file["levels"][test].get(case)
            figure = None if figures is None else share(figures[what], ".05")
            if figure is not None:
                marks.append(RowMark(look, row, figure, f"{test}, {case}: {figure:.3f}"))
    return tuple(marks)
