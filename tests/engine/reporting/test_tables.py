"""CSV, Excel and ARFF tables are what other programs read, with exact names and numbers."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import openpyxl
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.discovery.evidence import Verdict
from engine.discovery.result import DiscoveryResult
from engine.errors import InvalidData
from engine.preparation.preparation_settings import PreparationSettings
from engine.reporting.data_files import write_csv
from engine.reporting.export_formats import export_file, export_formats
from engine.reporting.table_files import MOST_COLUMNS, write_rows, write_workbook
from engine.reporting.tables import ExportOptions, TableOrigin, split_names, unguarded
from engine.table.variable import Kind
from engine.wording.phrases import visible


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def test_common_variables(hand_made: ModuleType, tmp_path: Path) -> None:
    path = export_file(hand_made.make_result(), tmp_path / "common.csv", "common")
    (row,) = rows_of(path)
    assert row["feature"] == f"'{hand_made.FORMULA}"
    assert split_names(row["feature"]) == (hand_made.FORMULA,)
    as_it_is = ExportOptions(guard_formulas=False)
    path = export_file(hand_made.make_result(), path, "common", options=as_it_is)
    assert rows_of(path)[0]["feature"] == hand_made.FORMULA
    assert split_names(row["labels"]) == (hand_made.HAPPY, hand_made.CALM)
    assert split_names(row["rules"]) == ("neighbour", "spouse")
    assert split_names(row["through"]) == (hand_made.CHILD, hand_made.TAB)
    assert row["label_count"] == "2"
    assert float(row["strength"]) == 0.4


def test_label_specific_variables(hand_made: ModuleType, tmp_path: Path) -> None:
    path = export_file(hand_made.make_result(), tmp_path / "specific.csv", "label-specific")
    rows = {row["feature"]: row for row in rows_of(path)}
    assert list(rows) == [hand_made.TAB, hand_made.COPY, hand_made.UNICODE]
    assert split_names(rows[hand_made.COPY]["interchangeable_with"]) == (hand_made.TAB,)
    assert rows[hand_made.UNICODE]["strength"] == repr(0.1 + 0.2)
    assert rows[hand_made.COPY]["p_value"] == "5.07596e-435"
    assert float(rows[hand_made.COPY]["log_p"]) == -1000.0


def test_equivalences_keep_the_logarithm_beside_p(hand_made: ModuleType, tmp_path: Path) -> None:
    path = export_file(hand_made.make_result(), tmp_path / "equivalences.csv", "equivalences")
    row, _open_question = rows_of(path)
    assert row["target"] == hand_made.HAPPY
    assert split_names(row["in_boundary"]) == (hand_made.TAB,)
    tests = [name.removeprefix("p_") for name in row if name.startswith("p_")]
    assert len(tests) == 4
    assert not any(float(row[f"p_{name}"]) == 0 and row[f"p_{name}"].startswith("0") for name in tests)
    assert float(row["log_p_target_in_boundary"]) == -900.0


def test_numbers_are_exact(discovered: DiscoveryResult, tmp_path: Path) -> None:
    rows = rows_of(export_file(discovered, tmp_path / "evidence.csv", "evidence"))
    reasons = [reason for of_pair in discovered.evidence.values() for reason in of_pair]
    assert [float(row["strength"]) for row in rows] == [reason.strength for reason in reasons]
    assert [float(row["log_p"]) for row in rows] == [reason.deciding.log_p for reason in reasons]
    assert [row["feature"] for row in rows] == [reason.feature for reason in reasons]


def test_every_table_agrees_with_the_result(discovered: DiscoveryResult, tmp_path: Path) -> None:
    lengths = {
        "common": len(discovered.common),
        "label-specific": len(discovered.label_specific),
        # What the rows do not tell apart stands in the same table, under its own verdict.
        "equivalences": len(discovered.equivalences) + len(discovered.undistinguished),
        "label-relations": len(discovered.label_relations),
        "features": len(discovered.label_sets),
    }
    assert min(lengths.values()) > 0, "the example is to have findings of every kind"
    for name, length in lengths.items():
        assert len(rows_of(export_file(discovered, tmp_path / f"{name}.csv", name))) == length
    verdicts = Counter(row["verdict"] for row in rows_of(tmp_path / "equivalences.csv"))
    assert verdicts[Verdict.INTERCHANGEABLE] == len(discovered.equivalences)


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=("Cs",))), min_size=2, max_size=2)))
def test_any_text_survives_csv(tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]) -> None:
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    write_rows(path, ["x", "y"], rows)
    with path.open(encoding="utf-8", newline="") as file:
        read = list(csv.reader(file, strict=True))
    assert [[unguarded(cell) for cell in row] for row in read] == [["x", "y"], *rows]
    computed = [cell for row in read for cell in row if re.match(r"[=@\t\r].|[+-][^0-9.]", cell, re.DOTALL)]
    assert computed == []


@pytest.mark.parametrize("name", sorted(export_formats()))
def test_a_result_without_findings_is_written_too(name: str, hand_made: ModuleType, tmp_path: Path) -> None:
    chosen = export_formats()[name]
    path = tmp_path / f"empty{chosen.extension}"
    origin = TableOrigin("table.csv")
    export_file(hand_made.empty_result(), path, name, preparation=PreparationSettings(), origin=origin)
    assert path.stat().st_size > 0


def test_how_often_found_again_is_in_the_tables(
    discovered: DiscoveryResult, repeated: DiscoveryResult, tmp_path: Path
) -> None:
    assert "found_again" not in rows_of(export_file(discovered, tmp_path / "common.csv", "common"))[0]
    for name, frame in (("common", repeated.common), ("label-specific", repeated.label_specific)):
        rows = rows_of(export_file(repeated, tmp_path / f"{name}.csv", name))
        assert [float(row["found_again"]) for row in rows] == frame["found_again"].tolist()
    rows = rows_of(export_file(repeated, tmp_path / "stability.csv", "stability"))
    assert [row["feature"] for row in rows] == repeated.found_again["feature"].tolist()
    assert [int(row["times"]) for row in rows] == repeated.found_again["times"].tolist()
    assert [row["in_result"] for row in rows if row["in_result"] == "true"] == ["true"] * len(
        discovered.evidence
    )
    relations = rows_of(export_file(repeated, tmp_path / "relations.csv", "label-relations"))
    for row in relations:
        times = repeated.stability.times_related(row["related_label"], row["label"])
        assert float(row["found_again"]) == times / 2
    workbook = openpyxl.load_workbook(export_file(repeated, tmp_path / "tables.xlsx", "tables"))
    assert workbook.sheetnames[-1] == "Found again"
    assert workbook["Found again"].max_row == len(repeated.found_again) + 1


def test_a_folder_has_repetitions_only_where_there_are_some(
    discovered: DiscoveryResult, repeated: DiscoveryResult, tmp_path: Path
) -> None:
    without = engine.export(discovered, tmp_path / "without")
    with_them = engine.export(repeated, tmp_path / "with")
    assert {path.name for path in with_them} - {path.name for path in without} == {"stability.csv"}


def test_no_cell_of_a_workbook_is_a_formula(hand_made: ModuleType, tmp_path: Path) -> None:
    path = export_file(hand_made.make_result(), tmp_path / "tables.xlsx", "tables")
    workbook = openpyxl.load_workbook(path)
    assert workbook.sheetnames == [
        "About",
        "Common",
        "Label-specific",
        "Interchangeable",
        "Label relations",
        "Directions",
        "Evidence",
        "All linked variables",
        "Links",
    ]
    cells = [cell for sheet in workbook for row in sheet.iter_rows() for cell in row]
    assert "f" not in {cell.data_type for cell in cells}
    risky = [cell for cell in cells if isinstance(cell.value, str) and cell.value[:1] in tuple("=+-@")]
    assert {cell.value for cell in risky} >= {hand_made.FORMULA}
    assert all(cell.quotePrefix for cell in risky)


def test_a_workbook_holds_numbers_as_numbers(discovered: DiscoveryResult, tmp_path: Path) -> None:
    path = export_file(discovered, tmp_path / "tables.xlsx", "tables")
    frame = pandas.read_excel(path, sheet_name="Label-specific", engine="calamine")
    assert frame["strength"].tolist() == pytest.approx(
        discovered.label_specific["strength"].tolist(), rel=1e-15
    )
    assert frame["feature"].tolist() == discovered.label_specific["feature"].tolist()


def test_a_table_too_large_for_excel_is_refused(tmp_path: Path) -> None:
    rows = [[str(place) for place in range(MOST_COLUMNS + 1)]]
    with pytest.raises(InvalidData, match=r"more than Excel holds .* Export it as CSV"):
        write_workbook([("Data", rows)], tmp_path / "a.xlsx")


def test_selected_data_are_those_of_the_table_that_was_read(hand_made: ModuleType, tmp_path: Path) -> None:
    result = hand_made.make_result()
    source = result.dataset.select_rows(range(10))
    to_the_letter = ExportOptions(guard_formulas=False)
    path = export_file(result, tmp_path / "data.csv", "data", source=source, options=to_the_letter)
    rows = rows_of(path)
    assert list(rows[0]) == [*result.label_sets, *result.dataset.labels]
    assert hand_made.UNUSED not in rows[0]
    assert len(rows) == 10
    assert [float(row[hand_made.UNICODE]) for row in rows] == source.column(hand_made.UNICODE).tolist()
    assert [row[hand_made.FORMULA] for row in rows][3] == ""


@pytest.mark.parametrize("ending", ["csv", "arff", "xlsx"])
def test_selected_data_come_back(ending: str, hand_made: ModuleType, tmp_path: Path) -> None:
    result = hand_made.make_result()
    name = {"csv": "data", "arff": "data-arff", "xlsx": "data-excel"}[ending]
    path = export_file(result, tmp_path / f"data.{ending}", name, options=ExportOptions(guard_formulas=False))
    names = [*result.label_sets, *result.dataset.labels]
    if ending == "xlsx":
        frame = pandas.read_excel(path, engine="calamine")
        assert list(frame.columns) == [visible(name) for name in names]
        numbers = result.dataset.column(hand_made.UNICODE).tolist()
        assert frame[hand_made.UNICODE].tolist() == pytest.approx(numbers, rel=1e-15)
        return
    labels = None if ending == "arff" else list(hand_made.LABELS)
    back = engine.read_dataset(path, labels=labels)
    assert back.labels == hand_made.LABELS
    assert [name.strip() for name in back.names] == [name.strip() for name in names]
    for variable in back.variables:
        original = next(one for one in result.dataset.variables if one.name.strip() == variable.name.strip())
        assert variable.kind is original.kind
        if variable.kind is Kind.NOMINAL and ending == "arff":
            assert variable.levels == original.levels
            assert back.column(variable.name).tolist() == result.dataset.column(original.name).tolist()


def test_whole_numbers_are_written_without_a_decimal_point(tmp_path: Path) -> None:
    frame = pandas.DataFrame(
        {"count": [1.0, None, 30.0, 4.0], "dose": [0.5, 1.0, 2.0, 3.0], "ill": list("abab")}
    )
    dataset = engine.Dataset.from_frame(frame, labels=["ill"])
    write_csv(dataset, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "count,dose,ill\n1,0.5,a\n,1.0,b\n30,2.0,a\n4,3.0,b\n"


def test_a_spreadsheet_computes_no_cell_and_numbers_stay_numbers(tmp_path: Path) -> None:
    texts = ["=1+1", "+1 hour", "-never", "@SUM(A1)", "\t=1", "-", "+", "a=b", "'=1+1"]
    frame = pandas.DataFrame(
        {"=name": texts, "+5": [-0.5, 1e-12, -3, 4, 5, 6, 7, 8, 9], "ill": list("abababaab")}
    )
    write_csv(engine.Dataset.from_frame(frame, labels=["ill"]), tmp_path / "a.csv")
    back = pandas.read_csv(tmp_path / "a.csv", keep_default_na=False)
    assert list(back.columns) == ["'=name", "+5", "ill"]
    assert back["+5"].tolist() == frame["+5"].tolist()
    computed = [cell for cell in back["'=name"] if len(cell) > 1 and cell[0] in "=+-@\t"]
    assert computed == []
    # Nothing is lost: each apostrophe that was put before a text can be taken away again.
    assert [unguarded(cell) for cell in back["'=name"]] == texts
