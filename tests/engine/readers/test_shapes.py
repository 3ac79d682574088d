"""Tables with another shape than one row a case are recognised, and read as they were meant by one step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from clcd_gui.document.doubts import doubts_of
from engine.errors import EngineError, InvalidData
from engine.readers import Reading, read_table
from engine.readers.options import ReadingOptions
from engine.readers.shapes import visits_of
from engine.table.variable import Kind
from tests.engine.readers.misshapen_tables import (
    Misshapen,
    code_books,
    genes_in_rows,
    lists_of_measurements,
    nameless_features,
    visits_below,
    wide_visits,
)
from tests.engine.readers.written_tables import values_of
from tests.examples import fifty


@pytest.mark.parametrize(
    "maker",
    [genes_in_rows, nameless_features, wide_visits, visits_below, lists_of_measurements, code_books],
)
def test_other_shapes_are_offered_in_fifty_tables(
    maker: Callable[[np.random.Generator, Path], Misshapen], tmp_path: Path
) -> None:
    wrong = []
    for seed in fifty():
        folder = tmp_path / str(seed)
        folder.mkdir()
        case = maker(np.random.default_rng(seed), folder)
        changes = [
            change for doubt in doubts_of(read_table(case.path), ReadingOptions()) for change in doubt.changes
        ]
        offered = {change.name: change.value for change in changes}
        is_offered = offered.items() >= case.option.items()
        if not is_offered or not _is_right(
            read_table(case.path, options=ReadingOptions(**case.option)), case
        ):
            wrong.append(f"{seed}: {case.what}, {is_offered}, {case.path}")
    assert len(wrong) <= 0.04 * len(fifty()), wrong


def _is_right(reading: Reading, case: Misshapen) -> bool:
    return reading.dataset.names == case.names and all(
        _values(reading, name) == case.columns[name] for name in case.names
    )


def _values(reading: Reading, name: str) -> list[object]:
    variable, column = reading.dataset.variable(name), reading.dataset.column(name)
    if variable.kind is Kind.CONTINUOUS:
        return [None if value != value else value for value in column.tolist()]
    return [variable.levels[code] if code >= 0 else None for code in column]


@pytest.mark.parametrize(
    "names",
    [
        ["systolic_1", "diastolic_1", "systolic_2", "diastolic_2"],
        [f"{scale}_{item}" for scale in ("warmth", "order", "calm") for item in range(1, 9)],
        [f"q{question}_{item}" for item in range(1, 5) for question in range(1, 4)],
        [f"{axis}_{point}" for point in range(1, 7) for axis in "xyz"],
        ["start_date", "end_date", "start_hour", "end_hour"],
        ["age", "bge", "sex", "tex", "bat", "cat", "mat"],
        ["abdi", "aanx", "cbdi", "canx", "dbdi", "danx"],
        ["q1mood", "q1calm", "q2mood", "q2calm"],
        ["abdi", "aanx", "banx", "bbdi", "cbdi", "canx"],
        ["vitamin_b1", "vitamin_b6", "folate_b9", "weight_pre", "born_1990", "moved_2004"],
    ],
)
def test_readings_and_items_are_no_visits(names: list[str]) -> None:
    assert visits_of(names) is None


@pytest.mark.parametrize(
    ("names", "stems", "times"),
    [
        (["pid", "abdi", "aanx", "bbdi", "banx", "cbdi", "canx"], ("bdi", "anx"), ("a", "b", "c")),
        (["age", "abdi", "bbdi", "cbdi"], ("bdi",), ("a", "b", "c")),
        (["a_sleep", "b_sleep", "a_mood", "b_mood"], ("sleep", "mood"), ("a", "b")),
        (["r1shlt", "r1cesd", "r2shlt", "r2cesd"], ("shlt", "cesd"), ("r1", "r2")),
    ],
)
def test_waves_of_panels_stand_before_what_is_measured(
    names: list[str], stems: tuple[str, ...], times: tuple[str, ...]
) -> None:
    visits = visits_of(names)
    assert visits is not None
    assert (visits.stems, visits.times) == (stems, times)


def test_a_visit_of_one_thing_alone_is_left_where_it_stands() -> None:
    names = ["pain_t1", "crp_t1", "pain_t2", "crp_t2", "dose_t1", "x_t7", "x_t8", "x_t9", "Age_2019"]
    visits = visits_of(names)
    assert visits is not None
    assert (visits.stems, visits.times) == (("pain", "crp"), ("t1", "t2"))


def test_visits_are_ordered_by_lengths_of_time() -> None:
    times = ["1y", "baseline", "2w", "10d", "6mo", "follow_up"]
    visits = visits_of([f"{stem}_{time}" for time in times for stem in ("pain", "crp")])
    assert visits is not None
    assert visits.times == ("baseline", "10d", "2w", "6mo", "1y", "follow_up")


def _wide(path: Path, text: str) -> Reading:
    path.write_text(text, encoding="utf-8")
    return read_table(path, options=ReadingOptions(shape="wide"))


def test_named_visits_keep_the_order_of_the_table(tmp_path: Path) -> None:
    rows = [
        f"P{case},{visit},{case + len(visit)}.5" for case in range(30) for visit in ("screening", "Baseline")
    ]
    reading = _wide(tmp_path / "t.csv", "\n".join(["patient_id,visit,pain", *rows]))
    assert reading.dataset.names == ("patient_id", "pain_screening", "pain_Baseline")


def test_columns_are_counted_where_not_all_repetitions_have_values(tmp_path: Path) -> None:
    rows = [
        f"P{case},{visit},{case},{case * visit + 0.5},{'' if visit == 1 else case - visit / 2}"
        for case in range(30)
        for visit in (1, 2, 3)
    ]
    reading = _wide(tmp_path / "t.csv", "\n".join(["patient_id,visit,age,pain,crp", *rows]))
    assert len(reading.dataset.names) == 2 + 5
    said = reading.dataset.notes[-1].message
    assert said.endswith("'pain' and 'crp' become 5 columns, one for each repetition that has values.")


def test_cases_without_identifier_are_named_as_the_reason(tmp_path: Path) -> None:
    rows = [f"{'' if case == 4 else f'P{case}'},{visit},{case}.5" for case in range(30) for visit in (1, 2)]
    with pytest.raises(InvalidData, match="'patient_id' has no value in 2 rows"):
        _wide(tmp_path / "t.csv", "\n".join(["patient_id,visit,pain", *rows]))


def test_it_is_told_that_rows_without_a_visit_are_counted_in_their_order(tmp_path: Path) -> None:
    rows = [f"P{case},{case * 2 + place}.5" for case in range(30) for place in (0, 1)]
    reading = _wide(tmp_path / "t.csv", "\n".join(["patient_id,pain", *rows]))
    assert reading.dataset.names == ("patient_id", "pain_visit1", "pain_visit2")
    assert reading.dataset.notes[-1].message.endswith("they are counted in the order of the table.")


def test_labels_that_do_not_fit_genes_in_rows_are_told_the_shape(tmp_path: Path) -> None:
    samples = [f"GSM{number}" for number in range(10, 34)]
    genes = [f"{gene}," + ",".join(["1.5", "2.5"] * 12) for gene in ("TP53", "KRAS", "MYC", "ALK", "MET")]
    data, labels = tmp_path / "genes.csv", tmp_path / "labels.csv"
    data.write_text("\n".join([f"gene,{','.join(samples)}", *genes]))
    labels.write_text("sample,ill\n" + "".join(f"{name},{name[-1]}\n" for name in samples[::-1]))
    for given in (labels, ["ill"]):
        with pytest.raises(EngineError) as caught:
            read_table(data, labels=given)
        assert "turn rows and columns" in str(caught.value)
    reading = read_table(data, labels=labels, options=ReadingOptions(shape="turned"))
    assert reading.dataset.row_count == len(samples) and "ill" in reading.dataset.names


def test_a_row_of_groups_above_genes_stays_when_the_table_is_turned(tmp_path: Path) -> None:
    """It has text above numbers, as a second row of names has."""
    groups = ["tumour", "normal", "normal", "tumour", "normal", "tumour", "tumour", "normal"]
    lines = [["gene", *(f"S{place}" for place in range(8))], ["group", *groups]]
    lines += [[name, *(f"{at * 8 + place}.25" for place in range(8))] for at, name in enumerate("ABCDEF")]
    (tmp_path / "genes.csv").write_text("\n".join(map(",".join, lines)) + "\n")
    turned = read_table(tmp_path / "genes.csv", options=ReadingOptions(shape="turned"))
    assert list(values_of(turned, "group")) == groups
