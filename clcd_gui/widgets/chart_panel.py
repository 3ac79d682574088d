"""A chart with its table beneath, and a button that saves the picture."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QWidget

from clcd_gui.plots.chart_view import ChartView
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.writing import write_chart
from clcd_gui.style import icons, themes
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.controls import Menu
from clcd_gui.widgets.dialogs import ExportDialogs
from clcd_gui.widgets.file_writer import FileWriter
from clcd_gui.widgets.layouts import column, row
from engine.reporting.figures.chart import Chart
from engine.reporting.figures.figure_files import CHART_WRITERS
from engine.translation import _


class ChartPanel(FileWriter):
    """Shows one chart, scrolled where it is larger than the window."""

    def __init__(
        self, file_name: str, drawing: DrawingProcess, caption: str = "", dialogs: ExportDialogs | None = None
    ) -> None:
        super().__init__("picture")
        self.dialogs = dialogs or self.dialogs
        self.file_name = file_name
        self._drawing = drawing
        self.view = ChartView()
        self.caption = muted(caption)
        self.save = QPushButton(_("Save picture"))
        self.save.setToolTip(_("Save this picture as PNG, SVG or PDF"))
        icons.assign(self.save, "export", themes.colours(), "text")
        self.actions_by_ending: dict[str, QAction] = {}
        self.save.setMenu(self._menu())
        self.below = column()
        ground, content = QFrame(), QWidget()
        set_look(ground, "card")
        column(self.view, on=ground, margins=SPACE)
        head = row((self.caption, 1), (self.save, 0, Qt.AlignmentFlag.AlignTop))
        column(head, ground, self.below, 1, on=content, margins=(0, SPACE, 0, SPACE))
        self.area = QScrollArea()
        self.area.setWidget(content)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column(self.area, on=self)

    def set_chart(self, chart: Chart) -> None:
        """Show another chart."""
        self.view.set_chart(chart)
        self.save.setEnabled(bool(chart.panels))

    def _menu(self) -> Menu:
        menu = Menu(self.save)
        for ending, (title, _write) in CHART_WRITERS.items():
            action = menu.addAction(f"{_(title)}…")
            action.setData(ending)
            self.actions_by_ending[ending] = action
        menu.triggered.connect(self._on_save)
        return menu

    def _on_save(self, action: QAction) -> None:
        ending = str(action.data())
        path = self._choose_file(CHART_WRITERS[ending][0], f"{self.file_name}{ending}")
        if path is not None:
            self._lane.start(partial(write_chart, self.view.chart, path, self._drawing))
