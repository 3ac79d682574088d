"""Which level of two is the event: guessed from words, never from an order, and kept once it is given."""

import json
import zipfile
from dataclasses import replace

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.effects.all_effects import association
from engine.discovery.effects.size_table import Effects
from engine.errors import InvalidParameter
from engine.recipe import as_recipe
from engine.reporting.run_comparison import comparison_lines
from engine.table import events
from engine.table.dataset import Dataset
from engine.table.event_choice import EARLIER_EVENT, UNDECIDED_EVENT, saved_event
from engine.table.events import guessed_event
from engine.table.variable import EventFrom, Kind, Role, Variable
from engine.terminal import main

# The event first.
DECIDED = """
    yes|no; Yes|No.; Y|N; JA|NEIN; ja|nein; J|N; oui|non; O|N; sí|no; S|N; sì|no; sim|não; ja|nee; tak|nie
    T|N; 是|否; 有|无; はい|いいえ; あり|なし; 有り|無し; +|-; ○|×
    1|0; 1|-1; +1|−1; １|０; 1.0|0.0; 1,0|0,0; class 1|class 0; x1|x0; 1 = yes|2 = no; (2) Ja|(1) Nein
    TRUE|FALSE; True|False; t|f; WAHR|FALSCH; VRAI|FAUX; VERDADERO|FALSO; VERO|FALSO; VERDADEIRO|FALSO
    WAAR|ONWAAR; PRAWDA|FAŁSZ; 真|假; 真|偽; 阳性|阴性; 陽性|陰性
    positive|negative; pos|neg; HIV-positive|HIV negative; tested_positive|tested_negative; positif|négatif
    dodatni|ujemny; present|absent; presence|absence; vorhanden|nicht vorhanden
    case|control; Cases|Controls; Fall|Kontrolle; cas|témoin; 病例|对照; 症例|対照; 患者|健康人
    diseased|healthy; not healthy|healthy; unhealthy|healthy; krank|gesund; erkrankt|nicht erkrankt
    malade|sain; enferma|sana; malato|sano; doente|saudável; ziek|gezond; chory|zdrowy
    患病|未患病; 発症|未発症
    died|survived; dead|alive; not alive|alive; did not survive|survived; died|recovered; DIE|LIVE
    verstorben|lebt; tot|lebend; décédé|vivant; fallecido|vivo; deceduto|vivo; óbito|alta; overleden|in leven
    zmarł|żyje; 死亡|存活; 死亡|生存
    relapse|no relapse; Rückfall|kein Rückfall; rechute|pas de rechute; recaída|sin recaída
    recidiva|senza recidiva; recidiva|sem recidiva; terugval|geen terugval; nawrót|bez nawrotu; 复发|无复发
    再発あり|再発なし; Rezidiv|rezidivfrei; disease present|disease-free; recurrence|no-recurrence
    failure|success; Versagen|Erfolg; échec|succès; fracaso|éxito; niepowodzenie|sukces; 治疗失败|治疗成功
    diabetes|no diabetes; smoker|non-smoker; smoker|Nonsmoker; Raucher|Nichtraucher; fumeur|non-fumeur
    palący|niepalący; 吸烟|不吸烟; 喫煙者|非喫煙者; exposed|unexposed; blootgesteld|niet blootgesteld
    treated|placebo; Drug A|Placebo; tratado|control; 治疗组|对照组; 実薬|プラセボ; treated|untreated
    abnormal|normal; auffällig|unauffällig; anormal|normal; 異常|正常; 異常あり|異常なし; malignant|benign
    mutant|wild-type; tumour|normal; lung cancer|healthy; > 60|≤ 60; >50K|<=50K; uncensored|censored
    unemployed|employed; arbeitslos|erwerbstätig; sans emploi|en emploi; desempleada|empleada
    disoccupato|occupato; desempregado|empregado; werkloos|werkend; bezrobotny|zatrudniony; 失业|就业
    無職|有職; Fail|Pass; durchgefallen|bestanden; échec|réussite; reprobado|aprobado; bocciato|promosso
    gezakt|geslaagd; 不合格|合格; 无效|有效; convicted|acquitted; late|on time; no improvement|improvement
    response|no response; reported|not reported; Réponse|sans réponse
    yes|unknown; yes, diagnosed|no, never diagnosed; Yes - dead|No - alive
"""
UNDECIDED = """
    1|2; 2|1; 3|7; 1|9; -1|0; A|B; male|female; M|F; m|w; Mann|Frau; homme|femme; 男|女; left|right; I|II
    No. 1|No. 2; no 1|no 2; group 1|group 2; red|blue; no pain|no fever; no|unknown; no|no answer; 否|不详
    nein|keine Angabe; number|name; before|after; AML|ALL; S|M
"""


def _pairs(text: str) -> list[tuple[str, str]]:
    pairs = (part.strip().split("|") for line in text.strip().splitlines() for part in line.split(";"))
    return [(first.strip(), second.strip()) for first, second in pairs]


