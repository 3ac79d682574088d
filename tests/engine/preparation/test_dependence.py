"""Rows that are not independent: noticed, told, and grouped on offer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.flags import FlagKind
from engine.errors import InvalidData
from engine.preparation.dependence import DEPENDENT_ROWS, DependenceKind, dependent_rows
from engine.recipe.table_steps import RowBlocks
from engine.terminal import main
from tests.benchmarks import dependent_rows as benchmark

NAMES = [case.name for case in benchmark.DEPENDENT]


def drawn(name: str, seed: int) -> engine.Dataset:
    case = benchmark.DEPENDENT[NAMES.index(name)]
    return benchmark.dataset_of(case.draw(np.random.default_rng([seed, len(name)])))


@pytest.mark.parametrize("name", NAMES)
def test_dependent_rows_are_noticed(name: str) -> None:
    (dependence,) = dependent_rows(drawn(name, 400))
    expected = DependenceKind.GROUPS if "who" in drawn(name, 400).names else DependenceKind.ORDER
    assert dependence.kind is expected
    # A slow drift leaves next to no rows that are independent.
    in_groups = [offer for offer in dependence.offers if offer.groups or isinstance(offer.step, RowBlocks)]
    assert bool(in_groups) is (name != "slow drift, with a date")
    assert in_groups or "too few would be independent" in dependence.sentence
    assert dependence.columns == ("who",) or expected is DependenceKind.ORDER


@pytest.mark.parametrize("case", benchmark.FURTHER_DEPENDENT, ids=lambda case: case.name)
def test_other_kinds_of_dependent_rows_are_noticed(case: benchmark.Case) -> None:
    """A clinic that is a feature is none of them: tests condition on it, as on every cause of few levels."""
    dependence = dependent_rows(benchmark.dataset_of(case.draw(np.random.default_rng([401, len(case.name)]))))
    assert bool(dependence) is ("clinics" not in case.name)


@pytest.mark.parametrize("kind", [*benchmark.INDEPENDENT, *benchmark.FURTHER_INDEPENDENT])
def test_sorted_tables_blocks_and_real_causes_are_no_dependence(kind: str) -> None:
    for seed in range(500, 504):
        frame = benchmark.independent_table(kind, np.random.default_rng([seed, len(kind)]))
        assert not dependent_rows(benchmark.dataset_of(frame)), (kind, seed)


@pytest.mark.parametrize("kind", benchmark.ARRANGED)
def test_rows_that_somebody_arranged_by_their_columns_are_no_dependence(kind: str) -> None:
    for seed in range(500, 503):
        frame = benchmark.arranged_table(kind, np.random.default_rng([seed, len(kind)]))
        assert not dependent_rows(benchmark.dataset_of(frame)), seed


@pytest.mark.parametrize(
    ("table", "labels"),
    [
        # Sorted by arm, and within it by whether patients had pain.
        ("trials/licorice_gargle.csv", ["pacu30min_throatPain", "postOp4hour_cough"]),
        # Numbered along a prognostic index of several columns.
        ("survival/rotterdam.csv.gz", ["recur", "hormon"]),
        # Sorted by year in part.
        ("survival/transplant.csv", ["event", "year"]),
    ],
)
def test_trials_that_somebody_sorted_are_no_dependence(
    shared_data: Path, table: str, labels: list[str]
) -> None:
    dataset = engine.read_dataset(shared_data / table)
    for label in labels:
        assert not dependent_rows(dataset.with_labels([label])), label


def test_what_sorts_a_file_may_not_be_in_it_and_the_sentence_says_so() -> None:
    case = benchmark.LEFT_OUT[0]
    tables = (case.draw(np.random.default_rng([seed, len(case.name)])) for seed in range(100, 108))
    dependences = [
        dependence for frame in tables for dependence in dependent_rows(benchmark.dataset_of(frame))
    ]
    assert dependences
    for dependence in dependences:
        assert dependence.title == "Rows may not be independent" and not dependence.offers
        assert "may be sorted by a variable that is not in it" in dependence.sentence


def test_two_columns_that_follow_their_past_are_dependent_among_others_that_do_not() -> None:
    for seed in range(4):
        generator = np.random.default_rng(seed)
        frame = pandas.DataFrame(generator.normal(size=(600, 13)), columns=[*"abcdefghijklm"])
        frame[["a", "f"]] = benchmark.walks(0.9, 600, 2, generator)
        (dependence,) = dependent_rows(engine.Dataset.from_frame(frame, labels=["a", "b"]))
        assert {"a", "f"} <= {name for name, _, _ in dependence.correlations}


def test_an_offer_that_leaves_a_handful_of_groups_says_that_hardly_anything_is_found() -> None:
    few = set()
    for name in NAMES:
        dataset = drawn(name, 440)
        for offer in (offer for dependence in dependent_rows(dataset) for offer in dependence.offers):
            groups = offer.apply(dataset).row_groups
            is_few = groups is not None and bool(groups.max() + 1 < 20)
            assert ("tests find hardly anything" in offer.sentence) is is_few, (name, offer.title)
            few |= {name} if is_few else set()
    assert "AR 0.97, 300 rows" in few
    # Nothing is found where next to nothing is independent.
    assert not benchmark.findings_in(benchmark.offered(drawn("AR 0.97, 300 rows", 440)))


@pytest.mark.parametrize(
    "name", ["20 rows a person, ICC 0.8", "shuffled, with a date, AR 0.9", "AR 0.9, 5 series stacked"]
)
def test_the_offer_takes_false_findings_away(name: str) -> None:
    dataset = drawn(name, 410)
    assert len(benchmark.findings_in(dataset)) >= 3
    assert len(benchmark.findings_in(benchmark.offered(dataset))) <= 1
    assert not dependent_rows(benchmark.offered(dataset))


def test_a_month_takes_away_what_a_season_that_columns_share_leaves_to_blocks() -> None:
    findings_in_blocks, remaining = 0, 0
    for seed in range(3):
        frame = benchmark.yearly_season(np.random.default_rng(seed))
        (dependence,) = dependent_rows(benchmark.dataset_of(frame))
        blocks, month, years = dependence.offers
        for sentence in (blocks.sentence, dependence.sentence):
            assert "Blocks do not remove a season or a trend" in sentence
        assert (month.title, years.title) == ("Add the month of “day”", "Add the years of “day”")
        in_blocks = blocks.apply(benchmark.dataset_of(frame))
        findings_in_blocks += len(benchmark.findings_in(in_blocks))
        remaining += len(benchmark.findings_in(years.apply(month.apply(in_blocks))))
    assert findings_in_blocks >= 9 and remaining <= 2


def test_columns_of_a_date_are_offered_where_they_can_tell_something() -> None:
    frame = benchmark.yearly_season(np.random.default_rng(0))
    short = benchmark.dataset_of(frame[:150])
    offers = [offer.title for dependence in dependent_rows(short) for offer in dependence.offers]
    # Of 150 rows there are few blocks.
    assert offers == ["Group rows in only 7 blocks of 21", "Add the years of “day”"]
    (dependence,) = dependent_rows(benchmark.dataset_of(frame))
    in_blocks = dependence.offers[1].apply(benchmark.dataset_of(frame))
    assert in_blocks.variable("month of day").level_count == 12
    assert [offer.title for offer in dependent_rows(in_blocks).dependences[0].offers[1:]] == [
        "Add the years of “day”"
    ]


def test_neither_order_of_columns_nor_of_rows_changes_what_groups_show() -> None:
    dataset = drawn("20 rows a person, ICC 0.2", 420)
    (dependence,) = dependent_rows(dataset)
    turned = dataset.select_variables(dataset.names[::-1]).select_rows(
        np.random.default_rng(0).permutation(dataset.row_count)
    )
    (again,) = dependent_rows(turned)
    assert again.columns == dependence.columns and again.figure == pytest.approx(dependence.figure, rel=1e-5)
    before, after = (sorted(dependence_again.correlations) for dependence_again in (dependence, again))
    assert [correlation[:2] for correlation in before] == [correlation[:2] for correlation in after]
    np.testing.assert_allclose(
        [correlation[2] for correlation in before], [correlation[2] for correlation in after], rtol=1e-4
    )


def test_the_findings_concerned_bear_a_flag_and_the_table_a_note(tmp_path: Path) -> None:
    dataset = drawn("20 rows a person, ICC 0.8", 430)
    result = engine.discover(engine.prepare(dataset), directions=False)
    notes = [note for note in result.dataset.notes if note.topic == DEPENDENT_ROWS]
    assert len(notes) == 1 and notes[0].variable == "who"
    assert "resemble each other" in notes[0].message and "Group rows by “who”" in notes[0].message
    flagged = {
        (finding.feature, label)
        for finding in result.findings.all
        for label in finding.labels
        if any(flag.kind is FlagKind.DEPENDENT_ROWS for flag in result.flags(finding.feature, label))
    }
    assert (
        flagged
        == {(finding.feature, label) for finding in result.findings.all for label in finding.labels}
        != set()
    )
    project = engine.Project(result.dataset, runs=[engine.Run("a", result.settings, result)])
    engine.save_project(tmp_path / "a.clcd", project)
    opened = engine.open_project(tmp_path / "a.clcd")
    assert opened.dataset is not None
    assert [note for note in opened.dataset.notes if note.topic == DEPENDENT_ROWS] == notes


def test_a_pair_of_which_one_column_is_not_alike_bears_no_flag() -> None:
    generator = np.random.default_rng(1)
    person = np.repeat(np.arange(150), 6)
    own = {name: generator.normal(size=150)[person] + generator.normal(size=900) for name in ("a", "y")}
    frame = pandas.DataFrame({"who": person, **own, "b": generator.normal(size=900)})
    frame["y"] += frame["b"]
    result = engine.discover(engine.prepare(engine.Dataset.from_frame(frame, labels=["y"])))
    assert not any(flag.kind is FlagKind.DEPENDENT_ROWS for flag in result.flags("b", "y"))
    assert any(flag.kind is FlagKind.DEPENDENT_ROWS for flag in result.flags("a", "y"))


def test_persons_numbered_anew_in_each_site_are_told_by_both_columns() -> None:
    generator = np.random.default_rng(2)
    site, number = np.repeat([0, 1, 2], 160), np.tile(np.repeat(np.arange(40), 4), 3)
    person = site * 40 + number
    kept = {name: generator.normal(size=120)[person] for name in ("age", "height", "bmi")}
    frame = pandas.DataFrame({"centre": np.array([*"abc"])[site], "nr": number, **kept})
    frame["pain"] = generator.normal(size=120)[person] + generator.normal(size=480)
    (dependence,) = dependent_rows(engine.Dataset.from_frame(frame, labels=["pain"]))
    assert set(dependence.columns) == {"nr", "centre"}
    grouped = dependence.offers[0].apply(engine.Dataset.from_frame(frame, labels=["pain"]))
    assert grouped.row_groups is not None and (grouped.groups or "").startswith("groups of ")
    pairs = set(zip(person.tolist(), grouped.row_groups.tolist(), strict=True))
    assert len(pairs) == 120 == len(set(grouped.row_groups.tolist()))


def test_larger_units_are_grouped_where_their_members_are_alike() -> None:
    generator = np.random.default_rng(3)
    person = np.repeat(np.arange(300), 4)
    family = person // 3
    columns = {
        name: generator.normal(size=100)[family]
        + generator.normal(size=300)[person]
        + generator.normal(size=1200)
        for name in ("x", "y", "z")
    }
    frame = pandas.DataFrame({"person": [f"p{number}" for number in person], "family": family, **columns})
    (dependence,) = dependent_rows(engine.Dataset.from_frame(frame, labels=["y"]))
    assert dependence.columns == ("family",)


def test_copies_are_told_with_the_other_ways() -> None:
    numbers = np.random.default_rng(0).normal(size=(80, 8))
    frame = pandas.DataFrame(np.vstack([numbers, numbers[:20]]), columns=[*"abcdefgh"])
    dependences = dependent_rows(engine.Dataset.from_frame(frame, labels=["a"]))
    assert [dependence.kind for dependence in dependences] == [DependenceKind.COPIES]
    assert dependences.dependences[0].figure == 0.2 and not dependences.notes
    assert list(dependences.table().columns) == ["kind", "by", "column", "role", "correlation"]


def test_blocks_follow_dates_within_series() -> None:
    days = ["2024-01-02", "2024-01-01", "2024-01-03", "2024-01-04", "2024-01-01", "2024-01-02"]
    frame = pandas.DataFrame({"day": days, "site": [*"aaaabb"]})
    in_blocks = RowBlocks(2, along="day", series=("site",)).apply(engine.Dataset.from_frame(frame)).dataset
    assert in_blocks.row_groups is not None
    assert in_blocks.row_groups.tolist() == [0, 0, 1, 1, 2, 2]
    with pytest.raises(InvalidData, match="one block only"):
        RowBlocks(6).apply(engine.Dataset.from_frame(frame))


def test_rows_without_an_id_are_groups_of_their_own() -> None:
    frame = pandas.DataFrame({"who": ["a", None, "a", None, "b"]})
    in_blocks = RowBlocks(0, series=("who",)).apply(engine.Dataset.from_frame(frame)).dataset
    assert in_blocks.row_groups is not None
    assert len(set(in_blocks.row_groups.tolist())) == 4 and in_blocks.row_groups[0] == in_blocks.row_groups[2]


def test_the_terminal_tells_offers_and_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = benchmark.DEPENDENT[NAMES.index("shuffled, with a date, AR 0.9")]
    case.draw(np.random.default_rng(5)).to_csv(tmp_path / "days.csv", index=False)
    words = [str(tmp_path / "days.csv"), "--labels", "y0,y1,y2"]
    assert main(["inspect", *words]) == 0
    assert "--time-blocks day" in capsys.readouterr().out
    assert main(["inspect", *words, "--json"]) == 0
    (shown,) = json.loads(capsys.readouterr().out)["dependent_rows"]
    assert shown["kind"] == "order" and shown["columns"] == ["day"]
    out = ["--out", str(tmp_path / "out"), "--also", "command"]
    assert main(["discover", *words, *out]) == 0
    said = capsys.readouterr().out
    assert "resemble each other" in said and "--time-blocks day" in said
    assert main(["discover", *words, "--time-blocks", "day", *out]) == 0
    said = capsys.readouterr().out
    assert "resemble each other" not in said and "blocks of about" in said
    assert "row-blocks" in (tmp_path / "out" / "again.sh").read_text()
    for options in (
        ["--time-blocks", "dya"],
        ["--block-rows", "5"],
        ["--row-blocks", "--time-blocks", "day"],
        ["--row-blocks", "--groups", "day"],
        ["--block-rows", "-1", "--row-blocks"],
    ):
        assert main(["inspect", *words, *options]) == 2
        assert options[0] in capsys.readouterr().err
    for options in (["--time-blocks", "day"], ["--row-blocks"]):
        assert main(["inspect", words[0], *options]) == 2
        assert "Add --labels, or give --block-rows." in capsys.readouterr().err
        assert main(["inspect", words[0], *options, "--block-rows", "5"]) == 0
        assert "block of rows" in capsys.readouterr().out


def test_categories_alone_are_searched_in_groups_by_the_usual_test() -> None:
    generator = np.random.default_rng(6)
    person = np.repeat(np.arange(100), 20)
    frame = pandas.DataFrame(
        {
            name: np.where(generator.normal(size=100)[person] + generator.normal(size=2000) > 0, "yes", "no")
            for name in ("y", "a", "b", "c", "d", "e")
        }
    )
    frame["who"] = [f"p{number}" for number in person]
    dataset = engine.Dataset.from_frame(frame, labels=["y"])
    grouped = benchmark.offered(dataset)
    result = engine.discover(engine.prepare(grouped), directions=False)
    assert grouped.groups == "who" and result.test.name == "basis"
    assert engine.ci_test("auto", grouped, "a", "y").p_value > 0.001


@pytest.mark.parametrize("is_in_groups", [True, False])
def test_of_many_columns_those_are_concerned_that_are_alike(is_in_groups: bool) -> None:
    """Of 200 features some are looked at to begin with; none is taken for alike that is not."""
    generator = np.random.default_rng(7)
    person = np.repeat(np.arange(100), 6)
    names = [f"x{number}" for number in range(200)]
    frame = pandas.DataFrame({name: generator.normal(size=600) for name in [*names, "y"]})
    if is_in_groups:
        shared = {name: generator.normal(size=100)[person] for name in [*names[::2], "y"]}
        frame["who"] = [f"p{number}" for number in person]
    else:
        walks = benchmark.walks(0.8, 600, 101, generator).T
        shared = dict(zip([*names[::2], "y"], walks, strict=True))
    for name, values in shared.items():
        frame[name] = 0.5 * frame[name] + values
    (dependence,) = dependent_rows(engine.Dataset.from_frame(frame, labels=["y"]))
    concerned = {name for name, _, _ in dependence.correlations}
    assert len(concerned & set(names[::2])) == 100 and len(concerned & set(names[1::2])) <= 4
