"""What is interchangeable and what is not distinguishable, wherever a person may ask."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from clcd_gui.document.navigation import SelectedPair
from clcd_gui.evidence.answers import EvidenceText
from clcd_gui.plots.grid_data import describe, grid_data
from clcd_gui.widgets.finding_table_model import FINDING_ROLE, window_model
from clcd_gui.wording.text import NO_BREAK
from engine.discovery import tables
from engine.reporting.sentences.overview import Overview
from engine.wording.phrases import plain
from tests.gui.results_factory import SHAPES, make_result

RESULT = make_result()
FINDINGS = RESULT.findings


def test_the_result_has_both() -> None:
    assert RESULT.equivalence_records
    assert RESULT.undistinguished_records


def test_why_of_either_names_the_other(qapp: QApplication) -> None:
    text = EvidenceText(RESULT)
    for record in RESULT.equivalence_records:
        (inside,), (outside,) = record.in_boundary, record.equivalent
        for member, equivalent in ((inside, outside), (outside, inside)):
            answer = text.write(SelectedPair(member, record.target)).replace(NO_BREAK, " ")
            assert equivalent in answer.split("Interchangeable or not distinguishable")[1]
            assert "are interchangeable" in answer
            assert "misses at most 3.0 %" in answer
            assert "misses at most 6.0 %" in answer


def test_why_of_either_names_what_it_is_not_told_apart_from(qapp: QApplication) -> None:
    text = EvidenceText(RESULT)
    for record in RESULT.undistinguished_records:
        (inside,), (outside,) = record.in_boundary, record.equivalent
        for member, equivalent in ((inside, outside), (outside, inside)):
            about_label = text.write(SelectedPair(member, record.target))
            assert "not distinguishable with these data" in about_label
            assert equivalent in about_label
            alone = text.write(SelectedPair(member))
            assert "Not distinguishable with these data" in alone
            assert equivalent in alone
        assert "another variable carries the same information, as far as these rows show" in text.write(
            SelectedPair(outside, record.target)
        )


def test_a_variable_that_counts_for_nothing_still_names_what_it_resembles(qapp: QApplication) -> None:
    record = RESULT.undistinguished_records[0]
    unused = RESULT.dataset.features[-1]
    changed = replace(RESULT, undistinguished_records=(replace(record, equivalent=(unused,)),))
    answer = EvidenceText(changed).write(SelectedPair(unused))
    assert "is linked to none of the labels" in answer
    assert record.in_boundary[0] in answer


def test_an_empty_cell_of_the_grid_says_what_it_is_not_told_apart_from(qapp: QApplication) -> None:
    data = grid_data(FINDINGS)
    record = RESULT.undistinguished_records[0]
    row, column = data.row_of[record.equivalent[0]], data.column_of[record.target]
    words = describe(data, row, column)
    assert words.endswith(f"not distinguishable with these data from {record.in_boundary[0]}")
    empty = next(
        (place, label_place)
        for place in range(data.row_count)
        for label_place in range(data.column_count)
        if data.relation(place, label_place) is None
        and not FINDINGS.pairs_about(data.findings[place].feature, data.labels[label_place])
    )
    assert describe(data, *empty).endswith("not linked to this label")


def test_the_tables_have_a_column_for_each(qapp: QApplication) -> None:
    for model, rows in (
        (window_model(tables.COMMON), FINDINGS.common),
        (window_model(tables.LABEL_SPECIFIC), FINDINGS.label_specific),
    ):
        model.set_findings(rows)
        columns = [model.headerData(place, Qt.Orientation.Horizontal) for place in range(model.columnCount())]
        place = columns.index("Not distinguishable")
        shown = {}
        for row in range(model.rowCount()):
            finding = model.index(row, place).data(FINDING_ROLE)
            shown[finding.feature] = model.index(row, place).data()
        # What is folded under another row is not shown.
        names = {row.feature: ", ".join(row.not_told_apart) for row in rows}
        assert shown == {name: names[name] for name in shown} and any(shown.values())
        assert "Interchangeable" in columns
    assert any(finding.not_told_apart for finding in FINDINGS.all)


def test_the_overview_says_how_many(qapp: QApplication) -> None:
    summary = " ".join(plain(sentence) for sentence in Overview(RESULT).summary())
    assert f"{len(RESULT.equivalence_records)} pair" in summary
    assert f"{len(RESULT.undistinguished_records)} further pair" in summary
    summary = " ".join(plain(sentence) for sentence in Overview(SHAPES["no findings"]()).summary())
    assert "distinguishable" not in summary
