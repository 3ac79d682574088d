"""TLMB: the trace against plain matrices over all rows, and boundaries in samples of known networks."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.markov_boundary import data_around, find_boundary
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.options import TlmbOptions
from engine.boundaries.search import SearchTask
from engine.boundaries.several import TieStarOptions
from engine.boundaries.tlmb import tlmb, traces
from engine.errors import Cancelled, InvalidParameter
from engine.simulation import BayesianNetwork
from engine.simulation.bayesian_network import dataset_variables
from engine.table.dataset import Dataset
from tests.engine.networks import KnownNetwork, all_known, root, sets
from tests.with_each import with_each

KNOWN = all_known()
TARGETS = [(name, target) for name, known_network in KNOWN.items() for target in known_network.boundaries]
# One of each network, in the short form.
FIRST = [(name, next(iter(known_network.boundaries))) for name, known_network in KNOWN.items()]
OTHERS = [target for target in TARGETS if target not in FIRST]


def _sample(known_network: KnownNetwork, rows: int, seed: int = 0) -> Dataset:
    columns = known_network.network.sample(rows, np.random.default_rng(seed))
    variables = dataset_variables(known_network.network, known_network.labels)
    return Dataset(variables, [columns[variable.name] for variable in variables], "sample")


def _random_codes(seed: int, variables: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Variables of two to four levels, and a target of three that depends on some of them."""
    generator = np.random.default_rng(seed)
    codes = np.stack([generator.integers(0, generator.integers(2, 5), rows) for _ in range(variables)])
    target = (codes[0] + codes[-1] * generator.integers(0, 2, rows)) % 3
    return codes, target


def _trace_over_rows(codes: np.ndarray, target: np.ndarray, regularisation: float) -> float:
    """``e Tr[G_Y (G_X + n e I)^-1]`` as it is written, with every matrix of the size of the table."""
    rows = len(target)
    kernel = np.array(
        [[np.prod([1.0 + (a == b) for a, b in zip(x, y, strict=True)]) for y in codes.T] for x in codes.T]
    )
    centring = np.eye(rows) - np.ones((rows, rows)) / rows
    gram_x = centring @ kernel @ centring
    gram_y = centring @ (target[:, None] == target[None, :]).astype(float) @ centring
    inverse = np.linalg.inv(gram_x + rows * regularisation * np.eye(rows))
    return float(regularisation * np.trace(gram_y @ inverse))


@pytest.mark.parametrize("regularisation", [1e-3, 0.1])
@with_each("seed", range(6))
def test_the_trace_is_that_of_matrices_over_all_rows(seed: int, regularisation: float) -> None:
    codes, target = _random_codes(seed, variables=seed + 1, rows=60)
    shuffled = np.random.default_rng(seed).permutation(target)
    actual = traces(codes, np.stack([target, shuffled]), 3, regularisation)
    expected = [
        _trace_over_rows(codes, codes_of_target, regularisation) for codes_of_target in (target, shuffled)
    ]
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=0)


@with_each("seed", range(10))
def test_the_trace_never_rises_when_a_variable_is_added(seed: int) -> None:
    codes, target = _random_codes(seed, variables=8, rows=200)
    actual = [traces(codes[:count], target[None], 3, 1e-3)[0] for count in range(9)]
    shares = np.bincount(target) / len(target)
    assert actual[0] == pytest.approx(1 - (shares**2).sum(), rel=1e-12)
    assert all(after <= before for before, after in pairwise(actual))
    assert actual[-1] > 0


def test_with_little_smoothing_the_trace_is_the_variance_within_configurations() -> None:
    codes, target = _random_codes(3, variables=2, rows=500)
    rows = pandas.DataFrame({"a": codes[0], "b": codes[1]}).join(pandas.get_dummies(target).astype(float))
    within = rows.groupby(["a", "b"]).transform(lambda column: (column - column.mean()) ** 2)
    expected = within.to_numpy().sum() / len(target)
    assert traces(codes, target[None], 3, 1e-12)[0] == pytest.approx(expected, rel=1e-9)


@with_each(("name", "target"), FIRST)
def test_a_true_boundary_is_found_in_a_large_sample(name: str, target: str) -> None:
    _assert_true_boundary(name, target)


@pytest.mark.long
@with_each(("name", "target"), OTHERS)
def test_so_are_the_boundaries_of_the_other_targets(name: str, target: str) -> None:
    _assert_true_boundary(name, target)


def _assert_true_boundary(name: str, target: str) -> None:
    boundary = engine.markov_boundary(
        _sample(KNOWN[name], 5000), target, algorithm="tlmb", options=TlmbOptions(shuffles=99)
    )
    assert frozenset(boundary.members) in KNOWN[name].boundaries[target]
    assert boundary.members == boundary.undivided
    assert boundary.tests_made > 0


def _exclusive_or(flip: float, share: float = 0.5) -> KnownNetwork:
    """T → C ← S, where C says whether T and S differ; D is an effect of S, and F and G stand apart."""
    stays, turns = [1 - flip, flip], [flip, 1 - flip]
    network = BayesianNetwork(
        ["F", "D", "G", "S", "C", "T"],
        {"C": ["T", "S"], "D": ["S"]},
        {
            "T": root(share),
            "S": root(share),
            "C": [[stays, turns], [turns, stays]],
            "D": [[0.7, 0.3], [0.3, 0.7]],
            "F": root(0.4),
            "G": [0.3, 0.3, 0.4],
        },
    )
    return KnownNetwork(network, ("T",), {"T": sets("C S")})


