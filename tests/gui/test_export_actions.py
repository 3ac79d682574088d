"""Exports by their menu, read back by other programs' readers."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import networkx
import openpyxl
import pytest
from defusedxml import ElementTree
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from clcd_gui.document.examples import examples
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.results.results_page import ResultsPage
from clcd_gui.style.themes import Scheme, ThemeSwitcher
from clcd_gui.widgets.chart_panel import ChartPanel
from clcd_gui.widgets.dialogs import SAVE_FOLDER, Dialogs, ExportDialogs, KnowledgeDialogs, documents_folder
from engine.discovery.result import DiscoveryResult
from engine.reporting.export_formats import export_formats
from engine.reporting.result_file import read_result
from tests.gui.results_factory import SHAPES, make_result, music_names, with_repetitions
from tests.gui.workspaces import make_workspace, show_result
from tests.with_each import with_each

# Sizes of findings are not measured in the window.
OF_EFFECTS = frozenset(
    name for name, export_format in export_formats().items() if export_format.needs_effects
)
# Labels of these results do not go together.
OF_GROUPS = frozenset(name for name, export_format in export_formats().items() if export_format.needs_groups)
# Nor does a result that no file was read for tell where it came from.
OF_ORIGIN = frozenset(name for name, export_format in export_formats().items() if export_format.needs_origin)


class AnsweringExportDialogs(ExportDialogs):
    """Takes the suggested name, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.suggested: list[Path] = []
        self.replaces = True
        self.asked_about: list[str] = []

    def choose_file(self, parent: QWidget, title: str, suggested: Path) -> Path | None:
        self.suggested.append(suggested)
        return self.folder / suggested.name

    def choose_folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        return self.folder

    def may_replace(self, parent: QWidget | None, paths: Sequence[Path]) -> bool:
        self.asked_about = [path.name for path in paths]
        return self.replaces


class Exporting:
    def __init__(self, qtbot, folder: Path, result: DiscoveryResult) -> None:
        self.qtbot = qtbot
        self.workspace = make_workspace()
        self.page = ResultsPage(self.workspace)
        qtbot.addWidget(self.page)
        self.page.resize(1000, 700)
        self.page.export_actions.dialogs = AnsweringExportDialogs(folder)
        show_result(self.workspace, result)
        with qtbot.waitExposed(self.page):
            self.page.show()

    def run(self, name: str) -> tuple[Path, ...]:
        actions = self.page.export_actions
        with self.qtbot.waitSignal(actions.written, timeout=120_000) as signal:
            actions.actions_by_name[name].trigger()
        return signal.args[0]


@pytest.fixture
def result() -> DiscoveryResult:
    return with_repetitions(SHAPES["usual"]())


@pytest.fixture
def exporting(qtbot, tmp_path: Path, result: DiscoveryResult) -> Exporting:
    return Exporting(qtbot, tmp_path, result)


def test_the_menu_offers_every_format_of_the_registry(exporting: Exporting) -> None:
    names = set(exporting.page.export_actions.actions_by_name)
    assert set(export_formats()) <= names
    assert {"folder", "graph.png", "graph.svg", "graph.pdf", "grid.png", "grid.svg", "grid.pdf"} <= names


def test_without_a_result_nothing_can_be_exported(qtbot) -> None:
    page = ResultsPage(make_workspace())
    qtbot.addWidget(page)
    assert not any(action.isEnabled() for action in page.export_actions.actions_by_name.values())


def test_without_repetitions_their_table_cannot_be_exported(exporting: Exporting) -> None:
    # Of a table of its own: that of the same table would be the run that was repeated.
    show_result(exporting.workspace, make_result(features=music_names()))
    enabled = {
        name for name, action in exporting.page.export_actions.actions_by_name.items() if action.isEnabled()
    }
    assert set(export_formats()) - enabled == {"stability", *OF_EFFECTS, *OF_GROUPS, *OF_ORIGIN}
    assert "stability.csv" not in {path.name for path in exporting.run("folder")}


@pytest.mark.usefixtures("nothing_is_drawn_here")
@with_each("name", [name for name in export_formats() if name not in OF_EFFECTS | OF_GROUPS | OF_ORIGIN])
def test_every_format_is_written_and_announced(exporting: Exporting, tmp_path: Path, name: str) -> None:
    """What large libraries make is made by another process."""
    exporting.page.export_actions.dialogs.folder = tmp_path / name
    (tmp_path / name).mkdir()
    (path,) = exporting.run(name)
    assert path.stat().st_size > 0
    assert path.suffix == export_formats()[name].extension
    assert path.name in exporting.page.export_notice.text
    assert [sibling.name for sibling in path.parent.iterdir()] == [path.name]


