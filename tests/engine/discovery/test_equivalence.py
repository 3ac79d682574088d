"""What is called interchangeable is shown to be: limits of the missed share, verdicts, what rests on them."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import engine
from engine.boundaries.discovery_settings import arranged
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.equivalence import Comparison, Strength, compare, missed_shares, most_noncentrality
from engine.discovery.evidence import Verdict
from tests.engine.discovery import stand_ins
from tests.examples import examples

# The same tables are compared at several levels.
drawn_within_a_class = functools.cache(stand_ins.drawn_within_a_class)
proxy = functools.cache(stand_ins.proxy)


def _compare(dataset: engine.Dataset, **chosen: object) -> Comparison:
    discovery = engine.DiscoverySettings(**chosen)
    search = Neighbourhoods(arranged(dataset, discovery), discovery, np.zeros(1, dtype=np.uint8))
    position = search.data.positions
    ((comparison,), _) = compare(search, [(position["label"], (position["cause"],), (position["stand-in"],))])
    return comparison


def _strength(statistic: float, dof: float, rows: float = 1000.0) -> Strength:
    return Strength(np.array([statistic]), np.array([dof]), np.array([rows]))


@given(statistic=st.floats(0.1, 500.0), dof=st.integers(1, 60), alpha=st.sampled_from([0.05, 0.01, 0.001]))
def test_the_limit_is_that_at_which_so_little_is_alpha_times_as_probable(
    statistic: float, dof: int, alpha: float
) -> None:
    assume(stats.chi2.cdf(statistic, dof) > 1e-9)
    (limit,) = most_noncentrality(np.array([statistic]), np.array([float(dof)]), alpha)
    quotient = stats.ncx2.cdf(statistic, dof, limit) / stats.chi2.cdf(statistic, dof)
    assert quotient == pytest.approx(alpha, rel=1e-4)


@pytest.mark.parametrize("dof", [0.0, 1.0, 8.0, 500.0])
def test_a_statistic_of_nothing_bounds_nothing_away(dof: float) -> None:
    (limit,) = most_noncentrality(np.zeros(1), np.array([dof]), 0.01)
    assert limit == pytest.approx(-2.0 * math.log(0.01), abs=1e-6)


@pytest.mark.parametrize(
    ("dof", "share", "noncentrality"), [(1, 0.1, 80.0), (4, 0.1, 300.0), (12, 0.25, 900.0)]
)
def test_the_true_share_exceeds_its_limit_no_more_often_than_alpha(
    dof: int, share: float, noncentrality: float
) -> None:
    generator, alpha, count = np.random.default_rng(5), 0.05, 4000
    rows = np.full(count, 1000.0)
    left_over = stats.ncx2.rvs(dof, share * noncentrality, size=count, random_state=generator)
    whole = stats.ncx2.rvs(dof, noncentrality, size=count, random_state=generator)
    dofs = np.full(count, float(dof))
    shares = missed_shares(Strength(left_over, dofs, rows), Strength(whole, dofs, rows), alpha)
    exceeded = np.mean([share > missed_share.limit for missed_share in shares])
    # Four standard errors above the level; and not so far below that the limit would be useless.
    assert 0.005 < exceeded < alpha + 4.0 * math.sqrt(alpha / count)
    # The quotient of what is estimated without bias; its denominator varies little.
    assert np.median([missed_share.estimate for missed_share in shares]) == pytest.approx(share, rel=0.15)


def test_rows_that_a_test_lacks_count() -> None:
    (whole,) = missed_shares(_strength(5.0, 1.0), _strength(200.0, 1.0), 0.05)
    (half,) = missed_shares(_strength(5.0, 1.0, rows=500.0), _strength(200.0, 1.0), 0.05)
    assert half.estimate == pytest.approx(2.0 * whole.estimate)
    assert half.limit == pytest.approx(2.0 * whole.limit)


def test_where_nothing_is_told_nothing_is_shown() -> None:
    (nothing,) = missed_shares(_strength(0.0, 1.0), _strength(0.0, 1.0), 0.05)
    assert math.isinf(nothing.limit)


@given(
    missed=st.floats(0.0, 1e4),
    whole=st.floats(0.0, 1e5),
    dof=st.tuples(st.integers(0, 200), st.integers(0, 50)),
    levels=st.tuples(st.floats(1e-6, 0.3), st.floats(1e-6, 0.3)),
)
def test_a_smaller_level_never_has_a_smaller_limit(
    missed: float, whole: float, dof: tuple[int, int], levels: tuple[float, float]
) -> None:
    smaller, larger = sorted(levels)
    tests = _strength(missed if dof[0] else 0.0, dof[0]), _strength(whole if dof[1] else 0.0, dof[1])
    ((strict,), (loose,)) = (missed_shares(*tests, alpha) for alpha in (smaller, larger))
    assert strict.limit >= loose.limit * (1.0 - 1e-9)
    assert loose.limit >= loose.estimate or math.isinf(loose.estimate)


@examples(60)
@given(
    seed=st.integers(0, 10_000),
    rows=st.sampled_from([60, 200, 500, 2000, 5000]),
    altered=st.sampled_from([0.0, 0.01, 0.05, 0.2]),
    levels=st.lists(st.sampled_from([0.2, 0.05, 0.01, 0.001, 1e-5]), min_size=2, max_size=2, unique=True),
    test=st.sampled_from(["g2", "x2", "basis"]),
)
def test_a_smaller_level_never_claims_more_of_the_same_pair(
    seed: int, rows: int, altered: float, levels: list[float], test: str
) -> None:
    assume(test in engine.ci_tests())
    dataset = proxy(rows, altered, seed) if altered else drawn_within_a_class(rows, seed)
    strict, loose = (_compare(dataset, alpha=alpha, test=test).verdict for alpha in sorted(levels))
    assert strict is not Verdict.INTERCHANGEABLE or loose is Verdict.INTERCHANGEABLE


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.001])
@pytest.mark.parametrize("rows", [500, 1000, 5000])
def test_a_proxy_is_not_the_cause(rows: int, alpha: float) -> None:
    tables = 60
    shown = sum(
        _compare(proxy(rows, 0.05, seed), alpha=alpha).verdict is Verdict.INTERCHANGEABLE
        for seed in range(200, 200 + tables)
    )
    assert shown <= 0.05 * tables


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.001])
def test_true_equivalents_are_found_with_many_rows(alpha: float) -> None:
    shown = [
        _compare(drawn_within_a_class(5000, seed), alpha=alpha).verdict is Verdict.INTERCHANGEABLE
        for seed in range(200, 240)
    ]
    assert np.mean(shown) >= 0.95


def test_few_rows_leave_it_open() -> None:
    verdicts = [_compare(drawn_within_a_class(60, seed)).verdict for seed in range(200, 220)]
    assert Verdict.INTERCHANGEABLE not in verdicts
    assert verdicts.count(Verdict.NOT_TOLD_APART) > 15


def test_a_wider_margin_claims_more() -> None:
    verdicts = [
        [
            _compare(drawn_within_a_class(500, seed), equivalence_margin=margin).verdict
            for seed in range(200, 220)
        ]
        for margin in (0.02, 0.5)
    ]
    narrow, wide = (verdicts_of_margin.count(Verdict.INTERCHANGEABLE) for verdicts_of_margin in verdicts)
    assert narrow == 0
    assert wide > 10


def test_what_is_open_makes_no_variable_a_finding() -> None:
    open_questions = 0
    for seed in range(200, 230):
        result = engine.discover(drawn_within_a_class(120, seed))
        shown = {name for equivalence in result.equivalence_records for name in equivalence.equivalent}
        for equivalence in result.undistinguished_records:
            assert equivalence.verdict is Verdict.NOT_TOLD_APART
            assert not shown.intersection(equivalence.equivalent)
            for name in equivalence.equivalent:
                assert not result.reasons(name, equivalence.target)
            open_questions += 1
        assert len(result.undistinguished) == len(result.undistinguished_records)
        assert set(result.equivalences["verdict"]) <= {"interchangeable"}
    assert open_questions > 10


def test_the_table_says_what_is_missed_at_most() -> None:
    table = engine.discover(drawn_within_a_class(5000, 200)).equivalences
    assert list(table["verdict"]) == ["interchangeable"]
    for name in ("missed_by_boundary", "missed_by_equivalent"):
        assert (table[name] <= table[f"{name}_limit"]).all()
        assert (table[f"{name}_limit"] <= engine.DiscoverySettings().equivalence_margin).all()
