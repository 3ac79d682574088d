"""What an expression says of the rows of a table: types are checked first, then whole columns are computed.

A value is a number, a category or a condition. What is missing stays missing, except that ``or`` is true
where one condition is, and ``and`` false where one is not (Kleene's logic). A category whose levels are all
numbers counts as a number beside numbers. Ordered categories can be compared by ``<``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from engine.errors import InvalidExpression
from engine.recipe.expression import ColumnValue, Expression, Number, Operation, QuotedText, columns_of, parse
from engine.table.dataset import Dataset
from engine.table.variable import MISSING_CODE, Kind, Variable, missing_mask
from engine.translation import _
from engine.wording.notes import listed
from engine.wording.sentences import NO_SUCH_COLUMN, any_near_or


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number in each row, or one for all; NaN for missing."""

    values: np.ndarray

    @property
    def missing(self) -> np.ndarray:
        """Where the value is missing."""
        return np.asarray(np.isnan(self.values))

    def as_column(self, name: str) -> tuple[Variable, np.ndarray]:
        """Return a column of the numbers."""
        return Variable(name, Kind.CONTINUOUS), np.where(np.isfinite(self.values), self.values, np.nan)


@dataclass(frozen=True, slots=True)
class Categories:
    """A level in each row, or one for all."""

    codes: np.ndarray  # -1 for missing
    levels: tuple[str, ...]
    is_ordered: bool = False
    is_text: bool = False  # a text that stands in the expression, rather than a column

    @property
    def missing(self) -> np.ndarray:
        """Where the value is missing."""
        return np.asarray(self.codes == MISSING_CODE)

    def as_column(self, name: str) -> tuple[Variable, np.ndarray]:
        """Return a column of the categories."""
        return Variable(name, Kind.NOMINAL, levels=self.levels, ordered=self.is_ordered), self.codes


@dataclass(frozen=True, slots=True)
class ConditionValues:
    """Whether a condition holds in each row, or in all."""

    holds: np.ndarray  # False where it is not known
    missing: np.ndarray  # where it is not known

    def as_column(self, name: str) -> tuple[Variable, np.ndarray]:
        """Return a column that says yes or no."""
        codes = np.where(self.missing, MISSING_CODE, self.holds.astype(np.int8))
        return Variable(name, Kind.NOMINAL, levels=TRUTH_LEVELS), codes


Values = Numbers | Categories | ConditionValues

_Meaning = Callable[[Operation, Sequence[Values]], Values]

TRUTH_LEVELS = ("no", "yes")
"""What a condition is called in a column."""


def rows_where(text: str, dataset: Dataset) -> ConditionValues:
    """Tell in which rows a condition holds.

    >>> import pandas
    >>> dataset = Dataset.from_frame(pandas.DataFrame({"age": [30, 71, 64.5], "sex": ["f", None, "m"]}))
    >>> found = rows_where('age > 60 and sex = "m"', dataset)
    >>> found.holds.tolist(), found.missing.tolist()
    ([False, False, True], [False, True, False])
    """
    condition = evaluate(parse(text), dataset)
    if not isinstance(condition, ConditionValues):
        raise InvalidExpression(
            _("this is not a condition, which is true or false in a row."),
            0,
            remedy=_('Compare it, as in age >= 65 or sex = "female".'),
        )
    shape = (dataset.row_count,)
    return ConditionValues(np.broadcast_to(condition.holds, shape), np.broadcast_to(condition.missing, shape))


def computed_column(text: str, name: str, dataset: Dataset) -> tuple[Variable, np.ndarray, int]:
    """Compute a column, and count the rows in which its value alone is missing, such as the root of -1."""
    tree = parse(text)
    result = evaluate(tree, dataset)
    missing = np.broadcast_to(result.missing, (dataset.row_count,))
    used = columns_of(tree)
    gaps = [missing_mask(dataset.variable(used_name), dataset.column(used_name)) for used_name in used]
    is_known = ~reduce(np.logical_or, gaps, np.zeros(dataset.row_count, dtype=bool))
    variable, column = result.as_column(name)
    return variable, np.broadcast_to(column, missing.shape), int((missing & is_known).sum())