@pytest.mark.parametrize(("event", "beside"), _pairs(DECIDED))
def test_words_of_ten_languages_say_which_level_is_the_event(event: str, beside: str) -> None:
    assert guessed_event(event, beside) == event
    assert guessed_event(beside, event) == event


@pytest.mark.parametrize(("first", "second"), _pairs(UNDECIDED))
def test_nothing_is_guessed_from_the_alphabet_or_the_order_of_codes(first: str, second: str) -> None:
    assert guessed_event(first, second) is None
    assert guessed_event(second, first) is None


def test_no_word_speaks_for_an_event_and_against_it() -> None:
    words = events._words()
    assert not words.events & words.others
    assert not words.event_stems & words.other_stems


def test_two_events_of_one_column_are_refused(tmp_path, capsys) -> None:
    frame = pandas.DataFrame({"relapse": ["ja", "nein"] * 20, "age": range(40)})
    frame.to_csv(tmp_path / "table.csv", index=False)
    table = [str(tmp_path / "table.csv"), "--labels", "relapse", "--event", "relapse=ja"]
    assert main(["inspect", *table, "--event", "relapse=ja"]) == 0
    capsys.readouterr()
    assert main(["inspect", *table, "--event", "relapse=nein"]) == 2
    assert capsys.readouterr().err == (
        "clcd: --event: 'relapse' is given two events, 'ja' and 'nein'. Leave one of them out.\n"
    )


def test_a_comparison_names_other_events_and_those_of_an_earlier_version() -> None:
    codes = np.random.default_rng(0).integers(0, 2, (2, 200))
    variables = [
        Variable("ill", Kind.NOMINAL, Role.LABEL, ("ja", "nein")),
        Variable("x", Kind.NOMINAL, levels=("a", "b")),
    ]
    now = Dataset(variables, tuple(codes))
    before = Dataset(
        [replace(variables[0], **saved_event({"levels": ["ja", "nein"], "ordered": False})), variables[1]],
        tuple(codes),
    )
    old, new = engine.discover(before), engine.discover(now)
    assert comparison_lines(engine.compare_runs(old, new, ("old", "new")))[:2] == (
        "Directions in the two runs refer to different events of ill (nein, then ja).",
        "Directions of ill in “old” refer to the level that an earlier version of CLCD used.",
    )
    assert not any("event" in line for line in comparison_lines(engine.compare_runs(new, new)))


def _table() -> Dataset:
    frame = pandas.DataFrame(
        {
            "COPD": [1, 2, 2, 1] * 2,
            "relapse": ["ja", "nein", "ja", "ja"] * 2,
            "age": [1.5, 2, 3, 4] * 2,
            "arm": list("abbabbaa"),
        }
    )
    return Dataset.from_frame(frame, labels=["COPD"])


def test_an_event_that_is_given_counts_and_changes_nothing_else() -> None:
    dataset = _table()
    given = dataset.with_events({"COPD": "1", "relapse": "nein"})
    assert [variable.event for variable in given.variables] == ["1", "nein", None, None]
    assert given.variable("COPD").event_from is EventFrom.GIVEN
    assert given.content_hash == dataset.content_hash
    assert given.variables == dataset.variables
    assert given.with_events({"relapse": None}).variable("relapse").event == "ja"


def test_one_note_names_all_columns_whose_event_is_not_known() -> None:
    dataset = _table()
    (note,) = dataset.event_notes
    assert note.topic == UNDECIDED_EVENT
    assert "'COPD' and 'arm'" in note.message
    assert dataset.undecided_events == ("COPD", "arm")
    assert dataset.with_roles({"arm": Role.IGNORED}).with_events({"COPD": 2}).event_notes == ()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"COPD": "3"}, "'COPD' has no level '3'. Choose one of: 1, 2."),
        ({"age": "2"}, "'age' holds numbers, which have no event."),
        ({"cop": "1"}, "no column is named 'cop'."),
        ([("COPD", "1")], "setting 'events': it is of the type list, not Mapping."),
    ],
)
def test_an_impossible_event_is_refused_with_a_remedy(given: dict[str, str], says: str) -> None:
    with pytest.raises(InvalidParameter) as raised:
        _table().with_events(given)
    assert says in str(raised.value)


def test_an_event_of_three_levels_is_refused_unless_two_of_them_occur() -> None:
    variables = [Variable(name, Kind.NOMINAL, levels=("a", "b", "c")) for name in ("stage", "x")]
    three = Dataset(variables, (np.array([0, 1, 2, 1, 0, 1]), np.array([0, 1, 1, 2, 2, 1])))
    with pytest.raises(InvalidParameter, match="an event is one of two"):
        three.with_events({"stage": "a"})
    two = three.select_rows(np.array([0, 1, 3, 4, 5])).with_events({"stage": "a"})
    assert engine.prepare(two.with_labels(["stage"]), set_aside=False).variable("stage").event == "a"


def test_ordered_levels_have_the_higher_one_as_event_unless_their_words_say_otherwise() -> None:
    def event(*levels: str) -> str | None:
        return Variable("x", Kind.NOMINAL, levels=levels, ordered=True).event

    assert event("short", "long") == "long"
    assert event("yes", "no") == "yes"
    assert event("1", "2") is None


