"""From a person's own file to what is passed on, in a small window, by clicks and keys alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import openpyxl
import pyreadstat
import pytest
from docx import Document
from pypdf import PdfReader
from PySide6.QtCore import QEvent, QObject, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QPushButton,
    QTabWidget,
    QWidget,
)

import engine
from clcd_gui.app import make_window
from clcd_gui.run.running import SelectingState
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.wording.text import NO_BREAK
from engine.reporting.export_formats import export_formats
from engine.table.variable import Role
from tests.gui.test_column_page import drag, press, settle
from tests.gui.test_export_actions import AnsweringExportDialogs
from tests.gui.test_import_page import button
from tests.gui.test_journey import click
from tests.gui.test_knowledge import type_into
from tests.gui.test_preferred import prefer
from tests.gui.test_report_page import export, wait_for_preview
from tests.gui.test_selection_export import ask, write

pytestmark = [pytest.mark.searches_anew, pytest.mark.long]

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


PROJECT = Path(__file__).resolve().parents[2]
# All are long: the clinician of test_three_people.py is the short form, and others make steps one by one.
# Numbers with commas are read and cut in test_import_page.py and test_column_page.py, a smaller table comes
# about by the wish of a person in test_preferred.py and is written in test_selection_export.py, projects are
# opened again in test_projects.py, and scripts run in test_script.py.
SCALE = "QT_SCALE_FACTOR"


@pytest.fixture(params=["Light", "Dark"])
def looks(request: pytest.FixtureRequest, window: MainWindow) -> None:
    """Choose the colours in the menu; nothing in a journey needs a larger window."""
    assert (window.width(), window.height()) == (1024, 700)
    assert window.devicePixelRatio() == float(os.environ.get(SCALE, "1"))
    next(
        action for action in window.commands.actions.schemes.actions() if action.text() == request.param
    ).trigger()


def test_all_on_a_screen_with_twice_as_many_points() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "--long", "-k", "Dark", __file__]
    environment = os.environ | {SCALE: "2"}
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def show_tab(tabs: QTabWidget, widget: QWidget) -> None:
    bar = tabs.tabBar()
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(tabs.indexOf(widget)).center())
    assert tabs.currentWidget() is widget


def write_over(box: QLineEdit, text: str) -> None:
    """Write something else into a field."""
    QTest.mouseClick(box, LEFT)
    QTest.keyClick(box, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(box, text)


def write_into_cell(table: QAbstractItemView, row: int, column: int, text: str) -> None:
    # The table has its place once it was laid out.
    QApplication.processEvents()
    place = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=place)
    QTest.keyClick(table, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    write_over(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    # What was written is taken over once the key was.
    QApplication.processEvents()
    assert table.model().index(row, column).data() == text


def has_button(parent: QWidget, text: str) -> bool:
    return any(button.text() == text for button in parent.findChildren(QPushButton))


def find(window: MainWindow, name: str) -> QWidget:
    """Look for a column by keys, and return the list in which it is chosen."""
    page = window.page("data")
    QTest.keyClick(window, Qt.Key.Key_F, CONTROL)
    QTest.keyClick(page.tools.filter, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(page.tools.filter, name)
    QTest.keyClick(page.tools.filter, Qt.Key.Key_Down)
    while page.columns.selected_names() != [name]:
        row = page.columns.currentIndex().row()
        QTest.keyClick(page.columns, Qt.Key.Key_Down)
        assert page.columns.currentIndex().row() > row, f"{name} is listed"
    return page.columns


def choose(box: QComboBox, wanted: object) -> None:
    """Choose from a list by keys."""
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    while box.currentData() != wanted:
        place = box.currentIndex()
        QTest.keyClick(box, Qt.Key.Key_Down)
        assert box.currentIndex() > place, f"{wanted} is offered"


def look_at(window: MainWindow, dialogs, qtbot, path: Path) -> None:
    """Choose a file by the button of the start page, and wait for what is in doubt."""
    dialogs.table = path
    with qtbot.waitSignal(window.session.opening.previewed, timeout=60_000):
        click(window.start_page.primary)
    assert window.pages.currentWidget() is window.import_page


def open_it(window: MainWindow, qtbot) -> None:
    with qtbot.waitSignal(window.session.opening.opened, timeout=60_000):
        click(window.import_page.primary)
    assert window.page("data").isVisible()


def run(window: MainWindow, qtbot) -> None:
    with qtbot.waitSignal(window.session.running.finished, timeout=180_000):
        QTest.keyClick(window, Qt.Key.Key_R, CONTROL)
    qtbot.waitUntil(lambda: window.page("results").is_filled)


def activate(window: MainWindow, qtbot) -> None:
    """Give the keys back after a dialog, as the manager of a real screen does."""
    with qtbot.waitActive(window):
        window.activateWindow()


def go(window: MainWindow, step: str) -> None:
    QTest.mouseClick(window.rail.button(step), LEFT)
    assert window.page(step).isVisible()


def is_at_rest(widget: QWidget) -> bool:
    """Tell whether something that nobody touches stays as large as it is."""

    class Counter(QObject):
        resized = 0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            self.resized += event.type() is QEvent.Type.Resize
            return False

    counter = Counter()
    widget.installEventFilter(counter)
    QTest.qWait(200)
    widget.removeEventFilter(counter)
    return counter.resized < 3


def give_report(window: MainWindow, qtbot, folder: Path, names: set[str]) -> tuple[Path, ...]:
    """Look at the report once it tells sizes, and write files of it."""
    go(window, "report")
    document, page = window.session.document, window.page("report")
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=120_000)
    wait_for_preview(page, qtbot)
    assert is_at_rest(page.preview.viewport())
    return export(page, folder, names, qtbot)


@pytest.mark.usefixtures("looks")
def test_measurements_with_decimal_commas_become_an_outcome_and_a_pdf(
    window: MainWindow, dialogs, qtbot, shared_data: Path, tmp_path: Path
) -> None:
    look_at(window, dialogs, qtbot, shared_data / "messy" / "AirQualityUCI_semicolon_decimalcomma.csv.gz")
    # -200 stands for what was not measured; the page says so, and shows where.
    page = window.import_page
    about = next(row for row in page.doubts.rows if has_button(row, "Read -200 as a value"))
    QTest.mouseClick(button(about, "Show"), LEFT)
    assert page.view.currentIndex().data() == "-200"
    open_it(window, qtbot)
    document, data = window.session.document, window.page("data")
    dataset = document.analysis.dataset
    assert dataset.row_count == 9357 and dataset.missing_count("CO(GT)") == 1683
    assert np.nanmin(dataset.column("T")) == -1.9 and np.nanmax(dataset.column("T")) == 44.6

    # Benzene above a limit becomes what is to be explained.
    for name in ("V1", "Time"):
        QTest.keyClick(find(window, name), Qt.Key.Key_I)
    QTest.keyClick(find(window, "C6H6(GT)"), Qt.Key.Key_Return)
    column = data.column
    settle(column, qtbot)
    QTest.mouseClick(button(column.cut, "Halves"), LEFT)
    drag(column, 15.0)
    (point,) = column.histogram.cuts
    assert point == pytest.approx(15, abs=0.6)
    for row, level in enumerate(("low", "high")):
        write_into_cell(column.cut.table, row, 0, level)
    QTest.keyClick(column.cut.as_label, Qt.Key.Key_Space)
    press(column.cut.apply)
    settle(column, qtbot)
    benzene = dataset.column("C6H6(GT)")
    cut = document.analysis.dataset
    assert (cut.labels, cut.variable("C6H6(GT)").levels) == (("C6H6(GT)",), ("low", "high"))
    assert (cut.column("C6H6(GT)") == 1).sum() == (benzene > point).sum()

    run(window, qtbot)
    # The sensor that is made for hydrocarbons is among what was found.
    assert "PT08.S2(NMHC)" in document.result.label_sets
    (pdf,) = give_report(window, qtbot, tmp_path / "out", {"report-pdf"})
    text = " ".join(" ".join(pdf_page.extract_text() for pdf_page in PdfReader(pdf).pages).split())
    assert "9 357 rows" in text.replace(NO_BREAK, " ").replace(",", " ") and "PT08.S2(NMHC)" in text
    assert "is cut at" in text, "the report says how the outcome was made"


@pytest.mark.usefixtures("looks")
def test_emotions_with_another_variable_become_a_smaller_table(
    window: MainWindow, dialogs, qtbot, shared_data: Path, tmp_path: Path
) -> None:
    dialogs.table = shared_data / "emotions" / "emotions.arff"
    with qtbot.waitSignal(window.session.opening.opened, timeout=60_000):
        click(window.start_page.primary)
    click(window.page("data").primary)
    # Of Emotions' numbers none is like another; of their halves, some are.
    go(window, "method")
    choose(window.page("method").preparation.editor("discretise"), "quantile")
    run(window, qtbot)
    document, page = window.session.document, window.page("results")

    def select() -> None:
        go(window, "selection")
        qtbot.waitUntil(lambda: window.session.selecting.state is SelectingState.DONE, timeout=120_000)

    select()
    findings, plain = document.result.counted_findings, document.feature_selection
    inside, outside = next(
        (finding.feature, equivalent)
        for finding in findings.label_specific
        for equivalent in findings.not_told_apart_one_for_one(finding.feature)
        if plain.labels_of(finding.feature) == finding.labels and equivalent not in plain.features
    )
    go(window, "results")
    show_tab(page.tabs, page.label_specific)
    prefer(page.label_specific.table, inside, outside)
    select()
    chosen = document.feature_selection
    assert outside in chosen.features and inside not in chosen.features
    (reason,) = chosen.reasons[outside]
    assert reason.is_assumed and reason.stands_for == (inside,)
    written = write(window, qtbot, ask(window, tmp_path / "reduced"))
    arff = next(path for path in written if path.suffix == ".arff")
    again = engine.read_dataset(arff)
    assert set(again.features) == set(chosen.features) and set(again.labels) == set(chosen.dataset.labels)
    original = engine.read_dataset(dialogs.table)
    assert again.row_count == original.row_count == 593
    for name in chosen.features:
        assert again.column(name).tolist() == original.column(name).tolist()
    # Taken back, the first one is selected.
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: document.feature_selection is not None, timeout=60_000)
    assert inside in document.feature_selection.features
    document.undo_stack.redo()
    # The window reads it again, too, with the labels that the file beside it names.
    activate(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_W, CONTROL)
    dialogs.table = arff
    with qtbot.waitSignal(window.session.opening.opened, timeout=60_000):
        click(window.start_page.primary)
    assert set(document.analysis.dataset.names) == set(again.names)


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SPSS: numbers that stand for words, and a question as the name of each column."""
    path = tmp_path_factory.mktemp("spss") / "survey.sav"
    frame = engine.simulate(labels=2, features=8, rows=300, seed=6).dataset.frame.astype(int)
    frame = frame.rename(columns={"L1": "lbl_asthma", "L2": "lbl_allergy"})
    words = {name: {code: f"answer {code}" for code in sorted(set(frame[name]))} for name in frame}
    words |= {name: {0: "no", 1: "yes"} for name in ("lbl_asthma", "lbl_allergy")}
    pyreadstat.write_sav(
        frame,
        str(path),
        variable_value_labels=words,
        column_labels={name: f"Question {number}" for number, name in enumerate(frame, start=1)},
    )
    return path


