"""The page of the method: every setting of the registries, reasons for what cannot work, undo of settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPushButton, QSpinBox

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.compatibility import problems
from clcd_gui.method.method_page import MethodPage
from clcd_gui.shell.main_window import MainWindow
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.independence.ci_tests import ci_tests
from engine.parameters import parameters_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.table.dataset import Dataset
from engine.table.variable import Role

pytestmark = pytest.mark.one_window

Open = Callable[[Path], MainWindow]


def ready(opened: Open, path: Path) -> MainWindow:
    window = opened(path)
    window.session.document.set_labels(["ill", "tired"])
    window.go("method")
    return window


def choose(combo: QComboBox, value: str) -> None:
    """Choose by keys: open the list, go to the entry, take it."""
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(combo.findData(value)):
        QTest.keyClick(combo, Qt.Key.Key_Down)
    assert combo.currentData() == value


def press(page: MethodPage, text: str) -> None:
    """Take the way out that a problem offers."""
    buttons = page.problem_notice.findChildren(QPushButton)
    QTest.mouseClick(next(button for button in buttons if button.text() == text), Qt.MouseButton.LeftButton)


def test_every_setting_of_the_registries_has_an_editor_with_its_name(opened: Open, small_table: Path) -> None:
    window = ready(opened, small_table)
    page = window.page("method")
    for settings_class, forms in (
        (DiscoverySettings, (page.search, page.advanced_search)),
        (PreparationSettings, (page.preparation, page.advanced_preparation)),
    ):
        for parameter in parameters_of(settings_class):
            form = forms[parameter.advanced]
            assert form.editor(parameter.name).accessibleName() == parameter.title
            assert form.editor(parameter.name).toolTip() == parameter.help


def test_defaults_let_run_work_at_once(opened: Open, small_table: Path) -> None:
    window = ready(opened, small_table)
    assert window.page("method").primary.isEnabled()
    assert not window.page("method").problem_notice.isVisible()


def test_a_setting_is_typed_checked_and_undone(opened: Open, small_table: Path) -> None:
    window = ready(opened, small_table)
    document, form = window.session.document, window.page("method").search
    line = form.editor("alpha")
    assert isinstance(line, QLineEdit)
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "7")
    assert "between 0 and 1" in form.helps["alpha"].text()
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert document.analysis.discovery.alpha == 0.01
    assert line.text() == "0.01"
    line.selectAll()
    QTest.keyClicks(line, "0,05")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert document.analysis.discovery.alpha == 0.05
    subtitle = window.page("method").subtitle
    assert subtitle.text() == "Significance level (α) 0.05, other settings at their defaults."
    assert "Benjamini-Hochberg" in subtitle.toolTip()
    document.undo_stack.undo()
    assert document.analysis.discovery.alpha == 0.01
    assert line.text() == "0.01"


def test_an_address_is_typed_checked_and_makes_no_result_stale(opened: Open, small_table: Path) -> None:
    window = ready(opened, small_table)
    document, form = window.session.document, window.page("method").advanced_search
    before = document.analysis
    line = form.editor("cluster")
    assert isinstance(line, QLineEdit)
    assert "trust" in form.helps["cluster"].text()
    QTest.keyClicks(line, "machine")
    assert "such as tcp://" in form.helps["cluster"].text()
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert document.analysis.discovery.cluster is None
    assert line.text() == ""
    QTest.keyClicks(line, "tcp://machine:8786")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert document.analysis.discovery.cluster == "tcp://machine:8786"
    assert document.analysis.is_same_as(before)
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert document.analysis.discovery.cluster is None


def test_ticks_of_a_spin_box_are_undone_together(opened: Open, small_table: Path) -> None:
    window = ready(opened, small_table)
    document = window.session.document
    spin = window.page("method").search.editor("max_conditioning")
    assert isinstance(spin, QSpinBox)
    before = document.undo_stack.count()
    spin.setFocus()
    for _ in range(2):
        QTest.keyClick(spin, Qt.Key.Key_Up)
    assert document.analysis.discovery.max_conditioning == 5
    assert document.undo_stack.count() == before + 1
    document.undo_stack.undo()
    assert document.analysis.discovery.max_conditioning == 3


def test_an_editor_that_tells_its_value_late_finds_no_table(opened: Open, small_table: Path) -> None:
    window = ready(opened, small_table)
    page = window.page("method")
    window.workspace.files.close()
    QTest.keyClick(page.search.editor("max_conditioning"), Qt.Key.Key_Up)
    QTest.keyClick(page.preparation.editor("bins"), Qt.Key.Key_Up)
    assert window.session.document.analysis is None and window.session.document.undo_stack.count() == 0


def test_what_does_not_go_together_says_why_and_offers_ways_out(opened: Open, small_table: Path) -> None:
    window = ready(opened, small_table)
    page, document = window.page("method"), window.session.document
    choose(page.preparation.editor("discretise"), "quantile")
    choose(page.search.editor("test"), "fisher-z")
    assert page.problem_notice.isVisible()
    assert "Fisher's z" in page.problem_notice.text
    assert not page.primary.isEnabled()
    assert page.reason.isVisible()
    assert not window.commands.actions.run.isEnabled()
    leave = next(
        button
        for button in page.problem_notice.findChildren(QPushButton)
        if button.text().startswith("Leave")
    )
    QTest.mouseClick(leave, Qt.MouseButton.LeftButton)
    assert document.analysis.preparation.discretise == "none"
    assert not page.problem_notice.isVisible()
    assert page.primary.isEnabled()
    assert not page.preparation.editor("bins").isEnabled()
    choose(page.search.editor("test"), "g2")
    assert "will be cut at" in page.problem_notice.text
    assert page.primary.isEnabled()
    press(page, "Use the test that suits the table")
    assert not page.problem_notice.isVisible()
    document.undo_stack.undo()
    document.undo_stack.undo()
    document.undo_stack.undo()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.analysis.discovery == DiscoverySettings()
    assert document.analysis.preparation == PreparationSettings()


def test_scrolling_past_changes_nothing(opened: Open, small_table: Path) -> None:
    window = ready(opened, small_table)
    spin = window.page("method").search.editor("max_conditioning")
    where = QPointF(spin.rect().center())
    wheel = QWheelEvent(
        where,
        QPointF(spin.mapToGlobal(spin.rect().center())),
        QPoint(0, 0),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(spin, wheel)
    assert window.session.document.analysis.discovery.max_conditioning == 3


def test_numbers_and_categories_run_as_they_are(opened: Open, qtbot, small_table: Path) -> None:
    # A department with three values, of which Fisher's z can make nothing, and one empty age.
    lines = small_table.read_text("utf-8").splitlines()
    places = ["department", *(f"floor {row % 3}" for row in range(len(lines) - 1))]
    joined = [f"{line},{place}" for line, place in zip(lines, places, strict=True)]
    joined[5] = joined[5].partition(",")[1] + joined[5].partition(",")[2]
    small_table.write_text("\n".join(joined) + "\n", "utf-8")
    window = ready(opened, small_table)
    page, document = window.page("method"), window.session.document
    choose(page.search.editor("test"), "fisher-z")
    assert "1 column has more: department" in page.problem_notice.text
    press(page, "Use the test that suits the table")
    assert document.analysis.discovery.test == "auto"
    assert document.analysis.preparation.discretise == "none"
    assert not page.problem_notice.isVisible()
    choose(page.search.editor("test"), "mixed")
    assert not page.advanced_search.editor("dof").isEnabled()
    assert "age" in page.problem_notice.text
    assert not page.primary.isEnabled()
    press(page, "Leave out the rows")
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.mouseClick(page.primary, Qt.MouseButton.LeftButton)
    assert document.result.settings.test == "mixed"
    assert document.result.dataset.row_count == 39


@pytest.mark.parametrize(
    "test", [ci_test.name for ci_test in ci_tests().values() if not ci_test.takes_weights]
)
def test_weights_that_a_test_cannot_use_have_ways_out(test: str) -> None:
    frame = pandas.DataFrame({"ill": [0, 1] * 10, "smoker": [0, 0, 1, 1] * 5, "stands for": [1.5, 2.0] * 10})
    dataset = Dataset.from_frame(frame, labels=["ill"]).with_roles({"stands for": Role.WEIGHT})
    analysis = Analysis.of(dataset).with_settings({"discretise": "none"}, {"test": test})
    (problem,) = problems(analysis)
    assert "stands for" in problem.reason
    for way_out in problem.ways_out:
        assert problems(way_out.applied_to(analysis)) == ()


def test_bins_are_not_made_unasked_for_a_test_of_mixed_data(opened: Open, small_table: Path) -> None:
    window = ready(opened, small_table)
    page = window.page("method")
    assert window.session.document.analysis.preparation.discretise == "none"
    choose(page.preparation.editor("discretise"), "quantile")
    choose(page.search.editor("test"), "mixed")
    assert "cut into bins first" in page.problem_notice.text
    press(page, "Leave numbers as they are")
    assert page.primary.isEnabled()
    choose(page.search.editor("test"), "g2")
    press(page, "Use the test that suits the table")
    assert window.session.document.analysis.discovery.test == "auto"
    assert page.primary.isEnabled()


def test_fishers_z_runs_on_numbers(opened: Open, qtbot, small_table: Path) -> None:
    window = ready(opened, small_table)
    document = window.session.document
    changed = document.analysis.with_settings({"discretise": "none"}, {"test": "fisher-z"})
    document.change(changed, "use Fisher’s z")
    with qtbot.waitSignal(window.session.running.finished, timeout=60_000):
        QTest.mouseClick(window.page("method").primary, Qt.MouseButton.LeftButton)
    assert document.result.settings.test == "fisher-z"


def test_settings_of_shuffling_are_open_only_to_tests_that_shuffle(opened: Open, small_table: Path) -> None:
    page = ready(opened, small_table).page("method")
    shuffling = ("permutations", "permutation_seed")
    assert not any(page.advanced_search.editor(name).isEnabled() for name in shuffling)
    choose(page.search.editor("test"), "g2")
    assert page.advanced_search.editor("dof").isEnabled()
    choose(page.search.editor("test"), "g2-permutation")
    assert all(page.advanced_search.editor(name).isEnabled() for name in shuffling)
    assert not page.advanced_search.editor("dof").isEnabled()
