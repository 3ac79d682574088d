"""Columns of known laws that are independent given what is held fixed, for the levels of the tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.table.variable import Kind
from tests.engine.independence.calibration import draw

Draw = Callable[[np.random.Generator, int], np.ndarray]
_NUMBER, _NOMINAL = Kind.CONTINUOUS, Kind.NOMINAL
CATEGORIES, NUMBERS, BOTH = "categories", "numbers", "categories with numbers"


@dataclass(frozen=True)
class Law:
    """How a column is drawn that depends on nothing."""

    kind: Kind
    draw: Draw


def _categories(*chances: float) -> Law:
    return Law(_NOMINAL, lambda generator, rows: generator.choice(len(chances), rows, p=chances))


def _numbers(draw_values: Draw) -> Law:
    return Law(_NUMBER, draw_values)


NORMAL = _numbers(lambda generator, rows: generator.normal(size=rows))
HEAVY = {
    "t(2)": _numbers(lambda generator, rows: generator.standard_t(2, rows)),
    "lognormal": _numbers(lambda generator, rows: np.exp(generator.normal(size=rows))),
    "Cauchy": _numbers(lambda generator, rows: generator.standard_cauchy(rows)),
    "nine zeros in ten": _numbers(
        lambda generator, rows: (generator.random(rows) < 0.1) * np.exp(generator.normal(size=rows))
    ),
}
FOUR, SKEWED = _categories(0.25, 0.25, 0.25, 0.25), _categories(0.9, 0.07, 0.03)
_TWO, _RARE, _TEN = _categories(0.5, 0.5), _categories(0.97, 0.03), _categories(*(0.1,) * 10)
_ONE_IN_TEN, _HANDFUL = _categories(0.9, 0.1), _categories(0.994, 0.006)
_FIVE = _categories(0.8, 0.1, 0.05, 0.03, 0.02)


@dataclass(frozen=True)
class Case:
    """Pairs that are independent given what is held fixed.

    Attributes
    ----------
    name : str
    x, y, fixed : Law
        Of the tested two, and of what is held fixed.
    held : int
        How many are held fixed.
    rows : int
    followed : float
        Share of the rows in which y follows x where power is measured: y is x where both are of one kind,
        and else whether x is above its median.
    depends : float
        How strongly x and y depend on what is held fixed: coefficients of numbers in units of the noise's
        deviation, and 1.2 times that in the logits of levels that follow each other. With 0 x and y are drawn
        by their laws.
    groups : int
        Rows are in so many groups, where in a half of them, by chance, a column has its group's value.
    weights : str
        ``""`` for none, else one of :data:`WEIGHTS`.
    missing : float
        Share of cells without a value.
    """

    name: str
    x: Law
    y: Law
    fixed: Law
    held: int
    rows: int = 500
    followed: float = 0.15
    depends: float = 0.0
    groups: int = 0
    weights: str = ""
    missing: float = 0.0

    @property
    def part(self) -> str:
        """Which of the tables it stands in: by the kinds of its columns."""
        kinds = {self.x.kind, self.y.kind} | ({self.fixed.kind} if self.held else set())
        if len(kinds) > 1:
            return BOTH
        return CATEGORIES if kinds == {_NOMINAL} else NUMBERS

    def column(self, law: Law, generator: np.random.Generator) -> np.ndarray:
        """Draw a column that depends on nothing but the groups of rows."""
        column = law.draw(generator, self.rows)
        if self.groups:
            shared = law.draw(generator, self.groups)[self.group_of_row]
            column = np.where(generator.random(self.rows) < 0.5, shared, column)
        return column

    @property
    def group_of_row(self) -> np.ndarray:
        """Which group each row is in."""
        return np.arange(self.rows) % self.groups

    def pair(
        self, fixed: list[np.ndarray], followed: float, generator: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw the tested two, of which y follows x in a share of the rows."""
        if self.depends:
            strength = self.depends * sum((column - column.mean() for column in fixed), np.zeros(self.rows))
            x = draw(generator, self.x.kind, 2.0 * strength if self.x.kind is _NOMINAL else strength, 2)
            y = draw(generator, self.y.kind, -2.0 * strength if self.y.kind is _NOMINAL else strength, 3)
        else:
            x, y = self.column(self.x, generator), self.column(self.y, generator)
        leader = x if self.x.kind is self.y.kind else (x > np.median(x)).astype(np.int64)
        return x, np.where(generator.random(self.rows) < followed, leader, y)


