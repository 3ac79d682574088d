"""How the values of one column are spread: bars, gaps, what lies far out, all of it by the label as well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.recipe.step import DATES
from engine.recipe.table_steps import dates_of
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Variable, missing_mask

MOST_BARS = 40
_FENCES = 3.0
# More categories than these are no help side by side.
_MOST_CLASSES = 6
_DATES_LOOKED_AT = 100
_LARGEST_WHOLE = 1e9
_LARGEST_DRAWN = 1e300
# Up to this share of the rows, what lies far out does not press all other bars together.
_MOST_FAR_OUT = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class ColumnDistribution:
    """What the page of a column shows of its values."""

    variable: Variable
    rows: int  # of the table
    missing: int  # rows without a value
    values: np.ndarray  # the numbers, ascending; empty for categories
    # Shape (bars + 1,); empty for categories; the outer bars hold what lies beyond them, too.
    edges: np.ndarray
    counts: np.ndarray  # rows in each bar, or of each category
    label: str = ""  # by which the bars are divided; empty for none
    # Categories of the label, each with its rows in each bar.
    classes: tuple[tuple[str, np.ndarray], ...] = ()
    # Share of rows without a value in each category of the label.
    missing_in: tuple[tuple[str, float], ...] = ()
    fences: tuple[float, float] = (np.nan, np.nan)  # three times the distance of the quartiles beyond them
    far_out: tuple[int, int] = (0, 0)  # rows below and above the fences
    is_dates: bool = False  # its categories are dates
    quartiles: tuple[float, float, float] = (np.nan, np.nan, np.nan)

    def counts_between(self, points: tuple[float, ...], equal_goes_below: bool) -> tuple[int, ...]:
        """Count the numbers between cut points, in no time however many there are."""
        side = "right" if equal_goes_below else "left"
        places = np.searchsorted(self.values, np.array(points), side=side)  # type: ignore[call-overload]
        return tuple(np.diff(np.concatenate(([0], places, [len(self.values)]))).tolist())


def distribution_of(dataset: Dataset, name: str, label: str = "") -> ColumnDistribution:
    """Describe how the values of a column are spread, in all rows and in each category of a label.

    >>> import pandas
    >>> frame = pandas.DataFrame({"dose": [1.5, 2, None, 4, 90], "ill": list("nnyyy")})
    >>> found = distribution_of(Dataset.from_frame(frame, labels=["ill"]), "dose", "ill")
    >>> found.missing, found.far_out, [name for name, _ in found.classes]
    (1, (0, 1), ['n', 'y'])
    >>> found.counts_between((2.0,), True)
    (2, 2)
    """
    variable, column = dataset.variable(name), dataset.column(name)
    missing = missing_mask(variable, column)
    classes = _classes(dataset, label) if label in dataset.names and label != name else []
    values = np.sort(column[~missing]) if variable.kind is Kind.CONTINUOUS else np.empty(0)
    quartiles, fences, far_out = _robust(values)
    known = [column[rows & ~missing] for rows in (np.ones_like(missing), *(rows for _, rows in classes))]
    if variable.kind is Kind.CONTINUOUS:
        edges = _edges(values, fences if 0 < sum(far_out) <= _MOST_FAR_OUT * len(values) else None)
        counts = [_in_bars(edges, numbers) for numbers in known]
    else:
        edges = np.empty(0)
        counts = [np.bincount(codes, minlength=max(variable.level_count, 1)) for codes in known]
    return ColumnDistribution(
        variable,
        len(column),
        int(missing.sum()),
        values,
        edges,
        counts[0],
        label if classes else "",
        tuple((level, found) for (level, _), found in zip(classes, counts[1:], strict=True)),
        tuple((level, float(missing[rows].mean()) if rows.any() else 0.0) for level, rows in classes),
        fences,
        far_out,
        _is_dates(dataset, variable),
        quartiles,
    )


def _classes(dataset: Dataset, label: str) -> list[tuple[str, np.ndarray]]:
    """Return the categories of a label with their rows; a number has a lower and an upper half."""
    variable, column = dataset.variable(label), dataset.column(label)
    if variable.kind is Kind.CONTINUOUS:
        known = column[~np.isnan(column)]
        middle = float(np.median(known)) if len(known) else 0.0
        return [("lower half", column <= middle), ("upper half", column > middle)]
    if variable.level_count > _MOST_CLASSES:
        return []
    return [(level, column == code) for code, level in enumerate(variable.levels)]


def _edges(values: np.ndarray, fences: tuple[float, float] | None) -> np.ndarray:
    """Return where bars begin and end; a few values far out are in the first and the last bar."""
    if not len(values):
        return np.empty(0)
    low, high = max(float(values[0]), -_LARGEST_DRAWN), min(float(values[-1]), _LARGEST_DRAWN)
    if fences is not None:
        low, high = max(low, fences[0]), min(high, fences[1])
    if low >= high:
        return np.array([low - 0.5, low + 0.5])
    bars = int(min(MOST_BARS, max(8, round(4 * len(values) ** (1 / 3)))))
    if high - low < _LARGEST_WHOLE and (values % 1 == 0).all():
        # As many whole numbers in each bar, so that none is higher for holding more of them.
        width = int(np.ceil((high - low + 1) / MOST_BARS))
        return np.arange(np.floor(low) - 0.5, high + width, width)
    return np.linspace(low, high, bars + 1)


def _in_bars(edges: np.ndarray, values: np.ndarray) -> np.ndarray:
    if not len(edges):
        return np.zeros(0, dtype=np.int64)
    places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    return np.bincount(places, minlength=len(edges) - 1)


def _robust(
    values: np.ndarray,
) -> tuple[tuple[float, float, float], tuple[float, float], tuple[int, int]]:
    """Return quartiles, fences and how many values lie beyond (Tukey 1977, Exploratory Data Analysis)."""
    if not len(values):
        return (np.nan,) * 3, (np.nan, np.nan), (0, 0)
    lower, middle, upper = (float(values[int(share * (len(values) - 1))]) for share in (0.25, 0.5, 0.75))
    reach = _FENCES * (upper - lower)
    fences = lower - reach, upper + reach
    below = int(np.searchsorted(values, fences[0], side="left"))
    above = len(values) - int(np.searchsorted(values, fences[1], side="right"))
    return (lower, middle, upper), fences, (below, above) if reach > 0 else (0, 0)


def _is_dates(dataset: Dataset, variable: Variable) -> bool:
    if any(note.topic == DATES and note.variable == variable.name for note in dataset.notes):
        return True
    some = variable.levels[:_DATES_LOOKED_AT]
    return bool(some) and not np.isnat(dates_of(some).days).any()