def check_expression(text: str, dataset: Dataset) -> None:
    """Look whether an expression fits a table, without computing anything."""
    with np.errstate(all="ignore"):
        _value(parse(text), dataset, slice(0, 0))


def evaluate(tree: Expression, dataset: Dataset) -> Values:
    """Compute a tree: on no rows first, so that what does not fit is told before anything is computed."""
    with np.errstate(all="ignore"):
        if dataset.row_count:
            _value(tree, dataset, slice(0, 0))
        return _value(tree, dataset, slice(None))


def _value(node: Expression, dataset: Dataset, rows: slice) -> Values:
    if isinstance(node, Operation):
        values = [_value(operand, dataset, rows) for operand in node.operands]
        return _OPERATIONS[node.name](node, values)
    if isinstance(node, Number):
        return Numbers(np.array(node.value))
    if isinstance(node, QuotedText):
        return Categories(np.array(0, np.int8), (node.value,), is_text=True)
    return _column(node, dataset, rows)


def _column(node: ColumnValue, dataset: Dataset, rows: slice) -> Values:
    if node.name not in dataset.names:
        remedy = any_near_or(node.name, dataset.names, _('Texts stand between quotation marks: "…".'))
        raise InvalidExpression(_(NO_SUCH_COLUMN, name=node.name), node.at, remedy=remedy)
    variable, column = dataset.variable(node.name), dataset.column(node.name)[rows]
    if variable.kind is Kind.CONTINUOUS:
        return Numbers(column)
    return Categories(column, variable.levels, variable.ordered)


def _number_of(node: Expression, values: Values) -> np.ndarray:
    """Take a value as a number, or say why it is none."""
    if isinstance(values, Numbers):
        return values.values
    if isinstance(values, Categories):
        numbers = _levels_as_numbers(values)
        if numbers is not None and not values.is_text:
            return np.asarray(numbers[values.codes])
        raise InvalidExpression(
            _("a number is needed here, and this is a category."),
            node.at,
            remedy=_('Compare categories by =, as in sex = "female", or recode them.'),
        )
    raise InvalidExpression(
        _("a number is needed here, and this is a condition."),
        node.at,
        remedy=_("Make a number of it: if(age > 65, 1, 0)."),
    )


def _truth_of(node: Expression, values: Values) -> ConditionValues:
    if isinstance(values, ConditionValues):
        return values
    raise InvalidExpression(
        _("a condition is needed here, which holds in a row or does not."),
        node.at,
        remedy=_('Compare the value, as in smoker = "yes".'),
    )


def _levels_as_numbers(values: Categories) -> np.ndarray | None:
    """Return the levels as numbers and NaN for missing behind them; None when one is no number."""
    if any("_" in level for level in values.levels):
        return None
    try:
        numbers = np.array([float(level) for level in values.levels] + [np.nan])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers[:-1]).all() else None


_ARITHMETIC: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
}


def _finite(values: np.ndarray) -> Numbers:
    """Leave missing what is no number: the root of −1, 1/0, and what is too large."""
    return Numbers(np.where(np.isfinite(values), values, np.nan))


def _arithmetic(node: Operation, values: Sequence[Values]) -> Numbers:
    operands = [_number_of(*operand) for operand in zip(node.operands, values, strict=True)]
    result = operands[0]
    for sign, operand in zip(node.signs, operands[1:], strict=True):
        result = _ARITHMETIC[sign](result, operand)
    return _finite(result)


_COMPARISONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "=": np.equal,
    "≠": np.not_equal,
    "<": np.less,
    "≤": np.less_equal,
    ">": np.greater,
    "≥": np.greater_equal,
}


