"""Every command of the window with its name, key and icon, and what it does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QTextBrowser, QVBoxLayout, QWidget

import engine
from clcd_gui.document.examples import Example, examples
from clcd_gui.resource_path import resource_path
from clcd_gui.style import icons, themes
from clcd_gui.style.text import caption, set_tooltip
from clcd_gui.style.themes import Scheme
from clcd_gui.style.tokens import SPACE_LARGE
from clcd_gui.wording.settings import SettingChange
from engine.preparation.settings import PreparationSettings
from engine.readers.registry import ReadingOptions

if TYPE_CHECKING:
    from clcd_gui.comparison.benchmark_window import BenchmarkWindow
    from clcd_gui.data.data_page import DataPage
    from clcd_gui.document.app_settings import AppSettings
    from clcd_gui.method.method_page import MethodPage
    from clcd_gui.results.results_page import ResultsPage
    from clcd_gui.run.session import Session
    from clcd_gui.selection.selection_page import SelectionPage
    from clcd_gui.start.start_page import StartPage
    from clcd_gui.style.themes import ThemeSwitcher
    from clcd_gui.widgets.dialogs import Dialogs
    from clcd_gui.widgets.run_bar import RunBar


class Actions(QObject):
    """Makes the commands and puts them into the menus of a window.

    Parameters
    ----------
    window : QMainWindow
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        make = self._make
        self.open = make("Open…", "Ctrl+O", "open")
        self.close = make("Close table", "Ctrl+W")
        self.quit = make("Quit", "Ctrl+Q")
        self.export = make("Export…", "Ctrl+E", "export")
        self.export_selection = make("Export the selection…", "", "export")
        self.find = make("Find", "Ctrl+F", "search")
        self.labels_file = make("Labels from a file…")
        self.zoom_in = make("Larger text", "Ctrl++")
        self.zoom_in.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self.zoom_out = make("Smaller text", "Ctrl+-")
        self.zoom_reset = make("Usual text size", "Ctrl+0")
        self.why = make("“Why?” panel", "Ctrl+Shift+W")
        self.why.setCheckable(True)
        self.run = make("Run", "Ctrl+R", "run")
        self.stop = make("Stop", "Esc", "stop")
        self.live = make("Live results", "Ctrl+L")
        self.live.setCheckable(True)
        self.help = make("Help", "F1", "help")
        self.benchmark = make("Benchmark…")
        self.changes = make("What is new")
        self.about = make("About CLCD")
        self.about.setMenuRole(QAction.MenuRole.AboutRole)
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.steps: dict[str, QAction] = {}
        self.schemes = QActionGroup(self)
        self.recent_menu = QMenu("Open recent", window)
        self.examples_menu = QMenu("Examples", window)
        self.menus: dict[str, QMenu] = {}

    def add_step(self, name: str, title: str, number: int) -> None:
        """Make the command that shows a step, with Ctrl and its number as key."""
        action = self._make(title, f"Ctrl+{number}")
        action.setData(name)
        self.steps[name] = action

    def add_examples(self, bundled: tuple[Example, ...]) -> None:
        """List the bundled tables."""
        for example in bundled:
            action = self.examples_menu.addAction(caption(example.title))
            set_tooltip(action, example.summary)
            action.setData(str(example.path))

    def set_recent(self, paths: tuple[Path, ...]) -> None:
        """List the files that were open."""
        self.recent_menu.clear()
        for path in paths:
            action = self.recent_menu.addAction(caption(path.name))
            set_tooltip(action, str(path))
            action.setData(str(path))
        self.recent_menu.setEnabled(bool(paths))

    def fill_menus(self, undo: QAction, redo: QAction, export_menu: QMenu, repeat_menu: QMenu) -> None:
        """Put everything into the menu bar."""
        file, edit, view, run, help_menu = (
            self._menu(title) for title in ("&File", "&Edit", "&View", "&Run", "&Help")
        )
        undo.setShortcut(QKeySequence.StandardKey.Undo)
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        for action, icon in ((undo, "undo"), (redo, "redo")):
            icons.assign(action, icon, themes.colours())
        file.addAction(self.open)
        file.addMenu(self.recent_menu)
        file.addMenu(self.examples_menu)
        file.addSeparator()
        file.addMenu(export_menu)
        file.addAction(self.export_selection)
        file.addSeparator()
        file.addActions([self.close, self.quit])
        self.recent_menu.setToolTipsVisible(True)
        self.examples_menu.setToolTipsVisible(True)
        edit.addActions([undo, redo])
        edit.addSeparator()
        edit.addActions([self.find, self.labels_file])
        view.addActions(list(self.steps.values()))
        view.addSeparator()
        view.addAction(self.why)
        view.addSeparator()
        view.addMenu(self._scheme_menu())
        view.addActions([self.zoom_in, self.zoom_out, self.zoom_reset])
        run.addActions([self.run, self.live])
        run.addMenu(repeat_menu)
        run.addAction(self.stop)
        help_menu.addActions([self.help, self.changes, self.benchmark, self.about])

    def _scheme_menu(self) -> QMenu:
        menu = QMenu("Colours", self._window)
        for scheme, title in (
            (Scheme.SYSTEM, "As the system"),
            (Scheme.LIGHT, "Light"),
            (Scheme.DARK, "Dark"),
        ):
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setData(scheme)
            self.schemes.addAction(action)
        return menu

    def _menu(self, title: str) -> QMenu:
        menu = self._window.menuBar().addMenu(title)
        self.menus[title.replace("&", "")] = menu
        return menu

    def _make(self, title: str, key: str = "", icon: str = "") -> QAction:
        action = QAction(title, self._window)
        if key:
            action.setShortcut(QKeySequence(key))
        if icon:
            icons.assign(action, icon, themes.colours())
        self._window.addAction(action)
        return action


