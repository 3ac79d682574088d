"""A selection as files: read back by the program's own readers, and by a plain reading of the formats."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.reporting.selection_formats import TableLayout, export_selection, selection_formats
from engine.reporting.tables import split_names
from engine.selection.result import Selection
from engine.table.variable import Kind, Variable

LABELS = ("calm, quiet", "it's {sad}")


def raw_table() -> engine.Dataset:
    """A table with names that need quotes, numbers, categories and empty cells."""
    generator = np.random.default_rng(2)
    dose = np.where(generator.random(500) < 0.4, 0.0, generator.normal(size=500).round(3))
    site = np.where(generator.random(500) < 0.5, "no, none", "50 % 'left'")
    frame = pandas.DataFrame(
        {
            "dose {mg}": dose,
            "noise": generator.normal(size=500),
            "site\\side": site,
            LABELS[0]: ((dose > 0) ^ (generator.random(500) < 0.1)).astype(int),
            LABELS[1]: ((site == "no, none") & (dose > 0)).astype(int),
        }
    )
    frame.loc[3, "site\\side"] = None
    return engine.Dataset.from_frame(frame, labels=LABELS, name="mood: a table")


@pytest.fixture(scope="module")
def raw() -> engine.Dataset:
    return raw_table()


@pytest.fixture(scope="module")
def selection(raw: engine.Dataset) -> Selection:
    return engine.select_features(engine.prepare(raw), engine.DiscoverySettings(workers=1))


def assert_same_values(read: engine.Dataset, raw: engine.Dataset) -> None:
    """Every column holds what the raw one holds, whatever its codes."""
    for name in read.names:
        pandas.testing.assert_series_equal(
            read.frame[name].astype(object), raw.frame[name].astype(object), check_dtype=False
        )


@pytest.mark.parametrize("position", ["last", "first"])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_reduced_table_is_read_back(
    raw: engine.Dataset, selection: Selection, tmp_path: Path, position: str, sparse: bool
) -> None:
    layout = TableLayout(label_position=position, sparse_arff=sparse)
    export_selection(selection, tmp_path, source=raw, layout=layout)
    features = ("dose {mg}", "site\\side")
    assert set(selection.features) == set(features)
    expected = (*LABELS, *features) if position == "first" else (*features, *LABELS)
    sheet = pandas.read_excel(tmp_path / "selected_data.xlsx", sheet_name="Data", engine="calamine")
    assert tuple(sheet.columns) == expected
    assert_same_values(engine.Dataset.from_frame(sheet, labels=LABELS), raw)
    for name in ("selected_data.csv", "selected_data.arff"):
        read = engine.read_dataset(tmp_path / name, labels=tmp_path / "selected_data.xml")
        assert (read.names, read.labels) == (expected, LABELS)
        assert_same_values(read, raw)


@pytest.mark.parametrize(("position", "option"), [("last", "-C -2"), ("first", "-C 2")])
def test_the_header_says_where_the_labels_are(
    raw: engine.Dataset, selection: Selection, tmp_path: Path, position: str, option: str
) -> None:
    export_selection(selection, tmp_path, source=raw, layout=TableLayout(label_position=position))
    (tmp_path / "selected_data.xml").unlink()
    path = tmp_path / "selected_data.arff"
    assert path.read_text("utf-8").splitlines()[0] == f"@relation 'mood  a table: {option}'"
    assert engine.read_dataset(path).labels == LABELS


def test_sparse_rows_leave_out_zeros_and_first_categories(
    raw: engine.Dataset, selection: Selection, tmp_path: Path
) -> None:
    export_selection(selection, tmp_path, source=raw, layout=TableLayout(sparse_arff=True))
    lines = (tmp_path / "selected_data.arff").read_text("utf-8").split("@data\n")[1].splitlines()
    first_site = raw.variable("site\\side").levels[0]
    for row, line in enumerate(lines):
        cells = raw.frame.iloc[row]
        inside = line.removeprefix("{").removesuffix("}")
        assert inside.startswith("0 ") == (cells["dose {mg}"] != 0.0)
        has_site = "1 " in inside and (" 50" in inside or "no, none" in inside or "1 ?" in inside)
        assert has_site == (cells["site\\side"] != first_site)
    assert "1 ?" in lines[3]


def test_the_object_holds_every_reason(selection: Selection, tmp_path: Path) -> None:
    preparation = engine.PreparationSettings()
    export_selection(selection, tmp_path, preparation=preparation)
    value = json.loads((tmp_path / "selection.json").read_text("utf-8"))
    assert (value["format"], value["schema_version"]) == ("clcd-selection", 1)
    assert [feature["feature"] for feature in value["features"]] == list(selection.features)
    for feature in value["features"]:
        assert set(feature["labels"]) == selection.label_sets[feature["feature"]]
        assert [reason["label"] for reason in feature["reasons"]] == [
            reason.label for reason in selection.reasons[feature["feature"]]
        ]
    assert value["settings"]["preparation"] == preparation.as_dict()
    events = {
        variable["name"]: (variable["event"], variable["event_from"])
        for variable in value["data"]["variables"]
    }
    assert events == {
        variable.name: (variable.event, variable.event_from) for variable in selection.dataset.variables
    }
    assert any(event for event, _ in events.values())
    assert value["summary"]["selected"] == len(selection.features)
    assert {label["label"]: tuple(label["features"]) for label in value["labels"]} == {
        label: selection.features_of(label) for label in LABELS
    }


def test_the_table_of_features_names_labels_and_rules(selection: Selection, tmp_path: Path) -> None:
    export_selection(selection, tmp_path)
    table = pandas.read_csv(tmp_path / "selection.csv", keep_default_na=False)
    assert list(table["feature"]) == list(selection.features)
    for row in table.itertuples():
        labels = split_names(row.labels)
        assert labels == selection.labels_of(row.feature)
        assert len(split_names(row.rules)) == len(labels)
    reasons = pandas.read_csv(tmp_path / "selection_reasons.csv", keep_default_na=False)
    assert len(reasons) == sum(map(len, selection.reasons.values()))


def test_a_file_that_cannot_hold_the_table_is_left_out(raw: engine.Dataset) -> None:
    excel = selection_formats()["data-excel"]
    assert excel.holds(raw)
    variables = tuple(Variable(str(number), Kind.CONTINUOUS) for number in range(16_385))
    wide = engine.Dataset(variables, (np.zeros(2),) * len(variables))
    assert not excel.holds(wide)


def test_nothing_is_written_when_one_file_cannot_be(
    selection: Selection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr("engine.reporting.selection_formats.write_label_file", fail)
    with pytest.raises((OSError, engine.EngineError)):
        export_selection(selection, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_formats_can_be_chosen_one_by_one(selection: Selection, tmp_path: Path) -> None:
    paths = export_selection(selection, tmp_path, only=["data-labels", "data-arff"])
    assert [path.name for path in paths] == ["selected_data.arff", "selected_data.xml"]
    assert {path.name for path in tmp_path.iterdir()} == {"selected_data.arff", "selected_data.xml"}
    with pytest.raises(engine.InvalidParameter, match="'tables' is not an export format"):
        export_selection(selection, tmp_path, only=["tables"])
