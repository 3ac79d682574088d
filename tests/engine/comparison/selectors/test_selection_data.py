"""Public data sets in files and folders become numbers and truth values; what cannot be used is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

from engine.comparison.selectors.data_sets import LabelledTable, read_labelled_tables
from engine.errors import InvalidData, UnreadableFile
from engine.table.dataset import Dataset

# Rows, features, labels and mean labels a row, as the catalogue of the data sets gives them.
KNOWN = {
    "emotions": (593, 72, 6, 1.868),
    "birds": (645, 260, 19, 1.014),
    "flags": (194, 19, 7, 3.392),
    "mediamill": (2000, 120, 101, (1500 * 4.437 + 500 * 4.264) / 2000),
}


@pytest.mark.parametrize("name", list(KNOWN))
def test_public_data_sets_have_their_known_sizes(name: str, shared_data: Path) -> None:
    (table,) = read_labelled_tables(shared_data / name)
    rows, features, labels, cardinality = KNOWN[name]
    assert table.name == name
    assert table.values.shape == (rows, features)
    assert table.labels.shape == (rows, labels)
    assert table.labels.sum(axis=1).mean() == pytest.approx(cardinality, abs=1e-3)


def test_a_folder_of_folders_gives_them_all(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        names = "".join(f'<label name="{label}"/>' for label in "pq")
        folder.joinpath(f"{name}.xml").write_text(
            f'<labels xmlns="http://mulan.sourceforge.net/labels">{names}</labels>', "utf-8"
        )
        head = "@relation r\n@attribute a numeric\n@attribute p {0,1}\n@attribute q {0,1}\n@data\n"
        folder.joinpath(f"{name}-train.arff").write_text(head + "1.5,0,1\n2.5,1,0\n3.5,0,0\n", "utf-8")
        folder.joinpath(f"{name}-test.arff").write_text(head + "7,0,1\n9,1,1\n", "utf-8")
    tables = read_labelled_tables(tmp_path)
    assert [table.name for table in tables] == ["one", "two"]
    # The second part alone has two values and is read as categories; together they are numbers.
    assert tables[0].values.ravel().tolist() == [1.5, 2.5, 3.5, 7, 9]
    assert tables[0].labels.tolist() == [[0, 1], [1, 0], [0, 0], [0, 1], [1, 1]]


def test_categories_become_indicators_for_the_classifier() -> None:
    frame = pandas.DataFrame(
        {"shape": list("abca"), "x": [1.0, 2.0, 3.0, 4.0], "p": [0, 1, 0, 1], "q": [1, 1, 0, 1]}
    )
    table = LabelledTable(Dataset.from_frame(frame, labels=["p", "q"]))
    np.testing.assert_array_equal(table.design([0]), [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert table.design([1, 0]).shape == (4, 4) and table.design([]).shape == (4, 0)


def test_tables_without_use_are_refused(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"x": [1.0, None, 3.0], "p": [0, 1, 0], "q": list("abc")})
    with pytest.raises(InvalidData, match="at least two"):
        LabelledTable(Dataset.from_frame(frame, labels=["p"]))
    with pytest.raises(InvalidData, match="missing values"):
        LabelledTable(Dataset.from_frame(frame, labels=["p", "q"]))
    with pytest.raises(InvalidData, match="more than two values"):
        LabelledTable(Dataset.from_frame(frame.fillna(0.0), labels=["p", "q"]))
    with pytest.raises(UnreadableFile, match="no data set"):
        read_labelled_tables(tmp_path)