def test_a_given_event_survives_recoding_ordering_and_preparation(tmp_path) -> None:
    dataset = _table().with_events({"COPD": "1", "arm": "a"})
    steps = [
        {"step": "recode", "column": "COPD", "levels": {"1": "sick", "2": "well"}},
        {"step": "order", "column": "arm", "levels": ["b", "a"], "ordered": False},
        {"step": "rename", "column": "arm", "name": "group"},
    ]
    changed = engine.prepare(as_recipe(steps).apply(dataset), discretise="none")
    assert [changed.variable(name).event for name in ("COPD", "group")] == ["sick", "a"]


def test_a_recoded_column_is_guessed_anew_where_nobody_chose() -> None:
    recoded = as_recipe([{"step": "recode", "column": "COPD", "levels": {"1": "yes", "2": "no"}}]).apply(
        _table()
    )
    assert recoded.variable("COPD").event == "yes"


def test_a_project_keeps_events_and_one_of_an_earlier_version_opens_with_the_last_level(tmp_path) -> None:
    path = tmp_path / "study.clcd"
    dataset = _table().with_events({"COPD": "1"})
    engine.save_project(path, engine.Project(dataset=dataset))
    opened = engine.open_project(path).dataset
    assert [(variable.event, variable.event_from) for variable in opened.variables] == [
        (variable.event, variable.event_from) for variable in dataset.variables
    ]
    _forget_events(path)
    earlier = engine.open_project(path).dataset
    assert earlier.variable("relapse").event == "nein"
    (note,) = earlier.event_notes
    assert note.topic == EARLIER_EVENT
    assert "'COPD', 'relapse' and 'arm'" in note.message


def _forget_events(path) -> None:
    """Write a project as a version did that knew no events."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    tables = json.loads(entries["tables.json"])
    for table in tables if isinstance(tables, list) else tables["tables"]:
        for variable in table["variables"]:
            del variable["event"], variable["event_from"]
    entries["tables.json"] = json.dumps(tables).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


def test_files_and_the_terminal_take_events(tmp_path, capsys) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x=y,ill\n" + "1,A\n2,B\n" * 5, encoding="utf-8")
    assert engine.read_dataset(path, labels=["ill"], events={"ill": "A"}).variable("ill").event == "A"
    assert main(["inspect", str(path), "--labels", "ill"]) == 0
    assert "The event of" in capsys.readouterr().out
    assert main(["inspect", str(path), "--labels", "ill", "--event", "ill=A", "--event", "x=y=2"]) == 0
    told = capsys.readouterr().out
    assert "event: A" in told
    assert "event: 2" in told
    assert "The event of" not in told
    assert main(["inspect", str(path), "--event", "ill=C"]) == 2
    assert "--event: 'ill' has no level 'C'" in capsys.readouterr().err


def _rates(events: dict[str, str]) -> pandas.DataFrame:
    """Estimates in 100 rows: 30 of 50 with the exposure are ill, and 10 of 50 without."""
    exposed = np.repeat(["ja", "nein"], 50)
    state = np.concatenate([np.repeat(["krank", "gesund"], size) for size in ((30, 20), (10, 40))])
    frame = pandas.DataFrame({"Asbest": exposed, "Zustand": state})
    table = Dataset.from_frame(frame, labels=["Zustand"], events=events)
    size = association(table, "Asbest", "Zustand")
    return Effects((size,)).table().set_index("measure")


def test_estimates_speak_of_the_events_of_label_and_feature() -> None:
    """By hand: 60 % against 20 % are ill, so the odds ratio is (30/20) / (10/40) = 6."""
    rates = _rates({})
    assert set(rates["label_level"]) == {"krank"} and set(rates["at"]) == {"ja"}
    assert rates.loc["rate difference", "estimate"] == pytest.approx(0.4)
    assert rates.loc["rate ratio", "estimate"] == pytest.approx(3.0)
    assert rates.loc["odds ratio", "estimate"] == pytest.approx(6.0)
    assert set(rates["association"]) == {"Zustand = krank: more likely with Asbest = ja"}
    turned = _rates({"Zustand": "gesund", "Asbest": "nein"})
    assert set(turned["label_level"]) == {"gesund"} and set(turned["at"]) == {"nein"}
    assert turned.loc["rate difference", "estimate"] == pytest.approx(0.4)
    assert turned.loc["rate ratio", "estimate"] == pytest.approx(2.0)
    assert turned.loc["odds ratio", "estimate"] == pytest.approx(6.0)
    rates_of_well = _rates({"Zustand": "gesund"})
    assert rates_of_well.loc["odds ratio", "estimate"] == pytest.approx(1.0 / 6.0)
    assert set(rates_of_well["association"]) == {"Zustand = gesund: less likely with Asbest = ja"}


def test_a_column_without_values_has_no_event() -> None:
    empty = Dataset.from_frame(
        pandas.DataFrame({"a": [1, 2], "b": pandas.Series([None, None], dtype=object)})
    )
    with pytest.raises(InvalidParameter, match="holds no value, so it has no event"):
        empty.with_events({"b": "1"})
