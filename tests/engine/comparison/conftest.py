"""What tests of comparisons share."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.reporting.figures.chart import Chart
from engine.reporting.figures.figure_files import PICTURE_ENDINGS


@pytest.fixture
def pictures_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a comparison write empty pictures: to draw them takes longer than to compare tiny tables.

    Whether pictures are right is asked in test_benchmark_files.py and selectors/test_selection_pictures.py;
    that a comparison draws them, in test_benchmark_command.py and selectors/test_selection_comparison.py.
    """

    def write_nothing(chart: Chart, folder: Path, stem: str) -> None:
        for ending in PICTURE_ENDINGS:
            (folder / f"{stem}{ending}").touch()

    monkeypatch.setattr("engine.comparison.page.write_pictures", write_nothing)
    monkeypatch.setattr("engine.comparison.page.svg_text", lambda chart, name="": "<svg></svg>")
