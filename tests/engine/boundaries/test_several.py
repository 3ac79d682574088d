"""Several boundaries of one target asked for by name: bounds, stops, refusals."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.options import KiambOptions
from engine.boundaries.several import TieStarOptions, algorithms
from engine.boundaries.single_algorithms import algorithm_choices
from engine.errors import Cancelled, InvalidParameter
from engine.table.dataset import Dataset
from tests.progress_watcher import ProgressWatcher

SEVERAL = [name for name, algorithm in algorithms().items() if algorithm.finds_several]


@pytest.fixture(scope="module")
def copied_causes() -> Dataset:
    """Two causes of y, each with two copies under other names: nine boundaries."""
    generator = np.random.default_rng(0)
    causes = {name: generator.integers(0, 2, 2000) for name in "ab"}
    chance = 0.1 + 0.5 * causes["a"] + 0.3 * causes["b"]
    frame = pandas.DataFrame(
        {f"{name}{copy}": values for name, values in causes.items() for copy in range(3)}
    )
    return Dataset.from_frame(frame.assign(y=generator.random(2000) < chance).astype(str))


def _sets(boundaries: engine.MarkovBoundaries) -> set[frozenset[str]]:
    return {frozenset(boundary.members) for boundary in boundaries.boundaries}


def test_every_choice_among_copies_is_listed(copied_causes: Dataset) -> None:
    boundaries = engine.markov_boundaries(copied_causes, "y")
    assert _sets(boundaries) == {frozenset((f"a{one}", f"b{two}")) for one in range(3) for two in range(3)}
    assert boundaries.is_complete
    assert boundaries.target == "y"
    assert boundaries.tests_made > 0
    assert set(boundaries.members) == set(copied_causes.names) - {"y"}


def test_fewer_are_listed_within_bounds_and_the_result_says_so(copied_causes: Dataset) -> None:
    everything = _sets(engine.markov_boundaries(copied_causes, "y"))
    for options, count in (
        (TieStarOptions(max_boundaries=4), 4),
        (TieStarOptions(max_searches=3), 3),
        (TieStarOptions(max_seconds=0.0), 1),
        (TieStarOptions(max_removed=1), 3),
    ):
        boundaries = engine.markov_boundaries(copied_causes, "y", options=options)
        assert len(boundaries.boundaries) == count
        assert _sets(boundaries) < everything
        assert not boundaries.is_complete


def test_bounds_that_are_not_reached_leave_it_complete(copied_causes: Dataset) -> None:
    boundaries = engine.markov_boundaries(copied_causes, "y", options=TieStarOptions(max_boundaries=10))
    assert boundaries.is_complete


def test_progress_is_told(copied_causes: Dataset) -> None:
    watcher = ProgressWatcher()
    engine.markov_boundaries(copied_causes, "y", progress=watcher)
    assert [event.done for event in watcher.events] == sorted(event.done for event in watcher.events)
    assert all(event.detail == "y" and event.done < event.total for event in watcher.events)


def test_a_stop_before_anything_was_found_is_told(copied_causes: Dataset) -> None:
    with pytest.raises(Cancelled):
        engine.markov_boundaries(_wide(), "v0", progress=ProgressWatcher(stop_after=0))


def test_after_a_stop_the_boundaries_found_are_kept() -> None:
    boundaries = engine.markov_boundaries(_wide(), "v0", progress=ProgressWatcher(stop_after=1))
    assert boundaries.boundaries
    assert not boundaries.is_complete


def _wide() -> Dataset:
    """Twenty binary variables that all go along with one: more boundaries than are found before a stop."""
    generator = np.random.default_rng(1)
    hidden = generator.integers(0, 2, 3000)
    noise = generator.random((20, 3000)) < 0.2
    return Dataset.from_frame(
        pandas.DataFrame({f"v{place}": column ^ hidden for place, column in enumerate(noise)}).astype(str)
    )


@pytest.mark.parametrize("algorithm", SEVERAL)
def test_who_finds_several_is_neither_a_single_search_nor_for_clcd(
    copied_causes: Dataset, algorithm: str
) -> None:
    with pytest.raises(InvalidParameter, match=r"engine\.markov_boundaries"):
        engine.markov_boundary(copied_causes, "y", algorithm=algorithm)
    assert algorithm not in {choice.value for choice in algorithm_choices()}
    with pytest.raises(InvalidParameter, match="setting 'single'"):
        TieStarOptions(single=algorithm)


def test_a_single_search_is_refused_with_those_that_list_several(copied_causes: Dataset) -> None:
    with pytest.raises(InvalidParameter, match=r"engine\.markov_boundary.*tie-star"):
        engine.markov_boundaries(copied_causes, "y", algorithm="iamb")


def test_options_of_another_algorithm_are_refused(copied_causes: Dataset) -> None:
    with pytest.raises(InvalidParameter, match="TIE\\* does not take KiambOptions"):
        engine.markov_boundaries(copied_causes, "y", options=KiambOptions())
