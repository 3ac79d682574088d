"""How methods stand beside each other, and whether differences between them are more than chance.

Figures are drawn together over splits and tables, and tested by their ranks: Demšar (2006), Statistical
comparisons of classifiers over multiple data sets, Journal of Machine Learning Research 7:1-30.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from engine.comparison.page import Spread
from engine.comparison.selectors.methods import ALL_FEATURES, CLCD_FS
from engine.comparison.selectors.prediction import Metric, metrics
from engine.comparison.selectors.result import SelectionComparison

LEVEL = 0.05
# Friedman's test compares at least so many methods, on at least so many tables.
_FEWEST_METHODS = 3
_FEWEST_TABLES = 2
_FEWEST_PAIRS = 2
# As far as SciPy is exact where there are ties.
_MOST_PAIRS_EXACTLY = 13


def signed_rank_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Test paired figures with Wilcoxon's (1945) signed-rank test, two-sided, ties as in Demšar (2006)."""
    # Differences that are equal but for rounding are ties.
    differences = np.round(np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64), 12)
    if not differences.any():
        return 1.0
    if len(differences) <= _MOST_PAIRS_EXACTLY:
        return _exact_signed_rank_p(differences)
    from scipy.stats import wilcoxon

    return float(wilcoxon(differences, zero_method="zsplit").pvalue)


def _exact_signed_rank_p(differences: np.ndarray) -> float:
    """Count the choices of signs whose sum of ranks is as far out, rank by rank: SciPy tries every choice."""
    from scipy.stats import rankdata

    # Twice the ranks: those of ties may be halves. Pairs that are equal add the same whatever their sign is.
    ranks = np.round(2 * rankdata(np.abs(differences))).astype(np.int64)
    positive = differences > 0
    ways = np.ones(1)
    for rank in ranks[differences != 0]:
        ways = np.pad(ways, (0, rank)) + np.pad(ways, (rank, 0))
    reached = int(ranks[positive].sum())
    tail = min(ways[: reached + 1].sum(), ways[reached:].sum())
    return float(min(2.0 * tail / ways.sum(), 1.0))


def resampled_t_p(first: Sequence[float], second: Sequence[float], test_share: float) -> float | None:
    """Return the two-sided p of the t-test for rows that splits share; None without a variance.

    Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52:239-281.
    """
    from scipy.stats import t

    differences = np.round(np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64), 12)
    count = len(differences)
    if not differences.any():
        return 1.0
    if count < _FEWEST_PAIRS or (differences == differences[0]).all():
        return None
    variance = (1.0 / count + test_share / (1.0 - test_share)) * differences.var(ddof=1)
    return float(2.0 * t.sf(abs(differences.mean()) / math.sqrt(variance), count - 1))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust p-values so that among all of them no false alarm is raised at a level, by Holm's steps."""
    order = np.argsort(p_values, kind="stable")
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for step, position in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - step) * p_values[position]))
        adjusted[position] = highest
    return tuple(adjusted)


@dataclass(frozen=True, slots=True)
class RankTest:
    """Methods ranked on several tables."""

    average_ranks: tuple[float, ...]  # 1 for the best; equal figures share their ranks
    statistic: float  # Friedman's χ², corrected for ties
    p_value: float
    f_statistic: float  # the less conservative form of Iman and Davenport (1980)
    f_p_value: float
    critical_difference: float  # Nemenyi's: average ranks further apart differ at the level of 5 %
    tables: int

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Return the largest groups of methods that do not differ, by position, the best group first."""
        order = sorted(range(len(self.average_ranks)), key=lambda position: self.average_ranks[position])
        cliques: list[tuple[int, ...]] = []
        reached = 0
        for start in range(len(order)):
            end = start
            while (
                end + 1 < len(order)
                and self.average_ranks[order[end + 1]] - self.average_ranks[order[start]]
                <= self.critical_difference
            ):
                end += 1
            if end > start and end > reached:
                cliques.append(tuple(order[start : end + 1]))
                reached = end
        return tuple(cliques)


def rank_test(figures: np.ndarray) -> RankTest | None:
    """Return Friedman's test over tables (tables, methods; larger is better), all as in Demšar (2006)."""
    from scipy.stats import f, friedmanchisquare, rankdata

    tables, methods = figures.shape
    if methods < _FEWEST_METHODS or tables < _FEWEST_TABLES:
        return None
    figures = np.round(figures, 12)
    ranks = rankdata(-figures, axis=1)
    if (ranks == ranks[:, :1]).all():
        statistic, p_value = 0.0, 1.0
    else:
        test = friedmanchisquare(*figures.T)
        statistic, p_value = float(test.statistic), float(test.pvalue)
    rest = tables * (methods - 1) - statistic
    f_statistic = (tables - 1) * statistic / rest if rest > 0 else math.inf
    return RankTest(
        tuple(ranks.mean(axis=0).tolist()),
        statistic,
        p_value,
        f_statistic,
        float(f.sf(f_statistic, methods - 1, (methods - 1) * (tables - 1))),
        critical_difference(methods, tables),
        tables,
    )


