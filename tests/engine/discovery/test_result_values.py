"""A result can be pickled, and nobody alters what it says."""

from __future__ import annotations

import pickle

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.result import DiscoveryResult
from engine.errors import InvalidData


@pytest.fixture(scope="module")
def result() -> DiscoveryResult:
    network = engine.simulate(labels=3, features=12, rows=500, seed=1)
    discovered = engine.discover(network.dataset)
    return discovered.with_effects(engine.effects(network.dataset, discovered, estimands=["association"]))


def test_label_sets_equal_a_dictionary_and_stay_as_they_are(result: DiscoveryResult) -> None:
    as_dictionary = dict(result.label_sets)
    assert result.label_sets == as_dictionary and as_dictionary == result.label_sets
    for sets in (result.label_sets, result.total_label_sets):
        with pytest.raises(TypeError):
            sets["other"] = frozenset()  # type: ignore[index]
        assert pickle.loads(pickle.dumps(sets)) == sets


def test_a_result_is_pickled_before_and_after_its_tables_were_made(result: DiscoveryResult) -> None:
    for _ in range(2):
        again = pickle.loads(pickle.dumps(result))
        assert again.label_sets == result.label_sets
        assert again.dataset.content_hash == result.dataset.content_hash
        for table in ("common", "label_specific", "links"):
            assert getattr(again, table).equals(getattr(result, table))
        assert again.effects is not None and result.effects is not None
        assert again.effects.table().equals(result.effects.table())
        assert again.flags(*next(iter(result.evidence))) == result.flags(*next(iter(result.evidence)))


def test_a_session_is_pickled_with_its_table(result: DiscoveryResult) -> None:
    session = engine.DiscoverySession(result.dataset)
    session.discover()
    again = pickle.loads(pickle.dumps(session))
    assert again.discover().label_sets == result.label_sets


@pytest.mark.parametrize("factor", [1e160, 1e-160])
def test_sizes_of_numbers_whose_squares_are_none_are_refused(factor: float) -> None:
    generator = np.random.default_rng(0)
    dose = generator.normal(size=300)
    frame = pandas.DataFrame(
        {"dose": dose * factor, "ill": (dose + generator.normal(size=300) > 0).astype(int)}
    )
    dataset = engine.Dataset.from_frame(frame, labels=["ill"])
    result = engine.discover(dataset)
    assert result.label_sets == {"dose": frozenset({"ill"})}
    with pytest.raises(InvalidData, match="column 'dose': its numbers are up to"):
        engine.effects(dataset, result)
