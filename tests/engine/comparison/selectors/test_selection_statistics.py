"""Tests and measures against the examples that their authors published, and cases worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.comparison.selectors.standings import (
    critical_difference,
    holm,
    rank_test,
    resampled_t_p,
    selection_stability,
    signed_rank_p,
)

# Demšar (2006), Table 6: area under the curve of C4.5 with four kinds of pruning, on 14 data sets. Of the two
# figures of 0.975 the table ranks the first one higher, so they differ beyond the digits that it prints.
AREAS = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.9749],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def test_ranks_are_those_of_the_published_example() -> None:
    test = rank_test(AREAS)
    assert test is not None and test.tables == 14
    assert test.average_ranks == pytest.approx((3.143, 2.000, 2.893, 1.964), abs=5e-4)
    # The published χ² of 9.28 is not corrected for ties: three pairs, and one row of four equal figures.
    ties = 3 * (2**3 - 2) + (4**3 - 4)
    correction = 1 - ties / (14 * (4**3 - 4))
    assert test.statistic * correction == pytest.approx(9.28, abs=5e-3)
    uncorrected = test.statistic * correction
    assert 13 * uncorrected / (14 * 3 - uncorrected) == pytest.approx(3.69, abs=5e-3)
    assert test.f_statistic > 2.85 and test.f_p_value < 0.05
    assert test.critical_difference == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=1e-3)


def test_critical_differences_are_those_of_the_published_table() -> None:
    # Demšar (2006), Table 5(a): critical values at 0.05 and 0.10 for two to ten methods.
    published = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    at_ten_percent = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]
    for level, values in ((0.05, published), (0.10, at_ten_percent)):
        for methods, value in enumerate(values, start=2):
            scale = np.sqrt(methods * (methods + 1) / (6 * 30))
            assert critical_difference(methods, 30, level) == pytest.approx(value * scale, abs=1.1e-3 * scale)


def test_the_signed_rank_test_agrees_with_the_published_example() -> None:
    # Demšar (2006), Table 2: R+ = 93, R- = 12, z = -2.54 by the normal approximation with both zeros shared.
    p_value = signed_rank_p(AREAS[:, 1], AREAS[:, 0])
    assert p_value == pytest.approx(0.011, abs=1e-3)
    assert signed_rank_p(AREAS[:, 0], AREAS[:, 1]) == p_value
    assert signed_rank_p([0.1, 0.2], [0.1, 0.2]) == 1.0
    assert signed_rank_p([0.1 + 0.2], [0.3]) == 1.0


@pytest.mark.parametrize("pairs", [1, 5, 8])
def test_the_signed_rank_test_of_few_pairs_is_the_exact_one_of_scipy(pairs: int) -> None:
    from scipy.stats import wilcoxon

    numbers = np.random.default_rng(pairs)
    with_ties_and_zeros = 0.5 * numbers.integers(-3, 4, pairs) + np.eye(pairs)[0]
    for differences in (with_ties_and_zeros, numbers.normal(size=pairs)):
        expected = wilcoxon(np.round(differences, 12), zero_method="zsplit").pvalue
        assert signed_rank_p(differences.tolist(), [0.0] * pairs) == pytest.approx(expected, rel=1e-12)


def test_the_resampled_t_test_is_the_paired_one_with_a_larger_variance() -> None:
    from scipy.stats import t, ttest_rel

    first, second = np.random.default_rng(2).random((2, 10))
    usual = ttest_rel(first, second).statistic
    # With 70 % for training the variance is that of the mean, 1/10, and 3/7 more.
    expected = 2 * t.sf(abs(usual) * np.sqrt((1 / 10) / (1 / 10 + 3 / 7)), 9)
    assert resampled_t_p(first, second, 0.3) == pytest.approx(expected)
    assert resampled_t_p(first, first, 0.3) == 1.0


def test_without_a_variance_the_resampled_t_test_says_nothing() -> None:
    assert resampled_t_p([0.1], [0.2], 0.3) is None
    assert resampled_t_p([0.2, 0.3], [0.1, 0.2], 0.3) is None


def test_holm_agrees_with_statsmodels() -> None:
    from statsmodels.stats.multitest import multipletests

    p_values = np.random.default_rng(0).random(12) ** 3
    np.testing.assert_allclose(holm(p_values.tolist()), multipletests(p_values, method="holm")[1])
    assert holm([]) == ()


def test_groups_are_the_largest_that_do_not_differ() -> None:
    figures = np.tile([4.0, 3.0, 2.0, 1.0], (10, 1))
    test = rank_test(figures)
    assert test is not None
    # Ranks are 1, 2, 3, 4 and the critical difference 1.48: only neighbours are alike.
    assert test.groups() == ((0, 1), (1, 2), (2, 3))
    few = rank_test(figures[:2])
    assert few is not None and few.groups() == ((0, 1, 2, 3),)
    assert rank_test(figures[:, :2]) is None and rank_test(figures[:1]) is None


def test_equal_methods_have_equal_ranks() -> None:
    test = rank_test(np.ones((5, 3)))
    assert test is not None and test.average_ranks == (2.0, 2.0, 2.0) and test.p_value == 1.0


def test_stability_of_cases_worked_out_by_hand() -> None:
    # Shares 1/2, 1, 1/2, 0; variances 1/2, 0, 1/2, 0 with n - 1; mean 1/4 over 1/2 · 1/2.
    assert selection_stability([{0, 1}, {1, 2}], 4) == pytest.approx(0.0)
    # For sets of one size it is Kuncheva's index: (r·d - k²) / (k·(d - k)), r shared features a pair.
    assert selection_stability([{0, 1, 2}, {1, 2, 3}], 10) == pytest.approx((2 * 10 - 9) / (3 * 7))
    assert selection_stability([{0}, {0}, {0}], 3) == pytest.approx(1.0)
    assert selection_stability([{0}], 3) is None and selection_stability([set(), set()], 3) is None


def test_random_selections_have_no_stability() -> None:
    generator = np.random.default_rng(0)
    drawn = [generator.choice(100, size=20, replace=False).tolist() for _ in range(200)]
    assert selection_stability(drawn, 100) == pytest.approx(0.0, abs=0.01)
