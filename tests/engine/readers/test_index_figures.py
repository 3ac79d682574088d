"""Every public file reads with the figures that the index beside the data gives."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.readers import find_label_file, read_table

_INDEX = Path(__file__).resolve().parents[4] / "shared" / "data" / "INDEX.csv"

# Figures that differ from the index, and why the reader is right.
_FIGURES_EXPLAINED = {
    # The index counted the cells of the first line, which is a remark.
    "messy/3_extra_rows_at_start.csv": (2, 3),
    # 813 lines: 54 of remarks, 3 of header, then 63 years of 12 months.
    "messy/co2_mlo_preamble_-99.99.csv": (63 * 12, 10),
    # The index leaves out the running number in the first column.
    "TIED/tied_markov_boundaries.tsv": (72, 6),
    # Digits without any separator: an adjacency matrix, not a table.
    "boundary-samples/causalfs_gaussian300_graph.txt": (300, 1),
}
_TABLES = (".csv", ".tsv", ".txt", ".data")
_NO_TABLES = {"enron/categories.txt", "flags/README.txt"}


def _index() -> list[dict[str, str]]:
    if not _INDEX.is_file():
        return []
    with _INDEX.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _named(*extensions: str) -> list[dict[str, str]]:
    return [row for row in _index() if row["file"].removesuffix(".gz").endswith(extensions)]


def _cardinality(dataset: engine.Dataset) -> float:
    """Mean number of labels a row whose value is "1", as the index counts them."""
    counts = np.zeros(dataset.row_count)
    for label in dataset.labels:
        levels = dataset.variable(label).levels
        if "1" in levels:
            counts += dataset.column(label) == levels.index("1")
    return float(counts.mean())


@pytest.mark.parametrize("row", _named(".arff"), ids=lambda row: row["file"])
def test_arff(row: dict[str, str], shared_data: Path) -> None:
    path = shared_data / row["file"]
    dataset = engine.read_dataset(path, labels=find_label_file(path))
    assert dataset.row_count == int(row["rows"])
    assert len(dataset.features) == int(row["features"])
    assert len(dataset.labels) == int(row["labels"] or 0)
    if row["cardinality"]:
        assert f"{_cardinality(dataset):.3f}" == row["cardinality"]


@pytest.mark.parametrize(
    "row",
    [row for row in _named(*_TABLES) if row["file"] not in _NO_TABLES],
    ids=lambda row: row["file"],
)
def test_text_table(row: dict[str, str], shared_data: Path) -> None:
    expected = _FIGURES_EXPLAINED.get(row["file"], (int(row["rows"]), int(row["features"])))
    dataset = read_table(shared_data / row["file"]).dataset
    assert (dataset.row_count, len(dataset.features)) == expected


@pytest.mark.parametrize("row", _named(".xml"), ids=lambda row: row["file"])
def test_label_file(row: dict[str, str], shared_data: Path) -> None:
    from engine.readers.labels import read_mulan_labels
    from engine.readers.source import Source

    assert len(read_mulan_labels(Source(shared_data / row["file"]))) == int(row["labels"])
