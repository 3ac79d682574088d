"""What rows stand for: weights, and groups of rows that are not independent of each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.errors import InvalidData
from engine.table.variable import Kind, Role, Variable, missing_mask
from engine.translation import N_, _
from engine.wording.notes import listed

SURVEY_WEIGHTS = "survey-weights"
"""Topic of the notes about features that seem to be weights of the rows."""

SAMPLING = "sampling"
COUNTS = "counts"

# Floats hold all whole numbers up to here.
_MOST_COUNTED = 2.0**53


def weights_of(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Read numbers, or levels that are numbers, as weights of the rows: none below 0, not all 0."""
    place = _("column '{name}'", name=variable.name)
    missing = missing_mask(variable, column)
    if missing.any():
        raise InvalidData(
            _(
                "{count:,} row weights are missing; the first is in row {row:,}.",
                count=int(missing.sum()),
                row=int(missing.argmax()) + 1,
            ),
            place=place,
            remedy=_("Give every row a weight, or leave these rows out of the file."),
        )
    weights = column if variable.kind is Kind.CONTINUOUS else _numbers(variable)[column]
    if (weights < 0).any():
        raise InvalidData(
            _("the row weight in row {row:,} is negative.", row=int((weights < 0).argmax()) + 1),
            place=place,
            remedy=_("A weight says how many rows a row stands for: 0 or more."),
        )
    if len(weights) and not weights.any():
        raise InvalidData(_("every row weight is 0."), place=place, remedy=_("Choose another column."))
    return weights


def _numbers(variable: Variable) -> np.ndarray:
    try:
        return np.array([float(level) for level in variable.levels])
    except ValueError:
        raise InvalidData(
            _("row weights must be numbers."),
            place=_("column '{name}'", name=variable.name),
            remedy=_("Choose a column of numbers."),
        ) from None


def observations_in(weights: np.ndarray, is_sample: bool) -> float:
    """Tell how many observations rows with weights are worth.

    In a sample, weights say how many members of a population each row stands for. Its rows are worth (sum of
    w)² / (sum of w²) rows of equal weight: unequal weights that have nothing to do with what is measured
    multiply the variance of a mean by that much (Kish 1965, Survey Sampling, section 11.7). Otherwise a row
    of weight w is w rows.
    """
    total = float(weights.sum())
    if not is_sample or total <= 0.0:
        return total
    # Only ratios count: a power of two keeps squares of tiny and of huge weights within what floats hold.
    scaled = np.ldexp(weights, -np.frexp(weights.max())[1])
    total = float(scaled.sum())
    return total * total / float(np.square(scaled).sum())


def are_whole(weights: np.ndarray) -> bool:
    """Tell whether weights can be numbers of equal rows."""
    return bool((weights % 1 == 0).all() and weights.sum() < _MOST_COUNTED)


def say_nothing(weights: np.ndarray, is_sample: bool) -> bool:
    """Tell whether weights, all above 0, can as well be left out.

    Each row then occurred once, or, in a sample, stands for as much of a population as any other.
    """
    return bool((weights == (weights[:1] if is_sample else 1.0)).all())


FEWEST_GROUPS = 2


def groups_of(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Read a column as groups of the rows: rows with the same value, a name or a number, belong together.

    Groups are ``0 … groups - 1`` in the order of the column's codes or numbers; every group has a row.
    """
    missing = missing_mask(variable, column)
    if missing.any():
        raise InvalidData(
            _(
                "the group of {count:,} rows is missing; the first is in row {row:,}.",
                count=int(missing.sum()),
                row=int(missing.argmax()) + 1,
            ),
            place=_("column '{name}'", name=variable.name),
            remedy=_(
                "Give every row its group, one of its own where it stands alone, or leave these rows out "
                "of the file."
            ),
        )
    codes: np.ndarray = np.unique(column, return_inverse=True)[1]
    return codes.astype(np.int64, copy=False)


def require_several_groups(variable: Variable, groups: np.ndarray) -> None:
    """Refuse a column that puts all rows in one group."""
    if len(groups) and int(groups.max()) + 1 < FEWEST_GROUPS:
        raise InvalidData(
            _("every row is in the same group, so nothing can be compared between groups."),
            place=_("column '{name}'", name=variable.name),
            remedy=_("Choose the column that names the person, or whatever else has several rows."),
        )


# What a role that only one column can have makes of a column, and what helps when two have it.
_SINGLE_ROLES = {
    Role.WEIGHT: (N_("two columns are row weights."), N_("Keep one, or multiply them into one.")),
    Role.GROUPS: (
        N_("two columns are groups of rows."),
        N_("Keep one, or join them into one: the larger units, such as families."),
    ),
}


def check_single_roles(variables: Sequence[Variable]) -> None:
    """Refuse two columns of weights, or of groups."""
    for role, (problem, remedy) in _SINGLE_ROLES.items():
        names = [variable.name for variable in variables if variable.role is role]
        if len(names) > 1:
            raise InvalidData(
                _(problem),
                place=_("columns {names}", names=listed(names[:2])),
                remedy=_(remedy),
            )
