"""Writing a chart as a picture; nothing in here knows of Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clcd_gui.run.shared_progress import SharedProgress
from engine.reporting.figures.chart import Chart


@dataclass(frozen=True, slots=True)
class WriteChart:
    """Write a chart in the format that the ending of a path names.

    Attributes
    ----------
    chart : Chart
    path : Path
    """

    chart: Chart
    path: Path

    def __call__(self, _progress: SharedProgress) -> tuple[Path, ...]:
        """Do it."""
        from engine.reporting.figures.files import CHART_WRITERS

        _, write = CHART_WRITERS[self.path.suffix.lower()]
        write(self.chart, self.path)
        return (self.path,)
