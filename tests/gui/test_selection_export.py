"""Selected features taken away: the dialog says what will be written, and that is what is in the files."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

import engine
from clcd_gui.document.examples import examples
from clcd_gui.run.running import SelectingState
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import ExportDialogs, FilesDialog

LEFT = Qt.MouseButton.LeftButton
FILES = (
    "selection.json",
    "selection.csv",
    "selection_reasons.csv",
    "selected_data.csv",
    "selected_data.xlsx",
    "selected_data.arff",
    "selected_data.xml",
)
PICTURES = ("selection_grid.png", "selection_grid.svg", "selection_grid.pdf")


class _IntoFolder(ExportDialogs):
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.replaces = True
        self.asked_about: list[str] = []

    def choose_folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        return self.folder

    def may_replace(self, parent: QWidget | None, paths: Sequence[Path]) -> bool:
        self.asked_about = [path.name for path in paths]
        return self.replaces


@pytest.fixture
def selected(opened: Callable[[Path], MainWindow], qtbot) -> MainWindow:
    """The window with the features selected in the bundled survey."""
    window = opened(examples()[0].path)
    document = window.session.document
    window.session.live.set_wanted(False)
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.session.running.start()
    QTest.mouseClick(window.rail.button("selection"), LEFT)
    qtbot.waitUntil(lambda: window.session.selecting.state is SelectingState.DONE, timeout=60_000)
    return window


def ask(window: MainWindow, folder: Path) -> FilesDialog:
    """Press Export… and choose a folder."""
    window.page("selection").export.dialogs = _IntoFolder(folder)
    QTest.mouseClick(window.page("selection").export_button, LEFT)
    dialog = window.page("selection").export.dialog
    assert dialog.isVisible()
    QTest.mouseClick(dialog.choose, LEFT)
    assert str(folder) in dialog.folder_line.toolTip()
    return dialog


def write(window: MainWindow, qtbot, dialog: FilesDialog) -> tuple[Path, ...]:
    with qtbot.waitSignal(window.page("selection").export.written, timeout=60_000) as signal:
        QTest.mouseClick(dialog.write_button, LEFT)
    return signal.args[0]


@pytest.mark.usefixtures("nothing_is_drawn_here")
def test_what_is_said_is_what_is_written(selected: MainWindow, qtbot, tmp_path: Path) -> None:
    folder = tmp_path / "new folder"
    dialog = ask(selected, folder)
    rows = engine.read_dataset(examples()[0].path).row_count
    labels = examples()[0].path.with_suffix(".xml").read_text(encoding="utf-8").count("<label ")
    count = len(selected.session.document.feature_selection.features)
    assert f"{count} selected features and {labels} labels only ({rows} rows)" in dialog.size_line.text()
    assert dialog.note.text() == "CLCD will make the folder."
    assert dialog.write_button.text() == f"Write {len(FILES)} files"
    for name in PICTURES:
        dialog.files.box(name).setChecked(True)
    assert dialog.write_button.text() == f"Write {len(FILES) + len(PICTURES)} files"
    paths = write(selected, qtbot, dialog)
    assert {path.name for path in paths} == {*FILES, *PICTURES}
    assert {path.name for path in folder.iterdir()} == {*FILES, *PICTURES}
    assert all(path.stat().st_size for path in folder.iterdir())
    assert (folder / "selection_grid.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert (folder / "selection_grid.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "selection_grid.pdf").read_bytes().startswith(b"%PDF")
    notice = selected.page("selection").notice
    assert notice.isVisible()
    assert str(folder) in notice.text


def test_the_reduced_table_holds_the_values_that_were_read(
    selected: MainWindow, qtbot, tmp_path: Path
) -> None:
    write(selected, qtbot, ask(selected, tmp_path))
    selection = selected.session.document.feature_selection
    original = engine.read_dataset(examples()[0].path).frame
    labels = list(selection.dataset.labels)
    chosen = [name for name in original.columns if name in selection.features]
    with (tmp_path / "selected_data.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [*chosen, *labels]
    assert len(rows) == len(original)
    for name in (*chosen, *labels):
        assert [bool(row[name]) for row in rows] == original[name].notna().tolist()
        for row, value in zip(rows, original[name], strict=True):
            assert not row[name] or row[name] == str(value) or float(row[name]) == float(value)
    sheet = openpyxl.load_workbook(tmp_path / "selected_data.xlsx", read_only=True)["Data"]
    assert [cell.value for cell in next(sheet.iter_rows())] == [*chosen, *labels]
    again = engine.read_dataset(tmp_path / "selected_data.arff")
    assert again.labels == tuple(labels)
    assert set(again.features) == set(selection.features)
    with (tmp_path / "selection_reasons.csv").open(encoding="utf-8-sig", newline="") as file:
        written = {(row["feature"], row["label"], row["rule"]) for row in csv.DictReader(file)}
    assert written == {
        (reason.feature, reason.label, str(reason.rule))
        for reasons in selection.reasons.values()
        for reason in reasons
    }
    content = json.loads((tmp_path / "selection.json").read_text(encoding="utf-8"))
    assert content["settings"]["preparation"] is not None


def test_only_what_is_ticked_is_written_and_it_is_remembered(
    selected: MainWindow, qtbot, tmp_path: Path
) -> None:
    dialog = ask(selected, tmp_path)
    for name in ("selection", "features", "reasons", "data-excel", "data-arff", "data-labels"):
        dialog.files.box(name).setChecked(False)
    assert dialog.write_button.text() == "Write 1 file"
    selected.page("selection").export.form.edited.emit("label_position", "first")
    assert [path.name for path in write(selected, qtbot, dialog)] == ["selected_data.csv"]
    first = (tmp_path / "selected_data.csv").read_text(encoding="utf-8-sig").splitlines()[0]
    assert first.startswith(selected.session.document.analysis.dataset.labels[0])
    again = ask(selected, tmp_path)
    assert again.write_button.text() == "Write 1 file"
    assert again.note.text() == "This folder already has selected_data.csv. They will be replaced."
    again.files.box("data").setChecked(False)
    assert not again.write_button.isEnabled()
    assert again.note.text() == "Tick at least one file."
    QTest.mouseClick(again.cancel, LEFT)
    assert selected.page("selection").export.dialog is None


def test_a_grid_that_shows_nothing_is_not_offered_as_a_picture(selected: MainWindow, tmp_path: Path) -> None:
    selected.page("selection").grid.panel.filter_box.setText("nothing is called so")
    dialog = ask(selected, tmp_path)
    for name in PICTURES:
        assert not dialog.files.box(name).isEnabled()
        assert "filter" in dialog.files.box(name).toolTip()
    QTest.mouseClick(dialog.cancel, LEFT)


def test_a_failure_is_named_and_nothing_is_half_written(selected: MainWindow, qtbot, tmp_path: Path) -> None:
    in_the_way = tmp_path / "taken"
    in_the_way.write_text("a file, not a folder", encoding="utf-8")
    dialog = ask(selected, in_the_way)
    with qtbot.waitSignal(selected.page("selection").export.failed):
        QTest.mouseClick(dialog.write_button, LEFT)
    assert "taken" in selected.page("selection").notice.text
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(("sel", "taken"))] == ["taken"]


def test_the_key_of_export_asks_here_and_the_dialog_goes_with_the_selection(
    selected: MainWindow, qtbot
) -> None:
    QTest.keyClick(selected, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    dialog = selected.page("selection").export.dialog
    assert dialog.isVisible()
    document = selected.session.document
    document.set_result(document.result.with_stability(None), document.searched)
    qtbot.waitUntil(lambda: selected.session.selecting.state is SelectingState.DONE, timeout=60_000)
    assert selected.page("selection").export.dialog is None
