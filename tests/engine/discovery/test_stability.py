"""Repeated searches: counted by a plain loop, the same for any number of workers, stoppable, bounded."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.evidence import Rule
from engine.discovery.orientation.direction import Grade
from engine.discovery.row_split import subsample_counts, subsample_rows
from engine.discovery.stability.result import StabilityResult, StabilitySettings
from engine.errors import Cancelled, InvalidData, InvalidParameter
from engine.progress import ProgressEvent
from engine.table.variable import Kind, Role, Variable

NO_CONTROL = engine.DiscoverySettings(false_discovery="none", procedure="as published", alpha=0.05)


class _Watcher:
    """Notes progress and asks to stop once some repetitions are finished."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.events: list[ProgressEvent] = []
        self._stop_after = stop_after
        self._stopped = False

    def report(self, event: ProgressEvent) -> None:
        self.events.append(event)
        if self._stop_after is not None and event.detail.startswith(f"{self._stop_after} of"):
            self._stopped = True

    def should_stop(self) -> bool:
        return self._stopped


@pytest.fixture(scope="module")
def dataset() -> engine.Dataset:
    return engine.simulate(labels=4, features=16, rows=401, multiple_boundaries=1.0, seed=3).dataset


def _contents(stability: StabilityResult) -> tuple[object, ...]:
    return (stability.finished, stability.pairs, stability.types, stability.relations, stability.grades)


@pytest.mark.parametrize("test", ["fisher-z", "mixed"])
def test_parts_bear_the_tails_that_their_table_bears(test: str) -> None:
    """What a test bears grows with the rows: a half alone may be refused, and the repetitions go on."""
    generator = np.random.default_rng(27)
    heavy, heavier = (generator.exponential(size=1000) ** power for power in (1.8, 2.2))
    frame = pandas.DataFrame({"y": heavy, "x": heavier, "z": generator.normal(size=1000)})
    table = engine.Dataset.from_frame(frame, labels=["y"])
    settings = engine.DiscoverySettings(test=test)
    halves = StabilitySettings(resamples=6)
    for number in range(6):
        with pytest.raises(InvalidData, match="excess kurtosis"):
            engine.discover(table.select_rows(subsample_rows(1000, number, halves)), settings)
    stability = engine.stability(engine.discover(table, settings).dataset, settings, resamples=6)
    assert stability.finished == 6


def test_tails_of_a_whole_table_are_still_refused() -> None:
    generator = np.random.default_rng(0)
    frame = pandas.DataFrame({"y": generator.normal(size=400) ** 9, "x": generator.normal(size=400) ** 9})
    table = engine.Dataset.from_frame(frame, labels=["y"])
    with pytest.raises(InvalidData, match="a few extreme rows"):
        engine.stability(table, engine.DiscoverySettings(test="fisher-z"), resamples=4)