@pytest.mark.parametrize("seed", range(3))
def test_a_child_and_a_spouse_that_tell_only_together_are_found(seed: int) -> None:
    """Neither depends on T by itself, so that searches from single dependences find nothing."""
    known_network = _exclusive_or(flip=0.15)
    dataset = _sample(known_network, 2000, seed)
    assert not engine.markov_boundary(dataset, "T", algorithm="hiton-mb").members
    assert not engine.markov_boundary(dataset, "T", algorithm="iamb").members
    assert set(engine.markov_boundary(dataset, "T", algorithm="tlmb").members) == {"C", "S"}
    alone = TlmbOptions(paired=0)
    assert not engine.markov_boundary(dataset, "T", algorithm="tlmb", options=alone).members


def test_noise_comes_in_no_more_often_than_the_copies_allow() -> None:
    """With 19 copies, one round in 20 lets noise in; each of 60 tables has one round."""
    options = TlmbOptions(shuffles=19, paired=0)
    wrong = 0
    for seed in range(60):
        codes = np.random.default_rng(seed).integers(0, [[2], [2], [3], [5], [8]], (5, 150))
        frame = pandas.DataFrame(codes.T, columns=list("tabcd")).astype(str)
        boundary = engine.markov_boundary(Dataset.from_frame(frame), "t", algorithm="tlmb", options=options)
        wrong += bool(boundary.members)
    # More than 8 of 60 at a chance of 1 in 20 has a probability below 0.004 (binomial).
    assert wrong <= 8


def test_the_same_seed_gives_the_same_boundary() -> None:
    dataset = _sample(KNOWN["figure_1"], 3000)
    options = TlmbOptions(shuffles=49, rows=1000, seed=3)
    first, second = (
        engine.markov_boundary(dataset, "covid", algorithm="tlmb", options=options) for _ in range(2)
    )
    assert first == second


def test_rows_are_drawn_from_long_tables_only() -> None:
    dataset = _sample(KNOWN["chain"], 800)
    actual = [
        engine.markov_boundary(dataset, "T", algorithm="tlmb", options=TlmbOptions(shuffles=49, rows=rows))
        for rows in (800, 5000, None)
    ]
    assert actual[0] == actual[1] == actual[2]
    few = engine.markov_boundary(dataset, "T", algorithm="tlmb", options=TlmbOptions(rows=5))
    assert not few.members


def test_only_the_variables_that_were_asked_for_are_tried() -> None:
    dataset = _sample(KNOWN["figure_1"], 3000)
    options = TlmbOptions(shuffles=49, among=1, paired=0)
    boundary = engine.markov_boundary(dataset, "covid", algorithm="tlmb", options=options)
    strongest = _task(dataset, "covid").everyone[0]
    assert boundary.members[0] == dataset.names[strongest]


def test_tie_star_lists_the_true_boundaries_by_it() -> None:
    known_network = KNOWN["figure_2"]
    options = TieStarOptions(single="tlmb")
    boundaries = engine.markov_boundaries(
        _sample(known_network, 2000), "T", algorithm="tie-star", options=options
    )
    assert {frozenset(boundary.members) for boundary in boundaries.boundaries} == known_network.boundaries[
        "T"
    ]


def _task(dataset: Dataset, target: str) -> SearchTask:
    settings = DiscoverySettings()
    data, place = data_around(dataset, target, settings)
    return Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8)).task(place)


class _StopAfter:
    """Asks to stop once it was looked at a number of times."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def __getitem__(self, place: int) -> bool:
        self.looks -= 1
        return self.looks < 0


@pytest.mark.parametrize("looks", [0, 1, 30, 105])
def test_a_stop_ends_the_search_at_once(looks: int) -> None:
    task = _task(_sample(KNOWN["figure_1"], 500), "cold")
    stop = _StopAfter(looks)
    tlmb(replace(task, stop=stop, options=TlmbOptions(shuffles=99)))
    # Every loop ends at its next look.
    assert stop.looks > -10


def test_a_stopped_search_gives_no_boundary() -> None:
    settings = DiscoverySettings()
    data, place = data_around(_sample(KNOWN["chain"], 500), "T", settings)
    stop = np.zeros(1, dtype=np.uint8)
    neighbourhoods = Neighbourhoods(data, settings, stop)
    neighbourhoods.screen(place)
    stop[0] = 1
    with pytest.raises(Cancelled):
        find_boundary(neighbourhoods, place, "tlmb")


@pytest.mark.parametrize("test", ["fisher-z", "mixed", "g2-permutation"])
def test_tables_of_other_tests_are_refused_with_a_remedy(test: str) -> None:
    generator = np.random.default_rng(0)
    frame = pandas.DataFrame(generator.normal(size=(200, 3)), columns=list("abc"))
    dataset = Dataset.from_frame(frame if test != "g2-permutation" else (frame > 0).astype(str))
    with pytest.raises(InvalidParameter, match="Choose the test 'g2' or 'x2'"):
        engine.markov_boundary(dataset, "a", DiscoverySettings(test=test), algorithm="tlmb")