def _four_to_one(x: np.ndarray, y: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    weights: np.ndarray = np.where(x > np.median(x) if x.dtype.kind == "f" else x == 1, 4.0, 1.0)
    return weights


def _with_both(x: np.ndarray, y: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    # A product of what x says and what y says leaves them independent in the population too.
    weights: np.ndarray = np.exp(
        0.5 * (x - x.mean()) + 0.5 * (y - y.mean()) + 0.5 * generator.normal(size=len(x))
    )
    return weights


def _with_neither(x: np.ndarray, y: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    return np.exp(generator.normal(size=len(x)))


WEIGHTS: dict[str, Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray]] = {
    "weights 4:1 by x": _four_to_one,
    "lognormal weights by x and y": _with_both,
    "lognormal weights": _with_neither,
}


def _alike(name: str, law: Law, held: int, **about: Any) -> Case:
    """Give a case in which all columns have one law."""
    return Case(f"{name}, {held} held fixed", law, law, law, held, **about)


def _dependent(held: int, x: Law, y: Law, fixed: Law, name: str, depends: float) -> Case:
    return Case(
        f"{name} on {held} held fixed",
        x,
        y,
        fixed,
        held,
        followed=0.2 if x.kind is y.kind else 0.4,
        depends=depends,
    )


_ROWS: dict[str, dict[str, Any]] = {
    "30 groups of 10": {"rows": 300, "followed": 0.3, "groups": 30},
    **{name: {"weights": name} for name in WEIGHTS},
    "a tenth missing": {"missing": 0.1},
}
CASES = (
    *(_alike("four levels", FOUR, held) for held in range(4)),
    Case("four levels, 3 held fixed, 5000 rows", FOUR, FOUR, FOUR, 3, 5000, 0.05),
    *(_alike("skewed levels", SKEWED, held) for held in range(3)),
    _alike("rare levels", _RARE, 0),
    _alike("levels of a handful of rows", _HANDFUL, 0),
    _alike("levels of a handful of rows, lognormal weights", _HANDFUL, 0, weights="lognormal weights"),
    _alike("ten levels, 100 rows", _TEN, 0, rows=100, followed=0.3),
    _alike("five skewed levels, 300 rows", _FIVE, 1, rows=300, followed=0.3),
    _alike("two levels, 200 rows", _categories(0.6, 0.4), 3, rows=200, followed=0.3),
    *(_dependent(held, _TWO, _TWO, _TWO, "levels that depend", 1.0) for held in (1, 2, 3)),
    *(
        _alike(name, law, held, followed=0.1)
        for name, law in {"normal": NORMAL, **HEAVY}.items()
        for held in (0, 2)
    ),
    *(_dependent(held, NORMAL, NORMAL, NORMAL, "numbers that depend", 0.5) for held in (1, 2, 3)),
    *(
        Case(f"two levels with {name}, {held} held fixed", _TWO, law, law, held, followed=0.3)
        for name, law in {"normal": NORMAL, **HEAVY}.items()
        for held in (0, 2)
    ),
    *(
        Case(f"rare levels with {name}", _RARE, law, law, 0, followed=0.3)
        for name, law in {"lognormal": HEAVY["lognormal"], "Cauchy": HEAVY["Cauchy"]}.items()
    ),
    *(_dependent(held, _TWO, NORMAL, NORMAL, "level and number that depend", 0.5) for held in (1, 2, 3)),
    *(
        _alike(f"{name}, {which}", law, held, **about)
        for which, about in _ROWS.items()
        for name, law in (("normal", NORMAL), ("two levels", _TWO))
        for held in (0, 1)
    ),
)

# The laws of the features and of the labels of whole tables in which nothing is related.
TABLES = {
    **{name: (law, law) for name, law in {"normal": NORMAL, **HEAVY}.items()},
    "skewed levels": (SKEWED, SKEWED),
    **{
        f"{name}, labels of two levels": (law, _ONE_IN_TEN)
        for name, law in {"normal": NORMAL, **HEAVY}.items()
    },
}
