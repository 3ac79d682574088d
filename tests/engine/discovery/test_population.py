"""CLCD on exact population probabilities: with an endless sample it must give the true answer."""

from __future__ import annotations

import pytest

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.discover import SearchRequest, search_data
from engine.discovery.result import DiscoveryResult
from engine.independence.discrete.contingency import ContingencyData
from engine.independence.discrete.weighted import weighted_table
from engine.progress import SilentProgress
from engine.simulation import population_dataset
from tests.engine.networks import KnownNetwork, all_known
from tests.with_each import with_each

# Weights that sum to this: the least information in these networks is far above its critical value,
# and rounding errors of double precision far below.
ROWS = 1e7

KNOWN = all_known()
WITH_LARGEST_SETS = {"figure_2": 2, "figure_4": 2}


def _discover(known_network: KnownNetwork, **settings: object) -> DiscoveryResult:
    dataset, weights = population_dataset(known_network.network, known_network.labels)
    chosen = DiscoverySettings(alpha=1e-6, **settings)
    levels = [variable.level_count for variable in dataset.variables]
    table = weighted_table(dataset.columns, levels, weights * ROWS)
    return search_data(
        ContingencyData(table, dataset.names, int(ROWS)).at_level(chosen.alpha),
        dataset,
        SearchRequest(chosen),
        SilentProgress(),
    )


@with_each("name", [name for name, known_network in KNOWN.items() if known_network.labels])
@pytest.mark.parametrize("algorithm", ["hiton-mb", "hiton-mb-semi", "mmmb"])
def test_label_sets_are_exact(name: str, algorithm: str) -> None:
    result = _discover(KNOWN[name], algorithm=algorithm, max_equivalence=WITH_LARGEST_SETS.get(name, 1))
    assert result.label_sets == KNOWN[name].label_sets


def test_figure_2_finds_both_equivalences_and_nothing_else() -> None:
    result = _discover(KNOWN["figure_2"], max_equivalence=3)
    about_label = {
        frozenset([frozenset(record.in_boundary), frozenset(record.equivalent)])
        for record in result.equivalence_records
        if record.target == "T"
    }
    assert about_label == {
        frozenset([frozenset("A"), frozenset("C")]),
        frozenset([frozenset("B"), frozenset("DE")]),
    }


def test_figure_2_is_out_of_reach_of_single_variables() -> None:
    result = _discover(KNOWN["figure_2"], max_equivalence=1)
    assert len(result.equivalence_records) == 1


def test_an_exact_copy_of_a_child_keeps_its_spouses() -> None:
    boundary = _discover(KNOWN["copied_child"]).boundaries["T"]
    assert set(boundary.spouses) == {"S", "R"}


def test_a_label_masked_by_another_is_recovered() -> None:
    result = _discover(KNOWN["theorem_7_case_2"])
    for label in ("T1", "T2"):
        (reason,) = result.reasons("Z", label)
        assert reason.recovered
