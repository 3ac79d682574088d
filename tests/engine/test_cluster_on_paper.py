"""A simulated cluster against what can be computed by hand, and the fit against known coefficients."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.benchmarks.cluster_costs import (
    CostModel,
    Law,
    Point,
    fitted_law,
    fitted_model,
    predicted_by_measured,
)
from tests.benchmarks.cluster_simulation import RunCosts, searched, seconds_to_send, simulated_run

COSTS = RunCosts(
    before=3.0, labels=(1.0, 7.0, 2.0, 4.0, 5.0), after=6.0, order_bytes=100.0, result_bytes=50.0
)


def test_one_worker_searches_around_one_label_after_another() -> None:
    assert searched(COSTS.labels, workers=1, seconds_a_task=0.5).now == pytest.approx(19.0 + 5 * 0.5)


@pytest.mark.parametrize("workers", [5, 8])
def test_with_a_worker_for_each_label_the_longest_label_decides(workers: int) -> None:
    assert searched(COSTS.labels, workers, seconds_a_task=0.5).now == pytest.approx(7.5)


def test_two_workers_take_the_next_label_when_they_are_free() -> None:
    # One has 1, 2, 4 and then 5, the other 7; the last begins when the first is free, at 7.
    assert searched(COSTS.labels, workers=2, seconds_a_task=0.0).now == pytest.approx(12.0)


def test_short_labels_travel_in_groups_and_two_groups_a_worker_are_on_their_way() -> None:
    seconds, workers = 0.05, 3
    groups = searched([seconds] * 60, workers).groups
    sizes = [len(group) for group in groups]
    assert [place for group in groups for place in group] == list(range(60))
    # Nobody knows yet how long a label takes.
    assert sizes[: 2 * workers] == [1] * (2 * workers)
    # A quarter of a second is five labels; at the end there should be something for everybody.
    assert max(sizes) == 5
    assert sizes[-1] == 1


def test_a_run_is_the_sum_of_its_parts() -> None:
    run = simulated_run(COSTS, workers=1, bytes_a_second=10.0)
    assert run.sending == pytest.approx(2 * 10.0)
    assert run.clock == pytest.approx(3.0 + 20.0 + run.searching + 6.0)
    assert run.processor == pytest.approx(3.0 + 19.0 + 6.0)


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_the_table_goes_to_each_worker_once_and_to_the_scheduler(workers: int) -> None:
    assert simulated_run(COSTS, workers, 10.0).sent_bytes == (workers + 1) * 100.0 + 50.0


@pytest.mark.parametrize(
    ("workers", "copies", "seconds"),
    # By way of the scheduler to the first, and then 1 + 2 + 4 …, or one after the other from the first.
    [(1, 1, 2.0), (2, 1, 3.0), (8, 1, 5.0), (8, 50, 9.0), (51, 50, 52.0), (52, 50, 53.0)],
)
def test_who_has_the_table_gives_it_to_others(workers: int, copies: int, seconds: float) -> None:
    assert seconds_to_send(workers, 1.0, copies) == pytest.approx(seconds)


SIZES = [
    (variables, rows) for variables in (100.0, 1000.0, 10_000.0) for rows in (1000.0, 20_000.0, 300_000.0)
]


@pytest.mark.parametrize(
    "law",
    [
        Law(0.01, 2e-5, 3e-7, 4e-9),
        Law(0.0, 1e-5, 0.0, 2e-9),
        Law(0.5, 0.0, 0.0, 0.0),
        Law(0.01, 2e-5, 3e-8, 4e-10, power=1.3),
    ],
)
def test_a_law_is_found_again(law: Law) -> None:
    law_fitted = fitted_law(SIZES, [law.at(*size) for size in SIZES], powers=(1.0, 1.3))
    for size in [*SIZES, (100_000.0, 1_000_000.0)]:
        assert law_fitted.at(*size) == pytest.approx(law.at(*size), rel=1e-6)
    assert law_fitted.by_cell == pytest.approx(law.by_cell, rel=1e-6, abs=1e-15)


def _point(variables: int, rows: int) -> Point:
    label = 0.01 + 1e-9 * variables * rows
    return Point(
        labels=2,
        variables=variables,
        rows=rows,
        reading_seconds=0.1,
        arranging_seconds=1e-9 * variables * rows,
        together_seconds=1.5 * label,
        alone_seconds=(0.5 * label, 1.5 * label),
        after_seconds=0.2 + 2e-6 * rows,
        order_bytes=2 * variables * rows,
        result_bytes=20 * variables,
    )


def test_a_model_is_found_again() -> None:
    model = fitted_model([_point(int(variables), int(rows)) for variables, rows in SIZES])
    assert model.shared == pytest.approx(0.25)
    assert sorted(model.spread) == pytest.approx([0.5] * len(SIZES) + [1.5] * len(SIZES))
    largest = _point(100_000, 1_000_000)
    assert all(
        math.isclose(ratio, 1.0, rel_tol=1e-6) for ratio in predicted_by_measured(model, largest).values()
    )
    one_spread = CostModel(model.laws, model.shared, spread=(1.0,))
    costs = one_spread.costs(labels=10, variables=100_000, rows=1_000_000, workers=1)
    assert sum(costs.labels) == pytest.approx(10 * 0.75 * 100.01)
    assert costs.after == pytest.approx(10 * (0.1 + 1e-6 * 1_000_000))
    apart = replace(one_spread, shared=0.2).costs(10, 100_000, 1_000_000, workers=4)
    assert apart.labels[0] == pytest.approx(0.95 * 100.01)
