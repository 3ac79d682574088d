"""A table that is closed takes no memory: nothing in the window holds it, or what was found in it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import engine
from clcd_gui.document.analysis import Analysis
from clcd_gui.document.column_summary import ColumnSummary, summarise_all
from clcd_gui.document.document import Document
from clcd_gui.run import live
from clcd_gui.run.controller import Controller
from clcd_gui.shell.main_window import MainWindow
from engine.discovery.result import DiscoveryResult
from engine.progress import SharedProgress
from engine.readers.reading import Reading
from engine.table.dataset import Dataset
from tests.gui.conftest import settle

# Results that tests share hold their tables.
pytestmark = pytest.mark.searches_anew


def held(kind: type) -> list[object]:
    """List what there is of a kind that holds something; an empty table stands for none."""
    gc.collect()
    there = [tracked for tracked in gc.get_objects() if type(tracked) is kind]
    return [instance for instance in there if not isinstance(instance, Dataset) or instance.row_count]


def network_and_summaries() -> tuple[Reading, tuple[ColumnSummary, ...]]:
    network = engine.simulate(labels=2, features=5, rows=60, seed=4).dataset
    return Reading(network, Path("network.csv"), "delimited"), summarise_all(network)


@pytest.fixture
def document(qapp) -> Iterator[Document]:
    new_document = Document()
    new_document.open(*network_and_summaries())
    yield new_document
    new_document.deleteLater()


def test_changes_that_go_on_with_one_another_hold_no_table(document: Document) -> None:
    for level in (0.02, 0.03, 0.04, 0.05):
        document.change_discovery("alpha", level)
    assert document.undo_stack.count() == 1 and len(held(Analysis)) == 2
    document.undo_stack.undo()
    assert document.analysis.discovery.alpha == 0.01
    document.close()
    assert not held(Analysis) and not held(Dataset)


def test_what_was_looked_at_in_a_closed_table_is_let_go(
    opened: Callable[[Path], MainWindow], qtbot, small_survey: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine it would not be searched anew as settings change.
    monkeypatch.setattr(live, "QUICK_SECONDS", 60.0)
    window = opened(small_survey)
    session = window.session
    document, controller = session.document, session.controller
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(session.running.finished):
        session.running.start()
    for step in ("results", "selection", "report", "runs"):
        window.go(step)
    qtbot.waitUntil(lambda: document.result.effects is not None)
    document.change_discovery("alpha", 0.05)
    qtbot.waitUntil(lambda: len(document.history.runs) == 2)
    window.go("report")
    qtbot.waitUntil(lambda: bool(window.page("report").preview._pictures))
    assert held(DiscoveryResult)
    window.workspace.files.close()
    lanes = (controller.live, controller.ahead, controller.sizes, controller.preview, controller.selection)
    qtbot.waitUntil(lambda: not any(lane.live_threads for lane in lanes))
    settle()
    assert not window.page("report").preview._pictures
    # On a busy machine an answer of another process, with the table in it, may still be on its way.
    qtbot.waitUntil(lambda: not any(map(held, (DiscoveryResult, Analysis, Dataset))))


def test_a_table_that_is_prepared_too_late_is_not_kept(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare, progress, controller = engine.prepare, SharedProgress(), Controller()

    def prepared(*arguments: object, **others: object) -> Dataset:
        dataset = prepare(*arguments, **others)
        # The table is closed meanwhile.
        progress.ask_to_stop()
        controller.searcher.forget()
        return dataset

    monkeypatch.setattr(engine, "prepare", prepared)
    controller.searcher._prepare(document.reading, document.analysis, progress)
    assert controller.searcher._prepared == ()
