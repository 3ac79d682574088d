"""Boundaries on exact population probabilities, also where a target has several."""

from __future__ import annotations

import numpy as np
import pytest

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.markov_boundary import MarkovBoundaries, MarkovBoundary, boundary_in
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.options import KiambOptions
from engine.boundaries.several import (
    RepeatedKiambOptions,
    TieStarOptions,
    WlcmbOptions,
    algorithms,
    boundaries_in,
)
from engine.errors import InvalidParameter
from engine.independence.data import TestData
from engine.independence.discrete.contingency import ContingencyData
from engine.independence.discrete.weighted import weighted_table
from engine.simulation import BayesianNetwork, exhaustive_boundaries, population_dataset
from tests.engine.networks import KnownNetwork, all_known
from tests.with_each import with_each

# As in the population tests of CLCD: true information is far above its critical value, rounding far below.
ROWS = 1e7
ALPHA = 1e-6

KNOWN = all_known()
TARGETS = [(name, target) for name, known_network in KNOWN.items() for target in known_network.boundaries]
UNIQUE = [(name, target) for name, target in TARGETS if len(KNOWN[name].boundaries[target]) == 1]
SEVERAL = [(name, target) for name, target in TARGETS if len(KNOWN[name].boundaries[target]) > 1]

ALONE = {name: algorithm for name, algorithm in algorithms().items() if not algorithm.finds_several}
DIVIDED = [name for name, algorithm in ALONE.items() if algorithm.separates_spouses]
UNDIVIDED = [name for name, algorithm in ALONE.items() if not algorithm.separates_spouses]
# Those that read the rows ask no tests; rows that weigh as much as they are likely are no sample to them.
UNDIVIDED_BY_TESTS = [name for name in UNDIVIDED if not ALONE[name].needs_rows]


def _population(known_network: KnownNetwork) -> TestData:
    dataset, weights = population_dataset(known_network.network, known_network.labels)
    levels = [variable.level_count for variable in dataset.variables]
    table = weighted_table(dataset.columns, levels, weights * ROWS)
    return ContingencyData(table, dataset.names, int(ROWS)).at_level(ALPHA)


def _find_all(known_network: KnownNetwork, target: str, algorithm: str, options: object) -> MarkovBoundaries:
    data = _population(known_network)
    settings = DiscoverySettings(alpha=ALPHA, max_conditioning=5)
    search = Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8))
    return boundaries_in(search, data.positions[target], algorithm, options)


def _find(
    known_network: KnownNetwork, target: str, algorithm: str, options: object | None = None
) -> MarkovBoundary:
    data = _population(known_network)
    settings = DiscoverySettings(alpha=ALPHA, max_conditioning=5)
    return boundary_in(data, data.positions[target], settings, algorithm, options)


@pytest.mark.parametrize("algorithm", UNDIVIDED_BY_TESTS)
@with_each(("name", "target"), TARGETS)
def test_searches_for_members_find_one_of_the_true_boundaries(name: str, target: str, algorithm: str) -> None:
    boundary = _find(KNOWN[name], target, algorithm)
    assert frozenset(boundary.members) in KNOWN[name].boundaries[target]


# CCMB is left out: of the two sides it believes the one that finds more, and so keeps a descendant that only
# the other side sees to be none of the neighbours.
@pytest.mark.parametrize("algorithm", [name for name in DIVIDED if name != "ccmb"])
@with_each(("name", "target"), UNIQUE)
def test_a_unique_boundary_is_found(name: str, target: str, algorithm: str) -> None:
    boundary = _find(KNOWN[name], target, algorithm)
    assert {frozenset(boundary.members)} == KNOWN[name].boundaries[target]


# Where variables are interchangeable, searches that ask both sides to agree lose them, as do those that let
# leave together all that a size of sets separates. On its own, a search among children also loses the
# spouses behind an exact copy of a child; CLCD looks through the copy and finds them.
@pytest.mark.parametrize("algorithm", ["hiton-mb", "hiton-mb-semi", "mmmb"])
@with_each(("name", "target"), [case for case in SEVERAL if case[0] != "copied_child"])
def test_one_of_several_boundaries_is_found(name: str, target: str, algorithm: str) -> None:
    boundary = _find(KNOWN[name], target, algorithm)
    assert frozenset(boundary.members) in KNOWN[name].boundaries[target]


