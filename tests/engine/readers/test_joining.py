"""Labels of a second table go to the rows whose identifier they have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.errors import InvalidData, InvalidParameter
from engine.readers import read_preview, read_table
from engine.readers.options import ReadingOptions
from engine.readers.reading import SAME_CASES
from engine.table.identifiers import JOINED
from engine.table.numbered_within import grouped_by_identifier
from tests.engine.readers import joinable_tables as tables
from tests.engine.readers.written_tables import sheets_of_the_same_cases

_NAMES = (
    "patient_id",
    "MRN",
    "SUBJID",
    "caseid",
    "IDNO",
    "PatNr",
    "Participant",
    "Fallnummer",
    "numéro_dossier",
    "id_paciente",
    "codice_paziente",
    "nr_pacjenta",
    "受试者编号",
    "患者番号",
    "sample",
)
_SEPARATORS = (",", ";", "\t")
_ROWS = 80


def _identifiers(generator: np.random.Generator, form: int) -> list[str]:
    """Draw identifiers of one form: texts, with leading zeros, of many digits, with letters, in sequence."""
    numbers = generator.choice(np.arange(10_000, 99_999), _ROWS, replace=False)
    return [
        (
            f"S{place:03d}",
            f"{place + 1:05d}",
            str(numbers[place]),
            f"{'ABCDEF'[place % 6]}-{numbers[place]}",
            str(place + 1),
        )[form]
        for place in range(_ROWS)
    ]


def _variant(seed: int, folder: Path) -> tuple[Path, Path, dict[str, int], Sequence[str], str]:
    """Write a table and one of labels in another order; return which outcome each identifier has."""
    generator = np.random.default_rng(seed)
    identifiers = _identifiers(generator, seed % 5)
    name = _NAMES[seed % len(_NAMES)]
    other_name = (name, name.upper(), "key", "ID")[seed // 5 % 4]
    separator = _SEPARATORS[seed % 3]
    outcome = generator.integers(0, 2, _ROWS)
    data = pandas.DataFrame({"age": generator.integers(20, 80, _ROWS), "dose": generator.normal(size=_ROWS)})
    data.insert(0 if seed % 5 == 4 else seed % 3, name, identifiers)
    labels = pandas.DataFrame({other_name: identifiers, "ill": outcome, "cough": 1 - outcome})
    if seed % 4 == 1:
        labels = labels[["ill", other_name, "cough"]] if seed % 5 != 4 else labels
    labels = labels.sample(frac=1.0 if seed % 2 else 0.9, random_state=seed)
    paths = folder / f"data{seed}.csv", folder / f"labels{seed}.csv"
    data.to_csv(paths[0], sep=separator, index=False)
    labels.to_csv(paths[1], sep=_SEPARATORS[seed // 3 % 3], index=False)
    return *paths, dict(zip(identifiers, outcome.tolist(), strict=True)), list(labels[other_name]), name


def test_labels_in_another_order_are_joined_by_the_identifier(tmp_path: Path) -> None:
    right = 0
    for seed in range(50):
        data, labels, outcomes, present, name = _variant(seed, tmp_path)
        reading = read_table(data, labels)
        wanted = {_plain(identifier): outcomes[identifier] for identifier in present}
        frame = reading.dataset.frame
        outcomes_by_name = dict(zip(map(_plain, frame[name]), frame["ill"].astype(int), strict=True))
        right += outcomes_by_name == wanted and reading.dataset.labels == ("ill", "cough")
    assert right == 50


def _plain(identifier: object) -> str:
    """Write an identifier that was read as a number or a text in one way."""
    return str(identifier).removesuffix(".0").lstrip("0")


def _write(folder: Path, data: str, labels: str) -> tuple[Path, Path]:
    paths = folder / "data.csv", folder / "labels.csv"
    for path, text in zip(paths, (data, labels), strict=True):
        path.write_text(text, "utf-8")
    return paths


def _table(names: str, rows: Sequence[Sequence[object]]) -> str:
    return names + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


# Two writings of an identifier, of which one is in the data and one in the labels.
_WRITINGS = (
    (lambda number: f"MX{number:05d}", lambda number: f"mx{number:05d}"),
    (lambda number: f"{number:07d}", lambda number: str(number)),
    (lambda number: f"K-{number:05d}", lambda number: f"K{number:05d}"),
    (lambda number: f"{number:06x}", lambda number: f"{number:06X}"),
    (lambda number: f"S{number:06d}", lambda number: f"S{number}"),
    (lambda number: f"Ä{number} b", lambda number: f"ä {number}B "),
    (lambda number: f"{number // 100}/{number % 100:02d}", lambda number: f"{number // 100}-{number % 100}"),
    (lambda number: f"Ｐ{number}", lambda number: f"P{number}"),
)
_PAIRS_OF_NAMES = (
    ("MRN", "patient"),
    ("Probennr", "Sample"),
    ("code", "specimen"),
    ("dossier", "Dossier"),
    ("id", "key"),
    ("Nº historia", "expediente"),
)


def _written_otherwise(seed: int, folder: Path, *, matched: int) -> tuple[Path, Path, list[int]]:
    """Write a table and its labels, whose identifiers are written otherwise; return the outcomes in order."""
    generator = np.random.default_rng(seed)
    numbers = generator.choice(np.arange(100, 99_000), _ROWS, replace=False)
    others = [*numbers[:matched], *range(200_000, 200_000 + _ROWS - matched)]
    writings, names = _WRITINGS[seed % len(_WRITINGS)], _PAIRS_OF_NAMES[seed % len(_PAIRS_OF_NAMES)]
    if seed % 3 == 0:
        writings, names = writings[::-1], names[::-1]
    outcome = generator.integers(0, 2, _ROWS)
    data = pandas.DataFrame({"dose": generator.normal(size=_ROWS), names[0]: list(map(writings[0], numbers))})
    labels = pandas.DataFrame({names[1]: list(map(writings[1], others)), "ill": outcome})
    paths = folder / f"data{seed}.csv", folder / f"labels{seed}.csv"
    data.to_csv(paths[0], index=False)
    labels.sample(frac=1, random_state=seed).to_csv(paths[1], index=False)
    return *paths, outcome.tolist()


def test_identifiers_may_be_written_otherwise(tmp_path: Path) -> None:
    for seed in range(50):
        data, labels, outcome = _written_otherwise(seed, tmp_path, matched=_ROWS)
        dataset = engine.read_dataset(data, labels)
        assert dataset.labels == ("ill",) and dataset.column("ill").tolist() == outcome, seed


def test_identifiers_of_other_names_that_match_too_little_are_refused(tmp_path: Path) -> None:
    for seed in range(1, 50, 3):
        matched = 0 if seed % 4 == 0 else 30
        data, labels, _ = _written_otherwise(seed, tmp_path, matched=matched)
        some = "none" if not matched else "30 of 80"
        with pytest.raises(InvalidData, match=rf"the tables share too few .*: {some}\.") as caught:
            engine.read_dataset(data, labels)
        assert all(name in str(caught.value) for name in [pandas.read_csv(labels).columns[0]])


def test_writing_does_not_count_where_it_tells_two_identifiers_apart(tmp_path: Path) -> None:
    names = [f"{letter}{number}" for number in range(10) for letter in "aA"]
    data = _table("sample,dose", [(name, row / 7) for row, name in enumerate(names)])
    labels = _table("tube,ill", [(f"{name}-", row % 2) for row, name in enumerate(names)][::-1])
    with pytest.raises(InvalidData, match="'sample' of the data and 'tube' of the labels: none"):
        engine.read_dataset(*_write(tmp_path, data, labels))


def test_several_rows_of_labels_for_a_row_are_told(tmp_path: Path) -> None:
    data = _table("MRN,dose", [(1000 + row, row / 7) for row in range(20)])
    labels = _table("MRN,ill", [(1000 + row % 20, row % 2) for row in range(27)])
    reading = read_table(*_write(tmp_path, data, labels))
    assert reading.dataset.row_count == 27
    (message,) = (note.message for note in reading.issues if note.topic == JOINED)
    assert "7 rows of the data have several rows in the second table and are repeated" in message


def test_rows_repeated_by_their_labels_are_grouped(tmp_path: Path) -> None:
    data = _table("_index,dose", [(row, row * row % 7 / 7) for row in range(1, 31)])
    labels = _table("_index,_parent_index,ill", [(row + 1, row // 3 + 1, row % 2) for row in range(90)])
    reading = read_table(*_write(tmp_path, data, labels))
    assert reading.dataset.row_count == 90 and reading.dataset.labels == ("ill",)
    assert grouped_by_identifier(reading.dataset).groups == "_index"


def test_numbers_of_lines_join_no_tables_of_other_lengths(tmp_path: Path) -> None:
    data = _table("id,dose", [(row, row / 7) for row in range(1, 31)])
    labels = _table("id,ill", [(row, row % 2) for row in range(1, 91)])
    with pytest.raises(InvalidData, match="'id' only numbers the rows of each table") as caught:
        engine.read_dataset(*_write(tmp_path, data, labels))
    assert caught.value.remedy


def test_partners_and_members_of_a_household_are_no_key(tmp_path: Path) -> None:
    data = _table("id,dose", [(row, row / 7) for row in range(1, 61)])
    labels = _table("id,household_id,ill", [(row, (row + 1) // 2, row % 2) for row in range(1, 61)])
    (message,) = (
        note.message for note in read_table(*_write(tmp_path, data, labels)).issues if note.topic == JOINED
    )
    assert "by 'id': 60 of 60 rows" in message


def test_a_sheet_of_several_rows_a_case_does_not_hold_the_same_cases(tmp_path: Path) -> None:
    for seed, most in enumerate((1, 2, 5)):
        case_of = np.repeat(np.arange(1, 41), np.random.default_rng(seed).integers(1, most + 1, 40))
        survey = pandas.DataFrame(
            {"_index": range(1, 41), "size": np.arange(40) % 5, "ill": np.arange(40) % 2}
        )
        members = pandas.DataFrame({"age": case_of + 20, "_index": np.arange(len(case_of)) + 1})
        members["_parent_index"] = case_of
        with pandas.ExcelWriter(tmp_path / "kobo.xlsx") as book:
            survey.to_excel(book, sheet_name="survey", index=False)
            members.to_excel(book, sheet_name="members", index=False)
        offers = [note for note in read_table(tmp_path / "kobo.xlsx").issues if note.topic == SAME_CASES]
        assert len(offers) == 0


def test_labels_are_read_from_a_table_of_stata(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"IDNO": [f"p{row}" for row in range(20)], "dose": np.arange(20) / 7})
    frame.to_csv(tmp_path / "data.csv", index=False)
    labels = pandas.DataFrame({"IDNO": frame["IDNO"], "ill": np.arange(20) % 2})[::-1]
    labels.to_stata(tmp_path / "labels.dta", write_index=False, version=118)
    dataset = engine.read_dataset(tmp_path / "data.csv", tmp_path / "labels.dta")
    assert dataset.column("ill").tolist() == [row % 2 for row in range(20)]


def test_rows_without_a_partner_are_left_out_and_counted(tmp_path: Path) -> None:
    data = _table("id,dose", [(f"p{row}", row / 7) for row in range(20)])
    labels = _table("id,ill", [(f"p{row}", row % 2) for row in range(23, 3, -1)])
    reading = read_table(*_write(tmp_path, data, labels))
    assert reading.dataset.row_count == 16
    (message,) = (note.message for note in reading.issues if note.topic == JOINED)
    assert message == (
        "The tables were joined by 'id': 16 of 20 rows. "
        "4 rows of the data have no partner in the second table and were left out. "
        "4 rows of the second table have no partner in the data and were left out."
    )


def test_an_identifier_may_repeat_in_one_table(tmp_path: Path) -> None:
    visits = _table("id,visit,dose", [(f"p{row // 3}", row % 3, row / 7) for row in range(30)])
    labels = _table("id,ill", [(f"p{row}", row % 2) for row in range(9, -1, -1)])
    dataset = engine.read_dataset(*_write(tmp_path, visits, labels))
    assert dataset.column("ill").tolist() == [row // 3 % 2 for row in range(30)]


@pytest.mark.parametrize("writing", ["p{}", "P-0{}"])
def test_two_columns_together_name_the_rows(tmp_path: Path, writing: str) -> None:
    cells = [(row // 3, row % 3) for row in range(30)]
    data = _table("id,visit,dose", [(f"p{case}", visit, visit / 7) for case, visit in cells])
    rows = [(visit, writing.format(case), visit % 2) for case, visit in reversed(cells)]
    labels = _table("visit,id,ill", rows)
    dataset = engine.read_dataset(*_write(tmp_path, data, labels))
    assert dataset.column("ill").tolist() == [visit % 2 for _, visit in cells]


@pytest.mark.parametrize(
    ("data", "labels", "message"),
    [
        (
            [(row % 10, row) for row in range(20)],
            [(row % 10, row % 2) for row in range(20)],
            "repeats in both",
        ),
        (
            [(row, row / 7) for row in range(20)],
            [(row + 15, row % 2) for row in range(20)],
            "the tables share too few values of 'id': 5 of 20",
        ),
    ],
)
def test_identifiers_that_do_not_tell_are_refused(
    tmp_path: Path, data: list[tuple[float, float]], labels: list[tuple[int, int]], message: str
) -> None:
    paths = _write(tmp_path, _table("id,dose", data), _table("id,ill", labels))
    with pytest.raises(InvalidData, match=message) as caught:
        engine.read_dataset(*paths)
    assert caught.value.remedy


@pytest.mark.parametrize(("visits", "labelled"), [(1, 74), (1, 75), (3, 74), (3, 75), (1, 400)])
def test_a_label_table_of_fewer_than_half_of_the_rows_is_refused(
    tmp_path: Path, visits: int, labelled: int
) -> None:
    rows = [(f"p{case}", case + visit / 7) for case in range(150) for visit in range(visits)]
    labels = [(f"p{case}", case % 2) for case in reversed(range(labelled))]
    paths = _write(tmp_path, _table("id,dose", rows), _table("id,ill", labels))
    if labelled < 75:
        message = f"labels.csv': by 'id', this table covers only {74 * visits} of {150 * visits} rows"
        with pytest.raises(InvalidData, match=message):
            engine.read_dataset(*paths)
    else:
        dataset = engine.read_dataset(*paths)
        assert dataset.row_count == min(labelled, 150) * visits
    # As the remedy says: with the other cases in it, without labels.
    others = [(f"p{case}", "") for case in range(labelled, 150)]
    dataset = engine.read_dataset(
        *_write(tmp_path, _table("id,dose", rows), _table("id,ill", labels + others))
    )
    assert dataset.row_count == 150 * visits
    assert dataset.missing_count("ill") == max(150 - labelled, 0) * visits


# Names of the data and of the labels, and how identifiers are written: persons by name, codes by value.
_REPEATING = (
    ("sample", "muestra", "S{:03d}"),
    ("patient_id", "pid", "{}"),
    ("patient_id", "pid", "{}17"),
    ("estacion", "cod_estacion", "E{:02d}"),
    ("estacion", "estacion", "E{:02d}"),
    ("stanowisko", "punkt", "PL-{}"),
)


def _rows_of_cases(seed: int, cases: int, rows_each: int, writing: str) -> list[str]:
    """Write the identifiers of several rows a case, shuffled."""
    numbers = np.random.default_rng(seed).permutation(np.repeat(np.arange(cases), rows_each))
    return [writing.format(number) for number in numbers]


@pytest.mark.parametrize(("name", "other_name", "writing"), _REPEATING)
def test_identifiers_that_repeat_in_both_tables_are_refused_whatever_they_are_called(
    tmp_path: Path, name: str, other_name: str, writing: str
) -> None:
    data, labels = (_rows_of_cases(seed, 40, 6, writing) for seed in (1, 2))
    paths = _write(
        tmp_path,
        _table(f"{name},dose", [(case, row / 7) for row, case in enumerate(data)]),
        _table(f"{other_name},ill", [(case, row % 2) for row, case in enumerate(labels)]),
    )
    with pytest.raises(InvalidData, match=rf"'{other_name}'.* in both tables.* not say which rows"):
        engine.read_dataset(*paths)
    # As the remedy says: one row a case in one of the tables.
    once = [(writing.format(case), case % 2) for case in range(40)]
    paths = _write(
        tmp_path,
        _table(f"{name},dose", [(case, row / 7) for row, case in enumerate(data)]),
        _table(f"{other_name},ill", once[::-1]),
    )
    outcomes = dict(once)
    dataset = engine.read_dataset(*paths)
    assert dataset.labels == ("ill",)
    assert dataset.column("ill").tolist() == [outcomes[case] for case in data]


@pytest.mark.parametrize(
    ("names", "other_name"),
    [("estacion,dose", "estacion"), ("estacion,dose", "cod_estacion"), ("dose,estacion", "estacion")],
)
def test_numbers_of_rows_that_match_too_little_are_refused(
    tmp_path: Path, names: str, other_name: str
) -> None:
    rows = [{"estacion": 5000 + row, "dose": row / 7} for row in range(240)]
    data = _table(names, [[row[name] for name in names.split(",")] for row in rows])
    labels = _table(f"{other_name},ill", [(5170 + row, row % 2) for row in range(240)])
    with pytest.raises(InvalidData, match=rf"the tables share too few .*'{other_name}'.*: 70 of 240\."):
        engine.read_dataset(*_write(tmp_path, data, labels))


@pytest.mark.parametrize("writing", ["E{:02d}", "{}"])
def test_identifiers_of_the_labels_alone_are_no_labels(tmp_path: Path, writing: str) -> None:
    cases = _rows_of_cases(3, 40, 6, writing) if "E" in writing else [str(5170 + row) for row in range(240)]
    data = _table("dose", [(row / 7,) for row in range(240)])
    labels = _table("cod_estacion,ill", [(case, row % 2) for row, case in enumerate(cases)])
    reading = read_table(*_write(tmp_path, data, labels))
    assert reading.dataset.labels == ("ill",)
    (message,) = (note.message for note in reading.issues if note.topic == JOINED)
    assert message == (
        "The tables were joined by the order of the rows, as no identifier says which belong together. "
        "'cod_estacion' of the second table names its rows and was left out."
    )


@pytest.mark.parametrize(
    ("name", "other_name", "values"),
    [
        ("age", "age_at_visit", range(30, 70)),
        ("beds", "nurses", range(10)),
        ("diagnosis", "cause", [f"{letter}{number}" for letter in "ABCDEF" for number in range(10, 15)]),
        ("ward", "room", range(1, 25)),
        ("grade", "class", ["1a", "1b", "2a", "2b", "3a", "3b"]),
    ],
)
def test_columns_of_like_values_that_name_no_rows_join_nothing(
    tmp_path: Path, name: str, other_name: str, values: Sequence[object]
) -> None:
    for seed in range(5):
        generator = np.random.default_rng(seed)
        data, labels = ([values[place] for place in generator.integers(0, len(values), 240)] for _ in "ab")
        paths = _write(
            tmp_path,
            _table(f"{name},dose", [(value, row / 7) for row, value in enumerate(data)]),
            _table(f"{other_name},ill", [(value, row % 2) for row, value in enumerate(labels)]),
        )
        dataset = engine.read_dataset(*paths)
        assert dataset.labels == (other_name, "ill"), seed
        assert dataset.column("ill").tolist() == [row % 2 for row in range(240)]


def test_codes_that_repeat_and_agree_row_by_row_leave_the_order(tmp_path: Path) -> None:
    cases = _rows_of_cases(4, 40, 6, "E{:02d}")
    data = _table("plot,dose", [(case, row / 7) for row, case in enumerate(cases)])
    labels = _table("plot,ill", [(case, row % 2) for row, case in enumerate(cases)])
    dataset = engine.read_dataset(*_write(tmp_path, data, labels))
    assert dataset.labels == ("ill",) and dataset.column("ill").tolist() == [row % 2 for row in range(240)]


def test_a_name_of_both_tables_is_said_with_what_may_be_meant(tmp_path: Path) -> None:
    data = _table("age,dose", [(30 + row % 7, row / 7) for row in range(20)])
    labels = _table("age,ill", [(30 + row % 5, row % 2) for row in range(20)])
    with pytest.raises(InvalidData, match="both tables have a column named 'age'") as caught:
        engine.read_dataset(*_write(tmp_path, data, labels))
    assert "If its values name the cases" in str(caught.value)


def test_without_an_identifier_the_order_counts_and_is_said(tmp_path: Path) -> None:
    data = _table("age,dose", [(30 + row % 7, row / 7) for row in range(20)])
    labels = _table("age,ill", [(30 + row % 7, row % 2) for row in range(20)])
    reading = read_table(*_write(tmp_path, data, labels))
    assert reading.dataset.column("ill").tolist() == [row % 2 for row in range(20)]
    (message,) = (note.message for note in reading.issues if note.topic == JOINED)
    assert "by the order of the rows" in message and "'age' is the same in both tables" in message


def test_ranks_of_both_tables_join_nothing(tmp_path: Path) -> None:
    data = _table("dose,rank", [(row / 7, row + 1) for row in range(20)])
    labels = _table("ill,place", [(row % 2, 20 - row) for row in range(20)])
    dataset = engine.read_dataset(*_write(tmp_path, data, labels))
    assert dataset.labels == ("ill", "place") and dataset.column("place")[0] == 20


@pytest.mark.parametrize(
    "maker",
    [
        tables.numbered_label_tables,
        tables.persons_with_rows,
        tables.numbers_in_any_place,
        tables.lines_beside_a_key,
    ],
)
def test_persons_are_told_by_their_identifier_and_not_by_the_number_of_the_row(
    tmp_path: Path, maker: Callable[[np.random.Generator, Path], tables.Joinable]
) -> None:
    seeds = range(9000, 9020)
    assert [seed for seed in seeds if not maker(np.random.default_rng(seed), tmp_path).is_right] == []


def test_columns_that_name_the_rows_are_no_labels_and_this_is_said(tmp_path: Path) -> None:
    data = _table("lfd,pid,dose", [(row + 1, 5003 + 7 * row, row / 7) for row in range(40)])
    rows = [
        (place + 1, 5003 + 7 * row, f"T{row:04d}", row % 2) for place, row in enumerate(range(39, -1, -1))
    ]
    reading = read_table(*_write(tmp_path, data, _table("lfd,pid,tube,ill", rows)))
    assert reading.dataset.labels == ("ill",)
    assert reading.dataset.column("ill").tolist() == [row % 2 for row in range(40)]
    (message,) = (note.message for note in reading.issues if note.topic == JOINED)
    assert message == (
        "The tables were joined by 'pid': 40 of 40 rows. "
        "'lfd' and 'tube' of the second table name its rows and were left out."
    )


def test_first_rows_are_joined_as_the_whole_table_is(tmp_path: Path) -> None:
    data = _table("id,dose", [(f"p{row}", row / 7) for row in range(3000)])
    labels = _table("id,ill", [(f"p{row}", row % 2) for row in range(2999, -1, -1)])
    paths = _write(tmp_path, data, labels)
    preview = read_preview(*paths).dataset
    whole = engine.read_dataset(*paths)
    rows = preview.row_count
    assert 0 < rows < 3000 and (preview.column("ill") == whole.column("ill")[:rows]).all()


@pytest.mark.parametrize(
    ("data", "labels"),
    [
        ("rownames_features", "rownames_labels_shuffled"),
        ("two_features", "two_labels_shuffled"),
        ("two_features", "two_labels_renamed"),
    ],
)
def test_a_dose_is_found_for_both_outcomes(shared_data: Path, data: str, labels: str) -> None:
    folder = shared_data / "door"
    dataset = engine.read_dataset(folder / f"{data}.csv", folder / f"{labels}.csv")
    result = engine.discover(dataset, directions=False)
    assert result.label_sets == {"dose": frozenset({"pain", "cough"})}


def test_a_sheet_of_the_same_cases_is_offered_and_joined(tmp_path: Path) -> None:
    path = sheets_of_the_same_cases(np.random.default_rng(0), tmp_path).path
    (offer,) = (note for note in read_table(path).issues if note.topic == SAME_CASES)
    assert (offer.variable, offer.examples) == ("PatNr", ("Diagnosen",))
    joined = engine.read_dataset(path, second_sheet="Diagnosen")
    assert joined.names == ("PatNr", "Alter", "Delir") and joined.labels == ()
    assert joined.column("Delir").tolist() == [row % 2 for row in range(40)]
    # The workbook as its own table of labels: not the sheet that is read already.
    assert engine.read_dataset(path, path).labels == ("Delir",)
    measured = tmp_path / "measured.csv"
    measured.write_text("PatNr,dose\n" + "".join(f"{1000 + row},{row / 7}\n" for row in range(40)))
    assert engine.read_dataset(measured, path, second_sheet="Diagnosen").labels == ("Delir",)
    with pytest.raises(InvalidParameter, match="no sheet 'Labor'"):
        read_table(path, options=ReadingOptions(second_sheet="Labor"))
    with pytest.raises(InvalidParameter, match="second_sheet"):
        read_table(measured, options=ReadingOptions(second_sheet="Diagnosen"))