def test_csv_and_workbook_hold_the_findings(exporting: Exporting, result: DiscoveryResult) -> None:
    (path,) = exporting.run("common")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["feature"] for row in rows] == list(result.common["feature"])
    (path,) = exporting.run("tables")
    book = openpyxl.load_workbook(path, read_only=True)
    cells = {str(cell) for sheet in book for row in sheet.values for cell in row if cell is not None}
    book.close()
    assert set(result.label_sets) <= cells


def test_graphml_is_read_by_networkx(exporting: Exporting, result: DiscoveryResult) -> None:
    (path,) = exporting.run("graph")
    graph = networkx.read_graphml(path)
    names = {data.get("name") or data.get("label") for _, data in graph.nodes(data=True)}
    assert set(result.label_sets) <= names
    assert set(result.dataset.labels) <= names


def test_json_is_read_back(exporting: Exporting, result: DiscoveryResult) -> None:
    (path,) = exporting.run("result")
    again = read_result(path, result.dataset)
    assert again.label_sets == result.label_sets


@pytest.mark.usefixtures("nothing_is_drawn_here")
def test_a_folder_holds_everything(exporting: Exporting) -> None:
    paths = exporting.run("folder")
    written = [
        export_format
        for name, export_format in export_formats().items()
        if name not in OF_EFFECTS | OF_GROUPS
    ]
    standard = {export_format.file_name for export_format in written if export_format.standard}
    assert standard <= {path.name for path in paths}
    assert all(path.stat().st_size > 0 for path in paths)


def test_a_folder_is_asked_about_before_files_in_it_are_replaced(
    exporting: Exporting, tmp_path: Path
) -> None:
    (tmp_path / "common.csv").write_text("a person's own")
    actions = exporting.page.export_actions
    actions.dialogs.replaces = False
    actions.actions_by_name["folder"].trigger()
    assert actions.dialogs.asked_about == ["common.csv"]
    assert not actions._lane.is_busy
    assert [path.name for path in tmp_path.iterdir()] == ["common.csv"]
    assert (tmp_path / "common.csv").read_text() == "a person's own"


@pytest.mark.parametrize("replaces", [True, False])
@pytest.mark.parametrize(
    ("dialogs", "choose", "ending"),
    [
        (ExportDialogs(), lambda it: it.choose_file(None, "Common variables", Path("common.csv")), ".csv"),
        (Dialogs(), lambda it: it.choose_project_to_save(None, Path("common.clcd")), ".clcd"),
        (KnowledgeDialogs(), lambda it: it.choose_to_write(None), ".json"),
    ],
)
def test_a_name_is_asked_about_once_its_ending_is_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dialogs: Any, choose: Any, ending: str, replaces: bool
) -> None:
    there = tmp_path / f"mine{ending}"
    there.write_text("a person's own")
    questions = []

    def answer(_parent: QWidget | None, paths: Sequence[Path]) -> bool:
        questions.append(paths)
        return replaces

    monkeypatch.setattr(dialogs, "may_replace", answer)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    assert choose(dialogs) == (there if replaces else None)
    assert questions == [[there]]
    # The dialog of the system has asked about this one, and there is nothing to ask about the next.
    for name in (there, tmp_path / f"other{ending}"):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, name=name: (str(name), ""))
        assert choose(dialogs) == name
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "other"), ""))
    assert choose(dialogs) == tmp_path / f"other{ending}"
    assert len(questions) == 1


