"""What is tested, what comes of many tests, and the protocol that every conditional-independence test keeps.

A test arranges columns into a :class:`TestData`. Compiled searches see its ``table`` alone, through
:mod:`engine.independence.interface`; everything that is asked from Python is a method here, which a test
overrides in its own file where it differs.

Blocks of columns that stand for variables: what Gaussian models of several variables are made of.

A variable is a block of columns that stand side by side: itself and functions of it. Twice the logarithm of
how much likelier the rows are when one block depends on others is a difference of log determinants. Such
differences add up along a chain of variables, so that a score of graphs can be made of them (Andrews, Ramsey
and Cooper 2019, Learning high-dimensional directed acyclic graphs with mixed data-types, PMLR 104:4-21).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, Self

import numpy as np

from engine.independence.chi_squared import (
    NO_LEVEL,
    CriticalValues,
    critical_values,
    log_chi2_sf_values,
)
from engine.independence.copies import Copies, rarest_share, same_columns
from engine.independence.interface import (
    NO_TEST,
    PlacedTest,
    PlacedTests,
    nominal_dof_of,
    placed_test,
    run_tests,
)
from engine.independence.options import USUAL_TRAITS, TableTraits
from engine.independence.set_fits import SetFits
from engine.independence.tails import Tails
from engine.table.row_weights import observations_in


class BlockFits(NamedTuple):
    """Blocks of columns of variables over the same rows, all worth the same."""

    first: np.ndarray  # (variables + 1,): where each block begins
    # (variables,): columns of each block, from the first, that stand for the variable itself
    leading: np.ndarray
    rows: float
    # of the columns at some positions, centred and of length 1
    products_at: Callable[[np.ndarray], np.ndarray]
    weight: float = 1.0  # what the fit of all columns counts; that of the leading ones the rest of 1


# Tells which shares of the variances of sums of columns, by their weights, others leave.
SharesLeft = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Answers:
    """Outcomes of a list of tests, each an array of shape (tests,)."""

    statistic: np.ndarray
    dof: np.ndarray
    dependent: np.ndarray  # significant at the plain level
    reliable: np.ndarray  # counts under the reliability rule
    find_log_p: Callable[[], np.ndarray]  # gives the natural logarithms of the p-values

    @cached_property
    def log_p(self) -> np.ndarray:
        """Natural logarithms of the p-values: found when asked for, as most tests are only compared."""
        return self.find_log_p()

    @property
    def independent(self) -> np.ndarray:
        """Evidence of independence: not significant, and reliable."""
        independent: np.ndarray = ~self.dependent & self.reliable
        return independent


@dataclass(frozen=True, eq=False)
class TestData:
    """A table arranged for one test; as it is, for a chi-squared statistic and no strata."""

    __test__ = False

    table: Any  # named tuple that compiled searches work on: of a class that `register_test` knows
    names: tuple[str, ...]
    rows: int  # where values are missing, a test may rest on fewer
    critical: CriticalValues = NO_LEVEL  # set by `at_level`: nothing is significant before
    traits: TableTraits = USUAL_TRAITS
    present: np.ndarray | None = None  # (variables, words): rows that have a value, as bits
    weights: np.ndarray | None = None
    is_sample: bool = False  # weights say how a population was sampled, not how often a row occurred
    copied: Copies | None = None  # where None, looked for in `complete_codes`
    # Tier of each variable, from 1 on, in a time order; 0 of one that stands in none. A test given what is
    # later than both its variables is not made, and says nothing.
    tiers: np.ndarray | None = field(default=None, kw_only=True)
    tails: Tails | None = field(default=None, kw_only=True)  # where far values would make a test wrong

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Position of each name."""
        return {name: position for position, name in enumerate(self.names)}

    @property
    def observations(self) -> float:
        """What the rows are worth: their number, or where they have weights the sum or effective number."""
        return self.rows if self.weights is None else observations_in(self.weights, self.is_sample)

    def rows_of(self, variables: Sequence[int]) -> int:
        """Count the rows that are complete in all of some variables, each as often as it occurred."""
        if self.weights is not None and not self.is_sample:
            return round(self.observations_of(variables))
        return self.rows if self.present is None else int(self.complete_rows(variables).sum())

    def observations_of(self, variables: Sequence[int]) -> float:
        """Tell what the rows are worth that a test of these variables rests on."""
        if self.present is None:
            return self.observations
        if self.weights is None:
            return self.rows_of(variables)
        return observations_in(self.weights[self.complete_rows(variables)], self.is_sample)

    def complete_rows(self, variables: Sequence[int]) -> np.ndarray:
        """Tell for each row whether it is complete in some variables: bool of shape (rows,)."""
        if self.present is None:
            return np.ones(self.rows, dtype=bool)
        return rows_in_all(self.present, variables, self.rows)

    @property
    def complete_codes(self) -> np.ndarray | None:
        """Codes of categories, int of shape (variables, rows), complete and of equal weight; else None."""
        return None

    def counted_codes(self, variables: Sequence[int]) -> tuple[np.ndarray, np.ndarray] | None:
        """Return complete codes (variables, rows) and counts; None unless independent rows of categories."""
        return None

    @cached_property
    def copies(self) -> Copies:
        """The columns that are the same in all rows."""
        codes = self.complete_codes
        if self.copied is not None or codes is None:
            return self.copied or Copies()
        groups = tuple(map(tuple, same_columns(codes)))
        return Copies(groups, tuple(rarest_share(codes[group[0]]) for group in groups))

    @cached_property
    def originals(self) -> np.ndarray:
        """Position of the first column that is the same as each: int64 of shape (variables,)."""
        first = np.arange(len(self.names))
        for group in self.copies.groups:
            first[list(group)] = group[0]
        return first

    @cached_property
    def is_original(self) -> np.ndarray:
        """Tell of each column whether none before it is the same: bool of shape (variables,)."""
        are_first: np.ndarray = self.originals == np.arange(len(self.names))
        return are_first

    def copies_of(self, variables: Sequence[int]) -> np.ndarray:
        """Tell for each variable whether its column is that of one of some variables, itself included."""
        is_original = np.zeros(len(self.names), dtype=bool)
        is_original[self.originals[list(variables)]] = True
        copies: np.ndarray = is_original[self.originals]
        return copies

    @property
    def is_quick(self) -> bool:
        """Whether a test is over so soon that waiting for other threads takes longer."""
        return False

    @property
    def is_likelihood_ratio(self) -> bool:
        """Whether statistics are twice log-likelihood ratios, which add up along a chain of tests."""
        return False

    def at_level(self, alpha: float) -> Self:
        """Return the same data, to be tested at a significance level, which the columns have to bear."""
        if self.tails is not None:
            self.tails.check(alpha)
        return replace(self, critical=critical_values(alpha))

    def nominal_dof(self, x: int, y: int, given: Sequence[int]) -> int:
        """Count the degrees of freedom of a test as if every combination of levels occurred."""
        return int(nominal_dof_of(self.table, x, y, np.array(given, dtype=np.int64), len(given)))

    @property
    def strata(self) -> np.ndarray:
        """Return how many times more dof a test has given each variable: its levels, or 1 without strata."""
        return np.ones(len(self.names), dtype=np.int64)

    def log_p_values(self, statistic: np.ndarray, dof: np.ndarray) -> np.ndarray:
        """Return natural logarithms of p-values, float64 of shape (tests,)."""
        return log_chi2_sf_values(*self.as_chi_squared(statistic, dof))

    def as_chi_squared(self, statistic: np.ndarray, dof: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return statistics and degrees of freedom as those of a chi-squared law, so that they add up."""
        return statistic, dof

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the strength of an association (see TestRecord) of two variables, or of one with several."""
        # Of the chain of tests that a joint one is made of, the first has the most complete rows: with
        # these the strength is rather understated.
        return chi_squared_effect(statistic, self.observations_of((*tested[:2], *given)))

    def between_share(self, x: int, others: Sequence[int], given: Sequence[int]) -> float:
        """Return the share of the variance of what is tested between imputed tables; 0 without such."""
        return 0.0

    @property
    def groups(self) -> np.ndarray | None:
        """Which rows belong together, as codes of shape (rows,); None where rows are independent."""
        return None

    @property
    def regresses(self) -> bool:
        """Whether members of a boundary are tried once more by regressions, where rows allow it."""
        return False

    def outcome_of(self, variable: int) -> tuple[np.ndarray, int] | None:
        """Return the values of a variable, codes or numbers, as an outcome, and its number of levels."""
        return None

    def predictors_of(self, variable: int, most: int | None = None) -> np.ndarray | None:
        """Return the columns by which a variable enters a regression, or None as :meth:`outcome_of` does.

        Shape (columns, rows), mean 0, variance about 1, the best first, at most `most`; any value where
        missing.
        """
        return None

    def predictors_of_each(
        self, variables: Sequence[int], most: Sequence[int]
    ) -> tuple[np.ndarray, list[int]]:
        """Return those of several variables, at most `most` of each, and how many of each."""
        blocks = [
            self.predictors_of(variable, count) for variable, count in zip(variables, most, strict=True)
        ]
        given = [block for block in blocks if block is not None]
        return np.concatenate(given), [len(block) for block in given]

    def itself_in_predictors(self, variable: int, predictors: int, shares_left: SharesLeft) -> np.ndarray:
        """Return how a variable itself is written in its predictors: shape (columns, predictors).

        `shares_left` gives the shares that others leave of sums of them, of shape (sums, predictors).
        """
        outcome = self.outcome_of(variable)
        assert outcome is not None
        return np.eye(min(max(outcome[1] - 1, 1), predictors), predictors)

    @cached_property
    def block_fits(self) -> BlockFits | None:
        """What a score of graphs is made of where effects add up; None where rows are not all complete."""
        return None

    @property
    def bears_products(self) -> bool:
        """Whether :meth:`test_with_products` may give an answer."""
        return False

    def test_with_products(self, x: int, y: int, given: Sequence[int]) -> tuple[float, float] | None:
        """Test two variables given a set and the products of its members, if :attr:`bears_products`.

        Statistic and dof as of the test without products; None where the rows do not bear so many columns.
        """
        return None

    @property
    def fits_sets(self) -> bool:
        """Whether sets of variables have a model, and rows are independent and worth the same."""
        return False

    def fits_of_sets(self, variables: np.ndarray) -> SetFits | None:
        """Return how well a model fits each set of variables (the last left out if rows are few), or None."""
        return None

    @property
    def fits_add_levels(self) -> bool:
        """Whether these models add up what single levels do, so that they miss what combinations do."""
        return False

    @cached_property
    def _placed_tests(self) -> PlacedTests:
        return PlacedTests()

    def placed(self, max_conditioning: int, stop: np.ndarray) -> PlacedTest:
        """Return the test as kernels call it, with working memory that this thread gets again."""
        return self._placed_tests.of(self.table, self.critical, max_conditioning, stop)

    def ask_rows(
        self,
        x: np.ndarray,
        y: np.ndarray,
        given: np.ndarray,
        sizes: np.ndarray,
        stop: np.ndarray,
    ) -> Answers:
        """Make every test of a list that is written as arrays; unfinished if `stop[0]` is not 0.

        Test i is of ``x[i]`` and ``y[i]`` given the first ``sizes[i]`` entries of ``given[i]``.
        """
        is_made = self._follows_time(x, y, given, sizes)
        if is_made.all():
            return self.answers_of(self.outcomes(x, y, given, sizes, stop), stop)
        answers = self.answers_of(
            self.outcomes(x[is_made], y[is_made], given[is_made], sizes[is_made], stop), stop
        )

        def among_all(values: np.ndarray) -> np.ndarray:
            everything = np.zeros(len(x), dtype=values.dtype)
            everything[is_made] = values
            return everything

        return Answers(
            among_all(answers.statistic),
            among_all(answers.dof),
            among_all(answers.dependent),
            among_all(answers.reliable),
            lambda: among_all(answers.log_p),
        )

    def _follows_time(self, x: np.ndarray, y: np.ndarray, given: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """Tell of which tests nothing that is conditioned on is later than both variables."""
        if self.tiers is None or not given.shape[1]:
            return np.ones(len(x), dtype=bool)
        counts = np.arange(given.shape[1]) < sizes[:, np.newaxis]
        latest = np.where(counts, self.tiers[np.where(counts, given, 0)], 0).max(axis=1)
        of_pair = np.stack((self.tiers[x], self.tiers[y]))
        # What stands in no tier has nothing later.
        follows: np.ndarray = (of_pair == 0).any(axis=0) | (latest <= of_pair.max(axis=0))
        return follows

    def outcomes(
        self,
        x: np.ndarray,
        y: np.ndarray,
        given: np.ndarray,
        sizes: np.ndarray,
        stop: np.ndarray,
        *,
        until_independent: bool = False,
    ) -> tuple[np.ndarray, ...]:
        """Return what :func:`run_tests` does: of all tests, or up to the first evidence of independence."""
        test = self.placed(given.shape[1], stop)
        return run_tests(test, x, y, given, sizes, stop, until_independent=until_independent)

    @property
    def tables(self) -> tuple[Any, ...]:
        """What :meth:`outcomes` tests on, each of a type for which kernels are compiled."""
        return (self.table,)

    def ask_marginal(self, x: int, others: np.ndarray, stop: np.ndarray) -> Answers:
        """Test one variable against others with nothing held fixed; `stop` as of :meth:`ask_rows`."""
        count = len(others)
        nothing = np.zeros((count, 1), dtype=np.int64)
        return self.ask_rows(np.full(count, x), others, nothing, np.zeros(count, dtype=np.int64), stop)

    def ask_given(
        self, x: int, others: np.ndarray, sets: Sequence[tuple[int, ...]], stop: np.ndarray
    ) -> Answers:
        """Test one variable against all others given the first set, then the second: as of `ask_rows`."""
        count, size = len(sets) * len(others), len(sets[0])
        given = np.array(sets if size else [(0,)] * len(sets), dtype=np.int64).repeat(len(others), axis=0)
        everyone = np.tile(others, len(sets))
        return self.ask_rows(np.full(count, x), everyone, given, np.full(count, size), stop)

    def answers_of(self, outcomes: tuple[np.ndarray, ...], stop: np.ndarray) -> Answers:
        """Name what :func:`~engine.independence.interface.run_tests` gave."""
        statistic, dof, ratio, reliable = outcomes
        if stop[0]:
            # Half-made arrays hold anything.
            statistic, dof = np.zeros(len(ratio)), np.zeros(len(ratio))
        return Answers(statistic, dof, ratio > 1.0, reliable, partial(self.log_p_values, statistic, dof))


class Untested(TestData):
    """What stands for a table of any kind while searches are compiled, which make no test then."""

    def __init__(self) -> None:
        super().__init__(table=None, names=("x",), rows=1)

    def placed(self, max_conditioning: int, stop: np.ndarray) -> PlacedTest:
        """Return what is never called."""
        return NO_TEST


@dataclass(frozen=True, eq=False)
class PooledData(TestData):
    """Multiply imputed tables without missing rows; a workspace's ``pooled`` says what its last test used."""

    def between_share(self, x: int, others: Sequence[int], given: Sequence[int]) -> float:
        """Return which share of the variance of what is tested is between the completed tables."""
        relative = max(self._pooled_ratio(x, *link)[1] for link in links_of_chain(others, given))
        return relative / (1.0 + relative)

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the strength in all completed tables together, which missing values do not lessen."""
        ratio = sum(self._pooled_ratio(tested[0], *link)[0] for link in links_of_chain(tested[1:], given))
        return chi_squared_effect(ratio, self.observations)

    def _pooled_ratio(self, x: int, y: int, given: Sequence[int]) -> tuple[float, float]:
        """Return the likelihood ratio of all completed tables, and the variance between over that within."""
        members = np.array(given or (0,), dtype=np.int64)[np.newaxis]
        test = placed_test(self.table, members.shape[1])
        query = (np.array([x]), np.array([y]), members, np.array([len(given)], dtype=np.int64))
        run_tests(test, *query, np.zeros(1, dtype=np.uint8))
        ratio, relative = test.workspace.pooled.tolist()
        return ratio, relative


def links_of_chain(others: Sequence[int], given: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Write a joint test as a chain of ordinary ones: the other variable of each, and what is held fixed."""
    return [(separator, (*given, *others[:position])) for position, separator in enumerate(others)]


def rows_in_all(present: np.ndarray, variables: Sequence[int], rows: int) -> np.ndarray:
    """Tell for each row whether it is complete in some variables.

    >>> rows_in_all(np.array([[0b011], [0b110]], dtype=np.uint64), [0, 1], 3).tolist()
    [False, True, False]
    """
    together = np.bitwise_and.reduce(present[list(variables)], axis=0)
    bits = np.unpackbits(together.astype("<u8").view(np.uint8), bitorder="little")
    return bits[:rows].astype(bool)


def chi_squared_effect(statistic: float, rows: float) -> float:
    """Strength between 0 and 1 of an association with a chi-squared statistic (Linfoot 1957)."""
    return math.sqrt(-math.expm1(-max(statistic, 0.0) / max(rows, 1)))
