"""What the size of a table multiplies is done once, and no more of it than is needed: work is counted."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import numpy as np
import pytest

import engine
from engine.boundaries.discovery_settings import arranged
from engine.boundaries.neighbourhoods import Marginals, Neighbourhoods
from engine.discovery.label_outcome import announce_nothing, search_label
from engine.independence.data import TestData
from engine.table.dataset import Dataset

_ROWS = 100_000


def _arranged(codes: np.ndarray) -> TestData:
    levels = tuple(f"level {code}" for code in range(int(codes.max()) + 1))
    variables = [
        engine.Variable(f"V{place}", engine.Kind.NOMINAL, levels=levels) for place in range(len(codes))
    ]
    return arranged(Dataset(tuple(variables), tuple(codes), "table"), engine.DiscoverySettings())


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give the numbers of bytes that are hashed from now on."""
    lengths: list[int] = []
    blake2b = hashlib.blake2b

    def counted(content: memoryview, **options: Any) -> Any:
        lengths.append(content.nbytes)
        return blake2b(content, **options)

    monkeypatch.setattr(hashlib, "blake2b", counted)
    return lengths


def test_columns_that_differ_soon_are_not_read_to_their_end(hashed: list[int]) -> None:
    codes = np.random.default_rng(0).integers(0, 2, (30, _ROWS), dtype=np.int8)
    assert _arranged(codes).originals.tolist() == list(range(30))
    assert sum(hashed) < codes.nbytes / 20


def test_a_copy_is_one_in_all_rows() -> None:
    """Columns that first differ in any row, the last among them, are no copies; where none does, they are."""
    random = np.random.default_rng(1)
    column = (random.random(_ROWS) < 0.001).astype(np.int8)
    column[:5000] = 0
    codes = [column]
    for row in (0, 4095, 4096, 65_535, 65_536, _ROWS - 1):
        changed = column.copy()
        changed[row] ^= 1
        codes += [changed, column.copy(), changed.copy()]
    data = _arranged(np.array(codes))
    expected = [
        next(place for place in range(len(codes)) if (codes[place] == row_codes).all()) for row_codes in codes
    ]
    assert data.originals.tolist() == expected
    assert data.is_original.tolist() == [place == first for place, first in enumerate(expected)]


@pytest.mark.parametrize("levels", [2, 3, 40])
def test_a_copy_whose_levels_have_other_codes_is_one(levels: int) -> None:
    random = np.random.default_rng(2)
    column = random.integers(0, levels, _ROWS).astype(np.int8)
    renamed = random.permutation(levels).astype(np.int8)[column]
    changed = renamed.copy()
    changed[-1] = (changed[-1] + 1) % levels
    assert _arranged(np.array([column, renamed, changed, column])).originals.tolist() == [0, 0, 2, 0]


def test_a_label_needs_each_screen_once_even_where_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a table of a hundred thousand variables two screens are kept; here, of a small one, likewise."""
    network = engine.simulate(labels=4, features=40, rows=2000, seed=0)
    settings = engine.DiscoverySettings()
    data = arranged(network.dataset, settings)
    screened: Counter[int] = Counter()
    ask_marginal = TestData.ask_marginal

    def counted(self: TestData, target: int, others: np.ndarray, stop: np.ndarray) -> Any:
        screened[target] += 1
        return ask_marginal(self, target, others, stop)

    monkeypatch.setattr(TestData, "ask_marginal", counted)
    labels = [data.positions[label] for label in network.dataset.labels]
    for label in labels:
        two_screens = Marginals(most_bytes=2 * 16 * len(data.names))
        search = Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8), two_screens)
        screened.clear()
        outcome = search_label(search, labels, announce_nothing, label)
        assert len(screened) > 2
        assert set(screened.values()) == {1}
        through = {link.pair[0] for link in outcome.through_labels}
        assert (
            set(outcome.report.log_q_values)
            == {evidence.feature for evidence in outcome.report.evidence} | through
        )