class HelpWindow(QWidget):
    """Shows a bundled Markdown page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("CLCD help")
        self.resize(680, 760)
        self.browser = QTextBrowser()
        self.browser.setOpenLinks(False)
        self.browser.setAccessibleName("Help")
        self.browser.document().setDocumentMargin(SPACE_LARGE)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.browser)

    def show_page(self, name: str) -> None:
        """Show one of the pages in ``resources/help``."""
        text = resource_path("help", name).read_text(encoding="utf-8")
        self.browser.setMarkdown(text.replace("{version}", engine.__version__))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc and on the key that closes windows."""
        if event.key() == Qt.Key.Key_Escape or event.matches(QKeySequence.StandardKey.Close):
            self.close()
        else:
            super().keyPressEvent(event)


_ZOOM_STEP = 1.1


class Commanded(Protocol):
    """What commands act on: the models of a window, its pages, and the ways between them."""

    session: Session
    settings: AppSettings
    theme: ThemeSwitcher
    dialogs: Dialogs
    start_page: StartPage
    data_page: DataPage
    method_page: MethodPage
    results_page: ResultsPage
    selection_page: SelectionPage
    run_bar: RunBar

    @property
    def step_titles(self) -> list[tuple[str, str]]:
        """Name and title of every step, in order."""

    @property
    def current_step(self) -> str:
        """Name of the step that is shown."""

    def go(self, step: str) -> None:
        """Show a step."""

    def open_path(self, path: Path) -> None:
        """Open a table."""

    def take_labels(self, path: Path) -> None:
        """Read the open table again with the labels of a file."""

    def close_table(self) -> None:
        """Go back to the start page."""

    def show_why(self, shown: bool) -> None:
        """Open or close the panel with the evidence."""


