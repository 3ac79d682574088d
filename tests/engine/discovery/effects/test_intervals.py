"""Intervals are those of statsmodels and of the papers that they come from."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.proportion import confint_proportions_2indep

from engine.discovery.effects import estimates
from engine.discovery.effects.estimates import Uncertain

# Table II of Newcombe (1998): counts, and limits by his method 10.
NEWCOMBE = (
    ((56, 70, 48, 80), (0.0524, 0.3339)),
    ((9, 10, 3, 10), (0.1705, 0.8090)),
    ((6, 7, 2, 7), (0.0582, 0.8062)),
    ((5, 56, 0, 29), (-0.0381, 0.1926)),
    ((0, 10, 0, 20), (-0.1611, 0.2775)),
    ((10, 10, 0, 10), (0.6075, 1.0)),
)


def two_rates(count: int, rows: int, other_count: int, other_rows: int) -> Uncertain:
    worth = np.array([rows, other_rows], dtype=float)
    rates = np.array([count, other_count]) / worth
    return Uncertain(
        rates, np.diag(rates * (1 - rates) / worth), worth, estimates.critical_value(0.95, np.inf)
    )


@pytest.mark.parametrize("counts, limits", NEWCOMBE)
def test_differences_have_the_published_limits(
    counts: tuple[int, int, int, int], limits: tuple[float, float]
) -> None:
    contrast_of_rates = estimates.rate_difference(two_rates(*counts))
    assert (contrast_of_rates.low, contrast_of_rates.high) == pytest.approx(limits, abs=5e-5)


def test_ratios_and_odds_ratios_are_those_of_statsmodels() -> None:
    counts = (56, 70, 48, 80)
    ratio = confint_proportions_2indep(*counts, compare="ratio", method="log")
    assert estimates.rate_ratio(two_rates(*counts))[1:] == pytest.approx(ratio)
    table = Table2x2(np.array([[56, 14], [48, 32]]))
    odds = estimates.odds_ratio(two_rates(*counts))
    assert odds == pytest.approx((table.oddsratio, *table.oddsratio_confint()))


def test_an_empty_cell_leaves_ratios_finite() -> None:
    counts = two_rates(0, 10, 5, 20)
    table = Table2x2(np.array([[0.5, 10.5], [5.5, 15.5]]))
    assert estimates.odds_ratio(counts) == pytest.approx((table.oddsratio, *table.oddsratio_confint()))
    assert 0 < estimates.rate_ratio(counts).high < np.inf


def test_a_correlation_narrows_a_difference_of_paired_rates() -> None:
    apart = two_rates(50, 100, 30, 100)
    shared = apart.covariance + 0.7 * np.sqrt(np.prod(apart.covariance.diagonal())) * (1 - np.eye(2))
    paired = estimates.rate_difference(apart._replace(covariance=shared))
    alone = estimates.rate_difference(apart)
    assert alone.low < paired.low < paired.estimate < paired.high < alone.high
