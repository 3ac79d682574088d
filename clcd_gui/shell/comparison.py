"""The window's door to the comparison of methods: few people need it, so it loads when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from clcd_gui.run.controller import Controller
from clcd_gui.widgets.window_page import Workspace
from engine.parameters import Parameter

if TYPE_CHECKING:
    from clcd_gui.comparison.benchmark_window import BenchmarkWindow as BenchmarkWindow

PARTS = ("clcd_gui.run.comparing", "clcd_gui.comparison.panel")
"""What the tab of the comparison loads when someone opens it."""


def comparison_tab(workspace: Workspace) -> QWidget:
    """Return the tab that compares CLCD-FS with other selectors on the open table."""
    from clcd_gui.comparison.tab import ComparisonTab

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
        ("Comparison of selections", SelectionComparisonSettings, (PERCENTAGES_SETTING,)),
        ("Benchmark", BenchmarkSettings, ()),
    )