class WindowCommands(QObject):
    """Connects the actions of a window with what they do.

    Parameters
    ----------
    commanded : Commanded
        What they act on.
    window : QMainWindow
        Whose menus and keys they have.
    """

    def __init__(self, commanded: Commanded, window: QMainWindow) -> None:
        super().__init__(window)
        self._commanded = commanded
        self._window = window
        self._session = commanded.session
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
        path = self._commanded.dialogs.choose_table(self._window, self._commanded.settings.folder)
        if path is not None:
            self._commanded.open_path(path)

    def ask_for_labels(self) -> None:
        """Ask which file names the labels, and read the table with it."""
        reading = self._session.document.reading
        if reading is None:
            return
        path = self._commanded.dialogs.choose_labels(self._window, str(reading.path.parent))
        if path is not None:
            self._commanded.take_labels(path)

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
        commanded, actions = self._commanded, self.actions
        for number, (name, title) in enumerate(commanded.step_titles, start=1):
            actions.add_step(name, title, number)
        actions.add_examples(examples())
        stack = self._session.document.undo_stack
        undo = stack.createUndoAction(self._window, "Undo")
        redo = stack.createRedoAction(self._window, "Redo")
        page = commanded.results_page
        actions.fill_menus(undo, redo, page.export_actions.menu, page.how_sure.repetitions)

    def _connect_files(self) -> None:
        commanded, actions = self._commanded, self.actions
        actions.open.triggered.connect(self.ask_for_table)
        commanded.start_page.open_requested.connect(self.ask_for_table)
        commanded.start_page.path_chosen.connect(commanded.open_path)
        actions.recent_menu.triggered.connect(self._on_path_action)
        actions.examples_menu.triggered.connect(self._on_path_action)
        actions.labels_file.triggered.connect(self.ask_for_labels)
        commanded.data_page.labels_file_requested.connect(self.ask_for_labels)
        for page in (commanded.data_page, commanded.start_page):
            page.reading.read_again.connect(self._session.opening.open_otherwise)
        actions.close.triggered.connect(commanded.close_table)
        actions.quit.triggered.connect(self._window.close)
        actions.export.triggered.connect(self._on_export)
        actions.export_selection.triggered.connect(self._on_export_selection)

    def _connect_views(self) -> None:
        commanded, actions = self._commanded, self.actions
        for page in (
            commanded.data_page,
            commanded.method_page,
            commanded.results_page,
            commanded.selection_page,
        ):
            page.run_requested.connect(self.run)
        actions.run.triggered.connect(self.run)
        actions.stop.triggered.connect(self.stop)
        actions.live.triggered.connect(self._on_live)
        commanded.results_page.live_requested.connect(self._on_live)
        for page in (commanded.method_page, commanded.results_page):
            page.level_chosen.connect(self._on_level)
        commanded.run_bar.stop_requested.connect(self.stop)
        comparison = self._session.controller.comparison
        for signal in (comparison.started, comparison.stopping, comparison.ended):
            signal.connect(self.refresh)
        for action in actions.steps.values():
            action.triggered.connect(self._on_step)
        actions.find.triggered.connect(self._on_find)
        actions.why.setChecked(commanded.settings.shows_why)
        actions.why.toggled.connect(commanded.show_why)
        actions.zoom_in.triggered.connect(self._on_zoom_in)
        actions.zoom_out.triggered.connect(self._on_zoom_out)
        actions.zoom_reset.triggered.connect(self._on_zoom_reset)
        for action in actions.schemes.actions():
            action.setChecked(action.data() == commanded.theme.scheme)
        actions.schemes.triggered.connect(self._on_scheme)
        actions.help.triggered.connect(self._on_help)
        actions.benchmark.triggered.connect(self._on_benchmark)
        actions.changes.triggered.connect(self._on_changes)
        actions.about.triggered.connect(self._on_about)

    def _on_live(self, wanted: bool) -> None:
        self._commanded.settings.live = wanted
        self._session.live.set_wanted(wanted)

    def _on_level(self, level: float, gesture: str) -> None:
        self._session.document.change_discovery("alpha", level, gesture)

    def _on_path_action(self, action: QAction) -> None:
        self._commanded.open_path(Path(str(action.data())))

    def _on_step(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._commanded.go(str(action.data()))

    def _on_find(self) -> None:
        step = self._commanded.current_step
        if step == "results":
            self._commanded.results_page.find_text()
        elif step == "selection":
            self._commanded.selection_page.find_text()
        else:
            self._commanded.go("data")
            self._commanded.data_page.focus_filter()

    def _on_export(self) -> None:
        if self._commanded.current_step == "selection" and self.actions.export_selection.isEnabled():
            self._on_export_selection()
            return
        self._commanded.go("results")
        self._commanded.results_page.export_button.showMenu()

    def _on_export_selection(self) -> None:
        self._commanded.go("selection")
        self._commanded.selection_page.export.ask()

    def _on_zoom_in(self) -> None:
        self._zoom(self._commanded.theme.zoom * _ZOOM_STEP)

    def _on_zoom_out(self) -> None:
        self._zoom(self._commanded.theme.zoom / _ZOOM_STEP)

    def _on_zoom_reset(self) -> None:
        self._zoom(1.0)

    def _zoom(self, zoom: float) -> None:
        self._commanded.theme.set_zoom(zoom)
        self._commanded.settings.zoom = self._commanded.theme.zoom

    def _on_scheme(self, action: QAction) -> None:
        scheme = Scheme(action.data())
        self._commanded.theme.set_scheme(scheme)
        self._commanded.settings.scheme = str(scheme)

    def _on_help(self) -> None:
        self._show_help("help.md")

    def _on_changes(self) -> None:
        self._show_help("changes.md")

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
            from clcd_gui.comparison.benchmark_window import BenchmarkWindow

            self._benchmark = BenchmarkWindow(self._session.controller.benchmark)
        _bring_up(self._benchmark)


def _bring_up(window: QWidget) -> None:
    window.show()
    window.raise_()
    window.activateWindow()
