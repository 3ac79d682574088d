"""What the commands of the window do to the workspace, its pages, the colours and the help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from clcd_gui.document.app_settings import AppSettings
from clcd_gui.document.examples import examples
from clcd_gui.document.navigation import Navigation
from clcd_gui.document.notes import ANALYSIS, Subject, title_of
from clcd_gui.run.controller import Controller
from clcd_gui.shell.actions import Actions
from clcd_gui.shell.comparison import benchmark_window
from clcd_gui.shell.help_pages import HelpLibrary, headings, keys_page
from clcd_gui.shell.help_window import HelpWindow
from clcd_gui.shell.pages import FIRST_ROWS, IMPORT, Pages
from clcd_gui.shell.steps import StepDescription
from clcd_gui.style.themes import Scheme, ThemeSwitcher, stepped
from clcd_gui.widgets.help_links import GLOSSARY, SCHEME, topic_at, topic_of
from clcd_gui.widgets.note_editor import NoteEditor
from clcd_gui.widgets.window_page import WindowPage, Workspace
from engine.translation import _
from engine.wording.shown_names import Naming

if TYPE_CHECKING:
    from clcd_gui.shell.comparison import BenchmarkWindow


_GUIDES = {
    IMPORT: "guide/open-a-table.md",
    FIRST_ROWS: "guide/open-a-table.md",
    "data": "guide/choose-outcomes.md",
    "method": "guide/run-the-analysis.md",
    "results": "guide/read-the-results.md",
    "selection": "guide/select-features.md",
    "report": "guide/write-the-report.md",
    "runs": "guide/compare-runs.md",
}
"""Page of the guide by the page of the window that it tells of."""


class HelpCommands(QObject):
    """Opens the windows beside the main one: help, what is new, about, and the comparison of methods."""

    def __init__(
        self, actions: Actions, controller: Controller, library: Callable[[], HelpLibrary], pages: Pages
    ) -> None:
        super().__init__(actions)
        self._controller = controller
        self._library = library
        self._pages = pages
        self._asked = ""
        self.help: HelpWindow | None = None
        self.benchmark: BenchmarkWindow | None = None
        for action, page in (
            (actions.help, "help.md"),
            (actions.keys, HelpLibrary.KEYS),
            (actions.glossary, GLOSSARY),
            (actions.changes, "changes.md"),
            (actions.about, "about.md"),
        ):
            action.triggered.connect(partial(self._show_help, page))
        actions.help_here.triggered.connect(self._explain_page)
        actions.what_is_this.triggered.connect(self._explain_focus)
        actions.benchmark.triggered.connect(self._show_benchmark)
        # A text is what it takes, whatever its types say.
        QDesktopServices.setUrlHandler(SCHEME, self, "answer")  # type: ignore[arg-type]

    @Slot(QUrl)
    def answer(self, address: QUrl) -> None:
        """Show the page of the help that a control asks for."""
        self._show_help(topic_of(address))

    @property
    def windows(self) -> tuple[QWidget, ...]:
        """Those that are there."""
        return tuple(window for window in (self.help, self.benchmark) if window is not None)

    def close_windows(self) -> None:
        """Close the windows, which have no parent that would take them along."""
        QDesktopServices.unsetUrlHandler(SCHEME)
        if self.benchmark is not None:
            self.benchmark.shut_down()
        for window in self.windows:
            window.close()
            window.deleteLater()
        self.help = self.benchmark = None

    def _explain_page(self) -> None:
        """Open the guide where it tells of the page that is shown."""
        self._show_help(_GUIDES.get(self._pages.shown_name, "help.md"))

    def _explain_focus(self) -> None:
        """Explain what has the focus; where it has no entry, the window as a whole."""
        self._show_help(topic_at(QApplication.focusWidget()) or "help.md")

    def _show_help(self, topic: str, _checked: bool = False) -> None:
        if self.help is None:
            self.help = HelpWindow(self._library())
        # Shown first, because a page has no places to scroll to before it is laid out.
        _bring_up(self.help)
        self._asked = topic
        if self._pages.are_all_made or not _is_gathered(topic):
            self._show_topic(topic)
        if not self._pages.are_all_made:
            # A search or a link may ask for what is gathered from them next: made at once, they would hold
            # the window up for half a second.
            self._pages.make_in_turns(partial(self._show_gathered, topic))

    def _show_gathered(self, topic: str) -> None:
        if _is_gathered(topic):
            self._show_topic(topic)

    def _show_topic(self, topic: str) -> None:
        # Something else may have been asked for meanwhile.
        if self.help is not None and topic == self._asked:
            self.help.show_topic(topic)

    def _show_benchmark(self) -> None:
        if self.benchmark is None:
            self.benchmark = benchmark_window(self._controller)
        _bring_up(self.benchmark)


def _bring_up(window: QWidget) -> None:
    window.show()
    window.raise_()
    window.activateWindow()


class LookCommands(QObject):
    """Changes colours, text size and names of variables, shows and hides "Why?", and remembers it."""

    def __init__(self, actions: Actions, settings: AppSettings, theme: ThemeSwitcher) -> None:
        super().__init__(actions)
        self._actions, self._settings, self._theme = actions, settings, theme
        self._follow_why()
        actions.why.toggled.connect(self._on_why)
        settings.shows_why_changed.connect(self._follow_why)
        actions.zoom_in.triggered.connect(lambda: self._zoom(stepped(theme.zoom, 1)))
        actions.zoom_out.triggered.connect(lambda: self._zoom(stepped(theme.zoom, -1)))
        actions.zoom_reset.triggered.connect(lambda: self._zoom(1.0))
        for action in actions.schemes.actions():
            action.setChecked(action.data() == theme.scheme)
        actions.schemes.triggered.connect(self._on_scheme)
        self._follow_naming()
        settings.naming_changed.connect(self._follow_naming)
        actions.namings.triggered.connect(self._on_naming)

    def _follow_why(self) -> None:
        self._actions.why.setChecked(self._settings.shows_why)

    def _on_why(self, shown: bool) -> None:
        if shown != self._settings.shows_why:
            self._settings.shows_why = shown

    def _zoom(self, zoom: float) -> None:
        self._theme.set_zoom(zoom)
        self._settings.zoom = self._theme.zoom

    def _follow_naming(self) -> None:
        for action in self._actions.namings.actions():
            action.setChecked(action.data() == self._settings.naming)

    def _on_naming(self, action: QAction) -> None:
        self._settings.naming = Naming(action.data())

    def _on_scheme(self, action: QAction) -> None:
        scheme = Scheme(action.data())
        self._theme.set_scheme(scheme)
        self._settings.scheme = str(scheme)


class TableCommands(QObject):
    """Opens and closes tables, and searches them."""

    def __init__(self, actions: Actions, workspace: Workspace, window: QWidget) -> None:
        super().__init__(actions)
        self._actions, self._settings = actions, workspace.settings
        self._session, self._files = workspace.session, workspace.files
        files = workspace.files
        actions.add_examples(examples())
        actions.open.triggered.connect(lambda: files.ask_for_table(window))
        actions.labels_file.triggered.connect(lambda: files.ask_for_labels(window))
        actions.add_columns.triggered.connect(lambda: files.ask_for_columns(window))
        actions.recent_menu.triggered.connect(self._on_path)
        actions.examples_menu.triggered.connect(self._on_path)
        actions.save.triggered.connect(lambda: files.save(window))
        actions.save_as.triggered.connect(lambda: files.save_as(window))
        actions.close.triggered.connect(files.close)
        actions.run.triggered.connect(self._session.running.start)
        actions.stop.triggered.connect(self._session.stop)
        actions.live.triggered.connect(self._session.live.set_wanted)
        self._settings.recent_files_changed.connect(self._list_recent)
        self._session.changed.connect(self._refresh)
        self._list_recent()
        self._refresh()

    def _refresh(self) -> None:
        """Allow what is possible now."""
        session, actions = self._session, self._actions
        has_table = session.document.analysis is not None
        actions.run.setEnabled(not session.running.hindrance)
        actions.stop.setEnabled(session.can_stop)
        actions.close.setEnabled(has_table)
        for action in (actions.save, actions.save_as):
            action.setEnabled(has_table and not session.saving.is_busy)
        actions.live.setChecked(session.live.state.wanted)
        is_whole = has_table and session.opening.first_rows is None
        actions.labels_file.setEnabled(is_whole)
        reading = session.document.reading
        # A table is joined to one other.
        actions.add_columns.setEnabled(is_whole and reading is not None and reading.labels_path is None)

    def _list_recent(self) -> None:
        self._actions.set_recent(self._settings.recent_files)

    def _on_path(self, action: QAction) -> None:
        self._files.open(Path(str(action.data())))


class PageCommands(QObject):
    """Shows steps, and looks for something and exports where the person is."""

    def __init__(
        self,
        actions: Actions,
        workspace: Workspace,
        steps: Sequence[StepDescription],
        pages: Pages,
    ) -> None:
        super().__init__(actions)
        self._actions, self._pages = actions, pages
        self._session, self._navigation = workspace.session, workspace.navigation
        for number, step in enumerate(steps, start=1):
            actions.add_step(step.name, _(step.title), number)
            actions.steps[step.name].triggered.connect(partial(self._go, step.name))
        self._due = {
            title: [step.name for step in steps if title in step.menus]
            for title in dict.fromkeys(menu for step in steps for menu in step.menus)
        }
        actions.find.triggered.connect(self._on_find)
        actions.export.triggered.connect(self._on_export)
        self._session.changed.connect(self._refresh)
        self._refresh()

    def follow_menus(self) -> None:
        """Bring the commands of pages into the menus when these are first opened."""
        for title in self._due:
            self._actions.menus[title].aboutToShow.connect(partial(self._complete, title))

    def _refresh(self) -> None:
        has_table = self._session.document.analysis is not None
        for name, action in self._actions.steps.items():
            action.setEnabled(has_table or name == Navigation.FIRST)
        self._actions.find.setEnabled(has_table and self._session.opening.first_rows is None)
        self._actions.export.setEnabled(self._session.document.result is not None)

    @property
    def _page(self) -> WindowPage:
        return self._pages.page(self._navigation.step)

    def _go(self, step: str, _checked: bool = False) -> None:
        self._navigation.go(step)

    def _on_find(self) -> None:
        if not self._page.can_find:
            self._navigation.go(Navigation.FIRST)
        self._page.find_text()

    def _on_export(self) -> None:
        """Export what is shown, or else the result."""
        if not self._page.can_export:
            self._navigation.go("results")
        self._page.ask_export()

    def _complete(self, title: str) -> None:
        """Put into a menu that is opened what pages have for it, which makes them."""
        for step in self._due.pop(title, ()):
            self._actions.add_of_page(title, self._pages.page(step).menu_entries[title])


class NoteCommands(QObject):
    """Writes notes on the analysis, and on the variable or finding that is selected."""

    def __init__(self, actions: Actions, workspace: Workspace, window: QWidget) -> None:
        super().__init__(actions)
        self._actions, self._highlight = actions, workspace.highlight
        self._document, self._window = workspace.session.document, window
        self.editor: NoteEditor | None = None
        actions.note.triggered.connect(self._on_selected)
        actions.analysis_note.triggered.connect(partial(self._write, ANALYSIS))
        for changed in (workspace.session.changed, self._highlight.changed):
            changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        has_table = self._document.analysis is not None
        self._actions.analysis_note.setEnabled(has_table)
        self._actions.note.setEnabled(has_table and not self._highlight.pair.is_empty)

    def _on_selected(self) -> None:
        pair = self._highlight.pair
        self._write(tuple(name for name in (pair.feature, pair.label) if name is not None))

    def _write(self, subject: Subject, _checked: bool = False) -> None:
        notes = self._document.notes
        write = partial(notes.write, subject)
        self.editor = NoteEditor(title_of(subject), notes.text(subject), write, self._window, notes.cleared)
        self.editor.open()


def _is_gathered(topic: str) -> bool:
    return topic.partition("#")[0] in HelpLibrary.GATHERED


def _library(window: QMainWindow, pages: Pages) -> HelpLibrary:
    """Return the help, which lists keys and columns of every page once these are looked at."""

    def keys() -> str:
        pages.make_all()
        return keys_page(window)

    def columns() -> dict[str, list[tuple[str, str]]]:
        pages.make_all()
        return headings()

    return HelpLibrary(keys, columns)


class WindowCommands(QObject):
    """Makes the commands of a window and connects them with what they act on."""

    def __init__(
        self,
        workspace: Workspace,
        theme: ThemeSwitcher,
        steps: Sequence[StepDescription],
        pages: Pages,
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self.actions = Actions(window)
        self.pages = PageCommands(self.actions, workspace, steps, pages)
        stack = workspace.session.document.undo_stack
        undo, redo = stack.createUndoAction(window, _("Undo")), stack.createRedoAction(window, _("Redo"))
        self.actions.fill_menus(undo, redo)
        self.pages.follow_menus()
        self.tables = TableCommands(self.actions, workspace, window)
        self.notes = NoteCommands(self.actions, workspace, window)
        self.look = LookCommands(self.actions, workspace.settings, theme)
        self.windows = HelpCommands(
            self.actions,
            workspace.session.controller,
            partial(_library, window, pages),
            pages,
        )
        self.actions.quit.triggered.connect(window.close)
