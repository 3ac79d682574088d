"""A table sampled from a published network has its probabilities, and the answer that its graph gives."""

from __future__ import annotations

from pathlib import Path

import networkx
import numpy as np
import pytest
from scipy import stats

import engine
from engine.errors import InvalidParameter
from engine.simulation import SamplingSettings


@pytest.fixture(scope="module")
def alarm(shared_data: Path):
    return engine.read_network(shared_data / "networks" / "alarm.bif.gz")


def test_the_answer_is_that_of_the_graph(alarm) -> None:
    """The moral graph of networkx gives the boundaries; every event but one can occur."""
    simulated = engine.simulate_network(alarm, ["HR", "CO", "BP"], rows=50)
    truth = simulated.truth
    moral = networkx.moral_graph(networkx.DiGraph(alarm.edges))
    own = set(truth.labels)
    for label in own:
        assert truth.boundaries[label].members == set(moral[label])
        assert truth.label_relations[label] == set(moral[label]) & own
    for feature in truth.features:
        assert truth.label_sets.get(feature, frozenset()) == set(moral[feature]) & own
    assert truth.edges == alarm.edges
    assert ("CO", "BP") in truth.label_edges
    for cause, effect in alarm.edges:
        if effect in own:
            assert cause in truth.boundaries[effect].parents
        if cause in own:
            assert effect in truth.boundaries[cause].children
    assert truth.boundaries["CO"].spouses == {"TPR": frozenset({"BP"})}


def test_columns_labels_and_settings(alarm) -> None:
    simulated = engine.simulate_network(alarm, ["HR", "BP"], rows=20, seed=4)
    assert simulated.dataset.names == alarm.nodes
    assert set(simulated.dataset.labels) == {"HR", "BP"} == set(simulated.truth.labels)
    assert simulated.dataset.labels == simulated.truth.labels == simulated.settings.labels
    assert simulated.settings == SamplingSettings(simulated.truth.labels, 20, 4)
    assert simulated.dataset.variable("HR").levels == alarm.levels["HR"]


def test_rows_follow_the_tables(alarm) -> None:
    """Every row of every table with enough rows of data, by a chi-square test (Bonferroni)."""
    dataset = engine.simulate_network(alarm, ["HR"], rows=20_000, seed=1).dataset
    p_values = []
    for node in alarm.nodes:
        table = alarm.tables[node]
        counts = np.zeros(table.shape)
        np.add.at(counts, tuple(dataset.column(name) for name in (*alarm.parents[node], node)), 1)
        assert (counts[table == 0] == 0).all()
        for row in np.ndindex(table.shape[:-1]):
            expected = table[row] * counts[row].sum()
            used = expected >= 5
            if used.sum() > 1:
                share = expected[used] * counts[row][used].sum() / expected[used].sum()
                p_values.append(stats.chisquare(counts[row][used], share).pvalue)
    assert len(p_values) > 100
    assert min(p_values) * len(p_values) > 1e-3


def test_same_seed_same_rows(alarm) -> None:
    first, again, with_other_seed = (
        engine.simulate_network(alarm, ["HR"], rows=30, seed=seed).dataset.content_hash for seed in (7, 7, 8)
    )
    assert first == again != with_other_seed


@pytest.mark.parametrize(
    ("labels", "settings", "problem"),
    [
        ([], {}, "no label"),
        (["HB"], {}, "no variable 'HB'"),
        (["HR"], {"rows": 0}, "0 is not"),
        (["HR"], {"seed": -1}, "-1 is not"),
    ],
)
def test_impossible_wishes_are_refused(alarm, labels, settings, problem: str) -> None:
    with pytest.raises(InvalidParameter, match=problem) as caught:
        engine.simulate_network(alarm, labels, **settings)
    assert caught.value.remedy


def test_one_label_by_its_name_alone(alarm) -> None:
    assert engine.simulate_network(alarm, "HR", rows=5).truth.labels == ("HR",)
