"""The TIED network: the truth read off its tables is what was published."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import engine
from engine.simulation import BayesianNetwork, exhaustive_boundaries, true_boundary
from tests.examples import first_of
from tests.with_each import with_each

# Ancestors and descendants that are left out do not change the distribution of the rest.
PART = ("T", "X3", "X10", "X4", "X8", "X9", "X11", "X12", "X18", "X19")


@pytest.fixture(scope="module")
def tied(shared_data: Path) -> BayesianNetwork:
    return engine.read_network(shared_data / "TIED" / "tied_network.json")


@pytest.fixture(scope="module")
def published(shared_data: Path) -> set[frozenset[str]]:
    """The 72 boundaries of T."""
    with (shared_data / "TIED" / "tied_markov_boundaries.tsv").open() as file:
        boundaries = {frozenset(row[1:]) for row in list(csv.reader(file, delimiter="\t"))[1:]}
    assert len(boundaries) == 72
    return boundaries


def test_the_truth_has_the_published_boundaries(tied, published) -> None:
    boundary = true_boundary(tied, "T")
    assert boundary.is_exact
    assert boundary.boundary_count == 72
    assert set(boundary.boundaries()) == published
    assert set(boundary.interchangeable) == {
        ("X4", "X8"),
        ("X11", "X12", "X13"),
        ("X18", "X19", "X20"),
        ("X1", "X10", "X2", "X3"),
    }


def test_boundaries_within_a_part_of_tied_are_the_published_ones(tied, published) -> None:
    expected = {boundary for boundary in published if boundary <= set(PART)}
    assert len(expected) == 16
    parents = {name: [parent for parent in tied.parents[name] if parent in PART] for name in PART}
    # Any positive distribution of X3 will do: its ancestors are left out.
    tables = {name: tied.tables[name] for name in PART} | {"X3": [0.3, 0.25, 0.25, 0.2]}
    part = BayesianNetwork(PART, parents, tables)
    assert set(exhaustive_boundaries(part, "T")) == expected
    assert set(true_boundary(part, "T").boundaries()) == expected


@with_each("seed", first_of(range(10), 4))
def test_clcd_finds_every_published_member_and_no_other(tied, published, seed: int) -> None:
    """With 5000 rows and the default settings; two labels, which share one variable.

    X16 is a second effect of X1, and X1 is one of four that tell the same about T.
    """
    simulated = engine.simulate_network(tied, ["T", "X16"], rows=5000, seed=seed)
    result = engine.discover(simulated.dataset)
    features = {feature for feature, labels in result.label_sets.items() if "T" in labels}
    assert features == frozenset().union(*published)
    assert result.label_sets["X1"] == {"T", "X16"}
    assert simulated.truth.common == {"X1"}
