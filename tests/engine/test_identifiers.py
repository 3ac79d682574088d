"""Columns that name rows or persons are never features; what is measured stays one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.preparation.prepare import prepare
from engine.table.dataset import Dataset
from engine.table.identifiers import is_cluster_name, is_identifier_name, repeating_identifier
from engine.table.numbered_within import grouped_by_identifier
from engine.table.variable import Role
from tests import misread_identifiers

_NAMES = (
    *(
        "patient_id",
        "MRN",
        "SUBJID",
        "caseid",
        "eid",
        "IDNO",
        "Participant",
        "phone",
        "subject no",
        "RecordID",
    ),
    *("PatNr", "Probanden-Nr", "Fallnummer", "Teilnehmer", "numéro_dossier", "identifiant", "sujet_no"),
    *("id_paciente", "número de expediente", "participante", "codice_paziente", "numero_cartella"),
    *("id_do_paciente", "número do prontuário", "patiëntnummer", "deelnemer_nr", "proefpersoon"),
    *("nr_pacjenta", "identyfikator", "uczestnik", "病历号", "受试者编号", "患者番号", "被験者ID"),
    *("numéro_sécu", "FAMID", "ear_tag", "donor", "IPAddress", "пациент"),
    *("Nº ficha", "n.º utente", "№ карты", "celular", "Mobil-Nr", "numer chorobowy", "id_badanego_2"),
    *("serial_no", "ref_no", "tag_number", "well_no", "OIB", "TCKimlik", "kennitala", "ЕНП", "등록번호"),
)
_MEASURED = (
    *("platelets", "salary", "covid", "valid", "number of children", "number_of_patients", "patient_age"),
    *("steroid", "nocturia", "Einkommen", "revenu", "peso", "reddito", "inkomen", "płytki", "年龄", "血小板"),
    *("phone_hours", "steps", "BMI_index", "case_type"),
    *(
        "n_pazienti",
        "num_soggetti",
        "ID_index",
        "ID_peak",
        "identification_ms",
        "barcode_reads",
        "SSN_density",
    ),
    *("id_card_age", "eid_duration"),
    *("n_patients", "num_children", "COVID", "number visits", "IDS_total", "participants_n"),
    *("animal_weight", "case_load", "Fallzahl", "n_ref", "tag_count", "well_depth", "serial_time"),
)
# They may name persons or rows, or something else.
_UNDECIDED = (
    *("folio", "Dossier", "aliquot", "NHC", "legajo", "teczka", "Vorgang", "RUT", "specimen"),
    *("PID_5", "ids", "participants", "id_mother", "ref", "boleta"),
)
_CLUSTERS = (
    *("hh", "sibship", "matched_pair", "cage", "Familie", "Zwillingspaar", "Käfig", "Wurf", "ménage"),
    *("fratrie", "portée", "vivienda", "pareja", "camada", "nucleo familiare", "coppia", "domicílio"),
    *("ninhada", "gezin", "tweeling", "rodzina", "gospodarstwo_domowe", "miot", "世帯", "双子", "家庭", "窝"),
)


@pytest.mark.parametrize("name", _NAMES)
def test_names_of_ten_languages_say_identifier(name: str) -> None:
    assert is_identifier_name(name)


@pytest.mark.parametrize("name", (*_MEASURED, *_UNDECIDED))
def test_names_of_what_is_measured_do_not(name: str) -> None:
    assert not is_identifier_name(name)


def _table(name: str, values: np.ndarray | list[str]) -> Dataset:
    generator = np.random.default_rng(len(values))
    frame = pandas.DataFrame({"dose": generator.normal(size=len(values)), name: values})
    frame["ill"] = generator.integers(0, 2, len(values))
    return Dataset.from_frame(frame, labels=["ill"])


@pytest.mark.parametrize("name", _CLUSTERS)
def test_names_of_clusters_are_known_unless_they_measure(name: str) -> None:
    assert is_cluster_name(name) and not is_cluster_name(f"{name}_count")


def _unique(generator: np.random.Generator, rows: int, form: int) -> np.ndarray | list[str]:
    """Draw identifiers that differ in every row."""
    numbers = generator.choice(np.arange(10_000, 100_000), rows, replace=False)
    return (
        numbers,
        np.sort(numbers),
        generator.permutation(rows) + 1,
        np.flatnonzero(generator.random(3 * rows) < 0.9)[:rows] + 1,
        [f"P{number}" for number in numbers],
    )[form]


@pytest.mark.parametrize("seed", range(50))
def test_identifiers_that_differ_in_every_row_are_set_aside(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows = int(generator.integers(40, 400))
    name = _NAMES[seed % len(_NAMES)] if seed < 25 else f"column {seed}"
    prepared = prepare(_table(name, _unique(generator, rows, seed % 5)))
    assert prepared.ignored == (name,)
    assert [note.variable for note in prepared.notes if note.topic == "identifier"] == [name]


@pytest.mark.parametrize("seed", range(50))
def test_what_is_measured_without_ties_stays(seed: int) -> None:
    generator = np.random.default_rng(1000 + seed)
    rows = int(generator.integers(60, 300))
    drawn = (
        generator.normal(25_000, 6000, 3 * rows),
        generator.lognormal(10.5, 0.5, 4 * rows),
        generator.gamma(2.0, 4000.0, 4 * rows),
    )[seed % 3]
    values = generator.permutation(np.unique(np.round(drawn[drawn > 0])))[:rows]
    values = np.sort(values) if seed % 2 else values
    name = _MEASURED[seed % len(_MEASURED)]
    assert name in prepare(_table(name, values)).features


def test_a_table_may_be_sorted_by_what_was_measured() -> None:
    for seed in range(50):
        generator = np.random.default_rng(3000 + seed)
        lowest, width = int(generator.integers(0, 400)), int(generator.integers(600, 9000))
        rows = int(generator.integers(60, 300))
        values = lowest + np.sort(generator.choice(width, rows, replace=False))
        name = _MEASURED[seed % len(_MEASURED)]
        assert name in prepare(_table(name, values[::-1] if seed % 2 else values)).features


def test_a_name_that_may_say_something_else_is_judged_with_the_values() -> None:
    right = 0
    for seed in range(50):
        generator = np.random.default_rng(4000 + seed)
        name, rows = _UNDECIDED[seed % len(_UNDECIDED)], int(generator.integers(60, 300))
        drawn = 1 + generator.choice(int(10 ** generator.uniform(3, 7)), rows, replace=False)
        numbers = np.unique(generator.normal(4000, 700, 2 * rows).round())
        measured = generator.permutation(numbers)[:rows]
        right += (
            prepare(_table(name, drawn)).ignored == (name,) and not prepare(_table(name, measured)).ignored
        )
    assert right >= 48


def _sizes(generator: np.random.Generator, count: int, form: int) -> np.ndarray:
    """Draw how many rows each cluster has: all two, one to five, as in litters, or by chance."""
    return (
        np.full(count, 2),
        generator.integers(1, 6, count),
        generator.integers(5, 12, count),
        1 + generator.poisson(2.0, count),
    )[form]


def test_clusters_that_repeat_group_the_rows() -> None:
    right = 0
    for seed in range(50):
        generator = np.random.default_rng(5000 + seed)
        count = int(generator.integers(20, 120))
        numbers = (
            np.arange(1, count + 1),
            generator.choice(90_000, count, replace=False),
            [f"H{number:03d}" for number in range(count)],
        )[seed % 3]
        values = np.repeat(np.asarray(numbers), _sizes(generator, count, seed // 3 % 4))
        name = _CLUSTERS[seed % len(_CLUSTERS)]
        right += (
            repeating_identifier(_table(name, values if seed % 2 else generator.permutation(values))) == name
        )
    assert right >= 48


def test_what_is_counted_or_scored_is_no_cluster() -> None:
    right = 0
    for seed in range(50):
        generator = np.random.default_rng(6000 + seed)
        rows = int(generator.integers(150, 400))
        name = (*_UNDECIDED, *_CLUSTERS)[seed % (len(_UNDECIDED) + len(_CLUSTERS))]
        values = (
            generator.poisson(12.0, rows),
            generator.binomial(60, 0.4, rows),
            generator.lognormal(3.0, 0.6, rows).round(),
            generator.normal(40, 9, rows).round(),
        )[seed % 4]
        values = np.sort(values) if seed % 3 == 0 else values
        right += repeating_identifier(_table(name, values)) is None
        even = generator.integers(0, 60, rows)
        right += repeating_identifier(_table(_UNDECIDED[seed % len(_UNDECIDED)], even)) is None
    assert right >= 96


@pytest.mark.parametrize("seed", range(50))
def test_an_identifier_that_repeats_groups_the_rows(seed: int) -> None:
    generator = np.random.default_rng(2000 + seed)
    persons, visits = int(generator.integers(20, 120)), int(generator.integers(2, 9))
    unique = np.asarray(_unique(generator, persons, seed % 5))
    values = np.repeat(unique, visits)
    values = generator.permutation(values) if seed % 2 else values
    name = _NAMES[seed % len(_NAMES)]
    table = _table(name, values)
    assert table.variable(name).role is Role.FEATURE
    grouped = grouped_by_identifier(table)
    assert grouped.groups == name
    first = grouped.notes[0].message
    assert f"'{name}' is not a feature" in first and f"{persons} different values" in first
    assert grouped.with_labels(()).notes == grouped.notes
    chosen = grouped.with_roles({name: Role.FEATURE})
    assert all("is not a feature" not in note.message for note in chosen.notes)
    # A program that made the table keeps the say; the column is no feature all the same.
    prepared = prepare(table)
    assert prepared.groups is None and prepared.ignored == (name,)
    assert "choose it as the column of groups" in " ".join(note.message for note in prepared.notes)


@pytest.mark.parametrize("name", ["MRN", "patient", "subject_id", "Fallnummer", "numéro_dossier"])
@pytest.mark.parametrize(("rows", "repeats"), [(240, 1), (240, 5), (1000, 20)])
def test_an_identifier_that_its_name_tells_groups_rows_at_its_first_repeat(
    name: str, rows: int, repeats: int
) -> None:
    generator = np.random.default_rng(rows + repeats)
    numbers = generator.choice(np.arange(10_000, 100_000), rows - repeats, replace=False)
    values = generator.permutation([*numbers, *numbers[:repeats]])
    with pytest.warns(engine.DataWarning, match=f"groups='{name}'"):
        table = _table(name, values)
    assert grouped_by_identifier(table).groups == name
    assert prepare(table).ignored == (name,)
    # What binds more rows together says more.
    visits = pandas.DataFrame({name: values, "household": np.arange(rows) // 4})
    assert repeating_identifier(Dataset.from_frame(visits)) == "household"


@pytest.mark.parametrize("visits", [1, 4])
def test_an_identifier_that_repeats_is_no_feature_though_some_are_missing(visits: int) -> None:
    numbers = np.random.default_rng(visits).choice(np.arange(10_000, 100_000), 240 // visits, replace=False)
    values = np.repeat(numbers, visits).astype(float)
    values[:2], values[100] = values[200], np.nan
    prepared = prepare(_table("MRN", values))
    assert prepared.ignored == ("MRN",)
    # Groups need a value in each row, so that the advice says to fill it in first.
    message = prepared.notes[0].message
    assert (
        "choose it as the column of groups" in message
        and "Before that, fill in its 1 missing value." in message
    )


def test_numbers_that_were_drawn_group_rows_by_how_they_repeat() -> None:
    wrong = []
    for seed in range(40):
        generator = np.random.default_rng(6000 + seed)
        numbers = generator.choice(np.arange(10_000, 1_000_000), 220, replace=False)
        few = generator.permutation([*numbers, *numbers[:3]])
        several = generator.permutation(np.repeat(numbers[:70], 3))
        counts = generator.normal(9000, 2000, 220).round()
        may_be, number = ("folio", "ref", "sample")[seed % 3], ("num_exp", "kod x", "no_karty_k")[seed % 3]
        wrong += [
            repeating_identifier(_table(may_be, few)) != may_be,
            repeating_identifier(_table(number, several)) != number,
            repeating_identifier(_table(may_be, counts)) is not None,
            repeating_identifier(_table(number.replace("karty", "cells"), counts)) is not None,
        ]
    assert sum(wrong) <= 8


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("ward", np.arange(600) % 30),
        ("site_id", np.arange(600) % 5),
        ("age", 20 + np.arange(600) % 60),
        ("number", np.arange(600) % 40),
        ("index", np.arange(600) % 40),
        ("patient_age", 20 + np.arange(600) % 60),
    ],
)
def test_other_columns_that_repeat_group_nothing(name: str, values: np.ndarray) -> None:
    table = _table(name, values)
    assert grouped_by_identifier(table) is table


def test_persons_whom_each_site_numbers_anew_are_not_grouped() -> None:
    asked_about = 0
    for seed in range(9000, 9050):
        frame, name = misread_identifiers.numbered_in_sites(seed)
        table = Dataset.from_frame(frame, labels=["ill"])
        separate = grouped_by_identifier(table)
        message = separate.notes[0].message
        if separate.groups == name:
            asked_about += 1
            assert f"If each value of '{frame.columns[0]}' numbers its own, do not group the rows." in message
            continue
        assert separate.groups is None and name in separate.ignored, seed
        assert "Rows with the same value do not seem more alike than others" in message
        assert name in prepare(table).ignored
    assert asked_about <= 5


def test_persons_with_several_rows_are_grouped_whatever_tells_these_apart() -> None:
    seeds = range(9000, 9050)
    tables = [misread_identifiers.persons_at_times(seed) for seed in seeds]
    grouped = [grouped_by_identifier(Dataset.from_frame(frame)).groups == name for frame, name in tables]
    assert sum(grouped) >= 49


def test_what_binds_rows_together_is_known_by_its_name_or_by_its_codes() -> None:
    tables = [misread_identifiers.with_binding_column(seed) for seed in range(9000, 9050)]
    grouped = [grouped_by_identifier(Dataset.from_frame(frame)).groups == name for frame, name in tables]
    assert sum(grouped) >= 48


def test_texts_within_which_rows_are_alike_group_them_in_any_language() -> None:
    seeds = range(9000, 9050)
    tables = [misread_identifiers.with_clusters_in_words(seed) for seed in seeds]
    grouped = [grouped_by_identifier(Dataset.from_frame(frame)).groups == name for frame, name in tables]
    assert sum(grouped) >= 48
    unlike = [misread_identifiers.with_clusters_in_words(seed, likeness=0.0)[0] for seed in seeds]
    assert sum(grouped_by_identifier(Dataset.from_frame(frame)).groups is not None for frame in unlike) <= 1


@pytest.mark.parametrize(
    ("name", "is_shared"),
    [
        *(("teacher", True), ("Name der Grundschule", True), ("médecin traitant", True), ("担任教師", True)),
        *(("nazwa szkoły", True), ("brand", False), ("school type", False), ("teacher comment", False)),
    ],
)
def test_one_column_shows_what_teachers_and_schools_share(name: str, is_shared: bool) -> None:
    # As a kind may be its cause, so many brands and types need a second column.
    generator = np.random.default_rng(7)
    text_of = generator.integers(0, 30, 180)
    scores = generator.normal(size=30)[text_of] + generator.normal(size=180)
    frame = pandas.DataFrame({name: np.array([f"{chr(97 + code)}o" for code in range(30)])[text_of]})
    frame["score"], frame["age"] = scores.round(2), generator.integers(18, 90, 180)
    assert (repeating_identifier(Dataset.from_frame(frame)) == name) is is_shared


def test_numbers_with_a_unit_group_nothing() -> None:
    generator = np.random.default_rng(3)
    doses = generator.permutation(np.repeat(np.arange(10, 310, 5), 4))
    for form in ("{} mg", "{}ml", "{} %"):
        assert repeating_identifier(_table("x", [form.format(dose) for dose in doses])) is None


def test_ranks_counts_and_measurements_are_no_identifiers() -> None:
    stays = 0
    for seed in range(9000, 9050):
        frame, name = misread_identifiers.with_what_is_no_identifier(seed)
        dataset = grouped_by_identifier(Dataset.from_frame(frame, ["ill"]))
        stays += dataset.groups is None and name in prepare(dataset).features
    assert stays >= 48


@pytest.mark.parametrize("form", ["variety{}", "2021-{:02d}-01", "Q{}"])
def test_kinds_dates_and_designs_group_nothing(form: str) -> None:
    count = 12 if form == "2021-{:02d}-01" else 18
    values = [form.format(row % count + 1) for row in range(12 * count)]
    assert repeating_identifier(_table("which", values)) is None


def test_members_are_numbered_within_their_household() -> None:
    household, member = np.repeat(np.arange(60), 3), np.tile([1, 2, 3], 60)
    frame = pandas.DataFrame({"hhid": household, "pid": member, "x": np.sin(np.arange(180))})
    assert (
        grouped_by_identifier(Dataset.from_frame(frame.assign(y=np.cos(np.arange(180) ** 2)))).groups
        == "hhid"
    )


def test_reading_in_python_warns_of_an_identifier_that_repeats(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    rows = np.arange(240)
    frame = pandas.DataFrame({"patient_id": rows // 6, "pain": rows % 7, "ill": rows % 2})
    frame.to_csv(path, index=False)
    with pytest.warns(engine.DataWarning, match="groups='patient_id'") as warned:
        dataset = engine.read_dataset(path, ["ill"])
    assert [warning.filename for warning in warned] == [__file__]
    assert "patient_id" in dataset.features


def test_visits_without_a_link_have_no_finding(shared_data: object) -> None:
    path = f"{shared_data}/door/long_null.csv"
    table = grouped_by_identifier(engine.read_dataset(path, ["pain", "cough"]))
    assert table.groups == "patient_id"
    assert not engine.discover(table, directions=False).label_sets


_NAMES_IN_NO_LIST = ("Pig", "firm", "child", "Ferkel", "entreprise", "niño", "cow", "prof", "V1", "nr")


def _units(seed: int) -> tuple[pandas.DataFrame, str]:
    """Make a table of several rows a unit, with what the units are and what is measured in each row."""
    generator = np.random.default_rng(seed)
    count, name = int(generator.integers(40, 200)), _NAMES_IN_NO_LIST[seed % len(_NAMES_IN_NO_LIST)]
    numbers = np.arange(1, count + 1)
    if seed % 3 == 0 and count >= 60:
        numbers = np.sort(generator.choice(np.arange(1000, 9999), count, replace=False))
    rows_each = generator.integers(4, 7) - (generator.random(count) < 0.1)
    unit_of = np.repeat(np.arange(count), rows_each)
    of_units = {
        "sex": generator.integers(0, 2, count),
        "at_start": generator.normal(20, 3, count).round(1),
        "arm": generator.permutation(np.arange(count) % 3),
    }
    kept = ["sex", "at_start", "arm"][: 2 + seed % 2]
    frame = pandas.DataFrame(
        {name: numbers[unit_of]} | {column: of_units[column][unit_of] for column in kept}
    )
    frame["weight"] = generator.normal(60, 9, len(unit_of)) + unit_of % 7
    frame["ill"] = generator.integers(0, 2, len(unit_of))
    if seed % 4 == 0:
        frame = frame.sample(frac=1.0, random_state=seed).reset_index(drop=True)
    return frame, name


def test_units_are_known_by_what_is_constant_within_them() -> None:
    tables = [_units(seed) for seed in range(7000, 7050)]
    grouped = [grouped_by_identifier(Dataset.from_frame(frame, ["ill"])).groups for frame, _ in tables]
    assert sum(group == name for group, (_, name) in zip(grouped, tables, strict=True)) >= 48


def test_units_that_nobody_names_are_set_aside_before_a_search() -> None:
    frame, name = _units(7001)
    with pytest.warns(engine.DataWarning, match=f"groups='{name}'"):
        dataset = Dataset.from_frame(frame, ["ill"])
    prepared = engine.prepare(dataset)
    assert name not in prepared.features
    assert any(note.topic == "repeating-identifier" and note.variable == name for note in prepared.notes)
    assert name in engine.prepare(dataset, keep=[name]).features


_LITTER = np.repeat(np.arange(1, 16), 4)
_NUMBERS_OF_PIGS = {
    "running": np.arange(1, 61),
    "with gaps": np.sort(np.random.default_rng(5).permutation(9000)[:60] + 1000),
    "of the litter": _LITTER * 100 + np.tile(np.arange(1, 5), 15),
    "anew in each litter": np.tile(np.arange(1, 5), 15),
}


@pytest.mark.parametrize("numbers", _NUMBERS_OF_PIGS.values(), ids=_NUMBERS_OF_PIGS)
@pytest.mark.parametrize("name", ["Pig", "piglet_id"])
def test_pigs_within_litters_are_no_feature_and_their_treatments_are(numbers: np.ndarray, name: str) -> None:
    random, weeks = np.random.default_rng(3), 6
    of_pigs = {"Litter": _LITTER, name: numbers, "dose": np.tile([1, 2, 3, 4], 15)}
    # Birth weights are whole numbers that differ from pig to pig, too.
    of_pigs["birth_weight"] = random.permutation(np.arange(1200, 1800))[:60]
    frame = pandas.DataFrame({column: np.repeat(values, weeks) for column, values in of_pigs.items()})
    frame = frame.assign(week=np.tile(range(weeks), 60), ill=random.integers(0, 2, 60 * weeks))
    features = set(prepare(Dataset.from_frame(frame, ["ill"], groups="Litter")).features)
    assert features == {"dose", "birth_weight", "week"}
    # Without a column that is the same in all rows of a pig, the litters alone tell.
    alone = Dataset.from_frame(frame[["Litter", name, "week", "ill"]], ["ill"], groups="Litter")
    assert prepare(alone).features == ("week",)


@pytest.mark.parametrize(
    ("file", "name"), [("wagepan.csv.gz", "nr"), ("plm_EmplUK.csv", "firm"), ("respiratory.csv", "id")]
)
def test_units_of_real_panels_are_set_aside(shared_data: Path, file: str, name: str) -> None:
    frame = pandas.read_csv(shared_data / "panel" / file)
    assert repeating_identifier(Dataset.from_frame(frame)) == name


def test_numbers_that_measure_or_count_name_no_units() -> None:
    """What goes with a number follows from it in order, or is of few levels; rows of a value are uneven."""
    wrong = []
    for seed in range(50):
        generator = np.random.default_rng(8000 + seed)
        rows = 600
        age = generator.integers(20, 80, rows)
        day = np.repeat(np.arange(1, 101), 6)
        count = generator.poisson(30, rows)
        dose = generator.permutation(np.arange(1, 31).repeat(20))
        region = generator.integers(1, 13, rows)
        pressure = generator.normal(120, 15, rows).round()
        frame = pandas.DataFrame(
            {
                "x": age,
                "band": age // 10,
                "square": age**2,
                "old": np.where(age > 50, "y", "n"),
                "z": dose,
                "dose_squared": dose**2,
                "high": dose > 15,
                "v": count,
                "log": np.log1p(count),
                "w": pressure,
                "hypertension": pressure > 140,
                "year": 1960 + day // 2,
                "oil": generator.normal(size=60)[day // 2],
                "strike": generator.integers(0, 2, 60)[day // 2],
                "region": region,
                "rural": generator.integers(0, 2, 13)[region],
                "ward_beds": generator.integers(10, 40, 13)[region],
                "likert": generator.integers(1, 8, rows),
            }
        )
        wrong.append(repeating_identifier(Dataset.from_frame(frame)))
    assert wrong == [None] * 50


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("age", lambda number: f"~{number}" if number % 20 == 0 else str(number)),
        ("crp", lambda number: "<0.5" if number % 9 == 0 else f"{number / 10:.1f}"),
        ("comment", lambda number: f"see file {number}"),
        ("Bemerkung", lambda number: f"OK {number}"),
    ],
)
def test_numbers_with_other_cells_and_remarks_are_no_groups(name: str, written: Callable[[int], str]) -> None:
    for seed in range(20):
        generator = np.random.default_rng(seed)
        numbers = generator.integers(20, 80, 150)
        frame = pandas.DataFrame({name: [written(int(number)) for number in numbers]}, dtype="category")
        for column in ("weight", "pressure"):
            frame[column] = numbers + generator.normal(size=150)
        assert repeating_identifier(Dataset.from_frame(frame)) is None


@pytest.mark.parametrize("name", ["Gehalt", "salario", "reads", "peptide_area", "budget", "cell_count"])
def test_amounts_that_all_differ_stay(name: str) -> None:
    generator = np.random.default_rng(3)
    frame = pandas.DataFrame({name: generator.permutation(np.arange(10_050, 99_900, 397.0))})
    frame["score"], frame["sick"] = generator.normal(size=len(frame)), generator.integers(0, 2, len(frame))
    assert name in prepare(Dataset.from_frame(frame, labels=["sick"])).features
    renamed = frame.rename(columns={name: "x9"})
    assert "x9" not in prepare(Dataset.from_frame(renamed, labels=["sick"])).features
