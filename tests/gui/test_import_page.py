"""The page of a file before it is opened: what is in doubt is seen, changed and not asked about again."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import openpyxl
import pandas
import pyreadstat
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

from clcd_gui.data.import_page import ImportPage, ReadingForm
from clcd_gui.data.names_panel import NamesPanel
from clcd_gui.document.app_settings import KnownReading, readings_from_text, readings_to_text
from clcd_gui.run import opening, table_reading
from clcd_gui.run.table_reading import ReadingOutcome, look_at_table
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.shell.steps import STEPS
from clcd_gui.widgets.page import Folded
from engine.parameters import parameters_of
from engine.readers.formats import formats
from engine.readers.options import ReadingOptions
from engine.table.variable import Kind, Role
from tests.engine.readers.misshapen_tables import (
    Misshapen,
    code_books,
    genes_in_rows,
    wide_visits,
)
from tests.engine.readers.written_tables import sheets_of_the_same_cases

pytestmark = pytest.mark.usefixtures("reads_in_lasting_processes")

LEFT = Qt.MouseButton.LeftButton
Look = Callable[[Path], ImportPage]


@pytest.fixture
def looked_at(window: MainWindow, qtbot) -> Look:
    """Open a table in which something is in doubt, and wait for its page."""

    def look_at(path: Path) -> ImportPage:
        with qtbot.waitSignal(window.session.opening.previewed):
            window.open_path(path)
        assert window.pages.currentWidget() is window.import_page
        return window.import_page

    return look_at


@pytest.fixture
def air_quality(tmp_path: Path) -> Path:
    """Semicolons, decimal commas, -200 for missing and empty columns at the end."""
    lines = ["day;lbl_co;lbl_nox;humid;;"]
    for row in range(60):
        nox = "-200" if row % 7 == 3 else f"{100 + row},5"
        co = "-200" if row % 9 == 4 else f"{1 + row / 10:.1f}".replace(".", ",")
        lines.append(f"{row};{co};{nox};{40 + row % 13},25;;")
    path = tmp_path / "air.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    """A preamble on the second of two sheets that hold tables."""
    book = openpyxl.Workbook()
    first = book.active
    first.title = "notes"
    for row in (("who", "when"), ("a", 1), ("b", 2)):
        first.append(row)
    second = book.create_sheet("cases")
    for row in (("Ward 7, all cases",), (), ("age", "dose", "ill")):
        second.append(row)
    for row in range(30):
        second.append((20 + row, row / 4, "yes" if row % 3 else "no"))
    path = tmp_path / "ward.xlsx"
    book.save(path)
    return path


def button(parent: QWidget, text: str) -> QPushButton:
    return next(button for button in parent.findChildren(QPushButton) if button.text() == text)


def choose(combo: QWidget, text: str) -> None:
    """Choose from a list by the keyboard."""
    assert isinstance(combo, QComboBox)
    combo.setFocus()
    QTest.keyClicks(combo, text)
    if combo.currentText() != text:
        combo.setCurrentText(text)
    combo.activated.emit(combo.currentIndex())


def changed(window: MainWindow, qtbot, change: Callable[[], object]) -> None:
    with qtbot.waitSignal(window.session.opening.previewed):
        change()


def open_it(window: MainWindow, qtbot) -> None:
    with qtbot.waitSignal(window.session.opening.opened):
        QTest.mouseClick(window.import_page.primary, LEFT)


OTHERS = [step.name for step in STEPS if step.name != "data"]


def standings(window: MainWindow) -> dict[str, list[str]]:
    """Which steps the rail says stand how."""
    steps: dict[str, list[str]] = {}
    for step in STEPS:
        steps.setdefault(window.rail.button(step.name).accessibleDescription(), []).append(step.name)
    return steps


def test_what_is_in_doubt_is_numbered_and_leads_to_the_cell(
    looked_at: Look, window: MainWindow, qtbot, air_quality: Path
) -> None:
    page = looked_at(air_quality)
    assert page.side.tabText(0) == "Doubts (1)"
    assert page.model.headerData(1, Qt.Orientation.Horizontal) == "lbl_co\nnumbers"
    assert page.model.headerData(5, Qt.Orientation.Horizontal) == "6\nleft out"
    QTest.mouseClick(button(page.doubts.rows[0], "Show"), LEFT)
    index = page.view.currentIndex()
    assert index.data() == "-200"
    assert index.data(Qt.ItemDataRole.FontRole).strikeOut()
    assert "missing" in index.data(Qt.ItemDataRole.ToolTipRole)
    as_value = button(page.doubts.rows[0], "Read -200 as a value")
    changed(window, qtbot, lambda: QTest.mouseClick(as_value, LEFT))
    assert page.side.tabText(0) == "Doubts"
    open_it(window, qtbot)
    dataset = window.session.document.analysis.dataset
    assert dataset.names == ("day", "lbl_co", "lbl_nox", "humid")
    assert dataset.missing_count("lbl_co") == 0
    assert dataset.column("lbl_co").min() == -200


def test_labels_by_pattern_survive_opening_and_are_remembered(
    looked_at: Look, window: MainWindow, qtbot, air_quality: Path
) -> None:
    page = looked_at(air_quality)
    page.side.setCurrentIndex(1)
    QTest.keyClicks(page.names.text, "lbl_*")
    assert "2 columns" in page.names.found.text()
    QTest.mouseClick(page.names.buttons[Role.LABEL], LEFT)
    open_it(window, qtbot)
    dataset = window.session.document.analysis.dataset
    assert dataset.labels == ("lbl_co", "lbl_nox")
    assert dataset.missing_count("lbl_co") == 7
    QTest.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    previews: list[object] = []
    window.session.opening.previewed.connect(previews.append)
    with qtbot.waitSignal(window.session.opening.opened):
        window.open_path(air_quality)
    assert not previews, "a known good file opens at once"
    assert window.session.document.analysis.dataset.labels == ("lbl_co", "lbl_nox")
    air_quality.write_text(air_quality.read_text() + "60;1,5;3,5;40,25;;\n")
    with qtbot.waitSignal(window.session.opening.previewed):
        window.open_path(air_quality)


def test_second_sheet_with_a_preamble(looked_at: Look, window: MainWindow, qtbot, workbook: Path) -> None:
    page = looked_at(workbook)
    assert page.side.tabText(0) == "Doubts (1)"
    changed(window, qtbot, lambda: choose(page.form.editor("sheet"), "cases"))
    assert page.model.index(0, 0).data(Qt.ItemDataRole.FontRole).italic(), "the title is skipped"
    assert page.model.index(2, 0).data(Qt.ItemDataRole.FontRole).bold(), "the names are not data"
    assert page.model.headerData(2, Qt.Orientation.Horizontal) == "ill\nevent yes"
    open_it(window, qtbot)
    dataset = window.session.document.analysis.dataset
    assert (dataset.names, dataset.row_count) == (("age", "dose", "ill"), 30)


def test_a_file_that_cannot_be_read_shows_the_row_and_what_helps(
    looked_at: Look, window: MainWindow, qtbot, tmp_path: Path
) -> None:
    path = tmp_path / "ragged.csv"
    path.write_text("a,b,c\n" + "1,2,3\n" * 20 + "4,5\n" + "1,2,3\n", encoding="utf-8")
    page = looked_at(path)
    assert not page.primary.isEnabled()
    assert page.reason.text() == "The file cannot be read in this way"
    QTest.mouseClick(button(page.doubts.rows[0], "Show"), LEFT)
    assert page.model.line(page.view.currentIndex().row()) == 22
    leave_out = button(page.doubts.rows[0], "Rows of another length: leave out the rows")
    changed(window, qtbot, lambda: QTest.mouseClick(leave_out, LEFT))
    assert page.primary.isEnabled()
    open_it(window, qtbot)
    assert window.session.document.analysis.dataset.row_count == 21


def test_types_by_menu_and_roles_by_key(looked_at: Look, window: MainWindow, qtbot, workbook: Path) -> None:
    page = looked_at(workbook)
    changed(window, qtbot, lambda: choose(page.form.editor("sheet"), "cases"))
    page.view.setFocus()
    page.view.setCurrentIndex(page.model.index(4, 0))
    menu = page.view.menu()
    by_text = {action.text(): action for action in menu.actions()}
    changed(window, qtbot, by_text["Read as categories"].trigger)
    menu.close()
    assert page.model.headerData(0, Qt.Orientation.Horizontal) == "age\ncategories"
    page.view.setCurrentIndex(page.model.index(4, 2))
    QTest.keyClick(page.view, Qt.Key.Key_L)
    open_it(window, qtbot)
    dataset = window.session.document.analysis.dataset
    assert dataset.labels == ("ill",)
    assert dataset.variable("age").kind is Kind.NOMINAL


def test_cancel_leaves_everything_as_it_was(
    opened: Callable[[Path], MainWindow], looked_at: Look, small_table: Path, air_quality: Path
) -> None:
    window = opened(small_table)
    window.session.document.set_labels(["ill"])
    window.session.document.mark_saved(None, window.session.document.state)
    window.go("method")
    assert window.run_bar.figures.text().startswith("40 rows")
    page = looked_at(air_quality)
    # The size below would be taken for that of the file that is looked at.
    assert not window.run_bar.figures.text()
    assert standings(window) == {"check the file": ["data"], "of the open table": OTHERS}
    QTest.mouseClick(page.cancel, LEFT)
    assert window.run_bar.figures.text().startswith("40 rows")
    assert window.page("method").isVisible()
    assert window.rail.button("data").accessibleDescription() == "1 label"
    assert window.rail.button("method").accessibleDescription() == "ready"
    assert window.session.document.analysis.dataset.labels == ("ill",)


def test_steps_wait_while_the_first_file_is_looked_at(
    looked_at: Look, window: MainWindow, qtbot, air_quality: Path
) -> None:
    looked_at(air_quality)
    assert standings(window) == {"check the file": ["data"], "waits for a table": OTHERS}
    open_it(window, qtbot)
    assert window.rail.button("data").accessibleDescription() == "choose labels"


def test_columns_of_the_file_grow_with_the_text(
    looked_at: Look, window: MainWindow, qtbot, air_quality: Path
) -> None:
    rows = looked_at(air_quality).view
    usual = [rows.columnWidth(column) for column in range(4)]
    window.theme.set_zoom(1.5)
    qtbot.waitUntil(lambda: all(rows.columnWidth(column) > 1.2 * usual[column] for column in range(4)))
    window.theme.set_zoom(1.0)
    qtbot.waitUntil(lambda: [rows.columnWidth(column) for column in range(4)] == usual)


def test_one_row_is_spoken_of_as_one(looked_at: Look, window: MainWindow, qtbot, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("a,b\nc,d\n", encoding="utf-8")
    page = looked_at(path)
    assert page.subtitle.text().endswith("2 columns · its one row, unchanged")


def test_a_file_without_a_doubt_opens_at_once(
    opened: Callable[[Path], MainWindow], small_table: Path
) -> None:
    window = opened(small_table)
    assert window.page("data").isVisible()
    assert window.session.opening.preview is None
    assert not window.settings.known_readings


def test_nothing_is_offered_that_says_nothing_about_a_file(qtbot) -> None:
    # It would be refused when the file is opened.
    form = ReadingForm()
    qtbot.addWidget(form)
    names = {parameter.name for parameter in parameters_of(ReadingOptions)} - {"categories", "numbers"}
    for name, described in formats().items():
        form.set_reading(name, ReadingOptions(), ())
        offered = {name for name in names if not form.editor(name).parentWidget().isHidden()}
        assert offered <= set(described.options), name
        assert offered or not {"missing_codes", "encoding"} & set(described.options), name


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the library may end in other ways")
def test_a_file_that_ends_what_reads_it_leaves_the_window_open(
    window: MainWindow, qtbot, tmp_path: Path
) -> None:
    """A number of a file of SPSS with names for its values, which says of itself that it is a text."""
    path = tmp_path / "damaged.sav"
    frame = pandas.DataFrame({"group": [1.0, 2.0, 1.0]})
    pyreadstat.write_sav(frame, path, variable_value_labels={"group": {1.0: "low", 2.0: "high"}})
    content = bytearray(path.read_bytes())
    content[180] = 2
    path.write_bytes(content)
    with qtbot.waitSignal(window.session.opening.failed, timeout=20_000) as failed:
        window.open_path(path)
    assert "damaged" in failed.args[0].message


def test_roles_given_to_a_file_that_was_put_away_are_not_kept_for_the_next_look(
    looked_at: Look, air_quality: Path
) -> None:
    for _ in range(2):
        page = looked_at(air_quality)
        assert page.names.text.toPlainText() == ""
        assert page.side.tabText(1) == "Roles"
        page.names.text.setPlainText("lbl_*")
        page.names.buttons[Role.LABEL].click()
        assert page.side.tabText(1) == "Roles (2 labels)"
        page.cancel.click()


@pytest.fixture
def events_in_doubt(tmp_path: Path) -> Path:
    """Two-valued columns, with an event that their names tell and without, in a file that is asked about."""
    lines = ["ill;copd;sex;dose;;"]
    for row in range(60):
        ill, copd, sex = ("ja", "nein")[row % 2], (1, 2)[row % 3 == 0], ("f", "m")[row % 5 < 2]
        dose = "-200" if row % 7 == 3 else f"{100 + row},5"
        lines.append(f"{ill};{copd};{sex};{dose};;")
    path = tmp_path / "events.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_event_of_two_levels_is_shown_and_chosen_before_the_table_is_opened(
    looked_at, qtbot, events_in_doubt, window
) -> None:
    page = looked_at(events_in_doubt)

    def heading(name: str, role: Qt.ItemDataRole = Qt.ItemDataRole.DisplayRole) -> str:
        return page.model.headerData(page.model.column_of(name), Qt.Orientation.Horizontal, role)

    tip = Qt.ItemDataRole.ToolTipRole
    assert heading("ill") == "ill\nevent ja"
    assert "“ja” is the event by the names of the levels." in heading("ill", tip)
    assert heading("copd") == "copd\nevent not chosen"
    assert "is not known" in heading("copd", tip)
    page.view.select_names(["copd"])
    menu = page.view.menu()
    titles = [action.text() for action in menu.actions()]
    assert {"Count “1” as the event", "Count “2” as the event"} <= set(titles)
    menu.actions()[titles.index("Count “1” as the event")].trigger()
    menu.close()
    assert heading("copd") == "copd\nevent 1"
    assert "“1” was chosen." in heading("copd", tip)
    page.view.select_names(["ill", "copd"])
    assert page.model.levels_of(page.view.selected_names()) == ()
    with qtbot.waitSignal(window.session.opening.opened):
        page.primary.click()
    document = window.session.document

    def events() -> dict[str, str | None]:
        return {variable.name: variable.event for variable in document.analysis.dataset.variables}

    assert (events()["ill"], events()["copd"], events()["sex"]) == ("ja", "1", None)
    with qtbot.waitSignal(window.session.opening.previewed):
        window.session.opening.look_again()
    assert heading("copd") == "copd\nevent 1", "the chosen event is that of the open table"
    page.cancel.click()
    window.workspace.files.close()
    # The file is known now, and nothing is asked again.
    with qtbot.waitSignal(window.session.opening.opened):
        window.open_path(events_in_doubt)
    assert events()["copd"] == "1"


def test_a_table_that_is_read_as_last_time_says_so_and_can_be_read_afresh(
    looked_at: Look, window: MainWindow, qtbot, air_quality: Path
) -> None:
    looked_at(air_quality)
    open_it(window, qtbot)
    notice = window.page("data").notice
    assert "last" not in notice.text, "nothing was read as before yet"
    window.workspace.files.close()
    with qtbot.waitSignal(window.session.opening.opened):
        window.open_path(air_quality)
    assert "with the choices that you made when you last opened it" in notice.text
    with qtbot.waitSignal(window.session.opening.previewed):
        button(notice, "Read it without my choices").click()
    assert window.pages.currentWidget() is window.import_page
    assert not window.settings.known_readings


def test_a_reading_that_was_kept_before_events_could_be_chosen_is_still_known() -> None:
    kept = '{"a1": {"options": {"delimiter": ";"}, "roles": {"ill": "label"}}}'
    assert readings_from_text(kept) == {
        "a1": KnownReading(ReadingOptions(delimiter=";"), {"ill": Role.LABEL})
    }
    chosen = {"b2": KnownReading(events={"copd": "1"})}
    assert readings_from_text(readings_to_text(chosen)) == chosen


def test_a_column_of_several_answers_can_be_read_as_a_column_for_each(
    looked_at: Look, window: MainWindow, qtbot, tmp_path: Path
) -> None:
    path = tmp_path / "answers.csv"
    cells = ("pain cough", "cough", "pain", "none")
    path.write_text("stress,symptoms\n" + "".join(f"{row}.5,{cells[row % 4]}\n" for row in range(120)))
    page = looked_at(path)
    remedy = button(page.doubts.rows[0], "Split “symptoms” by answer")
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: page.doubts.widget().width() <= page.doubts.viewport().width(), timeout=5000)
    changed(window, qtbot, lambda: QTest.mouseClick(remedy, LEFT))
    assert page.model.headerData(1, Qt.Orientation.Horizontal) == "symptoms\nother columns"
    assert page.model.index(1, 1).data() == "pain cough"
    assert "symptoms" in page.model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert not page.model.levels_of(["symptoms"])
    open_it(window, qtbot)
    names = window.session.document.analysis.dataset.names
    assert {"symptoms: pain", "symptoms: cough"} < set(names)
    assert "symptoms" not in names
    notes = [note.message for note in window.session.document.analysis.dataset.notes]
    new_columns = "'symptoms: cough' and 'symptoms: pain'"
    assert f"Column 'symptoms' is read as a column for each answer: {new_columns}." in notes


def test_rows_left_out_at_the_end_of_a_long_table_can_be_kept(
    window: MainWindow, qtbot, tmp_path: Path
) -> None:
    path = tmp_path / "wards.csv"
    rows = [(f"P{row:03d}", 20 + row % 50, row % 7) for row in range(300)]
    total = ("Total", sum(row[1] for row in rows), sum(row[2] for row in rows))
    path.write_text("case,age,dose\n" + "".join(f"{a},{b},{c}\n" for a, b, c in (*rows, total)))
    with qtbot.waitSignal(window.session.opening.opened):
        window.open_path(path)
    assert window.session.document.analysis.dataset.row_count == 300
    changed(window, qtbot, window.session.opening.look_again)
    page = window.import_page
    keep = button(page.doubts.rows[0], "Keep these rows")
    changed(window, qtbot, lambda: QTest.mouseClick(keep, LEFT))
    (turned,) = page.doubts.rows
    assert button(turned, "Leave these rows out")
    open_it(window, qtbot)
    assert window.session.document.analysis.dataset.row_count == 301


@pytest.mark.parametrize(
    ("maker", "text"),
    [
        (genes_in_rows, "Turn rows and columns"),
        (wide_visits, "Read each visit as a row"),
        (code_books, "Use the words of sheet “{code_book}”"),
        (sheets_of_the_same_cases, "Join sheet “{second_sheet}”"),
    ],
)
def test_a_table_of_another_shape_is_put_right_by_one_click(
    maker: Callable[[np.random.Generator, Path], Misshapen],
    text: str,
    looked_at: Look,
    window: MainWindow,
    qtbot,
    tmp_path: Path,
) -> None:
    case = maker(np.random.default_rng(60), tmp_path)
    page = looked_at(case.path)
    remedy = button(page.doubts, text.format(**case.option))
    changed(window, qtbot, lambda: QTest.mouseClick(remedy, LEFT))
    assert not any(
        doubt.option in case.option for doubt in window.session.opening.preview.doubts if doubt.is_serious
    )
    open_it(window, qtbot)
    assert window.session.document.analysis.dataset.names == case.names


def test_rows_that_a_filter_hides_do_not_look_like_names(
    looked_at: Look, window: MainWindow, tmp_path: Path
) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (("age", "ill"), *((20 + row, "yes" if row % 3 else "no") for row in range(30))):
        sheet.append(row)
    sheet.auto_filter.ref = "A1:B31"
    for row in (2, 3, 4, 9):
        sheet.row_dimensions[row].hidden = True
    book.save(tmp_path / "filtered.xlsx")
    page = looked_at(tmp_path / "filtered.xlsx")
    assert page.subtitle.text().endswith("the first 30 rows, unchanged, 4 of them left out")
    model = page.model
    fonts = [model.index(row, 0).data(Qt.ItemDataRole.FontRole) for row in range(10)]
    assert [row + 1 for row, font in enumerate(fonts) if font is not None and font.bold()] == [1]
    assert [row + 1 for row, font in enumerate(fonts) if font is not None and font.italic()] == [2, 3, 4, 9]


def test_a_card_about_several_columns_says_what_is_common_once_and_no_button_is_cut(
    looked_at: Look, window: MainWindow, tmp_path: Path
) -> None:
    random = np.random.default_rng(2)
    columns = ("monthly income", "weekly hours at work", "pain in the last month")
    frame = pandas.DataFrame({name: random.integers(0, 40, 200) for name in columns})
    for name in columns:
        frame.loc[random.choice(200, 20, replace=False), name] = random.choice([-9, -8, -2, -1], 20)
    frame["first remark"] = frame["last remark"] = ""
    frame.to_csv(tmp_path / "coded.csv", index=False)
    window.resize(1024, 700)
    card, empty = looked_at(tmp_path / "coded.csv").doubts.rows
    of_both = [f"Column “{name} remark” holds no value." for name in ("first", "last")]
    assert " ".join(of_both) in [label.text() for label in empty.findChildren(QLabel)]
    text = " ".join(label.text() for label in card.findChildren(QLabel))
    assert text.count("If they mean missing") == text.count("outside the range") == 1
    assert all(f"20 times in column “{name}”" in text for name in columns)
    buttons = card.findChildren(QPushButton)
    alone = {f"Read as missing in “{name}” only" for name in columns}
    assert alone <= {button.text() for button in buttons}
    assert [button.text() for button in buttons if button.toolTip()] == []
    one_line = min(button.height() for button in buttons)
    wrapped = [button for button in buttons if button.sizeHint().width() > button.width()]
    assert wrapped and all(button.height() > 1.3 * one_line for button in wrapped)


def test_a_card_says_once_what_holds_for_many_columns_and_folds_their_names(
    looked_at: Look, tmp_path: Path
) -> None:
    levels = ["never", "rarely", "sometimes", "often"]
    frame = pandas.DataFrame({f"F{number:03}": levels * 15 for number in range(30)})
    frame["G1"] = frame["G2"] = ["low", "medium", "high"] * 20
    frame["trust"] = [99, 1, 2, 3, 4] * 12
    frame.to_csv(tmp_path / "survey.csv", index=False)
    (card,) = (row for row in looked_at(tmp_path / "survey.csv").doubts.rows if "order" in row_text(row))
    text = row_text(card)
    assert text.count("never < rarely < sometimes < often") == 1
    assert "Categories with an order: 32 columns" in text
    fold = card.findChild(Folded)
    assert "F017" not in text and not fold.content.isVisible()
    QTest.mouseClick(fold.button, LEFT)
    assert fold.content.isVisible() and "F017" in fold.content.text() and "G2" in fold.content.text()


def test_counts_in_the_first_rows_of_a_large_file_are_said_to_be_theirs(
    looked_at: Look, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = ["trust", *("99" if row % 50 == 0 else str(1 + row % 5) for row in range(3000))]
    (tmp_path / "large.csv").write_text("\n".join(f"{line},x{line}" for line in lines))
    monkeypatch.setattr(table_reading, "is_large", lambda _path: True)
    page = looked_at(tmp_path / "large.csv")
    assert page.doubts.rows
    count = page.model.rowCount() - 1
    assert f"Cells are counted in the first {count:,} rows only." in row_text(page.doubts)


def row_text(card: QWidget) -> str:
    return " ".join(label.text() for label in card.findChildren(QLabel) if not label.isHidden())


def test_answers_about_columns_that_leave_the_table_wait_for_them(
    looked_at: Look, window: MainWindow, qtbot, tmp_path: Path
) -> None:
    levels = ["never", "rarely", "sometimes", "often"]
    frame = pandas.DataFrame(dict.fromkeys(("tired", "sad", "tense"), levels * 15))
    frame["trust"] = [99, 1, 2, 3, 4] * 12
    table = tmp_path / "mood.csv"
    frame.to_csv(table, index=False)
    page = looked_at(table)

    def press(text: str) -> None:
        changed(window, qtbot, lambda: QTest.mouseClick(button(page.doubts, text), LEFT))

    def told() -> str:
        return " ".join(label.text() for label in page.doubts.findChildren(QLabel))

    def look_again() -> None:
        opening = window.session.opening
        changed(window, qtbot, lambda: opening.change(opening.preview.options))

    press("Read 99 as missing in “trust”")
    press("Order the categories of all 3")
    frame.drop(columns=["sad", "trust"]).to_csv(table, index=False)
    look_again()
    assert page.primary.isEnabled() and "has no such column: “sad”." in told()
    press("Undo it in “tense” only")
    frame.to_csv(table, index=False)
    look_again()
    dataset = window.session.opening.preview.reading.dataset
    assert [dataset.variable(name).ordered for name in ("tired", "sad", "tense")] == [True, True, False]
    assert dataset.missing_count("trust") == 12 and "no such column" not in told()
    frame.drop(columns=["sad", "trust"]).to_csv(table, index=False)
    look_again()
    open_it(window, qtbot)
    assert window.session.document.analysis.dataset.names == ("tired", "tense")


def test_a_setting_that_names_no_column_is_told_and_taken_back(
    looked_at: Look, window: MainWindow, qtbot, air_quality: Path
) -> None:
    page = looked_at(air_quality)
    told = replace(window.session.opening.preview.options, numbers=("does",), shape="wide")
    changed(window, qtbot, lambda: window.session.opening.change(told))
    assert not page.primary.isEnabled()
    changed(window, qtbot, lambda: QTest.mouseClick(button(page.doubts, "Read it without changes"), LEFT))
    assert page.primary.isEnabled()
    label = next(
        label for label in page.doubts.findChildren(QLabel) if "no such column: “does”" in label.text()
    )
    changed(window, qtbot, lambda: QTest.mouseClick(button(label.parentWidget(), "Undo it"), LEFT))
    assert window.session.opening.preview.options.numbers is None


def test_a_column_is_shown_where_no_cell_of_the_first_rows_is_in_doubt(
    looked_at: Look, tmp_path: Path
) -> None:
    names = ["dose", *(f"a rather long name {place}" for place in range(8))]
    rows = [[f"{row + place}.5" for place in range(len(names))] for row in range(300)]
    rows[-20][0] = "broken"
    lines = ["A remark above the table", "", *(",".join(cells) for cells in (names, *rows))]
    path = tmp_path / "doses.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    page = looked_at(path)
    (row,) = (row for row in page.doubts.rows if "“broken”" in row.findChildren(QLabel)[1].text())
    QTest.mouseClick(button(row, "Show the column"), LEFT)
    selected = page.view.selectionModel().selectedIndexes()
    assert {index.column() for index in selected} == {0}
    assert min(page.model.line(index.row()) for index in selected) == 4
    assert page.view.horizontalScrollBar().value() == 0


def test_a_file_that_is_read_again_after_a_choice_says_so_and_can_be_stopped(
    looked_at: Look, window: MainWindow, qtbot, air_quality: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, bar = looked_at(air_quality), window.run_bar
    may_end = Event()

    def look_slowly(*arguments: Any) -> ReadingOutcome:
        may_end.wait(60)
        return look_at_table(*arguments)

    monkeypatch.setattr(opening, "look_at_table", look_slowly)
    form = page.form.editor("header")
    choose(form, "No")
    qtbot.waitUntil(bar.stop.isVisible)
    assert bar.activity.text() == "Reading"
    bar.stop.click()
    qtbot.waitUntil(lambda: form.currentText().startswith("Automatic"))
    assert not bar.stop.isVisible() and window.session.opening.wanted.options.header is None
    choose(form, "No")
    qtbot.waitUntil(bar.stop.isVisible)
    with qtbot.waitSignal(window.session.opening.previewed):
        may_end.set()
    assert not bar.stop.isVisible() and form.currentText() == "No"


@pytest.mark.parametrize("width", [150, 800])
def test_no_button_beside_names_of_columns_is_cut(qtbot, width: int) -> None:
    area = QWidget()
    qtbot.addWidget(area)
    panel = NamesPanel()
    panel.setParent(area)
    panel.setGeometry(0, 0, width, 400)
    area.show()

    def are_whole() -> bool:
        return all(
            button.width() >= button.sizeHint().width()
            and button.height() >= button.sizeHint().height()
            and panel.rect().contains(button.geometry())
            for button in panel.buttons.values()
        )

    qtbot.waitUntil(are_whole, timeout=2000)
