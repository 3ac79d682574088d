"""``clcd benchmark``: the paper's comparisons of CLCD, and of CLCD-FS, with other methods, run anew."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.comparison.networks.benchmark_settings import SMALL, BenchmarkSettings, cells, variants
from engine.comparison.networks.methods import methods
from engine.comparison.selectors.comparison_settings import SHORT, SelectionComparisonSettings
from engine.comparison.selectors.prediction import metrics
from engine.errors import Cancelled, InvalidParameter
from engine.parameters import impossible_value, parameters_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.terminal.arguments import add_folder, add_quiet, add_settings, given_settings
from engine.terminal.command_line import Parser, finished, given_path
from engine.terminal.console import Console, text_table, written_lines
from engine.terminal.interruption import shown_progress, stop_on_request
from engine.translation import _
from engine.wording.numbers import duration_text
from engine.wording.sentences import NO_TABLE_TO_COMPARE_ON, choose_among
from engine.wording.setting_names import option_of

if TYPE_CHECKING:
    from engine.comparison.networks.result import BenchmarkResult
    from engine.comparison.selectors.result import SelectionComparison


_LISTS: Mapping[str, Callable[[], Mapping[str, object]]] = {
    "cells": cells,
    "methods": methods,
    "variants": variants,
}


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``clcd benchmark``."""
    add_folder(
        parser,
        _(
            "Folder for report, tables and charts. It is created if it does not exist. After an "
            "interruption, the same command continues."
        ),
    )
    parser.add_argument(
        "--small",
        action="store_true",
        help=_(
            "For a quick look: {labels} labels, {features} features, {rows} rows, {seeds} seeds, "
            "{budget:g} processor seconds at most. Other options override these.",
            **SMALL,
        ),
    )
    helps = {
        "cells": _("Kinds of networks: the paper's as p_c/p_m, and some with numbers, separated by commas."),
        "methods": _("Methods to compare, separated by commas."),
        "variants": _("Settings to compare them under, separated by commas."),
    }
    for name, help_text in helps.items():
        all_names, default = ",".join(_LISTS[name]()), ",".join(getattr(BenchmarkSettings(), name))
        sentences = [
            help_text,
            *([] if all_names == default else [choose_among(_LISTS[name]())]),
            _("Default: {value}.", value=default),
        ]
        parser.add_argument(f"--{name}", metavar="LIST", help=" ".join(sentences))
    add_settings(parser, BenchmarkSettings, _("the networks and the budget"))
    add_selection_arguments(parser)
    add_quiet(parser)


def run(arguments: Namespace, console: Console) -> int:
    """Run ``clcd benchmark``."""
    if arguments.selection:
        return run_selection(arguments, console)
    require_no_selection(arguments)
    from engine.comparison.networks.report import NETWORK_FILES
    from engine.comparison.networks.run import benchmark

    settings = _settings(arguments)
    with stop_on_request() as interruption, shown_progress(console, interruption) as progress:
        result = benchmark(settings, arguments.out, progress)
    if not result.outcomes:
        raise Cancelled(_("the comparison was stopped before a search was finished."))
    lines = _lines(result, NETWORK_FILES.paths(result, arguments.out))
    return finished(arguments, console, interruption, lines)


def _settings(arguments: Namespace) -> BenchmarkSettings:
    chosen = {
        name: _names(getattr(arguments, name), name, names_listed())
        for name, names_listed in _LISTS.items()
        if getattr(arguments, name) is not None
    }
    return given_settings(arguments, BenchmarkSettings, **(SMALL if arguments.small else {}), **chosen)


def _names(text: str, option: str, choices: Collection[str]) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    for name in names:
        if name not in choices:
            raise impossible_value(name, f"--{option}", choose_among(choices))
    return names


def _lines(result: BenchmarkResult, paths: tuple[Path, ...]) -> Iterator[str]:
    from engine.comparison.networks.report import caution_sentences, verdict_sentences

    if result.is_partial:
        yield _(
            "Stopped: {count:,} of {planned:,} searches are done.",
            count=len(result.outcomes),
            planned=result.planned,
        )
        yield ""
    yield from verdict_sentences(result)
    for variant in result.settings.variants:
        yield ""
        yield _(
            "{settings}: precision / recall (F1), and seconds on the clock",
            settings=_(variants()[variant].title),
        )
        header = [_("networks"), *(methods()[name].title for name in result.settings.methods)]
        yield from text_table(header, list(_rows(result, variant)))
    yield ""
    yield from (_("Note: {sentence}", sentence=sentence) for sentence in caution_sentences(result)[:1])
    yield from written_lines(paths)


def _rows(result: BenchmarkResult, variant: str) -> Iterator[list[str]]:
    from engine.comparison.networks.result import summarise

    for cell in result.settings.cells:
        row = [cells()[cell].title]
        for method in result.settings.methods:
            summary = summarise(result, cell, variant, method)
            if summary.precision is None or summary.recall is None or summary.f1 is None:
                row.append(_("cut") if summary.cut else "")
                continue
            figures = [f"{summary.precision.mean:.3f}/{summary.recall.mean:.3f} ({summary.f1.mean:.3f})"]
            if summary.seconds is not None:
                figures.append(duration_text(summary.seconds.mean))
            if summary.cut:
                figures.append(_("{count} cut", count=summary.cut))
            row.append(", ".join(figures))
        yield row


