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


def add_arguments(parser: Parser) -> None:
    """Add no arguments: there are none."""


def run(arguments: Namespace, console: Console) -> int:
    """Run ``clcd methods``."""
    for line in _lines():
        console.say(line)
    return DONE


def _lines() -> Iterator[str]:
    known = algorithms().values()
    one = [each for each in known if not each.suits_clcd and not each.finds_several]
    for title, chosen in (
        ("Algorithms (--algorithm)", [each for each in known if each.suits_clcd]),
        ("Algorithms that do not tell neighbours from spouses (engine.markov_boundary)", one),
        (
            "Algorithms that list several boundaries of one variable (engine.markov_boundaries)",
            [each for each in known if each.finds_several],
        ),
        ("Independence tests (--test)", ci_tests().values()),
    ):
        yield from _section(title, [(each.name, each.title, each.help, each.source) for each in chosen])
    yield from _section(
        "Cutting numbers into bins (--discretise)",
        [
            (each.value, each.title, each.help, "")
            for each in parameter_of(PreparationSettings, "discretise").choices
        ],
    )
    yield from _section(
        "Files that are written (--also adds those that are not standard)",
        [
            (each.name, each.title, each.help, "Standard." if each.standard else "")
            for each in export_formats().values()
        ],
    )
    yield from _section(
        "What features are selected for (clcd select --purpose)",
        [(each.name, each.title, each.help, "") for each in selection_presets().values()],
    )
    yield from _section(
        "Files that a selection is written to (clcd select)",
        [(each.name, each.title, each.help, "") for each in selection_formats().values()],
    )
    yield "Files that are read"
    yield from (f"  {each.title} ({', '.join(each.extensions)})" for each in formats().values())


def _section(title: str, entries: Iterable[tuple[str, str, str, str]]) -> Iterator[str]:
    yield title
    for name, heading, help_text, source in entries:
        yield f"  {name}: {heading}"
        for line in (help_text, source):
            if line:
                yield f"      {line}"
    yield ""