@pytest.mark.usefixtures("looks")
def test_a_survey_of_spss_is_run_twice_and_compared_and_becomes_a_document(
    window: MainWindow, dialogs, qtbot, survey: Path, tmp_path: Path
) -> None:
    dialogs.table = survey
    with qtbot.waitSignal(window.session.opening.opened, timeout=60_000):
        click(window.start_page.primary)
    document, data = window.session.document, window.page("data")
    assert document.analysis.dataset.variable("lbl_asthma").levels == ("no", "yes")
    assert document.analysis.dataset.variable("F3").levels == ("answer 0", "answer 1", "answer 2")
    click(data.tools.by_name)
    QTest.keyClicks(data.names.text, "lbl_*")
    click(data.names.buttons[Role.LABEL])
    assert document.analysis.dataset.labels == ("lbl_asthma", "lbl_allergy")

    # Results follow small changes of themselves; here each run is asked for.
    go(window, "method")
    for level in ("0.001", "0.2"):
        go(window, "method")
        line = window.page("method").search.editor("alpha")
        write_over(line, level)
        QTest.keyClick(line, Qt.Key.Key_Return)
        run(window, qtbot)
    strict, lenient = document.history.runs
    go(window, "runs")
    view = window.page("runs").comparison
    qtbot.waitUntil(lambda: view.is_filled)
    assert (view.first.currentText(), view.second.currentText()) == ("α 0.001", "α 0.2")
    assert "Significance level (α) is 0.001 in “α 0.001” and 0.2 in “α 0.2”." in view.overview.toPlainText()
    came = set(lenient.result.total_label_sets) - set(strict.result.total_label_sets)
    choose(view.filter, "came")
    qtbot.waitUntil(lambda: view.is_filled)
    assert {finding.feature for finding in view.table.model.findings} == came != set()

    (word,) = give_report(window, qtbot, tmp_path / "out", {"report-word"})
    written = Document(str(word))
    text = " ".join(paragraph.text for paragraph in written.paragraphs)
    cells = {cell.text for table in written.tables for row in table.rows for cell in row.cells}
    assert "lbl_asthma" in text and written.inline_shapes
    assert set(lenient.result.total_label_sets) <= cells, "it is the report of the run that is shown"