# Options that both comparisons have.
_SHARED = ("workers",)
# What a person says of empty cells; all else about making a table ready is left to the methods.
_OF_GAPS = ("missing", "imputation_seed")


def add_selection_arguments(parser: Parser) -> None:
    """Add what is asked of a comparison of selectors."""
    parser.add_argument(
        "data",
        metavar="DATA",
        type=given_path,
        nargs="*",
        help=_(
            "With --selection: files that name their labels or have a Mulan XML file beside them, folders "
            "of public data sets, or folders with such folders."
        ),
    )
    parser.add_argument(
        "--selection",
        action="store_true",
        help=_("Compare feature selectors by how well labels are predicted, instead of networks."),
    )
    parser.add_argument(
        "--percentages",
        metavar="LIST",
        help=_(
            "With --selection: how many features to judge, in percent of all, separated by commas. "
            "Default: 3,6,9,12,15,18,21,24,27,30."
        ),
    )
    add_settings(parser, SelectionComparisonSettings, _("comparing selectors (with --selection)"), _SHARED)
    others = [
        parameter.name for parameter in parameters_of(PreparationSettings) if parameter.name not in _OF_GAPS
    ]
    add_settings(parser, PreparationSettings, _("missing values (with --selection)"), others)


def require_no_selection(arguments: Namespace) -> None:
    """Raise when something was asked that only a comparison of selectors knows."""
    given = _given(arguments, SelectionComparisonSettings) + _given(arguments, PreparationSettings)
    if arguments.data or arguments.percentages is not None or given:
        others = [f"'{path}'" for path in arguments.data] + [option_of(name) for name in given]
        what = [*others, "--percentages"][0]
        raise InvalidParameter(
            _("it belongs to a comparison of selectors."),
            place=what,
            remedy=_("Add --selection, or leave it out."),
        )


def run_selection(arguments: Namespace, console: Console) -> int:
    """Run ``clcd benchmark --selection``."""
    from engine.comparison.selectors.report import SELECTOR_FILES
    from engine.comparison.selectors.run import compare_selections

    settings = _selection_settings(arguments)
    preparation = given_settings(arguments, PreparationSettings)
    with stop_on_request() as interruption, shown_progress(console, interruption) as progress:
        result = compare_selections(
            arguments.data, settings, arguments.out, progress, preparation=preparation
        )
    if not result.outcomes:
        raise Cancelled(_("the comparison was stopped before a method was finished."))
    lines = _selection_lines(result, SELECTOR_FILES.paths(result, arguments.out))
    return finished(arguments, console, interruption, lines)


def _selection_settings(arguments: Namespace) -> SelectionComparisonSettings:
    foreign = [option_of(name) for name in _given(arguments, BenchmarkSettings)]
    foreign += [f"--{name}" for name in ("cells", "variants") if getattr(arguments, name) is not None]
    if foreign:
        raise InvalidParameter(
            _("it belongs to the comparison on networks."),
            place=foreign[0],
            remedy=_("Leave it out, or leave out --selection."),
        )
    if not arguments.data:
        raise InvalidParameter(
            _(NO_TABLE_TO_COMPARE_ON),
            place="--selection",
            remedy=_("Give files or folders, e.g. 'clcd benchmark --selection emotions.arff --out DIR'."),
        )
    chosen: dict[str, object] = dict(SHORT) if arguments.small else {}
    if arguments.percentages is not None:
        chosen["percentages"] = _percentages(arguments.percentages)
    if arguments.methods is not None:
        chosen["methods"] = tuple(name.strip() for name in arguments.methods.split(",") if name.strip())
    return given_settings(arguments, SelectionComparisonSettings, **chosen)


def _given(arguments: Namespace, settings_class: type) -> list[str]:
    names = [parameter.name for parameter in parameters_of(settings_class) if parameter.name not in _SHARED]
    return [name for name in names if hasattr(arguments, name)]


def _percentages(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise InvalidParameter(
            _("{text!r} is not a list of numbers.", text=text),
            place="--percentages",
            remedy=_("Use for example 3,6,9."),
        ) from None


def _selection_lines(result: SelectionComparison, paths: tuple[Path, ...]) -> Iterator[str]:
    from engine.comparison.selectors.report import (
        FILLED_BEFORE_SPLITTING,
        caution_sentences,
        verdict_sentences,
    )

    if result.is_partial:
        yield _(
            "Stopped: {count:,} of {planned:,} cells are done.",
            count=len(result.outcomes),
            planned=result.planned,
        )
        yield ""
    header = [_("method"), *(_(metric.title) for metric in metrics().values())]
    for table in result.tables:
        done = [method for method in result.methods if result.of(table.name, method)]
        if not done:
            continue
        rows = [_row(result, table.name, method) for method in done]
        yield _("{table}: means at as many features as CLCD-FS selects", table=table.name)
        yield from text_table(header, rows)
        yield ""
    yield from verdict_sentences(result)
    yield ""
    yield from (_("Note: {sentence}", sentence=sentence) for sentence in caution_sentences(result)[:1])
    if any(table.is_filled for table in result.tables):
        yield _("Note: {sentence}", sentence=_(FILLED_BEFORE_SPLITTING))
    yield from written_lines(paths)


def _row(result: SelectionComparison, table: str, method: str) -> list[str]:
    from engine.comparison.selectors.methods import selection_methods

    row = [selection_methods()[method].title]
    for metric in metrics():
        values = list(result.figures(table, method, metric).values())
        row.append(f"{sum(values) / len(values):.4f}" if values else "")
    return row
