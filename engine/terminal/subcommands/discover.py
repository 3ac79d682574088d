"""``clcd discover``: from a table to a folder with everything that was found."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.atomic import check_folder
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.finding_words import found_again_text
from engine.discovery.label_groups import group_of
from engine.errors import Cancelled
from engine.preparation.preparation_settings import PreparationSettings
from engine.readers.options import ReadingOptions
from engine.readers.reading import with_guesses
from engine.recipe import Recipe, read_recipe
from engine.reporting.export_formats import export, export_formats, find_format
from engine.reporting.report import chosen_parts, report_parts
from engine.reporting.sentences.directions import direction_sentences, grade_sentences
from engine.reporting.sentences.links import group_sentences, through_sentences
from engine.reporting.sentences.overview import run_sentences, summary_sentences
from engine.reporting.sentences.stability import stability_sentences
from engine.reporting.tables import ExportOptions, TableOrigin
from engine.terminal.arguments import (
    add_knowledge,
    add_output,
    add_preferred,
    add_quiet,
    add_repeated,
    add_settings,
    add_split,
    add_stability,
    add_table_arguments,
    given_knowledge,
    given_preferred,
    given_settings,
    given_split,
    given_stability,
    read_given_table,
    require_labels,
)
from engine.terminal.command_line import Parser, finished, naming_options
from engine.terminal.console import Console, text_table
from engine.terminal.interruption import Interruption, shown_progress, stop_on_request
from engine.terminal.searching import given_preparation, lines_after_a_search, searched
from engine.translation import _
from engine.wording.phrases import plain_listing, visible
from engine.wording.sentences import MAKING_READY, NO_LABEL_FINISHED, WRITTEN_TO

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.stability.result import StabilitySettings
    from engine.readers.reading import Reading
    from engine.recipe.table_steps import Score
    from engine.table.dataset import Dataset


_MOST_ROWS = 10


def summary_lines(result: DiscoveryResult, paths: Sequence[Path]) -> Iterator[str]:
    """Say what was found, what to know about the data, and where the files are."""
    yield from map(visible, summary_sentences(result))
    yield from map(visible, direction_sentences(result))
    yield from map(visible, grade_sentences(result))
    yield from map(visible, group_sentences(result)[:_MOST_ROWS])
    through = through_sentences(result) if result.counts_through_labels else ()
    yield from map(visible, through[:_MOST_ROWS])
    if len(through) > _MOST_ROWS:
        yield _(
            "… and {count:,} more links through other labels in links.csv.", count=len(through) - _MOST_ROWS
        )
    yield from map(visible, run_sentences(result))
    yield from map(visible, stability_sentences(result))
    yield from _common_lines(result)
    yield from lines_after_a_search(result.dataset)
    yield _(
        WRITTEN_TO,
        folder=paths[0].parent,
        files=plain_listing([path.name for path in paths]),
    )


def _common_lines(result: DiscoveryResult) -> Iterator[str]:
    findings = result.counted_findings
    common = findings.common
    if not common:
        return
    file = "links.csv" if findings.links_through_labels else "common.csv"
    repeated = result.stability is not None
    rows = [
        [
            finding.feature,
            f"{finding.strength:.2f}",
            *([found_again_text(finding.found_again)] if repeated else []),
            f"{len(finding.labels):,}",
            ", ".join(finding.labels),
        ]
        for finding in common[:_MOST_ROWS]
    ]
    header = [_("strength"), *([_("found again")] if repeated else []), _("labels")]
    yield ""
    yield from text_table([_("common variable"), *header, _("which")], rows, header)
    if len(common) > len(rows):
        yield _("… and {count:,} more in {file}.", count=len(common) - len(rows), file=file)


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``clcd discover``."""
    add_table_arguments(parser)
    add_settings(parser, PreparationSettings, _(MAKING_READY))
    add_settings(parser, DiscoverySettings, _("searching"))
    add_stability(parser)
    add_split(parser)
    add_knowledge(parser, _("It settles directions."))
    add_preferred(parser)
    parser.add_argument_group(_("links through other labels")).add_argument(
        "--links-through-labels",
        action=argparse.BooleanOptionalAction,
        # Else argparse, in some versions of Python, adds the default in its own words.
        default=argparse.SUPPRESS,
        help=_(
            "Count links through other labels in the summary and the report. The files common.csv and "
            "label_specific.csv hold direct links alone either way; links.csv holds both. Default: yes."
        ),
    )
    parser.set_defaults(links_through_labels=True)
    add_repeated(
        parser.add_argument_group(_("labels that go together")),
        "--as-one-outcome",
        "A,B",
        _(
            "Names of labels, separated by commas, to search as one outcome. Their score, the mean "
            "of their standardised values, replaces them as the label. May be repeated."
        ),
    )
    output = add_output(parser)
    further = ", ".join(
        export_format.name for export_format in export_formats().values() if not export_format.standard
    )
    add_repeated(
        output, "--also", "FORMAT", _("A further file: {formats}. May be repeated.", formats=further)
    )
    parts = ", ".join(report_parts())
    output.add_argument(
        "--report-parts",
        metavar="PARTS",
        default="",
        help=_(
            "What the report holds, in this order, separated by commas, instead of the usual: {parts}.",
            parts=parts,
        ),
    )
    add_settings(parser, ExportOptions, _("writing files"))
    add_quiet(output)


