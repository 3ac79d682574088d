"""The window's door to the comparison of methods: few people need it, so it loads when it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from clcd_gui.run.controller import Controller
from clcd_gui.widgets.layouts import column
from clcd_gui.widgets.window_page import Workspace
from engine.parameters import Parameter
from engine.translation import _

if TYPE_CHECKING:
    from clcd_gui.comparison.benchmark_window import BenchmarkWindow as BenchmarkWindow

if TYPE_CHECKING:
    from clcd_gui.comparison.panel import ComparisonPanel

PARTS = ("clcd_gui.run.comparing", "clcd_gui.comparison.panel")
"""What the tab of the comparison loads when someone opens it."""


def comparison_tab(workspace: Workspace) -> QWidget:
    """Return the tab that compares CLCD-FS with other selectors on the open table."""
    return ComparisonTab(workspace)


def benchmark_window(controller: Controller) -> BenchmarkWindow:
    """Return the window that compares CLCD with other methods on simulated networks."""
    from clcd_gui.comparison.benchmark_window import BenchmarkWindow

    return BenchmarkWindow(
        controller.benchmark, controller.benchmark_files, controller.measurements, controller.drawing
    )


def comparison_settings() -> tuple[tuple[str, type, tuple[Parameter, ...]], ...]:
    """Return what can be set of both comparisons: title, settings class, and settings beside it."""
    from clcd_gui.comparison.comparison_form import PERCENTAGES_SETTING
    from engine.comparison.networks.benchmark_settings import BenchmarkSettings
    from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings

    return (
        (_("Comparison of selections"), SelectionComparisonSettings, (PERCENTAGES_SETTING,)),
        (_("Benchmark"), BenchmarkSettings, ()),
    )


class ComparisonTab(QWidget):
    """Holds a :class:`ComparisonPanel` from the first time that it is shown."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._session, self._navigation = workspace.session, workspace.navigation
        self.panel: ComparisonPanel | None = None
        """The panel; None before it is first shown."""
        self._path: Path | None = None
        self._layout = column(on=self)
        document = self._session.document
        for signal in (document.analysis_changed, document.closed):
            signal.connect(self._follow)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the panel the first time: few people need it, and its parts take a moment to load."""
        if self.panel is None:
            from clcd_gui.comparison.panel import ComparisonPanel

            controller = self._session.controller
            self.panel = ComparisonPanel(
                controller.comparison,
                controller.comparison_files,
                controller.measurements,
                controller.drawing,
            )
            self.panel.step_requested.connect(self._navigation.go)
            self._layout.addWidget(self.panel)
            self._follow()
        super().showEvent(event)

    def _follow(self) -> None:
        if self.panel is None:
            return
        document = self._session.document
        analysis, reading = document.analysis, document.reading
        path = None if reading is None else reading.path
        if path != self._path:
            # Another file may have the same name, columns and number of rows.
            self.panel.set_dataset(None)
            self._path = path
        if analysis is not None:
            self.panel.set_dataset(analysis.dataset, analysis.preparation)
