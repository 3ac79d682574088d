"""Rows that are like their neighbours along dates, or in the order in which they stand."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.preparation.dependence.likeness import (
    CLEAR,
    CONCERNED,
    AlongOrder,
    ScoredTable,
    StandardScores,
    columns_concerned,
    is_clear,
    without,
)
from engine.preparation.dependence.values import (
    NOT_INDEPENDENT,
    PERHAPS_NOT_INDEPENDENT,
    WHAT_IT_DOES,
    DependenceKind,
    RowDependence,
    RowOffer,
)
from engine.recipe.step import plain_values
from engine.recipe.table_steps import (
    COURSE_REMAINS,
    RowBlocks,
    RowOrder,
    TakeDate,
    are_dates,
    dates_of,
    places_of,
    row_order,
)
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from engine.translation import N_, _
from engine.wording.notes import listed

_FIRST_ROWS = 200
# Fewer changes than this may be missing by chance.
_FEWEST_CHANGES = 20
# A table is sorted by categories where at most this share of the changes is left that chance would make.
_SORTED = 0.3
# So few are left in no series, but where rows were added to some that were sorted.
_NEARLY_SORTED = 0.02
# So many rows may stand where sorting would not have put them.
_ASTRAY = 0.01
# Of a number by which the table is sorted, a curve of this many parts is taken out, or the mean of each value
# where so many rows share it.
_PARTS, _ROWS_OF_VALUE, _MOST_VALUES = 8, 5, 100


@dataclass(frozen=True, eq=False)
class Arranging:
    """A column that explains an order of the rows."""

    name: str
    design: tuple[np.ndarray, ...]  # each of shape (rows,), in that order: what is taken out of other columns
    is_curve: bool = False
    is_number: bool = False


def arranging(variable: Variable, values: np.ndarray) -> Arranging:
    """Return what a column explains of others by which rows are arranged; nothing with many levels."""
    is_number = variable.kind is Kind.CONTINUOUS
    codes = np.unique(values, return_inverse=True)[1]
    count = int(codes.max(initial=0)) + 1
    if count <= min(_MOST_VALUES, len(values) / _ROWS_OF_VALUE):
        return Arranging(variable.name, _indicators(codes, count), is_number=is_number)
    if not is_number:
        return Arranging(variable.name, ())
    return Arranging(variable.name, _curve(codes), is_curve=True, is_number=is_number)


def arranging_columns(dataset: Dataset, beside: Iterable[str], order: RowOrder) -> list[Arranging]:
    """Name the columns by which rows in an order are sorted, the later ones within the earlier.

    Where only blocks of one column are sorted by another, as in joined files, both are named.
    """
    candidates = _candidates(dataset, beside, order)
    columns = _sorted_within(candidates, order.series)
    if not columns:
        for name in _in_blocks(candidates, order.series, _SORTED):
            others = {candidate: candidates[candidate] for candidate in candidates if candidate != name}
            variable, values = candidates[name]
            within = _sorted_within(others, _divided(order.series, [values]))
            if within:
                columns = [arranging(variable, values), *within]
                break
    return [column for column in columns if column.design]


def in_order(variable: Variable, column: np.ndarray, order: RowOrder) -> np.ndarray:
    """Return a column in an order of the rows, infinite where a number is missing."""
    values: np.ndarray = column[order.rows]
    return np.where(np.isnan(values), np.inf, values) if variable.kind is Kind.CONTINUOUS else values


def residuals(scores: StandardScores, columns: Sequence[Arranging], order: RowOrder) -> np.ndarray:
    """Return scores in an order without what arranging columns explain; one of these without the others."""
    values = scores.values[order.rows]
    remaining = without(values, [part for column in columns for part in column.design])
    for column in columns:
        if column.name not in scores.names:
            continue
        own = scores.owner == scores.names.index(column.name)
        others = [part for control in columns if control is not column for part in control.design]
        remaining[:, own] = without(values[:, own], others)
    centred: np.ndarray = remaining - remaining.mean(axis=0)
    return centred


_Candidates = dict[str, tuple[Variable, np.ndarray]]


def _candidates(dataset: Dataset, beside: Iterable[str], order: RowOrder) -> _Candidates:
    """Return columns in an order of the rows, by name."""
    left_out = set(beside)
    pairs = zip(dataset.variables, dataset.columns, strict=True)
    return {
        variable.name: (variable, in_order(variable, column, order))
        for variable, column in sorted(pairs, key=lambda pair: pair[0].name)
        if variable.role is not Role.WEIGHT and variable.name not in left_out
    }


def _sorted_within(candidates: _Candidates, runs: np.ndarray) -> list[Arranging]:
    """Name the columns by which rows are sorted within runs of rows, the later ones within the earlier."""
    candidates, columns = dict(candidates), list[Arranging]()
    while True:
        sorted_by = [name for name, pair in candidates.items() if _is_sorted(*pair, runs)]
        if not sorted_by:
            return columns
        pairs = [candidates.pop(name) for name in sorted_by]
        columns += [arranging(*pair) for pair in pairs]
        runs = _divided(runs, [values for _, values in pairs])


def _divided(runs: np.ndarray, columns: Sequence[np.ndarray]) -> np.ndarray:
    """Divide runs of rows wherever a column changes."""
    changes = np.any([values[1:] != values[:-1] for values in (runs, *columns)], axis=0)
    return np.concatenate([[0], np.cumsum(changes)])


def _is_sorted(variable: Variable, values: np.ndarray, runs: np.ndarray) -> bool:
    """Tell whether a column is sorted within runs, more than chance would sort it."""
    is_number, changes = variable.kind is Kind.CONTINUOUS, 0
    present = np.isfinite(values) if is_number else np.ones(len(values), dtype=np.bool_)
    # The first rows show it of most columns.
    for count in (_FIRST_ROWS, len(values)):
        some, of_runs = values[:count][present[:count]], runs[:count][present[:count]]
        changed = (some[1:] != some[:-1]) & (of_runs[1:] == of_runs[:-1])
        changes = int(changed.sum())
        if is_number:
            down = changed & (some[1:] < some[:-1])
            if down.any() and (changed & ~down).any():
                return False
        else:
            pairs = np.unique(of_runs * (variable.level_count + 1) + some.astype(np.int64) + 1)
            if changes > len(pairs) - len(np.unique(of_runs)) + _ASTRAY * len(some):
                return False
    expected = _expected_changes(values[present], runs[present])
    if is_number:
        return expected >= _FEWEST_CHANGES
    return expected - changes >= _FEWEST_CHANGES and changes < _SORTED * expected


def _in_blocks(candidates: _Candidates, runs: np.ndarray, most: float) -> list[str]:
    """Name the categories with so small a share of the changes that chance makes, the smallest first."""
    shares = {}
    for name, (variable, values) in candidates.items():
        if variable.kind is Kind.NOMINAL:
            changes = int(((values[1:] != values[:-1]) & (runs[1:] == runs[:-1])).sum())
            expected = _expected_changes(values, runs)
            if expected - changes >= _FEWEST_CHANGES and changes < most * expected:
                shares[name] = changes / expected
    return sorted(shares, key=lambda name: (shares[name], name))


def _expected_changes(values: np.ndarray, runs: np.ndarray) -> float:
    """Tell how often neighbours in a run would differ if the rows of each run stood in any order."""
    codes, of_run = _numbered(values), _numbered(runs)
    count = int(codes.max(initial=0)) + 1
    sizes = np.bincount(of_run).astype(np.float64)
    together = of_run * count + codes
    if len(sizes) * count <= len(values):
        times = np.bincount(together, minlength=len(sizes) * count)
        equal = (times * (times - 1.0)).reshape(len(sizes), count).sum(axis=1)
    else:
        pairs, times = np.unique(together, return_counts=True)
        equal = np.bincount(pairs // count, times * (times - 1.0), minlength=len(sizes))
    sizes, equal = sizes[sizes > 0.0], equal[sizes > 0.0]
    return float((sizes - 1.0 - equal / sizes).sum())


def _numbered(values: np.ndarray) -> np.ndarray:
    """Return numbers for values: whole ones that are close together from 0 on, which takes no sorting."""
    if values.dtype.kind in "iu" and len(values):
        from_zero = values.astype(np.int64) - int(values.min())
        if from_zero.max() < len(values):
            return from_zero
    numbered: np.ndarray = np.unique(values, return_inverse=True)[1].astype(np.int64)
    return numbered


def _indicators(codes: np.ndarray, count: int) -> tuple[np.ndarray, ...]:
    return tuple((codes == code).astype(np.float64) for code in range(1, count))


def _curve(codes: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the columns of a cubic spline along the ranks of values."""
    place = (np.argsort(np.argsort(codes, kind="stable"), kind="stable") + 0.5) / len(codes)
    means = np.bincount(codes, place) / np.maximum(np.bincount(codes), 1)
    place = means[codes]
    powers = [place, place**2, place**3]
    return (*powers, *(np.maximum(place - part / _PARTS, 0.0) ** 3 for part in range(1, _PARTS)))


