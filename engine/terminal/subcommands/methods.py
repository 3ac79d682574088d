"""``clcd methods``: everything that can be chosen by name, from the registries."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator

from engine.boundaries.several import algorithms
from engine.independence.ci_tests import ci_tests
from engine.parameters import parameter_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.readers.formats import formats
from engine.reporting.export_formats import export_formats
from engine.reporting.selection_formats import selection_formats
from engine.selection.presets import selection_presets
from engine.terminal.command_line import DONE, Parser
from engine.terminal.console import Console
from engine.translation import _


def add_arguments(parser: Parser) -> None:
    """Add no arguments: there are none."""


def run(arguments: Namespace, console: Console) -> int:
    """Run ``clcd methods``."""
    for line in _lines():
        console.say(line)
    return DONE


def _lines() -> Iterator[str]:
    boundary_algorithms = algorithms().values()
    one = [
        algorithm
        for algorithm in boundary_algorithms
        if not algorithm.suits_clcd and not algorithm.finds_several
    ]
    for title, chosen in (
        (
            _("Algorithms (--algorithm)"),
            [algorithm for algorithm in boundary_algorithms if algorithm.suits_clcd],
        ),
        (_("Algorithms that do not tell neighbours from spouses (engine.markov_boundary)"), one),
        (
            _("Algorithms that list several boundaries of one variable (engine.markov_boundaries)"),
            [algorithm for algorithm in boundary_algorithms if algorithm.finds_several],
        ),
        (_("Independence tests (--test)"), ci_tests().values()),
    ):
        yield from _section(
            title,
            [(algorithm.name, algorithm.title, algorithm.help, algorithm.source) for algorithm in chosen],
        )
    yield from _section(
        _("Cutting numbers into bins (--discretise)"),
        [
            (choice.value, choice.title, choice.help, "")
            for choice in parameter_of(PreparationSettings, "discretise").choices
        ],
    )
    yield from _section(
        _("Files that are written (--also adds those that are not standard)"),
        [
            (
                export_format.name,
                export_format.title,
                export_format.help,
                _("Standard.") if export_format.standard else "",
            )
            for export_format in export_formats().values()
        ],
    )
    yield from _section(
        _("What features are selected for (clcd select --purpose)"),
        [
            (selection_preset.name, selection_preset.title, selection_preset.help, "")
            for selection_preset in selection_presets().values()
        ],
    )
    yield from _section(
        _("Files that a selection is written to (clcd select)"),
        [
            (selection_format.name, selection_format.title, selection_format.help, "")
            for selection_format in selection_formats().values()
        ],
    )
    yield _("Files that are read")
    yield from (
        f"  {_(file_format.title)} ({', '.join(file_format.extensions)})"
        for file_format in formats().values()
    )


def _section(title: str, entries: Iterable[tuple[str, str, str, str]]) -> Iterator[str]:
    yield title
    for name, heading, help_text, source in entries:
        yield f"  {name}: {_(heading)}"
        for line in (_(help_text), source):
            if line:
                yield f"      {line}"
    yield ""
