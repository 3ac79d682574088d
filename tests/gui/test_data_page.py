"""The page of the table: roles, types, filter, labels of a file, what was guessed, undo, bad files."""

from __future__ import annotations

import gc
import gzip
from collections.abc import Callable
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea
from shiboken6 import isValid

from clcd_gui.data.columns_model import ColumnsModel, Field
from clcd_gui.data.columns_view import ColumnsView
from clcd_gui.document.column_summary import summarise
from clcd_gui.resource_path import resource_path
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.dialogs import table_filter
from engine.readers.formats import formats
from engine.recipe import Recipe
from engine.recipe.column_steps import Describe
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.gui.conftest import open_as_found, settle

pytestmark = pytest.mark.one_window

Open = Callable[[Path], MainWindow]


def roles(window: MainWindow) -> dict[str, Role]:
    return {variable.name: variable.role for variable in window.session.document.analysis.dataset.variables}


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    where = window.rect().center()
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(where), Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    assert window.file_drop.mark.isVisible()
    assert window.file_drop.mark.size() == window.pages.size()
    assert path.name in window.file_drop.caption.text()
    QApplication.sendEvent(window, QDropEvent(QPointF(where), Qt.DropAction.CopyAction, data, buttons, keys))
    assert not window.file_drop.mark.isVisible()