def critical_difference(methods: int, tables: int, level: float = LEVEL) -> float:
    """Return how far average ranks of two methods must lie apart to differ, after Nemenyi (1963)."""
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(1.0 - level, methods, math.inf) / math.sqrt(2.0)
    return float(quantile * math.sqrt(methods * (methods + 1) / (6.0 * tables)))


_FEWEST_SETS = 2


def selection_stability(selections: Sequence[Collection[int]], features: int) -> float | None:
    """Return from about 0 (random) to 1 how stable selections are; None where that is undefined.

    Nogueira, Sechidis and Brown (2018), Journal of Machine Learning Research 18(174):1-54, definition 4.1.
    """
    samples = len(selections)
    if samples < _FEWEST_SETS:
        return None
    chosen = np.zeros((samples, features))
    for row, selection in enumerate(selections):
        chosen[row, list(selection)] = 1.0
    mean_share = chosen.mean()
    if mean_share in (0.0, 1.0):
        return None
    variances = chosen.var(axis=0, ddof=1)
    return float(1.0 - variances.mean() / (mean_share * (1.0 - mean_share)))


# The most that the spider diagram shows, as in the paper.
_OUTERMOST = 0.5


@dataclass(frozen=True, slots=True)
class Duel:
    """CLCD-FS beside one rival on one table."""

    table: str  # empty for the means of all tables
    rival: str
    metric: str
    difference: float  # mean of CLCD-FS minus mean of the rival
    p_value: float  # signed-rank test over splits (or tables); `adjusted` after Holm over the rivals
    adjusted: float
    pairs: int
    resampled_p: float | None = None  # over splits, :func:`resampled_t_p` after Holm

    @property
    def standing(self) -> str:
        """What CLCD-FS is."""
        if self.adjusted > LEVEL:
            return "no difference"
        return "better" if metrics()[self.metric].signed(self.difference) > 0 else "worse"


def ranked_methods(result: SelectionComparison) -> tuple[str, ...]:
    """Name the methods that select: all but the one that takes every feature."""
    return tuple(name for name in result.methods if name != ALL_FEATURES)


def spread_of(
    result: SelectionComparison, table: str, method: str, metric: str, size: int | None = None
) -> Spread | None:
    """Draw the figures of the splits together, at equal size by default; None when there are none."""
    values = list(result.figures(table, method, metric, size).values())
    return Spread.of(values) if values else None


def duels(result: SelectionComparison, table: str, metric: str) -> tuple[Duel, ...]:
    """Compare CLCD-FS with every other method over the splits of a table, at equal size."""
    own = result.figures(table, CLCD_FS, metric)
    pairs: dict[str, tuple[list[float], list[float]]] = {}
    for rival in result.methods:
        rival_figures = result.figures(table, rival, metric)
        shared = sorted(own.keys() & rival_figures.keys())
        if rival != CLCD_FS and shared:
            pairs[rival] = ([own[split] for split in shared], [rival_figures[split] for split in shared])
    test_share = result.settings.test_share
    resampled = [resampled_t_p(*figures, test_share) for figures in pairs.values()]
    adjusted = holm([1.0 if p is None else p for p in resampled])
    return tuple(
        replace(duel, resampled_p=None if resampled_value is None else p_value)
        for duel, resampled_value, p_value in zip(
            _tested(table, metric, pairs), resampled, adjusted, strict=True
        )
    )


def duels_over_tables(result: SelectionComparison, metric: str) -> tuple[Duel, ...]:
    """Compare CLCD-FS with every other method over tables, by the means of their splits at equal size."""
    pairs: dict[str, tuple[list[float], list[float]]] = {}
    for rival in result.methods:
        if rival == CLCD_FS:
            continue
        for table in result.tables:
            own = spread_of(result, table.name, CLCD_FS, metric)
            spread = spread_of(result, table.name, rival, metric)
            if own is not None and spread is not None:
                first, second = pairs.setdefault(rival, ([], []))
                first.append(own.mean)
                second.append(spread.mean)
    return _tested("", metric, pairs)


def _tested(table: str, metric: str, pairs: dict[str, tuple[list[float], list[float]]]) -> tuple[Duel, ...]:
    p_values = {rival: signed_rank_p(*figures) for rival, figures in pairs.items()}
    adjusted = dict(zip(p_values, holm(list(p_values.values())), strict=True))
    return tuple(
        Duel(
            table,
            rival,
            metric,
            float(np.mean(own) - np.mean(of_rival)),
            p_values[rival],
            adjusted[rival],
            len(own),
        )
        for rival, (own, of_rival) in pairs.items()
    )


@dataclass(frozen=True, slots=True)
class Ranks:
    """Average ranks of methods over tables."""

    methods: tuple[str, ...]
    tables: tuple[str, ...]
    test: RankTest


