"""Starts the window and wires it: the only place that does."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import (
    QEvent,
    QLibraryInfo,
    QLocale,
    QObject,
    QSettings,
    QTimer,
    QTranslator,
    Signal,
    Slot,
)
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

import engine
from clcd_gui.document.app_settings import AppSettings
from clcd_gui.document.crash_log import CrashLog
from clcd_gui.document.recovery import RecoveryStore
from clcd_gui.plots.loading import chart_loading
from clcd_gui.resource_path import resource_path
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.memory import QuietCollector, WindowCollector, hold_little_memory
from clcd_gui.run.session import Session
from clcd_gui.self_test import folder_asked_for, run_self_test, settings_in
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.icons import hold_few_pictures
from clcd_gui.style.themes import Scheme, ThemeSwitcher
from clcd_gui.turns import QuietMoments
from clcd_gui.widgets.dialogs import Dialogs
from engine.translation import Catalogue, set_language

WARM_UP_AFTER_MILLISECONDS = 400
# How long another thread may keep Python to itself while the window's thread waits for it. Painting waits
# many times, and Python's usual 5 ms would add up to a window that stands still beside two searches.
LONGEST_TURN_SECONDS = 0.0001


def make_application(arguments: Sequence[str]) -> QApplication:
    """Make the Qt application: the name of its settings, short turns, and memory freed when unused."""
    hold_little_memory()
    sys.setswitchinterval(LONGEST_TURN_SECONDS)
    application = QApplication(list(arguments))
    WindowCollector(application)
    hold_few_pictures()
    application.setOrganizationName("CLCD")
    application.setApplicationName("CLCD")
    application.setApplicationDisplayName("CLCD")
    application.setApplicationVersion(engine.__version__)
    application.setDesktopFileName("clcd")
    if QLocale().language() is QLocale.Language.C:
        # Without a locale numbers would not be grouped.
        QLocale.setDefault(QLocale(QLocale.Language.English))
    application.setWindowIcon(QIcon(str(resource_path("icons", "app.svg"))))
    return application


def set_words(application: QApplication, catalogue: Catalogue | None, locale: QLocale) -> QTranslator:
    """Write messages by a catalogue, and let Qt's own dialogs and buttons speak the language of a locale."""
    set_language(catalogue)
    words = QTranslator(application)
    if words.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(words)
    return words


def make_window(
    application: QApplication, store: QSettings | None = None, dialogs: Dialogs | None = None
) -> MainWindow:
    """Wire settings, theme, session and window; without a store, settings are where the system keeps them."""
    settings = AppSettings(store if store is not None else QSettings())
    schemes_by_name = {str(scheme): scheme for scheme in Scheme}
    theme = ThemeSwitcher(application, schemes_by_name.get(settings.scheme, Scheme.SYSTEM), settings.zoom)
    session = Session()
    window = MainWindow(session, settings, theme, dialogs)
    session.setParent(window)
    settings.setParent(window)
    theme.setParent(window)
    return window


def prepare(window: MainWindow) -> None:
    """Load what every search needs; then, in quiet moments, make the pages and the charts."""
    controller, pages = window.session.controller, window.pages.preparation
    QuietCollector(window.session.document, lambda: controller.is_busy or controller.warming.is_busy, window)
    charts = QuietMoments(chart_loading(), window, lambda: controller.is_busy)
    pages.completed.connect(charts.begin)
    # To compile may take long: pages do not wait for that.
    controller.warming.given_early.connect(pages.begin)
    controller.warming.ended.connect(pages.begin)
    controller.warm_up()


def main(given: Sequence[str]) -> int:
    """Open the window, with the table that the command line names."""
    application = make_application(given)
    self_test = folder_asked_for(given)
    window = make_window(application, settings_in(self_test) if self_test is not None else None)
    QTimer.singleShot(WARM_UP_AFTER_MILLISECONDS, partial(prepare, window))
    if self_test is not None:
        return run_self_test(window, self_test)
    sys.excepthook = ErrorReporter(window)
    if sys.platform == "darwin":
        # Nowhere else does the system speak so, and a filter sees every event there is.
        application.installEventFilter(FileOpener(window))
    window.show()
    window.session.autosave.begin(RecoveryStore(state_folder() / "recovery"))
    crashes = CrashLog(state_folder() / "crashes")

    def watch_for_faults() -> None:
        window.crash_notice.offer(crashes.left_behind())
        crashes.begin()

    paths = [Path(argument) for argument in application.arguments()[1:]]
    if paths:
        window.open_path(paths[0])
    # The library that locks files takes 36 ms to load, for which the start need not wait.
    QTimer.singleShot(WARM_UP_AFTER_MILLISECONDS, watch_for_faults)
    status = application.exec()
    crashes.end()
    return status


def state_folder() -> Path:
    """Return the folder in which the system keeps what programs need again after a crash."""
    import platformdirs

    return platformdirs.user_state_path("clcd", appauthor=False)


class FileOpener(QObject):
    """Opens the files that the system hands to the running program, as macOS does after a double click."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the file of an event that names one."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self._window.open_path(Path(event.file()))
            return True
        return False


class ErrorReporter(QObject):
    """Shows an error that nothing caught, from any thread, in the window, and writes it to standard error."""

    _caught = Signal(RunFailure)

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self._window = window
        self._caught.connect(self._show)

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Write the error to standard error, and show it in the window."""
        sys.__excepthook__(kind, error, trace)
        if isinstance(error, Exception):
            self._caught.emit(failure_of(error))

    @Slot(RunFailure)
    def _show(self, failure: RunFailure) -> None:
        self._window.show_failure(failure)
