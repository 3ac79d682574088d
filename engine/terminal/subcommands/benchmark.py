"""``clcd benchmark``: the paper's comparisons of CLCD, and of CLCD-FS, with other methods, run anew."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.comparison.networks.methods import methods
from engine.comparison.networks.settings import SMALL, BenchmarkSettings, cells, variants
from engine.errors import Cancelled
from engine.parameters import impossible_value
from engine.terminal.arguments import add_quiet, add_settings, given_settings
from engine.terminal.command_line import DONE
from engine.terminal.console import Console, text_table, written_lines
from engine.terminal.interruption import stop_on_request
from engine.terminal.parser import Parser, given_path
from engine.terminal.progress import TerminalProgress
from engine.terminal.subcommands.selection_comparison import (
    add_selection_arguments,
    require_no_selection,
    run_selection,
)
from engine.wording.numbers import duration_text
from engine.wording.sentences import choose_among

if TYPE_CHECKING:
    from engine.comparison.networks.result import BenchmarkResult

_LISTS: Mapping[str, Callable[[], Mapping[str, object]]] = {
    "cells": cells,
    "methods": methods,
    "variants": variants,
}


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``clcd benchmark``."""
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=given_path,
        required=True,
        help="Folder for report, tables and charts; made when absent. The same command goes on where an "
        "earlier one was interrupted.",
    )
    sizes = ", ".join(f"{value:g} {name}" for name, value in SMALL.items() if name != "budget")
    parser.add_argument(
        "--small",
        action="store_true",
        help=f"For a quick look: {sizes}, {SMALL['budget']:g} processor seconds at most. Options win.",
    )
    helps = {
        "cells": "Kinds of networks: the paper's as p_c/p_m, and some with numbers",
        "methods": "Methods to compare",
        "variants": "Settings to compare them under",
    }
    for name, help_text in helps.items():
        known, default = ",".join(_LISTS[name]()), ",".join(getattr(BenchmarkSettings(), name))
        sentences = [
            f"{help_text}, separated by commas.",
            *([] if known == default else [choose_among(_LISTS[name]())]),
            f"Default: {default}.",
        ]
        parser.add_argument(f"--{name}", metavar="LIST", help=" ".join(sentences))
    add_settings(parser, BenchmarkSettings, "the networks and the budget")
    add_selection_arguments(parser)
    add_quiet(parser)


def run(arguments: Namespace, console: Console) -> int:
    """Run ``clcd benchmark``."""
    if arguments.selection:
        return run_selection(arguments, console)
    require_no_selection(arguments)
    from engine.comparison.networks.files import file_paths
    from engine.comparison.networks.run import benchmark

    settings = _settings(arguments)
    with stop_on_request() as interruption:
        progress = TerminalProgress(console.is_watched, interruption.is_requested)
        try:
            result = benchmark(settings, arguments.out, progress)
        finally:
            progress.close()
    if not result.outcomes:
        raise Cancelled("the comparison was stopped before a search was finished.")
    if not arguments.quiet:
        for line in _lines(result, file_paths(arguments.out)):
            console.say(line)
    return interruption.exit_status if interruption.is_requested() else DONE


def _settings(arguments: Namespace) -> BenchmarkSettings:
    chosen = {
        name: _names(getattr(arguments, name), name, known())
        for name, known in _LISTS.items()
        if getattr(arguments, name) is not None
    }
    return given_settings(arguments, BenchmarkSettings, **(SMALL if arguments.small else {}), **chosen)


def _names(text: str, option: str, known: Collection[str]) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    for name in names:
        if name not in known:
            raise impossible_value(name, f"--{option}", choose_among(known))
    return names


def _lines(result: BenchmarkResult, paths: tuple[Path, ...]) -> Iterator[str]:
    from engine.comparison.networks.report import caution_sentences, verdict_sentences

    if result.is_partial:
        yield f"Stopped: {len(result.outcomes):,} of {result.planned:,} searches are done."
        yield ""
    yield from verdict_sentences(result)
    for variant in result.settings.variants:
        yield ""
        yield f"{variants()[variant].title}: precision / recall (F1), and seconds on the clock"
        header = ["networks", *(methods()[name].title for name in result.settings.methods)]
        yield from text_table(header, list(_rows(result, variant)))
    yield ""
    yield from (f"Note: {sentence}" for sentence in caution_sentences(result)[:1])
    yield from written_lines(paths)


def _rows(result: BenchmarkResult, variant: str) -> Iterator[list[str]]:
    from engine.comparison.networks.result import summarise

    for cell in result.settings.cells:
        row = [cells()[cell].title]
        for method in result.settings.methods:
            found = summarise(result, cell, variant, method)
            if found.precision is None or found.recall is None or found.f1 is None:
                row.append("cut" if found.cut else "")
                continue
            figures = [f"{found.precision.mean:.3f}/{found.recall.mean:.3f} ({found.f1.mean:.3f})"]
            if found.seconds is not None:
                figures.append(duration_text(found.seconds.mean))
            if found.cut:
                figures.append(f"{found.cut} cut")
            row.append(", ".join(figures))
        yield row
