"""Boundaries against those that CausalFS 2.0 found on the same file with the same settings."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest

from engine.boundaries.single import markov_boundary
from engine.dataset import Dataset
from engine.discovery.settings import DiscoverySettings

NAMES = {"hiton-mb": "hiton-mb", "semi-hiton-mb": "hiton-mb-semi"}


@pytest.mark.parametrize("theirs", NAMES)
def test_all_hundred_boundaries_are_the_same(shared_reference: Path, theirs: str) -> None:
    dataset = Dataset.from_frame(pandas.read_csv(shared_reference / "boundaries.csv", dtype=str))
    settings = DiscoverySettings(
        algorithm=NAMES[theirs], alpha=0.05, false_discovery="none", min_rows_per_dof=5
    )
    table = pandas.read_csv(shared_reference / "boundaries_causalfs.csv", keep_default_na=False)
    expected = table[table["algorithm"] == theirs].set_index("target")["boundary"].str.split().map(set)
    assert len(expected) == 100
    found = {target: set(markov_boundary(dataset, target, settings).members) for target in expected.index}
    assert found == expected.to_dict()