@with_each(("name", "target"), SEVERAL)
def test_repeated_kiamb_finds_several_boundaries(name: str, target: str) -> None:
    all_members = {
        frozenset(_find(KNOWN[name], target, "kiamb", KiambOptions(share=0.1, seed=seed)).members)
        for seed in range(40)
    }
    assert all_members == KNOWN[name].boundaries[target]


@pytest.mark.parametrize("single", ["iamb", "hiton-mb", "hiton-mb-semi", "mmmb"])
@with_each(("name", "target"), TARGETS)
def test_tie_star_lists_exactly_the_true_boundaries(name: str, target: str, single: str) -> None:
    # Searches among neighbours lose the spouses behind an exact copy of a child, those that hold everything
    # fixed do not.
    if name == "copied_child" and single != "iamb":
        return
    boundaries = _find_all(KNOWN[name], target, "tie-star", TieStarOptions(single=single))
    assert [len(boundary.members) for boundary in boundaries.boundaries] == [
        len(set(boundary.members)) for boundary in boundaries.boundaries
    ]
    listed = [frozenset(boundary.members) for boundary in boundaries.boundaries]
    assert len(listed) == len(set(listed))
    assert set(listed) == KNOWN[name].boundaries[target]
    assert boundaries.is_complete


@with_each(("name", "target"), TARGETS)
@pytest.mark.parametrize(
    ("algorithm", "options"),
    [("wlcmb", WlcmbOptions()), ("kiamb-repeated", RepeatedKiambOptions(share=0.1, repeats=25))],
)
def test_the_others_list_exactly_the_true_boundaries(
    name: str, target: str, algorithm: str, options: object
) -> None:
    boundaries = _find_all(KNOWN[name], target, algorithm, options)
    assert {frozenset(boundary.members) for boundary in boundaries.boundaries} == KNOWN[name].boundaries[
        target
    ]


# Each of the causes by itself is independent of T; C is a copy of A under other names.
EXCLUSIVE_OR = BayesianNetwork(
    ["A", "B", "D", "C", "T"],
    {"C": ["A"], "T": ["A", "B"]},
    {
        "A": [0.5, 0.5],
        "B": [0.5, 0.5],
        "D": [0.4, 0.6],
        "C": [[0, 1], [1, 0]],
        "T": [[[0.9, 0.1], [0.1, 0.9]], [[0.1, 0.9], [0.9, 0.1]]],
    },
)


def test_causes_that_act_only_together_are_found_by_pairs() -> None:
    known_network = KnownNetwork(
        EXCLUSIVE_OR, ("T",), {"T": frozenset(exhaustive_boundaries(EXCLUSIVE_OR, "T"))}
    )
    assert known_network.boundaries["T"] == {frozenset("AB"), frozenset("CB")}
    assert _find(known_network, "T", "iamb").members == ()
    assert frozenset(_find(known_network, "T", "iamb-pairs").members) in known_network.boundaries["T"]
    boundaries = _find_all(known_network, "T", "wlcmb", WlcmbOptions())
    assert {frozenset(boundary.members) for boundary in boundaries.boundaries} == known_network.boundaries[
        "T"
    ]


def test_kiamb_among_all_is_iamb() -> None:
    known_network = KNOWN["figure_2"]
    among_all = _find(known_network, "T", "kiamb", KiambOptions(share=1.0, seed=7))
    assert among_all.members == _find(known_network, "T", "iamb").members


def test_options_of_another_algorithm_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="IAMB does not take KiambOptions"):
        _find(KNOWN["chain"], "T", "iamb", KiambOptions())


def test_a_name_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(InvalidParameter, match="inter-iamb"):
        _find(KNOWN["chain"], "T", "lamb")


@pytest.mark.parametrize("algorithm", UNDIVIDED)
def test_clcd_refuses_what_does_not_tell_neighbours_from_spouses(algorithm: str) -> None:
    with pytest.raises(InvalidParameter, match="setting 'algorithm'"):
        DiscoverySettings(algorithm=algorithm)
