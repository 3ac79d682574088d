"""Rows with one value of a column of many values that are alike, as several rows of one person."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.preparation.dependence.likeness import (
    CONCERNED,
    LEAST_INFLATION,
    LIKELY,
    ScoredTable,
    StandardScores,
    WithinGroups,
    columns_concerned,
    holds_whole_numbers,
    is_clear,
    within_groups,
)
from engine.preparation.dependence.values import (
    NOT_INDEPENDENT,
    WHAT_IT_DOES,
    DependenceKind,
    RowDependence,
    RowOffer,
)
from engine.recipe.table_steps import RowBlocks, are_dates, places_of
from engine.table.variable import Kind, Role, Variable, missing_mask
from engine.translation import N_, _
from engine.wording.notes import listed
from engine.wording.numbers import counted
from engine.wording.phrases import plain_listing

# Fewer groups than this are strata rather than persons, up to here they may be either.
_FEWEST_GROUPS, _SURELY_MANY = 20, 60
# Groups of more rows than this, on average, are no persons either.
_MOST_ROWS = 100
# Numbers that lie so close are counted rather than sorted.
_SPAN = 4.0
# Where groups may be wards as well as persons, they are persons where nearly all features are alike within
# them: a ward is the cause of some. Of numbers that may measure something, many have to be.
_NEARLY_ALL, _MANY = 0.75, 0.4


@dataclass(frozen=True, eq=False)
class _Grouping:
    """One or two columns whose values may say which rows belong together."""

    names: tuple[str, ...]
    groups: np.ndarray
    is_measured: bool

    @cached_property
    def has_missing(self) -> bool:
        """Whether some row is of no group."""
        return bool((self.groups < 0).any())

    @cached_property
    def count(self) -> int:
        """Groups of two rows at least."""
        return int((np.bincount(self.groups[self.groups >= 0]) > 1).sum())

    def joined(self, name: str, codes: np.ndarray) -> _Grouping:
        """Divide the groups by another column."""
        both = self.groups * (int(codes.max(initial=0)) + 1) + codes
        present = (self.groups >= 0) & (codes >= 0)
        groups = np.full(len(both), -1)
        groups[present] = np.unique(both[present], return_inverse=True)[1]
        return _Grouping((*self.names, name), groups, False)


_CONSTANT = 0.999


@dataclass(frozen=True, eq=False)
class _Alike:
    """How alike rows of one group are in labels and in features, by column; 0 where they are not."""

    grouping: _Grouping
    label_p: np.ndarray
    feature_p: np.ndarray
    label_figures: np.ndarray
    figures: np.ndarray
    inflation: float

    @cached_property
    def figure(self) -> float:
        """Median over the columns concerned."""
        both = np.concatenate([self.label_figures, self.figures])
        return float(np.median(both[both > 0.0])) if (both > 0.0).any() else 0.0

    @cached_property
    def kept(self) -> int:
        """Columns that do not vary within groups."""
        return int((self.figures > _CONSTANT).sum() + (self.label_figures > _CONSTANT).sum())

    def is_clear(self, tries: int) -> bool:
        """Tell whether rows of one group are alike, for whatever reason."""
        return is_clear(self.label_p, self.feature_p, tries) and self.inflation >= LEAST_INFLATION

    @property
    def is_of_persons(self) -> bool:
        """Whether so many columns are alike that the groups are no wards and no ages."""
        needed = _MANY * self.grouping.is_measured
        if self.grouping.count <= _SURELY_MANY or len(self.grouping.names) > 1:
            needed = _NEARLY_ALL
        return bool((self.feature_p < CONCERNED).mean() >= needed)


def find_by_group(table: ScoredTable) -> RowDependence | None:
    """Return the column within whose values rows are alike in a label and a feature, if there is one."""
    pairs = zip(table.dataset.variables, table.dataset.columns, strict=True)
    candidates = (_grouping(*pair) for pair in pairs if pair[0].role is not Role.WEIGHT)
    large = (grouping for grouping in candidates if grouping is not None and grouping.count >= _FEWEST_GROUPS)
    groupings = sorted(large, key=lambda grouping: grouping.names)
    of_persons = []
    for grouping in groupings:
        of_labels = _p_values(table.labels, grouping, _within(table.labels, grouping))
        if of_labels.min() * len(of_labels) < LIKELY:
            alike = _compared(table, grouping)
            if alike.is_clear(len(groupings)):
                of_persons += [
                    unit for unit in dict.fromkeys((alike, _divided(table, alike))) if unit.is_of_persons
                ]
    if not of_persons:
        return None
    finest = max(of_persons, key=lambda unit: (unit.figure, unit.grouping.names))
    return _dependence_by(table, _larger_units(table, finest, of_persons))


def _within(scores: StandardScores, grouping: _Grouping) -> WithinGroups:
    return within_groups(scores.values, grouping.groups, is_measured=grouping.is_measured)


def _p_values(scores: StandardScores, grouping: _Grouping, alike: WithinGroups) -> np.ndarray:
    """Return the p-values of all columns but those that group the rows."""
    of_columns = scores.smallest(alike.p_values)
    kept = [position for position, name in enumerate(scores.names) if name not in grouping.names]
    return of_columns[kept] if kept else np.ones(1)


def _compared(table: ScoredTable, grouping: _Grouping) -> _Alike:
    of_labels, of_features = _within(table.labels, grouping), _within(table.features, grouping)
    label_figures = _figures(table.labels, grouping, of_labels)
    figures = _figures(table.features, grouping, of_features)
    return _Alike(
        grouping,
        _p_values(table.labels, grouping, of_labels),
        _p_values(table.features, grouping, of_features),
        label_figures,
        figures,
        1.0 + float(label_figures.max() * figures.max()) * of_labels.others,
    )


def _figures(scores: StandardScores, grouping: _Grouping, alike: WithinGroups) -> np.ndarray:
    figures = scores.largest(np.where(alike.p_values < CONCERNED, alike.correlations, 0.0))
    figures[[name in grouping.names for name in scores.names]] = 0.0
    return figures


# Numbers of persons that begin anew in each site name them together with the site, which has so many values.
# Persons then show by what they keep: so many further columns do not vary within them, as sex and birth.
_MOST_SITES, _KEPT = 20, 2


def _divided(table: ScoredTable, alike: _Alike) -> _Alike:
    """Return the groups, or those that a further column makes of them where these keep more columns."""
    best = alike
    for variable, column in zip(table.dataset.variables, table.dataset.columns, strict=True):
        if variable.name in alike.grouping.names or variable.role not in (Role.FEATURE, Role.IGNORED):
            continue
        values, codes = np.unique(column, return_inverse=True)
        if not 2 <= len(values) <= _MOST_SITES or missing_mask(variable, column).any():
            continue
        divided = alike.grouping.joined(variable.name, codes)
        # Where few groups are divided, or few rows are left together, these name no other persons.
        if divided.count < 1.5 * alike.grouping.count or 2 * divided.count > len(column):
            continue
        compared = _compared(table, divided)
        if compared.kept >= alike.kept + _KEPT and compared.figure > best.figure:
            best = compared
    return best


def _larger_units(table: ScoredTable, finest: _Alike, of_persons: Sequence[_Alike]) -> _Alike:
    """Return larger groups, of which each holds whole groups, where these are alike beyond their own rows."""
    for alike in sorted(of_persons, key=lambda unit: (unit.grouping.count, unit.grouping.names)):
        fine, coarse = finest.grouping.groups, alike.grouping.groups
        present = (fine >= 0) & (coarse >= 0)
        if alike.grouping.count >= finest.grouping.count or not present.all():
            continue
        pairs = np.unique(fine.astype(np.int64) * (int(coarse.max()) + 1) + coarse)
        if len(pairs) > int(fine.max()) + 1:
            continue
        units = _Grouping(alike.grouping.names, pairs % (int(coarse.max()) + 1), alike.grouping.is_measured)
        of_labels, of_features = (
            _p_values(scores, units, _within(scores.means(fine), units))
            for scores in (table.labels, table.features)
        )
        if is_clear(of_labels, of_features, len(of_persons)):
            return alike
    return finest


def _fewest_groups(row_count: int) -> int:
    return max(_FEWEST_GROUPS, row_count // _MOST_ROWS)


def _numbered(values: np.ndarray) -> np.ndarray:
    """Return the place of each whole number among the different ones."""
    span = float(values.max() - values.min())
    if span > _SPAN * len(values):
        return np.unique(values, return_inverse=True)[1]
    places = (values - values.min()).astype(np.int64)
    numbers: np.ndarray = (np.cumsum(np.bincount(places) > 0) - 1)[places]
    return numbers


def _grouping(variable: Variable, column: np.ndarray) -> _Grouping | None:
    if variable.kind is Kind.NOMINAL:
        if not _fewest_groups(len(column)) <= variable.level_count < len(column):
            return None
        is_measured = variable.ordered or are_dates(variable.levels)
        groups = np.full(len(column), -1)
        present = column >= 0
        groups[present] = np.unique(places_of(variable, column)[present], return_inverse=True)[1]
        return _Grouping((variable.name,), groups, is_measured)
    if not holds_whole_numbers(column):
        return None
    missing = np.isnan(column)
    present = column[~missing] if missing.any() else column
    # No more numbers can be different than there are between the least and the greatest.
    if not len(present) or present.max() - present.min() + 1.0 < _fewest_groups(len(column)):
        return None
    groups = _numbered(present)
    if not _fewest_groups(len(column)) <= int(groups.max()) + 1 < len(groups):
        return None
    codes = np.full(len(column), -1)
    codes[~missing] = groups
    return _Grouping((variable.name,), codes, True)


def _dependence_by(table: ScoredTable, alike: _Alike) -> RowDependence:
    def figures_of(scores: StandardScores) -> np.ndarray:
        return _figures(scores, alike.grouping, _within(scores, alike.grouping))

    concerned = columns_concerned(table, figures_of, alike.grouping.names)
    names, groups = alike.grouping.names, alike.grouping.groups
    if len(names) == 1 and not alike.grouping.has_missing:
        option, step = f"--groups {shlex.quote(names[0])}", None
    else:
        series = " ".join(f"--block-series {shlex.quote(name)}" for name in names)
        column = f"groups of {plain_listing(names)}"
        option, step = f"--row-blocks --block-rows 0 {series}", RowBlocks(0, series=names, column=column)
    named = plain_listing([f"“{name}”" for name in names])
    offer = RowOffer(
        _(_GROUP_BY, names=named), _(_GROUPED), option, "" if step is not None else names[0], step
    )
    sentence = _(
        _ALIKE_BY,
        names=named,
        groups=counted(int(groups.max(initial=-1)) + 1, "group"),
        rows=counted(table.dataset.row_count, "row"),
        figure=f"{alike.figure:.2f}",
        columns=listed([name for name, _, _ in concerned]),
    )
    return RowDependence(
        DependenceKind.GROUPS,
        names,
        alike.figure,
        alike.inflation,
        concerned,
        _(NOT_INDEPENDENT),
        f"{sentence} {_(WHAT_IT_DOES)}",
        (offer,),
    )


_ALIKE_BY = N_(
    "Rows with the same {names} resemble each other ({groups} in {rows}). "
    "The median intraclass correlation is {figure} in {columns}."
)
_GROUP_BY = N_("Group rows by {names}")
_GROUPED = N_("Tests then treat each group, not each row, as one case.")
