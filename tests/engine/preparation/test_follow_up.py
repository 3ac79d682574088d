"""A time or date of follow-up beside the event that is a label is set aside; what else is measured stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.preparation.follow_up import Events, event_of_time
from engine.table.variable import Kind, Variable
from engine.terminal import main
from tests.misread_columns import with_date_of_event, with_follow_up, with_time_of_event


def test_times_beside_events_are_set_aside_in_fifty_tables() -> None:
    wrong = []
    for seed in range(50):
        frame, label, time = with_follow_up(seed)
        table = engine.prepare(engine.Dataset.from_frame(frame, [label]))
        if {*frame, label} - {*table.features, label} != {time}:
            wrong.append((seed, label, time, table.features))
    assert len(wrong) <= 2, wrong


def test_times_of_events_of_any_name_are_set_aside_by_the_label_or_the_values() -> None:
    wrong = []
    for seed in range(48):
        frame, label, time = with_time_of_event(seed)
        table = engine.prepare(engine.Dataset.from_frame(frame, [label]))
        if {*frame, label} - {*table.features, label} != {time}:
            wrong.append((seed, label, time, table.features))
    assert len(wrong) <= 2, wrong


def test_an_event_at_an_occasion_is_no_time() -> None:
    random = np.random.default_rng(5)
    frame = pandas.DataFrame({"readmission": random.integers(0, 2, 200), "death": random.integers(0, 2, 200)})
    for name in ("readmission week 12", "readmission_t1", "t2readmission", "relapse_6m", "days_to_relapse"):
        frame[name] = random.normal(40, 9, 200).round(1)
    features = engine.prepare(engine.Dataset.from_frame(frame, ["readmission", "death"])).features
    assert features == ("readmission week 12", "readmission_t1", "relapse_6m")


@pytest.mark.parametrize("slope", [0.0, 0.5])
def test_a_plain_time_that_is_linked_to_a_label_stays(slope: float) -> None:
    random = np.random.default_rng(11)
    stayed = 0
    for place in range(45):
        spread = random.normal(size=300)
        minutes = (20 * np.exp(0.7 * spread), 100 + 10 * spread, random.random(300) * 100)[place % 3].round()
        spread = (minutes - minutes.mean()) / minutes.std()
        passed = (random.random(300) < 1 / (1 + np.exp(1 - slope * spread))).astype(int)
        frame = pandas.DataFrame({"time": minutes, "effort": spread, "passed": passed})
        stayed += "time" in engine.prepare(engine.Dataset.from_frame(frame, ["passed"])).features
    assert stayed >= 43


def test_dates_of_events_are_set_aside_in_fifty_tables() -> None:
    wrong = []
    for seed in range(50):
        frame, label, name = with_date_of_event(seed)
        table = engine.prepare(engine.Dataset.from_frame(frame, [label]))
        told = {note.variable for note in table.notes if note.topic == "follow-up"}
        if told != {name} or set(table.features) != {"age", "visit date"}:
            wrong.append((seed, label, name, table.features))
    assert len(wrong) <= 2, wrong


def test_a_column_with_values_below_zero_is_no_time() -> None:
    change = [row % 17 - 8 for row in range(60)]
    frame = pandas.DataFrame({"survival": change, "death": [0, 1] * 30})
    assert engine.prepare(engine.Dataset.from_frame(frame, ["death"])).features == ("survival",)


@pytest.mark.parametrize(
    ("label", "levels"), [("pain", (0, 1)), ("death", tuple(range(8))), ("smoker", (0, 1)), ("stage", (1, 2))]
)
def test_time_beside_no_event_stays(label: str, levels: tuple[int, ...]) -> None:
    rows = range(60)
    frame = pandas.DataFrame(
        {"time": [row % 17 for row in rows], label: [levels[row % len(levels)] for row in rows]}
    )
    table = engine.prepare(engine.Dataset.from_frame(frame, [label]))
    assert table.features == ("time",)


def test_terminal_says_so_before_the_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame, label, time = with_follow_up(10)
    frame.to_csv(tmp_path / "died.csv", index=False)
    assert main(["inspect", str(tmp_path / "died.csv"), "--labels", label]) == 0
    assert f"'{time}' seems to say when '{label}' happened" in " ".join(capsys.readouterr().out.split())


def test_a_calendar_year_stays() -> None:
    frame = pandas.DataFrame({"year": range(1940, 2000), "death": [0, 1] * 30})
    frame["year"] = frame["year"].sample(frac=1, random_state=0).to_numpy() // 2
    assert engine.prepare(engine.Dataset.from_frame(frame, ["death"])).features == ("year",)


def test_a_time_can_be_kept() -> None:
    frame, label, time = with_follow_up(3)
    dataset = engine.Dataset.from_frame(frame, [label])
    note = next(note for note in engine.prepare(dataset).notes if note.topic == "follow-up")
    assert note.variable == time and f"'{label}'" in note.message and "features to keep" in note.message
    assert time in engine.prepare(dataset, keep=[time]).features
    assert time in engine.prepare(dataset, set_aside=False).features


# Names as registries and hospitals write them, with units, abbreviations and umlauts in two letters.
_OF_FOLLOW_UP = (
    *(
        "Überlebenszeit (Mon.)",
        "Ueberlebenszeit_Monate",
        "ÜLZ",
        "Gesamtüberleben (Monate)",
        "Letzter Kontakt",
    ),
    *("Tage unter Beobachtung", "Sterbealter", "Alter bei Tod", "Nachbeobachtung in Jahren", "OS (mo)"),
    *("Duration of observation (yrs)", "lastvisit_days", "last seen day", "time on study", "age_at_death"),
    *("days at risk", "d_to_death", "obstime", "jours jusqu'au décès", "âge au décès", "suivi_mois"),
    *("survie sans récidive (mois)", "tiempo de observación (años)", "edad al morir", "última visita (días)"),
    *("tempo até o óbito", "idade no óbito", "età alla morte", "ultimo controllo mesi", "Dagen in studie"),
    *("volgtijd", "leeftijd bij overlijden", "laatste contact (dagen)", "czas", "okres obserwacji"),
    *("wiek w chwili zgonu", "ostatnia wizyta (dni)", "doba přežití (měs.)", "uppföljningstid (år)"),
    *(
        "överlevnadstid",
        "yıl_takip",
        "sağkalım_ay",
        "срок наблюдения (мес)",
        "死亡年齢",
        "最終受診 (日)",
        "time",
    ),
    *("TTP", "TTD", "TTNT", "TTF_months", "TTR_days", "tt_death", "ttrelapse", "daystoprogression"),
    *("days_lived", "daysAlive", "gelebte Tage", "días vividos", "PFI.time", "DSS_months", "MFS_months"),
    *("t.dmfs", "rPFS_months", "PFS2_months", "osdays", "GRFS time", "DoR_months", "lfu_days", "bcr_time"),
    *("start", "stop"),
    *("leukemia-free survival", "survie sans métastase (mois)", "breast cancer specific survival months"),
)
_OF_OTHER_TIMES = (
    *("Alter", "OP-Dauer", "ischemia_time", "length of stay", "duration of diabetes (yrs)", "reaction time"),
    *(
        "age_at_diagnosis",
        "Alter bei Einschluss",
        "age at menopause",
        "visit_days",
        "last HbA1c",
        "TTR (%)",
        "os30d",
    ),
    *(
        "Letztes CRP",
        "letzter Blutdruck",
        "last_name",
        "last dose mg",
        "contacts per day",
        "contact_dermatitis",
    ),
    *("study_hours", "screen time", "risk score", "tempo de espera", "czas oczekiwania", "última regla"),
    *(
        "temps de trajet",
        "reistijd",
        "通勤時間",
        "睡眠时间",
        "months since surgery",
        "Studienzentrum",
        "OAS score",
    ),
    *("TTG", "TTN", "TTC_ml", "TT_score", "TTR", "TTR_pct", "DSS1", "MFS", "CFS_score", "dfs_level"),
    *("time of day", "day_of_week", "hora del día", "years_lived_abroad", "TT time", "drug-free days", "DOR"),
    *("start_dose", "non-stop hours"),
)


@pytest.mark.parametrize("name", [*_OF_FOLLOW_UP, *_OF_OTHER_TIMES])
def test_names_tell_times_of_follow_up_from_other_times(name: str) -> None:
    status = np.arange(200) % 2
    events = Events.of([Variable("verstorben", Kind.NOMINAL, levels=("0", "1"))], [status])
    times = np.random.default_rng(5).exponential(20, 200)
    is_time = event_of_time(Variable(name, Kind.CONTINUOUS), times, events) == "verstorben"
    assert is_time == (name in _OF_FOLLOW_UP)


def test_ttr_is_a_time_beside_what_its_last_letter_stands_for() -> None:
    events = Events.of([Variable("relapse", Kind.NOMINAL, levels=("0", "1"))], [np.arange(200) % 2])
    times = np.random.default_rng(5).exponential(20, 200)
    told = [event_of_time(Variable(name, Kind.CONTINUOUS), times, events) for name in ("TTR", "TTG", "TTR1")]
    assert told == ["relapse", "", ""]


def test_a_time_may_abbreviate_the_label() -> None:
    events = Events.of([Variable("pneumonia", Kind.NOMINAL, levels=("0", "1"))], [np.arange(200) % 2])
    times = np.random.default_rng(5).exponential(20, 200)
    assert event_of_time(Variable("time_to_pneum", Kind.CONTINUOUS), times, events) == "pneumonia"
    assert event_of_time(Variable("time_to_pneu_test", Kind.CONTINUOUS), times, events) == ""


def test_an_end_that_all_share_tells_a_time_and_no_score_or_age() -> None:
    times_told = {"time": 0, "score": 0, "age": 0}
    for seed in range(50):
        random = np.random.default_rng(seed)
        age = random.normal(60, 12, 240).round().clip(20, 90)
        score = random.normal(80, 30, 240).round().clip(0, 100)
        died = (random.random(240) < 1 / (1 + np.exp((score - 40 - age / 3) / 10))).astype(int)
        until = random.exponential(900, 240).round()
        events = Events("x", codes={"x": died})
        for name, values in (("score", score), ("age", age)):
            times_told[name] += event_of_time(Variable("q1", Kind.CONTINUOUS), values, events) != ""
        is_over = Events("x", codes={"x": (until < 800).astype(int)})
        time = np.minimum(until, 800)
        times_told["time"] += event_of_time(Variable("q1", Kind.CONTINUOUS), time, is_over) == "x"
    assert times_told == {"time": 50, "score": 0, "age": 0}
