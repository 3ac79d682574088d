"""The exhaustive search finds the boundaries that were published for the TIED network."""

from __future__ import annotations

import csv
import json

import numpy as np

from engine.simulation import BayesianNetwork, exhaustive_boundaries

# Ancestors and descendants that are left out do not change the distribution of the rest.
PART = ("T", "X3", "X10", "X4", "X8", "X9", "X11", "X12", "X18", "X19")


def test_boundaries_within_a_part_of_tied_are_the_published_ones(shared_data) -> None:
    folder = shared_data / "TIED"
    with (folder / "tied_markov_boundaries.tsv").open() as file:
        published = [frozenset(row[1:]) for row in list(csv.reader(file, delimiter="\t"))[1:]]
    assert len(published) == 72
    expected = {boundary for boundary in published if boundary <= set(PART)}
    assert len(expected) == 16
    network = _part(json.loads((folder / "tied_network.json").read_text()))
    assert set(exhaustive_boundaries(network, "T")) == expected


def _part(description: dict) -> BayesianNetwork:
    states = {name: [str(state) for state in description["states"][name]] for name in PART}
    parents, tables = {}, {}
    for name in PART:
        entry = description["cpt"][name]
        # Any positive distribution of X3 will do: its ancestors are left out.
        parent = None if name == "X3" else entry["parent"]
        if parent is None:
            tables[name] = np.array([0.3, 0.25, 0.25, 0.2])
        else:
            parents[name] = [parent]
            tables[name] = np.array(
                [[entry["table"][above].get(own, 0.0) for own in states[name]] for above in states[parent]]
            )
    return BayesianNetwork(PART, parents, tables, states)
