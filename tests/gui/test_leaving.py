"""Leaving what is open while something goes on: saving, searching, reading the next table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QSpinBox

import engine
from clcd_gui.document.notes import ANALYSIS
from clcd_gui.document.project_lock import ProjectLock
from clcd_gui.run.lane import Job
from clcd_gui.run.table_reading import OpenTable
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import Locked, Unsaved
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.project.project_files import save_project
from engine.table.variable import Kind
from tests.gui.conftest import AnsweringDialogs
from tests.gui.test_gaps import gappy
from tests.gui.test_while_working import CONTROL

LABELS = ["ill", "tired"]


class Held:
    """Work of which the test says when it goes on."""

    def __init__(self) -> None:
        self.began, self._may_go_on = threading.Event(), threading.Event()

    def wait(self) -> None:
        self.began.set()
        assert self._may_go_on.wait(120), "the test never let it go on"

    def go_on(self) -> None:
        self._may_go_on.set()

    def hold(self) -> None:
        self.began.clear()
        self._may_go_on.clear()


@pytest.fixture
def held_saving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Saving is slow, as on a disk far away."""
    held = Held()

    def save_slowly(*arguments: object) -> None:
        held.wait()
        save_project(*arguments)

    monkeypatch.setattr("engine.project.project_files.save_project", save_slowly)
    yield held
    held.go_on()


