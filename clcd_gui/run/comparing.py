"""The comparison of selectors on the open table, and writing its files; nothing in here knows of Qt."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

import engine
from clcd_gui.core.comparison_findings import ComparisonFindings, comparison_findings
from clcd_gui.run.kept_runs import KeptRuns
from clcd_gui.run.kernels import PREPARING
from clcd_gui.run.shared_progress import SharedProgress
from engine.comparison.selectors.result import SelectionComparison
from engine.comparison.selectors.settings import SelectionComparisonSettings
from engine.execution.workers import worker_count
from engine.table.dataset import Dataset

# Working out what is shown takes as long as measuring a quick method, so not after each of them.
_SECONDS_BETWEEN = 0.5
_FEWEST_PROCESSES = 2


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Compare selectors on a table, and give out the findings while it goes on.

    Attributes
    ----------
    dataset : Dataset
        With its labels.
    settings : SelectionComparisonSettings
    kept : KeptRuns
    """

    dataset: Dataset
    settings: SelectionComparisonSettings
    kept: KeptRuns

    def __call__(self, progress: SharedProgress) -> ComparisonFindings:
        """Do it; after a stop, give what is finished."""
        progress.report(PREPARING)
        # A single worker would be a thread of this process, and hold up the window.
        workers = max(_FEWEST_PROCESSES, worker_count(self.settings.workers))
        settings = replace(self.settings, workers=workers)
        give = _Sometimes(progress)
        result = engine.compare_selections(
            [self.dataset], settings, progress=progress, on_result=give, kept=self.kept.folder
        )
        return comparison_findings(result)


class _Sometimes:
    """Gives out findings, though not after every measurement."""

    def __init__(self, progress: SharedProgress) -> None:
        self._progress = progress
        self._next = 0.0

    def __call__(self, result: SelectionComparison) -> None:
        if time.monotonic() >= self._next:
            self._progress.give_early(comparison_findings(result))
            self._next = time.monotonic() + _SECONDS_BETWEEN


@dataclass(frozen=True, slots=True)
class WriteComparison:
    """Write report, tables and pictures.

    Attributes
    ----------
    result : SelectionComparison
    folder : Path
    """

    result: SelectionComparison
    folder: Path

    def __call__(self, _progress: SharedProgress) -> tuple[Path, ...]:
        """Do it."""
        from engine.comparison.selectors.files import write_files

        return write_files(self.result, self.folder)
