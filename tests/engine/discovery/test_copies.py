"""Copies of columns are found with their originals and disturb nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas
import pytest

import engine
from engine.independence.arranging import make_test_data
from engine.independence.copies import copies_among
from engine.simulation.simulated import SimulatedNetwork
from engine.table.dataset import Dataset

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3))]
AGAIN = " again"

LabelSets = Mapping[str, frozenset[str]]
Pairs = set[tuple[str, str]]


def _network(seed: int) -> SimulatedNetwork:
    return engine.simulate(labels=5, features=40, rows=3000, multiple_boundaries=0, seed=seed)


def _with_copies(network: SimulatedNetwork) -> Dataset:
    """Add a copy of every causal feature."""
    frame = network.dataset.frame.copy()
    for feature in network.truth.label_sets:
        frame[feature + AGAIN] = frame[feature]
    return Dataset.from_frame(frame, labels=list(network.dataset.labels))


def _pairs(label_sets: LabelSets) -> Pairs:
    return {(feature, label) for feature, labels in label_sets.items() for label in labels}


@pytest.mark.parametrize("seed", SEEDS)
def test_an_exact_copy_counts_for_the_labels_of_its_original(seed: int) -> None:
    network = _network(seed)
    expected = _pairs(engine.discover(network.dataset).label_sets)
    pairs = _pairs(engine.discover(_with_copies(network)).label_sets)
    copied = network.truth.label_sets
    assert expected
    assert pairs == expected | {(feature + AGAIN, label) for feature, label in expected if feature in copied}


@pytest.mark.parametrize("procedure", ["controlled", "as published"])
def test_a_copy_that_two_labels_hide_is_interchangeable_and_no_second_neighbour(procedure: str) -> None:
    """Line 9 of Algorithm 1: once the cause has joined, it separates its copy from the label."""
    generator = np.random.default_rng(0)
    cause, other_cause = generator.integers(0, 2, (2, 4000))
    label = np.where(generator.random(4000) < 0.1, 1 - cause, cause)
    label = np.where(generator.random(4000) < 0.2, other_cause, label)
    columns = {"label": label, "twin": label, "cause": cause, "again": cause, "other": other_cause}
    dataset = Dataset.from_frame(pandas.DataFrame(columns).astype(str), labels=["label", "twin"])
    result = engine.discover(dataset, engine.DiscoverySettings(procedure=procedure))
    for name in dataset.labels:
        assert set(result.boundaries[name].parents_children) - {"label", "twin"} == {"cause", "other"}
        (reason,) = result.reasons("again", name)
        assert (reason.rule, reason.partner) == ("neighbour-equivalent", ("cause",))
    assert set(engine.selection_of(result).features) == {"cause", "other"}


def test_few_rows_do_not_show_that_a_column_of_a_rare_level_is_a_copy() -> None:
    """Thirty of 300 rows have the level: if one row in a hundred differed, none of 300 might."""
    generator = np.random.default_rng(0)
    label = generator.integers(0, 2, 3000)
    rare = label * (generator.random(3000) < 0.2)
    frame = pandas.DataFrame({"label": label, "rare": rare, "again": rare}).astype(str)
    frame["other"] = generator.integers(0, 3, 3000).astype(str)
    few = engine.discover(Dataset.from_frame(frame.head(300), labels=["label"]))
    many = engine.discover(Dataset.from_frame(frame, labels=["label"]))
    assert len(few.label_sets) == 1
    assert set(many.label_sets) == {"rare", "again"}


def _measured(rows: int, missing: float = 0.0) -> pandas.DataFrame:
    """Draw a table with a number, and with copies of categories and of numbers."""
    drawn = np.random.default_rng(0)
    sex, ward = drawn.integers(0, 2, rows), drawn.integers(0, 3, rows)
    celsius, age = drawn.normal(37, 1, rows), drawn.normal(50, 10, rows)
    told = 1.2 * sex + 0.8 * (celsius - 37) + (ward == 1)
    frame = pandas.DataFrame(
        {
            "sex": np.array(["f", "m"])[sex],
            "Geschlecht": np.array(["weiblich", "männlich"])[sex],
            "ward": np.array(["a", "b", "c"])[ward],
            "Station": np.array(["x", "z", "y"])[ward],
            "celsius": celsius,
            "fahrenheit": celsius * 1.8 + 32.0,
            "falling": -celsius,
            "age": age,
            "ill": np.where(told + drawn.logistic(size=rows) > 0.8, "yes", "no"),
        }
    )
    for names in (["sex", "Geschlecht"], ["celsius", "fahrenheit", "falling"], ["age"]):
        frame.loc[drawn.random(rows) < missing, names] = None
    return frame


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_copies_are_interchangeable_in_a_table_with_numbers(missing: float) -> None:
    result = engine.discover(Dataset.from_frame(_measured(1000, missing), labels=["ill"]))
    pairs = {
        frozenset((*row.in_boundary, *row.equivalent))
        for row in result.equivalences.itertuples()
        if row.target == "ill"
    }
    assert {frozenset(("sex", "Geschlecht")), frozenset(("ward", "Station"))} <= pairs
    heat = {"celsius", "fahrenheit", "falling"}
    assert sum(pair <= heat for pair in pairs) == 2
    assert len(heat.intersection(result.label_sets)) == 3
    assert len(result.undistinguished) == 0


@pytest.mark.parametrize("test", ["fisher-z", "mixed", "basis", "rcot"])
def test_copies_of_numbers_are_looked_for_whatever_the_test(test: str) -> None:
    drawn = np.random.default_rng(1)
    dose = drawn.normal(size=500)
    noise = drawn.normal(size=500)
    frame = pandas.DataFrame({"dose": dose, "in grams": dose / 1000.0, "pain": dose + noise, "other": noise})
    data = make_test_data(Dataset.from_frame(frame, labels=["pain"]), test).at_level(0.05)
    assert data.originals.tolist() == [0, 0, 2, 3]


def test_what_differs_in_one_row_or_is_missing_elsewhere_is_no_copy() -> None:
    drawn = np.random.default_rng(2)
    number, codes = drawn.normal(size=400), drawn.integers(0, 3, 400)
    almost, elsewhere, rounded = number.copy(), number.copy(), np.round(number, 3)
    almost[399], elsewhere[5] = 0.0, np.nan
    changed, gap = codes.copy(), codes.copy()
    changed[399], gap[5] = (codes[399] + 1) % 3, -1
    columns = [number, almost, elsewhere, rounded, codes, changed, gap]
    assert copies_among(columns, [False] * 4 + [True] * 3).groups == ()
    again = [number * 9.0 - 1e3, (codes + 1) % 3]
    assert copies_among([*columns, *again], [False] * 4 + [True] * 3 + [False, True]).groups == (
        (0, 7),
        (4, 8),
    )
