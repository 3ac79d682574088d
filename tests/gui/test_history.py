"""Every run stays: named by what differs, shown again, renamed, pinned, deleted, undone and saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import engine
from clcd_gui.document.analysis import Analysis
from clcd_gui.document.column_summary import summarise_all
from clcd_gui.document.document import Document
from clcd_gui.document.history import MOST_FOLLOWING
from clcd_gui.document.project import opened_project, project_of
from engine.errors import InvalidParameter
from engine.readers.reading import Reading
from engine.table.variable import Role


@pytest.fixture(scope="module")
def network() -> engine.Dataset:
    return engine.simulate(labels=3, features=10, rows=400, seed=4).dataset


@pytest.fixture
def document(qapp, network: engine.Dataset) -> Iterator[Document]:
    new_document = Document()
    reading = Reading(network, Path("network.csv"), "delimited")
    new_document.open(reading, summarise_all(network))
    yield new_document
    new_document.deleteLater()


def search(document: Document, follows: bool = False) -> None:
    """Run what the document holds, as the window does on a thread."""
    analysis: Analysis = document.analysis
    prepared = engine.prepare(analysis.dataset, analysis.preparation)
    knowledge = None if analysis.knowledge.is_empty else analysis.knowledge
    result = engine.discover(prepared, analysis.discovery, knowledge=knowledge, split=analysis.split)
    document.set_result(result, analysis, follows)


def names(document: Document) -> list[str]:
    return [run.name for run in document.history.runs]


def test_runs_are_named_by_what_differs(document: Document, network: engine.Dataset) -> None:
    changes: list[Callable[[], None]] = [
        lambda: None,
        lambda: document.change_discovery("alpha", 0.05),
        lambda: document.change_discovery("algorithm", "pcmb"),
        lambda: document.change_discovery("alpha", 0.01),
        lambda: document.set_roles([network.features[0]], Role.IGNORED),
        lambda: document.change_split(engine.RowSplit(0.5), "split"),
        lambda: document.change_knowledge(engine.Knowledge(tiers=[network.features[1:3]]), "know"),
    ]
    for change in changes:
        change()
        search(document)
    left_out = f"without {network.features[0]}"
    assert names(document) == [
        "α 0.01",
        "α 0.05",
        "PCMB, α 0.05",
        "PCMB",
        f"{left_out}, PCMB",
        f"50 % of the rows, {left_out}, PCMB",
        f"50 % of the rows, {left_out}, PCMB, tier 1: {network.features[1]}, {network.features[2]}",
    ]
    assert document.result is document.history.runs[-1].result
    assert [run.result.settings.alpha for run in document.history.runs[:3]] == [0.01, 0.05, 0.05]
    assert all(run.started for run in document.history.runs)


def test_another_run_is_shown_and_says_what_changed_since(document: Document) -> None:
    search(document)
    document.change_discovery("alpha", 0.05)
    search(document)
    first, second = document.history.runs
    assert document.stale_reason is None and document.searched is second.searched
    levels = []
    document.result_changed.connect(lambda: levels.append(document.result.settings.alpha))
    document.history.show(first.number)
    assert levels == [0.01] and document.searched is first.searched
    assert document.stale_reason == "Significance level (α) was 0.01 and is now 0.05."
    # What is found again from the same is the same run, with what was known of it.
    stability = engine.stability(first.result.dataset, first.result.settings, resamples=2)
    document.refine_result(first.result.with_stability(stability))
    document.undo_stack.undo()
    search(document)
    assert names(document) == ["α 0.01", "α 0.05"] and document.stale_reason is None
    assert document.result.stability is stability


def test_what_is_done_with_runs_is_undone_and_done_again(document: Document) -> None:
    search(document)
    document.change_discovery("alpha", 0.05)
    search(document)
    history, stack = document.history, document.undo_stack
    first, second = (run.number for run in history.runs)
    history.rename(second, "  lenient \n look ")
    history.pin(first, True)
    history.set_note(second, "a *first* look")
    history.delete(second)
    assert names(document) == ["α 0.01"] and history.shown.number == first
    # A run that is made meanwhile stays whatever is undone.
    document.change_discovery("algorithm", "pcmb")
    search(document)
    assert names(document)[1] == "PCMB, α 0.05" and history.shown.name == names(document)[1]
    stack.undo()
    stack.undo()
    assert names(document) == ["α 0.01", "lenient look", "PCMB, α 0.05"]
    assert history.shown.number == second and document.result.settings.algorithm == "hiton-mb"
    for _ in range(3):
        stack.undo()
    assert names(document) == ["α 0.01", "α 0.05", "PCMB, α 0.05"]
    assert not any(run.is_pinned or run.note for run in history.runs)
    for _ in range(4):
        stack.redo()
    assert names(document) == ["α 0.01", "PCMB, α 0.05"] and history.runs[0].is_pinned
    with pytest.raises(InvalidParameter, match="another run is called"):
        history.rename(first, "PCMB, α 0.05")
    with pytest.raises(InvalidParameter, match="has no name"):
        history.rename(first, " ")
    while history.runs:
        history.delete(history.runs[0].number)
    assert document.result is None and document.stale_reason is None
    stack.undo()
    assert document.result is not None


def test_a_run_that_comes_back_is_looked_at_only_where_it_was(document: Document) -> None:
    for alpha in (0.01, 0.05, 0.1):
        document.change_discovery("alpha", alpha)
        search(document)
    history, stack = document.history, document.undo_stack
    first, second, third = (run.number for run in history.runs)
    numbers: list[int] = []
    history.shown_changed.connect(lambda: numbers.append(history.shown.number))
    history.delete(first)
    stack.undo()
    assert history.shown.number == third and not numbers
    history.delete(third)
    assert history.shown.number == second
    history.show(first)
    stack.undo()
    assert history.shown.number == third and numbers == [second, first, third]
    stack.redo()
    assert history.shown.number == second


def test_a_run_becomes_the_start_of_the_next_in_one_step(document: Document, network: engine.Dataset) -> None:
    search(document)
    start = document.analysis
    document.set_roles([network.features[0]], Role.IGNORED)
    document.change_discovery("alpha", 0.05)
    document.change_knowledge(engine.Knowledge(tiers=[network.features[1:3]]), "know")
    steps = document.undo_stack.count()
    document.start_from(document.history.runs[0].number)
    assert document.analysis.is_same_as(start) and document.undo_stack.count() == steps + 1
    assert document.undo_stack.undoText() == "start from “α 0.01”" and document.stale_reason is None
    document.undo_stack.undo()
    assert (
        document.analysis.discovery.alpha == 0.05 and network.features[0] in document.analysis.dataset.ignored
    )


def test_results_that_follow_a_slider_are_one_run_a_step(document: Document) -> None:
    search(document)
    for level in (0.02, 0.03, 0.05):
        document.change_discovery("alpha", level, gesture="one drag")
        search(document, follows=True)
    assert names(document) == ["α 0.01", "α 0.05"]
    document.change_discovery("alpha", 0.1, gesture="another")
    search(document, follows=True)
    assert names(document) == ["α 0.01", "α 0.05", "α 0.1"]
    # What is undone is shown again, and is no run of its own.
    document.undo_stack.undo()
    search(document, follows=True)
    assert names(document) == ["α 0.01", "α 0.05", "α 0.1"] and document.history.shown.name == "α 0.05"
    document.history.pin(document.history.shown.number, True)
    for number in range(MOST_FOLLOWING + 2):
        document.change_discovery("alpha", 0.2 + number / 1000, gesture=str(number))
        document.set_result(document.result, document.analysis, follows=True)
    assert names(document)[:2] == ["α 0.01", "α 0.05"]
    assert len(document.history.runs) == MOST_FOLLOWING + 2


def test_a_run_that_came_by_itself_stays_when_a_person_does_something_with_it(document: Document) -> None:
    search(document)
    document.change_discovery("alpha", 0.02, gesture="one drag")
    search(document, follows=True)
    number = document.history.shown.number
    document.history.keep(number)
    document.change_discovery("alpha", 0.03, gesture="one drag")
    search(document, follows=True)
    assert names(document) == ["α 0.01", "α 0.02", "α 0.03"]
    document.history.set_note(number, "what it was before")
    assert document.history.run(number).note == "what it was before"


def test_runs_are_saved_and_opened_again(document: Document, tmp_path: Path) -> None:
    search(document)
    for level in (0.05, 0.1, 0.2):
        document.change_discovery("alpha", level)
        search(document)
    history = document.history
    second, third = history.runs[1], history.runs[2]
    document.mark_saved(tmp_path / "a.clcd", document.state)
    history.show(second.number)
    assert not document.is_modified
    history.rename(second.number, "as they do")
    assert document.is_modified
    document.undo_stack.undo()
    assert not document.is_modified
    document.undo_stack.redo()
    history.set_note(second.number, "read *this*")
    history.pin(second.number, True)
    history.delete(third.number)
    notes = {(): "# The study", ("L1",): "as the ward measures it", ("F1", "L1"): "known since 1978"}
    for subject, note in notes.items():
        document.notes.write(subject, f" {note}\n")
    document.notes.write(("F2",), "nothing")
    document.undo_stack.undo()
    engine.save_project(
        tmp_path / "a.clcd",
        project_of(
            document.analysis,
            document.reading,
            document.options,
            history,
            document.presentation,
            document.notes,
        ),
    )
    again = opened_project(engine.open_project(tmp_path / "a.clcd"))
    reopened = Document()
    reopened.open(
        replace(document.reading, dataset=again.analysis.dataset), summarise_all(again.analysis.dataset)
    )
    reopened.take_project(again, tmp_path / "a.clcd")
    assert names(reopened) == ["α 0.01", "as they do", "α 0.2"] and not reopened.is_modified
    kept, shown = history.run(second.number), reopened.history.shown
    assert (shown.name, shown.note, shown.is_pinned, shown.started) == (
        kept.name,
        kept.note,
        kept.is_pinned,
        kept.started,
    )
    assert shown.result.evidence == kept.result.evidence
    assert {subject: reopened.notes.text(subject) for subject in notes} == notes
    assert reopened.notes.saved_part == document.notes.saved_part
    assert reopened.stale_reason == document.stale_reason == "Significance level (α) was 0.05 and is now 0.2."
    reopened.deleteLater()


def test_what_is_told_after_the_table_was_closed_changes_nothing(
    document: Document, network: engine.Dataset
) -> None:
    """An editor tells its value when it is left, which the closing of the table may bring about."""
    search(document)
    analysis, number = document.analysis, document.history.shown.number
    was_run = document.history.run(number)
    document.close()
    document.history.take([was_run], was_run.name)
    analyses: list[object] = []
    document.analysis_changed.connect(lambda: analyses.append(document.analysis))
    document.change_preparation("missing", "imputed")
    document.change_discovery("alpha", 0.02, "drag")
    document.change_split(engine.RowSplit(), "split the rows")
    document.change_split_setting("share", 0.3)
    document.change_knowledge(engine.Knowledge(), "know")
    document.change_recipe(analysis.recipe, "make steps")
    document.change(analysis, "change all")
    document.set_roles(network.features[:1], Role.IGNORED)
    document.set_labels(network.labels[:1])
    document.prefer(network.features[0], [])
    document.start_from(number)
    assert analyses == [] and document.analysis is None and document.undo_stack.count() == 0


def test_a_choice_that_changes_no_result_is_undone_with_all_of_its_ticks(document: Document) -> None:
    before = document.analysis.discovery.workers
    document.change_discovery("workers", 2)
    document.change_discovery("workers", 3)
    assert document.undo_stack.count() == 1 and document.analysis.discovery.workers == 3
    document.undo_stack.undo()
    assert document.analysis.discovery.workers == before
    document.undo_stack.redo()
    document.change_discovery("workers", before)
    assert document.undo_stack.count() == 0, "what comes back to where it began is no step"
