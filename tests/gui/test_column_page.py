"""The page for a column and the list of steps, by clicks and keys: cut, recoded, filtered, undone, kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from clcd_gui.data.column_page import ColumnPage
from clcd_gui.data.columns_model import Field
from clcd_gui.data.data_page import DataPage
from clcd_gui.document import column_summary
from clcd_gui.shell.main_window import MainWindow
from engine.recipe import Recipe
from engine.recipe.table_steps import Filter
from engine.table.variable import Kind, Role

Open = Callable[[Path], MainWindow]


@pytest.fixture
def page(opened: Open, small_table: Path) -> DataPage:
    return opened(small_table).page("data")


def shown(page: DataPage, name: str, qtbot) -> ColumnPage:
    """Open a column by Enter, as a person does, and wait for its picture."""
    page.columns.select_name(name)
    page.columns.setFocus()
    QTest.keyClick(page.columns, Qt.Key.Key_Return)
    assert page.columns_stack.currentWidget() is page.column
    settle(page.column, qtbot)
    assert page.column.name == name
    return page.column


def settle(column: ColumnPage, qtbot) -> None:
    lane = column._session.controller.describing
    qtbot.waitUntil(lambda: not lane.is_busy and column._found is not None)


def press(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def drag(column: ColumnPage, to: float) -> None:
    """Drag the only cut with the mouse to another number."""
    view = column.histogram

    def place(value: float) -> QPoint:
        scene = view.getPlotItem().vb.mapViewToScene(QPointF(value, view.viewRange()[1][1] / 3))
        return view.mapFromScene(scene)

    def send(kind: QEvent.Type, where: QPoint, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
        surface = view.viewport()
        modifiers = Qt.KeyboardModifier.NoModifier
        at = QPointF(where), QPointF(surface.mapToGlobal(where))
        QApplication.sendEvent(surface, QMouseEvent(kind, *at, button, held, modifiers))
        # More than a hundred movements a second are left out.
        QTest.qWait(30)

    # The picture has its place once it was laid out.
    QTest.qWait(100)
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    start, end = place(view.cuts[0]), place(to)
    send(QEvent.Type.MouseMove, start, none, none)
    send(QEvent.Type.MouseButtonPress, start, left, left)
    for share in (0.3, 0.6, 1.0, 1.0):
        send(QEvent.Type.MouseMove, start + (end - start) * float(share), none, left)
    send(QEvent.Type.MouseButtonRelease, end, left, none)


def test_a_number_is_cut_into_an_outcome_by_dragging(page: DataPage, qtbot) -> None:
    document = page._document
    column = shown(page, "age", qtbot)
    assert column.facts.text().startswith("40 rows · none missing · 20 to 59")
    column.cut.add_point(30.0)
    assert [column.cut.table.item(row, 1).text() for row in range(2)] == ["11", "29"]
    drag(column, 49.5)
    (point,) = column.histogram.cuts
    assert point == pytest.approx(49.5, abs=0.6)
    counts = [int(column.cut.table.item(row, 1).text()) for row in range(2)]
    assert counts == [int(point) - 19, 40 - (int(point) - 19)]
    column.cut.table.item(0, 0).setText("young")
    column.cut.table.item(1, 0).setText("old")
    column.cut.as_label.click()
    press(column.cut.apply)
    variable = document.analysis.dataset.variable("age")
    assert (variable.role, variable.levels, variable.is_cut) == (Role.LABEL, ("young", "old"), True)
    assert np.bincount(document.analysis.dataset.column("age")).tolist() == counts
    settle(column, qtbot)
    assert column.tabs.currentWidget() is column.levels
    # Back, and undone by key.
    QTest.keyClick(column, Qt.Key.Key_Escape)
    assert page.columns.selected_names() == ["age"]
    row = page.columns_model.row_of("age")
    assert page.columns_model.index(row, Field.KIND).data() == "Categories"
    QTest.keyClick(page.window(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    variable = document.analysis.dataset.variable("age")
    assert (variable.role, variable.kind) == (Role.FEATURE, Kind.CONTINUOUS)
    document.undo_stack.redo()
    assert document.analysis.dataset.labels == ("age",)


def test_a_new_column_of_a_label_takes_its_place_as_a_label(page: DataPage, qtbot) -> None:
    document = page._document
    column = shown(page, "dose", qtbot)
    column.cut.points.setFocus()
    QTest.keyClicks(column.cut.points, "5; 10,5")
    assert len(column.histogram.cuts) == 2
    column.cut.place.where.setCurrentIndex(1)
    column.cut.place.name.setText("high dose")
    column.cut.as_label.click()
    press(column.cut.apply)
    dataset = document.analysis.dataset
    assert dataset.labels == ("high dose",) and dataset.ignored == ("dose",)
    assert dataset.variable("high dose").levels == ("≤ 5", "5 – 10.5", "> 10.5")
    assert page.columns_model.rowCount() == 6
    document.undo_stack.undo()
    assert document.analysis.dataset.labels == () and page.columns_model.rowCount() == 5


def test_categories_are_merged_and_ordered(page: DataPage, qtbot) -> None:
    document = page._document
    column = shown(page, "smoker", qtbot)
    assert not column.levels.apply.isEnabled()
    column.levels.table.item(0, 1).setText("never")
    column.levels.table.selectRow(1)
    press(column.levels.up)
    assert column.levels.ordered.isChecked()
    press(column.levels.apply)
    variable = document.analysis.dataset.variable("smoker")
    assert (variable.levels, variable.ordered) == (("yes", "never"), True)
    assert page.tabs.tabText(page.tabs.indexOf(page.steps)) == "Steps (2)"
    document.undo_stack.undo()
    assert document.analysis.dataset.variable("smoker").levels == ("no", "yes")
    settle(column, qtbot)
    column.levels.table.selectAll()
    press(column.levels.merge)
    assert [column.levels.table.item(row, 1).text() for row in range(2)] == ["no", "no"]


def test_a_category_that_no_row_has_any_more_is_not_listed(page: DataPage, qtbot) -> None:
    press_tab(page, page.steps)
    with qtbot.waitSignal(page._session.steps.counted):
        QTest.keyClicks(page.steps.condition, "smoker = 'yes'")
    press(page.steps.keep)
    press_tab(page, page.columns_stack)
    column = shown(page, "smoker", qtbot)
    table = column.levels.table
    assert [(table.item(row, 0).text(), table.item(row, 2).text()) for row in range(table.rowCount())] == [
        ("yes", "20")
    ]
    assert not column.levels.apply.isEnabled()
    # It comes back with its rows.
    page._document.undo_stack.undo()
    settle(column, qtbot)
    assert [table.item(row, 0).text() for row in range(table.rowCount())] == ["no", "yes"]


def test_rows_are_filtered_and_steps_switched_moved_and_left_out(page: DataPage, qtbot) -> None:
    document, steps = page._document, page.steps
    press_tab(page, steps)
    with qtbot.waitSignal(page._session.steps.counted):
        QTest.keyClicks(steps.condition, "age >= 30 and smoker = 'yes'")
    assert steps.rows_left.text() == "15 of 40 rows are left."
    press(steps.keep)
    assert document.analysis.dataset.row_count == 15
    QTest.keyClicks(steps.made_name, "dose a year")
    QTest.keyClicks(steps.formula, "dose / agee")
    assert "agee" in steps.formula_problem.text() and not steps.compute.isEnabled()
    QTest.keyClick(steps.formula, Qt.Key.Key_Backspace)
    press(steps.compute)
    dataset = document.analysis.dataset
    np.testing.assert_allclose(dataset.column("dose a year"), dataset.column("dose") / dataset.column("age"))
    assert steps.list.count() == 2
    assert "15 rows are left." in steps.list.item(0).text()
    # Off by a key, on by undo; a run's table is the same again.
    before = document.analysis
    steps.list.setFocus()
    steps.list.setCurrentRow(0)
    QTest.keyClick(steps.list, Qt.Key.Key_Space)
    assert document.analysis.dataset.row_count == 40
    assert steps.list.item(0).checkState() is Qt.CheckState.Unchecked
    assert not document.analysis.is_same_as(before)
    document.undo_stack.undo()
    assert document.analysis.is_same_as(before)
    press(steps.down)
    assert [step.kind for step in document.analysis.recipe.steps] == ["compute", "filter"]
    # What needs another step cannot be made without it.
    page._session.steps.change(
        document.analysis.recipe.with_step({"step": "filter", "expression": "`dose a year` > 0"}), "keep"
    )
    steps.list.setCurrentRow(0)
    QTest.keyClick(steps.list, Qt.Key.Key_Delete)
    assert page.notice.text.startswith("Step 2 (Keep some rows)")
    assert steps.list.count() == 3
    steps.list.setCurrentRow(2)
    press(steps.remove)
    assert steps.list.count() == 2
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    assert document.analysis.recipe.steps == () and document.analysis.dataset.row_count == 40
    assert page.tabs.tabText(page.tabs.indexOf(steps)) == "Steps"


def edited(page: DataPage, row: int, qtbot) -> None:
    """Open a step in the list by Enter, as a person does."""
    press_tab(page, page.steps)
    page.steps.list.setCurrentRow(row)
    QTest.keyClick(page.steps.list, Qt.Key.Key_Return)
    if page.columns_stack.currentWidget() is page.column:
        settle(page.column, qtbot)


def test_steps_of_columns_are_edited_in_their_place(page: DataPage, qtbot) -> None:
    document, column = page._document, page.column
    document.change_recipe(
        Recipe([
            {"step": "cut", "column": "age", "points": [30], "names": ["young", "old"], "into": "group"},
            {"step": "recode", "column": "smoker", "levels": {"no": "never"}, "on": False},
            {"step": "scale", "column": "dose", "scale": "log1p"},
            {"step": "filter", "expression": "dose > 1"},
        ]),
        "steps",
        {"group": Role.LABEL},
    )  # fmt: skip
    edited(page, 0, qtbot)
    assert column.title.text() == "Step 1 · age, numbers before this step"
    assert [column.tabs.isTabVisible(place) for place in range(6)] == [True, *[False] * 5]
    # The rows that a later step leaves out are counted: it comes after.
    assert [column.cut.table.item(row, 1).text() for row in range(2)] == ["11", "29"]
    assert [column.cut.table.item(row, 0).text() for row in range(2)] == ["young", "old"]
    assert column.histogram.cuts == (30.0,) and column.cut.apply.text() == "Change the step"
    drag(column, 45.0)
    assert [column.cut.table.item(row, 0).text() for row in range(2)] == ["young", "old"]
    (point,) = column.histogram.cuts
    column.cut.place.name.setText("old")
    press(column.cut.apply)
    step = document.analysis.recipe.steps[0]
    assert (step.points, step.names, step.into) == ((point,), ("young", "old"), "old")
    assert len(document.analysis.recipe.steps) == 4
    assert document.analysis.dataset.labels == ("old",)
    assert page.tabs.currentWidget() is page.steps and page.steps.list.currentRow() == 0
    document.undo_stack.undo()
    assert document.analysis.recipe.steps[0].names == ("young", "old")
    assert document.analysis.dataset.labels == ("group",)
    # One that is off stays off; Esc leaves a step as it is.
    edited(page, 1, qtbot)
    assert column.levels.table.item(0, 1).text() == "never"
    QTest.keyClick(column, Qt.Key.Key_Escape)
    assert page.tabs.currentWidget() is page.steps
    assert document.analysis.recipe.steps[1].levels["no"] == "never"
    edited(page, 1, qtbot)
    column.levels.table.item(1, 1).setText("ever")
    press(column.levels.apply)
    assert dict(document.analysis.recipe.steps[1].levels) == {"no": "never", "yes": "ever"}
    assert not document.analysis.recipe.is_on(1)
    edited(page, 2, qtbot)
    column.scale.scale.setCurrentIndex(column.scale.scale.findData("rank"))
    press(column.scale.apply)
    assert document.analysis.recipe.steps[2].scale == "rank"
    # Afterwards, the page of a column makes new steps again.
    column = shown(page, "age", qtbot)
    assert column.cut.apply.text() == "Cut" and column.cut.as_label.isVisibleTo(column.cut)
    assert column.cut.points.text() == "" and column.histogram.cuts == ()


def test_conditions_and_formulas_are_edited_in_their_place(page: DataPage, qtbot) -> None:
    document, steps = page._document, page.steps
    document.change_recipe(
        Recipe([
            {"step": "filter", "expression": "age >= 30"},
            {"step": "compute", "column": "twice", "expression": "dose * 2"},
        ]),
        "steps",
    )  # fmt: skip
    with qtbot.waitSignal(page._session.steps.counted):
        edited(page, 0, qtbot)
    assert steps.rows_left.text() == "30 of 40 rows are left."
    steps.condition.setText("age >= 50 and nothing > 1")
    qtbot.waitUntil(lambda: "nothing" in steps.rows_left.text())
    QTest.keyClick(steps.condition, Qt.Key.Key_Escape)
    assert steps.condition.text() == "" and steps.keep.text() == "Keep these rows"
    edited(page, 0, qtbot)
    with qtbot.waitSignal(page._session.steps.counted):
        steps.condition.setText("age >= 50")
    press(steps.keep)
    assert document.analysis.dataset.row_count == 10
    assert [step.kind for step in document.analysis.recipe.steps] == ["filter", "compute"]
    assert steps.keep.text() == "Keep these rows" and not steps.cancel_condition.isVisible()
    edited(page, 1, qtbot)
    assert (steps.made_name.text(), steps.formula.text()) == ("twice", "dose * 2")
    steps.formula.setText("dosis * 3")
    press(steps.compute)
    assert page.notice.text.startswith("Step 2 (Compute a column)")
    steps.formula.setText("dose * 3")
    press(steps.compute)
    dataset = document.analysis.dataset
    np.testing.assert_allclose(dataset.column("twice"), 3 * dataset.column("dose"))
    assert not page.notice.isVisible() and steps.list.count() == 2
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.analysis.dataset.row_count == 30


def test_what_was_typed_for_a_step_that_cannot_be_made_stays(page: DataPage, qtbot) -> None:
    document, steps = page._document, page.steps
    page.tabs.setCurrentWidget(steps)
    steps.made_name.setText("age")
    steps.formula.setText("log(dose + 1) * 2")
    press(steps.compute)
    assert page.notice.isVisible() and "age" in page.notice.text
    assert (steps.made_name.text(), steps.formula.text()) == ("age", "log(dose + 1) * 2")
    assert not document.analysis.recipe.steps
    steps.made_name.setText("much")
    press(steps.compute)
    assert "much" in document.analysis.dataset.names and not page.notice.isVisible()
    assert (steps.made_name.text(), steps.formula.text()) == ("", "")


def test_notes_places_and_names_to_choose_from_follow_a_column_that_is_called_otherwise(
    page: DataPage, qtbot
) -> None:
    document = page._document
    press(page.tools.by_name)
    page.names.text.setPlainText("amount")
    assert not page.names.buttons[Role.LABEL].isEnabled()
    document.notes.write(("dose",), "as the ward measures it")
    document.notes.write(("dose", "ill"), "known since 1978")
    document.notes.write(("age",), "in years")
    document.presentation.move({"dose": (1.0, 2.0), "age": (3.0, 4.0)})
    steps = document.undo_stack.count()
    before = dict(document.notes.on_variables)
    document.change_recipe(Recipe([{"step": "rename", "column": "dose", "name": "amount"}]), "rename")
    assert document.undo_stack.count() == steps + 1 and document.undo_stack.undoText() == "rename"
    assert document.notes.on_variables == {"amount": "as the ward measures it", "age": "in years"}
    assert document.notes.on_findings == {("amount", "ill"): "known since 1978"}
    assert "“dose”" not in " ".join(title for title, _ in document.notes.in_report(""))
    assert document.presentation.places["amount"] == (1.0, 2.0)
    assert page.names.buttons[Role.LABEL].isEnabled()
    press(page.names.buttons[Role.LABEL])
    assert document.analysis.dataset.labels == ("amount",) and not page.notice.isVisible()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.notes.on_variables == before and "amount" not in document.presentation.places
    assert document.notes.on_findings == {("dose", "ill"): "known since 1978"}
    document.undo_stack.redo()
    assert "amount" in document.notes.on_variables


def press_tab(page: DataPage, widget: object) -> None:
    bar = page.tabs.tabBar()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(page.tabs.indexOf(widget)).center())


def test_scale_missing_numbers_name_and_unit(page: DataPage, qtbot) -> None:
    document = page._document
    column = shown(page, "dose", qtbot)
    column.tabs.setCurrentWidget(column.missing)
    column.missing.numbers.setText("0; 19.5")
    press(column.missing.apply)
    assert document.analysis.dataset.missing_count("dose") == 2
    settle(column, qtbot)
    column.tabs.setCurrentWidget(column.scale)
    press(column.scale.apply)
    np.testing.assert_allclose(np.exp(document.analysis.dataset.column("dose")[1:4]), [0.5, 1.0, 1.5])
    settle(column, qtbot)
    column.tabs.setCurrentWidget(column.about)
    column.about.name.setText("log dose")
    column.about.unit.setText("log mg")
    press(column.about.apply)
    assert document.analysis.dataset.variable("log dose").unit == "log mg"
    settle(column, qtbot)
    assert column.name == "log dose"
    assert "log mg" in column.facts.text() and "2 missing" in column.facts.text()


def test_a_step_whose_column_is_not_made_is_told_and_shows_no_other_column(page: DataPage, qtbot) -> None:
    column = shown(page, "age", qtbot)
    QTest.keyClick(column, Qt.Key.Key_Escape)
    steps = [
        {"step": "compute", "column": "xylophone", "expression": "dose * 2"},
        {"step": "cut", "column": "xylophone", "points": [10.0]},
    ]
    page._session.steps.change(Recipe(steps, off=range(2)), "two steps")
    page.tabs.setCurrentWidget(page.steps)
    page.steps.list.setCurrentRow(1)
    with qtbot.waitSignal(page._session.steps.failed):
        press(page.steps.edit)
    assert "“xylophone”" in page.notice.text and "The columns of the table are" in page.notice.text
    assert "clcd" not in page.notice.text and page.notice.isVisible()
    assert column.title.text() == "Step 2 · xylophone" and not column.facts.text()
    assert not column.histogram.isVisible() and not column.cut.isEnabled()
    # It can be left, and another column is shown whole.
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    page.tabs.setCurrentWidget(page.columns_stack)
    assert shown(page, "dose", qtbot).histogram.isVisible() and column.cut.isEnabled()


def test_dates_become_time(opened: Open, tmp_path: Path, qtbot) -> None:
    lines = ["visit,ill", *(f"{1 + row % 28}.{1 + row % 12}.2020,{'ny'[row % 2]}" for row in range(60))]
    (tmp_path / "dates.csv").write_text("\n".join(lines))
    page = opened(tmp_path / "dates.csv").page("data")
    column = shown(page, "visit", qtbot)
    assert column.tabs.currentWidget() is column.dates
    column.dates.part.setCurrentIndex(column.dates.part.findData("days"))
    column.dates.place.where.setCurrentIndex(1)
    press(column.dates.apply)
    values = page._document.analysis.dataset.column("visit (days)")
    assert values.min() == 0 and values.max() > 300


def test_a_label_that_is_a_number_is_never_cut_in_silence(page: DataPage, qtbot) -> None:
    document = page._document
    document.set_roles(["age"], Role.LABEL)
    assert "“age” is a number, so CLCD looks for variables linked to its value" in page.offer_notice.text
    document.change_discovery("test", "g2")
    assert "will cut it into ≤ 39.5 and > 39.5" in page.offer_notice.text
    press(page.offer_notice.findChildren(type(page.primary))[0])
    settle(page.column, qtbot)
    assert page.column.name == "age" and page.column.cut.as_label.isChecked()
    page.column.cut.points.setText("50")
    page.column.cut.points.textEdited.emit("50")
    press(page.column.cut.apply)
    assert not page.offer_notice.isVisible()


def test_steps_are_saved_and_reopened_and_undone_after_a_run(
    opened: Open, small_table: Path, dialogs, tmp_path: Path, qtbot
) -> None:
    window = opened(small_table)
    document, page = window.session.document, window.page("data")
    document.set_labels(["ill"])
    document.change_recipe(
        document.analysis.recipe.with_step({"step": "filter", "expression": "age > 24"}), "keep some rows"
    )
    document.change_recipe(
        document.analysis.recipe.with_step({"step": "cut", "column": "age", "points": [40]}), "cut"
    )
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.session.running.start()
    assert document.result.dataset.row_count == 35
    document.undo_stack.undo()
    assert document.stale_reason is not None and "steps" in document.stale_reason
    document.undo_stack.redo()
    assert document.stale_reason is None
    path = tmp_path / "study.clcd"
    with qtbot.waitSignal(window.session.saving.saved):
        window.session.saving.save(path)
    before = document.analysis
    opened(path)
    again = document.analysis
    assert again.recipe == before.recipe
    assert again.dataset.content_hash == before.dataset.content_hash
    assert again.table_read.row_count == 40
    assert document.stale_reason is None and document.history.shown is not None
    page.steps.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert document.analysis.dataset.row_count == 40
    assert "steps" in document.stale_reason


def test_rows_of_a_wide_table_are_filtered_beside_the_window(
    opened: Open, tmp_path: Path, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.random.default_rng(0).normal(size=(40, 400)).round(3)
    lines = [",".join(f"n{place}" for place in range(400)), *(",".join(map(str, row)) for row in numbers)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    session = opened(path).session
    described_here: list[object] = []
    monkeypatch.setattr(column_summary, "summarise", lambda *column: described_here.append(column))
    with qtbot.waitSignal(session.steps.changed):
        session.steps.change(Recipe([Filter("n7 > 0")]), "keep rows")
        assert session.document.analysis.dataset.row_count == 40, "the window goes on at once"
    assert session.document.analysis.dataset.row_count == (numbers[:, 7] > 0).sum()
    held = numbers[numbers[:, 7] > 0]
    assert [summary.largest for summary in session.document.summaries] == held.max(axis=0).tolist()
    assert not described_here
