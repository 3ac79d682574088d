"""The one-sided test in the direction that steps imply: a published form, its level and its power."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency, norm

from engine.independence.implied_association import implied_log_p

FEATURE, BETWEEN, LABEL, GIVEN = range(4)


def _log_p(codes: np.ndarray, *, given: bool = False) -> float:
    return implied_log_p(codes if given else codes[:GIVEN], np.ones(codes.shape[1]), GIVEN)


def _copied(generator: np.random.Generator, source: np.ndarray, share: float, levels: int) -> np.ndarray:
    """Copy codes in a share of rows, and draw the others."""
    drawn = generator.integers(0, levels, len(source))
    copied: np.ndarray = np.where(generator.random(len(source)) < share, source, drawn)
    return copied


def _chain(seed: int, levels: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    feature = generator.integers(0, levels, 400)
    between = _copied(generator, feature, 0.35, levels)
    label = _copied(generator, between, 0.25, levels)
    return np.array([feature, between, label, generator.integers(0, 2, 400)])


def _shared_effect(seed: int) -> np.ndarray:
    """Draw two causes of what lies between, each alike in two strata, and independent within them."""
    generator = np.random.default_rng(seed)
    given = generator.integers(0, 2, 400)
    feature, label = (_copied(generator, 2 * given, 0.3, 3) for _ in range(2))
    between = np.where(generator.random(400) < 0.5, feature, label)
    return np.array([feature, between, label, given])


def test_of_two_levels_it_is_nearly_the_signed_root_of_mantel_and_haenszel() -> None:
    for seed in range(20):
        codes = _chain(seed, 2)
        correlation = np.corrcoef(codes[FEATURE], codes[LABEL])[0, 1]
        # Of one table their statistic is (n - 1) r². That rows do not score themselves takes away a little.
        expected = correlation * np.sqrt(codes.shape[1] - 1)
        z_value = norm.isf(np.exp(_log_p(codes)))
        assert expected - 0.3 < z_value < expected
        against = codes.copy()
        against[LABEL] = 1 - against[LABEL]
        assert _log_p(against) == pytest.approx(_log_p(codes), rel=1e-9)


def test_it_keeps_its_level_where_both_ends_act_on_what_lies_between() -> None:
    p_values = np.exp([_log_p(_shared_effect(seed), given=True) for seed in range(1500)])
    assert [np.mean(p_values < level) for level in (0.05, 0.2, 0.5)] == pytest.approx(
        [0.05, 0.2, 0.5], rel=0.2
    )


def test_it_finds_more_than_a_test_of_any_association() -> None:
    tables = [_chain(seed, 4) for seed in range(200)]
    directed = np.exp([_log_p(codes) for codes in tables])
    of_any = np.array(
        [
            chi2_contingency(np.histogram2d(codes[FEATURE], codes[LABEL], bins=4)[0], correction=False).pvalue
            for codes in tables
        ]
    )
    assert (directed < 0.01).sum() > 1.5 * (of_any < 0.01).sum()


def test_levels_that_no_row_has_in_a_stratum_change_nothing() -> None:
    codes = _chain(3, 3)
    further = codes.copy()
    further[LABEL] = 2 * further[LABEL]
    assert _log_p(further, given=True) == pytest.approx(_log_p(codes, given=True), rel=1e-6)
    constant = codes.copy()
    constant[FEATURE] = 0
    assert _log_p(constant, given=True) == 0.0
    assert _log_p(codes[:, :0], given=True) == 0.0


def test_a_row_that_counts_three_times_is_three_rows() -> None:
    codes = _shared_effect(5)
    times = np.arange(codes.shape[1]) % 3 + 1
    repeated = np.repeat(codes, times, axis=1)
    expected = implied_log_p(repeated, np.ones(repeated.shape[1]), GIVEN)
    assert implied_log_p(codes, times.astype(float), GIVEN) == pytest.approx(expected, rel=1e-9)
