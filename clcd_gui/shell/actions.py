"""Every command of the window with its name, key, icon and place in the menus."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from clcd_gui.document.examples import Example
from clcd_gui.style import icons, themes
from clcd_gui.style.text import caption, set_tooltip
from clcd_gui.style.themes import Scheme
from clcd_gui.widgets.controls import Menu, add_menu
from engine.translation import N_, _
from engine.wording.shown_names import NAMING_WORDS

GENERAL_CAPTION = "generalCaption"
"""Property of a command whose text changes: what it is called in a list of keys."""
# By the names that pages know.
_MENUS = {
    "File": N_("&File"),
    "Edit": N_("&Edit"),
    "View": N_("&View"),
    "Run": N_("&Run"),
    "Help": N_("&Help"),
}


class Actions(QObject):
    """Makes the commands and puts them into the menus of a window."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        make = self._make
        self.open = make(_("Open…"), "Ctrl+O", "open")
        self.add_columns = make(_("Add columns from…"))
        self.save = make(_("Save project"), "Ctrl+S")
        self.save_as = make(_("Save project as…"), "Ctrl+Shift+S")
        self.close = make(_("Close table"), "Ctrl+W")
        self.quit = make(_("Quit"), "Ctrl+Q")
        self.export = make(_("Export…"), "Ctrl+E", "export")
        self.find = make(_("Find"), "Ctrl+F", "search")
        self.note = make(_("Note on what is selected…"), "Ctrl+M")
        self.analysis_note = make(_("Note on the analysis…"))
        self.labels_file = make(_("Labels from a file…"))
        self.zoom_in = make(_("Larger text"), "Ctrl++")
        self.zoom_in.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self.zoom_out = make(_("Smaller text"), "Ctrl+-")
        self.zoom_reset = make(_("Default text size"), "Ctrl+0")
        self.why = make(_("“Why?” panel"), "Ctrl+Shift+W")
        self.why.setCheckable(True)
        self.run = make(_("Run"), "Ctrl+R", "run")
        self.stop = make(_("Stop"), "Esc", "stop")
        self.live = make(_("Live results"), "Ctrl+L")
        self.live.setCheckable(True)
        self.help = make(_("User guide"), icon="help")
        self.help_here = make(_("Help on this page"), "F1")
        self.keys = make(_("Keys"))
        self.glossary = make(_("Glossary"))
        self.tour = make(_("Tour of two minutes"))
        self.what_is_this = make(_("What is this?"), "Shift+F1")
        self.benchmark = make(_("Benchmark…"))
        self.changes = make(_("What is new"))
        self.about = make(_("About CLCD"))
        self.about.setMenuRole(QAction.MenuRole.AboutRole)
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.steps: dict[str, QAction] = {}
        self.schemes, self.namings = QActionGroup(self), QActionGroup(self)
        # Menus have their looks from the bar that they belong to.
        self.recent_menu = Menu(_("Open recent"), window.menuBar())
        self.examples_menu = Menu(_("Examples"), window.menuBar())
        self.menus: dict[str, QMenu] = {}
        # Before these stand the commands of pages.
        self._behind_pages: dict[str, QAction] = {}

    def add_step(self, name: str, title: str, number: int) -> None:
        """Make the command that shows a step, with Ctrl and its number as key."""
        action = self._make(title, f"Ctrl+{number}")
        action.setData(name)
        self.steps[name] = action

    def add_examples(self, bundled: tuple[Example, ...]) -> None:
        """List the bundled tables."""
        for example in bundled:
            action = self.examples_menu.addAction(caption(_(example.title)))
            set_tooltip(action, _(example.summary))
            action.setData(str(example.path))

    def set_recent(self, paths: tuple[Path, ...]) -> None:
        """List the files that were open."""
        self.recent_menu.clear()
        for path in paths:
            action = self.recent_menu.addAction(caption(path.name))
            set_tooltip(action, str(path))
            action.setData(str(path))
        self.recent_menu.setEnabled(bool(paths))

    def fill_menus(self, undo: QAction, redo: QAction) -> None:
        """Put everything into the menu bar."""
        file, edit, view, run, help_menu = (
            self._menu(name) for name in ("File", "Edit", "View", "Run", "Help")
        )
        undo.setShortcut(QKeySequence.StandardKey.Undo)
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        for action, title in ((undo, _("Undo")), (redo, _("Redo"))):
            action.setProperty(GENERAL_CAPTION, title)
        for action, icon in ((undo, "undo"), (redo, "redo")):
            icons.assign(action, icon, themes.colours())
        file.addAction(self.open)
        file.addMenu(self.recent_menu)
        file.addMenu(self.examples_menu)
        file.addAction(self.add_columns)
        file.addSeparator()
        file.addActions([self.save, self.save_as])
        file.addSeparator()
        self._behind_pages["File"] = file.addSeparator()
        file.addActions([self.close, self.quit])
        self.recent_menu.setToolTipsVisible(True)
        self.examples_menu.setToolTipsVisible(True)
        edit.addActions([undo, redo])
        edit.addSeparator()
        edit.addActions([self.find, self.labels_file])
        edit.addSeparator()
        edit.addActions([self.note, self.analysis_note])
        view.addActions(list(self.steps.values()))
        view.addSeparator()
        view.addAction(self.why)
        view.addSeparator()
        view.addMenu(self._naming_menu())
        view.addMenu(self._scheme_menu())
        view.addActions([self.zoom_in, self.zoom_out, self.zoom_reset])
        run.addActions([self.run, self.live, self.stop])
        self._behind_pages["Run"] = self.stop
        help_menu.addActions(
            [self.help_here, self.help, self.tour, self.keys, self.glossary, self.what_is_this]
        )
        help_menu.addSeparator()
        help_menu.addActions([self.benchmark, self.changes, self.about])

    def add_of_page(self, name: str, entries: Iterable[QAction | QMenu]) -> None:
        """Put commands of a page into a menu, behind those that it has of other pages."""
        menu, behind = self.menus[name], self._behind_pages[name]
        for entry in entries:
            if isinstance(entry, QMenu):
                menu.insertMenu(behind, entry)
            else:
                menu.insertAction(behind, entry)

    def _naming_menu(self) -> QMenu:
        menu = Menu(_("Names of variables"), self._window.menuBar())
        for naming, title in NAMING_WORDS.items():
            action = menu.addAction(_(title))
            action.setCheckable(True)
            action.setData(naming)
            self.namings.addAction(action)
        return menu

    def _scheme_menu(self) -> QMenu:
        menu = Menu(_("Colours"), self._window.menuBar())
        for scheme, title in (
            (Scheme.SYSTEM, _("As the system")),
            (Scheme.LIGHT, _("Light")),
            (Scheme.DARK, _("Dark")),
        ):
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setData(scheme)
            self.schemes.addAction(action)
        return menu

    def _menu(self, name: str) -> QMenu:
        menu = self.menus[name] = add_menu(_(_MENUS[name]), self._window.menuBar())
        return menu

    def _make(self, title: str, key: str = "", icon: str = "") -> QAction:
        action = QAction(title, self._window)
        if key:
            action.setShortcut(QKeySequence(key))
        if icon:
            icons.assign(action, icon, themes.colours())
        self._window.addAction(action)
        return action