# Numbers that count time differ in nearly all rows.
_NEARLY_ALL_DIFFERENT = 0.95
# Neighbours are compared with rows so far apart where a curve might be left.
_FAR, _ROWS_PER_FAR = 32, 12
# Columns of series are looked for among those of few values, of many rows each.
_MOST_SERIES, _ROWS_OF_SERIES = 60, 20
_LEAST_CORRELATION = 0.1
# Somebody may have arranged rows by so large a share of the columns, and so many: by a score of few, or,
# where rows are sorted by one for certain, by several more within it. In a series more are alike.
_ARRANGING, _ARRANGING_WHERE_SORTED = (0.15, 3), (0.5, 12)
# A column changes slowly where so much of the correlation of neighbours is left in rows far apart.
_SLOWLY = 0.5
# Dependence along an order that multiplies the variance of an association by less than this leaves tests at
# α = .01 below twice their level.
_LEAST_INFLATION = 1.2


def find_along_order(table: ScoredTable) -> RowDependence | None:
    """Return how rows are like their neighbours in a label and a feature; None where they are not."""
    dependences = []
    for columns, order in _orders(table):
        likeness = _likeness(table, columns, order)
        if likeness is not None:
            dependences.append(_dependence_along(table, columns, likeness))
    # Where a column orders the rows as they stand, it is named.
    return max(
        dependences,
        key=lambda dependence: (round(dependence.inflation, 6), len(dependence.columns)),
        default=None,
    )


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
    for candidate, values in zip(dataset.variables, dataset.columns, strict=True):
        if candidate.name == variable.name or candidate.role is Role.WEIGHT:
            continue
        series = np.unique(values, return_inverse=True)[1]
        count = int(series.max(initial=0)) + 1
        if not 2 <= count <= min(_MOST_SERIES, rows // _ROWS_OF_SERIES):
            continue
        if len(np.unique(codes.astype(np.int64) * count + series)) == rows:
            fitting.append((count, candidate.name))
    return (min(fitting)[1],) if fitting else ()


@dataclass(frozen=True, eq=False)
class _NeighbourLikeness:
    """How alike neighbours are in labels and in features, and what comes of it."""

    # correlation of neighbours in each column of scores; 0 where they are not alike
    figures_of: Callable[[StandardScores], np.ndarray]
    inflation: float
    rows: int  # of a block, so that blocks are nearly independent


def _likeness(table: ScoredTable, columns: tuple[str, ...], order: RowOrder) -> _NeighbourLikeness | None:
    """Compare neighbours in an order; None where somebody arranged them so, and where they are not alike."""
    keys = arranging_columns(table.dataset, {*columns, *table.times}, order)
    sides = [_side(scores, keys, order) for scores in (table.labels, table.features)]
    beside = {*columns, *(key.name for key in keys)}
    has_curve = any(key.is_curve for key in keys)
    labels, features = (side.p_values(beside, has_curve) for side in sides)
    if not is_clear(labels, features, 1):
        return None
    if not _is_dated(table.dataset, columns):
        # Or sorted by a column but for a few rows, as where some were added.
        others = _candidates(table.dataset, {*beside, *table.times}, order)
        is_sorted = bool(keys or _in_blocks(others, order.series, _NEARLY_SORTED))
        if _is_arranged(table, sides, beside, is_sorted, order):
            return None
    numbers = {*columns, *(key.name for key in keys if key.is_number)}
    alike = (side.of(side.figures(numbers, has_curve) > 0.0) for side in sides)
    inflation, rows = _inflation_and_block(*alike)
    if inflation < _LEAST_INFLATION:
        return None
    return _NeighbourLikeness(
        lambda scores: _side(scores, keys, order).figures(numbers, has_curve), inflation, rows
    )


_YEARS = (1700, 2100)


def _is_dated(dataset: Dataset, columns: Sequence[str]) -> bool:
    """Tell whether dates or years order the rows, and not numbers that somebody gave them."""
    if not columns:
        return False
    variable, column = dataset.variable(columns[0]), dataset.column(columns[0])
    if variable.kind is Kind.NOMINAL:
        return are_dates(variable.levels)
    return bool(_YEARS[0] <= np.nanmin(column) and np.nanmax(column) <= _YEARS[1])


def _side(scores: StandardScores, keys: Sequence[Arranging], order: RowOrder) -> _OrderedColumns:
    return _OrderedColumns(scores, AlongOrder(residuals(scores, keys, order), order.series))


@dataclass(frozen=True, eq=False)
class _OrderedColumns:
    """Labels, or features, along an order."""

    scores: StandardScores
    along: AlongOrder

    def p_values(self, beside: Collection[str], has_curve: bool = False) -> np.ndarray:
        """Return the chance of so great a likeness of neighbours in each column; 1 for those beside."""
        return self._compared(beside, has_curve)[0]

    def figures(self, beside: Collection[str], has_curve: bool = False) -> np.ndarray:
        """Return the correlation of neighbours in each column; 0 where they are not alike."""
        p_values, near = self._compared(beside, has_curve)
        return np.where(p_values < CONCERNED, near, 0.0)

    def of(self, chosen: np.ndarray) -> AlongOrder:
        """Return some of the columns."""
        kept = np.isin(self.scores.owner, np.flatnonzero(chosen))
        return AlongOrder(self.along.values[:, kept], self.along.series)

    def without(self, design: Sequence[np.ndarray]) -> _OrderedColumns:
        """Take out of the columns what others explain."""
        values = without(self.along.values, design)
        return _OrderedColumns(self.scores, AlongOrder(values - values.mean(axis=0), self.along.series))

    def changes_fast(self, names: Collection[str]) -> bool:
        """Tell whether in one of some columns rows far apart are not nearly as alike as neighbours are."""
        for position in (at for at, name in enumerate(self.scores.names) if name in names):
            near = np.where(self.scores.owner == position, self.along.correlations(1)[0], 0.0)
            if self._far[near.argmax()] <= _SLOWLY * near.max():
                return True
        return False

    @cached_property
    def _far(self) -> np.ndarray:
        """Correlations of rows that are far apart."""
        pairs = self.along.correlations(1)[1]
        return self.along.correlations(max(2, min(_FAR, pairs // _ROWS_PER_FAR)))[0]

    def _compared(self, beside: Collection[str], has_curve: bool = False) -> tuple[np.ndarray, np.ndarray]:
        from scipy.special import ndtr

        near, pairs = self.along.correlations(1)
        scaled = (near - self._far) * np.sqrt(pairs / 2.0) if has_curve else near * np.sqrt(pairs)
        p_values = self.scores.smallest(np.where(near >= _LEAST_CORRELATION, ndtr(-scaled), 1.0))
        p_values[[name in beside for name in self.scores.names]] = 1.0
        return p_values, self.scores.largest(near)


def _is_arranged(
    table: ScoredTable,
    sides: Sequence[_OrderedColumns],
    beside: Collection[str],
    is_sorted: bool,
    order: RowOrder,
) -> bool:
    """Tell whether few columns explain why neighbours are alike, so that somebody arranged rows by them.

    In a series columns are alike each in its own way. Rows may be in blocks, sorted in part, by a sum, or by
    several.
    """
    names = [name for side in sides for name in side.scores.names]
    share, most = _ARRANGING_WHERE_SORTED if is_sorted else _ARRANGING
    most = min(most, max(1, int(share * len(names))))
    explaining: list[Arranging] = []
    remaining = sides
    while True:
        taken = {*beside, *(column.name for column in explaining)}
        p_values = np.concatenate([side.p_values(taken) for side in remaining])
        if p_values.min() * len(p_values) >= CLEAR:
            return True
        if len(explaining) == most:
            return False
        figures = np.concatenate([side.figures(taken) for side in remaining])
        variable = table.dataset.variable(max(zip(figures, names, strict=True))[1])
        concerned = {variable.name, *(column.name for column in explaining)}
        if not is_sorted and explaining and any(side.changes_fast(concerned) for side in sides):
            return False
        values = in_order(variable, table.dataset.column(variable.name), order)
        explaining.append(arranging(variable, values))
        design = [part for column in explaining for part in column.design]
        remaining = [side.without(design) for side in sides]


# Lags beyond which nothing is added up, and the share of the inflation that blocks may leave out.
_MOST_LAGS, _LEFT_OUT = 400, 0.1
_SHORTEST_BLOCK = 10
# Tests find next to nothing in fewer blocks. For as many, blocks may be shorter than they need to be, down to
# this share, at which tests keep their level.
_MANY_BLOCKS, _LEAST_OF_NEEDED = 20, 0.5
# Where fewer blocks are nearly independent, what changes so slowly may be what the file is sorted by.
_FEWEST_BLOCKS = 5
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
    table: ScoredTable, columns: tuple[str, ...], likeness: _NeighbourLikeness
) -> RowDependence:
    dataset, is_dated = table.dataset, _is_dated(table.dataset, columns)
    concerned = columns_concerned(table, likeness.figures_of)
    figure = float(np.median([single_likeness for _, _, single_likeness in concerned]))
    along = columns[0] if columns else ""
    alike = _(
        _ALIKE_ALONG if columns else _ALIKE_AS_THEY_STAND,
        along=along,
        figure=f"{figure:.2f}",
        names=listed([concerned_column[0] for concerned_column in concerned]),
    )
    blocks = tuple(_offers_of_blocks(dataset, columns, likeness.rows))
    of_dates = tuple(_offers_of_dates(dataset, along))
    sentences = [alike, _(WHAT_IT_DOES)]
    if not is_dated:
        sentences = [
            alike,
            _(_PERHAPS_NUMBERED if along else _PERHAPS_SORTED, along=along),
            _(_IF_TOGETHER),
        ]
    if not blocks:
        sentences.append(_(_TOO_FEW))
    elif of_dates:
        sentences.append(_(_ADD_FIRST))
    return RowDependence(
        DependenceKind.ORDER,
        columns,
        figure,
        likeness.inflation,
        concerned,
        _(NOT_INDEPENDENT if is_dated else PERHAPS_NOT_INDEPENDENT),
        " ".join(sentences),
        (*blocks, *of_dates),
    )


def _block_rows(dataset: Dataset, needed: int) -> int:
    """Return how many rows a block has: fewer than are needed where there are not enough blocks for tests."""
    least = math.ceil(_LEAST_OF_NEEDED * needed)
    return min(needed, max(least, dataset.row_count // _MANY_BLOCKS))


def _offers_of_blocks(dataset: Dataset, columns: tuple[str, ...], needed: int) -> Iterator[RowOffer]:
    """Offer blocks of nearly as many rows as are needed, and say where they are too few to find much."""
    rows = _block_rows(dataset, needed)
    count = dataset.row_count // rows
    if count < _FEWEST_BLOCKS:
        return
    along, series = (columns[0] if columns else ""), columns[1:]
    title, does = _(_IN_BLOCKS_OF, rows=f"{rows:,}"), f"{_(_BLOCKED)} {_(COURSE_REMAINS)}"
    if count < _MANY_BLOCKS:
        title, does = _(_IN_FEW_BLOCKS_OF, count=count, rows=f"{rows:,}"), f"{_(_FEW_BLOCKED)} {does}"
    order = f"--time-blocks {shlex.quote(along)}" if along else "--row-blocks"
    option = " ".join([order, *(f"--block-series {shlex.quote(name)}" for name in series)])
    yield RowOffer(title, does, option, step=RowBlocks(rows, along, series))


# A season is told from a trend once its months come again.
_DAYS_WITH_SEASONS = 365


def _offers_of_dates(dataset: Dataset, along: str) -> Iterator[RowOffer]:
    """Offer columns of a date on which tests can condition, where blocks leave a season or a trend."""
    variable = dataset.variable(along) if along else None
    if variable is None or variable.role is not Role.FEATURE or not are_dates(variable.levels):
        return
    used = np.unique(dataset.column(along))
    days = dates_of(tuple(variable.levels[code] for code in used if code >= 0)).days
    span = int((np.nanmax(days) - np.nanmin(days)).astype(np.int64))
    for part, title, does in (("month", _ADD_MONTH, _SEASON), ("years", _ADD_YEARS, _TREND)):
        name = f"{part} of {along}"
        if name in dataset.names or (part == "month" and span < _DAYS_WITH_SEASONS):
            continue
        step = TakeDate(along, part, into=name)
        option = _(
            "--recipe with {step}",
            step=json.dumps({"step": step.kind, **plain_values(step)}, ensure_ascii=False),
        )
        yield RowOffer(_(title, along=along), _(does), option, step=step)


def chosen_blocks(
    dataset: Dataset, along: str = "", series: Sequence[str] = (), rows: int | None = None
) -> RowBlocks:
    """Choose how many rows a block needs, so that blocks are nearly independent, unless that is said."""
    if rows is None:
        columns = (along, *series) if along else tuple(series)
        likeness = _likeness(ScoredTable(dataset), columns, row_order(dataset, along, series))
        rows = _SHORTEST_BLOCK if likeness is None else max(1, _block_rows(dataset, likeness.rows))
    return RowBlocks(rows, along, tuple(series))


_ALIKE_ALONG = N_(
    "Rows that follow each other along “{along}” resemble each other. "
    "The median correlation of neighbours is {figure} (in {names})."
)
_ALIKE_AS_THEY_STAND = N_(
    "Rows that follow each other in the table resemble each other. "
    "The median correlation of neighbours is {figure} (in {names})."
)
_ADD_FIRST = N_(
    "Blocks do not remove a season or a trend that columns share. For these, first add the month "
    "and the years."
)
_ADD_MONTH = N_("Add the month of “{along}”")
_SEASON = N_("Tests can then condition on the month. Blocks do not remove a season that columns share.")
_ADD_YEARS = N_("Add the years of “{along}”")
_TREND = N_("Tests can then condition on time. Blocks do not remove a trend that columns share.")
_IN_BLOCKS_OF = N_("Group rows in blocks of {rows}")
_IN_FEW_BLOCKS_OF = N_("Group rows in only {count} blocks of {rows}")
_FEW_BLOCKED = N_("With so few blocks, tests find hardly anything.")
_BLOCKED = N_("Tests then treat each block, not each row, as one case.")
_TOO_FEW = N_("Blocks of rows are not offered, because too few would be independent of each other.")
_PERHAPS_SORTED = N_("The file may be sorted by a variable that is not in it, or rows may belong together.")
_PERHAPS_NUMBERED = N_(
    "“{along}” may number the rows by a variable that is not in the table, or rows may belong together."
)
_IF_TOGETHER = N_("If they belong together, unrelated columns can look linked.")
