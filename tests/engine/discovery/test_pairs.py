"""Pairs of names stay apart whatever the names hold, in a result, its tables and its file."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.evidence import evidence_key, pair_of
from engine.discovery.result import DiscoveryResult
from engine.reporting.export_formats import export_file
from engine.reporting.result_file import read_result
from tests.examples import first_of

# Joined by an arrow, both pairs read "a → b → c".
PAIRS = {("a → b", "c"), ("a", "b → c")}


@pytest.fixture(scope="module")
def result() -> DiscoveryResult:
    generator = np.random.default_rng(5)
    columns = {}
    for feature, label in sorted(PAIRS):
        columns[feature] = generator.integers(0, 2, 400)
        columns[label] = np.where(generator.random(400) < 0.1, 1 - columns[feature], columns[feature])
    frame = pandas.DataFrame({name: np.array(["no", "yes"])[column] for name, column in columns.items()})
    dataset = engine.Dataset.from_frame(frame, labels=["c", "b → c"])
    discovered = engine.discover(dataset)
    return discovered.with_stability(engine.stability(dataset, resamples=2))


def test_no_finding_vanishes(result: DiscoveryResult) -> None:
    assert set(result.evidence) == PAIRS
    assert set(result.orientation_records) == PAIRS
    assert result.label_sets == {feature: frozenset((label,)) for feature, label in PAIRS}


def test_every_table_has_both(result: DiscoveryResult) -> None:
    assert result.stability is not None
    tables = (result.label_specific, result.found_again, result.orientations, result.stability.table)
    for table in tables:
        assert set(table[["feature", "label"]].itertuples(index=False, name=None)) == PAIRS
    for table in tables:
        if "evidence" in table:
            assert table["evidence"].is_unique
            assert [result.evidence[key][0].pair for key in table["evidence"]] == [
                (row.feature, row.label) for row in table.itertuples()
            ]


def test_files_keep_both(result: DiscoveryResult, tmp_path: Path) -> None:
    read = read_result(export_file(result, tmp_path / "result.json", "result"), result.dataset)
    assert read.evidence == result.evidence
    assert read.orientation_records == result.orientation_records
    assert read.stability == result.stability
    written = pandas.read_csv(export_file(result, tmp_path / "specific.csv", "label-specific"))
    assert set(written.iloc[:, :2].itertuples(index=False, name=None)) == PAIRS


def test_ordinary_keys_are_as_they_were() -> None:
    assert evidence_key(r"C:\sleep (h)", "pain -> arm") == r"C:\sleep (h) → pain -> arm"


def test_every_pair_has_a_key_of_its_own() -> None:
    parts = ("a", "→", " ", "\\")
    names = [
        "".join(chosen)
        for size in first_of((1, 2, 3, 4), 3)
        for chosen in itertools.product(parts, repeat=size)
    ]
    pairs = list(itertools.product(names, repeat=2))
    assert [pair_of(evidence_key(*pair)) for pair in pairs] == pairs


def test_what_is_no_key_finds_nothing(result: DiscoveryResult) -> None:
    for key in ("a", "a → b → c", "", "a → c"):
        assert key not in result.evidence