def _comparison(node: Operation, values: Sequence[Values]) -> ConditionValues:
    pairs = []
    for position, sign in enumerate(node.signs):
        nodes, sides = node.operands[position : position + 2], values[position : position + 2]
        left, right, missing = _comparable(sign, nodes, sides)
        pairs.append(ConditionValues(_COMPARISONS[sign](left, right) & ~missing, missing))
    return _all_hold(pairs)


def _comparable(
    sign: str, nodes: Sequence[Expression], sides: Sequence[Values]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what stands at both sides of a comparison as numbers, and where either is missing."""
    missing = sides[0].missing | sides[1].missing
    first, second = sides
    if isinstance(first, Categories) and isinstance(second, Categories):
        return *_comparable_codes(sign, nodes, (first, second)), missing
    for node, side, facing in zip(nodes, sides, reversed(sides), strict=True):
        if isinstance(side, Categories) and side.is_text and isinstance(facing, Numbers):
            raise InvalidExpression(
                _("a number is compared with the text {text!r}.", text=side.levels[0]),
                node.at,
                remedy=_("Leave out the quotation marks of a number."),
            )
    return _number_of(nodes[0], first), _number_of(nodes[1], second), missing


def _comparable_codes(
    sign: str, nodes: Sequence[Expression], sides: tuple[Categories, Categories]
) -> tuple[np.ndarray, np.ndarray]:
    first, second = sides
    named = [side for side in sides if not side.is_text]
    levels = named[0].levels if named else tuple(dict.fromkeys((*first.levels, *second.levels)))
    if len(named) == 1:
        text, node = (first, nodes[0]) if first.is_text else (second, nodes[1])
        _require_level(text.levels[0], named[0], node.at)
    if sign not in ("=", "≠") and not (named and all(side.is_ordered for side in named)):
        raise InvalidExpression(
            _("'{sign}' needs an order, but these categories have none.", sign=sign),
            nodes[0].at,
            remedy=_("Compare them by = or ≠, or order their levels by a step before this one."),
        )
    if len(named) == 2 and first.levels != second.levels:
        if sign not in ("=", "≠"):
            raise InvalidExpression(
                _("the two columns have different levels, or another order of the levels."),
                nodes[0].at,
                remedy=_("Give both the same levels in the same order by a step before this one."),
            )
        levels = tuple(dict.fromkeys((*first.levels, *second.levels)))
    return _codes_among(levels, first), _codes_among(levels, second)


def _codes_among(levels: tuple[str, ...], values: Categories) -> np.ndarray:
    """Write categories by their positions among levels."""
    if values.levels == levels:
        return values.codes
    position = {level: code for code, level in enumerate(levels)}
    table = np.array([*(position[level] for level in values.levels), MISSING_CODE])
    return np.asarray(table[values.codes])


def _require_level(level: str, values: Categories, at: int) -> None:
    if level in values.levels:
        return
    remedy = any_near_or(
        level, values.levels, _("The categories are {names}.", names=listed(values.levels, _FEW)), most=2
    )
    raise InvalidExpression(_("there is no category {level!r}.", level=level), at, remedy=remedy)


_FEW = 6


def _among(node: Operation, values: Sequence[Values]) -> ConditionValues:
    value, missing = values[0], values[0].missing
    if isinstance(value, Categories) and any(isinstance(choice, Categories) for choice in values[1:]):
        # A number in a list with texts means the level that is written so.
        for operand in node.operands[1:]:
            _require_level(_written(operand), value, operand.at)
        wanted = [value.levels.index(_written(operand)) for operand in node.operands[1:]]
        return ConditionValues(np.isin(value.codes, wanted), missing)
    numbers = [_number_of(*operand) for operand in zip(node.operands, values, strict=True)]
    return ConditionValues(np.isin(numbers[0], np.array(numbers[1:])) & ~missing, missing)


def _written(node: Expression) -> str:
    if isinstance(node, QuotedText):
        return node.value
    return f"{node.value:.15g}" if isinstance(node, Number) else ""


def _missing(node: Operation, values: Sequence[Values]) -> ConditionValues:
    return ConditionValues(values[0].missing, np.zeros_like(values[0].missing))


def _not(node: Operation, values: Sequence[Values]) -> ConditionValues:
    condition = _truth_of(node.operands[0], values[0])
    return ConditionValues(~condition.holds & ~condition.missing, condition.missing)


def _and(node: Operation, values: Sequence[Values]) -> ConditionValues:
    return _all_hold([_truth_of(*operand) for operand in zip(node.operands, values, strict=True)])


def _all_hold(conditions: Sequence[ConditionValues]) -> ConditionValues:
    holds = reduce(np.logical_and, (condition.holds for condition in conditions))
    fails = reduce(np.logical_or, (~condition.holds & ~condition.missing for condition in conditions))
    return ConditionValues(holds, ~holds & ~fails)


def _or(node: Operation, values: Sequence[Values]) -> ConditionValues:
    conditions = [_truth_of(*operand) for operand in zip(node.operands, values, strict=True)]
    holds = reduce(np.logical_or, (condition.holds for condition in conditions))
    fails = reduce(np.logical_and, (~condition.holds & ~condition.missing for condition in conditions))
    return ConditionValues(holds, ~holds & ~fails)


def _count(node: Operation, values: Sequence[Values]) -> Numbers:
    conditions = [_truth_of(*operand) for operand in zip(node.operands, values, strict=True)]
    total = reduce(np.add, (condition.holds.astype(np.float64) for condition in conditions))
    return Numbers(
        np.where(reduce(np.logical_or, (condition.missing for condition in conditions)), np.nan, total)
    )


def _if(node: Operation, values: Sequence[Values]) -> Values:
    condition = _truth_of(node.operands[0], values[0])
    first, second = values[1:]
    if isinstance(first, Categories) and isinstance(second, Categories):
        levels = tuple(dict.fromkeys((*first.levels, *second.levels)))
        is_ordered = first.is_ordered and second.is_ordered and first.levels == second.levels
        chosen = np.where(condition.holds, _codes_among(levels, first), _codes_among(levels, second))
        return Categories(np.where(condition.missing, MISSING_CODE, chosen), levels, is_ordered)
    if isinstance(first, ConditionValues) and isinstance(second, ConditionValues):
        holds, missing = (
            np.where(condition.holds, getattr(first, part), getattr(second, part))
            for part in ("holds", "missing")
        )
        return ConditionValues(holds & ~condition.missing, missing | condition.missing)
    left, right = (_number_of(*operand) for operand in zip(node.operands[1:], values[1:], strict=True))
    return Numbers(np.where(condition.missing, np.nan, np.where(condition.holds, left, right)))


def _of_number(
    function: Callable[[np.ndarray], np.ndarray],
) -> Callable[[Operation, Sequence[Values]], Numbers]:
    return lambda node, values: _finite(function(_number_of(node.operands[0], values[0])))


def _of_numbers(function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> _Meaning:
    return lambda node, values: Numbers(
        reduce(function, (_number_of(*operand) for operand in zip(node.operands, values, strict=True)))
    )


_OPERATIONS: dict[str, _Meaning] = {
    "arithmetic": _arithmetic,
    "negative": _of_number(np.negative),
    "comparison": _comparison,
    "among": _among,
    "missing": _missing,
    "not": _not,
    "and": _and,
    "or": _or,
    "count": _count,
    "if": _if,
    "log": _of_number(np.log),
    "log2": _of_number(np.log2),
    "log10": _of_number(np.log10),
    "exp": _of_number(np.exp),
    "sqrt": _of_number(np.sqrt),
    "abs": _of_number(np.abs),
    "round": _of_number(np.round),
    "min": _of_numbers(np.minimum),
    "max": _of_numbers(np.maximum),
}