def test_all_dialogs_that_save_begin_in_one_folder(
    exporting: Exporting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialogs = exporting.page.export_actions.dialogs
    folder, elsewhere = tmp_path / "study", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    dialogs.folder = elsewhere
    suggested: list[Path] = []

    def refuse(_parent: QWidget | None, _title: str, path: str, *_: str) -> tuple[str, str]:
        suggested.append(Path(path))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", refuse)
    SAVE_FOLDER.begin(folder / "clinic.csv")
    exporting.run("report")
    assert dialogs.suggested[-1].parent == folder
    SAVE_FOLDER.begin(folder / "clinic.csv")  # it is read again
    chart = ChartPanel("accuracy", exporting.workspace.session.controller.drawing, "", ExportDialogs())
    exporting.qtbot.addWidget(chart)
    chart._choose_file("Chart", "accuracy.svg")
    KnowledgeDialogs().choose_to_write(chart)
    exporting.workspace.files.save_as(chart)
    assert [path.parent for path in suggested] == [elsewhere] * 3, "where the person put the one before"
    SAVE_FOLDER.begin(tmp_path / "next.csv")
    assert SAVE_FOLDER.path == tmp_path
    # Nothing is written into the folder of the program, nor where there is none.
    for table in (examples()[0].path, tmp_path / "gone" / "t.csv", None):
        SAVE_FOLDER.begin(table)
        assert SAVE_FOLDER.path == documents_folder() and documents_folder().is_dir()


@pytest.mark.parametrize("picture", ["graph", "grid"])
def test_pictures_hold_names_and_legend(exporting: Exporting, picture: str, result: DiscoveryResult) -> None:
    (path,) = exporting.run(f"{picture}.svg")
    root = ElementTree.parse(path).getroot()
    assert root.tag.endswith("svg")
    words = " ".join("".join(element.itertext()) for element in root.iter() if element.tag.endswith("text"))
    for word in ("quiet-still", "direct neighbour", "interchangeable", "strength"):
        assert word in words
    (path,) = exporting.run(f"{picture}.pdf")
    assert path.read_bytes().startswith(b"%PDF-")
    (path,) = exporting.run(f"{picture}.png")
    image = QImage(str(path))
    left, top, width, height = (float(part) for part in root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    assert abs(image.width() - 3 * width) <= 3
    assert abs(image.height() - 3 * height) <= 3


@pytest.mark.parametrize("picture", ["graph", "grid"])
def test_pictures_are_light_and_calm_whatever_the_window_is(
    exporting: Exporting, qapp: QApplication, picture: str, result: DiscoveryResult
) -> None:
    (path,) = exporting.run(f"{picture}.png")
    light = QImage(str(path))
    switcher = ThemeSwitcher(qapp, Scheme.DARK)
    try:
        feature = next(iter(result.label_sets))
        exporting.page.show_pair(SelectedPair(feature, next(iter(result.label_sets[feature]))))
        (path,) = exporting.run(f"{picture}.png")
    finally:
        switcher.set_scheme(Scheme.LIGHT)
        switcher.deleteLater()
    assert light.pixelColor(1, 1) == QColor("white")
    assert QImage(str(path)) == light


@pytest.mark.parametrize("name", ["common", "graph.png", "folder"])
def test_a_place_that_cannot_be_written_is_named(qtbot, tmp_path: Path, result, name: str) -> None:
    nowhere = tmp_path / "a file"
    nowhere.write_text("in the way")
    exporting = Exporting(qtbot, nowhere, result)
    actions = exporting.page.export_actions
    with qtbot.waitSignal(actions.failed):
        actions.actions_by_name[name].trigger()
    notice = exporting.page.export_notice
    assert notice.isVisible()
    assert "a file" in notice.text
    assert nowhere.read_text() == "in the way"


def test_thinking_better_of_it_writes_nothing(qtbot, tmp_path: Path, result: DiscoveryResult) -> None:
    exporting = Exporting(qtbot, tmp_path, result)
    dialogs = exporting.page.export_actions.dialogs
    dialogs.choose_file = lambda *_: None
    dialogs.choose_folder = lambda *_: None
    for name in ("common", "graph.svg", "folder"):
        exporting.page.export_actions.actions_by_name[name].trigger()
    assert not exporting.page.export_actions._lane.is_busy
    assert list(tmp_path.iterdir()) == []


def test_the_button_opens_the_menu(exporting: Exporting, qtbot) -> None:
    menu = exporting.page.export_actions.menu
    QTest.mouseClick(exporting.page.export_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(menu.isVisible)
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not menu.isVisible())


def test_empty_pictures_say_what_to_do(qtbot, tmp_path: Path) -> None:
    exporting = Exporting(qtbot, tmp_path, SHAPES["no findings"]())
    actions = exporting.page.export_actions
    with qtbot.waitSignal(actions.failed):
        actions.actions_by_name["grid.png"].trigger()
    assert "nothing in the grid to draw" in exporting.page.export_notice.text