def run(arguments: Namespace, console: Console) -> int:
    """Run ``clcd discover``."""
    settings = given_settings(arguments, DiscoverySettings)
    preparation = given_preparation(arguments, settings)
    scheme, split = given_stability(arguments), given_split(arguments)
    for name in arguments.also:
        find_format(name)
    parts = _given_parts(arguments)
    options = given_settings(arguments, ExportOptions)
    check_folder(arguments.out)
    reading = read_given_table(arguments)
    require_labels(arguments, reading)
    reading, scores = _as_one_outcome(arguments, reading)
    preferred = given_preferred(arguments, reading.dataset)
    knowledge = given_knowledge(arguments, settings, reading.dataset)
    read = with_guesses(reading)
    with stop_on_request() as interruption:
        table, result = searched(
            read,
            preparation,
            settings,
            console,
            interruption,
            split=split,
            knowledge=knowledge,
            quiet=arguments.quiet,
        )
        if scheme is not None and not interruption.is_requested():
            result = _repeat(result, scheme, console, interruption)
        if not interruption.is_requested():
            result = _measured(read, table, preparation, result, console, interruption)
    if not result.boundaries:
        raise Cancelled(_(NO_LABEL_FINISHED))
    # A column that was set aside is found nowhere, so that it leads nothing.
    result = result.with_preferred([feature for feature in preferred if feature in result.dataset.features])
    result = result.with_links_through_labels(arguments.links_through_labels)
    paths = export(
        result,
        arguments.out,
        preparation=preparation,
        source=reading.dataset,
        also=arguments.also,
        report_parts=parts,
        options=options,
        origin=_origin(arguments, reading, scores),
    )
    return finished(arguments, console, interruption, summary_lines(result, paths))


def _given_parts(arguments: Namespace) -> list[str]:
    """Return the parts of the report that were asked for, none for the usual ones."""
    parts = [name.strip() for name in arguments.report_parts.split(",") if name.strip()]
    chosen_parts(parts)
    return parts


def _as_one_outcome(arguments: Namespace, reading: Reading) -> tuple[Reading, list[Score]]:
    """Put scores in the place of labels that are to be searched as one outcome; return their steps, too."""
    dataset, steps = reading.dataset, []
    for names in arguments.as_one_outcome:
        with naming_options({"names": "--as-one-outcome"}):
            group = group_of(dataset, [name.strip() for name in names.split(",")])
            dataset = group.as_one_outcome(dataset)
        steps.append(group.score_step())
    return (replace(reading, dataset=dataset) if steps else reading), steps


def _origin(arguments: Namespace, reading: Reading, scores: Sequence[Score]) -> TableOrigin:
    """Say how the table was read, so that a script can read it again."""
    recipe = Recipe() if arguments.recipe is None else read_recipe(arguments.recipe)
    if arguments.blocks is not None:
        recipe = recipe.with_step(arguments.blocks)
    for step in scores:
        recipe = recipe.with_step(step)
    labels_path = None if reading.labels_path is None else str(reading.labels_path.resolve())
    options = given_settings(arguments, ReadingOptions)
    return TableOrigin(str(arguments.data.resolve()), options, recipe.as_plain(), labels_path=labels_path)


def _repeat(
    result: DiscoveryResult, scheme: StabilitySettings, console: Console, interruption: Interruption
) -> DiscoveryResult:
    """Count how often each finding comes back; after Ctrl+C, in the repetitions that were finished."""
    from engine.discovery.stability.search import stability

    with suppress(Cancelled), shown_progress(console, interruption) as progress:
        parts = scheme.as_dict()
        counted = stability(
            result.dataset, result.settings, **parts, progress=progress, knowledge=result.knowledge
        )
        return result.with_stability(counted)
    return result


def _measured(
    read: Dataset,
    prepared: Dataset,
    preparation: PreparationSettings,
    result: DiscoveryResult,
    console: Console,
    interruption: Interruption,
) -> DiscoveryResult:
    """Measure how large the findings are, unless Ctrl+C comes."""
    from engine.discovery.effects.all_effects import effects
    from engine.preparation.prepare import prepared_for_measuring

    with suppress(Cancelled), shown_progress(console, interruption) as progress:
        table = prepared_for_measuring(read, prepared, preparation, progress)
        return result.with_effects(effects(table, result, progress=progress))
    return result
