"""``clcd discover``: from a table to a folder with everything that was found."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.atomic import check_folder
from engine.boundaries.settings import DiscoverySettings
from engine.errors import Cancelled
from engine.exporting import export, export_formats
from engine.exporting.writing import find_format
from engine.preparation.settings import PreparationSettings
from engine.readers.reading import with_guesses
from engine.terminal.console import Console
from engine.terminal.interruption import Interruption, stop_on_request
from engine.terminal.parser import Parser
from engine.terminal.progress_bar import TerminalProgress
from engine.terminal.searching import given_preparation, searched
from engine.terminal.settings_arguments import add_settings, given_settings
from engine.terminal.stability_arguments import add_stability, given_stability
from engine.terminal.status import DONE
from engine.terminal.summary import summary_lines
from engine.terminal.table_arguments import (
    add_table_arguments,
    read_given_table,
    require_labels,
)

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.stability.settings import StabilitySettings


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``clcd discover``."""
    add_table_arguments(parser)
    add_settings(parser, PreparationSettings, "making the table ready")
    add_settings(parser, DiscoverySettings, "searching")
    add_stability(parser)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="Folder for the files; made when absent."
    )
    further = [each.name for each in export_formats().values() if not each.standard]
    output.add_argument(
        "--also",
        metavar="FORMAT",
        action="append",
        default=[],
        help=f"A further file: {', '.join(further)}. May be repeated.",
    )
    output.add_argument("--quiet", action="store_true", help="Print nothing when all is well.")


def run(arguments: Namespace, console: Console) -> int:
    """Do ``clcd discover``."""
    settings = given_settings(arguments, DiscoverySettings)
    preparation = given_preparation(arguments, settings)
    scheme = given_stability(arguments)
    for name in arguments.also:
        find_format(name)
    check_folder(arguments.out)
    reading = read_given_table(arguments)
    require_labels(arguments, reading)
    with stop_on_request() as interruption:
        result = searched(with_guesses(reading), preparation, settings, console, interruption)
        if scheme is not None and not interruption.is_requested():
            result = _repeat(result, scheme, console, interruption)
    if not result.boundaries:
        raise Cancelled("the run was stopped before a label was finished.")
    paths = export(
        result, arguments.out, preparation=preparation, source=reading.dataset, also=arguments.also
    )
    if not arguments.quiet:
        for line in summary_lines(result, paths):
            console.say(line)
    return interruption.exit_status if interruption.is_requested() else DONE


def _repeat(
    result: DiscoveryResult, scheme: StabilitySettings, console: Console, interruption: Interruption
) -> DiscoveryResult:
    """Count how often each finding comes back; after Ctrl+C, in the repetitions that were finished."""
    from engine.discovery.stability.search import stability

    progress = TerminalProgress(console.is_watched, interruption.is_requested)
    try:
        counted = stability(result.dataset, result.settings, **scheme.as_dict(), progress=progress)
    except Cancelled:
        return result
    finally:
        progress.close()
    return result.with_stability(counted)
