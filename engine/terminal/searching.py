"""What every subcommand that searches does: settings, compiling, the search itself."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.warm_up import compile_single_tests, start_compiling
from engine.independence.ci_tests import AUTO, test_named
from engine.independence.options import TableTraits, traits_of
from engine.preparation.follow_up import FOLLOW_UP
from engine.preparation.made_from_labels import MADE_FROM_LABELS, NEARLY_A_LABEL
from engine.preparation.preparation_settings import PreparationSettings
from engine.progress import ProgressEvent
from engine.terminal.arguments import given_settings, offer_lines
from engine.terminal.console import Console, TerminalProgress
from engine.terminal.interruption import Interruption, shown_progress
from engine.translation import _
from engine.wording.notes import told
from engine.wording.phrases import visible
from engine.wording.sentences import FIRST_RUN_TAKES_LONGER

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.row_split import RowSplit
    from engine.knowledge.knowledge import Knowledge
    from engine.table.dataset import Dataset


def given_preparation(
    arguments: Namespace, settings: DiscoverySettings, **fallbacks: Any
) -> PreparationSettings:
    """Leave numbers as they are when the test takes them so, unless something else was asked for."""
    if settings.test != AUTO and test_named(settings.test, has_numbers=True).takes_numbers:
        fallbacks = {**fallbacks, "discretise": "none"}
    return given_settings(arguments, PreparationSettings, **fallbacks)


def _event_lines(dataset: Dataset) -> tuple[str, ...]:
    """Say before a search which events are not known, and how to give them."""
    notes = tuple(visible(note.text) for note in dataset.event_notes)
    return (*notes, _("Give an event with --event COLUMN=LEVEL."), "") if notes else ()


_TOLD_BEFORE = (MADE_FROM_LABELS, NEARLY_A_LABEL, FOLLOW_UP)


def lines_after_a_search(dataset: Dataset) -> Iterator[str]:
    """Say what to know about the data, without what was told before the search."""
    notes = told(note for note in dataset.notes if note.topic not in _TOLD_BEFORE)
    to_know = [*notes, *offer_lines(dataset)]
    if to_know:
        yield ""
        yield _("To know about the data:")
        yield from (f"  {visible(line)}" for line in to_know)
    yield ""


def _lines_about_labels(prepared: Dataset) -> tuple[str, ...]:
    """Say before a search which features are made from labels, nearly equal to one, or times of an event."""
    notes = [note for note in prepared.notes if note.topic in _TOLD_BEFORE]
    return (*(visible(note.text) for note in notes), "") if notes else ()


def searched(
    dataset: Dataset,
    preparation: PreparationSettings,
    settings: DiscoverySettings,
    console: Console,
    interruption: Interruption,
    *,
    directions: bool = True,
    split: RowSplit | None = None,
    knowledge: Knowledge | None = None,
    quiet: bool = False,
) -> tuple[Dataset, DiscoveryResult]:
    """Make a table ready and search it, with progress; after Ctrl+C, what was finished.

    What a person should know before the search is printed, unless `quiet`.
    """
    from engine.discovery.discover import discover
    from engine.preparation import prepare

    for line in () if quiet else _event_lines(dataset):
        console.say(line)
    with shown_progress(console, interruption) as progress:
        prepared = prepare(dataset, preparation, progress=progress)
        for line in () if quiet else _lines_about_labels(prepared):
            console.say(line)
        _compile(settings, traits_of(prepared), progress)
        # Of columns that were set aside nothing is left to say.
        knowledge_left = None if knowledge is None else knowledge.restricted_to(prepared.names)
        return prepared, discover(
            prepared, settings, progress, knowledge=knowledge_left, directions=directions, split=split
        )


def _compile(settings: DiscoverySettings, traits: TableTraits, progress: TerminalProgress) -> None:
    """Compile what is needed on two cores, once the table is known: a guess would mostly miss."""
    from engine.discovery.discover import PREPARING

    compilation = start_compiling(settings, traits, only_search=True)
    if compilation is None:
        return
    try:
        progress.report(ProgressEvent(PREPARING, 0, 1, detail=_(FIRST_RUN_TAKES_LONGER)))
        compile_single_tests(settings, traits)
        compilation.wait()
    finally:
        compilation.end()
