"""Tables of survey programs: what stands between the names and the answers."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pandas
import pytest

import engine
from clcd_gui.document.doubts import doubts_of
from engine.readers import ReadingOptions, read_preview, read_table
from tests.engine.readers.written_tables import topics_of, values_of

KEYS = [
    '{"ImportId":"startDate","timeZone":"America/Denver"}',
    '{"ImportId":"QID1"}',
    '{"ImportId":"QID2_1"}',
]
ROWS = [
    ["StartDate", "Q1", "Q2_1"],
    ["Start Date", "How old are you?", "Rate, please\n- A"],
    KEYS,
    *([f"2023-01-{row + 10} 10:00:00", row + 20, row % 5 + 1] for row in range(18)),
]


def write_csv(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(ROWS)


def write_xlsx(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    for row in ROWS:
        book.active.append(row)
    book.save(path)


@pytest.mark.parametrize("name", ["answers.csv", "answers.xlsx"])
def test_questions_and_keys_of_qualtrics_are_no_answers(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    (write_csv if path.suffix == ".csv" else write_xlsx)(path)
    reading = read_table(path)
    assert reading.dataset.names == ("StartDate", "Q1", "Q2_1") and reading.dataset.row_count == 18
    assert values_of(reading, "Q1") == list(range(20, 38))
    assert topics_of(reading)[0] == "survey-rows" and "2 rows" in reading.issues[0].message
    questions = {variable.name: variable.description for variable in reading.dataset.variables}
    assert questions == {"StartDate": "Start Date", "Q1": "How old are you?", "Q2_1": "Rate, please - A"}
    preview = read_preview(path, rows=5)
    assert values_of(preview, "Q1") == [20, 21, 22, 23, 24] or preview.complete
    assert preview.beginning is not None and preview.beginning.data_rows[0] == 3


ADMINISTRATION = ["StartDate", "Status", "Progress", "Duration (in seconds)", "Finished", "ResponseId"]
OF_SPSS = ["StartDate", "Status", "Progress", "Duration__in_seconds_", "Finished", "ResponseId"]


def answers(status: list[object], names: list[str] = ADMINISTRATION) -> pandas.DataFrame:
    rows = range(len(status))
    written = [
        [f"2023-01-{row % 28 + 1} 10:00:{row}" for row in rows],
        status,
        [100 if row % 9 else 45 for row in rows],
        [200 + row * 37 % 900 for row in rows],
        [bool(row % 9) for row in rows],
        [f"R_{row * 7919 + 10**7}" for row in rows],
    ]
    frame = pandas.DataFrame(dict(zip(names, written, strict=True)))
    return frame.assign(age=[row * row % 47 + 18 for row in rows], Q2=[row % 5 + 1 for row in rows])


@pytest.mark.parametrize("names", [ADMINISTRATION, OF_SPSS])
@pytest.mark.parametrize(
    ("answered", "preview", "test"), [("IP Address", "Survey Preview", "Survey Test"), (0, 1, 2)]
)
@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet"])
def test_previews_and_tests_of_a_survey_are_no_cases(
    names: list[str], answered: object, preview: object, test: object, ending: str, tmp_path: Path
) -> None:
    frame = answers([preview, preview, *[answered] * 40, test, *[answered] * 17], names)
    path = tmp_path / f"answers.{ending}"
    if ending == "csv":
        frame.to_csv(path, index=False)
    elif ending == "xlsx":
        frame.to_excel(path, index=False)
    else:
        frame.to_parquet(path, index=False)
    reading = read_table(path)
    assert values_of(reading, "age") == frame["age"].drop([0, 1, 42]).tolist()
    (note,) = (issue for issue in reading.issues if issue.topic == "no-cases")
    assert "3 answers to previews or tests of the survey" in note.message
    kept = read_table(path, options=ReadingOptions(other_rows="keep"))
    assert kept.dataset.row_count == 60 and "no-cases" not in topics_of(kept)


@pytest.mark.parametrize(
    ("answered", "preview", "test"),
    [
        ("IP-Adresse", "Umfragevorschau", "Umfragetest"),
        ("Adresse IP", "Aperçu de l’enquête", "Test d’enquête"),
        ("Dirección IP", "Vista previa de la encuesta", "Prueba de encuesta"),
        ("Endereço IP", "Visualização da pesquisa", "Teste da pesquisa"),
        ("Indirizzo IP", "Anteprima sondaggio", "Test sondaggio"),
        ("IP-adres", "Enquêtevoorbeeld", "Enquêtetest"),
        ("Adres IP", "Podgląd ankiety", "Test ankiety"),
        ("IPアドレス", "アンケートのプレビュー", "アンケートのテスト"),
        ("IP 地址", "调查预览", "调查测试"),
        ("IP Adresi", "Anket önizlemesi", "Anket testi"),
    ],
)
def test_previews_and_tests_are_known_in_other_languages(
    answered: str, preview: str, test: str, tmp_path: Path
) -> None:
    status: list[object] = [preview, *[answered] * 40, test, *[answered] * 18]
    answers(status).to_csv(tmp_path / "answers.csv", index=False)
    reading = read_table(tmp_path / "answers.csv")
    assert reading.dataset.row_count == 58
    assert set(reading.dataset.variable("Status").levels) == {answered}


def test_times_that_limesurvey_took_are_no_features(tmp_path: Path) -> None:
    timed = {
        "id. Response ID": range(70),
        "submitdate. Date submitted": pandas.date_range("2023-03-01", periods=70, freq="h"),
        "lastpage. Last page": 5,
        "startlanguage. Start language": "de",
        "Q2. How old are you?": [row * row % 47 + 18 for row in range(70)],
        "breakTime. How long are your breaks?": [row * 7 % 30 for row in range(70)],
        "ill. Are you ill?": [row % 2 for row in range(70)],
        "interviewtime. Total time": [300 + row * 3.5 for row in range(70)],
        "groupTime12. Group time: About you": [50 + row * 11 % 13 for row in range(70)],
        "Q2Time. Question time: Q2": [5 + row * 17 % 19 for row in range(70)],
    }
    pandas.DataFrame(timed).to_csv(tmp_path / "answers.csv", index=False)
    table = engine.prepare(engine.read_dataset(tmp_path / "answers.csv", ["ill. Are you ill?"]))
    assert set(table.features) == {"Q2. How old are you?", "breakTime. How long are your breaks?"}


@pytest.mark.parametrize(
    ("age", "signs", "answers_below", "response", "open_response"),
    [
        ("How old are you?", "Which signs?", ("Cough", "Fever", "Rash"), "Response", "Open-Ended Response"),
        ("Wie alt sind Sie?", "Welche Zeichen?", ("Husten", "Fieber"), "Antwort", "Offene Antwort"),
        ("Quel âge ?", "Quels signes ?", ("Toux", "Fièvre"), "Réponse", "Réponse ouverte"),
        ("¿Edad?", "¿Qué signos?", ("Tos", "Fiebre", "Dolor"), "Respuesta", "Respuesta abierta"),
        ("Età", "Quali sintomi?", ("Tosse", "Febbre"), "Risposta", "Risposta aperta"),
        ("Wiek", "Jakie objawy?", ("Kaszel", "Gorączka"), "Odpowiedź", "Odpowiedź otwarta"),
        ("年齢", "症状", ("咳", "発熱"), "回答", "自由回答"),
        ("年龄", "症状", ("咳嗽", "发烧"), "回复", "开放式回复"),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_answers_below_questions_are_part_of_the_names(
    age: str,
    signs: str,
    answers_below: tuple[str, ...],
    response: str,
    open_response: str,
    ending: str,
    tmp_path: Path,
) -> None:
    ticked = [
        [answer if (row + at) % 3 else "" for at, answer in enumerate(answers_below)] for row in range(40)
    ]
    gaps = [""] * (len(answers_below) - 1)
    rows = [
        ["Respondent ID", "Collector ID", "Start Date", age, signs, *gaps, "Sex?"],
        ["", "", "", open_response, *answers_below, response],
        *(
            [7_000_000 + row, 4411, f"2023-03-{row % 28 + 1:02d}", 20 + row, *ticked[row], "fm"[row % 2]]
            for row in range(40)
        ),
    ]
    path = tmp_path / f"answers.{ending}"
    frame = pandas.DataFrame(rows)
    frame.to_csv(path, index=False, header=False) if ending == "csv" else frame.replace("", None).to_excel(
        path, index=False, header=False
    )
    reading = read_table(path)
    named = [f"{signs} {answer}" for answer in answers_below]
    assert reading.dataset.names[3:] == (age, *named, "Sex?")
    assert values_of(reading, age) == list(range(20, 60))
    assert [variable.levels for variable in reading.dataset.variables[4:-1]] == [
        (answer,) for answer in answers_below
    ]
    told = {note.variable for note in reading.issues if note.topic == "ticks"}
    assert told == set(named)


def test_a_status_without_the_columns_of_a_survey_program_is_a_value(tmp_path: Path) -> None:
    status: list[object] = ["Survey Preview", *["IP Address"] * 29]
    other_names = ["begin", "Status", "Progress", "hours", "Finished", "name"]
    answers(status, other_names).to_csv(tmp_path / "a.csv", index=False)
    assert read_table(tmp_path / "a.csv").dataset.row_count == 30
    answers([1, 3] * 15).to_csv(tmp_path / "b.csv", index=False)
    assert read_table(tmp_path / "b.csv").dataset.row_count == 30
    answers(["Survey Test"] * 30).to_csv(tmp_path / "c.csv", index=False)
    assert read_table(tmp_path / "c.csv").dataset.row_count == 30


@pytest.mark.parametrize("names", [ADMINISTRATION, OF_SPSS])
def test_what_the_survey_program_wrote_is_no_feature(names: list[str], tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    answers(["IP Address"] * 30 + ["Imported"] * 30, names).to_csv(path, index=False)
    dataset = engine.read_dataset(path, ["Q2"])
    table = engine.prepare(dataset)
    assert table.features == ("age",)
    (told,) = (note.message for note in table.notes if note.topic == "survey-program")
    assert "6 features" in told and "features to keep" in told
    kept = engine.prepare(dataset, engine.PreparationSettings(keep=("Progress",)))
    assert set(kept.features) == {"age", "Progress"}
    assert set(engine.prepare(engine.read_dataset(path, ["Finished"])).features) == {"age", "Q2"}


def test_unfinished_answers_are_a_doubt(tmp_path: Path) -> None:
    frame = answers(["IP Address"] * 60)
    frame.to_csv(tmp_path / "a.csv", index=False)
    (note,) = (issue for issue in read_table(tmp_path / "a.csv").issues if issue.topic == "unfinished")
    assert note.variable == "Finished" and "7 rows" in note.message
    frame.assign(Finished=frame["Finished"].astype(int)).to_csv(tmp_path / "b.csv", index=False)
    assert "unfinished" in topics_of(read_table(tmp_path / "b.csv"))
    for yes, no in (("WAHR", "FALSCH"), ("VRAI", "FAUX")):
        in_words = frame.assign(Finished=frame["Finished"].map({True: yes, False: no}))
        in_words.to_csv(tmp_path / "b.csv", index=False)
        assert "unfinished" in topics_of(read_table(tmp_path / "b.csv")), "as Excel writes truth values"
    frame.assign(Finished=True).to_csv(tmp_path / "c.csv", index=False)
    assert "unfinished" not in topics_of(read_table(tmp_path / "c.csv"))
    frame.assign(Progress=frame["Progress"] * 7).to_csv(tmp_path / "d.csv", index=False)
    assert "unfinished" not in topics_of(read_table(tmp_path / "d.csv"))


def of_limesurvey(rows: int) -> dict[str, list[object]]:
    days = [f"2023-01-{row % 28 + 1:02d} 1{row % 9}:00:00" for row in range(rows)]
    return {
        "id": list(range(1, rows + 1)),
        "submitdate": [day if row % 7 else "" for row, day in enumerate(days)],
        "lastpage": [row % 7 + 1 for row in range(rows)],
        "startlanguage": ["en" if row % 3 else "de" for row in range(rows)],
        "seed": [1_000_003 * (row + 7) % 99_999_989 for row in range(rows)],
        "token": [f"t{row * 7919}" for row in range(rows)],
        "startdate": days,
        "datestamp": days,
        "ipaddr": [f"10.0.{row % 5}.7" for row in range(rows)],
    }


def _of_limesurvey_headed(*headings: str) -> Callable[[int], dict[str, list[object]]]:
    """As LimeSurvey heads the columns where headings are not codes: in the language of the person."""
    written = ("id", "submitdate", "lastpage", "startlanguage", "seed", "startdate", "datestamp")

    def export(rows: int) -> dict[str, list[object]]:
        values = of_limesurvey(rows)
        return {heading: values[name] for name, heading in zip(written, headings, strict=True)}

    return export


of_limesurvey_in_german = _of_limesurvey_headed(
    "Antwort ID",
    "Datum Abgeschickt",
    "Letzte Seite",
    "Start-Sprache",
    "Zufallsstartwert",
    "Datum gestartet",
    "Datum letzte Aktivität",
)
of_limesurvey_in_french = _of_limesurvey_headed(
    "ID de la réponse",
    "Date de soumission",
    "Dernière page",
    "Langue de départ",
    "Tête de série",
    "Date de lancement",
    "Date de la dernière action",
)
IN_OTHER_LANGUAGES = (of_limesurvey_in_german, of_limesurvey_in_french)


def of_redcap(rows: int) -> dict[str, list[object]]:
    return {
        "record_id": list(range(1, rows + 1)),
        "redcap_data_access_group": ["a" if row % 2 else "b" for row in range(rows)],
        "base_timestamp": [f"2023-01-{row % 28 + 1:02d} 10:00" for row in range(rows)],
        "base_complete": [2 if row % 7 else 0 for row in range(rows)],
        "month_6_complete": [1 + row % 2 for row in range(rows)],
    }


def of_redcap_by_study_id(rows: int) -> dict[str, list[object]]:
    plain = of_redcap(rows)
    return {
        "study_id": [1000 + row for row in range(rows)],
        "base_complete": plain["base_complete"],
        "month_6_complete": plain["month_6_complete"],
    }


def of_redcap_in_words(rows: int) -> dict[str, list[object]]:
    words = {0: "Incomplete", 1: "Unverified", 2: "Complete"}
    plain = of_redcap(rows)
    return {
        "Record ID": plain["record_id"],
        "Event Name": plain["redcap_data_access_group"],
        "Complete?": [words[int(str(value))] for value in plain["base_complete"]],
    }


def of_kobo(rows: int) -> dict[str, list[object]]:
    days = [f"2023-01-{row % 28 + 1:02d}T1{row % 9}:00:00" for row in range(rows)]
    return {
        "start": days,
        "end": days,
        "deviceid": [f"phone:{row % 4}" for row in range(rows)],
        "_id": [100_000_000 + row * 37 for row in range(rows)],
        "_uuid": [f"a{row * 7919:08x}-1" for row in range(rows)],
        "_submission_time": days,
        "__version__": ["vA" if row % 2 else "vB" for row in range(rows)],
    }


def of_kobo_household_members(rows: int) -> dict[str, list[object]]:
    days = [f"2023-01-{row // 9 + 1:02d}T10:00:00" for row in range(rows)]
    return {
        "_index": list(range(1, rows + 1)),
        "_parent_table_name": ["households"] * rows,
        "_submission__uuid": [f"a{row // 3 * 7919:08x}-1" for row in range(rows)],
        "_submission__submission_time": days,
        "_submission__id": [100_000_000 + row // 3 * 37 for row in range(rows)],
        "_parent_index": [row // 3 + 1 for row in range(rows)],
    }


def of_surveymonkey(rows: int) -> dict[str, list[object]]:
    days = [f"01/{row % 28 + 1:02d}/2023 1{row % 9}:00:00" for row in range(rows)]
    return {
        "Respondent ID": [1_000_000_000 + row * 37 for row in range(rows)],
        "Collector ID": [4411 + row % 2 for row in range(rows)],
        "Date Created": days,
        "Date Modified": days,
        "IP Address": [f"10.0.{row % 5}.7" for row in range(rows)],
    }


PROGRAMS = (
    of_limesurvey,
    *IN_OTHER_LANGUAGES,
    of_redcap,
    of_redcap_by_study_id,
    of_redcap_in_words,
    of_kobo,
    of_kobo_household_members,
    of_surveymonkey,
)


def exported(program: Callable[[int], dict[str, list[object]]], path: Path) -> Path:
    """Write an export of 70 answers: the columns of a survey program around those that were answered."""
    values = {"age": [row * row % 47 + 18 for row in range(70)], "Q2": [row % 5 + 1 for row in range(70)]}
    pandas.DataFrame({**program(70), **values}).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("program", PROGRAMS)
def test_columns_of_other_survey_programs_are_no_features(
    program: Callable[[int], dict[str, list[object]]], tmp_path: Path
) -> None:
    path = exported(program, tmp_path / "answers.csv")
    dataset = engine.read_dataset(path, ["Q2"])
    assert engine.prepare(dataset).features == ("age",)
    last = list(program(70))[-1]
    kept = engine.prepare(dataset, engine.PreparationSettings(keep=(last,)))
    assert set(kept.features) == {"age", last}


@pytest.mark.parametrize(
    "program",
    [of_limesurvey, *IN_OTHER_LANGUAGES, of_redcap, of_redcap_by_study_id, of_redcap_in_words],
)
def test_unfinished_answers_are_left_out_when_asked(
    program: Callable[[int], dict[str, list[object]]], tmp_path: Path
) -> None:
    path = exported(program, tmp_path / "answers.csv")
    reading = read_table(path)
    (note,) = (issue for issue in reading.issues if issue.topic == "unfinished")
    assert reading.dataset.row_count == 70 and "10 rows" in note.message
    finished = [row * row % 47 + 18 for row in range(70) if row % 7]
    left = read_table(path, options=ReadingOptions(unfinished="drop"))
    assert values_of(left, "age") == finished and "unfinished" not in topics_of(left)
    assert engine.read_dataset(path, unfinished="drop").row_count == 60


def test_a_card_leaves_unfinished_answers_out_with_a_way_back(tmp_path: Path) -> None:
    path, plain = exported(of_limesurvey, tmp_path / "answers.csv"), ReadingOptions()
    (unfinished,) = (
        doubt for doubt in doubts_of(read_table(path), plain) if doubt.title == "Unfinished answers"
    )
    assert unfinished.is_to_check
    (leave_out,) = unfinished.changes
    options = ReadingOptions(**{leave_out.name: leave_out.value})
    reading = read_table(path, options=options)
    (told,) = (doubt for doubt in doubts_of(reading, options) if doubt.title == "Unfinished answers")
    assert reading.dataset.row_count == 60 and told.is_settled and "10 rows" in told.text
    (back,) = told.changes
    assert ReadingOptions(**{back.name: back.value}) == plain


def test_a_table_that_shares_some_names_is_no_export(tmp_path: Path) -> None:
    rows = range(60)
    frame = pandas.DataFrame(
        {
            "patient": [f"P{row}" for row in rows],
            "chemo_complete": [row % 3 for row in rows],
            "start": [row * 13 % 41 for row in rows],
            "end": [row * 17 % 43 for row in rows],
            "status": [row % 4 for row in rows],
            "ill": ["yes" if row % 2 else "no" for row in rows],
        }
    )
    frame.to_csv(tmp_path / "a.csv", index=False)
    assert "unfinished" not in topics_of(read_table(tmp_path / "a.csv"))
    table = engine.prepare(engine.read_dataset(tmp_path / "a.csv", ["ill"]))
    assert {"chemo_complete", "start", "end", "status"} <= set(table.features)


def test_keys_alone_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([ROWS[0], *ROWS[2:]])
    reading = read_table(path)
    assert reading.dataset.row_count == 18 and "1 row" in reading.issues[0].message


def write_rows(path: Path, rows: list[list[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_a_second_row_of_names_is_pointed_out(tmp_path: Path) -> None:
    """SurveyMonkey writes what may be ticked below each question, and nothing below an identifier."""
    names = ["Respondent ID", "How old are you?", "What do you like?", ""]
    below = ["", "Open-Ended Response", "Tea", "Coffee"]
    answers = [[1000 + 7 * row, 20 + row, "Tea", "Coffee"] for row in range(30)]
    reading = read_table(write_rows(tmp_path / "a.csv", [names, below, *answers]))
    assert reading.dataset.row_count == 31
    (note,) = (issue for issue in reading.issues if issue.topic == "second-names")
    assert "with 'Open-Ended Response'" in note.message and "take it out of the file" in note.message
    without = read_table(write_rows(tmp_path / "b.csv", [names, *answers]))
    assert "second-names" not in topics_of(without) and values_of(without, names[1])[0] == 20


@pytest.mark.parametrize(
    "below",
    [
        ["text", "in mmHg", "in mg/dl", "0 = no"],
        ["Char", "Num", "Num", "Num"],
        ["Code", "Druck", "LDL", "Angst"],
    ],
)
def test_a_second_row_of_names_above_several_numbers_is_left_out(below: list[str], tmp_path: Path) -> None:
    rows = [
        ["code", "sbp", "ldl", "ill"],
        below,
        *([f"K{row}", 110 + row, row / 7, row % 2] for row in range(30)),
    ]
    reading = read_table(path := write_rows(tmp_path / "a.csv", rows))
    assert reading.dataset.names == ("code", "sbp", "ldl", "ill") and reading.dataset.row_count == 30
    (note,) = (issue for issue in reading.issues if issue.topic == "no-cases")
    assert f"with '{below[1]}'" in note.message
    kept = read_table(path, options=ReadingOptions(other_rows="keep"))
    assert kept.dataset.row_count == 31


@pytest.mark.parametrize("first", ["<0.5", "NA", "7"])
def test_a_first_row_of_values_is_no_second_row_of_names(first: str, tmp_path: Path) -> None:
    rows = [["dose", "sex"], [first, "male"], *([row / 2, "female"] for row in range(30))]
    assert "second-names" not in topics_of(read_table(write_rows(tmp_path / "a.csv", rows)))


@pytest.mark.parametrize("has_index", [False, True])
def test_two_rows_of_names_as_pandas_writes_them(has_index: bool, tmp_path: Path) -> None:
    frame = pandas.DataFrame(
        [[row / 7, row / 3, row / 9, row / 2] for row in range(20)],
        columns=pandas.MultiIndex.from_product([["before", "after"], ["mean", "sd"]]),
    )
    frame.to_csv(tmp_path / "a.csv", index=has_index)
    reading = read_table(tmp_path / "a.csv")
    assert reading.dataset.names[-4:] == ("before mean", "before sd", "after mean", "after sd")
    assert reading.dataset.row_count == 20 and values_of(reading, "after sd") == frame["after", "sd"].tolist()
