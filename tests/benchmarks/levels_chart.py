"""Levels and power of the tests as a picture: a row a case, a mark a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.evaluation.drawing.chart import Drawing, Line, Mark, Panel, text_width
from engine.evaluation.drawing.looks import series_look
from engine.evaluation.drawing.svg import svg_text
from tests.benchmarks.level_cases import CASES
from tests.benchmarks.level_tables import LEAST, MOST, PARTS, share, tests_of

_TITLE = "Share of p-values of at most .05 where nothing is there, and where y follows x, by case and test"
_ROW, _TOP, _GAP, _HEAD = 15.0, 22.0, 26.0, 46.0
_WIDTH, _MOST_LEVEL = 300.0, 0.12
_LEVEL_TICKS = ((0.0, "0"), (LEAST, ".03"), (0.05, ".05"), (MOST, ".07"), (0.1, ".1"))

Figures = Mapping[str, Any]


def levels_chart(known: Figures) -> str:
    """Draw the level of each test in each case, and its power.

    Parameters
    ----------
    known : mapping
        What ``levels.json`` holds.

    Returns
    -------
    str
        SVG.
    """
    drawing = Drawing()
    tests = list(dict.fromkeys(test for part in PARTS for test in tests_of(known, part)))
    left = 16.0 + max(text_width(case.name) for case in CASES)
    _legend(drawing, tests)
    top = _TOP + _HEAD
    for part in PARTS:
        cases = [case.name for case in CASES if case.part == part]
        height = _ROW * len(cases)
        level = Panel(left, top, _WIDTH, height, 0.0, _MOST_LEVEL)
        power = Panel(left + _WIDTH + _GAP, top, _WIDTH, height, 0.0, 1.0)
        level.draw_frame(drawing, _LEVEL_TICKS, 1)
        power.draw_frame(drawing, [(each / 4, f"{each / 4:g}") for each in range(5)], 1)
        drawing.text(left, top - 12, f"{part}: level", look="strong")
        drawing.text(power.left, top - 12, "power", look="strong")
        for bound in (LEAST, MOST):
            drawing.lines.append(Line(level.x(bound), top, level.x(bound), top + height, "quiet"))
        for row, name in enumerate(cases):
            middle = top + _ROW * (row + 0.5)
            drawing.text(left - 8, middle, name, "end")
            drawing.lines.append(Line(left, middle, power.left + _WIDTH, middle, "grid"))
            _marks(drawing, known, tests, name, middle, {"null": level, "power": power})
        top += height + _HEAD
    width = left + 2 * _WIDTH + _GAP + 16.0
    return svg_text(drawing.chart(_TITLE, width, top - _HEAD + 24.0))


def _legend(drawing: Drawing, tests: list[str]) -> None:
    x = 16.0
    for place, test in enumerate(tests):
        drawing.marks.append(Mark(x + 5, 20, _look(place), test))
        drawing.text(x + 14, 20, test)
        x += 34 + text_width(test)


def _look(place: int) -> str:
    """Name the look of a test; not that with a disc, which takes the most room in the file."""
    return series_look(place + 1)


def _marks(
    drawing: Drawing, known: Figures, tests: list[str], case: str, middle: float, panels: Mapping[str, Panel]
) -> None:
    """Mark what each test has in one case."""
    for place, test in enumerate(tests):
        figures = known["levels"][test].get(case)
        for what, panel in panels.items():
            figure = None if figures is None else share(figures[what], ".05")
            if figure is not None:
                drawing.marks.append(Mark(panel.x(figure), middle, _look(place), f"{figure:.3f}"))
