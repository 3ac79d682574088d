"""What is not saved is kept some seconds behind, offered at the next start, and gone after a normal end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pandas
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from clcd_gui.app import make_window
from clcd_gui.document.recovery import CONTENT, RecoveryStore
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import Locked
from engine.errors import UnwritableFile
from tests.gui.conftest import AnsweringDialogs

CONTROL = Qt.KeyboardModifier.ControlModifier
BETWEEN = 0.02


def files(folder: Path) -> list[str]:
    """Return what is in a folder, of which parts may go at this moment."""
    paths = (Path(root, name) for root, _, names in os.walk(folder) for name in names)
    return sorted(str(path.relative_to(folder)) for path in paths)


@pytest.fixture
def keeping(window: MainWindow, tmp_path: Path, qtbot) -> MainWindow:
    """A window that keeps what is not saved."""
    store = RecoveryStore(tmp_path / "kept")
    with qtbot.waitSignal(window.session.autosave.left_behind_changed):
        window.session.autosave.begin(store, BETWEEN)
    return window


def left_behind(tmp_path: Path, name: str, labels: list[str], project: Path | None = None) -> RecoveryStore:
    """Leave something behind, as a window does that is killed."""
    store = RecoveryStore(tmp_path / "kept")
    frame = {"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10, "ill": [1, 0] * 20}
    dataset = engine.Dataset.from_frame(pandas.DataFrame(frame), labels=labels)
    folder = store.begin(name, project)
    engine.save_project(folder / CONTENT, engine.Project(dataset=dataset, is_data_beside=True))
    store.abandon()
    return store


def test_what_is_not_saved_is_kept_until_it_is_saved(
    keeping: MainWindow, dialogs: AnsweringDialogs, small_table: Path, tmp_path: Path, qtbot
) -> None:
    window, document, autosave = keeping, keeping.session.document, keeping.session.autosave
    with qtbot.waitSignal(window.session.opening.opened):
        window.open_path(small_table)
    assert files(tmp_path / "kept") == []
    document.set_labels(["ill"])
    qtbot.waitUntil(lambda: autosave.is_kept)
    (path,) = (tmp_path / "kept").rglob(CONTENT)
    assert engine.open_project(path).dataset.labels == ("ill",)
    (values,) = path.parent.glob("*.clcd-data")
    written = values.stat().st_ino
    document.set_labels(["ill", "tired"])
    qtbot.waitUntil(lambda: autosave.is_kept)
    assert engine.open_project(path).dataset.labels == ("ill", "tired")
    # The table did not change, and was not written again.
    assert values.stat().st_ino == written
    dialogs.project = tmp_path / "study.clcd"
    with qtbot.waitSignal(window.session.saving.saved):
        QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    qtbot.waitUntil(lambda: files(tmp_path / "kept") == [])
    # Taking back what is saved is something that is not saved.
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: autosave.is_kept and files(tmp_path / "kept") != [])
    window.close()
    assert files(tmp_path / "kept") == []


def test_what_was_left_behind_is_recovered_by_clicks(
    window: MainWindow, qtbot, tmp_path: Path, dialogs: AnsweringDialogs
) -> None:
    project = tmp_path / "study.clcd"
    left_behind(tmp_path, "study.clcd", ["ill"], project)
    left_behind(tmp_path, "visits.csv", ["a"])
    autosave = window.session.autosave
    with qtbot.waitSignal(autosave.left_behind_changed):
        autosave.begin(RecoveryStore(tmp_path / "kept"), BETWEEN)
    bar = window.recovery_bar
    assert bar.isVisible() and sorted(row.recovery.name for row in bar.rows) == ["study.clcd", "visits.csv"]
    row = next(row for row in bar.rows if row.recovery.project == project)
    with qtbot.waitSignal(window.session.opening.opened):
        QTest.mouseClick(row.recover, Qt.MouseButton.LeftButton)
    document = window.session.document
    assert document.analysis.dataset.labels == ("ill",) and document.project_path == project
    assert document.is_modified and window.windowTitle() == "study.clcd[*] – CLCD"
    assert not project.exists() and window.settings.recent_files[:1] == (project,)
    assert [row.recovery.name for row in bar.rows] == ["visits.csv"] and bar.isVisible()
    # What was left behind goes when it is whole in the folder of this window.
    qtbot.waitUntil(lambda: autosave.is_kept)
    qtbot.waitUntil(lambda: not row.recovery.folder.exists())
    QTest.mouseClick(bar.rows[0].discard, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    with qtbot.waitSignal(window.session.saving.saved):
        QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    assert engine.open_project(project).dataset.labels == ("ill",)
    qtbot.waitUntil(lambda: files(tmp_path / "kept") == [])


def test_later_leaves_it_for_the_next_start(window: MainWindow, qtbot, tmp_path: Path) -> None:
    left_behind(tmp_path, "visits.csv", ["a"])
    # Of a window that was killed before anything was whole.
    (tmp_path / "kept" / "0000").mkdir()
    (tmp_path / "kept" / "0000" / ".0123.clcd").write_bytes(b"PK")
    autosave = window.session.autosave
    with qtbot.waitSignal(autosave.left_behind_changed):
        autosave.begin(RecoveryStore(tmp_path / "kept"), BETWEEN)
    assert not (tmp_path / "kept" / "0000").exists()
    # A second window does not offer the same.
    assert RecoveryStore(tmp_path / "kept").left_behind() == ()
    QTest.mouseClick(window.recovery_bar.later, Qt.MouseButton.LeftButton)
    assert not window.recovery_bar.isVisible()
    window.close()
    again = RecoveryStore(tmp_path / "kept")
    assert [recovery.name for recovery in again.left_behind()] == ["visits.csv"]
    again.abandon()


def test_a_full_disk_takes_no_name_from_what_is_kept(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    store = RecoveryStore(tmp_path)
    (store.begin("visits.csv", None) / CONTENT).touch()
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, usual[1]))
    try:
        with pytest.raises(UnwritableFile, match="does not allow files of this size"):
            store.begin("others.csv", None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    store.abandon()
    later = RecoveryStore(tmp_path)
    assert [recovery.name for recovery in later.left_behind()] == ["visits.csv"]
    later.abandon()


def test_what_cannot_be_kept_is_said_once(
    window: MainWindow, opened: Callable[[Path], MainWindow], small_table: Path, tmp_path: Path, qtbot
) -> None:
    (tmp_path / "kept").write_text("a file has the name of the folder")
    autosave = window.session.autosave
    autosave.begin(RecoveryStore(tmp_path / "kept"), BETWEEN)
    opened(small_table)
    with qtbot.waitSignal(autosave.failed) as failed:
        window.session.document.set_labels(["ill"])
    assert failed.args[0].message
    window.session.document.undo_stack.undo()


@pytest.fixture
def second(qapp: QApplication, store, qtbot) -> MainWindow:
    new_window = make_window(qapp, store, AnsweringDialogs())
    yield new_window
    new_window.close()
    new_window.deleteLater()


def test_a_second_window_is_told_that_a_project_is_open(
    opened: Callable[[Path], MainWindow],
    second: MainWindow,
    dialogs: AnsweringDialogs,
    small_table: Path,
    tmp_path: Path,
    qtbot,
) -> None:
    window, path = opened(small_table), tmp_path / "study.clcd"
    window.session.document.set_labels(["ill"])
    dialogs.project = path
    with qtbot.waitSignal(window.session.saving.saved):
        QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    others: AnsweringDialogs = second.workspace.files._dialogs
    second.open_path(path)
    assert not second.session.controller.files.is_busy and second.session.document.analysis is None
    others.locked = Locked.READ_ONLY
    with qtbot.waitSignal(second.session.opening.opened):
        second.open_path(path)
    assert second.windowTitle() == "study.clcd (read-only)[*] – CLCD"
    second.session.document.set_labels(["tired"])
    before = path.read_bytes()
    # Saving asks for another name; over the file of the other window only if that is wanted.
    others.project = path
    second.commands.actions.save.trigger()
    assert not second.session.saving.is_busy and path.read_bytes() == before
    others.project = tmp_path / "mine.clcd"
    with qtbot.waitSignal(second.session.saving.saved):
        second.commands.actions.save.trigger()
    assert second.windowTitle() == "mine.clcd[*] – CLCD" and path.read_bytes() == before
    # The first window lets go of it; nothing is left beside it.
    window.commands.actions.close.trigger()
    others.locked = Locked.CANCEL
    with qtbot.waitSignal(second.session.opening.opened):
        second.open_path(path)
    assert second.windowTitle() == "study.clcd[*] – CLCD"
    second.close()
    assert {path.name for path in tmp_path.iterdir()} >= {"study.clcd", "mine.clcd"}
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".lock"] == []
