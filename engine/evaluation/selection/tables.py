"""The figures as rows of plain cells, for comma-separated files."""

from __future__ import annotations

from dataclasses import fields

from engine.evaluation.plain_table import PlainTable, Value
from engine.evaluation.selection.metrics import Agreement, metrics
from engine.evaluation.selection.result import SelectionComparison
from engine.evaluation.spread import Spread

_METRICS = tuple(each.name for each in fields(Agreement))
_PARTS = ("mean", "sd")


def figure_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table, method, split and number of features."""
    columns = ("data_set", "method", "split", "features", "percent", "own_number", "equal_size", *_METRICS)
    counts = {each.name: len(each.features) for each in result.tables}
    rows: list[tuple[Value, ...]] = []
    for each in result.outcomes:
        equal = result.equal_size(each.data_set, each.split)
        for size, figures in each.figures.items():
            percent = 100 * size / counts[each.data_set]
            own = "yes" if each.has_own_number else ""
            start = (each.data_set, each.method, each.split, size, percent, own)
            is_equal = "yes" if size == equal else ""
            rows.append((*start, is_equal, *(getattr(figures, name) for name in _METRICS)))
    return PlainTable(columns, tuple(rows))


def selection_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table, method and split: what was selected, with which options, in which time."""
    columns = ("data_set", "method", "split", "seconds", "processor_seconds", "options", "features")
    names = {each.name: each.features for each in result.tables}
    return PlainTable(
        columns,
        tuple(
            (
                *(each.data_set, each.method, each.split, each.seconds, each.processor_seconds),
                ", ".join(f"{name}={value:g}" for name, value in each.options.items()),
                ", ".join(names[each.data_set][place] for place in each.order),
            )
            for each in result.outcomes
        ),
    )


def summary_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table and method: means over splits, at as many features as CLCD-FS selects."""
    columns = (
        *("data_set", "method", "splits", "features_mean"),
        *(f"{name}_{part}" for name in (*_METRICS, "processor_seconds") for part in _PARTS),
    )
    rows: list[tuple[Value, ...]] = []
    for table in result.tables:
        for method in result.methods:
            outcomes = result.of(table.name, method)
            if not outcomes:
                continue
            sizes = [
                size
                for each in outcomes
                if (size := each.own_number or result.equal_size(table.name, each.split)) is not None
            ]
            spreads = [
                *(list(result.figures(table.name, method, name).values()) for name in metrics()),
                [each.processor_seconds for each in outcomes],
            ]
            mean_size = sum(sizes) / len(sizes) if sizes else None
            cells = [cell for figures in spreads for cell in _parts(figures)]
            rows.append((table.name, method, len(outcomes), mean_size, *cells))
    return PlainTable(columns, tuple(rows))


def _parts(figures: list[float]) -> tuple[Value, Value]:
    if not figures:
        return None, None
    spread = Spread.of(figures)
    return spread.mean, spread.deviation
