"""What the commands of the menus and keys do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from clcd_gui.core.examples import examples
from clcd_gui.core.remedies import SettingChange
from clcd_gui.style.themes import Scheme
from clcd_gui.views.actions import Actions
from clcd_gui.views.help_window import HelpWindow
from engine.preparation.settings import PreparationSettings
from engine.readers.registry import ReadingOptions

if TYPE_CHECKING:
    from clcd_gui.views.benchmark_window import BenchmarkWindow
    from clcd_gui.views.main_window import MainWindow

_ZOOM_STEP = 1.1


class WindowCommands(QObject):
    """Connects the actions of a window with what they do.

    Parameters
    ----------
    window : MainWindow
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._help: HelpWindow | None = None
        self._benchmark: BenchmarkWindow | None = None
        self.actions = Actions(window)
        self._fill()
        self._connect_files()
        self._connect_views()

    def refresh(self) -> None:
        """Allow what is possible now."""
        document, controller = self._session.document, self._session.controller
        has_table = document.analysis is not None
        actions = self.actions
        actions.run.setEnabled(not self._session.running.hindrance)
        is_stopping = controller.discovery.is_stopping or controller.repetition.is_stopping
        compares = controller.comparison.is_busy and not controller.comparison.is_stopping
        actions.stop.setEnabled(compares or (controller.is_busy and not is_stopping))
        actions.export.setEnabled(document.result is not None)
        selection = document.feature_selection
        actions.export_selection.setEnabled(selection is not None and bool(selection.features))
        actions.close.setEnabled(has_table)
        live = self._session.live.state
        actions.live.setChecked(live.wanted)
        is_whole = has_table and self._session.opening.first_rows is None
        actions.find.setEnabled(is_whole)
        actions.labels_file.setEnabled(is_whole)

    def ask_for_table(self) -> None:
        """Ask which table to open, and open it."""
        path = self._window.dialogs.choose_table(self._window, self._window.settings.folder)
        if path is not None:
            self._window.open_path(path)

    def ask_for_labels(self) -> None:
        """Ask which file names the labels, and read the table with it."""
        reading = self._session.document.reading
        if reading is None:
            return
        path = self._window.dialogs.choose_labels(self._window, str(reading.path.parent))
        if path is not None:
            self._window.take_labels(path)

    def run(self) -> None:
        """Run the analysis, or go where it is said what stands in the way."""
        self._session.running.start()

    def take_advice(self, advised: SettingChange) -> None:
        """Change the setting that a remedy names, and try again."""
        document, opening = self._session.document, self._session.opening
        if advised.settings_class is ReadingOptions:
            if opening.wanted is not None:
                opening.open_otherwise(replace(opening.wanted.options, **{advised.name: advised.value}))
            return
        if advised.settings_class is PreparationSettings:
            document.change_preparation(advised.name, advised.value)
        else:
            document.change_discovery(advised.name, advised.value)
        self.run()

    def stop(self) -> None:
        """Stop what is running: searches hand over what they finished, a reading is forgotten."""
        controller = self._session.controller
        if controller.files.is_busy:
            controller.files.abandon()
        elif controller.discovery.is_busy:
            controller.discovery.stop()
        elif controller.live.is_busy:
            self._session.live.stop()
        elif controller.repetition.is_busy:
            controller.repetition.stop()
        elif controller.selection.is_noticed or not controller.comparison.is_busy:
            self._session.selecting.stop()
        else:
            controller.comparison.stop()

    def close_windows(self) -> None:
        """Close the windows beside the main one, which have no parent that would take them along."""
        for window in (self._help, self._benchmark):
            if window is not None:
                window.close()
                window.deleteLater()
        self._help = self._benchmark = None

    def _fill(self) -> None:
        window, actions = self._window, self.actions
        for number, (name, title) in enumerate(window.step_titles, start=1):
            actions.add_step(name, title, number)
        actions.add_examples(examples())
        stack = self._session.document.undo_stack
        undo, redo = stack.createUndoAction(window, "Undo"), stack.createRedoAction(window, "Redo")
        page = window.results_page
        actions.fill_menus(undo, redo, page.export_actions.menu, page.how_sure.repetitions)

    def _connect_files(self) -> None:
        window, actions = self._window, self.actions
        actions.open.triggered.connect(self.ask_for_table)
        window.start_page.open_requested.connect(self.ask_for_table)
        window.start_page.path_chosen.connect(window.open_path)
        actions.recent_menu.triggered.connect(self._on_path_action)
        actions.examples_menu.triggered.connect(self._on_path_action)
        actions.labels_file.triggered.connect(self.ask_for_labels)
        window.data_page.labels_file_requested.connect(self.ask_for_labels)
        for page in (window.data_page, window.start_page):
            page.reading.read_again.connect(self._session.opening.open_otherwise)
        actions.close.triggered.connect(window.close_table)
        actions.quit.triggered.connect(window.close)
        actions.export.triggered.connect(self._on_export)
        actions.export_selection.triggered.connect(self._on_export_selection)

    def _connect_views(self) -> None:
        window, actions = self._window, self.actions
        for page in (window.data_page, window.method_page, window.results_page, window.selection_page):
            page.run_requested.connect(self.run)
        actions.run.triggered.connect(self.run)
        actions.stop.triggered.connect(self.stop)
        actions.live.triggered.connect(self._on_live)
        window.results_page.live_requested.connect(self._on_live)
        for page in (window.method_page, window.results_page):
            page.level_chosen.connect(self._on_level)
        window.run_bar.stop_requested.connect(self.stop)
        comparison = self._session.controller.comparison
        for signal in (comparison.started, comparison.stopping, comparison.ended):
            signal.connect(self.refresh)
        for action in actions.steps.values():
            action.triggered.connect(self._on_step)
        actions.find.triggered.connect(self._on_find)
        actions.why.setChecked(window.settings.shows_why)
        actions.why.toggled.connect(window.show_why)
        actions.zoom_in.triggered.connect(self._on_zoom_in)
        actions.zoom_out.triggered.connect(self._on_zoom_out)
        actions.zoom_reset.triggered.connect(self._on_zoom_reset)
        for action in actions.schemes.actions():
            action.setChecked(action.data() == window.theme.scheme)
        actions.schemes.triggered.connect(self._on_scheme)
        actions.help.triggered.connect(self._on_help)
        actions.benchmark.triggered.connect(self._on_benchmark)
        actions.about.triggered.connect(self._on_about)

    def _on_live(self, wanted: bool) -> None:
        self._window.settings.live = wanted
        self._session.live.set_wanted(wanted)

    def _on_level(self, level: float, gesture: str) -> None:
        self._session.document.change_discovery("alpha", level, gesture)

    def _on_path_action(self, action: QAction) -> None:
        self._window.open_path(Path(str(action.data())))

    def _on_step(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._window.go(str(action.data()))

    def _on_find(self) -> None:
        pages = {"results": self._window.results_page, "selection": self._window.selection_page}
        page = pages.get(self._window.current_step)
        if page is not None:
            page.find()
        else:
            self._window.go("data")
            self._window.data_page.focus_filter()

    def _on_export(self) -> None:
        if self._window.current_step == "selection" and self.actions.export_selection.isEnabled():
            self._on_export_selection()
            return
        self._window.go("results")
        self._window.results_page.export_button.showMenu()

    def _on_export_selection(self) -> None:
        self._window.go("selection")
        self._window.selection_page.export.ask()

    def _on_zoom_in(self) -> None:
        self._zoom(self._window.theme.zoom * _ZOOM_STEP)

    def _on_zoom_out(self) -> None:
        self._zoom(self._window.theme.zoom / _ZOOM_STEP)

    def _on_zoom_reset(self) -> None:
        self._zoom(1.0)

    def _zoom(self, zoom: float) -> None:
        self._window.theme.set_zoom(zoom)
        self._window.settings.zoom = self._window.theme.zoom

    def _on_scheme(self, action: QAction) -> None:
        scheme = Scheme(action.data())
        self._window.theme.set_scheme(scheme)
        self._window.settings.scheme = str(scheme)

    def _on_help(self) -> None:
        self._show_help("help.md")

    def _on_about(self) -> None:
        self._show_help("about.md")

    def _show_help(self, page: str) -> None:
        if self._help is None:
            self._help = HelpWindow()
        self._help.show_page(page)
        _bring_up(self._help)

    def _on_benchmark(self) -> None:
        if self._benchmark is None:
            # Few people need it, so it costs the start nothing.
            from clcd_gui.views.benchmark_window import BenchmarkWindow

            self._benchmark = BenchmarkWindow(self._session.controller.benchmark)
        _bring_up(self._benchmark)


def _bring_up(window: QWidget) -> None:
    window.show()
    window.raise_()
    window.activateWindow()
