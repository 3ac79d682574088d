"""Rows that are like their neighbours along dates, or in the order in which they stand."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.preparation.dependence.columns import (
    CLEAR,
    CONCERNED,
    LEAST_INFLATION,
    ScoredTable,
    are_dates,
    columns_concerned,
    is_clear,
)
from engine.preparation.dependence.likeness import AlongOrder, Scores, without
from engine.preparation.dependence.values import (
    NOT_INDEPENDENT,
    WHAT_IT_DOES,
    DependenceKind,
    RowDependence,
    RowOffer,
)
from engine.recipe.row_blocks import COURSE_REMAINS, RowBlocks, RowOrder, places_of, row_order
from engine.recipe.step import plain_values
from engine.recipe.table_steps import TakeDate, dates_of
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from engine.wording.notes import listed

_FIRST_ROWS = 200
# Fewer changes than this may be missing by chance.
_FEWEST_CHANGES = 20
# A table is sorted by categories where at most this share of the changes is left that chance would make, and
# they stand in blocks, more or less, where this is left.
_SORTED, _IN_BLOCKS = 0.3, 0.6
# Columns in blocks that are taken out of the others.
_MOST_BLOCKS = 6
# Of a number by which the table is sorted, a curve of this many parts is taken out, or the mean of each value
# where so many rows share it.
_PARTS, _ROWS_OF_VALUE, _MOST_VALUES_OF_KEY = 8, 5, 100
# Numbers that count time differ in nearly all rows, and leave out few numbers in between.
_NEARLY_ALL_DIFFERENT, _GAPS = 0.95, 3.0
# Neighbours are compared with rows so far apart where a curve might be left.
_FAR, _ROWS_PER_FAR = 32, 12
# Columns of series are looked for among those of few values, of many rows each.
_MOST_SERIES, _ROWS_OF_SERIES = 60, 20
_LEAST_CORRELATION = 0.1


@dataclass(frozen=True, eq=False)
class _Key:
    """A column that explains an order: the table is sorted by it, or it stands in blocks."""

    name: str
    design: tuple[np.ndarray, ...]
    is_curve: bool = False
    is_number: bool = False


def find_along_order(table: ScoredTable) -> RowDependence | None:
    """Return how rows are like their neighbours in a label and a feature; None where they are not."""
    found = []
    for columns, order in _orders(table):
        made = _along(table, columns, order)
        if made is not None:
            found.append(made)
    # Where a column orders the rows as they stand, it is named.
    return max(found, key=lambda each: (round(each.inflation, 6), len(each.columns)), default=None)


def _orders(table: ScoredTable) -> Iterator[tuple[tuple[str, ...], RowOrder]]:
    """Return the orders in which neighbours may be alike, with the columns that make them."""
    dataset, is_named = table.dataset, False
    for name in table.times:
        series = _series_beside(dataset, dataset.variable(name), dataset.column(name))
        order = row_order(dataset, name, series)
        is_named |= not series and bool((order.rows[1:] > order.rows[:-1]).all())
        yield (name, *series), order
    if not is_named:
        yield (), row_order(dataset)


def _series_beside(dataset: Dataset, variable: Variable, column: np.ndarray) -> tuple[str, ...]:
    """Name the column whose values, with the times of another, differ in all rows, if there is one."""
    places = places_of(variable, column)
    rows = dataset.row_count
    if len(np.unique(places)) > _NEARLY_ALL_DIFFERENT * rows:
        return ()
    codes = np.unique(places, return_inverse=True)[1]
    fitting = []
    for other, values in zip(dataset.variables, dataset.columns, strict=True):
        if other.name == variable.name or other.role is Role.WEIGHT:
            continue
        series = np.unique(values, return_inverse=True)[1]
        count = int(series.max(initial=0)) + 1
        if not 2 <= count <= min(_MOST_SERIES, rows // _ROWS_OF_SERIES):
            continue
        if len(np.unique(codes.astype(np.int64) * count + series)) == rows:
            fitting.append((count, other.name))
    return (min(fitting)[1],) if fitting else ()


def _along(table: ScoredTable, columns: tuple[str, ...], order: RowOrder) -> RowDependence | None:
    keys, blocks = _keys(table, columns, order), []
    if len(keys) < _MOST_BLOCKS:
        blocks = _columns_in_blocks(table, {*columns, *(key.name for key in keys)}, order)
    explaining = [*keys, *blocks]
    labels = _residuals(table.labels, explaining, order)
    features = _residuals(table.features, explaining, order)
    numbers = set(columns) | {key.name for key in keys if key.is_number}
    has_curve = any(key.is_curve for key in keys)
    likeness = [
        _neighbours(scores, AlongOrder(values, order.series), numbers, has_curve)
        for scores, values in ((table.labels, labels), (table.features, features))
    ]
    (label_p, label_figures), (feature_p, figures) = likeness
    sorted_by, in_blocks = {key.name for key in keys}, {block.name for block in blocks}
    sides = [
        _Side(
            p_values,
            np.array([name in sorted_by for name in scores.names]),
            np.array([name in in_blocks for name in scores.names]),
        )
        for scores, p_values in ((table.labels, label_p), (table.features, feature_p))
    ]
    if not _are_both_alike(*sides):
        return None
    chosen_labels, chosen_features = label_figures > 0.0, figures > 0.0
    along = [
        AlongOrder(values[:, np.isin(scores.owner, np.flatnonzero(chosen))], order.series)
        for scores, values, chosen in (
            (table.labels, labels, chosen_labels),
            (table.features, features, chosen_features),
        )
    ]
    inflation, rows = _inflation_and_block(*along)
    rows = min(rows, table.dataset.row_count // _FEWEST_BLOCKS)
    if inflation < LEAST_INFLATION:
        return None
    return _dependence_along(table, columns, inflation, rows, label_figures, figures)


@dataclass(frozen=True, eq=False)
class _Side:
    """Labels, or features, with the chance of so great a likeness of neighbours.

    Attributes
    ----------
    p_values : ndarray, shape (columns,)
    sorted_by, in_blocks : ndarray of bool, shape (columns,)
        What the table is sorted by, and what stands in blocks.
    """

    p_values: np.ndarray
    sorted_by: np.ndarray
    in_blocks: np.ndarray

    @property
    def of_others(self) -> np.ndarray:
        """Columns whose likeness is no matter of how somebody arranged the rows."""
        others: np.ndarray = self.p_values[~self.sorted_by & ~self.in_blocks]
        return others

    @property
    def is_clear(self) -> bool:
        """Whether one column is clearly alike that the table is not sorted by."""
        p_values = self.p_values[~self.sorted_by]
        return bool(len(p_values) and p_values.min() * len(p_values) < CLEAR)


def _are_both_alike(labels: _Side, features: _Side) -> bool:
    """Tell whether labels and features are both alike, one of them beyond how somebody arranged the rows."""
    if (
        len(labels.of_others)
        and len(features.of_others)
        and is_clear(labels.of_others, features.of_others, 1)
    ):
        return True
    return labels.is_clear and features.is_clear


def _neighbours(
    scores: Scores, along: AlongOrder, numbers: set[str], has_curve: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the chance of so great a likeness of neighbours in each column, and its correlation."""
    from scipy.special import ndtr

    near, pairs = along.correlations(1)
    if has_curve:
        far = along.correlations(max(2, min(_FAR, pairs // _ROWS_PER_FAR)))[0]
        scaled = (near - far) * np.sqrt(pairs / 2.0)
    else:
        scaled = near * np.sqrt(pairs)
    p_values = scores.smallest(np.where(near >= _LEAST_CORRELATION, ndtr(-scaled), 1.0))
    for position, name in enumerate(scores.names):
        if name in numbers:
            p_values[position] = 1.0
    figures = np.where(p_values < CONCERNED, scores.largest(near), 0.0)
    return p_values, figures


def _residuals(scores: Scores, keys: Sequence[_Key], order: RowOrder) -> np.ndarray:
    """Return scores in an order without what the keys explain; a key without what the others do."""
    values = scores.values[order.rows]
    remaining = without(values, [each for key in keys for each in key.design])
    for key in keys:
        if key.name not in scores.names:
            continue
        own = scores.owner == scores.names.index(key.name)
        others = [each for other in keys if other is not key for each in other.design]
        remaining[:, own] = without(values[:, own], others)
    centred: np.ndarray = remaining - remaining.mean(axis=0)
    return centred


def _keys(table: ScoredTable, beside: tuple[str, ...], order: RowOrder) -> list[_Key]:
    """Name the columns by which rows in an order are sorted, the later ones within the earlier."""
    candidates = {
        variable.name: (variable, column)
        for variable, column in zip(table.dataset.variables, table.dataset.columns, strict=True)
        if variable.role is not Role.WEIGHT and variable.name not in (*beside, *table.times)
    }
    runs = order.series
    keys: list[_Key] = []
    while True:
        found = {
            name: values
            for name, (variable, column) in sorted(candidates.items())
            if (values := _if_sorted(variable, column, order, runs)) is not None
        }
        if not found:
            return [key for key in keys if key.design]
        keys += [_key(candidates.pop(name)[0], values) for name, values in found.items()]
        changes = np.any([each[1:] != each[:-1] for each in (runs, *found.values())], axis=0)
        runs = np.concatenate([[0], np.cumsum(changes)])


def _if_sorted(
    variable: Variable, column: np.ndarray, order: RowOrder, runs: np.ndarray
) -> np.ndarray | None:
    """Return a column in an order where it is sorted within runs, more than chance would sort it."""
    changed, values = np.zeros(0), column
    # The first rows show it of most columns.
    for count in (_FIRST_ROWS, len(column)):
        of_runs, values = runs[:count], column[order.rows[:count]]
        if variable.kind is Kind.CONTINUOUS:
            values = np.where(np.isnan(values), np.inf, values)
        changed = (values[1:] != values[:-1]) & (of_runs[1:] == of_runs[:-1])
        if variable.kind is Kind.CONTINUOUS:
            down = changed & (values[1:] < values[:-1])
            if down.any() and (changed & ~down).any():
                return None
        else:
            pairs = np.unique(of_runs * (variable.level_count + 1) + values.astype(np.int64) + 1)
            if changed.sum() > len(pairs) - len(np.unique(of_runs)):
                return None
    expected, changes = _expected_changes(values, runs), int(changed.sum())
    if variable.kind is Kind.CONTINUOUS:
        return values if expected >= _FEWEST_CHANGES else None
    return values if expected - changes >= _FEWEST_CHANGES and changes < _SORTED * expected else None


def _expected_changes(values: np.ndarray, runs: np.ndarray) -> float:
    """Tell how often neighbours in a run would differ if the rows of each run stood in any order."""
    codes = np.unique(values, return_inverse=True)[1].astype(np.int64)
    count = int(codes.max(initial=0)) + 1
    of_run = np.unique(runs, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(of_run).astype(np.float64)
    pairs, times = np.unique(of_run * count + codes, return_counts=True)
    equal = np.bincount(pairs // count, times * (times - 1.0), minlength=len(sizes))
    return float((sizes - 1.0 - equal / np.maximum(sizes, 1.0)).sum())


def _key(variable: Variable, values: np.ndarray) -> _Key:
    """Return what is taken out of columns for a column by which rows are sorted."""
    is_number = variable.kind is Kind.CONTINUOUS
    codes = np.unique(values, return_inverse=True)[1]
    count = int(codes.max(initial=0)) + 1
    if count <= min(_MOST_VALUES_OF_KEY, len(values) / _ROWS_OF_VALUE):
        return _Key(variable.name, _indicators(codes, count), is_number=is_number)
    if not is_number:
        return _Key(variable.name, ())
    return _Key(variable.name, _curve(codes), is_curve=True, is_number=is_number)


def _indicators(codes: np.ndarray, count: int) -> tuple[np.ndarray, ...]:
    return tuple((codes == code).astype(np.float64) for code in range(1, count))


def _curve(codes: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the columns of a cubic spline along the ranks of values."""
    place = (np.argsort(np.argsort(codes, kind="stable"), kind="stable") + 0.5) / len(codes)
    means = np.bincount(codes, place) / np.maximum(np.bincount(codes), 1)
    place = means[codes]
    powers = [place, place**2, place**3]
    return (*powers, *(np.maximum(place - part / _PARTS, 0.0) ** 3 for part in range(1, _PARTS)))


def _columns_in_blocks(table: ScoredTable, beside: set[str], order: RowOrder) -> list[_Key]:
    """Name the categories that stand in blocks, as cases and controls do; those in the longest first."""
    found = []
    for name in (*table.labels.names, *table.features.names):
        variable = table.dataset.variable(name)
        if variable.kind is not Kind.NOMINAL or variable.level_count > _MOST_SERIES or name in beside:
            continue
        codes = table.dataset.column(name)[order.rows]
        changed = int((codes[1:] != codes[:-1]).sum())
        expected = _expected_changes(codes, np.zeros(len(codes), dtype=np.int64))
        if expected - changed >= _FEWEST_CHANGES and changed <= _IN_BLOCKS * expected:
            found.append((changed / expected, variable.name, codes, variable.level_count))
    found.sort(key=lambda each: each[:2])
    return [_Key(name, _indicators(codes, count)) for _, name, codes, count in found[:_MOST_BLOCKS]]


# Lags beyond which nothing is added up, and the share of the inflation that blocks may leave out.
_MOST_LAGS, _LEFT_OUT = 400, 0.1
_SHORTEST_BLOCK = 10
# Of blocks so long as to be independent there may be fewer than tests need, which then decide nothing.
_FEWEST_BLOCKS, _ENOUGH_BLOCKS = 4, 15
# Pairs differ in how long they remember; this share of them needs no longer blocks.
_PAIRS = 65.0


def _inflation_and_block(labels: AlongOrder, features: AlongOrder) -> tuple[float, int]:
    """Return by how much the variance of associations grows, and how many rows a block should have."""
    rows = len(labels.values)
    total = np.zeros((labels.values.shape[1], features.values.shape[1]))
    weighted, going_on = total.copy(), np.ones(total.shape, dtype=bool)
    noise = 1.0 / np.sqrt(rows)
    for lag in range(1, min(_MOST_LAGS, rows // 4) + 1):
        of_labels, of_features = labels.correlations(lag)[0], features.correlations(lag)[0]
        # Where either is as small as chance makes it, the sum ends.
        going_on &= (of_labels > noise)[:, np.newaxis] & (of_features > noise)[np.newaxis, :]
        if not going_on.any():
            break
        product = np.where(going_on, np.outer(of_labels, of_features), 0.0)
        total += product
        weighted += lag * product
    inflation = 1.0 + 2.0 * total
    needed = 2.0 * weighted / inflation / _LEFT_OUT
    return float(inflation.max()), max(_SHORTEST_BLOCK, int(np.ceil(np.percentile(needed, _PAIRS))))


def _dependence_along(
    table: ScoredTable,
    columns: tuple[str, ...],
    inflation: float,
    rows: int,
    label_figures: np.ndarray,
    figures: np.ndarray,
) -> RowDependence:
    concerned = columns_concerned(table, label_figures, figures)
    figure = float(np.median([each for _, _, each in concerned]))
    names = listed([name for name, _, _ in concerned])
    along = columns[0] if columns else ""
    template = _ALIKE_ALONG if columns else _ALIKE_AS_THEY_STAND
    sentence = template.format(along=along, figure=f"{figure:.2f}", names=names)
    step = RowBlocks(rows, along, columns[1:])
    option = _option(along, columns[1:])
    does = f"{_BLOCKED} {COURSE_REMAINS}"
    if table.dataset.row_count < rows * _ENOUGH_BLOCKS:
        does = f"{does} {_FEW_BLOCKS}"
    offer = RowOffer(_IN_BLOCKS_OF.format(rows=f"{rows:,}"), does, option, step=step)
    of_dates = tuple(_offers_of_dates(table.dataset, along))
    return RowDependence(
        DependenceKind.ORDER,
        columns,
        figure,
        inflation,
        concerned,
        NOT_INDEPENDENT,
        " ".join([sentence, WHAT_IT_DOES, *([_ADD_FIRST] if of_dates else [])]),
        (offer, *of_dates),
    )


# A season is told from a trend once its months come again.
_DAYS_WITH_SEASONS = 365


def _offers_of_dates(dataset: Dataset, along: str) -> Iterator[RowOffer]:
    """Offer columns of a date on which tests can condition, where blocks leave a season or a trend."""
    if (
        not along
        or dataset.variable(along).role is not Role.FEATURE
        or not are_dates(dataset.variable(along))
    ):
        return
    variable = dataset.variable(along)
    used = np.unique(dataset.column(along))
    days = dates_of(tuple(variable.levels[code] for code in used if code >= 0)).days
    span = int((np.nanmax(days) - np.nanmin(days)).astype(np.int64))
    for part, title, does in (("month", _ADD_MONTH, _SEASON), ("years", _ADD_YEARS, _TREND)):
        name = f"{part} of {along}"
        if name in dataset.names or (part == "month" and span < _DAYS_WITH_SEASONS):
            continue
        step = TakeDate(along, part, into=name)
        option = f"--recipe with {json.dumps({'step': step.kind, **plain_values(step)}, ensure_ascii=False)}"
        yield RowOffer(title.format(along=along), does, option, step=step)


def _option(along: str, series: Sequence[str]) -> str:
    """Return the options of a terminal that make the blocks."""
    order = f"--time-blocks {shlex.quote(along)}" if along else "--row-blocks"
    return " ".join([order, *(f"--block-series {shlex.quote(name)}" for name in series)])


def chosen_blocks(
    dataset: Dataset, along: str = "", series: Sequence[str] = (), rows: int | None = None
) -> RowBlocks:
    """Choose how many rows a block needs, so that blocks are nearly independent, unless that is said.

    Parameters
    ----------
    dataset : Dataset
        With labels and features.
    along : str
    series : sequence of str
        As of :class:`RowBlocks`.
    rows : int, optional
        How many rows a block has.

    Returns
    -------
    RowBlocks
    """
    if rows is None:
        columns = (along, *series) if along else tuple(series)
        found = _along(ScoredTable(dataset), columns, row_order(dataset, along, series))
        step = None if found is None else found.offers[0].step
        rows = step.rows if isinstance(step, RowBlocks) else _SHORTEST_BLOCK
    return RowBlocks(rows, along, tuple(series))


_ALIKE_ALONG = (
    "Rows that follow each other along “{along}” resemble each other. "
    "The median correlation of neighbours is {figure} (in {names})."
)
_ALIKE_AS_THEY_STAND = (
    "Rows that follow each other in the table resemble each other. "
    "The median correlation of neighbours is {figure} (in {names})."
)
_ADD_FIRST = (
    "Blocks do not remove a season or a trend that columns share: for these, add month and years first."
)
_ADD_MONTH = "Add the month of “{along}”"
_SEASON = "Tests can then condition on the month. Blocks do not remove a season that columns share."
_ADD_YEARS = "Add the years of “{along}”"
_TREND = "Tests can then condition on time. Blocks do not remove a trend that columns share."
_IN_BLOCKS_OF = "Group rows in blocks of {rows}"
_BLOCKED = "Tests then take each block, and not each row, for another case."
_FEW_BLOCKS = "There are so few blocks that little can be found: the table holds few independent stretches."