@pytest.mark.parametrize(
    ("resamples", "share", "settings"),
    [(6, 0.5, engine.DiscoverySettings()), (5, 0.3, NO_CONTROL), (3, 0.8, NO_CONTROL)],
)
def test_frequencies_are_those_of_a_plain_loop(
    dataset: engine.Dataset, resamples: int, share: float, settings: engine.DiscoverySettings
) -> None:
    """The loop draws rows with numpy as documented and knows nothing of the module under test."""
    rows = dataset.row_count
    size = int(np.floor(rows * share))
    pairs: Counter[tuple[str, str]] = Counter()
    rules: Counter[tuple[str, str, Rule]] = Counter()
    common: Counter[str] = Counter()
    specific: Counter[str] = Counter()
    relations: Counter[tuple[str, str]] = Counter()
    for number in range(resamples):
        if share <= 0.5:
            order = np.random.default_rng([7, number // 2]).permutation(rows)
            drawn = order[:size] if number % 2 == 0 else order[size : 2 * size]
        else:
            drawn = np.random.default_rng([7, number]).permutation(rows)[:size]
        part = dataset.select_rows(np.sort(drawn))
        assert all(len(np.unique(column)) > 1 for column in part.columns)
        result = engine.discover(part, settings)
        for feature, labels in result.label_sets.items():
            (common if len(labels) > 1 else specific)[feature] += 1
            pairs.update((feature, label) for label in labels)
            for label in labels:
                rules.update({(feature, label, reason.rule) for reason in result.reasons(feature, label)})
        relations.update((evidence.feature, evidence.label) for evidence in result.label_evidence.values())
    stability = engine.stability(dataset, settings, resamples=resamples, share=share, seed=7)
    assert {(pair.variable, pair.label): pair.found for pair in stability.pairs.values()} == pairs
    assert {
        (relation.variable, relation.label): relation.found for relation in stability.relations.values()
    } == relations
    for feature in dataset.features:
        assert stability.times_common(feature) == common[feature]
        assert stability.times_label_specific(feature) == specific[feature]
        for label in dataset.labels:
            for rule, times in stability.times_by_rule(feature, label).items():
                assert times == rules[feature, label, rule]
    table = stability.table.set_index(["feature", "label"])
    assert len(table) == len(pairs) > 0
    for pair, times in pairs.items():
        assert table.loc[pair, "found_again"] == times / resamples
        assert table.loc[pair, "common"] == common[pair[0]] / resamples


def test_halves_are_disjoint_and_without_repetition() -> None:
    settings = StabilitySettings(seed=11)
    for first in range(0, 10, 2):
        part, complement = (subsample_rows(101, number, settings) for number in (first, first + 1))
        assert part.size == complement.size == 50
        assert np.unique(np.concatenate([part, complement])).size == 100


def test_each_row_is_drawn_about_equally_often() -> None:
    settings = StabilitySettings(resamples=2000, share=0.25, seed=1)
    drawn = np.concatenate([subsample_rows(40, number, settings) for number in range(2000)])
    counts = np.bincount(drawn, minlength=40)
    # Binomial of 2000 draws with probability 1/4: five standard deviations.
    assert np.abs(counts - 500).max() < 5 * np.sqrt(2000 * 0.25 * 0.75)


def test_rows_that_count_for_several_are_drawn_one_by_one() -> None:
    counts = np.array([1, 7, 30, 0, 12])
    settings = StabilitySettings(seed=4)
    first, second = (subsample_counts(counts, number, settings) for number in (2, 3))
    assert first.sum() == second.sum() == 25
    assert (first + second == counts).all()


def test_equal_rows_may_be_joined() -> None:
    """Four rows with counts are a table of 800; in every half the strong effect is seen."""
    frame = pandas.DataFrame(
        {
            "x": ["a", "a", "b", "b"],
            "y": ["a", "b", "a", "b"],
            "n": [350.0, 50.0, 50.0, 350.0],
            "z": list("abba"),
        }
    )
    dataset = engine.Dataset.from_frame(frame, labels=["y"]).with_roles({"n": engine.Role.WEIGHT})
    settings = replace(NO_CONTROL, row_weights="counts")
    stability = engine.stability(dataset, settings, resamples=10)
    assert stability.times_found("x", "y") == 10
    assert stability.finished == 10
    with pytest.raises(InvalidData, match="too small"):
        engine.stability(dataset, replace(NO_CONTROL, row_weights="sampling"), resamples=10)


def test_rows_without_weight_are_never_drawn(dataset: engine.Dataset) -> None:
    weights = np.ones(dataset.row_count)
    weights[::3] = 0.0
    variable = Variable("w", Kind.CONTINUOUS, Role.WEIGHT)
    weighted = replace(dataset, variables=(*dataset.variables, variable), columns=(*dataset.columns, weights))
    stability = engine.stability(weighted, NO_CONTROL, resamples=4)
    assert _contents(stability) == _contents(
        engine.stability(dataset.select_rows(weights > 0), NO_CONTROL, resamples=4)
    )


def test_missing_values_stay_missing(dataset: engine.Dataset) -> None:
    name = dataset.features[0]
    column = np.where(np.arange(dataset.row_count) % 4, dataset.column(name), -1)
    holed = dataset.with_column(dataset.variable(name), column)
    stability = engine.stability(holed, NO_CONTROL, resamples=4)
    drawn = subsample_rows(holed.row_count, 0, StabilitySettings())
    alone = engine.discover(holed.select_rows(drawn), NO_CONTROL)
    assert all(stability.times_found(*pair) >= 1 for pair in alone.evidence)
    assert stability.finished == 4


def test_any_number_of_workers_gives_the_same(dataset: engine.Dataset) -> None:
    one, three = (
        engine.stability(dataset, replace(NO_CONTROL, workers=workers), resamples=6) for workers in (1, 3)
    )
    assert _contents(one) == _contents(three)
    assert one.table.equals(three.table)


def test_the_seed_decides(dataset: engine.Dataset) -> None:
    first, again, with_other_seed = (
        engine.stability(dataset, NO_CONTROL, resamples=4, seed=seed) for seed in (0, 0, 1)
    )
    assert _contents(first) == _contents(again)
    assert _contents(first) != _contents(with_other_seed)


def test_planted_effects_always_come_back_and_noise_rarely() -> None:
    generator = np.random.default_rng(5)
    rows = 2000
    cause, noise = generator.integers(0, 2, rows), generator.integers(0, 3, (40, rows))
    flip = generator.random((2, rows)) < 0.1
    frame = pandas.DataFrame(
        {"cause": cause} | {f"noise {place}": column for place, column in enumerate(noise)}
    )
    frame = frame.astype(str)
    frame["one"], frame["two"] = np.where(flip[0], 1 - cause, cause), np.where(flip[1], 1 - cause, cause)
    frame["alone"] = generator.integers(0, 2, rows)
    dataset = engine.Dataset.from_frame(frame, labels=["one", "two", "alone"])
    settings = engine.DiscoverySettings(
        false_discovery="none", procedure="as published", alpha=0.05, max_equivalence=0
    )
    stability = engine.stability(dataset, settings, resamples=20)
    assert stability.times_found("cause", "one") == stability.times_found("cause", "two") == 20
    assert stability.times_common("cause") == 20
    # A noise variable passes the first test of a label at the level; further tests only take it out again.
    passed = [stability.times_found(f"noise {place}", "alone") / 20 for place in range(40)]
    assert 0 < np.mean(passed) < 0.08


def test_a_stopped_run_keeps_what_it_finished(dataset: engine.Dataset) -> None:
    settings = replace(NO_CONTROL, workers=1)
    stopped = engine.stability(dataset, settings, resamples=8, progress=_Watcher(stop_after=3))
    assert stopped.is_partial
    assert 3 <= stopped.finished < 8
    # One worker takes the parts in order, so the first ones are the finished ones.
    complete = engine.stability(dataset, settings, resamples=stopped.finished)
    assert _contents(stopped) == _contents(complete)
    assert np.isnan(stopped.chance_bound(0.9, 150))


def test_nothing_finished_is_cancelled(dataset: engine.Dataset) -> None:
    with pytest.raises(Cancelled):
        engine.stability(dataset, resamples=4, progress=_Watcher(stop_after=0))


def test_progress_rises_to_its_total(dataset: engine.Dataset) -> None:
    watcher = _Watcher()
    engine.stability(dataset, engine.DiscoverySettings(workers=3), resamples=4, progress=watcher)
    done = [event.done for event in watcher.events[1:]]
    assert done == sorted(done)
    assert done[-1] == watcher.events[-1].total
    assert watcher.events[-1].detail == "4 of 4 done"
    tests = [event.tests for event in watcher.events]
    assert tests == sorted(tests)


# Two columns with one odd row each are more than Fisher's z takes.
@pytest.mark.parametrize(
    ("test", "rare"), [("g2", ("rare", "rare label")), ("fisher-z", ("rare",)), ("fisher-z", ("rare label",))]
)
def test_columns_that_hardly_vary_are_no_error(test: str, rare: tuple[str, ...]) -> None:
    generator = np.random.default_rng(2)
    rows = 60
    strong = generator.normal(size=rows) if test == "fisher-z" else generator.integers(0, 2, rows)
    label = strong + generator.normal(scale=0.3, size=rows) if test == "fisher-z" else strong
    frame = pandas.DataFrame({"strong": strong, "label": label})
    for name in rare:
        frame[name] = (np.arange(rows) == 0).astype(float)
    dataset = engine.Dataset.from_frame(frame, labels=[name for name in frame if "label" in name])
    settings = engine.DiscoverySettings(test=test, workers=1)
    stability = engine.stability(dataset, settings, resamples=10)
    assert stability.finished == 10
    assert stability.times_found("strong", "label") == 10


def test_a_label_that_is_constant_in_a_part_finds_nothing_there() -> None:
    rare = np.zeros(40)
    rare[0] = 1
    frame = pandas.DataFrame({"x": np.tile([0, 1], 20), "rare": rare})
    dataset = engine.Dataset.from_frame(frame, labels=["rare"])
    stability = engine.stability(dataset, NO_CONTROL, resamples=4)
    assert stability.finished == 4
    assert stability.times_found("x", "rare") <= 2


def test_it_attaches_to_the_result_it_belongs_to(dataset: engine.Dataset) -> None:
    result = engine.discover(dataset, NO_CONTROL)
    assert "found_again" not in result.common.columns
    stability = engine.stability(dataset, replace(NO_CONTROL, workers=1), resamples=10)
    attached = result.with_stability(stability)
    assert attached.with_stability(None).stability is None
    for row in attached.common.itertuples():
        assert row.found_again == min(stability.times_found(row.feature, label) for label in row.labels) / 10
    for row in attached.label_specific.itertuples():
        assert row.found_again == stability.times_found(row.feature, row.label) / 10
    with pytest.raises(InvalidParameter, match="other settings"):
        engine.discover(dataset).with_stability(stability)
    with pytest.raises(InvalidParameter, match="another table"):
        engine.discover(dataset.select_rows(np.arange(400)), NO_CONTROL).with_stability(stability)


def test_findings_and_near_misses_stand_side_by_side(dataset: engine.Dataset) -> None:
    result = engine.discover(dataset, NO_CONTROL)
    stability = engine.stability(dataset, NO_CONTROL, resamples=10)
    attached = result.with_stability(stability)
    table = attached.found_again
    inside = table[table["in_result"]]
    assert {(row.feature, row.label) for row in inside.itertuples()} == set(result.evidence)
    near = table[~table["in_result"]]
    expected = {
        key for key, pair in stability.pairs.items() if pair.found >= 5 and key not in result.evidence
    }
    assert {(row.feature, row.label) for row in near.itertuples()} == expected
    assert result.found_again.empty
    assert list(result.found_again.columns) == list(table.columns)


def test_the_bound_is_that_of_the_theorem(dataset: engine.Dataset) -> None:
    stability = engine.stability(dataset, NO_CONTROL, resamples=10)
    candidates = len(dataset.features) * len(dataset.labels)
    on_average = stability.table["times"].sum() / 10
    assert stability.chance_bound(0.9, candidates) == pytest.approx(on_average**2 / (0.8 * candidates))
    assert np.isnan(stability.chance_bound(0.5, candidates))


@pytest.mark.parametrize("values", [{"resamples": 1}, {"share": 0}, {"share": 1.0}, {"seed": -1}])
def test_impossible_settings_are_refused(dataset: engine.Dataset, values: dict[str, float]) -> None:
    with pytest.raises(InvalidParameter, match=next(iter(values))):
        engine.stability(dataset, **values)


def test_too_few_rows_are_refused(dataset: engine.Dataset) -> None:
    with pytest.raises(InvalidData, match="too small"):
        engine.stability(dataset.select_rows(np.arange(19)))


def test_grades_are_counted_as_a_plain_loop_counts_them() -> None:
    dataset = engine.simulate(labels=3, features=20, rows=3000, multiple_boundaries=0.0, seed=5).dataset
    knowledge = engine.Knowledge(tiers=[dataset.features[:10], dataset.labels])
    stability = engine.stability(dataset, resamples=4, seed=2, knowledge=knowledge)
    times: Counter[tuple[tuple[str, str], Grade]] = Counter()
    for number in range(4):
        part = dataset.select_rows(subsample_rows(dataset.row_count, number, stability.settings))
        result = engine.discover(part, knowledge=knowledge)
        times.update((pair, orientation.grade) for pair, orientation in result.orientation_records.items())
    counted = {
        (pair, grade): count for pair, grades in stability.grades.items() for grade, count in grades.items()
    }
    assert counted == {key: count for key, count in times.items() if key[1] is not Grade.UNDECIDED}
    assert counted
    result = engine.discover(dataset, knowledge=knowledge).with_stability(stability)
    table = result.orientations
    decided = table[table["grade"] != "undecided"]
    assert decided["grade_found_again"].between(0.0, 1.0).all()
    for row in decided.itertuples():
        implying = [grade for grade in Grade if grade.implies(Grade(row.grade))]
        share = sum(times[(row.feature, row.label), grade] for grade in implying) / 4
        assert row.grade_found_again == share
    assert table.loc[table["grade"] == "undecided", "grade_found_again"].isna().all()
    without = engine.stability(dataset, resamples=2, directions=False)
    assert without.grades == {} and without.pairs
