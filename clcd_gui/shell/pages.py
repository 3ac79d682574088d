"""The pages in the middle of the window: each is made when it is first asked for, or in a quiet moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from clcd_gui.shell.steps import PageMaker, StepDescription, named_page
from clcd_gui.start.start_page import StartPage
from clcd_gui.style.themes import wear_stylesheet
from clcd_gui.turns import QuietMoments
from clcd_gui.widgets.window_page import WindowPage, Workspace, forget_table

START, FIRST_ROWS, IMPORT = "start", "first rows", "import"


_PARTS_OF_FIRST_ROWS = ("clcd_gui.data.columns_model", "clcd_gui.data.columns_view")

# What stands in the place of the first step until a table is open.
_WAYS_IN: Mapping[str, Callable[[], PageMaker]] = {
    START: lambda: StartPage,
    FIRST_ROWS: named_page("clcd_gui.data.table_views:FirstRowsPage"),
    IMPORT: named_page("clcd_gui.data.import_page:ImportPage"),
}


class Pages(QStackedWidget):
    """Owns the pages, made late by `preparation` in quiet moments or when one is looked at, and shows one."""

    page_made = Signal(WindowPage)  # a page that is new

    def __init__(self, workspace: Workspace, steps: Iterable[StepDescription]) -> None:
        super().__init__()
        wear_stylesheet(self)
        self._workspace = workspace
        self._steps = tuple(steps)
        self._loads = {**_WAYS_IN, **{step.name: step.load for step in self._steps}}
        self._makers: dict[str, PageMaker] = {}
        self._pages: dict[str, WindowPage] = {}
        workspace.session.document.replaced.connect(lambda: forget_table(self))
        controller = workspace.session.controller
        self.preparation = QuietMoments(self._prepared(), self, lambda: controller.is_busy)

    def page(self, name: str) -> WindowPage:
        """Return a page, which is made unless it was before."""
        if name not in self._pages:
            page = self._pages[name] = self._maker(name)(self._workspace, self)
            self.addWidget(page)
            self.page_made.emit(page)
        return self._pages[name]

    def _maker(self, name: str) -> PageMaker:
        if name not in self._makers:
            self._makers[name] = self._loads[name]()
        return self._makers[name]

    def show_page(self, name: str) -> None:
        """Show a page."""
        self.setCurrentWidget(self.page(name))

    def is_shown(self, name: str) -> bool:
        """Tell whether a page is the one that is shown."""
        return name in self._pages and self.currentWidget() is self._pages[name]

    @property
    def shown_name(self) -> str:
        """Name of the page that is shown."""
        return next((name for name in self._pages if self.is_shown(name)), "")

    @property
    def shown(self) -> WindowPage:
        """The page that is shown."""
        page = self.currentWidget()
        assert isinstance(page, WindowPage)
        return page

    def make_all(self) -> None:
        """Make every page that is not there yet, for what speaks of all of them."""
        for name in self._loads:
            self.page(name)

    @property
    def are_all_made(self) -> bool:
        """Whether every page is there."""
        return all(name in self._pages for name in self._loads)

    def make_in_turns(self, then: Callable[[], None]) -> None:
        """Make every page that is not there yet, so that the window takes its events between; then go on."""
        making = QuietMoments(self._prepared(), self)
        making.completed.connect(then)
        making.completed.connect(making.deleteLater)
        making.begin()

    def shut_down(self) -> None:
        """Make no more, and wait until files that pages write are whole."""
        for moments in self.findChildren(QuietMoments):
            moments.stop()
        for page in self._pages.values():
            page.shut_down()

    def _prepared(self) -> Iterator[None]:
        """Load and make what is not there yet, with a pause after each."""
        parts = {step.name: step.parts for step in self._steps}
        parts[FIRST_ROWS] = _PARTS_OF_FIRST_ROWS
        for name in self._loads:
            # Also of a page that is there: it has loaded what it shows first, and not what is opened from it.
            for part in parts.get(name, ()):
                import_module(part)
                yield
            if name not in self._makers:
                self._maker(name)
                yield
            if name not in self._pages:
                self.page(name)
                yield
