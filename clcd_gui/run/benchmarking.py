"""The comparison of methods on simulated networks, and writing its files; nothing in here knows of Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import engine
from clcd_gui.run.kernels import COMPILING, PREPARING
from clcd_gui.run.progress import SharedProgress
from engine.comparison.networks.result import BenchmarkResult
from engine.comparison.networks.settings import BenchmarkSettings
from engine.errors import Cancelled

_PATIENCE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class RunBenchmark:
    """Compare methods, and give out the result whenever a search has ended.

    Attributes
    ----------
    settings : BenchmarkSettings
    """

    settings: BenchmarkSettings

    def __call__(self, progress: SharedProgress) -> BenchmarkResult:
        """Compare the methods and return what was found; after a stop, what is finished."""
        progress.report(PREPARING)
        self._compile(progress)
        return engine.benchmark(self.settings, progress=progress, on_result=progress.give_early)

    def _compile(self, progress: SharedProgress) -> None:
        """Wait for a process beside the window, which would be held up by compiling in this one."""
        from engine.comparison.networks.warm_up import start_compiling_methods

        compilation = start_compiling_methods(self.settings.methods, self.settings.kinds)
        if compilation is None:
            return
        progress.report(COMPILING)
        try:
            while not compilation.wait(_PATIENCE_SECONDS):
                if progress.should_stop():
                    raise Cancelled("the comparison was stopped.")
        finally:
            compilation.stop()


@dataclass(frozen=True, slots=True)
class WriteBenchmark:
    """Write report, tables and charts.

    Attributes
    ----------
    result : BenchmarkResult
    folder : Path
    """

    result: BenchmarkResult
    folder: Path

    def __call__(self, _progress: SharedProgress) -> tuple[Path, ...]:
        """Write the files and return their paths."""
        from engine.comparison.networks.files import write_files

        return write_files(self.result, self.folder)
