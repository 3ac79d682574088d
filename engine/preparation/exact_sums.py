"""Features that are the sum, count or mean of other columns, among them a label, in every row.

What is counted may be a condition, as above 0 or missing. Whether it holds in any, all or at least so many of
some columns is looked for in narrow tables.

A narrow table is searched whole: the inverse of the correlations says which columns are linear combinations
of others [1]_. In a wide table only the features most correlated with a label are looked at. Members are
found in :mod:`engine.preparation.members_of_sums`, and the sum is confirmed value by value.

References
----------
.. [1] Belsley, Kuh and Welsch (1980), Regression diagnostics: identifying influential data and sources of
   collinearity: 1 / (1 - R²) is the diagonal of the inverse.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.preparation.members_of_sums import (
    EXACT,
    NO_RESIDUAL,
    Pool,
    SumFit,
    collinear,
    combinations,
    dependencies_of,
    distinct_counts,
    fit_of,
    members_of,
    standardised,
    without,
)
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable, missing_mask

_MOST_COLUMNS = 300
_MOST_CANDIDATES = 30
_MOST_ROUNDS = 3
_CHUNK = 1024
_FEWEST_ROWS = 20
# Kinds that exclude a further one, as ways of spreading do, hold together in a smaller share of rows.
_LEAST_TOGETHER = 0.1
_LARGEST = 1e100
_ROWS_TO_SUSPECT = 3000
_MOST_MISSING = 0.2
# Labels of more different whole numbers are counts, of which none is a code.
_MOST_CODES = 12


@dataclass(frozen=True, slots=True)
class Condition:
    """What may hold for a column in a row."""

    kind: str  # above zero, at least, equal or missing
    value: float = 0.0

    def holds(self, block: np.ndarray) -> np.ndarray:
        """Tell by 1 and 0 where it holds; 0 in columns that it cannot be meant for."""
        if self.kind == "missing":
            return np.asarray(np.isnan(block), dtype=np.float64)
        changed = np.zeros_like(block)
        if self.kind == "above zero":
            counts = (block.min(axis=1) == 0) & (block.max(axis=1) > 1)
            # Columns of 0 and 1 say it themselves.
            flags = ~counts & ((block == 0) | (block == 1)).all(axis=1)
            changed[flags] = block[flags]
            changed[counts] = block[counts] > 0
            return changed
        whole = (block % 1 == 0).all(axis=1) & (block.max(axis=1) > 1)
        if self.kind == "equal":
            whole |= ((block == 0) | (block == 1)).all(axis=1)
            changed[whole] = block[whole] == self.value
        else:
            changed[whole] = block[whole] >= self.value
        return changed

    def always_holds(self, values: np.ndarray) -> bool:
        """Tell whether it holds for a column in every row."""
        if self.kind == "above zero":
            return bool(values.min() > 0)
        return self.kind == "at least" and bool((values % 1 == 0).all() and values.min() >= self.value)


_ABOVE_ZERO = Condition("above zero")
_MISSING = Condition("missing")


@dataclass(frozen=True, slots=True)
class AnyOrAll:
    """A feature of two values: whether a condition holds in any, all or at least so many of some columns."""

    name: str
    members: tuple[str, ...]
    condition: Condition
    is_any: bool | None  # None where it has to hold in more than one and fewer than all
    # the one of two levels that it is about; empty for the event of each member, None for others
    counted: str | None
    of_numbers: bool  # every member holds numbers, or their levels are numbers
    log_models: float  # logarithm of the number of such features with as many members


@dataclass(frozen=True, slots=True)
class ExactSum:
    """A feature that is a sum of other columns, up to one factor and a constant."""

    name: str
    members: tuple[str, ...]
    factor: float
    constant: float
    # it counts members with this one of two levels; empty for the event of each, None for no count
    counted: str | None
    of_numbers: bool  # every member holds numbers, or their levels are numbers
    of_shares: bool  # every member lies between 0 and 1
    condition: Condition | None  # what is added is whether this holds for a member
    log_models: float  # logarithm of the number of sums with as many members


def exact_sums(dataset: Dataset, already: frozenset[str] = frozenset()) -> tuple[ExactSum, ...]:
    """Find the features that are the sum, count or mean of columns with a label, or one `already` found."""
    if dataset.row_count < _FEWEST_ROWS:
        return ()
    by_name: dict[str, ExactSum] = {}
    for numbers, conditions in _looks(dataset):
        # Missing values are not added.
        plain = () if conditions == [_MISSING] else (None,)
        for condition in (*plain, *conditions):
            for exact_sum in _sums_that_hold(numbers, already.union(by_name), condition):
                log_models = exact_sum.log_models + math.log(1 + len(conditions))
                by_name.setdefault(exact_sum.name, replace(exact_sum, log_models=log_models))
    return tuple(by_name.values())


def any_or_all(dataset: Dataset, already: frozenset[str]) -> tuple[AnyOrAll, ...]:
    """Find features that tell whether any, all or so many columns, one of them a label, meet a condition."""
    if len(dataset.features) > _MOST_COLUMNS or dataset.row_count < _FEWEST_ROWS:
        return ()
    by_name: dict[str, AnyOrAll] = {}
    for numbers, conditions in _looks(dataset):
        for condition in conditions if not numbers.is_wide else ():
            for look in (_any_or_all_in, _at_least_in):
                for combination in look(numbers, already.union(by_name), condition):
                    log_models = combination.log_models + math.log(1 + len(conditions))
                    by_name[combination.name] = replace(combination, log_models=log_models)
    return tuple(by_name.values())


def _looks(
    dataset: Dataset,
) -> Iterator[tuple[_AddableColumns, list[Condition]]]:
    """Give the columns with what is looked for in them, where a label is among them."""
    numbers = _AddableColumns.of(dataset)
    if numbers.is_label.any() and numbers.row_count >= _FEWEST_ROWS:
        yield numbers, [_ABOVE_ZERO, *_conditions(numbers)]
    if any(map(dataset.missing_count, dataset.labels)):
        yield _AddableColumns.with_missing(dataset), [_MISSING]


def _sums_that_hold(
    numbers: _AddableColumns, already: frozenset[str], condition: Condition | None
) -> list[ExactSum]:
    """Find sums of the columns, or of whether a condition holds, and confirm them in all rows."""
    sums_by_name: dict[str, ExactSum] = {}
    some_rows = numbers.with_fewer_rows()
    look = _sums_in_wide if numbers.is_wide else _sums_in
    for _round in range(1 if numbers.is_wide else _MOST_ROUNDS):
        suspected = look(some_rows, already.union(sums_by_name), condition)
        fits = [(suspect, _confirmed(numbers, suspect)) for suspect in suspected]
        new = [_exact_sum(numbers, suspect, fit) for suspect, fit in fits if fit is not None]
        sums_by_name |= {exact_sum.name: exact_sum for exact_sum in new}
        if not new:
            break
    return list(sums_by_name.values())


def _conditions(numbers: _AddableColumns) -> list[Condition]:
    """Return the conditions, besides above 0, that labels of few whole numbers suggest in a narrow table."""
    if numbers.is_wide:
        return []
    at_least: set[float] = set()
    equal: set[float] = set()
    for place in np.flatnonzero(numbers.is_label).tolist():
        values = np.unique(numbers.column(place))
        if not 2 <= len(values) <= _MOST_CODES or (values % 1 != 0).any():
            continue
        # How many of 0 and 1 are 1 is their sum.
        equal.update(values.tolist() if len(values) > 2 else values[:1].tolist())
        at_least.update(values[1:][values[1:] > 1].tolist() if values[0] >= 0 else ())
    return [
        *(Condition("at least", value) for value in sorted(at_least)[:_MOST_CODES]),
        *(Condition("equal", value) for value in sorted(equal)[:_MOST_CODES]),
    ]


@dataclass(frozen=True, slots=True)
class _Sum:
    """A column that seems to be a sum: its place, and those of its members."""

    place: int
    members: np.ndarray
    condition: Condition | None


# A column, and what number each of its codes stands for.
_Addable = tuple[Variable, np.ndarray, np.ndarray | None]


@dataclass(frozen=True)
class _AddableColumns:
    """Columns that can be added, and the rows in which they are compared."""

    variables: list[Variable]
    is_label: np.ndarray
    columns: list[np.ndarray]  # all rows, as in the dataset
    # number of each code, NaN at the end; None where the column holds numbers
    level_values: list[np.ndarray | None]
    rows: np.ndarray | slice

    @classmethod
    def of(cls, dataset: Dataset) -> _AddableColumns:
        """Take the columns of a table of which few values are missing, and the rows in which none is."""
        rows = dataset.row_count
        usable: list[_Addable] = []
        for variable, column in zip(dataset.variables, dataset.columns, strict=True):
            if not variable.role.takes_part or dataset.missing_count(variable.name) > _MOST_MISSING * rows:
                continue
            values = _level_values(variable)
            if values is not None or (variable.kind is Kind.CONTINUOUS and _can_be_squared(column)):
                usable.append((variable, column, values))
        complete = np.ones(rows, dtype=bool)
        left_out = set()
        for variable, column, _values in sorted(
            usable, key=lambda usable_column: dataset.missing_count(usable_column[0].name)
        ):
            if dataset.missing_count(variable.name):
                present = complete & ~missing_mask(variable, column)
                if present.sum() < max(_FEWEST_ROWS, rows / 2):
                    left_out.add(variable.name)
                else:
                    complete = present
        return cls._taken(
            [usable_column for usable_column in usable if usable_column[0].name not in left_out],
            slice(None) if complete.all() else np.flatnonzero(complete),
        )

    @classmethod
    def with_missing(cls, dataset: Dataset) -> _AddableColumns:
        """Take all columns and rows, NaN where a value is missing."""
        taken: list[_Addable] = []
        for variable, column in zip(dataset.variables, dataset.columns, strict=True):
            values = _level_values(variable)
            if values is None and variable.kind is Kind.NOMINAL:
                values = np.append(np.zeros(variable.level_count), np.nan)
            if variable.role.takes_part and (values is not None or _can_be_squared(column)):
                taken.append((variable, column, values))
        return cls._taken(taken, slice(None))

    @classmethod
    def _taken(cls, columns: list[_Addable], rows: np.ndarray | slice) -> _AddableColumns:
        return cls(
            [variable for variable, *_ in columns],
            np.array([variable.role is Role.LABEL for variable, *_ in columns], dtype=bool),
            [column for _, column, _ in columns],
            [values for *_, values in columns],
            rows,
        )

    @property
    def is_wide(self) -> bool:
        """Whether there are too many columns to look at each combination."""
        return len(self.names) > _MOST_COLUMNS or self.row_count < len(self.names) + 10

    def with_fewer_rows(self) -> _AddableColumns:
        """Return the same columns in as many rows as are enough to suspect a sum."""
        rows = self.row_count
        if rows <= _ROWS_TO_SUSPECT:
            return self
        some = np.sort(np.random.default_rng(0).permutation(rows)[:_ROWS_TO_SUSPECT])
        return replace(self, rows=some if isinstance(self.rows, slice) else self.rows[some])

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [variable.name for variable in self.variables]

    def named(self, places: Iterable[int]) -> tuple[str, ...]:
        """Return the names of some columns, labels first."""
        labels_first = sorted(places, key=lambda place: (not self.is_label[place], place))
        return tuple(self.names[place] for place in labels_first)

    @property
    def row_count(self) -> int:
        """Number of rows in which they are compared."""
        return len(self.column(0))

    def column(self, place: int) -> np.ndarray:
        """Return one column as numbers."""
        column, values = self.columns[place][self.rows], self.level_values[place]
        return column if values is None else values[column]

    def block(self, places: Iterable[int]) -> np.ndarray:
        """Return columns as numbers, shape (columns, rows)."""
        places = list(places)
        filled = np.empty((len(places), self.row_count))
        for row, place in zip(filled, places, strict=True):
            row[:] = self.column(place)
        return filled


def _can_be_squared(column: np.ndarray) -> bool:
    largest = max(np.fmax.reduce(column, initial=0.0), -np.fmin.reduce(column, initial=0.0))
    return bool(1 / _LARGEST < largest < _LARGEST)


def _level_values(variable: Variable) -> np.ndarray | None:
    """Return what number each level stands for, NaN at the end for missing; None of more than two texts."""
    try:
        values = np.array([float(level) for level in variable.levels])
        if np.isfinite(values).all() and len(values):
            return np.append(values, np.nan)
    except ValueError:
        pass
    if len(variable.levels) != 2:
        return None
    return np.array([1.0, 0.0, np.nan] if variable.event == variable.levels[0] else [0.0, 1.0, np.nan])


def _sums_in(
    numbers: _AddableColumns, derived: frozenset[str], condition: Condition | None
) -> Iterator[_Sum]:
    """Look at every column of a narrow table."""
    names = numbers.names
    is_source = numbers.is_label | np.isin(names, list(derived))
    block = numbers.block(range(len(names)))
    features = [place for place in range(len(names)) if not is_source[place]]
    pool = block if condition is None else condition.holds(block)
    if condition is not None and not (pool[is_source].any() and _differ_from(block, pool).any()):
        return
    candidates = collinear(block, features) if condition is None else combinations(block, pool, features)
    # Whether a condition holds for a column follows from no other columns.
    dependencies = np.empty((len(names), 0))
    if condition is None:
        dependencies = dependencies_of(standardised(block))
    distinct = distinct_counts(block) if dependencies.size else None
    for place in candidates:
        others = np.delete(np.arange(len(names)), place)
        members = members_of(
            block[place],
            Pool(
                pool[others],
                numbers.is_label[others],
                is_source[others],
                without(dependencies, place)[others],
                None if distinct is None else distinct[others],
            ),
        )
        if members is not None:
            yield _Sum(place, others[members], condition)


def _sums_in_wide(
    numbers: _AddableColumns, derived: frozenset[str], condition: Condition | None
) -> Iterator[_Sum]:
    """Look at the features that are most correlated with a label."""
    names, count = numbers.names, len(numbers.names)
    is_source = numbers.is_label | np.isin(names, list(derived))
    sources = np.flatnonzero(is_source)
    source_block = numbers.block(sources)
    if condition is not None:
        block = source_block
        source_block = condition.holds(block)
        if not _differ_from(block, source_block).any():
            return
    size = np.abs(_correlations(numbers, source_block, None)).max(axis=0)
    # Copies of a label are found elsewhere.
    size[is_source | (size > 1 - NO_RESIDUAL)] = -1.0
    candidates = np.argsort(-size, kind="stable")[:_MOST_CANDIDATES]
    candidates = candidates[size[candidates] > 0]
    if not len(candidates):
        return
    correlations = np.abs(_correlations(numbers, numbers.block(candidates), condition))
    for candidate, related in zip(candidates.tolist(), correlations, strict=True):
        most = np.argpartition(-related, min(_MOST_COLUMNS, count - 1))[:_MOST_COLUMNS]
        others = np.union1d(most, sources)
        others = others[others != candidate]
        block = numbers.block(others)
        target = numbers.column(candidate)
        pool = Pool(
            block if condition is None else condition.holds(block),
            numbers.is_label[others],
            is_source[others],
            None if condition is None else np.empty((len(others), 0)),
        )
        members = members_of(target, pool)
        if members is not None:
            yield _Sum(candidate, others[members], condition)


def _correlations(numbers: _AddableColumns, wanted: np.ndarray, condition: Condition | None) -> np.ndarray:
    """Correlate some columns with all, shape (wanted, columns)."""
    wanted, count = standardised(wanted), len(numbers.names)
    products = np.empty((len(wanted), count))
    for start in range(0, count, _CHUNK):
        block = numbers.block(range(start, min(start + _CHUNK, count)))
        part = standardised(block if condition is None else condition.holds(block))
        products[:, start : start + _CHUNK] = wanted @ part.T
    return products


def _confirmed(numbers: _AddableColumns, suspected: _Sum) -> SumFit | None:
    """Return factor and constant where it is so in all rows."""
    block, condition = numbers.block(suspected.members), suspected.condition
    target = numbers.column(suspected.place)
    if condition is None:
        return fit_of(target, block.sum(axis=0), len(block))
    added = condition.holds(block)
    fit = fit_of(target, added.sum(axis=0), len(block))
    if fit is None or fit.factor != 1 or not _differ_from(block, added).any():
        return None
    if not fit.constant:
        return fit
    # Columns for which it always holds are counted in each row.
    others = (numbers.column(place) for place in range(len(numbers.names)) if place != suspected.place)
    is_true = fit.constant in range(1, 1 + sum(map(condition.always_holds, others)))
    return fit if is_true else None


def _differ_from(block: np.ndarray, changed: np.ndarray) -> np.ndarray:
    """Tell of which columns more is known than whether a condition holds."""
    return np.asarray((changed != changed[:, :1]).any(axis=1) & ((block != changed).any(axis=1)))


def _exact_sum(numbers: _AddableColumns, confirmed: _Sum, fit: SumFit) -> ExactSum:
    members = confirmed.members.tolist()
    block = numbers.block(members)
    log_models = math.log(math.comb(len(numbers.names), len(members)))
    return ExactSum(
        numbers.names[confirmed.place],
        numbers.named(members),
        fit.factor,
        fit.constant,
        counted=_counted(block, [numbers.variables[member] for member in members], fit),
        of_numbers=all(_holds_numbers(numbers.variables[member]) for member in members),
        of_shares=bool(block.min() >= 0 and block.max() <= 1),
        condition=confirmed.condition,
        # The factor and the constant are free.
        log_models=log_models + 2 * math.log(numbers.row_count),
    )


def _counted(block: np.ndarray, variables: list[Variable], fit: SumFit) -> str | None:
    """Return the level that a sum counts in columns of two levels, empty for their events; None for none."""
    low, high = block.min(axis=1), block.max(axis=1)
    is_count = (
        np.abs(fit.factor * (high - low) - 1).max() < EXACT
        and abs(fit.constant + fit.factor * low.sum()) < EXACT
    )
    return _level_counted(block, variables) if is_count else None


def _level_counted(block: np.ndarray, variables: list[Variable]) -> str | None:
    """Return the higher level of columns of two levels, empty for their events; None where they differ."""
    if any(variable.level_count != 2 for variable in variables):
        return None
    high = np.nanmax(block, axis=1)
    levels = []
    for variable, value in zip(variables, high, strict=True):
        values = _level_values(variable)
        levels.append("" if values is None else variable.levels[int(np.flatnonzero(values == value)[0])])
    if all(variable.event == level for variable, level in zip(variables, levels, strict=True)):
        return ""
    return levels[0] if len(set(levels)) == 1 else None


def _holds_numbers(variable: Variable) -> bool:
    try:
        [float(level) for level in variable.levels]
    except ValueError:
        return False
    return True


def _any_or_all_in(numbers: _AddableColumns, derived: frozenset[str], condition: Condition) -> list[AnyOrAll]:
    """Look at the features of two values in a narrow table."""
    names = numbers.names
    is_source = numbers.is_label | np.isin(names, list(derived))
    some_rows = numbers.with_fewer_rows()
    block = some_rows.block(range(len(names)))
    flags = condition.holds(block)
    if not flags[is_source].any():
        return []
    low, high = np.asarray(block.min(axis=1)), np.asarray(block.max(axis=1))
    is_high = np.asarray(block == high[:, np.newaxis])
    is_low = np.asarray(block == low[:, np.newaxis])
    has_two = (is_high | is_low).all(axis=1) & (low != high) & ~is_source
    rows, holds = some_rows.row_count, flags.sum(axis=1)
    varies = (holds > 0) & (holds < rows)
    targets = np.flatnonzero(has_two)
    by_name: dict[str, AnyOrAll] = {}
    for place, both in zip(targets.tolist(), is_high[targets].astype(np.float64) @ flags.T, strict=True):
        ones = int(is_high[place].sum())
        is_copy = ((both == holds) & (holds == ones)) | ((both == 0) & (holds + ones == rows))
        for is_any, is_one in ((True, True), (True, False), (False, True), (False, False)):
            # It holds in all columns where it fails in none. Both is how often flag and target are 1.
            without = (
                (holds - both if is_one else both)
                if is_any
                else (rows - holds - ones + both if is_one else ones - both)
            )
            within = varies & ~is_copy & (without == 0)
            if not within[is_source].any() or within.sum() < 2:
                continue
            places = np.flatnonzero(within)
            members_hold = condition.holds(numbers.block(places)).astype(bool) == is_any
            target = (numbers.column(place) == high[place]) == is_one
            cover = _cover(target, members_hold, is_source[places])
            # Where hardly two hold together, it is their sum, or they are parts of a whole with the feature.
            together = np.count_nonzero(members_hold[cover].sum(axis=0) > 1)
            least = _LEAST_TOGETHER * target.sum() if is_any and not is_one else 0
            members = places[cover]
            if len(members) and together > least:
                by_name[names[place]] = _any_or_all(numbers, place, members, condition, is_any)
    return list(by_name.values())


def _at_least_in(numbers: _AddableColumns, derived: frozenset[str], condition: Condition) -> list[AnyOrAll]:
    """Look at the features of two values that say whether a condition holds in at least so many columns."""
    names = numbers.names
    is_source = numbers.is_label | np.isin(names, list(derived))
    some_rows = numbers.with_fewer_rows()
    block = some_rows.block(range(len(names)))
    flags = condition.holds(block)
    varies = flags.min(axis=1) < flags.max(axis=1)
    if not varies[is_source].any():
        return []
    # By its coefficient in a linear regression, a member stands before a column that is none.
    centred = flags[varies] - flags[varies].mean(axis=1, keepdims=True)
    inverse = np.linalg.inv(centred @ centred.T + 1e-6 * some_rows.row_count * np.eye(len(centred)))
    by_name: dict[str, AnyOrAll] = {}
    for place in np.flatnonzero(~is_source).tolist():
        low, high = block[place].min(), block[place].max()
        if low == high or ((block[place] != low) & (block[place] != high)).any():
            continue
        is_high = np.asarray(block[place] == high)
        among = np.flatnonzero(varies)
        if varies[place]:
            own = int(np.searchsorted(among, place))
            coefficients = -inverse[own] * (1 if (flags[place] == is_high).all() else -1)
            coefficients[own] = 0.0
        else:
            coefficients = inverse @ (centred @ is_high)
        for sign in (1, -1):
            order = np.argsort(-sign * coefficients, kind="stable")[:_MOST_MEMBERS]
            order = order[sign * coefficients[order] > 0]
            members = _fewest_counted(is_high == (sign > 0), flags, among[order], is_source)
            target = (numbers.column(place) == high) == (sign > 0)
            if len(members) and _least_counted(target, condition.holds(numbers.block(members))):
                by_name[names[place]] = _any_or_all(numbers, place, members, condition, None)
                break
    return list(by_name.values())


# A count of more columns is not looked for.
_MOST_MEMBERS = 40


def _fewest_counted(
    target: np.ndarray, flags: np.ndarray, likely: np.ndarray, is_source: np.ndarray
) -> np.ndarray:
    """Return columns of which so many hold just where a target does, the likeliest; none without a source."""
    counts = np.cumsum(flags[likely], axis=0)
    fits = counts[:, target].min(axis=1) > counts[:, ~target].max(axis=1)
    if not fits.any():
        return likely[:0]
    members = likely[: int(fits.argmax()) + 1]
    for member in sorted(members.tolist(), key=lambda place: not is_source[place]):
        fewer = members[members != member]
        if len(fewer) and _separates(target, flags[fewer]):
            members = fewer
    is_new = is_source[members].any() and _least_counted(target, flags[members]) > 0
    return members if is_new else likely[:0]


def _separates(target: np.ndarray, flags: np.ndarray) -> bool:
    counts = flags.sum(axis=0)
    return bool(counts[target].min() > counts[~target].max())


def _least_counted(target: np.ndarray, flags: np.ndarray) -> int:
    """Return how many columns hold at least just where a target does; 0 for any, all and no such number."""
    counts = flags.sum(axis=0)
    least = int(counts[~target].max()) + 1
    return least if 1 < least < len(flags) and counts[target].min() >= least else 0


def _any_or_all(
    numbers: _AddableColumns, place: int, members: np.ndarray, condition: Condition, is_any: bool | None
) -> AnyOrAll:
    variables = [numbers.variables[member] for member in members.tolist()]
    block = numbers.block(members)
    return AnyOrAll(
        numbers.names[place],
        numbers.named(members.tolist()),
        condition,
        is_any,
        _level_counted(block, variables),
        all(map(_holds_numbers, variables)),
        # Any, all or a number between, and either value of the feature.
        math.log(2 * len(members)) + math.log(math.comb(len(numbers.names), len(members))),
    )


def _cover(target: np.ndarray, flags: np.ndarray, is_source: np.ndarray) -> list[int]:
    """Return columns of which any holds just where a target does; none where no source is needed for that."""

    def explain(places: np.ndarray | list[int]) -> bool:
        return bool(np.asarray(flags[places].any(axis=0))[target].all())

    within = np.asarray(~flags[:, ~target].any(axis=1))
    if not explain(within) or explain(within & ~is_source):
        return []
    members: list[int] = []
    left = target.copy()
    while left.any():
        gains = np.where(within, flags[:, left].sum(axis=1), -1)
        members.append(int(gains.argmax()))
        left &= ~flags[members[-1]]
    for member in members[::-1]:
        fewer = [kept for kept in members if kept != member]
        if explain(fewer):
            members = fewer
    return members
