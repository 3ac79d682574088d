"""Features that are made from labels are told and left out; what only depends on labels stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.flags import FlagKind
from engine.preparation.made_from_labels import (
    MADE_FROM_LABELS,
    MadeColumn,
    columns_made_from_labels,
    remember_looked_at,
)
from engine.reporting.sentences.overview import summary_sentences
from engine.terminal import main
from tests.misread_columns import MadeTable, composites_of_labels, made_from_labels

RANDOM = np.random.default_rng(7)
ROWS = 200
PAIN, COUGH, FEVER = (RANDOM.integers(0, 2, ROWS) for _ in range(3))
AGE = RANDOM.integers(20, 90, ROWS)
X = RANDOM.normal(size=ROWS)
PAIN_OF_X = (X + RANDOM.normal(size=ROWS) > 0).astype(int)


def _found(labels: list[str], **columns: object) -> dict[str, str]:
    dataset = engine.Dataset.from_frame(pandas.DataFrame(columns), labels)
    return {column.name: column.how for column in columns_made_from_labels(dataset)}


@pytest.mark.parametrize(
    ("file", "labels", "made_columns"),
    [
        ("kobo_combined.csv", ["symptoms/pain", "symptoms/cough"], {"symptoms": "follows"}),
        ("sum_of_labels.csv", ["pain", "cough"], {"n complaints": "count"}),
        ("community_total.csv", ["sp0", "sp1", "sp2"], {"total": "sum", "richness": "number"}),
        ("community_total.csv", ["sp7"], {"total": "sum", "richness": "number"}),
    ],
)
def test_misread_tables(
    shared_data: Path, file: str, labels: list[str], made_columns: dict[str, str]
) -> None:
    dataset = engine.read_dataset(shared_data / "door" / file, labels=labels)
    assert {column.name: column.how for column in columns_made_from_labels(dataset)} == made_columns
    assert not set(made_columns) & set(engine.prepare(dataset).features)


def test_true_cause_is_found_where_the_text_of_the_labels_is_left_out(shared_data: Path) -> None:
    labels = ["symptoms/pain", "symptoms/cough"]
    dataset = engine.prepare(engine.read_dataset(shared_data / "door" / "kobo_combined.csv", labels=labels))
    assert engine.discover(dataset).label_sets == {"stress": frozenset(labels)}


def test_columns_made_from_labels_are_recognised_in_many_forms() -> None:
    tables = [made_from_labels(seed) for seed in range(50)]
    right = [_is_right(table) for table in tables]
    assert sum(right) >= 48, [
        table.how for table, is_right in zip(tables, right, strict=True) if not is_right
    ]


def _is_right(table: MadeTable) -> bool:
    dataset = engine.prepare(engine.Dataset.from_frame(table.frame, table.labels))
    left_out = set(table.frame) - set(dataset.features) - set(dataset.labels)
    return left_out == {table.feature}


def test_sums_and_means_of_labels_do_not_hide_each_other() -> None:
    wrong = []
    # python -m tests.benchmarks.misread looks at more.
    for seed in range(25):
        table = composites_of_labels(seed)
        columns = columns_made_from_labels(engine.Dataset.from_frame(table.frame, table.labels))
        assert all(_is_true_of(column, table.frame) for column in columns), seed
        if {column.name for column in columns} != set(table.sums):
            wrong.append(seed)
    assert len(wrong) <= 1, wrong


def _is_true_of(column_made: MadeColumn, frame: pandas.DataFrame) -> bool:
    column, sources = (
        frame[column_made.name].to_numpy(float),
        frame[list(column_made.sources)].to_numpy(float),
    )
    total, mean = sources.sum(axis=1), sources.mean(axis=1)
    if column_made.how in ("same", "follows"):
        return bool((frame.groupby(list(column_made.sources))[column_made.name].nunique() == 1).all())
    figure = float(column_made.figure or 0)
    stated = {
        "sum": total,
        "count": (sources == 1).sum(axis=1),
        "mean": mean,
        "per cent": 100 * mean,
        "times sum": figure * total,
        "times mean": figure * mean,
        "more than sum": total + figure,
        "less than sum": total - figure,
        "linear": np.polynomial.Polynomial.fit(total, column, 1)(total),
    }[column_made.how]
    return bool(np.abs(column - stated).max() < 0.006)


@pytest.mark.parametrize(
    ("made_values", "sentence"),
    [
        (50 * (PAIN + COUGH), "is the mean of 'pain' and 'cough' in per cent in every row."),
        (3 * (PAIN + COUGH), "is 3 times the sum of 'pain' and 'cough' in every row."),
        (PAIN + COUGH + AGE, "is the sum of 'pain', 'cough' and 'age' in every row."),
        (10 / 3 * (PAIN + COUGH + AGE), "is 10 times the mean of 'pain', 'cough' and 'age' in every row."),
        (PAIN + COUGH + AGE - 2, "is 2 less than the sum of 'pain', 'cough' and 'age' in every row."),
        ((PAIN + AGE) / 7.123, "is a linear function of the sum of 'pain' and 'age' in every row."),
    ],
)
def test_the_sentence_says_what_a_sum_is(made_values: np.ndarray, sentence: str) -> None:
    frame = pandas.DataFrame({"pain": PAIN, "cough": COUGH, "age": AGE, "points": made_values})
    columns = columns_made_from_labels(engine.Dataset.from_frame(frame, ["pain", "cough"]))
    assert [column.sentence for column in columns] == [f"'points' {sentence}"]


def test_a_count_of_a_level_that_is_no_known_event_names_the_level() -> None:
    dataset = engine.Dataset.from_frame(
        pandas.DataFrame({"pain": PAIN + 1, "cough": COUGH + 1, "age": AGE, "complaints": PAIN + COUGH}),
        ["pain", "cough"],
    )
    (made_column,) = columns_made_from_labels(dataset)
    assert made_column.sentence == "'complaints' counts how many of 'pain' and 'cough' are '2'."


ITEMS = RANDOM.integers(0, 5, (4, ROWS))
FLAGS = RANDOM.random((3, ROWS)) < 0.3


@pytest.mark.parametrize(
    ("made_values", "sentence"),
    [
        ((ITEMS > 0).sum(axis=0) + 1, "counts how many columns are above 0: {} and some that always are."),
        ((ITEMS >= 3).sum(axis=0), "counts how many of {} are at least 3."),
        ((ITEMS == 2).sum(axis=0), "counts how many of {} are equal to 2."),
        ((ITEMS == 2).any(axis=0), "tells whether any of {} is equal to 2."),
        ((ITEMS > 0).all(axis=0), "tells whether all of {} are above 0."),
        (~(ITEMS > 0).all(axis=0), "tells whether all of {} are above 0."),
    ],
)
def test_the_sentence_says_what_is_counted(made_values: np.ndarray, sentence: str) -> None:
    frame = pandas.DataFrame(
        dict(zip("abcd", ITEMS, strict=True)) | {"age": AGE, "made": made_values.astype(int)}
    )
    columns = columns_made_from_labels(engine.Dataset.from_frame(frame, ["a"]))
    told = sentence.format("'a', 'b', 'c' and 'd'")
    assert [column.sentence for column in columns] == [f"'made' {told}"]


def test_yes_in_any_column_is_told_with_texts_and_without_the_parts_of_a_whole() -> None:
    texts = {name: np.where(flag, "yes", "no") for name, flag in zip("abc", FLAGS, strict=True)}
    made_values = np.where(FLAGS.any(axis=0), "ja", "nein")
    frame = pandas.DataFrame(texts | {"age": AGE, "made": made_values})
    (column,) = columns_made_from_labels(engine.Dataset.from_frame(frame, ["b"]))
    assert column.sentence == "'made' tells whether any of 'b', 'a' and 'c' is present."
    kinds = pandas.get_dummies(pandas.Series(ITEMS[0]), prefix="kind").astype(int)
    assert not columns_made_from_labels(engine.Dataset.from_frame(kinds, ["kind_0"]))
    # What the features say without the label is not made from it.
    without = pandas.DataFrame(texts | {"made": np.where(FLAGS[:2].any(axis=0), "ja", "nein")})
    assert not columns_made_from_labels(engine.Dataset.from_frame(without, ["c"]))


def test_a_count_of_missing_values_is_made_from_labels() -> None:
    random = np.random.default_rng(4)
    frame = pandas.DataFrame(ITEMS.T.astype(float), columns=list("abcd")).mask(random.random((ROWS, 4)) < 0.2)
    frame = frame.assign(made=frame.isna().sum(axis=1), some=frame.isna().any(axis=1).astype(int), age=AGE)
    columns = columns_made_from_labels(engine.Dataset.from_frame(frame, ["a"]))
    assert [column.sentence for column in columns] == [
        "'made' counts how many of 'a', 'b', 'c' and 'd' are missing.",
        "'some' tells whether any of 'a', 'b', 'c' and 'd' is missing.",
    ]


def test_features_that_depend_on_labels_stay() -> None:
    frames = [made_from_labels(seed) for seed in range(100, 130)]
    for table in frames:
        feature = table.frame[table.feature]
        shuffled = feature.sample(frac=1, random_state=0).to_numpy()
        # One row in ten is otherwise.
        mixed = np.where(np.arange(len(feature)) % 10 == 0, shuffled, feature)
        frame = table.frame.assign(**{table.feature: mixed})
        assert not columns_made_from_labels(engine.Dataset.from_frame(frame, table.labels)), table.how


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("rows", "columns", "values"), [(12, 60, 2), (25, 12, 2), (25, 12, 4)])
def test_tables_of_chance_have_no_such_feature(seed: int, rows: int, columns: int, values: int) -> None:
    random = np.random.default_rng(seed)
    table = random.integers(0, values, (rows, columns))
    frame = pandas.DataFrame(table, columns=[f"x{place}" for place in range(columns)])
    assert not columns_made_from_labels(engine.Dataset.from_frame(frame, ["x0", "x1"]))


def test_parts_of_a_whole_stay() -> None:
    parts = np.random.default_rng(3).dirichlet([2, 3, 4, 3, 2], ROWS) * 100
    frame = dict(zip("abcde", parts.T, strict=True))
    assert _found(["a"], **frame) == {}
    # b is also 100 less than the sum of all columns without b and c.
    frame |= {"ab": frame["a"] + frame["b"], "bc": frame["b"] + frame["c"]}
    assert _found(["a"], **frame) == {"ab": "sum"}


def test_a_feature_that_is_a_copy_of_another_feature_stays() -> None:
    assert _found(["pain"], pain=PAIN, age=AGE, years=AGE, months=12 * AGE) == {}


def test_what_is_made_of_a_made_column_is_made_from_labels() -> None:
    half = PAIN + COUGH
    found_features = _found(
        ["pain", "cough"], pain=PAIN, cough=COUGH, half=half, more=half + FEVER + AGE, fever=FEVER, age=AGE
    )
    assert set(found_features) == {"half", "more"}


@pytest.mark.parametrize(
    "code",
    [
        [f"{pain}-{cough}-{fever}" for pain, cough, fever in zip(PAIN, COUGH, FEVER, strict=True)],
        ["-+"[p] + "-+"[f] + "-+"[c] for p, f, c in zip(PAIN, FEVER, COUGH, strict=True)],
        PAIN + 2 * FEVER + 4 * COUGH,
        np.where(PAIN + COUGH + FEVER >= 2, "yes", "no"),
        PAIN + COUGH + FEVER < 2,
    ],
)
def test_codes_of_a_label_beside_features_are_made_from_labels(code: object) -> None:
    columns = {"pain": PAIN, "cough": COUGH, "fever": FEVER, "age": AGE, "code": code}
    dataset = engine.Dataset.from_frame(pandas.DataFrame(columns), ["pain"])
    (made_column,) = columns_made_from_labels(dataset)
    assert made_column.sentence == "'code' follows from 'pain', 'cough' and 'fever' in every row."


def test_codes_of_features_alone_are_not_made_from_labels_that_follow_from_them() -> None:
    code = [f"{cough}-{fever}" for cough, fever in zip(COUGH, FEVER, strict=True)]
    columns = {"both": COUGH & FEVER, "cough": COUGH, "fever": FEVER, "age": AGE, "code": code}
    assert _found(["both"], **columns) == {}


def test_values_missing_in_labels_hide_no_sum() -> None:
    pain = np.where(np.arange(ROWS) % 9 == 0, np.nan, PAIN)
    assert _found(["pain", "cough"], pain=pain, cough=COUGH, total=pain + COUGH) == {"total": "count"}


def test_a_feature_that_nearly_equals_a_label_stays_with_a_note() -> None:
    nearly = PAIN.copy()
    nearly[:3] = 1 - nearly[:3]
    frame = pandas.DataFrame({"pain": PAIN, "nearly": nearly, "age": AGE})
    dataset = engine.prepare(engine.Dataset.from_frame(frame, ["pain"]))
    assert dataset.features == ("nearly", "age")
    assert "'nearly' agrees with the label 'pain' in 98.5 % of the rows." in dataset.notes[-1].message


def test_two_rare_columns_that_hardly_differ_are_not_nearly_equal() -> None:
    rare, also = np.zeros(ROWS, dtype=int), np.zeros(ROWS, dtype=int)
    rare[:3], also[2:5] = 1, 1
    assert _found(["rare"], rare=rare, also=also, age=AGE) == {}


def test_order_of_rows_and_columns_makes_no_difference() -> None:
    for seed in range(9):
        table = made_from_labels(seed)
        turned = table.frame.iloc[::-1, ::-1]
        columns_of_table = [
            {
                (column.name, column.how, frozenset(column.sources))
                for column in columns_made_from_labels(dataset)
            }
            for dataset in (engine.Dataset.from_frame(frame, table.labels) for frame in (table.frame, turned))
        ]
        assert columns_of_table[0] == columns_of_table[1]


def test_a_feature_is_kept_by_name() -> None:
    frame = pandas.DataFrame(
        {"pain": PAIN, "cough": COUGH, "age": AGE, "total": PAIN + COUGH, "id": range(ROWS)}
    )
    dataset = engine.Dataset.from_frame(frame, ["pain", "cough"])
    assert engine.prepare(dataset).features == ("age",)
    kept = engine.prepare(dataset, keep=("total",))
    assert kept.features == ("age", "total")
    assert "counts how many of 'pain' and 'cough' are present." in " ".join(
        note.message for note in kept.notes
    )
    assert engine.prepare(dataset, keep=["id"]).features == ("age", "id")
    assert engine.prepare(dataset, set_aside=False).features == ("age", "total", "id")


def _flagged(result: engine.DiscoveryResult) -> set[str]:
    return {
        finding.feature
        for finding in result.findings.all
        if all(FlagKind.MADE_FROM_LABELS in {flag.kind for flag in flags} for flags in finding.flags)
    }


@pytest.fixture(scope="module")
def composites() -> engine.Dataset:
    signs = pandas.DataFrame({"x": X, "pain": PAIN_OF_X, "cough": COUGH, "age": AGE})
    made_values = {
        "recoded": np.where(PAIN_OF_X == 1, "y", "n"),
        "count": PAIN_OF_X + COUGH,
        "mean": (PAIN_OF_X + COUGH) / 2,
        "text": [f"{first}-{second}" for first, second in zip(PAIN_OF_X, COUGH, strict=True)],
    }
    return engine.Dataset.from_frame(signs.assign(**made_values), ["pain", "cough"])


def test_findings_made_from_labels_are_flagged_and_noted_without_preparation(
    composites: engine.Dataset,
) -> None:
    made_names = {"recoded", "count", "mean", "text"}
    of_session = engine.DiscoverySession(composites).discover()
    for result in (engine.discover(composites), of_session, engine.select_features(composites).discovery):
        found_features = {finding.feature for finding in result.findings.all}
        assert found_features & made_names
        assert _flagged(result) == found_features & made_names
        noted = {note.variable for note in result.dataset.notes if note.topic == MADE_FROM_LABELS}
        assert noted >= found_features & made_names
        assert any(
            "variables are linked exactly to labels" in sentence for sentence in summary_sentences(result)
        )


def test_flags_of_features_made_from_labels_change_nothing_that_is_found(
    composites: engine.Dataset,
) -> None:
    noted = engine.discover(composites)
    unnoted = engine.discover(remember_looked_at(replace(composites)))
    assert noted.evidence == unnoted.evidence and noted.tests_made == unnoted.tests_made
    assert not _flagged(unnoted)


def test_features_made_from_labels_that_are_kept_by_hand_are_flagged(composites: engine.Dataset) -> None:
    for keep in (["count"], ["recoded", "count", "mean", "text"]):
        prepared = engine.prepare(composites, keep=keep)
        result = engine.discover(prepared)
        assert _flagged(result) == {finding.feature for finding in result.findings.all} & set(keep) != set()
        # Preparation looked already.
        assert result.dataset.notes == prepared.notes


def test_findings_made_from_labels_are_flagged_in_a_wide_table(composites: engine.Dataset) -> None:
    noise = np.random.default_rng(3).normal(size=(ROWS, 120))
    frame = composites.frame.drop(columns=["recoded", "mean", "text"])
    frame = frame.join(pandas.DataFrame(noise, columns=[f"n{place}" for place in range(120)]))
    result = engine.discover(engine.Dataset.from_frame(frame, ["pain", "cough"]))
    assert _flagged(result) == {"count"}


def test_terminal_tells_it_before_the_search_and_keeps_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    frame = pandas.DataFrame({"pain": PAIN, "cough": COUGH, "age": AGE, "total": PAIN + COUGH})
    frame.to_csv(table, index=False)
    told = "'total' counts how many of 'pain' and 'cough' are present."
    assert main(["inspect", str(table), "--labels", "pain,cough"]) == 0
    assert told in capsys.readouterr().out
    given = ["discover", str(table), "--labels", "pain,cough"]
    assert main([*given, "--out", str(tmp_path / "a")]) == 0
    said = capsys.readouterr().out
    assert said.startswith(told) and said.count(told) == 1
    assert main([*given, "--keep", "total", "--out", str(tmp_path / "b")]) == 0
    assert "total" in (tmp_path / "b" / "common.csv").read_text()
    assert "total" not in (tmp_path / "a" / "common.csv").read_text()


def test_many_columns_take_seconds() -> None:
    random = np.random.default_rng(0)
    values = random.normal(size=(200, 20_000))
    labels = random.integers(0, 2, (200, 4))
    frame = pandas.DataFrame(np.column_stack([values, labels, labels.sum(axis=1)]))
    frame.columns = [f"x{place}" for place in range(20_000)] + list("abcd") + ["total"]
    dataset = engine.Dataset.from_frame(frame, list("abcd"))
    assert [column.name for column in columns_made_from_labels(dataset)] == ["total"]


def _cut_tables() -> list[tuple[str, dict[str, object], list[str]]]:
    rng = np.random.default_rng(11)
    score, pressure = rng.integers(0, 28, ROWS), rng.normal(130.0, 15.0, ROWS).round(1)
    protein = np.exp(rng.normal(1.0, 1.2, ROWS)).round(2)
    return [
        ("a score of whole numbers", {"score": score, "depressed": score >= 10}, ["depressed"]),
        (
            "a measured number",
            {"pressure": pressure, "high": np.where(pressure > 140, "ja", "nein")},
            ["high"],
        ),
        ("a skewed number", {"crp": protein, "inflamed": (protein >= 10).astype(int)}, ["inflamed"]),
        (
            "three ranges",
            {"bmi": pressure / 5, "weight": np.digitize(pressure / 5, [24.0, 28.0])},
            ["weight"],
        ),
        (
            "missing values",
            {"score": np.where(rng.random(ROWS) < 0.2, np.nan, score), "depressed": score >= 10},
            ["depressed"],
        ),
    ]


@pytest.mark.parametrize(("kind", "columns", "labels"), _cut_tables(), ids=lambda value: str(value)[:20])
def test_number_that_a_label_is_a_cut_of_is_left_out(
    kind: str, columns: dict[str, object], labels: list[str]
) -> None:
    number = next(iter(columns))
    assert _found(labels, **columns, age=AGE) == {number: "cut"}, kind
    dataset = engine.Dataset.from_frame(pandas.DataFrame({**columns, "age": AGE}), labels)
    assert engine.prepare(dataset).features == ("age",)


def test_number_that_separates_groups_by_nature_is_no_cut() -> None:
    """Groups that lie far apart, an overlap of one row, and few rows are no sign of a cut."""
    rng = np.random.default_rng(5)
    ill = rng.integers(0, 2, ROWS)
    apart = rng.normal(0.0, 1.0, ROWS) + 12.0 * ill
    overlap = np.sort(rng.normal(size=ROWS))
    late = (np.arange(ROWS) >= ROWS // 2).astype(int)
    late[ROWS // 2 + 3] = 0
    assert _found(["ill"], ill=ill, apart=apart) == {}
    assert _found(["late"], late=late, overlap=overlap) == {}
    assert _found(["few"], few=[0] * 4 + [1] * 6, number=np.arange(10.0)) == {}
    # Of groups that just do not overlap, few values lie at the edge.
    for distance in (5.0, 5.5, 6.0, 7.0, 8.0):
        close = rng.normal(size=800) + distance * rng.permutation(np.arange(800) % 2)
        group = close > distance / 2
        assert _found(["group"], group=group, close=close) == {}, distance


@pytest.mark.parametrize("distance", [4.0, 6.0, 8.0])
def test_strong_cause_in_whole_numbers_is_rarely_taken_for_a_cut(distance: float) -> None:
    """Groups that do not overlap are thin towards each other, however coarse the numbers are."""
    taken = separated = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        group = rng.permutation(np.arange(300) % 2)
        marker = np.round(rng.normal(size=300) + distance * group)
        separated += marker[group == 0].max() < marker[group == 1].min()
        taken += _found(["group"], group=group, marker=marker) != {}
    assert taken <= 3
    assert separated >= 50 or distance < 8.0


def test_number_that_separates_few_rows_is_told_and_stays() -> None:
    score = np.random.default_rng(2).integers(0, 28, 60)
    frame = pandas.DataFrame({"depressed": score >= 10, "score": score, "age": AGE[:60]})
    dataset = engine.Dataset.from_frame(frame, ["depressed"])
    (column,) = columns_made_from_labels(dataset)
    assert (column.name, column.how, column.is_exact) == ("score", "separates", False)
    prepared = engine.prepare(dataset)
    assert "score" in prepared.features
    assert any("separates" in note.text for note in prepared.notes)
