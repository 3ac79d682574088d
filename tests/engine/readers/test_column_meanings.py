"""What a column means is offered: ticks, codes of kinds, several answers, an order, limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyreadstat
import pytest

import engine
from clcd_gui.document.doubts import doubts_of
from engine.errors import InvalidData, InvalidParameter
from engine.readers import Reading, read_table
from engine.readers.options import ReadingOptions
from engine.readers.ordered_words import proposed_order
from engine.table.numbered_within import grouped_by_identifier
from engine.table.variable import Kind
from engine.terminal import main
from tests import misread_columns as misread
from tests.examples import fifty


def _read(frame: pandas.DataFrame, folder: Path, **options: Any) -> Reading:
    path = folder / "table.csv"
    frame.to_csv(path, index=False)
    return read_table(path, options=ReadingOptions(**options))


def _told(reading: Reading, topic: str) -> set[str]:
    return {note.variable for note in reading.issues if note.topic == topic}


def test_ticks_of_the_misread_table(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shared_data / "door" / "ticks.csv"
    assert _told(read_table(path), "ticks") == {"pain", "cough"}
    assert main(["discover", str(path), "--labels", "pain,cough", "--out", str(tmp_path / "a")]) == 2
    assert "--empty-means-no" in capsys.readouterr().err
    given = [str(path), "--labels", "pain,cough", "--empty-means-no", "pain", "--empty-means-no", "cough"]
    assert main(["discover", *given, "--out", str(tmp_path / "b")]) == 0
    dataset = engine.read_dataset(path, labels=["pain", "cough"], empty_means_no=["pain", "cough"])
    assert [dataset.variable(name).event for name in ("pain", "cough")] == ["x", "x"]
    assert "dose" in (tmp_path / "b" / "common.csv").read_text(encoding="utf-8")


def test_groups_named_in_their_first_row_are_offered_and_filled_down(tmp_path: Path) -> None:
    wrong = []
    for seed in range(30):
        frame, in_each_row = misread.with_groups_named_once(seed)
        names = tuple(in_each_row)
        if _told(_read(frame, tmp_path), "named-once") != set(names):
            wrong.append(seed)
        filled = _read(frame.assign(**in_each_row), tmp_path).dataset
        dataset = _read(frame, tmp_path, filled_down=names).dataset
        assert [dataset.variable(name) for name in names] == [filled.variable(name) for name in names]
        assert all((dataset.column(name) == filled.column(name)).all() for name in names)
    assert len(wrong) <= 1, wrong


def test_gaps_by_chance_are_no_groups_named_once(tmp_path: Path) -> None:
    offered = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        frame = pandas.DataFrame({"age": random.integers(20, 80, 120)})
        for name in ("remark", "relapse", "drug"):
            text = np.array([f"{name} {row}" for row in random.integers(0, 40, 120)], dtype=object)
            frame[name] = np.where(random.random(120) < random.uniform(0.02, 0.4), text, None)
        frame["weekly"] = np.where(np.arange(120) % 7, np.nan, random.normal(70, 9, 120).round(1))
        offered += bool(_told(_read(frame, tmp_path), "named-once"))
    assert offered <= 3


def test_groups_of_a_label_table_are_filled_down_before_it_is_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = range(40)
    data = pandas.DataFrame({"id": [f"p{row}" for row in rows], "dose": [row * 7 % 23 for row in rows]})
    arm = [("a" if row < 20 else "b") if row % 20 == 0 else None for row in rows]
    labels = pandas.DataFrame({"arm": arm, "id": data["id"], "ill": [row % 2 for row in rows]})
    data.iloc[::-1].to_csv(tmp_path / "data.csv", index=False)
    labels.to_csv(tmp_path / "labels.csv", index=False)
    paths = tmp_path / "data.csv", tmp_path / "labels.csv"
    dataset = engine.read_dataset(*paths, filled_down=["arm"])
    assert dataset.column("arm").tolist() == [int(row < 20) for row in rows]
    with pytest.raises(InvalidParameter, match=r"filled_down.*'ward'"):
        engine.read_dataset(*paths, filled_down=["ward"])
    assert main(["inspect", str(tmp_path / "labels.csv")]) == 0
    assert "--filled-down arm" in capsys.readouterr().out
    assert main(["inspect", str(tmp_path / "labels.csv"), "--filled-down", "arm"]) == 0
    assert "--filled-down arm" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "missing"),
    [("occupation", 9), ("Beruf", 9), ("país", 99), ("ward", 9), ("职业", 99), ("zawód", 9)],
)
def test_codes_of_kinds_are_asked_about_beside_what_may_mean_missing(
    name: str, missing: int, tmp_path: Path
) -> None:
    random = np.random.default_rng(missing)
    kinds = random.choice([1, 2, 3, 4, 5, 6, 7, missing], 200, p=[0.1, 0.2, 0.05, 0.2, 0.15, 0.1, 0.1, 0.1])
    likert = random.choice([1, 2, 3, 4, 5, missing], 200, p=[0.15, 0.2, 0.25, 0.2, 0.15, 0.05])
    reading = _read(pandas.DataFrame({name: kinds, "trust": likert}), tmp_path)
    assert _told(reading, "suspected-missing") == {name, "trust"}
    assert _told(reading, "nominal-codes") == {name}
    declined = _read(pandas.DataFrame({name: kinds}), tmp_path, not_missing=[f"{name}={missing}"])
    assert _told(declined, "nominal-codes") == {name}


@pytest.mark.parametrize("no", ["0", "no", "Nein", "FALSE"])
def test_no_or_nothing_is_no_tick(no: str, tmp_path: Path) -> None:
    frame = pandas.DataFrame({"noted": [no, None] * 20, "x": range(40)})
    assert not _told(_read(frame, tmp_path), "ticks")
    noted = _read(frame, tmp_path, empty_means_no=["noted"]).dataset.variable("noted")
    assert noted.levels == (no,), "the event is not called no"


def test_ticks_are_offered_in_many_forms(tmp_path: Path) -> None:
    right = 0
    for seed in fifty():
        frame, names, mark = misread.with_ticks(seed)
        offered = _told(_read(frame, tmp_path), "ticks")
        dataset = _read(frame, tmp_path, empty_means_no=names).dataset
        read = all(dataset.variable(name).event == mark and not dataset.missing_count(name) for name in names)
        filled = all(dataset.variable(name).level_count == 2 for name in names)
        right += offered == set(names) and read and filled
    assert right >= 0.96 * len(fifty())


def test_an_empty_cell_cannot_mean_no_beside_many_numbers(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"age": [*range(30, 70), None]})
    with pytest.raises(InvalidData, match="cannot mean “no”"):
        _read(frame, tmp_path, empty_means_no=["age"])


def test_codes_of_kinds_are_asked_about(shared_data: Path) -> None:
    path = shared_data / "door" / "codes_1_to_9.csv"
    reading = read_table(path)
    assert _told(reading, "nominal-codes") == {"ISCO", "country"}
    assert reading.dataset.variable("ISCO").kind is Kind.CONTINUOUS
    told = read_table(path, options=ReadingOptions(categories=("ISCO", "country")))
    assert not _told(told, "nominal-codes")
    assert told.dataset.variable("country").kind is Kind.NOMINAL


def test_codes_of_kinds_are_told_from_quantities_in_many_forms(tmp_path: Path) -> None:
    right = 0
    for seed in range(2 * len(fifty())):
        frame, name = misread.with_nominal_codes(seed)
        reading = _read(frame, tmp_path)
        are_kinds = {
            variable.name
            for variable in reading.dataset.variables
            if variable.levels[2:] and not variable.ordered
        }
        right += are_kinds | _told(reading, "nominal-codes") == ({name} if name else set())
    assert right >= 0.96 * 2 * len(fifty())


def test_quantities_are_not_taken_for_codes(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    education = random.choice([8, 10, 11, 12, 14, 16, 17], 600, p=[0.1, 0.1, 0.1, 0.4, 0.1, 0.15, 0.05])
    bought = np.where(random.random(600) < 0.6, 0, random.choice([1, 2, 3, 4, 5, 7], 600))
    spent = np.where(random.random(600) < 0.05, 27, np.minimum(random.poisson(9, 600), 25))
    frame = pandas.DataFrame(
        {
            "educ": education,
            "bought": bought,
            "spent": spent,
            "MPG.city": random.integers(15, 40, 600),
            "school": random.binomial(17, 0.6, 600),
        }
    )
    assert _told(_read(frame, tmp_path), "nominal-codes") == set()


def test_several_answers_become_columns_in_many_forms(tmp_path: Path) -> None:
    right = 0
    for seed in fifty():
        frame, name, gave = misread.with_several_answers(seed)
        if _told(_read(frame, tmp_path), "several-answers") != {name}:
            continue
        dataset = _read(frame, tmp_path, several_answers=[name]).dataset
        answers = {column.removeprefix(f"{name}: ") for column in dataset.names if column.startswith(name)}
        right += answers == set(gave) and all(
            (dataset.column(f"{name}: {answer}") == is_so).all() for answer, is_so in gave.items()
        )
    assert right >= 0.96 * len(fifty())


def test_whether_an_empty_cell_means_that_no_answer_was_chosen_is_asked(tmp_path: Path) -> None:
    cells = ["pain", "cough", "pain; cough", "", "pain"] * 12
    frame = pandas.DataFrame({"said": cells, "age": range(60)})
    split = {"several_answers": ["said"]}
    reading = _read(frame, tmp_path, **split)
    assert reading.dataset.missing_count("said: pain") == 12
    (doubt,) = (
        doubt
        for doubt in doubts_of(reading, ReadingOptions(several_answers=("said",)))
        if "12 of 60 rows" in doubt.text
    )
    (change,) = doubt.changes
    assert doubt.is_serious and change.title == "Read empty as none chosen in “said”"
    answered = _read(frame, tmp_path, **split, **{change.name: list(change.value)})
    assert not _told(answered, "empty-answers")
    for answer in ("pain", "cough"):
        assert answered.dataset.column(f"said: {answer}").tolist() == [answer in cell for cell in cells]
    full = _read(frame[frame["said"] != ""], tmp_path, **split)
    assert not _told(full, "empty-answers")


def test_numbers_do_not_hold_several_answers(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match="do not hold several answers"):
        _read(pandas.DataFrame({"age": range(30, 70)}), tmp_path, several_answers=["age"])
    pairs = [f"{row}/{row + 40}" for row in range(80, 120)] + [str(row) for row in range(80, 120)]
    thousands = ["1 200", "2 400", "200", "400"] * 20
    commas = ["1,2", "1,3", "2,1", "1", "2", "3", "4", "2,4"] * 10
    frame = pandas.DataFrame({"pressure": pairs, "cells": thousands, "dose": commas})
    assert not _told(_read(frame, tmp_path), "several-answers")


@pytest.mark.parametrize(
    "kinds",
    [
        ("A", "B", "A/B"),
        ("left", "right", "left and right"),
        ("FOLFOX", "CAPOX", "FOLFOX + Bev"),
        ("A", "B", "AB", "0"),
        ("AA", "AB", "BB"),
        ("non-smoker", "ex-smoker", "smoker"),
        ("1-5", "6-10", "11-15"),
        ("A", "B", "C"),
        ("rock and roll", "jazz", "folk"),
        ("Bosnia and Herzegovina", "Trinidad and Tobago", "Serbia"),
    ],
)
def test_kinds_of_two_words_are_no_several_answers(kinds: tuple[str, ...], tmp_path: Path) -> None:
    frame = pandas.DataFrame({"kind": [*kinds] * 30, "age": range(30 * len(kinds))})
    assert not _told(_read(frame, tmp_path), "several-answers")


def test_answers_that_look_like_a_word_for_missing_are_answers(tmp_path: Path) -> None:
    """ "B,D" is no "b.d.", which means missing."""
    cells = ["A", "B", "C", "D", "B,D", "A,B,D", "A,C"] * 20
    reading = _read(pandas.DataFrame({"ch": cells, "age": range(140)}), tmp_path)
    assert _told(reading, "several-answers") == {"ch"} and not _told(reading, "suspected-missing")


def test_a_label_of_several_answers_means_all_its_columns(tmp_path: Path) -> None:
    """The terminal prints the option, and what is pasted must work."""
    cells = ["pain", "cough", "pain; cough", "none"] * 30
    frame = pandas.DataFrame({"dep": cells, "age": range(120)})
    reading = _read(frame, tmp_path, several_answers=["dep"])
    path = tmp_path / "table.csv"
    dataset = engine.read_dataset(path, labels=["dep"], several_answers=["dep"])
    assert dataset.labels == ("dep: cough", "dep: pain") == reading.dataset.names[:2]
    assert main(["inspect", str(path), "--labels", "dep", "--several-answers", "dep"]) == 0


def test_answers_can_be_labels(tmp_path: Path) -> None:
    frame, name, gave = misread.with_several_answers(3)
    frame.to_csv(tmp_path / "table.csv", index=False)
    labels = [f"{name}: {answer}" for answer in gave]
    dataset = engine.read_dataset(tmp_path / "table.csv", labels=labels, several_answers=[name])
    assert dataset.labels and set(dataset.labels) == set(labels)


def test_columns_of_answers_that_are_there_are_not_made_again(tmp_path: Path) -> None:
    frame, name, gave = misread.with_several_answers(3)
    first, *others = gave
    frame[f"{name}/{first}"] = gave[first].astype(int)
    (note,) = (note for note in _read(frame, tmp_path).dataset.notes if note.topic == "several-answers")
    assert f"'{name}/{first}'" in note.message
    names = set(_read(frame, tmp_path, several_answers=[name]).dataset.names) - set(frame)
    assert names == {f"{name}: {answer}" for answer in others}
    # A column of that name that says something else is none of answers.
    frame[f"{name}/{first}"] = 1 - frame[f"{name}/{first}"]
    names = set(_read(frame, tmp_path, several_answers=[name]).dataset.names) - set(frame)
    assert names == {f"{name}: {answer}" for answer in gave}


def test_an_order_is_proposed_in_many_forms(tmp_path: Path) -> None:
    right = 0
    for seed in fifty():
        frame, order = misread.with_order(seed)
        offered = _told(_read(frame, tmp_path), "order")
        variable = _read(frame, tmp_path, ordered=["answer"]).dataset.variable("answer")
        right += offered == {"answer"} and variable.ordered and variable.levels == order
    assert right >= 0.96 * len(fifty())


@pytest.mark.parametrize(
    "kinds",
    [
        ("1 = Bonn", "2 = Rome", "3 = Oslo"),
        ("Site A", "Site B", "Site C"),
        ("Hepatitis A", "Hepatitis B", "Hepatitis C"),
        ("Group 1", "Group 2", "Group 3"),
        ("Visit 1", "Visit 2", "Ward 3"),
        ("7a", "8", "9b", "10"),
        ("heart pain", "back pain", "head pain"),
        ("S", "W", "D", "M"),
        ("red", "some", "blue"),
        ("+", "x", "o"),
    ],
)
def test_kinds_have_no_order(kinds: tuple[str, ...], tmp_path: Path) -> None:
    frame = pandas.DataFrame({"kind": [*kinds] * 30, "age": range(30 * len(kinds))})
    assert not _told(_read(frame, tmp_path), "order")


@pytest.mark.parametrize(
    "name",
    [
        "I am satisfied with my job",
        "How often do you leave the country",
        "I like people of my type",
        "I know my code",
        "I trust my group",
        "Zufriedenheit mit dem Beruf",
        "Emploi",
    ],
)
def test_answers_by_degree_have_an_order_whatever_the_question_names(name: str, tmp_path: Path) -> None:
    degrees = ["Never", "Rarely", "Sometimes", "Often", "Always"]
    frame = pandas.DataFrame({name: degrees * 30, "age": range(150)})
    assert _told(_read(frame, tmp_path), "order") == {name}


def test_words_that_say_which_kind_have_no_order_below_a_name_of_kinds(tmp_path: Path) -> None:
    columns = {"sector": ["primary", "secondary", "tertiary"], "batch": ["first", "second", "third"]}
    frame = pandas.DataFrame({**{name: [*kinds] * 30 for name, kinds in columns.items()}, "age": range(90)})
    assert not _told(_read(frame, tmp_path), "order")
    renamed = frame.rename(columns={"sector": "answer", "batch": "reply"})
    assert _told(_read(renamed, tmp_path), "order") == {"answer", "reply"}


@pytest.mark.parametrize(
    "ordered",
    [
        ["Less than 1 hour", "1-2 hours", "3-4 hours", "5 hours or more"],
        ["less than an hour", "1-2 hours", "3 hours or longer"],
        ["Less than 30 minutes", "30-60 minutes", "1-2 hours", "more than 2 hours"],
        ["less than 1.000 €", "1.000 - 1.999 €", "2.000 - 2.999 €", "3.000 € or more"],
        ["500-999 EUR", "1,000-1,999 EUR", "2,000 EUR or more"],
        ["weniger als 1 Jahr", "1 bis 5 Jahre", "6 bis 10 Jahre", "mehr als 10 Jahre"],
        ["moins d'une heure", "1-2 heures", "3-4 heures", "5 heures ou plus"],
        ["menos de 1 hora", "1-2 horas", "3-4 horas", "5 horas o más"],
        ["meno di 1 ora", "1-2 ore", "3-4 ore", "5 ore o più"],
        ["menos de 1 hora", "1-2 horas", "3-4 horas", "5 horas ou mais"],
        ["minder dan 1 uur", "1-2 uur", "3-4 uur", "5 uur of meer"],
        ["mniej niż 1 godzina", "1-2 godziny", "3-4 godziny", "5 godzin lub więcej"],
        ["менее 1 часа", "1-2 часа", "3-4 часа", "5 часов и более"],
        ["1小时以下", "1-2小时", "3-4小时", "5小时以上"],
        ["1時間未満", "1~2時間", "3~4時間", "5時間以上"],
        ["never", "less than once a week", "1-2 days a week", "3-4 days a week", "every day"],
        ["Never", "Once a week", "2-3 times a week", "4 or more times a week"],
        ["1-3 times a month", "1-2 times a week", "3-4 times a week"],
        ["none", "1-10 cigarettes", "11-20 cigarettes", "more than 20 cigarettes"],
        ["6 months or less", "7-12 months", "more than 12 months"],
        ["1 or 2", "3 or 4", "5 or 6", "7 to 9", "10 or more"],
        ["1 hour", "2 hours", "3 hours", "4 hours or more"],
        ["not at all", "some days", "most days", "every day"],
        ["not at all", "several days", "more than half the days", "every day"],
        ["never", "rarely", "some days", "nearly every day"],
        ["never", "monthly or less", "2-4 times a month", "2-3 times a week", "4 or more times a week"],
        ["once a month", "once a week", "several times a week", "every day", "several times a day"],
        ["nie", "einmal im Monat", "einmal pro Woche", "mehrmals pro Woche", "täglich"],
        ["jamais", "certains jours", "la plupart des jours", "tous les jours"],
        ["very dissatisfied", "somewhat dissatisfied", "neither", "somewhat satisfied", "very satisfied"],
        ["sehr unzufrieden", "eher unzufrieden", "teils/teils", "eher zufrieden", "sehr zufrieden"],
        ["pas du tout satisfait", "plutôt pas satisfait", "plutôt satisfait", "très satisfait"],
        ["muy insatisfecha", "insatisfecha", "satisfecha", "muy satisfecha"],
        ["per niente soddisfatto", "poco soddisfatto", "abbastanza soddisfatto", "molto soddisfatto"],
        ["muito insatisfeito", "insatisfeito", "indiferente", "satisfeito", "muito satisfeito"],
        ["zeer ontevreden", "ontevreden", "neutraal", "tevreden", "zeer tevreden"],
        ["bardzo niezadowolona", "raczej niezadowolona", "raczej zadowolona", "bardzo zadowolona"],
        ["очень недоволен", "недоволен", "доволен", "очень доволен"],
        ["非常不满意", "不满意", "一般", "满意", "非常满意"],
        ["不満", "やや不満", "どちらともいえない", "やや満足", "満足"],
    ],
)
def test_bands_with_units_and_frequencies_have_an_order(ordered: list[str]) -> None:
    assert proposed_order(tuple(sorted(ordered))) == tuple(ordered)
    assert proposed_order(tuple(reversed(ordered))) == tuple(ordered)


@pytest.mark.parametrize(
    "kinds",
    [
        ["30-60 minutes", "1-2 hours", "3-4 apples"],
        ["1 Main Street", "2 Oak Street", "3 Pine Street or more"],
        ["1-2 hours", "2-4 hours", "3-5 hours"],
        ["never", "every day", "other"],
        ["all", "1-2 hours", "3 hours or more"],
    ],
)
def test_bands_that_do_not_compare_have_no_order(kinds: list[str]) -> None:
    assert proposed_order(tuple(kinds)) is None


def test_an_empty_category_has_no_place_in_an_order() -> None:
    assert proposed_order(("", "1", "2", "3 - often")) is None


def test_limits_are_read_as_half_or_as_stated(tmp_path: Path) -> None:
    cells = [f"{value:.1f}" for value in np.linspace(1, 9, 30)] + ["<0.5"] * 4 + [">300", "<LOD"]
    frame = pandas.DataFrame({"crp": cells, "age": range(36)})
    reading = _read(frame, tmp_path)
    assert _told(reading, "limits") == {"crp"} and reading.dataset.variable("crp").kind is Kind.NOMINAL
    half = _read(frame, tmp_path, limits=["crp"]).dataset.column("crp")
    assert half[30:].tolist() == [0.25] * 4 + [300.0, 0.5]
    stated = _read(frame, tmp_path, limits=["crp=0"]).dataset.column("crp")
    assert stated[30:].tolist() == [0.0] * 4 + [300.0, 0.0]
    read = _read(frame, tmp_path, limits=["crp"]).issues
    assert [note.message for note in read if note.topic == "limits-read"] == [
        "Column 'crp' is read as numbers: '<0.5' as 0.25, '<LOD' as 0.5 and '>300' as 300."
    ]


@pytest.mark.parametrize(
    ("limits", "told", "value"),
    [
        ([">900"], "with the limit itself for a value above it.", 900),
        (["40+"], "with the limit itself for a value above it.", 40),
        (["<0.2", ">70"], "with half the limit for a value below, and the limit for one above.", 0.1),
        (["<LLOQ"], "with half the smallest number of the column for these.", 0.5),
        (["BLQ"], "with half the smallest number of the column for these.", 0.5),
        (["below 0.4"], "with half the limit for a value below it.", 0.2),
        (["<0.5 ng/ml"], "with half the limit for a value below it.", 0.25),
        (["kleiner 0,5"], "with half the limit for a value below it.", 0.25),
        (["＜0.5"], "with half the limit for a value below it.", 0.25),
    ],
)
def test_what_is_put_for_a_limit_is_said(limits: list[str], told: str, value: float, tmp_path: Path) -> None:
    cells = [f"{number:.1f}" for number in np.linspace(1, 9, 30)] + limits * 4
    frame = pandas.DataFrame({"lab": cells, "age": range(len(cells))})
    (message,) = (note.message for note in _read(frame, tmp_path).issues if note.topic == "limits")
    assert told in message
    assert _read(frame, tmp_path, limits=["lab"]).dataset.column("lab")[30] == value


@pytest.mark.parametrize(("separator", "decimal"), [(",", "."), (";", ",")])
@pytest.mark.parametrize("stated", ["0.05", "0,05", "1.234"])
def test_a_number_for_limits_is_stated_with_either_mark(
    separator: str, decimal: str, stated: str, tmp_path: Path
) -> None:
    frame = pandas.DataFrame({"lead": [*np.linspace(1, 9, 31).round(2).astype(str), "<LOD", "<LOD"]})
    frame["lead"] = frame["lead"].str.replace(".", decimal)
    frame["pH"] = np.linspace(5, 8, 33).round(2)
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False, sep=separator, decimal=decimal)
    dataset = read_table(path, options=ReadingOptions(limits=(f"lead={stated}",))).dataset
    assert dataset.column("lead")[-1] == float(stated.replace(",", "."))


def test_a_column_without_limits_is_refused(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"dep": [0, 1] * 30, "age": range(60)})
    with pytest.raises(InvalidData, match="holds no limits"):
        _read(frame, tmp_path, limits=["dep=1"])
    with pytest.raises(InvalidParameter, match="categories and numbers at once"):
        _read(frame, tmp_path, limits=["age=1"], categories=["age"])


def test_a_column_of_other_texts_has_no_limits(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"code": [f"w{row}" for row in range(30)] + ["1", "<2"], "age": range(32)})
    with pytest.raises(InvalidData, match="Leave the column as it is"):
        _read(frame, tmp_path, limits=["code"])


def test_plain_tables_need_no_card(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    frame = pandas.DataFrame(
        {
            "platelets": random.normal(250, 60, 300).round(),
            "children": random.poisson(1.5, 300),
            "pain": random.integers(0, 11, 300),
            "arm": random.choice(["drug", "placebo", "none"], 300),
            "diagnosis": random.choice(["heart failure", "stroke", "lung cancer"], 300),
            "ill": random.integers(0, 2, 300),
        }
    )
    topics = {
        "ticks",
        "nominal-codes",
        "several-answers",
        "order",
        "limits",
        "suspected-missing",
        "na-as-value",
    }
    assert not topics & {note.topic for note in _read(frame, tmp_path).issues}


@pytest.mark.parametrize("name", ["doctor_id", "hospital_id"])
def test_numbers_by_which_rows_are_grouped_are_told_of_once(name: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    frame = pandas.DataFrame({name: rng.integers(1, 13, 300), "age": rng.integers(18, 90, 300)})
    dataset = grouped_by_identifier(_read(frame, tmp_path).dataset)
    assert dataset.groups == name
    (note,) = [note for note in dataset.notes if note.variable == name]
    # Of one doctor there are rows of several persons.
    assert "several rows that belong together" in note.message


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *(("groupe sanguin", 4), ("grupa krwi", 8), ("gruppo sanguigno", 8), ("grupo sanguíneo", 4)),
        *(("tipo sanguíneo", 8), ("группа крови", 8), ("kan grubu", 8), ("Blutgruppe", 8), ("blodgrupp", 8)),
        *(("grupo étnico", 7), ("groupe ethnique", 4), ("grupa zawodowa", 9)),
    ],
)
def test_groups_of_blood_or_people_are_kinds(name: str, count: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    frame = pandas.DataFrame({name: rng.integers(1, count + 1, 300), "age": rng.integers(18, 90, 300)})
    reading = _read(frame, tmp_path)
    variable = reading.dataset.variable(name)
    are_kinds = variable.kind is Kind.NOMINAL and not variable.ordered
    assert are_kinds or _told(reading, "nominal-codes") == {name}
    assert grouped_by_identifier(reading.dataset).groups is None


_IN_THE_ORDER_OF_CODES = [
    {1: "never", 2: "less than once a month", 3: "monthly", 4: "weekly"},
    {1: "Never", 2: "1-2 times a year", 3: "Several times a year", 4: "Monthly", 5: "Weekly or more"},
    {0: "nie", 1: "ein- bis zweimal im Jahr", 2: "monatlich", 3: "täglich", 9: "keine Angabe"},
    {1: "not at all", 2: "hardly worth a mention", 3: "somewhat", 4: "extremely"},
]
_IN_NO_ORDER = [
    {1: "Austria", 2: "Belgium", 3: "Chile", 4: "Denmark"},
    {1: "never married", 2: "married", 3: "divorced", 4: "widowed"},
    {1: "none", 2: "catholic", 3: "protestant", 4: "other"},
    {1: "yes", 2: "only at home", 3: "no"},
    {1: "never", 2: "always", 3: "sometimes at home", 4: "rarely"},
]


@pytest.mark.parametrize("extension", ["sav", "dta"])
def test_named_values_are_offered_in_the_order_of_their_codes(extension: str, tmp_path: Path) -> None:
    answers = {f"q{place}": names for place, names in enumerate((*_IN_THE_ORDER_OF_CODES, *_IN_NO_ORDER))}
    frame = pandas.DataFrame(
        {name: [list(of)[row % len(of)] for row in range(60)] for name, of in answers.items()}
    )
    write = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}[extension]
    write(frame, tmp_path / f"survey.{extension}", variable_value_labels=answers)
    reading = read_table(tmp_path / f"survey.{extension}")
    offered = sorted(_told(reading, "order"))
    assert offered == [f"q{place}" for place in range(len(_IN_THE_ORDER_OF_CODES))]
    (doubt,) = [doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.option == "ordered"]
    assert sorted(doubt.changes[0].value) == offered
    ordered = read_table(reading.path, options=ReadingOptions(ordered=tuple(offered))).dataset
    for name in offered:
        variable = ordered.variable(name)
        assert variable.ordered and variable.levels == tuple(answers[name].values())
    assert not [note for note in ordered.notes if note.topic == "order"]


def test_bands_that_are_ordered_are_no_longer_doubted_as_numbers(tmp_path: Path) -> None:
    bands = [
        "unter 1.000 €",
        "1.000 bis 1.999 €",
        "2.000 bis 2.999 €",
        "3.000 bis 3.999 €",
        "4.000 € und mehr",
    ]
    frame = pandas.DataFrame({"Einkommen": [bands[row % 5] for row in range(80)], "Alter": range(20, 100)})
    assert _told(_read(frame, tmp_path), "order") == {"Einkommen"}
    ordered = _read(frame, tmp_path, ordered=["Einkommen"])
    assert ordered.dataset.variable("Einkommen").levels == tuple(bands)
    assert not ordered.issues, "the answer to one doubt raises no other"


def test_codes_that_run_from_high_to_low_are_turned(tmp_path: Path) -> None:
    names = {1: "weekly", 2: "monthly", 3: "once or twice a year", 4: "never"}
    path = tmp_path / "survey.sav"
    frame = pandas.DataFrame({"sport": [1 + row % 4 for row in range(40)]})
    pyreadstat.write_sav(frame, path, variable_value_labels={"sport": names})
    variable = read_table(path, options=ReadingOptions(ordered=("sport",))).dataset.variable("sport")
    assert variable.levels == tuple(names.values())[::-1]