def ranks(result: SelectionComparison, metric: str) -> Ranks | None:
    """Rank the methods that select over all tables, by means at equal size; None when there are too few."""
    methods = ranked_methods(result)
    rows: dict[str, list[float]] = {}
    for table in result.tables:
        spreads = [spread_of(result, table.name, method, metric) for method in methods]
        means = [metrics()[metric].signed(spread.mean) for spread in spreads if spread is not None]
        if len(means) == len(methods):
            rows[table.name] = means
    if not rows:
        return None
    test = rank_test(np.array(list(rows.values())))
    return None if test is None else Ranks(methods, tuple(rows), test)


def normalised(result: SelectionComparison, metric: str) -> dict[str, dict[str, float]]:
    """Return a metric's means from 0 (worst) to 0.5 (best method), by method, then by table.

    The paper gives no formula: here 0.5·(v − min)/(max − min), turned round for losses; without tables where
    all are equal.
    """
    webs_of: dict[str, dict[str, float]] = {}
    for table in result.tables:
        spreads = {name: spread_of(result, table.name, name, metric) for name in ranked_methods(result)}
        values = {
            name: metrics()[metric].signed(spread.mean)
            for name, spread in spreads.items()
            if spread is not None
        }
        low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
        for name, value in values.items():
            if high > low:
                webs_of.setdefault(name, {})[table.name] = _OUTERMOST * (value - low) / (high - low)
    return webs_of


def stability_of(result: SelectionComparison, table: str, method: str) -> float | None:
    """Measure how much the same features are selected in other splits, at equal size."""
    facts = next(table_facts for table_facts in result.tables if table_facts.name == table)
    selections = []
    for outcome in result.of(table, method):
        size = result.compared_size(outcome)
        if size is not None:
            selections.append(outcome.order[:size])
    return selection_stability(selections, len(facts.features))


# Means that differ by less share their rank.
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class MethodFigure:
    """How one method does by one metric."""

    spread: Spread  # over splits, at as many features as CLCD-FS selects
    # 1 for the best mean, equal means share it; None for the method that takes every feature
    rank: int | None
    standing: str  # CLCD-FS beside it: "better", "worse", "no difference" (test over splits, Holm), or ""

    @property
    def is_best(self) -> bool:
        """Whether no method that selects has a better mean."""
        return self.rank == 1


@dataclass(frozen=True, slots=True)
class MethodFigures:
    """Everything that is shown of one method on one table."""

    method: str
    splits: int
    features: float | None
    figures: Mapping[str, MethodFigure]
    stability: float | None
    processor_seconds: float


def method_figures(result: SelectionComparison, table: str) -> tuple[MethodFigures, ...]:
    """Return the figures of the methods that have finished at least one split of a table."""
    done = [method for method in result.methods if result.of(table, method)]
    by_metric = {metric.name: _figures_of(result, table, metric) for metric in metrics().values()}
    rows = []
    for method in done:
        outcomes = result.of(table, method)
        sizes = [size for outcome in outcomes if (size := result.compared_size(outcome)) is not None]
        rows.append(
            MethodFigures(
                method,
                len(outcomes),
                fmean(sizes) if sizes else None,
                {name: figures[method] for name, figures in by_metric.items() if method in figures},
                stability_of(result, table, method),
                fmean([outcome.processor_seconds for outcome in outcomes]),
            )
        )
    return tuple(rows)


def pairs_needed(rivals: int) -> int:
    """Count the splits or tables from which on a signed-rank test can find a difference, with so many rivals.

    Where all n pairs point one way its p-value is 2/2ⁿ, which Holm multiplies by the number of rivals.

    >>> pairs_needed(rivals=1), pairs_needed(rivals=11)
    (6, 9)
    """
    pairs = 1
    while rivals * 2.0 ** (1 - pairs) > LEVEL:
        pairs += 1
    return pairs


def _figures_of(result: SelectionComparison, table: str, metric: Metric) -> dict[str, MethodFigure]:
    spreads = {
        method: spread
        for method in result.methods
        if (spread := spread_of(result, table, method, metric.name)) is not None
    }
    goodness = {
        method: round(metric.signed(spreads[method].mean), _DIGITS)
        for method in ranked_methods(result)
        if method in spreads
    }
    standings = {duel.rival: duel.standing for duel in duels(result, table, metric.name)}
    return {
        method: MethodFigure(spread, _rank(goodness, method), standings.get(method, ""))
        for method, spread in spreads.items()
    }


def _rank(goodness: Mapping[str, float], method: str) -> int | None:
    if method not in goodness:
        return None
    return 1 + sum(value > goodness[method] for value in goodness.values())


def rival_count(result: SelectionComparison) -> int:
    """Count the methods that CLCD-FS is tested against."""
    return sum(method != CLCD_FS for method in result.methods)
