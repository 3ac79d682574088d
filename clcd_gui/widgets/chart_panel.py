"""A chart with its table beneath, and a button that saves the picture."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from clcd_gui.plots.chart_view import ChartView
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.lane import WritingLane
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.writing import WriteChart
from clcd_gui.style import icons, themes
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.dialogs import ExportDialogs, documents_folder
from clcd_gui.widgets.menus import Menu
from engine.reporting.figures.chart import Chart
from engine.reporting.figures.figure_files import CHART_WRITERS


class ChartPanel(QScrollArea):
    """Shows one chart, scrolled where it is larger than the window."""

    written = Signal(tuple)
    failed = Signal(RunFailure)

    def __init__(
        self,
        file_name: str,
        drawing: DrawingProcess,
        caption: str = "",
        dialogs: ExportDialogs | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.dialogs = dialogs or ExportDialogs()
        self.file_name = file_name
        self._drawing = drawing
        self._folder = documents_folder()
        self.view = ChartView()
        self.caption = muted(caption)
        self.save = QPushButton("Save picture")
        self.save.setToolTip("Save this picture as PNG, SVG or PDF")
        icons.assign(self.save, "export", themes.colours(), "text")
        self.actions_by_ending: dict[str, QAction] = {}
        self.save.setMenu(self._menu())
        self._lane = WritingLane("picture", self)
        self._lane.succeeded.connect(self.written)
        self._lane.failed.connect(self.failed)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shut_down)
        self._lay_out()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def set_chart(self, chart: Chart) -> None:
        """Show another chart."""
        self.view.set_chart(chart)
        self.save.setEnabled(bool(chart.panels))

    def shut_down(self) -> None:
        """Wait until the picture that is being written is whole."""
        self._lane.shut_down()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(SPACE)
        head.addWidget(self.caption, 1)
        head.addWidget(self.save, 0, Qt.AlignmentFlag.AlignTop)
        ground = QFrame()
        set_look(ground, "card")
        inside = QVBoxLayout(ground)
        inside.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        inside.addWidget(self.view)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, SPACE, 0, SPACE)
        column.setSpacing(SPACE)
        column.addLayout(head)
        column.addWidget(ground)
        self.below = QVBoxLayout()
        self.below.setSpacing(SPACE)
        column.addLayout(self.below)
        column.addStretch(1)
        self.setWidget(content)

    def _menu(self) -> Menu:
        menu = Menu(self.save)
        for ending, (title, _) in CHART_WRITERS.items():
            action = menu.addAction(f"{title}…")
            action.setData(ending)
            self.actions_by_ending[ending] = action
        menu.triggered.connect(self._on_save)
        return menu

    def _on_save(self, action: QAction) -> None:
        ending = str(action.data())
        suggested = self._folder / f"{self.file_name}{ending}"
        path = self.dialogs.choose_file(self.window(), CHART_WRITERS[ending][0], suggested)
        if path is None:
            return
        self._folder = path.parent
        self._lane.start(WriteChart(self.view.chart, path, self._drawing))
