"""``clcd select``: from a table to few features that serve all labels, and the table cut down to them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.atomic import check_folder
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.finding_words import RULE_WORDS
from engine.errors import Cancelled
from engine.preparation.preparation_settings import PreparationSettings
from engine.readers.reading import with_guesses
from engine.reporting.selection_formats import TableLayout, export_selection, selection_formats
from engine.selection.presets import SelectionPurpose, selection_presets
from engine.terminal.arguments import (
    add_knowledge,
    add_output,
    add_preferred,
    add_quiet,
    add_settings,
    add_table_arguments,
    given_knowledge,
    given_preferred,
    given_settings,
    read_given_table,
    require_labels,
)
from engine.terminal.command_line import Parser, finished
from engine.terminal.console import Console, text_table
from engine.terminal.interruption import Interruption, shown_progress, stop_on_request
from engine.terminal.searching import given_preparation, lines_after_a_search, searched
from engine.translation import _
from engine.wording.numbers import counted
from engine.wording.phrases import plain_listing, visible
from engine.wording.sentences import MAKING_READY, NO_LABEL_FINISHED, WRITTEN_TO

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.selection.result import Selection

_MOST_ROWS = 20


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``clcd select``."""
    add_table_arguments(parser)
    add_settings(parser, SelectionPurpose, _("purpose"))
    add_settings(parser, PreparationSettings, _(MAKING_READY))
    add_settings(parser, DiscoverySettings, _("searching"))
    add_settings(parser, TableLayout, _("the reduced table"))
    add_knowledge(parser, _("It changes nothing here unless its tiers steer the search."))
    add_preferred(parser)
    add_quiet(add_output(parser))


def run(arguments: Namespace, console: Console) -> int:
    """Run ``clcd select``."""
    preset = selection_presets()[given_settings(arguments, SelectionPurpose).purpose]
    settings = given_settings(arguments, DiscoverySettings, **preset.discovery)
    preparation = given_preparation(arguments, settings, **preset.preparation)
    layout = given_settings(arguments, TableLayout)
    check_folder(arguments.out)
    reading = read_given_table(arguments)
    require_labels(arguments, reading)
    preferred = given_preferred(arguments, reading.dataset)
    knowledge = given_knowledge(arguments, settings, reading.dataset)
    with stop_on_request() as interruption:
        _, result = searched(
            with_guesses(reading),
            preparation,
            settings,
            console,
            interruption,
            knowledge=knowledge,
            directions=False,
            quiet=arguments.quiet,
        )
        # A column that was set aside is found nowhere, so that nothing can be selected instead of others.
        wanted = [feature for feature in preferred if feature in result.dataset.features]
        selection = _selected(result.with_preferred(wanted), console, interruption)
    paths = export_selection(
        selection, arguments.out, preparation=preparation, source=reading.dataset, layout=layout
    )
    return finished(arguments, console, interruption, _summary(selection, paths))


def _selected(result: DiscoveryResult, console: Console, interruption: Interruption) -> Selection:
    """Select from what was found; after a stop, from the labels that were finished."""
    from engine.selection.select import selection_of

    if not result.boundaries:
        raise Cancelled(_(NO_LABEL_FINISHED))
    if result.is_partial:
        return selection_of(result)
    with shown_progress(console, interruption) as progress:
        return selection_of(result, progress)


def _summary(selection: Selection, paths: Sequence[Path]) -> Iterator[str]:
    if selection.is_partial:
        yield _(
            "The run was stopped: only {labels} of {all:,} took part.",
            labels=counted(len(selection.boundaries), "label"),
            all=len(selection.dataset.labels),
        )
    yield _(
        "{features} of {all:,} selected: {common:,} for several labels and {label_specific:,} for one.",
        features=counted(len(selection.features), "feature"),
        all=len(selection.dataset.features),
        common=len(selection.common),
        label_specific=len(selection.label_specific),
    )
    yield from _feature_lines(selection)
    without = [label for label in selection.boundaries if not selection.features_of(label)]
    if without:
        yield visible(_("No feature carries information about {labels}.", labels=plain_listing(without, 10)))
    yield from lines_after_a_search(selection.dataset)
    written = [path.name for path in paths]
    left_out = [
        selection_format.file_name
        for selection_format in selection_formats().values()
        if selection_format.file_name not in written
    ]
    if left_out:
        yield _("The reduced table is too large for {files}.", files=plain_listing(left_out))
    yield _(WRITTEN_TO, folder=paths[0].parent, files=plain_listing(written))


def _feature_lines(selection: Selection) -> Iterator[str]:
    shown = selection.features[:_MOST_ROWS]
    if not shown:
        return
    rows = []
    for feature in shown:
        labels = selection.labels_of(feature)
        rules = dict.fromkeys(_(RULE_WORDS[reason.rule]) for reason in selection.reasons[feature])
        others = dict.fromkeys([*selection.stands_for(feature), *selection.alternatives_to(feature)])
        rows.append([feature, f"{len(labels):,}", ", ".join(labels), "; ".join(rules), ", ".join(others)])
    yield ""
    header = [_("selected feature"), _("labels"), _("which"), _("as"), _("instead of")]
    yield from text_table(header, rows, right=[_("labels")])
    if len(selection.features) > len(shown):
        yield _("… and {count:,} more in selection.csv.", count=len(selection.features) - len(shown))
