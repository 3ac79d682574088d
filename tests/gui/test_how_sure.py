"""How sure the findings are: asked by clicks, stopped, shown in tables, evidence, overview and files."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from clcd_gui.document.examples import examples
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.results.results_page import HowSureButton, ResultsPage
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import ExportDialogs
from clcd_gui.widgets.finding_table_model import FindingTableModel
from tests.gui.results_factory import SHAPES, with_repetitions
from tests.gui.workspaces import make_workspace, show_result

pytestmark = pytest.mark.one_window

AGAIN = "Found again"


class _IntoFolder(ExportDialogs):
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def choose_file(self, parent: QWidget, title: str, suggested: Path) -> Path | None:
        return self.folder / suggested.name


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A third of the rows of the bundled survey, which are searched again and again."""
    whole = examples()[0].path
    part = tmp_path_factory.mktemp("part") / whole.name
    lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    part.write_text("".join(lines[: len(lines) // 3]), encoding="utf-8")
    shutil.copy(whole.with_suffix(".xml"), part.with_suffix(".xml"))
    return part


@pytest.fixture
def searched_window(opened: Callable[[Path], MainWindow], survey: Path, qtbot) -> MainWindow:
    """The window with the results of the survey."""
    window = opened(survey)
    document = window.session.document
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.session.running.start()
    qtbot.waitUntil(lambda: window.page("results").is_filled)
    return window


def choose(button: HowSureButton, number: int) -> None:
    """Open the menu with the keyboard's own way and click an entry."""
    menu = button.repetitions
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    place = menu.actionGeometry(button.actions_by_number[number]).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)


def again_texts(model: FindingTableModel) -> dict[str, str]:
    """The cells of the column, by feature."""
    place = [column.title for column in model.columns].index(AGAIN)
    return {model.finding_at(row).feature: model.index(row, place).data() for row in range(model.rowCount())}


def is_shown(page: ResultsPage) -> list[bool]:
    """Whether the column is shown, in both tables."""
    shown = []
    for panel in (page.common, page.label_specific):
        place = [column.title for column in panel.model.columns].index(AGAIN)
        shown.append(not panel.table.isColumnHidden(place))
    return shown


def test_it_is_asked_by_clicks_and_answered_everywhere(
    searched_window: MainWindow, qtbot, tmp_path: Path
) -> None:
    page, session = searched_window.page("results"), searched_window.session
    result = session.document.result
    feature, label = result.common["feature"][0], result.common["labels"][0][0]
    searched_window.highlight.select(feature, label)
    assert is_shown(page) == [False, False]
    assert "Check stability" in page.overview.toPlainText()
    with qtbot.waitSignal(session.repeating.finished, timeout=120_000):
        choose(page.how_sure, 20)
        assert not page.how_sure.isEnabled()
        assert searched_window.run_bar.stop.isVisible()
    qtbot.waitUntil(lambda: page.is_filled)

    stability = session.document.result.stability
    assert stability.finished == 20
    assert searched_window.highlight.pair == SelectedPair(feature, label)
    assert is_shown(page) == [True, True]
    for finding in result.counted_findings.label_specific:
        text = f"{stability.times_linked(finding.feature, finding.labels[0])} of 20"
        assert again_texts(page.label_specific.model)[finding.feature] == text
    assert all(text.endswith("of 20") for text in again_texts(page.common.model).values())
    words = searched_window.why.browser.toPlainText().replace("\u00a0", " ")
    assert f"Found again in {stability.times_linked(feature, label)} of 20 random halves" in words
    assert "Searched again on 20 random halves" in page.overview.toPlainText().replace("\u00a0", " ")
    assert page.how_sure.isEnabled()
    assert "20 parts searched again" in searched_window.run_bar.activity.text()

    page.export_actions.dialogs = _IntoFolder(tmp_path)
    with qtbot.waitSignal(page.export_actions.written) as signal:
        page.export_actions.actions_by_name["stability"].trigger()
    with signal.args[0][0].open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(row["in_result"] == "true" for row in rows) == len(result.evidence)


def test_stop_keeps_what_was_repeated(searched_window: MainWindow, qtbot) -> None:
    session = searched_window.session
    choose(searched_window.page("results").how_sure, 200)
    qtbot.waitUntil(lambda: " of 200 done" in searched_window.run_bar.activity.text(), timeout=60_000)
    qtbot.waitUntil(lambda: "0 of 200" not in searched_window.run_bar.activity.text()[-16:], timeout=60_000)
    with qtbot.waitSignal(session.repeating.finished):
        QTest.mouseClick(searched_window.run_bar.stop, Qt.MouseButton.LeftButton)
    stability = session.document.result.stability
    assert 0 < stability.finished < 200
    assert f"Stopped; {stability.finished} of 200" in searched_window.run_bar.activity.text()
    qtbot.waitUntil(lambda: searched_window.page("results").is_filled)
    assert f"{stability.finished} of 200 parts were searched" in (
        searched_window.page("results").overview.toPlainText().replace("\u00a0", " ")
    )


def test_a_new_run_forgets_it_and_a_changed_setting_does_not(searched_window: MainWindow, qtbot) -> None:
    page, session = searched_window.page("results"), searched_window.session
    with qtbot.waitSignal(session.repeating.finished, timeout=120_000):
        choose(page.how_sure, 20)
    session.live.set_wanted(False)
    session.document.change_discovery("alpha", 0.05)
    assert page.stale_notice.isVisible()
    assert session.document.result.stability is not None
    session.document.undo_stack.undo()
    assert not page.stale_notice.isVisible()
    assert session.document.result.stability is not None
    session.document.undo_stack.redo()
    with qtbot.waitSignal(session.running.finished, timeout=120_000):
        searched_window.session.running.start()
        assert not page.how_sure.isEnabled()
    qtbot.waitUntil(lambda: page.is_filled)
    assert session.document.result.stability is None
    assert is_shown(page) == [False, False]
    assert page.how_sure.isEnabled()


def test_closing_the_table_ends_it(searched_window: MainWindow, qtbot) -> None:
    choose(searched_window.page("results").how_sure, 200)
    assert searched_window.session.controller.repetition.is_busy
    searched_window.workspace.files.close()
    assert not searched_window.session.controller.repetition.is_busy
    assert not searched_window.page("results").how_sure.isEnabled()
    qtbot.waitUntil(lambda: searched_window.session.controller.repetition.live_threads == 0)


def test_a_new_run_takes_its_place(searched_window: MainWindow, qtbot) -> None:
    session = searched_window.session
    choose(searched_window.page("results").how_sure, 200)
    with qtbot.waitSignal(session.running.finished, timeout=120_000):
        searched_window.session.running.start()
    assert not session.controller.repetition.is_busy
    qtbot.waitUntil(lambda: session.controller.repetition.live_threads == 0)
    assert session.document.result.stability is None


@pytest.mark.parametrize("shape", sorted(set(SHAPES) - {"large"}))
def test_every_shape_of_result_says_how_sure(qtbot, shape: str) -> None:
    workspace = make_workspace()
    page = ResultsPage(workspace)
    qtbot.addWidget(page)
    page.resize(860, 600)
    plain = SHAPES[shape]()
    show_result(workspace, plain)
    page.show()
    qtbot.waitUntil(lambda: page.is_filled)
    drawn = page.graph.view.graph
    page.common.filter_box.setText("1")
    repeated = with_repetitions(plain, finished=31)
    workspace.session.document.refine_result(repeated)
    qtbot.waitUntil(lambda: page.is_filled)
    assert page.graph.view.graph is drawn, "pictures stay as they are"
    assert page.common.filter_box.text() == "1"
    text = page.overview.toPlainText().replace("\u00a0", " ")
    assert "31 of 50 parts were searched" in text
    tables = (plain.common, plain.label_specific)
    assert all(shown or table.empty for shown, table in zip(is_shown(page), tables, strict=True))
    place = [column.title for column in page.label_specific.model.columns].index(AGAIN)
    page.label_specific.model.sort(place, Qt.SortOrder.DescendingOrder)
    times = [int(text.split(" ")[0]) for text in again_texts(page.label_specific.model).values()]
    assert times == sorted(times, reverse=True)
