"""Projects in the window: saved and opened by keys, asked about when they would be lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

import engine
from clcd_gui.document.presentation import origin_of
from clcd_gui.run.saving import PICTURE_SIZE
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.tokens import LIGHT
from clcd_gui.widgets.dialogs import Unsaved
from engine.discovery import tables
from engine.reporting.tables import records
from engine.table.variable import Role
from tests.gui.conftest import AnsweringDialogs

pytestmark = pytest.mark.one_window

SURVEY = Path(__file__).resolve().parents[2] / "resources" / "examples" / "hospital-survey.csv"
CONTROL = Qt.KeyboardModifier.ControlModifier


def shown(window: MainWindow) -> list[object]:
    """What a person sees of an analysis."""
    document = window.session.document
    analysis, result = document.analysis, document.result
    return [
        [(variable.name, variable.kind, variable.role) for variable in analysis.dataset.variables],
        analysis.preparation,
        analysis.discovery.decisive(),
        analysis.knowledge,
        analysis.split,
        analysis.preferred,
        document.stale_reason,
        [records(table, result.findings) for table in (tables.COMMON, tables.LABEL_SPECIFIC)],
    ]


def save(window: MainWindow, qtbot, keys: Qt.KeyboardModifier = CONTROL) -> None:
    with qtbot.waitSignal(window.session.saving.saved):
        QTest.keyClick(window, Qt.Key.Key_S, keys)


@pytest.fixture
def analysed(opened: Callable[[Path], MainWindow], qtbot) -> MainWindow:
    window = opened(SURVEY)
    document = window.session.document
    document.set_labels(document.offer.names)
    document.set_roles(["Shoe size"] if "Shoe size" in document.analysis.dataset.names else [], Role.IGNORED)
    document.change_knowledge(engine.Knowledge(tiers=[["Night shifts"], ["Headache"]]), "know something")
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.keyClick(window, Qt.Key.Key_R, CONTROL)
    qtbot.waitUntil(lambda: window.page("results").is_filled)
    led = next(finding for finding in document.result.findings.all if finding.led_by is not None)
    document.prefer(led.feature, [led.led_by])
    return window


def test_what_is_saved_is_opened_as_it_was(
    analysed: MainWindow,
    opened: Callable[[Path], MainWindow],
    dialogs: AnsweringDialogs,
    qtbot,
    tmp_path: Path,
) -> None:
    window, document = analysed, analysed.session.document
    assert document.is_modified and window.isWindowModified()
    dialogs.project = tmp_path / "study.clcd"
    save(window, qtbot)
    assert not document.is_modified and not window.isWindowModified()
    assert window.windowTitle() == "study.clcd[*] – CLCD"
    before = shown(window)
    # Another table comes between.
    with qtbot.waitSignal(document.closed):
        window.commands.actions.close.trigger()
    opened(SURVEY)
    opened(tmp_path / "study.clcd")
    assert shown(window) == before
    assert window.navigation.step == "results" and not document.is_modified
    assert document.result.preferred == document.analysis.preferred != ()
    qtbot.waitUntil(lambda: window.page("results").is_filled)
    # Sizes are measured again once somebody looks, and are no change of the project.
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=60_000)
    assert not document.is_modified
    # A change is one, until it is undone; saving goes where it went before, without a question.
    document.change_discovery("alpha", 0.2)
    assert document.is_modified
    document.undo_stack.undo()
    dialogs.project = None
    document.change_discovery("max_conditioning", 2)
    save(window, qtbot)
    assert engine.open_project(tmp_path / "study.clcd").recipe[2]["settings"]["max_conditioning"] == 2
    # The same program reads it elsewhere.
    assert engine.open_project(tmp_path / "study.clcd").runs[0].result.preferred == document.result.preferred


def test_a_project_knows_the_table_of_its_labels(
    opened: Callable[[Path], MainWindow], dialogs: AnsweringDialogs, qtbot, small_table: Path, tmp_path: Path
) -> None:
    window = opened(small_table)
    document = window.session.document
    dialogs.labels = small_table.with_name("outcomes.csv")
    rows = len(small_table.read_text().splitlines()) - 1
    dialogs.labels.write_text("\n".join(["worse", *("yes" if row % 3 else "no" for row in range(rows))]))
    with qtbot.waitSignal(window.session.opening.opened):
        window.commands.actions.labels_file.trigger()
    assert document.analysis.dataset.labels == ("worse",)
    dialogs.project = tmp_path / "study.clcd"
    save(window, qtbot)
    window.commands.actions.close.trigger()
    opened(tmp_path / "study.clcd")
    assert document.reading.labels_path == dialogs.labels
    origin = origin_of(document.reading, document.options, document.analysis)
    assert (origin.path, origin.labels_path) == (str(small_table), str(dialogs.labels))


def test_columns_of_another_table_are_added_by_what_names_the_rows(
    opened: Callable[[Path], MainWindow], dialogs: AnsweringDialogs, qtbot, tmp_path: Path
) -> None:
    """A person has the outcomes and the blood values in two files, in another order each."""
    table, blood = tmp_path / "visits.csv", tmp_path / "blood.csv"
    table.write_text("MRN,ill,age\n" + "".join(f"p{row},{row % 2},{30 + row % 40}\n" for row in range(90)))
    blood.write_text("MRN,crp\n" + "".join(f"p{row},{row / 7}\n" for row in range(89, -1, -1)))
    window = opened(table)
    document = window.session.document
    document.set_labels(["ill"])
    dialogs.labels = blood
    with qtbot.waitSignal(window.session.opening.opened):
        window.commands.actions.add_columns.trigger()
    dataset = document.analysis.dataset
    assert dataset.labels == ("ill",) and dataset.names == ("MRN", "ill", "age", "crp")
    assert dataset.column("crp").tolist() == pytest.approx([row / 7 for row in range(90)])
    assert not window.commands.actions.add_columns.isEnabled()
    dialogs.project = tmp_path / "study.clcd"
    save(window, qtbot)
    window.commands.actions.close.trigger()
    opened(tmp_path / "study.clcd")
    assert document.reading.labels_path == blood and document.analysis.dataset.labels == ("ill",)


def test_a_source_that_changed_is_told(
    opened: Callable[[Path], MainWindow], dialogs: AnsweringDialogs, qtbot, small_table: Path, tmp_path: Path
) -> None:
    window = opened(small_table)
    document = window.session.document
    qtbot.waitUntil(lambda: document.origin is not None)
    document.set_labels(["ill"])
    dialogs.project, dialogs.beside = tmp_path / "study.clcd", True
    save(window, qtbot)
    assert [path.suffix for path in tmp_path.glob("study-*")] == [".clcd-data"]
    window.commands.actions.close.trigger()
    opened(tmp_path / "study.clcd")
    qtbot.waitUntil(lambda: not window.session.controller.source.is_busy)
    assert not window.source_notice.isVisible()
    window.commands.actions.close.trigger()
    small_table.write_text(small_table.read_text() + "70,1,no,no,no\n")
    with qtbot.waitSignal(window.session.files.source_changed):
        opened(tmp_path / "study.clcd")
    assert window.source_notice.isVisible() and "small.csv" in window.source_notice.text
    assert document.analysis.dataset.row_count == 40 and document.is_data_beside
    # The roles are taken over where the file is read as it is now.
    with qtbot.waitSignal(window.session.opening.opened):
        window.source_notice.findChild(QPushButton).click()
    assert document.analysis.dataset.row_count == 41 and document.analysis.dataset.labels == ("ill",)
    assert document.project_path is None and not window.source_notice.isVisible()


def test_recent_analyses_have_a_picture_or_are_gone(
    analysed: MainWindow, dialogs: AnsweringDialogs, qtbot, tmp_path: Path
) -> None:
    window, start = analysed, analysed.start_page
    dialogs.project = tmp_path / "study.clcd"
    save(window, qtbot)
    gone = tmp_path / "gone.csv"
    rows = start.recent_rows
    window.settings.add_recent_file(gone)
    assert start.recent_rows == rows, "nobody sees them"
    with qtbot.waitSignal(window.session.files.recent_seen):
        window.commands.actions.close.trigger()
    first, second, *_ = start.recent_rows
    assert first.accessibleDescription() == f"The file is no longer there: {tmp_path}"
    picture = second._picture
    assert picture is not None and picture.size() == 2 * PICTURE_SIZE
    colours = {picture.toImage().pixelColor(x, y).name() for x in range(192) for y in range(120)}
    assert {LIGHT.label, LIGHT.common, LIGHT.label_specific} <= colours
    QTest.mouseClick(first.remove, Qt.MouseButton.LeftButton)
    assert gone not in window.settings.recent_files
    assert [row.path for row in start.recent_rows] == list(window.settings.recent_files)


def test_nodes_and_views_are_where_they_were_left(
    analysed: MainWindow,
    opened: Callable[[Path], MainWindow],
    dialogs: AnsweringDialogs,
    qtbot,
    tmp_path: Path,
) -> None:
    window, document = analysed, analysed.session.document
    results = window.page("results")
    results.tabs.setCurrentWidget(results.graph)
    graph = results.graph
    qtbot.waitUntil(lambda: bool(graph.view.graph.nodes))
    dialogs.project = tmp_path / "study.clcd"
    save(window, qtbot)
    before = graph.view.graph.positions()
    name, node = next((name, item) for name, item in graph.view.graph.nodes.items() if item.isVisible())
    port, target = graph.view.viewport(), QPoint(60, 40)
    start = graph.view.mapFromScene(node.pos())
    drag(port, start, start + target)
    after = graph.view.graph.positions()
    assert after[name] != before[name] and document.presentation.places == {name: after[name]}
    assert document.is_modified and document.undo_stack.undoText() == f"move “{name}”"
    window.commands.actions.menus["Edit"].actions()[0].trigger()
    assert not document.is_modified
    qtbot.waitUntil(lambda: graph.view.graph.positions()[name] == pytest.approx(before[name]))
    document.undo_stack.redo()
    qtbot.waitUntil(lambda: graph.view.graph.positions()[name] == after[name])
    save(window, qtbot)
    window.commands.actions.close.trigger()
    opened(tmp_path / "study.clcd")
    assert window.navigation.step == "results" and results.tabs.currentWidget() is graph
    qtbot.waitUntil(lambda: graph.view.graph.positions().get(name) == after[name])
    assert not document.is_modified


def drag(port: QWidget, start: QPoint, end: QPoint) -> None:
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    for place in (start + QPoint(12, 4), (start + end) / 2, end):
        QTest.mouseMove(port, place)
        QApplication.processEvents()
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=end)


def test_undo_reaches_across_every_kind_of_step_after_a_run(analysed: MainWindow, qtbot) -> None:
    window, document = analysed, analysed.session.document
    undo, redo = window.commands.actions.menus["Edit"].actions()[:2]

    def state() -> list[object]:
        runs = [(run.name, run.note, run.is_pinned) for run in document.history.runs]
        return [*shown(window)[:6], runs, document.presentation.saved_part]

    feature = document.result.findings.all[0].feature
    run = document.history.shown.number
    steps = [
        lambda: document.set_roles([feature], Role.IGNORED),
        lambda: document.set_labels(document.analysis.dataset.labels[:2]),
        lambda: document.change_preparation("bins", 4),
        lambda: document.change_discovery("algorithm", "pcmb"),
        lambda: document.change_split(engine.RowSplit(0.5, 1), "split the rows"),
        lambda: document.change_knowledge(engine.Knowledge(), "know nothing"),
        lambda: document.prefer(None, document.analysis.preferred),
        lambda: document.history.rename(run, "first"),
        lambda: document.history.set_note(run, "a *note*"),
        lambda: document.presentation.move({feature: (1.0, 2.0)}),
        lambda: document.presentation.change_report({"title": "x"}, "name the report"),
    ]
    before = document.undo_stack.index()
    states = [state()]
    for step in steps:
        step()
        states.append(state())
        assert states[-1] != states[-2]
    assert document.undo_stack.index() == before + len(steps)
    for expected in reversed(states[:-1]):
        undo.trigger()
        assert state() == expected
    for expected in states[1:]:
        redo.trigger()
        assert state() == expected
    # Also what was done before the run.
    while document.undo_stack.canUndo():
        undo.trigger()
    assert document.analysis.dataset.labels == () and document.analysis.knowledge == engine.Knowledge()


def test_unsaved_work_is_asked_about_once(
    analysed: MainWindow, dialogs: AnsweringDialogs, qtbot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, document = analysed, analysed.session.document
    questions: list[str] = []

    def answer(_self: AnsweringDialogs, _parent: object, name: str) -> Unsaved:
        questions.append(name)
        return dialogs.unsaved

    monkeypatch.setattr(AnsweringDialogs, "ask_about_unsaved", answer)
    dialogs.unsaved = Unsaved.CANCEL
    assert not window.close() and window.isVisible()
    window.commands.actions.close.trigger()
    assert document.analysis is not None and questions == [SURVEY.name] * 2
    # Nobody says where to: nothing is closed.
    dialogs.unsaved, dialogs.project = Unsaved.SAVE, None
    window.commands.actions.close.trigger()
    assert document.analysis is not None
    # It cannot be written: nothing is closed, and the reason is said.
    dialogs.project = tmp_path / "nowhere" / "study.clcd"
    (tmp_path / "nowhere").write_text("a file")
    with qtbot.waitSignal(window.session.saving.failed):
        window.commands.actions.close.trigger()
    assert document.analysis is not None and document.is_modified
    dialogs.project = tmp_path / "study.clcd"
    with qtbot.waitSignal(document.closed):
        window.commands.actions.close.trigger()
    assert document.analysis is None and (tmp_path / "study.clcd").exists()
    count = len(questions)
    window.commands.actions.close.trigger()
    assert len(questions) == count


def test_a_project_without_a_run_opens_on_the_data(
    opened: Callable[[Path], MainWindow], dialogs: AnsweringDialogs, qtbot, small_table: Path, tmp_path: Path
) -> None:
    window = opened(small_table)
    assert not window.session.document.is_modified
    window.session.document.set_labels(["ill", "tired"])
    dialogs.project = tmp_path / "begun.clcd"
    save(window, qtbot)
    window.commands.actions.close.trigger()
    opened(tmp_path / "begun.clcd")
    assert window.navigation.step == "data" and window.session.document.analysis.dataset.labels == (
        "ill",
        "tired",
    )
    # The recent files lead to it.
    assert window.settings.recent_files[0] == tmp_path / "begun.clcd"


def test_a_damaged_project_says_so_and_leaves_what_is_open(
    opened: Callable[[Path], MainWindow], qtbot, small_table: Path, tmp_path: Path
) -> None:
    window = opened(small_table)
    broken = tmp_path / "broken.clcd"
    broken.write_bytes(b"PK\x03\x04 nothing")
    with qtbot.waitSignal(window.session.opening.failed) as failed:
        window.open_path(broken)
    assert "damaged" in failed.args[0].message
    assert window.session.document.reading.path == small_table
