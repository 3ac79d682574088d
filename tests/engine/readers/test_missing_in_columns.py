"""What means missing belongs to a column: it is suspected there, added there, and taken back there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.errors import InvalidParameter
from engine.readers import Reading, read_table
from engine.readers.options import ReadingOptions
from engine.table.variable import Kind
from engine.terminal import main
from tests.examples import fifty
from tests.misread_columns import CodedTable, with_missing_codes


def _read(path: Path, **options: object) -> Reading:
    return read_table(path, options=ReadingOptions(**options))  # type: ignore[arg-type]


def _suspected(reading: Reading) -> dict[str, set[str]]:
    return {note.variable: set(note.examples) for note in reading.issues if note.topic == "suspected-missing"}


@pytest.mark.parametrize(
    ("file", "suspected"),
    [
        ("code_99_elsewhere_valid.csv", {"trust": {"99"}}),
        ("na_and_999.csv", {"age": {"999"}}),
        ("negative_codes.csv", {name: {"-9", "-8", "-2", "-1"} for name in ("income", "hours", "pain")}),
        ("unknown_label.csv", {"hiv": {"Unknown"}}),
        (
            "survey_partly_named.sav",
            {"income": {"-9", "-8"}, "hours": {"97", "98"}, "smoke": {"missing"}, "marital": {"no answer"}},
        ),
    ],
)
def test_misread_tables(shared_data: Path, file: str, suspected: dict[str, set[str]]) -> None:
    path = shared_data / "door" / file
    before = _read(path)
    assert _suspected(before) == suspected
    told = tuple(f"{name}={code}" for name, codes in suspected.items() for code in codes)
    after = _read(path, also_missing=told)
    assert not _suspected(after)
    for name in before.dataset.names:
        same = before.dataset.missing_count(name) == after.dataset.missing_count(name)
        assert same is (name not in suspected)
    if "pain" in suspected:
        assert after.dataset.variable("pain").levels == ("0", "1")


def test_99_stays_a_weight(shared_data: Path) -> None:
    dataset = _read(shared_data / "door" / "code_99_elsewhere_valid.csv", also_missing=["trust=99"]).dataset
    assert (
        dataset.missing_count("trust") == 41
        and dataset.column("trust")[~np.isnan(dataset.column("trust"))].max() == 10
    )
    assert dataset.missing_count("weight") == dataset.missing_count("glucose") == 0


def test_a_code_adds_to_the_usual_ones(shared_data: Path) -> None:
    path = shared_data / "door" / "na_and_999.csv"
    usual, added = _read(path).dataset, _read(path, also_missing=["999"]).dataset
    assert added.missing_count("age") == 27
    assert added.missing_count("bmi") == usual.missing_count("bmi") == 21
    assert added.missing_count("height") == usual.missing_count("height") == 22
    alone = _read(path, missing_codes=["999"]).dataset
    assert alone.variable("bmi").kind is Kind.NOMINAL


def test_na_may_be_a_value(shared_data: Path) -> None:
    path = shared_data / "door" / "NA_region.csv"
    reading = _read(path)
    note = next(note for note in reading.issues if note.topic == "na-as-value")
    assert note.variable == "region" and "NA stands 90 times" in note.message
    kept = _read(path, not_missing=["region=NA"])
    assert kept.dataset.variable("region").levels == ("AS", "EU", "NA", "SA")
    assert not [note for note in kept.issues if note.topic == "na-as-value"]


def test_na_is_no_doubt_where_it_can_be_none(tmp_path: Path) -> None:
    path = tmp_path / "sex.csv"
    path.write_text("sex,grade,x\n" + "M,A,1\nF,NA,2\nNA,B,NA\n" * 20)
    assert not [note for note in _read(path).issues if note.topic == "na-as-value"]


def test_missing_codes_are_suspected_in_many_forms(tmp_path: Path) -> None:
    tables = [with_missing_codes(seed) for seed in fifty()]
    right = [_is_right(table, tmp_path / f"{place}.csv") for place, table in enumerate(tables)]
    assert sum(right) >= 0.96 * len(fifty()), [
        (place, table.codes) for place, table in enumerate(tables) if not right[place]
    ]


def _is_right(table: CodedTable, path: Path) -> bool:
    path.write_text(table.text, encoding="utf-8")
    reading = _read(path)
    told: dict[str, set[str]] = _suspected(reading)
    for note in reading.issues:
        if note.topic == "missing-code":
            told.setdefault(note.columns[0], set()).update(note.examples)
        if note.topic == "text-among-numbers":
            told.setdefault(note.variable, set()).update(note.examples)
    return told == {table.column: set(table.codes)}


@pytest.mark.parametrize(("name", "first"), [("children", 1), ("visits to a doctor", 0), ("x", 0)])
def test_a_single_large_count_is_no_missing_code(name: str, first: int, tmp_path: Path) -> None:
    rows = [*([first, first + 1, first + 2, first + 3] * 30), 9]
    path = tmp_path / "counts.csv"
    path.write_text(f"{name},ill\n" + "".join(f"{count},{row % 2}\n" for row, count in enumerate(rows)))
    topics = {note.topic for note in read_table(path).issues if note.variable == name}
    assert "suspected-missing" not in topics


def test_large_counts_and_changes_are_no_missing_codes(tmp_path: Path) -> None:
    """A count of 9 beside 0 to 6 is a tail, and -1 below 0 to 8 is a change."""
    random = np.random.default_rng(7)
    columns = {
        "visits": [*random.poisson(1.5, 296).clip(0, 6), 6, 6, 9, 9],
        "change": random.integers(-1, 9, 300),
        "score": random.normal(0, 1, 300).round(2).clip(-1, 3),
        "percent": random.integers(0, 100, 300),
        "censored": np.minimum(random.exponential(60, 300).round(), 99),
        "sign": random.choice(["+", "-", "++"], 300),
        "ticked": random.choice(["x", "-"], 300),
    }
    names = list(columns)
    rows = zip(*columns.values(), strict=True)
    path = tmp_path / "harmless.csv"
    path.write_text("\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]))
    assert not _suspected(_read(path))


def test_named_values_apart_from_the_others_may_mean_missing(tmp_path: Path) -> None:
    """A filter of a survey has a name that means no refusal: 96, not employed."""
    import pandas
    import pyreadstat

    random = np.random.default_rng(3)
    jobs = np.where(random.random(150) < 0.1, random.choice([-1, 96], 150), random.integers(1, 11, 150))
    frame = pandas.DataFrame({"job": jobs, "happy": random.integers(0, 11, 150)}).astype(float)
    names = {"job": {-1.0: "no filter", 96.0: "not employed"}, "happy": {0.0: "worst", 10.0: "best"}}
    pyreadstat.write_sav(frame, str(tmp_path / "jobs.sav"), variable_value_labels=names)
    assert _suspected(_read(tmp_path / "jobs.sav")) == {"job": {"-1", "96"}}


def test_na_beside_another_word_for_missing_is_suspected_too(tmp_path: Path) -> None:
    import pandas

    path = tmp_path / "schooling.dta"
    levels = pandas.Categorical(["primary", "higher", "DK", "NA"] * 20)
    pandas.DataFrame({"schooling": levels}).to_stata(path)
    assert _suspected(_read(path)) == {"schooling": {"DK", "NA"}}


def test_a_code_of_one_column_is_looked_for_in_others(tmp_path: Path) -> None:
    chance = np.random.default_rng(5)
    change, score = chance.normal(0, 1.6, 200).round(1), chance.integers(-9, 10, 200)
    pain = chance.integers(0, 101, 200)
    change[::14], pain[3::14] = -9, -9
    path = tmp_path / "changes.csv"
    rows = zip(pain.tolist(), change.tolist(), score.tolist(), strict=True)
    path.write_text("pain,change,score\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    suspected = _suspected(_read(path))
    assert suspected == {"pain": {"-9"}, "change": {"-9"}}, "a score may be -9"
    assert _suspected(_read(path, also_missing=["pain=-9"])) == {"change": {"-9"}}
    assert not _suspected(_read(path, also_missing=["pain=-9"], not_missing=["change=-9"]))


def test_what_stands_in_a_third_of_the_cells_is_a_value(tmp_path: Path) -> None:
    changes = np.random.default_rng(3).choice([-9, -6, -2, -1, 0, 1, 2, 4, 9], 200)
    path = tmp_path / "changes.csv"
    path.write_text("delta,ill\n" + "".join(f"{value},{row % 2}\n" for row, value in enumerate(changes)))
    assert not _suspected(_read(path))


@pytest.mark.parametrize(
    "word",
    [
        *("unk", "DK", "n/k", "o. A.", "Refus de répondre", "declined", "b.d.", "undisclosed", "not tested"),
        *("(blank)", "--", "не знаю", "затрудняюсь ответить", "нет данных", "vet ej", "ej svar"),
        *("Vet ikke", "Ei tietoa", "bilmiyorum", "拒答"),
    ],
)
def test_short_words_that_mean_missing_are_suspected(word: str, tmp_path: Path) -> None:
    path = tmp_path / "smoker.csv"
    path.write_text("smoker,n\n" + "".join(f"{cell},1\n" for cell in ["yes", "no", "never", word] * 9))
    assert _suspected(_read(path)) == {"smoker": {word}}
    path.write_text("land,n\n" + "".join(f"{cell},1\n" for cell in ["SE", "NO", "FI", "DK"] * 9))
    assert not _suspected(_read(path))


@pytest.mark.parametrize(
    "levels", ["Y N U", "Y N 9", "yes no unknown 9", "j n u", "m f U", "pos neg 99", "1 0 U", "ja nein 8 9"]
)
def test_a_third_answer_beside_yes_and_no_may_mean_missing(levels: str, tmp_path: Path) -> None:
    words = levels.split()
    reading = _read(_table({"q": words * 20, "n": range(20 * len(words))}, tmp_path / "a.csv"))
    assert _suspected(reading) == {"q": set(words[2:])}


@pytest.mark.parametrize("levels", ["A B 7", "S M 9 L 11", "N E U", "A C G U", "u v w"])
def test_other_short_categories_mean_nothing_missing(levels: str, tmp_path: Path) -> None:
    words = levels.split()
    reading = _read(_table({"q": words * 20, "n": range(20 * len(words))}, tmp_path / "a.csv"))
    assert not _suspected(reading)


def test_codes_of_one_digit_repeated_are_suspected_however_frequent(tmp_path: Path) -> None:
    random = np.random.default_rng(88)
    days = random.integers(1, 31, 200)
    days[random.random(200) < 0.5] = 88
    days[:4] = 77, 99, 99, 77
    weights = random.choice([70, 77, 82, 88, 88, 88, 93, 99], 200)
    reading = _read(_table({"days": days, "weight": weights}, tmp_path / "a.csv"))
    assert _suspected(reading) == {"days": {"77", "88", "99"}}


def test_dashes_beside_a_word_for_missing_are_suspected_too(tmp_path: Path) -> None:
    cells = pandas.Series(["a", "b", "--", "n/d"] * 20)
    assert _suspected(_read(_table({"status": cells}, tmp_path / "a.csv"))) == {"status": {"--", "n/d"}}
    cells = pandas.Series(["+", "-", "unknown"] * 20)
    assert _suspected(_read(_table({"status": cells}, tmp_path / "b.csv"))) == {"status": {"unknown"}}


def test_a_guess_is_taken_back_in_its_column(tmp_path: Path) -> None:
    path = tmp_path / "cold.csv"
    path.write_text("a,b\n" + "".join(f"{i % 7},{-99 if i % 9 == 0 else i % 5}\n" for i in range(90)))
    assert _read(path).dataset.missing_count("b") == 10
    assert _read(path, not_missing=["b=-99"]).dataset.missing_count("b") == 0


def test_a_column_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("trust,b\n1,2\n3,4\n")
    with pytest.raises(InvalidParameter, match="no column is named 'trus'\\. Did you mean 'trust'"):
        engine.read_dataset(path, also_missing=["trus=99"])
    assert engine.read_dataset(path, also_missing=["=", "trust=3"]).missing_count("trust") == 1
    with pytest.raises(InvalidParameter, match="'trust=' names no value"):
        engine.read_dataset(path, also_missing=["trust="])


def test_terminal_adds_codes_or_takes_these_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("trust,w,bmi\n" + "1,99,NA\n2,98,21\n99,97,22\n" * 12)
    assert main(["inspect", str(path), "--missing-codes", "trust=99"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert "12 (33 %)" in lines["trust"] and "12 (33 %)" in lines["bmi"] and "%" not in lines["w"]
    assert main(["inspect", str(path), "--only-missing-codes", "99"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert "12 (33 %)" in lines["trust"] and "12 (33 %)" in lines["w"] and "NA" in lines["bmi"]


def test_x_among_chromosomes_is_no_missing_value(tmp_path: Path) -> None:
    path = tmp_path / "genes.csv"
    chromosomes = [*map(str, range(1, 23)), "X"] * 4
    lines = [
        f"{chromosome},{20 + row},{'x' if row % 9 == 4 else 40 + row}"
        for row, chromosome in enumerate(chromosomes)
    ]
    path.write_text("\n".join(["chromosome,age,weight", *lines]))
    reading = read_table(path)
    chromosome = reading.dataset.variable("chromosome")
    assert set(chromosome.levels) == set(chromosomes)
    assert reading.dataset.missing_count("chromosome") == 0
    assert any(note.variable == "chromosome" and "'X'" in note.message for note in reading.issues)
    assert not [note for note in reading.issues if note.variable == "chromosome" and note.examples]
    # Among many numbers that measure something it means missing.
    assert reading.dataset.missing_count("weight") == 10


def _table(columns: dict[str, object], path: Path) -> Path:
    pandas.DataFrame(columns).to_csv(path, index=False)
    return path


def test_survey_codes_beside_a_short_scale_are_suspected(tmp_path: Path) -> None:
    random = np.random.default_rng(71)
    scales = {
        (1, 2): [(7, 9), (7, 8, 9), (-1,)],
        (1, 3): [(7, 9)],
        (0, 1): [(7, 9), (-1,), (-2, -1)],
        (1, 4): [(7, 8, 9), (6, 7, 8, 9)],
        (0, 10): [(66, 77, 88, 99)],
        (1, 5): [(-1,), (-2, -1)],
        (1, 7): [(-1,)],
    }
    columns, expected = {}, {}
    for (low, high), sets in scales.items():
        for codes in sets:
            name = f"q{len(columns)}"
            is_coded = random.random(300) < 0.12
            columns[name] = np.where(is_coded, random.choice(codes, 300), random.integers(low, high + 1, 300))
            expected[name] = {str(code) for code in codes}
    columns["visits"] = np.where(random.random(300) < 0.06, -1, random.poisson(2, 300))
    path = _table(columns, tmp_path / "survey.csv")
    assert _suspected(_read(path)) == expected | {"visits": {"-1"}}


def test_counts_scores_and_changes_hold_no_survey_codes(tmp_path: Path) -> None:
    random = np.random.default_rng(72)
    columns = {
        "household": [
            *random.choice([1, 2, 3, 4], 290, p=[0.4, 0.4, 0.17, 0.03]),
            *[5] * 4,
            4,
            4,
            4,
            7,
            7,
            9,
        ],
        "goals": [*random.poisson(1.2, 294).clip(0, 4), 5, 5, 7, 7, 9, 9],
        "pain": random.integers(0, 11, 300),
        "odd": random.choice([1, 3, 5, 7, 9], 300),
        "choice": random.choice([-2, -1, 1, 2], 300),
        "step": random.normal(1, 1, 300).round().clip(-1, 4),
        **{f"snp{i}": random.binomial(2, 0.7, 300) - 1 for i in range(5)},
    }
    assert _suspected(_read(_table(columns, tmp_path / "harmless.csv"))) == {}


def test_what_goes_on_below_zero_is_no_survey_code_in_few_rows(tmp_path: Path) -> None:
    """Changes leave some numbers out where rows are few; of genotypes, one shows that -1 is a value."""
    times_asked = 0
    for seed in range(40):
        random = np.random.default_rng(7300 + seed)
        columns = {f"item {width}": random.normal(width / 3, width, 40).round() for width in (1, 2, 3, 4)}
        columns |= {
            f"locus {share}": random.binomial(2, share, 40) - 1
            for share in (0.4, *random.uniform(0.5, 0.9, 3).round(3))
        }
        columns |= {f"ill {place}": random.integers(0, 2, 40) for place in range(9)}
        times_asked += bool(_suspected(_read(_table(columns, tmp_path / "harmless.csv"))))
    assert times_asked <= 6


def test_notes_name_what_python_is_told_with(tmp_path: Path) -> None:
    path = tmp_path / "trust.csv"
    path.write_text("trust,n\n" + "".join(f"{row % 9 or 99},{row}\n" for row in range(90)), encoding="utf-8")
    (note,) = engine.read_dataset(path).notes
    assert "also_missing=['trust=99']" in note.message
    assert engine.read_dataset(path, also_missing=["trust=99"]).notes == ()


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([*range(40)] * 4, {-77: 9, -66: 7}),
        ([0.5, 2.25, 8.5, 12.0, 31.5] * 30, {-55: 8, -44: 5}),
        ([1, 2, 3, 4, 5] * 30, {-99: 4, -88: 4, -77: 4, -66: 4}),
        # A single cell of a further code says little alone.
        ([0, 1] * 80, {88: 9, 99: 1}),
        ([0, 1] * 80, {77: 6, 88: 9, 99: 1}),
    ],
)
def test_codes_beside_each_other_are_suspected_at_once(
    values: list[float], codes: dict[int, int], tmp_path: Path
) -> None:
    cells = [*values, *(code for code, count in codes.items() for _ in range(count))]
    frame = pandas.DataFrame({"hours": cells, "glucose": [100 + row % 90 for row in range(len(cells))]})
    frame.to_csv(tmp_path / "table.csv", index=False)
    assert _suspected(_read(tmp_path / "table.csv")) == {"hours": {str(code) for code in codes}}


def test_repeated_digits_below_zero_are_values_where_others_are(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    changes = rng.normal(0, 40, 200).round()
    changes[:9] = [-77, -66] * 4 + [-77]
    pandas.DataFrame({"change": changes, "alone": [-66, *range(199)]}).to_csv(tmp_path / "t.csv", index=False)
    assert _suspected(_read(tmp_path / "t.csv")) == {}


@pytest.mark.parametrize("form", ["{} - {}", "{} = {}", "({}) {}", "{}. {}", "{}:{}"])
@pytest.mark.parametrize("word", ["Refused", "keine Angabe", "ne sait pas"])
def test_a_code_before_a_word_for_missing_changes_nothing(form: str, word: str, tmp_path: Path) -> None:
    levels = [form.format(code, text) for code, text in ((1, "male"), (2, "female"), (9, word))]
    frame = pandas.DataFrame({"gender": levels * 20, "age": range(60)})
    frame.to_csv(tmp_path / "coded.csv", index=False)
    notes = [note for note in read_table(tmp_path / "coded.csv").issues if note.topic == "suspected-missing"]
    assert [(note.variable, note.examples) for note in notes] == [("gender", (levels[2],))]
