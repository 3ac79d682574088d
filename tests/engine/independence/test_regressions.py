"""Regressions against statsmodels, and on outcomes that a column decides."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import statsmodels.api
from scipy.special import expit, log_expit
from scipy.stats import binom

from engine.independence.chi_squared import log_chi2_sf
from engine.independence.fitted_regression import Fit
from engine.independence.linear_regression import LinearRegression
from engine.independence.logistic_regression import LogisticRegression, fill_probabilities
from engine.independence.regressions import GroupedRegression, Regression, RowGroups
from engine.independence.tails import normal_scores, standardised

ROWS = 400


@pytest.fixture
def columns() -> np.ndarray:
    """A constant column and four that hang together."""
    generator = np.random.default_rng(0)
    numbers = generator.normal(size=(4, ROWS))
    numbers[3] += numbers[0]
    return np.vstack((np.ones(ROWS), numbers))


def _noisy_codes(columns: np.ndarray, levels: int) -> np.ndarray:
    generator = np.random.default_rng(1)
    scores = columns[1] - 0.5 * columns[2] + generator.logistic(size=ROWS)
    return np.digitize(scores, np.quantile(scores, np.arange(1, levels) / levels))


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_ratios_are_those_of_statsmodels(columns: np.ndarray, levels: int) -> None:
    codes = _noisy_codes(columns, levels)
    regression = LogisticRegression(codes, levels)
    larger, smaller = regression.fit(columns), regression.fit(columns[:3])
    model = statsmodels.api.Logit if levels == 2 else statsmodels.api.MNLogit
    theirs = [model(codes, used.T).fit(disp=0) for used in (columns, columns[:3])]
    ours = 2.0 * (larger.log_likelihood - smaller.log_likelihood)
    assert ours == pytest.approx(2.0 * (theirs[0].llf - theirs[1].llf), abs=1e-6)
    assert larger.coefficients == pytest.approx(np.atleast_2d(theirs[0].params.T), abs=1e-4)


@pytest.mark.parametrize("size", [1e-3, 1.0, 30.0, 300.0, 2000.0])
def test_probabilities_of_two_levels_are_those_of_scipy(size: float) -> None:
    # More rows than are added up at once, and not a multiple.
    scores = size * np.random.default_rng(4).normal(size=1203)
    is_second = (np.arange(len(scores)) % 3 == 0).astype(np.float64)
    probabilities = np.empty(len(scores))
    log_likelihood = fill_probabilities(scores, is_second, probabilities)
    theirs = is_second * log_expit(scores) + (1.0 - is_second) * log_expit(-scores)
    assert log_likelihood == pytest.approx(float(theirs.sum()), rel=1e-13)
    # What all but vanishes is the least number of full precision, or less.
    assert probabilities == pytest.approx(expit(scores), rel=1e-12, abs=1e-300)


def test_ratios_of_numbers_are_those_of_statsmodels(columns: np.ndarray) -> None:
    values = columns[1] + np.random.default_rng(2).normal(size=ROWS)
    regression = LinearRegression(values)
    larger, smaller = regression.fit(columns), regression.fit(columns[:3])
    theirs = [statsmodels.api.OLS(values, used.T).fit() for used in (columns, columns[:3])]
    ours = 2.0 * (larger.log_likelihood - smaller.log_likelihood)
    assert ours == pytest.approx(2.0 * (theirs[0].llf - theirs[1].llf), abs=1e-6)


def test_the_ratio_of_numbers_has_bartletts_factor(columns: np.ndarray) -> None:
    values = np.random.default_rng(3).normal(size=ROWS)
    regression = LinearRegression(values)
    larger, smaller = regression.fit(columns), regression.fit(columns[:3])
    residuals = [float(statsmodels.api.OLS(values, used.T).fit().ssr) for used in (columns, columns[:3])]
    expected = (ROWS - len(columns) - 1 + 1) * math.log(residuals[1] / residuals[0])
    # By Wald's statistic where that is smaller, which it is not.
    white = statsmodels.api.OLS(values, columns.T).fit(cov_type="HC3").wald_test(np.eye(5)[3:], scalar=True)
    assert float(white.statistic) > expected
    assert regression.ratio(larger, smaller, np.arange(5) >= 3) == (pytest.approx(expected, abs=1e-6), 2)


def test_the_ratio_of_several_numbers_is_wilks_lambda(columns: np.ndarray) -> None:
    values = columns[1:3] + np.random.default_rng(3).normal(size=(2, ROWS))
    regression = LinearRegression(values)
    larger, smaller = regression.fit(columns), regression.fit(columns[:3])
    left = [
        np.array([statsmodels.api.OLS(response, used.T).fit().resid for response in values])
        for used in (columns, columns[:3])
    ]
    log_lambda = math.log(np.linalg.det(left[0] @ left[0].T) / np.linalg.det(left[1] @ left[1].T))
    # Two columns held fixed beside the constant, two more tested, two outcomes (Bartlett 1938).
    expected = -(ROWS - 1 - 2 - (2 + 2 + 1) / 2) * log_lambda
    assert regression.ratio(larger, smaller, np.arange(5) >= 3) == (pytest.approx(expected, rel=1e-9), 4)
    # By what is left of the columns, without another fit.
    assert regression.score(smaller, columns[3:]) == (pytest.approx(expected, rel=1e-9), 4)


def test_what_the_others_decide_is_decided(columns: np.ndarray) -> None:
    codes = (columns[1] > 0).astype(np.int64)
    regression = LogisticRegression(codes, 2)
    assert regression.is_decided(regression.fit(columns))
    assert not regression.is_decided(regression.fit(columns[[0, 2, 3]]))
    assert not regression.linear().is_decided(regression.linear().fit(columns))
    theirs = statsmodels.api.OLS(codes, columns.T).fit()
    assert regression.linear().fit(columns).coefficients[0] == pytest.approx(theirs.params, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_what_chance_decides_is_decided(seed: int) -> None:
    # All rows are decided by a column but forty, which are coins that were tossed.
    generator = np.random.default_rng(seed)
    tossed, decided = generator.integers(0, 2, 40), np.repeat([0, 1], 480)
    regression = LogisticRegression(np.concatenate((tossed, decided)), 2)
    decider = np.concatenate((np.zeros(40), np.where(decided, 30.0, -30.0)))
    noise = np.zeros((18, 1000))
    noise[:, :40] = generator.normal(size=(18, 40))
    columns = np.vstack((np.ones(1000), decider, noise))
    # Twenty coefficients tell as many coins apart half of the time, and so many more nearly (Cover 1965).
    assert regression.is_decided(regression.fit(columns))
    few = regression.fit(columns[:5])
    assert not regression.is_decided(few)
    telling = np.where(tossed, 1.0, -1.0) + generator.normal(size=40)
    statistic, _ = regression.score(few, np.pad(telling, (0, 960))[np.newaxis])
    assert statistic > 6.0


def test_a_fit_ends_where_it_suffices_that_its_likelihood_is_no_smaller(columns: np.ndarray) -> None:
    regression = LogisticRegression((columns[1] > 0.0).astype(np.int64), 2)
    log_likelihoods: list[float] = []

    def is_decided(fit: Fit) -> bool:
        log_likelihoods.append(fit.log_likelihood)
        return regression.is_decided(fit)

    early = regression.fit(columns, at_least=is_decided)
    completed = regression.fit(columns, early.coefficients)
    assert (
        regression.is_decided(early)
        and early.log_likelihood == log_likelihoods[-1] < completed.log_likelihood
    )
    # The completed fit is all but certain, however it was begun.
    assert completed.log_likelihood == pytest.approx(0.0, abs=1e-5)
    assert regression.fit(columns).log_likelihood == pytest.approx(0.0, abs=1e-5)
    # Where it never suffices the fit is what it is without.
    noisy = LogisticRegression(_noisy_codes(columns, 2), 2)
    whole = noisy.fit(columns, at_least=noisy.is_decided)
    assert np.array_equal(whole.coefficients, noisy.fit(columns).coefficients)


@pytest.mark.parametrize("levels", [2, 3])
def test_without_skewness_the_score_of_levels_is_that_of_their_numbers(
    columns: np.ndarray, levels: int
) -> None:
    codes = _noisy_codes(columns, levels)
    extra = np.sign(np.random.default_rng(5).normal(size=(2, ROWS)))
    # As often up as down beside each of the others, so that nothing leans to a side.
    doubled = np.hstack((columns, columns))
    model = LogisticRegression(np.tile(codes, 2), levels).linear()
    numbers = LinearRegression(np.tile(codes == np.arange(1, levels)[:, np.newaxis], 2).astype(np.float64))
    ours, dof = model.score(model.fit(doubled[:3]), np.hstack((extra, -extra)))
    theirs = numbers.score(numbers.fit(doubled[:3]), np.hstack((extra, -extra)))
    assert (ours, dof) == (pytest.approx(theirs[0], abs=1e-9), theirs[1])


def test_levels_that_hardly_occur_tell_no_more_than_shuffled_ones() -> None:
    """Beside a label that is decided, residuals are far larger where it is there: few rows share in that."""
    generator = np.random.default_rng(0)
    rows, few, shuffles = 5000, 6, 4000
    label = generator.random(rows) < 0.03
    size = np.where(label, 1.0, 0.3) * generator.normal(size=rows)
    columns = np.vstack((np.ones(rows), 4.0 * label + size))
    model = LogisticRegression(label.astype(np.int64), 2).linear()
    extra = np.zeros((shuffles, rows))
    for column in extra:
        column[generator.choice(rows, few, replace=False)] = 1.0
    scores = model.scores(model.fit(columns), extra, [slice(at, at + 1) for at in range(shuffles)])
    p_values = np.exp([log_chi2_sf(statistic, float(dof)) for statistic, dof in scores])
    for level in (1e-2, 1e-3):
        # More come in one of 1000 such tables.
        assert (p_values <= level).sum() <= binom.isf(1e-3, shuffles, level)


@pytest.mark.parametrize("levels", [2, 3])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_columns_are_scored_alone_as_in_company(columns: np.ndarray, levels: int, is_weighted: bool) -> None:
    generator = np.random.default_rng(13)
    weights = generator.integers(1, 4, ROWS).astype(np.float64) if is_weighted else None
    model = LogisticRegression(_noisy_codes(columns, levels), levels, weights).linear()
    fit = model.fit(columns[:3])
    # Among them one that the others determine, and one that leans far to a side.
    extra = np.vstack((columns[3:], columns[1] - columns[2], generator.random(ROWS) < 0.02)).astype(
        np.float64
    )
    single = [slice(at, at + 1) for at in range(len(extra))]
    alone = model.scores(fit, extra, single)
    in_company = model.scores(fit, extra, [*single, slice(0, 2)])[:-1]
    assert [dof for _, dof in alone] == [dof for _, dof in in_company]
    statistics, expected = ([statistic for statistic, _ in results] for results in (alone, in_company))
    assert statistics == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert statistics[2] == 0.0 and min(statistics[:2]) > 0.0


def test_walds_statistic_is_that_of_statsmodels(columns: np.ndarray) -> None:
    codes = _noisy_codes(columns, 2)
    fit = LogisticRegression(codes, 2).fit(columns)
    theirs = statsmodels.api.Logit(codes, columns.T).fit(disp=0).wald_test(np.eye(5)[2:], scalar=True)
    statistic, dof = fit.wald(np.arange(5) >= 2)
    assert (statistic, dof) == (pytest.approx(float(theirs.statistic), rel=1e-4), 3)


def test_uneven_rows_have_the_variances_of_statsmodels(columns: np.ndarray) -> None:
    """Rows scatter most where the third number is far out: variances by rows are larger than usual ones."""
    noise = np.random.default_rng(11).normal(size=ROWS) * columns[3] ** 2
    values, chosen = columns[1] + 0.5 * columns[2] + noise, np.arange(5) == 3
    fit, model = LinearRegression(values).fit(columns), statsmodels.api.OLS(values, columns.T)
    usual, theirs = model.fit(), model.fit(cov_type="HC3")
    assert theirs.tvalues[3] ** 2 < 0.6 * usual.tvalues[3] ** 2
    statistic, dof = fit.wald(chosen)
    assert (statistic, dof) == (pytest.approx(theirs.tvalues[3] ** 2, rel=1e-8), 1)
    weights = np.array([0.6, -0.8])
    of_sum = statsmodels.api.OLS(values, np.vstack((columns[:3], weights @ columns[3:])).T).fit()
    # The coefficient is of the regression with the sum, the residuals are of that with both columns.
    influence = of_sum.model.pinv_wexog[3] * theirs.get_influence().resid_press
    statistic, dof = fit.wald_along(np.arange(5) >= 3, weights[np.newaxis])
    assert (statistic, dof) == (pytest.approx(of_sum.params[3] ** 2 / (influence @ influence), rel=1e-8), 1)


def test_rows_that_scatter_more_do_not_make_columns_significant() -> None:
    """Of columns with nothing in them one in a hundred is significant at .01, however rows scatter."""
    generator = np.random.default_rng(12)
    significant = 0
    for _ in range(400):
        number = generator.normal(size=(1, ROWS))
        values = generator.normal(size=ROWS) * number[0] ** 2
        regression = LinearRegression(values)
        score = regression.score(regression.fit(np.ones((1, ROWS))), np.vstack((number, number**2)))
        significant += log_chi2_sf(score[0], float(score[1])) < math.log(0.01)
    assert significant <= binom.ppf(0.999, 400, 0.01)


def test_numbers_that_grow_by_factors_are_judged_by_their_ranks(columns: np.ndarray) -> None:
    total = columns[1] + 0.5 * columns[2] + 0.5 * np.random.default_rng(13).normal(size=ROWS)
    of_factors = LinearRegression(np.exp(3.0 * total))
    chosen = of_factors.on_better_scale(lambda: columns)
    scores = normal_scores(total[np.newaxis])[0]
    theirs = statsmodels.api.OLS(scores, columns.T).fit()
    assert chosen is not of_factors
    assert chosen.fit(columns).coefficients[0] == pytest.approx(theirs.params)
    levels = LogisticRegression(_noisy_codes(columns, 2), 2)
    assert levels.on_better_scale(lambda: columns) is levels
    # What a straight line explains all but for rounding keeps its own scale.
    straight = LinearRegression(np.round(columns[1] + 0.5 * columns[2], 3))
    assert straight.on_better_scale(lambda: columns) is straight


def test_walds_statistic_of_a_sum_is_that_of_the_regression_with_the_sum(columns: np.ndarray) -> None:
    values = columns[1] + 0.1 * columns[4] + np.random.default_rng(2).normal(size=ROWS)
    weights = np.array([0.6, -0.8])
    with_sum = np.vstack((columns[:3], weights @ columns[3:]))
    ours, dof = LinearRegression(values).fit(columns).wald_along(np.arange(5) >= 3, weights[np.newaxis])
    theirs = [statsmodels.api.OLS(values, used.T).fit() for used in (columns, with_sum)]
    # Ours has the residual variance of the regression with both columns, of maximum likelihood.
    assert ours == pytest.approx(theirs[1].tvalues[3] ** 2 * theirs[1].mse_resid / theirs[0].ssr * ROWS)
    assert dof == 1


@pytest.mark.parametrize("levels", [0, 2, 3])
def test_a_fit_without_columns_is_that_of_the_others(columns: np.ndarray, levels: int) -> None:
    regression: Regression[Any]
    if levels:
        regression = LogisticRegression(_noisy_codes(columns, levels), levels)
    else:
        regression = LinearRegression(np.random.default_rng(3).normal(size=(2, ROWS)) + columns[1])
    reduced = regression.without(regression.fit(columns), np.arange(5) >= 3)
    expected = regression.fit(columns[:3])
    assert reduced.log_likelihood == pytest.approx(expected.log_likelihood, abs=1e-6)
    assert reduced.coefficients == pytest.approx(expected.coefficients, abs=1e-4)
    assert reduced.information == pytest.approx(expected.information, rel=1e-3, abs=1e-6)


def test_where_a_fit_without_columns_is_expected(columns: np.ndarray) -> None:
    values = columns[1:3] + np.random.default_rng(8).normal(size=(2, ROWS))
    chosen = np.arange(5) >= 3
    linear = LinearRegression(values)
    smaller = linear.fit(columns[~chosen])
    np.testing.assert_allclose(linear.fit(columns).without(chosen), smaller.coefficients, atol=1e-10)
    for levels in (2, 4):
        logistic = LogisticRegression(_noisy_codes(columns, levels), levels)
        larger, smaller = logistic.fit(columns), logistic.fit(columns[~chosen])
        expected = larger.without(chosen)
        left_alone = larger.coefficients[:, ~chosen] - smaller.coefficients
        assert np.abs(expected - smaller.coefficients).max() < 0.2 * np.abs(left_alone).max()
        started = logistic.fit(columns[~chosen], expected)
        assert started.log_likelihood == pytest.approx(smaller.log_likelihood, abs=1e-6)


def test_raos_statistic_of_levels_without_columns_is_pearsons(columns: np.ndarray) -> None:
    """Without other columns the score of indicators is X² of the table (Agresti 2013, section 4.7)."""
    from scipy.stats import chi2_contingency

    codes = _noisy_codes(columns, 3)
    indicator = np.random.default_rng(4).integers(0, 2, ROWS)
    regression = LogisticRegression(codes, 3)
    statistic, dof = regression.score(regression.fit(np.ones((1, ROWS))), (indicator == 1)[np.newaxis] - 0.0)
    table = np.zeros((3, 2))
    np.add.at(table, (codes, indicator), 1)
    shrunk = 1.0 - 4 / regression.evidence
    assert dof == 2
    assert statistic == pytest.approx(shrunk * chi2_contingency(table, correction=False).statistic, rel=1e-3)


@pytest.mark.parametrize("levels", [0, 2, 4])
def test_statistics_of_parts_of_the_columns_are_those_of_them_alone(columns: np.ndarray, levels: int) -> None:
    outcome = columns[1:3] + np.random.default_rng(9).normal(size=(2, ROWS))
    codes = _noisy_codes(columns, max(levels, 2))
    regression = LogisticRegression(codes, levels) if levels else LinearRegression(outcome)
    fit, extra = regression.fit(columns[:2]), columns[2:]
    parts = [slice(0, 3), slice(0, 1), slice(1, 3)]
    for part, score_and_dof in zip(parts, regression.scores(fit, extra, parts), strict=True):
        assert score_and_dof == pytest.approx(regression.score(fit, extra[part]), rel=1e-9)


def test_a_start_that_leads_nowhere_is_left_for_no_effect(columns: np.ndarray) -> None:
    regression = LogisticRegression(_noisy_codes(columns, 3), 3)
    best = regression.fit(columns).log_likelihood
    for start in (1e6 * np.ones((2, 5)), -1e3 * np.ones((2, 5)), np.full((2, 5), np.nan)):
        assert regression.fit(columns, start).log_likelihood == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("seed", [4, 9, 18, 28])
def test_a_start_from_which_no_step_leads_on_is_left_for_no_effect(seed: int) -> None:
    # More likely than no effect, and so steep that next to all rows are certain of one level.
    generator = np.random.default_rng(seed)
    numbers = generator.normal(size=(6, 300))
    codes = (numbers[0] + numbers[1] + 0.1 * generator.normal(size=300) > 0).astype(int)
    steep = np.zeros((1, 7))
    steep[0, 1:3] = 1.0
    steep[0, 1:] += 0.03 * generator.normal(size=6)
    regression, columns = LogisticRegression(codes, 2), np.vstack((np.ones(300), numbers))
    best = regression.fit(columns).log_likelihood
    for size in (30.0, 100.0, 200.0, 300.0, 600.0):
        assert regression.fit(columns, size * steep).log_likelihood == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_where_all_is_certain_but_wrong_a_fit_without_columns_begins_anew(seed: int) -> None:
    generator = np.random.default_rng(seed)
    columns = np.vstack((np.ones(200), generator.normal(size=(5, 200))))
    codes = (columns[1] + columns[2] > 0).astype(int)
    regression = LogisticRegression(codes, 2)
    larger = regression.fit(columns)
    assert regression.is_decided(larger)
    for number in range(1, 6):
        chosen = np.arange(6) == number
        alone = regression.fit(columns[~chosen])
        reduced = regression.without(larger, chosen)
        assert reduced.log_likelihood == pytest.approx(alone.log_likelihood, abs=1e-3)


def test_weights_count_rows() -> None:
    generator = np.random.default_rng(5)
    columns = np.vstack((np.ones(60), generator.normal(size=60)))
    codes, times = generator.integers(0, 2, 60), generator.integers(1, 4, 60)
    repeated = np.repeat(columns, times, axis=1), np.repeat(codes, times)
    weighted = LogisticRegression(codes, 2, times.astype(float)).fit(columns)
    whole = LogisticRegression(repeated[1], 2).fit(repeated[0])
    assert weighted.log_likelihood == pytest.approx(whole.log_likelihood, abs=1e-9)
    weighted = LinearRegression(columns[1], times.astype(float)).fit(columns[:1])
    whole = LinearRegression(repeated[0][1]).fit(repeated[0][:1])
    assert weighted.log_likelihood == pytest.approx(whole.log_likelihood, abs=1e-9)


@pytest.mark.parametrize("levels", [2, 3])
def test_what_decides_the_outcome_has_a_finite_ratio(columns: np.ndarray, levels: int) -> None:
    codes = np.digitize(columns[1], np.quantile(columns[1], np.arange(1, levels) / levels))
    regression = LogisticRegression(codes, levels)
    larger, smaller = regression.fit(columns), regression.fit(columns[[0, 2, 3]])
    statistic, _ = regression.ratio(larger, smaller, np.arange(5) == 1)
    assert larger.log_likelihood == pytest.approx(0.0, abs=1e-3)
    assert 200.0 < statistic < math.inf
    assert all(map(math.isfinite, regression.score(larger, columns[[1, 2]])))
    assert all(map(math.isfinite, larger.wald(np.arange(5) == 1)))


@pytest.mark.parametrize("kind", [LogisticRegression, LinearRegression])
def test_columns_that_others_determine_change_nothing(columns: np.ndarray, kind: type) -> None:
    regression: Regression[Any]
    if kind is LinearRegression:
        regression = LinearRegression(columns[1] + np.random.default_rng(6).normal(size=ROWS))
    else:
        regression = LogisticRegression(_noisy_codes(columns, 2), 2)
    copied = np.vstack((columns, columns[1] - 2.0 * columns[3]))
    once, twice = regression.fit(columns), regression.fit(copied)
    assert twice.log_likelihood == pytest.approx(once.log_likelihood, abs=1e-6)
    assert regression.score(once, copied[-1:])[0] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("beside", [[0, 3, 4], [0, 4]])
def test_others_leave_of_sums_what_least_squares_leave(
    columns: np.ndarray, beside: list[int], is_weighted: bool
) -> None:
    times = np.random.default_rng(7).integers(1, 4, ROWS).astype(float) if is_weighted else np.ones(ROWS)
    fit = LinearRegression(_noisy_codes(columns, 9).astype(float), times).fit(columns)
    chosen, others = np.isin(np.arange(5), [1, 2]), np.isin(np.arange(5), beside)
    sums = np.array([[1.0, 0.0], [0.6, -0.8]])
    roots = np.sqrt(times)
    values = (sums @ columns[1:3] * roots).T
    _, left, *_ = np.linalg.lstsq((columns[others] * roots).T, values, rcond=None)
    expected = left / (values**2).sum(axis=0)
    assert fit.shares_left(chosen, others, sums) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("levels", [0, 2])
def test_statistics_of_groups_are_near_those_of_statsmodels(levels: int) -> None:
    """With many groups Rao's statistic is near Wald's with variances by groups."""
    generator = np.random.default_rng(3)
    groups = np.arange(3000) // 6
    own, noise = generator.normal(size=(4, 500)).repeat(6, axis=1), generator.normal(size=(4, 3000))
    numbers = own + noise
    used = np.vstack((np.ones(3000), numbers[:3]))
    outcome = numbers[3] + 0.15 * numbers[0] + 0.1 * numbers[2]
    values = (outcome > 0.0).astype(np.int64) if levels else outcome
    rows = LogisticRegression(values, 2) if levels else LinearRegression(values)
    regression = GroupedRegression(rows, RowGroups(groups))
    model = statsmodels.api.Logit if levels else statsmodels.api.OLS
    options = {} if not levels else {"disp": 0}
    theirs = model(values, used.T).fit(cov_type="cluster", cov_kwds={"groups": groups}, **options)
    fit = regression.fit(used)
    for column in (1, 2, 3):
        chosen = np.arange(4) == column
        smaller = regression.without(fit, chosen)
        wald = float(theirs.tvalues[column] ** 2)
        for statistic, dof in (regression.ratio(fit, smaller, chosen), regression.wald(fit, chosen)):
            assert statistic == pytest.approx(wald, rel=0.1, abs=0.1)
            assert dof == 1.0
        # As independent rows they would tell half as much again.
        assert rows.ratio(fit, smaller, chosen)[0] > 1.4 * statistic


@pytest.mark.parametrize("levels", [0, 2, 3])
def test_copies_of_rows_in_a_group_tell_nothing_more(columns: np.ndarray, levels: int) -> None:
    codes = _noisy_codes(columns, levels or 4)
    statistics = []
    for times in (1, 3):
        repeated, values = columns.repeat(times, axis=1), codes.repeat(times)
        rows = LogisticRegression(values, levels) if levels else LinearRegression(values.astype(np.float64))
        regression = GroupedRegression(rows, RowGroups(np.arange(ROWS).repeat(times)))
        statistics.append(regression.score(regression.fit(repeated[:2]), repeated[2:]))
    assert statistics[0] == pytest.approx(statistics[1], rel=1e-6)


@pytest.mark.parametrize("levels", [0, 2])
def test_columns_of_few_groups_are_significant_at_the_level(levels: int) -> None:
    """Twelve clinics of 30 rows, half of the variance of which is between clinics."""
    generator = np.random.default_rng(5)
    groups = np.arange(360) // 30
    significant = 0
    for _ in range(400):
        numbers = generator.normal(size=(3, 12)).repeat(30, axis=1) + generator.normal(size=(3, 360))
        values = (numbers[2] > numbers[2].mean()).astype(np.int64) if levels else numbers[2]
        rows = LogisticRegression(values, 2) if levels else LinearRegression(values)
        regression = GroupedRegression(rows, RowGroups(groups))
        fit = regression.fit(np.vstack((np.ones(360), numbers[0])))
        statistic, dof = regression.score(fit, numbers[1:2])
        significant += log_chi2_sf(statistic, dof) < math.log(0.05)
    # As independent rows they would be about 220.
    assert 5 <= significant <= binom.ppf(0.999, 400, 0.05)


def test_which_scale_suits_does_not_hang_on_the_unit() -> None:
    """Of rows with the same categories the same is expected, on either scale, but for rounding."""
    for seed in range(40):
        generator = np.random.default_rng(seed)
        levels = generator.integers(0, 2, (3, 110)).astype(np.float64)
        values = levels.sum(axis=0) + generator.normal(size=110)
        used = np.vstack((np.ones(110), levels - levels.mean(axis=1, keepdims=True)))
        chosen = set()
        for unit in (1.0, 1e-12, 3.7, 1e12):
            regression = LinearRegression(standardised(values * unit))
            chosen.add(regression.on_better_scale(lambda used=used: used) is regression)
        assert len(chosen) == 1, seed
