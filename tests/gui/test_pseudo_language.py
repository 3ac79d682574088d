"""The window in a language that nobody speaks: what is left in English cannot be translated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QSettings
from PySide6.QtWidgets import QApplication, QMessageBox

from clcd_gui.app import set_words
from clcd_gui.document.examples import examples
from clcd_gui.shell.main_window import MainWindow
from engine.comparison.selectors.methods import selection_methods
from engine.recipe.expression import quoted
from engine.recipe.table_steps import Compute, Filter
from engine.reporting.sentences.method import references
from engine.table.dataset import Dataset
from engine.table.variable import Kind
from engine.translation import language
from tests.gui.conftest import AnsweringDialogs, close_for_good, open_as_found, shown_window
from tests.pseudo_language import pseudo_language
from tests.untranslated import english_in, texts_of_windows

# In which exports are offered.
_FOLDERS = {"hospital-survey report", "hospital-survey selection"}
# What is doubted of it is shown before it is opened; one of the letters is no UTF-8.
_DOUBTFUL = "day;lbl_co;lbl_nox;site\n" + "".join(
    f"{number};{number % 2};-200;{'Zürich' if number % 3 else 'n/a'}\n" for number in range(1, 40)
)


@pytest.fixture
def foreign_window(qapp: QApplication, qtbot, tmp_path) -> Iterator[MainWindow]:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    with language(pseudo_language()):
        window = shown_window(qapp, qtbot, store, AnsweringDialogs())
        yield window
        close_for_good(window)


def _look(seen: set[str]) -> None:
    """Take down what all windows say now."""
    seen.update(text for _kind, text in texts_of_windows())


def _names(table: Dataset) -> set[str]:
    levels = (level for variable in table.variables for level in variable.levels)
    return {*table.names, *levels, table.name}


def test_no_page_is_left_in_english(foreign_window: MainWindow, qtbot) -> None:
    window, seen = foreign_window, set[str]()
    _look(seen)
    open_as_found(window, qtbot, examples()[0].path)
    _look(seen)
    document = window.session.document
    document.set_labels(document.offer.names)
    # Where results follow every change, there is nothing to click.
    window.page("data").primary.click()
    results = window.page("results")
    qtbot.waitUntil(lambda: document.result is not None and results.is_filled, timeout=120_000)
    for name in ("data", "method", "results", "selection", "report", "runs"):
        window.rail.button(name).click()
        qtbot.wait(200)
        _look(seen)
    report, selection = window.page("report"), window.page("selection")
    qtbot.waitUntil(selection.export_button.isEnabled)
    for export, holder in ((report.ask_export, report), (selection.export.ask, selection.export)):
        export()
        _look(seen)
        holder.dialog.reject()
    cited = set(references(document.result))
    assert not english_in(seen, _names(document.analysis.dataset) | _FOLDERS | cited)


def test_no_dialog_and_no_further_window_is_left_in_english(
    foreign_window: MainWindow, qtbot, tmp_path: Path
) -> None:
    window, seen = foreign_window, set[str]()
    session, actions = window.session, window.commands.actions
    open_as_found(window, qtbot, examples()[0].path)
    data, table = window.page("data"), session.document.analysis.dataset
    for kind in (Kind.CONTINUOUS, Kind.NOMINAL):
        data.open_column(next(variable.name for variable in table.variables if variable.kind is kind))
        qtbot.waitUntil(lambda: data.column._found is not None)
        _look(seen)
    number = next(variable.name for variable in table.variables if variable.kind is Kind.CONTINUOUS)
    for step in (Filter(f"{quoted(number)} > 0"), Compute("twice", f"2 * {quoted(number)}")):
        with qtbot.waitSignal(session.steps.changed):
            session.steps.change(session.document.analysis.recipe.with_step(step), "~")
    _look(seen)
    session.document.set_roles([number], session.document.analysis.dataset.variable(number).role.LABEL)
    _look(seen)
    actions.analysis_note.trigger()
    _look(seen)
    window.commands.notes.editor.reject()
    actions.tour.trigger()
    _look(seen)
    window.tour.end()
    actions.benchmark.trigger()
    _look(seen)
    window.rail.button("selection").click()
    window.page("selection").tabs.setCurrentIndex(2)
    _look(seen)
    window.page("runs").show()
    _look(seen)
    (tmp_path / "broken.xlsx").write_bytes(b"PK")
    window.open_path(tmp_path / "broken.xlsx")
    qtbot.waitUntil(lambda: session.opening.preview is not None)
    _look(seen)
    (tmp_path / "doubtful.csv").write_text(_DOUBTFUL, "latin-1")
    with qtbot.waitSignal(session.opening.previewed):
        window.open_path(tmp_path / "doubtful.csv")
    _look(seen)
    actions.help.trigger()
    shown = window.commands.windows.help
    for page in ("settings.md", "keys.md", "columns.md"):
        shown.show_topic(page)
        seen.update(shown.browser.toPlainText().splitlines())
    written = {"day", "lbl_co", "lbl_nox", "site", "Zürich", "twice"}
    sources = {method.source for method in selection_methods().values()}
    assert not english_in(seen, _names(table) | written | sources)


def test_qt_speaks_the_language_that_is_set(qapp: QApplication) -> None:
    with language(None):
        words = set_words(qapp, None, QLocale("de_DE"))
        try:
            box = QMessageBox()
            box.setStandardButtons(QMessageBox.StandardButton.Cancel)
            assert box.button(QMessageBox.StandardButton.Cancel).text().replace("&", "") == "Abbrechen"
        finally:
            qapp.removeTranslator(words)
            box.deleteLater()