def test_roles_by_click_and_button_with_undo(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    page, view = window.page("data"), window.page("data").columns
    assert not page.tools.buttons[Role.LABEL].isEnabled()
    for row, keys in ((3, Qt.KeyboardModifier.NoModifier), (4, Qt.KeyboardModifier.ControlModifier)):
        place = view.visualRect(view.model().index(row, Field.NAME)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, keys, place)
    assert view.selected_names() == ["ill", "tired"]
    QTest.mouseClick(page.tools.buttons[Role.LABEL], Qt.MouseButton.LeftButton)
    assert window.session.document.analysis.dataset.labels == ("ill", "tired")
    assert page.primary.isEnabled()
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.document.analysis.dataset.labels == ()
    assert not page.primary.isEnabled()
    QTest.keyClick(
        window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert window.session.document.analysis.dataset.labels == ("ill", "tired")


def test_a_table_that_is_closed_takes_no_memory(opened: Open, small_table: Path) -> None:
    def held() -> int:
        gc.collect()
        return sum(type(tracked) is Dataset and tracked.row_count == 40 for tracked in gc.get_objects())

    window = opened(small_table)
    window.page("data")
    assert held()
    window.workspace.files.close()
    settle()
    assert held() == 0


def test_names_of_columns_have_room_with_larger_text(opened: Open, small_table: Path, qtbot) -> None:
    window = opened(small_table)
    window.resize(930, 700)
    view = window.page("data").columns
    usual = view.columnWidth(Field.ROLE)
    preview = window.page("data").preview
    widths = [preview.columnWidth(column) for column in range(preview.model().columnCount())]
    menu_height = window.menuBar().height()
    window.theme.set_zoom(1.5)
    qtbot.waitUntil(lambda: view.columnWidth(Field.ROLE) > 1.3 * usual)
    # Before the rest of the window has larger text, too, the list has more room than it will.
    qtbot.waitUntil(lambda: window.menuBar().height() > 1.2 * menu_height)
    settle()

    def have_room() -> None:
        assert view.horizontalScrollBar().maximum() == 0
        assert view.columnWidth(Field.NAME) > 1.3 * view.columnWidth(Field.VALUES)
        assert view.columnWidth(Field.NAME) > view.columnWidth(Field.SPREAD)
        header = view.horizontalHeader()
        for field in Field:
            text = str(view.model().headerData(field, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole))
            assert header.sectionSize(field) > header.fontMetrics().horizontalAdvance(text) + SPACE, field
        assert all(preview.columnWidth(column) > 1.2 * width for column, width in enumerate(widths))

    qtbot.waitUntil(have_room)
    window.theme.set_zoom(1.0)


def test_roles_by_key_and_menu(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    view = window.page("data").columns
    view.select_name("ill")
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_L)
    assert roles(window)["ill"] is Role.LABEL
    view.select_name("smoker")
    QTest.keyClick(view, Qt.Key.Key_I)
    assert roles(window)["smoker"] is Role.IGNORED
    QTest.keyClick(view, Qt.Key.Key_F)
    assert roles(window)["smoker"] is Role.FEATURE
    menu = view.role_menu()
    action = next(action for action in menu.actions() if action.text().startswith("Ignore"))
    action.trigger()
    menu.close()
    assert len(menu.actions()) == 10
    assert roles(window)["smoker"] is Role.IGNORED
    assert "ignored" in window.page("data").subtitle.text()


@pytest.mark.parametrize("lose", ["filter", "select", "close"])
def test_the_menu_of_columns_goes_where_they_are_no_longer_selected(
    lose: str, opened: Open, small_table: Path, qtbot
) -> None:
    window = opened(small_table)
    page = window.page("data")
    page.columns.select_name("ill")
    menu = page.columns.role_menu()
    if lose == "filter":
        page.tools.filter.setText("no such column")
    elif lose == "select":
        page.columns.select_name("age")
    else:
        window.session.document.close()
    # It is deleted when it closes.
    qtbot.waitUntil(lambda: not isValid(menu), timeout=2000)
    assert page.columns.selected_names() == (["age"] if lose == "select" else [])


def test_labels_by_pattern_with_undo(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    page = window.page("data")
    assert not page.names.isVisible()
    QTest.mouseClick(page.tools.by_name, Qt.MouseButton.LeftButton)
    QTest.keyClicks(page.names.text, "?ll tire*")
    assert "2 columns" in page.names.found.text()
    assert page.names.text.geometry().bottom() < page.names.buttons[Role.LABEL].geometry().top()
    QTest.mouseClick(page.names.buttons[Role.LABEL], Qt.MouseButton.LeftButton)
    assert window.session.document.analysis.dataset.labels == ("ill", "tired")
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.document.analysis.dataset.labels == ()


def test_row_weight_by_click_and_key_with_undo(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    document, view = window.session.document, window.page("data").columns
    view.select_name("dose")
    menu = view.role_menu()
    next(action for action in menu.actions() if action.text().startswith("Row weight")).trigger()
    menu.close()
    assert document.analysis.dataset.weight == "dose"
    assert "weighted by “dose”" in window.page("data").subtitle.text()
    row = window.page("data").columns_model.row_of("dose")
    assert window.page("data").columns_model.index(row, Field.ROLE).data() == "Weight"
    view.select_name("age")
    QTest.keyClick(view, Qt.Key.Key_W)
    assert (roles(window)["age"], roles(window)["dose"]) == (Role.WEIGHT, Role.IGNORED)
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (roles(window)["age"], roles(window)["dose"]) == (Role.FEATURE, Role.WEIGHT)


def test_groups_of_rows_by_click_and_key_with_undo(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    document, view = window.session.document, window.page("data").columns
    view.select_name("dose")
    menu = view.role_menu()
    next(action for action in menu.actions() if action.text().startswith("Groups of rows")).trigger()
    menu.close()
    assert document.analysis.dataset.groups == "dose"
    assert "grouped by “dose”" in window.page("data").subtitle.text()
    row = window.page("data").columns_model.row_of("dose")
    assert window.page("data").columns_model.index(row, Field.ROLE).data() == "Groups"
    view.select_name("smoker")
    QTest.keyClick(view, Qt.Key.Key_G)
    assert (roles(window)["smoker"], roles(window)["dose"]) == (Role.GROUPS, Role.IGNORED)
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (roles(window)["smoker"], roles(window)["dose"]) == (Role.FEATURE, Role.GROUPS)


def test_what_cannot_weigh_rows_is_said(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    view = window.page("data").columns
    view.select_name("smoker")
    QTest.keyClick(view, Qt.Key.Key_W)
    assert "must be numbers" in window.page("data").notice.text
    assert roles(window)["smoker"] is Role.FEATURE
    view.selectAll()
    menu = view.role_menu()
    assert not next(action for action in menu.actions() if action.text().startswith("Row weight")).isEnabled()
    menu.close()


def test_types_by_menu_and_what_cannot_be_a_number(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    page = window.page("data")
    page.columns.kind_requested.emit(["age"], Kind.NOMINAL)
    variable = window.session.document.analysis.dataset.variable("age")
    assert variable.kind is Kind.NOMINAL
    assert variable.levels[:2] == ("20", "21")
    assert window.session.document.summary("age").distinct == 40
    page.columns.kind_requested.emit(["age"], Kind.CONTINUOUS)
    assert list(window.session.document.analysis.dataset.column("age")[:3]) == [20, 21, 22]
    page.columns.kind_requested.emit(["smoker"], Kind.CONTINUOUS)
    assert "“smoker”" in page.notice.text
    assert window.session.document.analysis.dataset.variable("smoker").kind is Kind.NOMINAL


def test_a_column_is_found_by_its_question(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    page, document = window.page("data"), window.session.document
    QTest.keyClicks(page.tools.filter, "did you take")
    assert page.columns_model.rowCount() == 0
    recipe = document.analysis.recipe.with_step(Describe("dose", "mg", "How much did you take?"))
    document.change_recipe(recipe, "describe it")
    page.tools.filter.setText("take you")
    assert page.columns_model.names(range(page.columns_model.rowCount())) == ["dose"]


def test_filter_and_sorting_leave_roles_with_their_columns(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    page = window.page("data")
    QTest.keyClicks(page.tools.filter, "smo")
    assert page.columns_model.rowCount() == 1
    page.columns.selectRow(0)
    QTest.keyClick(page.columns, Qt.Key.Key_L)
    assert roles(window)["smoker"] is Role.LABEL
    page.tools.filter.clear()
    page.columns.sortByColumn(Field.NAME, Qt.SortOrder.DescendingOrder)
    shown = [page.columns_model.index(row, Field.NAME).data() for row in range(5)]
    assert shown == ["tired", "smoker", "ill", "dose", "age"]
    page.columns.sortByColumn(Field.ROLE, Qt.SortOrder.AscendingOrder)
    assert page.columns_model.index(0, Field.NAME).data() == "smoker"
    page.columns.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert page.columns_model.index(0, Field.NAME).data() == "age"


def test_labels_of_a_meka_header_are_offered(opened: Open, shared_data: Path) -> None:
    window = opened(shared_data / "meka" / "Music.arff")
    offer = window.session.document.offer
    assert len(offer.names) == 6
    assert not window.session.document.analysis.dataset.labels
    QTest.mouseClick(window.page("data").primary, Qt.MouseButton.LeftButton)
    assert window.session.document.analysis.dataset.labels == offer.names


def test_the_xml_wins_over_a_stale_header(opened: Open, shared_data: Path) -> None:
    window = opened(shared_data / "medical" / "medical.arff")
    assert len(window.session.document.offer.names) == 45
    assert window.session.document.offer.source == "medical.xml"


def test_labels_from_a_chosen_file(opened: Open, dialogs, qtbot, shared_data: Path, tmp_path: Path) -> None:
    table = tmp_path / "music.arff"
    table.write_bytes((shared_data / "emotions" / "emotions.arff").read_bytes())
    window = opened(table)
    assert window.session.document.offer is None
    assert "press L" in window.page("data").offer_notice.text
    dialogs.labels = shared_data / "emotions" / "emotions.xml"
    with qtbot.waitSignal(window.session.opening.labelled):
        QTest.mouseClick(window.page("data").tools.labels_file, Qt.MouseButton.LeftButton)
    assert len(window.session.document.analysis.dataset.labels) == 6


def test_a_broken_label_file_beside_the_table_is_told(opened: Open, small_table: Path) -> None:
    small_table.with_suffix(".xml").write_text("<labels><label name='ill'/", encoding="utf-8")
    window = opened(small_table)
    assert "small.xml" in window.page("data").notice.text
    assert window.session.document.analysis.dataset.row_count == 40


def test_the_table_can_be_read_otherwise(opened: Open, qtbot, tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    rows = [f"{row},{'-9' if row % 4 else 'x'},{row % 2}" for row in range(20)]
    path.write_text("number,code,ill\n" + "\n".join(rows) + "\n", encoding="utf-8")
    window = opened(path)
    window.session.document.set_labels(["ill"])
    panel = window.page("data").reading
    assert "comma" in panel.summary.text()
    with qtbot.waitSignal(window.session.opening.previewed):
        QTest.mouseClick(panel.change, Qt.MouseButton.LeftButton)
    page = window.import_page
    assert page.isVisible()
    line = page.form.editor("missing_codes")
    line.setFocus()
    QTest.keyClicks(line, "-9")
    with qtbot.waitSignal(window.session.opening.previewed):
        QTest.keyClick(line, Qt.Key.Key_Return)
    with qtbot.waitSignal(window.session.opening.opened):
        QTest.mouseClick(page.primary, Qt.MouseButton.LeftButton)
    assert window.session.document.analysis.dataset.missing_count("code") == 15
    assert roles(window)["ill"] is Role.LABEL, "roles survive reading the same file again"


def test_what_was_guessed_is_told_in_the_height_that_it_takes(opened: Open, qtbot, tmp_path: Path) -> None:
    path = tmp_path / "stations.csv"
    rows = [f"{20 + row % 7},{-999 if row % 5 == 0 else 10 + row % 9},{row % 2}" for row in range(60)]
    path.write_text("warmth,wind,ill\n" + "\n".join(rows) + "\n", encoding="utf-8")
    window = opened(path)
    panel = window.page("data").reading
    panel.unfold()
    area = panel.findChild(QScrollArea)
    text = next(label for label in area.findChildren(QLabel) if label.text().startswith("•"))
    assert "Missing values: -999." in text.text() and "(column “wind”)" in text.text()
    window.resize(1400, 800)
    qtbot.waitUntil(lambda: area.height() <= text.heightForWidth(text.width()) + 2 * SPACE)
    assert area.verticalScrollBar().maximum() == 0


def test_merged_categories_are_no_longer_said_to_look_alike(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("x,ill\n" + "".join(f"{row}.5,{['Ja', 'ja', 'nein'][row % 3]}\n" for row in range(60)))
    window = opened(path)
    document = window.session.document

    def remarks() -> str:
        return " ".join(label.text() for label in window.page("data").reading.findChildren(QLabel))

    assert "“Ja” and “ja”" in remarks()
    document.change_recipe(Recipe([{"step": "recode", "column": "ill", "levels": {"ja": "Ja"}}]), "merge")
    assert "“Ja” and “ja”" not in remarks()
    document.undo_stack.undo()
    assert "“Ja” and “ja”" in remarks()


def test_dropping_a_table_and_then_its_labels(window: MainWindow, qtbot, small_table: Path) -> None:
    labels = small_table.with_name("which.xml")
    labels.write_text("<labels><label name='ill'/><label name='tired'/></labels>", encoding="utf-8")
    with qtbot.waitSignal(window.session.opening.opened):
        drop(window, small_table)
    with qtbot.waitSignal(window.session.opening.labelled):
        drop(window, labels)
    assert window.session.document.analysis.dataset.labels == ("ill", "tired")


def test_packed_tables_are_offered_as_well(window: MainWindow) -> None:
    everything, *kinds = table_filter().split(";;")
    for table_format, kind in zip(formats().values(), kinds, strict=False):
        for extension, packed in product(table_format.extensions, ("", ".gz", ".zip")):
            name = f"table{extension}{packed}"
            assert is_offered(name, everything) and is_offered(name, kind)
    assert is_offered("survey.zip", everything)
    texts = " ".join(label.text() for label in window.start_page.findChildren(QLabel))
    assert ".gz" in texts and ".zip" in texts


def is_offered(name: str, kind: str) -> bool:
    masks = kind[kind.rindex("(") + 1 : -1].split()
    return any(fnmatchcase(name, mask) for mask in masks)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.csv", b"", "empty"),
        ("truncated.csv.gz", gzip.compress(b"a,b\n1,2\n" * 500, mtime=0)[:40], "truncated.csv.gz"),
    ],
)
def test_a_bad_file_says_what_and_where(
    window: MainWindow, qtbot, tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with qtbot.waitSignal(window.session.opening.failed):
        window.open_path(path)
    assert window.start_page.notice.isVisible()
    assert words in window.start_page.notice.text
    assert window.session.document.analysis is None


def test_a_missing_file_leaves_the_recent_list(window: MainWindow, qtbot, tmp_path: Path) -> None:
    gone = tmp_path / "gone.csv"
    window.settings.add_recent_file(gone)
    assert gone in window.settings.recent_files
    with qtbot.waitSignal(window.session.opening.failed):
        window.open_path(gone)
    assert "gone.csv" in window.start_page.notice.text
    assert gone not in window.settings.recent_files


def test_a_failure_leaves_the_open_table_as_it_is(
    opened: Open, qtbot, small_table: Path, tmp_path: Path
) -> None:
    window = opened(small_table)
    window.session.document.set_labels(["ill"])
    with qtbot.waitSignal(window.session.opening.failed):
        window.open_path(tmp_path)
    assert window.page("data").notice.isVisible()
    assert roles(window)["ill"] is Role.LABEL


def test_closing_the_table_shows_the_start_page(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    QTest.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert window.start_page.isVisible()
    assert window.session.document.analysis is None
    assert not window.rail.button("method").isEnabled()


def test_every_control_is_reached_by_tab(opened: Open, qtbot, small_table: Path) -> None:
    window = opened(small_table)
    with qtbot.waitActive(window):
        window.activateWindow()
    page = window.page("data")
    page.setFocus()
    assert page.columns.hasFocus(), "keys that set roles work at once"
    window.rail.button("data").setFocus()
    reached = set()
    while (widget := QApplication.focusWidget()) not in reached:
        reached.add(widget)
        QTest.keyClick(widget, Qt.Key.Key_Tab)
    tools = page.tools
    for control in (tools.filter, tools.by_name, tools.labels_file, page.columns, page.preview):
        assert control in reached, control.accessibleName()
    assert page.tabs.tabBar() in reached


def test_twelve_columns_are_seen_in_a_small_window(window: MainWindow, qtbot) -> None:
    """Also where a notice stands above them; in a higher one the first rows stand below."""
    open_as_found(window, qtbot, resource_path("examples", "hospital-survey.csv"))
    document = window.session.document
    document.set_labels(document.offer.names)
    page = window.page("data")
    view, preview = page.columns, page.preview

    def seen() -> int:
        heights = view.viewport().height() // view.verticalHeader().defaultSectionSize()
        return min(heights, view.model().rowCount())

    window.resize(1024, 700)
    qtbot.waitUntil(lambda: window.size().height() == 700 and not preview.height())
    qtbot.waitUntil(lambda: seen() >= 12)
    assert page.lesson_notice.isVisible()
    window.resize(1440, 1000)
    qtbot.waitUntil(lambda: preview.height() > 0)
    assert seen() >= 12
    assert preview.viewport().height() >= 3 * preview.verticalHeader().defaultSectionSize()


def test_what_a_file_says_of_a_column_stands_behind_its_name(qtbot) -> None:
    def shown(description: str) -> tuple[QImage, int]:
        model = ColumnsModel()
        variable = Variable("v_1", Kind.CONTINUOUS, description=description)
        model.set_table((variable,), (summarise(variable, np.arange(5.0)),))
        view = ColumnsView(model)
        qtbot.addWidget(view)
        view.resize(800, 200)
        view.show()
        cell = view.visualRect(model.index(0, Field.NAME))
        return view.viewport().grab(cell).toImage(), view.fontMetrics().horizontalAdvance("v_1")

    plain, name = shown("")
    assert shown("v_1")[0] == plain, "a name is not said twice"
    told, _name = shown("How lonely did you feel in the last year?")
    before, behind = QRect(0, 0, name, plain.height()), QRect(name, 0, plain.width() - name, plain.height())
    assert told.copy(before) == plain.copy(before) and told.copy(behind) != plain.copy(behind)