@pytest.fixture
def held_reading(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Tables that are opened from now on are read slowly."""
    held = Held()
    read = OpenTable.__call__

    def read_slowly(job: Job, progress: object) -> object:
        answer = read(job, progress)
        held.wait()
        return answer

    monkeypatch.setattr(OpenTable, "__call__", read_slowly)
    yield held
    held.go_on()


@pytest.fixture
def asked_to_save(monkeypatch: pytest.MonkeyPatch, dialogs: AnsweringDialogs) -> Iterator[list[str]]:
    """Filled with the names of what a person was asked to save."""
    names: list[str] = []

    def answer(_self: AnsweringDialogs, _parent: object, name: str) -> Unsaved:
        names.append(name)
        return dialogs.unsaved

    monkeypatch.setattr(AnsweringDialogs, "ask_about_unsaved", answer)
    yield names
    dialogs.unsaved = Unsaved.DISCARD


@pytest.fixture
def labelled(opened: Callable[[Path], MainWindow], small_table: Path) -> MainWindow:
    window = opened(small_table)
    window.session.document.set_labels(LABELS)
    return window


@pytest.fixture
def next_table(small_table: Path) -> Path:
    path = small_table.with_name("next.csv")
    path.write_text("dose,ill\n" + "".join(f"{row}.5,{'yes' if row % 3 else 'no'}\n" for row in range(30)))
    return path


def is_taken(project: Path) -> bool:
    """Tell whether another window would be told that a project is open here."""
    lock = ProjectLock(project)
    is_free = lock.take()
    lock.release()
    return not is_free


def save_as_project(window: MainWindow, path: Path, dialogs: AnsweringDialogs, qtbot) -> None:
    dialogs.project = path
    with qtbot.waitSignal(window.session.saving.saved):
        QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    assert not window.session.document.is_modified


def test_a_window_that_is_closed_while_it_saves_closes_once_it_has_saved(
    labelled: MainWindow,
    dialogs: AnsweringDialogs,
    held_saving: Held,
    asked_to_save: list[str],
    tmp_path: Path,
    qtbot,
) -> None:
    dialogs.project, dialogs.unsaved = tmp_path / "study.clcd", Unsaved.CANCEL
    QTest.keyClick(labelled, Qt.Key.Key_S, CONTROL)
    assert held_saving.began.wait(120)
    labelled.close()
    assert not asked_to_save, "what is being saved need not be asked about"
    assert labelled.isVisible(), "if it cannot be saved, a person must be told"
    held_saving.go_on()
    qtbot.waitUntil(lambda: not labelled.isVisible())
    assert not asked_to_save
    assert engine.open_project(tmp_path / "study.clcd").dataset.labels == tuple(LABELS)


def test_a_window_that_is_closed_while_saving_fails_stays(
    labelled: MainWindow,
    dialogs: AnsweringDialogs,
    held_saving: Held,
    asked_to_save: list[str],
    tmp_path: Path,
    qtbot,
) -> None:
    (tmp_path / "nowhere").write_text("a file")
    dialogs.project, dialogs.unsaved = tmp_path / "nowhere" / "study.clcd", Unsaved.CANCEL
    QTest.keyClick(labelled, Qt.Key.Key_S, CONTROL)
    assert held_saving.began.wait(120)
    labelled.close()
    with qtbot.waitSignal(labelled.session.saving.failed):
        held_saving.go_on()
    assert labelled.isVisible() and labelled.session.document.is_modified and not asked_to_save
    assert "study.clcd" in labelled.page("data").notice.text


def test_what_is_changed_while_it_is_saved_is_asked_about_before_the_window_closes(
    labelled: MainWindow,
    dialogs: AnsweringDialogs,
    held_saving: Held,
    asked_to_save: list[str],
    tmp_path: Path,
    qtbot,
) -> None:
    dialogs.project, dialogs.unsaved = tmp_path / "study.clcd", Unsaved.SAVE
    QTest.keyClick(labelled, Qt.Key.Key_S, CONTROL)
    assert held_saving.began.wait(120)
    labelled.session.document.set_labels(["ill"])
    labelled.close()
    held_saving.go_on()
    qtbot.waitUntil(lambda: not labelled.isVisible())
    assert asked_to_save == ["study.clcd"]
    assert engine.open_project(tmp_path / "study.clcd").dataset.labels == ("ill",)


@pytest.mark.parametrize("answer", [Unsaved.CANCEL, Unsaved.SAVE, Unsaved.DISCARD])
def test_what_is_found_while_the_next_table_is_read_is_asked_about(
    labelled: MainWindow,
    dialogs: AnsweringDialogs,
    held_reading: Held,
    asked_to_save: list[str],
    next_table: Path,
    tmp_path: Path,
    answer: Unsaved,
    qtbot,
) -> None:
    session, project = labelled.session, tmp_path / "study.clcd"
    save_as_project(labelled, project, dialogs, qtbot)
    labelled.open_path(next_table)
    assert not asked_to_save and held_reading.began.wait(120)
    with qtbot.waitSignal(session.running.finished):
        session.running.start()
    dialogs.unsaved = answer
    held_reading.go_on()
    qtbot.waitUntil(lambda: bool(asked_to_save))
    if answer is Unsaved.CANCEL:
        assert len(session.document.history.runs) == 1 and session.document.is_modified
        assert labelled.page("results").isVisible(), "back to where one was"
        assert is_taken(project)
        return
    qtbot.waitUntil(lambda: session.document.reading.path == next_table)
    qtbot.waitUntil(labelled.page("data").isVisible)
    assert asked_to_save == ["study.clcd"] and session.document.result is None
    assert len(engine.open_project(project).runs) == (1 if answer is Unsaved.SAVE else 0)


def test_what_was_given_up_for_a_table_that_cannot_be_read_is_still_not_saved(
    labelled: MainWindow, dialogs: AnsweringDialogs, asked_to_save: list[str], tmp_path: Path, qtbot
) -> None:
    damaged = tmp_path / "damaged.clcd"
    damaged.write_bytes(b"PK\x03\x04 nothing")
    dialogs.unsaved = Unsaved.DISCARD
    with qtbot.waitSignal(labelled.session.opening.failed):
        labelled.open_path(damaged)
    assert labelled.session.document.is_modified
    dialogs.unsaved = Unsaved.CANCEL
    labelled.close()
    assert labelled.isVisible() and asked_to_save == ["small.csv"] * 2


def test_what_was_given_up_for_a_project_that_is_not_opened_is_still_not_saved(
    labelled: MainWindow, dialogs: AnsweringDialogs, asked_to_save: list[str], tmp_path: Path
) -> None:
    elsewhere = ProjectLock(tmp_path / "elsewhere.clcd")
    assert elsewhere.take()
    dialogs.unsaved, dialogs.locked = Unsaved.DISCARD, Locked.CANCEL
    labelled.open_path(elsewhere.path)
    dialogs.unsaved = Unsaved.CANCEL
    labelled.close()
    elsewhere.release()
    assert labelled.isVisible() and asked_to_save == ["small.csv"] * 2


def test_what_was_given_up_is_asked_about_once(
    labelled: MainWindow,
    dialogs: AnsweringDialogs,
    held_reading: Held,
    asked_to_save: list[str],
    next_table: Path,
    qtbot,
) -> None:
    session = labelled.session
    dialogs.unsaved = Unsaved.DISCARD
    session.running.start()
    labelled.open_path(next_table)
    assert held_reading.began.wait(120)
    qtbot.waitUntil(lambda: not session.controller.discovery.is_busy)
    dialogs.unsaved = Unsaved.CANCEL
    held_reading.go_on()
    qtbot.waitUntil(lambda: session.document.reading.path == next_table)
    qtbot.waitUntil(labelled.page("data").isVisible)
    assert asked_to_save == ["small.csv"]


@pytest.fixture
def with_work(labelled: MainWindow, qtbot) -> MainWindow:
    """With a run and a note, none of it saved."""
    with qtbot.waitSignal(labelled.session.running.finished):
        labelled.session.running.start()
    labelled.session.document.notes.write(ANALYSIS, "of the second visit")
    return labelled


def read_again(window: MainWindow, qtbot) -> None:
    """Look at how the open table was read, and open it again."""
    with qtbot.waitSignal(window.session.opening.previewed):
        window.go("data")
        QTest.mouseClick(window.page("data").reading.change, Qt.MouseButton.LeftButton)
    QTest.mouseClick(window.import_page.primary, Qt.MouseButton.LeftButton)


def test_names_of_labels_are_taken_in_one_step_that_can_be_undone(
    with_work: MainWindow, asked_to_save: list[str], dialogs: AnsweringDialogs, small_table: Path, qtbot
) -> None:
    session, document = with_work.session, with_work.session.document
    names = small_table.with_name("which.xml")
    names.write_text("<labels><label name='smoker'/></labels>", encoding="utf-8")
    dialogs.labels, reading = names, document.reading
    with qtbot.waitSignal(session.opening.labelled):
        with_work.commands.actions.labels_file.trigger()
    assert document.analysis.dataset.labels == ("smoker",) and with_work.page("data").isVisible()
    assert not asked_to_save and document.reading is reading
    document.undo_stack.undo()
    assert document.analysis.dataset.labels == tuple(LABELS)
    assert len(document.history.runs) == 1 and document.notes.text(ANALYSIS) == "of the second visit"


def test_names_that_are_no_columns_change_nothing(
    labelled: MainWindow, dialogs: AnsweringDialogs, small_table: Path, qtbot
) -> None:
    dialogs.labels = small_table.with_name("which.xml")
    dialogs.labels.write_text("<labels><label name='smocker'/></labels>", encoding="utf-8")
    with qtbot.waitSignal(labelled.session.opening.failed):
        labelled.commands.actions.labels_file.trigger()
    assert "smocker" in labelled.page("data").notice.text
    assert labelled.session.document.analysis.dataset.labels == tuple(LABELS)


def test_a_table_of_labels_is_asked_about_where_runs_would_be_lost(
    with_work: MainWindow, asked_to_save: list[str], dialogs: AnsweringDialogs, small_table: Path, qtbot
) -> None:
    document = with_work.session.document
    dialogs.labels, dialogs.unsaved = small_table.with_name("more.csv"), Unsaved.CANCEL
    dialogs.labels.write_text("worse\n" + "yes\nno\n" * 20)
    with_work.commands.actions.labels_file.trigger()
    qtbot.waitUntil(lambda: bool(asked_to_save))
    assert asked_to_save == ["small.csv"] and len(document.history.runs) == 1
    assert "worse" not in document.analysis.dataset.names
    dialogs.unsaved = Unsaved.DISCARD
    with qtbot.waitSignal(with_work.session.opening.opened):
        with_work.commands.actions.labels_file.trigger()
    assert document.analysis.dataset.labels == ("worse",)


@pytest.mark.parametrize("answer", list(Unsaved))
def test_a_table_that_is_read_otherwise_is_asked_about_where_runs_would_be_lost(
    with_work: MainWindow,
    asked_to_save: list[str],
    dialogs: AnsweringDialogs,
    tmp_path: Path,
    answer: Unsaved,
    qtbot,
) -> None:
    session, document = with_work.session, with_work.session.document
    dialogs.project, dialogs.unsaved = tmp_path / "study.clcd", answer
    reading = document.reading
    read_again(with_work, qtbot)
    qtbot.waitUntil(lambda: bool(asked_to_save))
    if answer is Unsaved.CANCEL:
        assert document.reading is reading and len(document.history.runs) == 1
        assert document.notes.text(ANALYSIS) == "of the second visit"
        return
    qtbot.waitUntil(lambda: document.reading is not reading)
    qtbot.waitUntil(lambda: not session.controller.is_busy)
    assert asked_to_save == ["small.csv"] and not document.history.runs
    # What was given up does not come back; what was saved goes on.
    assert document.analysis.dataset.labels == (tuple(LABELS) if answer is Unsaved.SAVE else ())
    if answer is Unsaved.SAVE:
        assert len(engine.open_project(tmp_path / "study.clcd").runs) == 1


def test_a_table_that_is_read_otherwise_is_not_asked_about_where_nothing_is_lost(
    labelled: MainWindow, asked_to_save: list[str], qtbot
) -> None:
    with qtbot.waitSignal(labelled.session.opening.opened):
        read_again(labelled, qtbot)
    assert labelled.session.document.analysis.dataset.labels == tuple(LABELS) and not asked_to_save


def test_a_file_that_is_looked_at_can_be_opened_after_stop(
    labelled: MainWindow, held_reading: Held, qtbot
) -> None:
    session = labelled.session
    read_again(labelled, qtbot)
    assert held_reading.began.wait(120) and not labelled.import_page.primary.isEnabled()
    session.stop()
    assert labelled.import_page.isVisible() and labelled.import_page.primary.isEnabled()
    held_reading.go_on()
    with qtbot.waitSignal(session.opening.opened):
        QTest.mouseClick(labelled.import_page.primary, Qt.MouseButton.LeftButton)


def test_what_was_given_up_does_not_come_back_with_the_same_file(
    labelled: MainWindow, asked_to_save: list[str], small_table: Path, dialogs: AnsweringDialogs, qtbot
) -> None:
    session, document = labelled.session, labelled.session.document
    session.steps.read_as(["age"], Kind.NOMINAL)
    document.change_discovery("alpha", 0.2)
    dialogs.unsaved = Unsaved.DISCARD
    with qtbot.waitSignal(session.opening.opened):
        labelled.open_path(small_table)
    analysis = document.analysis
    assert asked_to_save == ["small.csv"]
    assert not analysis.dataset.labels and not analysis.recipe.steps
    assert analysis.discovery == DiscoverySettings()
    assert not document.is_modified


def test_a_table_that_was_read_while_a_project_is_saved_waits_for_it(
    labelled: MainWindow,
    dialogs: AnsweringDialogs,
    held_reading: Held,
    held_saving: Held,
    asked_to_save: list[str],
    next_table: Path,
    tmp_path: Path,
    qtbot,
) -> None:
    session, document = labelled.session, labelled.session.document
    dialogs.project, dialogs.unsaved = tmp_path / "study.clcd", Unsaved.DISCARD
    labelled.open_path(next_table)
    assert asked_to_save == ["small.csv"] and held_reading.began.wait(120)
    QTest.keyClick(labelled, Qt.Key.Key_S, CONTROL)
    assert held_saving.began.wait(120)
    held_reading.go_on()
    qtbot.waitUntil(lambda: not session.controller.files.is_busy)
    assert document.analysis.dataset.labels == tuple(LABELS)
    with qtbot.waitSignal(session.opening.opened):
        held_saving.go_on()
    assert document.reading.path == next_table
    assert document.project_path is None, "the next save would replace the project by another table"
    assert labelled.windowTitle().startswith("next.csv") and asked_to_save == ["small.csv"]
    assert engine.open_project(tmp_path / "study.clcd").dataset.labels == tuple(LABELS)
    assert not is_taken(tmp_path / "study.clcd")


def test_a_project_is_kept_for_this_window_while_another_table_is_saved_before_it(
    labelled: MainWindow,
    dialogs: AnsweringDialogs,
    held_reading: Held,
    asked_to_save: list[str],
    opened: Callable[[Path], MainWindow],
    small_table: Path,
    tmp_path: Path,
    qtbot,
) -> None:
    session, first, second = labelled.session, tmp_path / "first.clcd", tmp_path / "second.clcd"
    save_as_project(labelled, first, dialogs, qtbot)
    labelled.commands.actions.close.trigger()
    held_reading.go_on()
    opened(small_table)
    held_reading.hold()
    labelled.open_path(first)
    assert not asked_to_save and held_reading.began.wait(120)
    session.document.set_labels(["tired"])
    dialogs.project, dialogs.unsaved = second, Unsaved.SAVE
    with qtbot.waitSignal(session.opening.opened):
        held_reading.go_on()
    assert asked_to_save == ["small.csv"] and session.document.project_path == first
    assert engine.open_project(second).dataset.labels == ("tired",)
    assert is_taken(first) and not is_taken(second)


def test_a_project_that_is_opened_while_a_table_is_read_is_this_windows_alone(
    labelled: MainWindow,
    dialogs: AnsweringDialogs,
    held_reading: Held,
    next_table: Path,
    tmp_path: Path,
    qtbot,
) -> None:
    session, project = labelled.session, tmp_path / "study.clcd"
    save_as_project(labelled, project, dialogs, qtbot)
    labelled.commands.actions.close.trigger()
    assert not is_taken(project)
    labelled.open_path(next_table)
    assert held_reading.began.wait(120)
    held_reading.go_on()
    with qtbot.waitSignal(session.opening.opened):
        labelled.open_path(project)
    assert session.document.project_path == project
    assert is_taken(project)


def test_a_level_that_is_being_typed_is_taken_over_and_asked_about(
    labelled: MainWindow, dialogs: AnsweringDialogs, asked_to_save: list[str], tmp_path: Path, qtbot
) -> None:
    session = labelled.session
    with qtbot.waitSignal(session.running.finished):
        session.running.start()
    qtbot.waitUntil(lambda: labelled.page("results").is_filled)
    save_as_project(labelled, tmp_path / "study.clcd", dialogs, qtbot)
    labelled.go("results")
    line = labelled.page("results").level_bar.line
    type_over(line, "0.02")
    assert not session.document.is_modified
    dialogs.unsaved = Unsaved.CANCEL
    labelled.commands.actions.close.trigger()
    assert asked_to_save == ["study.clcd"] and session.document.analysis.discovery.alpha == 0.02
    assert line.hasFocus(), "it can be typed on"
    # Whatever closes the table, what tells its value afterwards does no harm.
    type_over(line, "0.03")
    session.document.close()


def test_a_number_that_is_being_typed_over_gaps_does_no_harm_when_the_table_closes(
    opened: Callable[[Path], MainWindow], tmp_path: Path
) -> None:
    window = opened(gappy(tmp_path / "clinic.csv"))
    document, gaps = window.session.document, window.page("data").gaps
    document.change_preparation("missing", "imputed")
    type_over(gaps.draws, "7")
    document.close()


def type_over(box: QLineEdit | QSpinBox, text: str) -> None:
    """Type in the place of what is there, and do not leave."""
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    assert box.hasFocus()