@pytest.fixture(scope="module")
def workbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cases are on the second sheet, below two lines of remarks; some are to be left out."""
    frame = engine.simulate(labels=2, features=8, rows=330, seed=6).dataset.frame
    frame["F3"] = ["none" if dose == "0" else f"dose {dose}" for dose in frame["F3"].astype(str)]
    frame["visit"] = [1 + row % 11 for row in range(len(frame))]
    book = openpyxl.Workbook()
    book.active.title = "remarks"
    for line in (("who", "when"), ("a", 1), ("b", 2)):
        book.active.append(line)
    cases = book.create_sheet("cases")
    for line in (("Ward 7, all cases",), (), tuple(frame)):
        cases.append(line)
    for line in frame.itertuples(index=False):
        cases.append([int(code) if str(code).isdigit() else code for code in line])
    path = tmp_path_factory.mktemp("excel") / "ward.xlsx"
    book.save(path)
    return path


@pytest.fixture
def elsewhere(qapp: QApplication, qtbot, dialogs, tmp_path: Path) -> Iterator[MainWindow]:
    """A window that knows nothing of the first one, as on another computer."""
    new_window = make_window(
        qapp, QSettings(str(tmp_path / "elsewhere.ini"), QSettings.Format.IniFormat), dialogs
    )
    new_window.resize(1024, 700)
    yield new_window
    new_window.close()
    new_window.deleteLater()


@pytest.mark.usefixtures("looks")
def test_a_workbook_is_worked_on_saved_opened_elsewhere_and_made_again_by_its_script(
    window: MainWindow, elsewhere: MainWindow, dialogs, qtbot, workbook: Path, tmp_path: Path
) -> None:
    look_at(window, dialogs, qtbot, workbook)
    with qtbot.waitSignal(window.session.opening.previewed):
        choose(window.import_page.form.editor("sheet"), "cases")
    open_it(window, qtbot)
    document, data = window.session.document, window.page("data")
    assert document.analysis.dataset.row_count == 330
    for name in ("L1", "L2"):
        QTest.keyClick(find(window, name), Qt.Key.Key_L)

    # Rows are filtered, categories merged, a tier said.
    show_tab(data.tabs, data.steps)
    with qtbot.waitSignal(window.session.steps.counted):
        QTest.keyClicks(data.steps.condition, "visit < 11")
    # Names were offered in a window of their own.
    activate(window, qtbot)
    press(data.steps.keep)
    assert document.analysis.dataset.row_count == 300
    QTest.keyClick(find(window, "visit"), Qt.Key.Key_I)
    QTest.keyClick(find(window, "F3"), Qt.Key.Key_Return)
    settle(data.column, qtbot)
    levels = data.column.levels
    for row in range(levels.table.rowCount()):
        if levels.table.item(row, 0).text().startswith("dose"):
            write_into_cell(levels.table, row, 1, "some")
    press(levels.apply)
    settle(data.column, qtbot)
    assert set(document.analysis.dataset.variable("F3").levels) == {"none", "some"}
    show_tab(data.tabs, data.knowledge)
    type_into(data.knowledge.patterns[1], "F1")
    type_into(data.knowledge.patterns[2], "L1, L2")
    run(window, qtbot)
    go(window, "results")
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=120_000)
    qtbot.waitUntil(lambda: not window.session.controller.sizes.is_busy, timeout=120_000)
    before = tables_of(window, qtbot)
    assert document.result.knowledge is not None and len(before) > 3

    dialogs.project = tmp_path / "here" / "study.clcd"
    dialogs.project.parent.mkdir()
    with qtbot.waitSignal(window.session.saving.saved, timeout=60_000):
        QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    there = tmp_path / "there" / "copy.clcd"
    there.parent.mkdir()
    shutil.copy(dialogs.project, there)

    # Opened in another folder by a window that never saw it, it is the same.
    window.hide()
    with qtbot.waitActive(elsewhere):
        elsewhere.show()
    dialogs.table = there
    with qtbot.waitSignal(elsewhere.session.opening.opened, timeout=60_000):
        click(elsewhere.start_page.primary)
    again = elsewhere.session.document
    qtbot.waitUntil(lambda: elsewhere.page("results").is_filled)
    qtbot.waitUntil(lambda: again.result.effects is not None, timeout=120_000)
    assert tables_of(elsewhere, qtbot) == before
    assert not again.is_modified and again.stale_reason is None

    # What it exports is what its script makes.
    (script,) = give_report(elsewhere, qtbot, tmp_path / "script", {"script"})
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    finished = subprocess.run(
        [sys.executable, str(script)], cwd=there.parent, env=environment, capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stderr
    go(elsewhere, "results")
    exports = elsewhere.page("results").export_actions
    exports.dialogs = AnsweringExportDialogs(tmp_path)
    for name in ("common", "label-specific", "directions", "effects"):
        with qtbot.waitSignal(exports.written, timeout=60_000) as signal:
            exports.actions_by_name[name].trigger()
        ((path,),) = signal.args
        same = there.parent / "again" / export_formats()[name].file_name
        assert same.read_bytes() == path.read_bytes(), name


def tables_of(window: MainWindow, qtbot) -> list[list[str]]:
    """Return what stands in the tables of the results."""
    page = window.page("results")
    cells = []
    for panel in (page.common, page.label_specific):
        show_tab(page.tabs, panel)
        qtbot.waitUntil(lambda: page.is_filled)
        model = panel.model
        rows, columns = range(model.rowCount()), range(model.columnCount())
        cells += [[str(model.index(row, column).data()) for column in columns] for row in rows]
    return cells
