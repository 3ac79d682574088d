"""Outcomes behind which one thing lies are called a group, and what acts on it is linked to the group."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.finding_words import link_words
from engine.discovery.label_groups import label_groups_in
from engine.progress import ProgressEvent, SilentProgress
from engine.reporting.figures.graph import EdgeKind, graph_content
from engine.reporting.graph_file import graph_of
from engine.reporting.result_file import read_result
from engine.reporting.sentences.links import group_sentences, through_sentences
from engine.reporting.sentences.overview import summary_sentences
from engine.reporting.tables import ResultContext
from engine.terminal import main
from tests.benchmarks.total_links import OUTCOMES, groups_counted

TRIALS = Path("../shared/data/trials")
RESPIRATORY = Path("../shared/data/panel/respiratory.csv")
# Settled on seeds below 1000.
SEEDS = range(3000, 3006)


def severity_table(rows: int = 500) -> engine.Dataset:
    """Draw five outcomes of a severity on which a treatment acts; the fifth is reversed."""
    drawn = np.random.default_rng(5)
    treatment = drawn.integers(0, 2, rows)
    severity = drawn.normal(size=rows) + 1.5 * treatment
    columns = {f"y{place}": severity + drawn.normal(size=rows) for place in range(1, 5)}
    columns["y5"] = -severity + drawn.normal(size=rows)
    frame = pandas.DataFrame({"treatment": treatment, "age": drawn.normal(size=rows), **columns})
    return engine.Dataset.from_frame(frame, labels=list(columns))


TABLE = severity_table()
RESULT = engine.discover(TABLE, directions=False)


@pytest.mark.parametrize("scenario", ["severity", "none"])
def test_outcomes_of_one_unmeasured_severity_are_a_group(scenario: str) -> None:
    counts = sum((groups_counted(scenario, "both", 300, seed, OUTCOMES[:4]) for seed in SEEDS), Counter())
    assert counts["whole group"] >= len(SEEDS) - 1
    assert counts["false links"] == 0


def test_a_chain_measured_causes_and_unrelated_outcomes_are_no_group() -> None:
    counts: Counter[str] = Counter()
    for scenario in ("chain", "fork", "unrelated"):
        for seed in SEEDS:
            counts += groups_counted(scenario, "both", 300, seed, OUTCOMES[:4])
    assert counts["any group"] <= 1


def test_what_acts_on_the_severity_is_linked_to_the_group() -> None:
    (group,) = RESULT.label_groups
    assert group.members == ("y1", "y2", "y3", "y4", "y5")
    assert group.reversed == ("y5",)
    assert group.features == ("treatment",)


def test_labels_of_a_group_are_not_said_to_carry_a_link_to_each_other() -> None:
    words = "only what the outcomes share"
    assert RESULT.links_through_labels["treatment", "y1"].through == ("y4", "y5")
    links = RESULT.links.set_index("label")
    assert list(links.index[links["kind"] == "through labels"]) == ["y1", "y2", "y3"]
    assert not any(links["through"])
    assert through_sentences(RESULT) == (
        "treatment is linked to y1, y2 and y3; these rows do not show more than what the outcomes share.",
    )
    (finding,) = RESULT.total_findings.all
    assert link_words(finding) == (words, words, words, "direct", "direct")
    edge = next(edge for edge in graph_content(RESULT.counted_findings, 10, 10).edges if edge.label == "y1")
    assert (edge.kind, edge.through, edge.statement) == (EdgeKind.THROUGH_LABELS, "", words)
    edges = graph_of(ResultContext(RESULT)).edges
    assert (edges["treatment", "y1"]["kind"], edges["treatment", "y1"]["through"]) == ("through labels", "")
    # Of labels that are no group the data say more.
    apart = replace(RESULT, label_groups=())
    assert apart.links.set_index("label").loc["y1", "through"] == ("y4", "y5")
    assert through_sentences(apart)[0].startswith("treatment is linked to y1 through y4 and y5")


def test_the_link_with_a_group_is_that_of_its_score_searched_as_one_outcome() -> None:
    (group,) = RESULT.label_groups
    table = group.as_one_outcome(TABLE)
    scored = engine.discover(table, directions=False)
    (label,) = scored.dataset.labels
    assert scored.label_sets == {name: frozenset({label}) for name in group.features}
    assert scored.reasons("treatment", label)[0] == group.reasons[0]


def test_labels_that_few_rows_have_are_no_group() -> None:
    drawn = np.random.default_rng(6)
    severity = drawn.normal(size=300)
    columns = {f"y{place}": (severity + 0.4 * drawn.normal(size=300) > 1.9).astype(int) for place in range(5)}
    assert all(3 <= column.sum() < 20 for column in columns.values())
    frame = pandas.DataFrame({"age": drawn.normal(size=300), **columns})
    table = engine.Dataset.from_frame(frame, labels=list(columns))
    assert label_groups_in(table, ()) == ()


def test_a_level_that_is_the_event_makes_no_difference_to_which_members_are_reversed() -> None:
    frame = TABLE.frame.copy()
    frame["y5"] = pandas.Categorical(np.where(frame["y5"] > frame["y5"].median(), "a", "b"))
    for event, expected in (("a", ("y5",)), ("b", ())):
        table = engine.Dataset.from_frame(frame, labels=TABLE.labels, events={"y5": event})
        (group,) = engine.discover(table, directions=False).label_groups
        assert group.reversed == expected


def test_order_of_rows_and_columns_and_units_make_no_difference() -> None:
    frame = TABLE.frame.copy()
    changed = frame.sample(frac=1.0, random_state=1)[list(frame)[::-1]]
    changed["y2"] = changed["y2"] * 1e6 - 273.15
    (other_group,) = engine.discover(
        engine.Dataset.from_frame(changed, labels=TABLE.labels[::-1]), directions=False
    ).label_groups
    (group,) = RESULT.label_groups
    assert set(other_group.members) == set(group.members)
    assert other_group.features == group.features
    assert other_group.reasons[0].deciding.log_p == pytest.approx(group.reasons[0].deciding.log_p, rel=1e-6)


def test_in_time_order_nothing_later_than_a_group_is_linked_to_it() -> None:
    frame = TABLE.frame.copy()
    frame["later"] = sum(frame[name] for name in TABLE.labels[:4]) + np.random.default_rng(2).normal(size=500)
    table = engine.Dataset.from_frame(frame, labels=TABLE.labels)
    knowledge = engine.Knowledge(tiers=[["treatment", "age"], TABLE.labels, ["later"]])
    features_by_steering = {}
    for steers in (False, True):
        settings = engine.DiscoverySettings(time_order=steers)
        result = engine.discover(table, settings, knowledge=knowledge, directions=False)
        features_by_steering[steers] = [group.features for group in result.label_groups]
    assert features_by_steering[True] == [("treatment",)] != features_by_steering[False]


def test_the_published_procedure_has_no_groups() -> None:
    settings = engine.DiscoverySettings(procedure="as published")
    assert engine.discover(TABLE, settings, directions=False).label_groups == ()


def test_a_nominal_common_cause_explains_why_outcomes_go_together() -> None:
    drawn = np.random.default_rng(7)
    arm = drawn.integers(0, 3, 600)
    columns = {f"y{place}": np.array([0.0, 2.0, 0.5])[arm] + drawn.normal(size=600) for place in range(1, 5)}
    frame = pandas.DataFrame({"arm": np.array(["a", "b", "c"])[arm], **columns})
    result = engine.discover(engine.Dataset.from_frame(frame, labels=list(columns)), directions=False)
    assert result.label_groups == ()


def test_a_group_is_kept_in_files_and_absent_from_those_of_earlier_programs(tmp_path: Path) -> None:
    engine.export(RESULT, tmp_path)
    assert read_result(tmp_path / "result.json", RESULT.dataset).label_groups == RESULT.label_groups
    written = pandas.read_csv(tmp_path / "label_groups.csv")
    assert written["feature"].tolist() == ["treatment"]
    assert written["labels"].tolist() == ["y1; y2; y3; y4; y5"]
    text = (tmp_path / "result.json").read_text()
    start = text.index('"label_groups"')
    earlier = text[:start] + text[text.index('"q_values"', start) :]
    (tmp_path / "earlier.json").write_text(earlier.replace('"groups_finished": true,', ""))
    read = read_result(tmp_path / "earlier.json", RESULT.dataset)
    assert read.label_groups == ()
    assert not read.is_partial


def test_no_file_of_groups_is_written_where_there_is_none(tmp_path: Path) -> None:
    engine.export(replace(RESULT, label_groups=()), tmp_path)
    assert not (tmp_path / "label_groups.csv").exists()


def test_sentences_say_no_more_than_was_computed() -> None:
    summary = " ".join(summary_sentences(RESULT))
    assert (
        "5 labels vary together as if they reflected one thing: y1, y2, y3, y4 and y5 (y5 reversed)"
        in summary
    )
    assert "treatment is linked to the group of these 5 labels as one outcome" in summary
    (sentence,) = group_sentences(RESULT)
    assert sentence.startswith("treatment is linked to the group of these 5 labels: strength ")


def test_links_with_a_group_are_not_said_where_direct_links_alone_count() -> None:
    direct = RESULT.with_links_through_labels(False)
    assert group_sentences(direct) == ()
    assert not any("linked to the group" in sentence for sentence in summary_sentences(direct))
    assert any("vary together" in sentence for sentence in summary_sentences(direct))


class _StopsAtGroups(SilentProgress):
    def __init__(self) -> None:
        self._is_there = False

    def report(self, event: ProgressEvent) -> None:
        self._is_there |= event.stage == "Looking for groups of labels"

    def should_stop(self) -> bool:
        return self._is_there


def test_a_stop_before_groups_were_searched_says_nothing_of_groups() -> None:
    stopped = engine.discover(TABLE, progress=_StopsAtGroups(), directions=False)
    assert stopped.is_partial
    assert stopped.label_groups == ()
    assert stopped.label_sets == RESULT.label_sets


def test_missing_values_and_values_drawn_for_them_keep_the_group() -> None:
    frame = TABLE.frame.copy()
    drawn = np.random.default_rng(9)
    for name in TABLE.labels:
        frame.loc[drawn.random(len(frame)) < 0.15, name] = np.nan
    table = engine.Dataset.from_frame(frame, labels=TABLE.labels)
    for missing in ("per-test", "imputed"):
        prepared = engine.prepare(table, engine.PreparationSettings(missing=missing, imputations=3))
        (group,) = engine.discover(prepared, directions=False).label_groups
        assert "treatment" in group.features


def test_the_score_as_a_step_of_a_recipe_is_the_score_that_was_searched() -> None:
    (group,) = RESULT.label_groups
    step = group.score_step()
    table = engine.Recipe([step]).apply(TABLE)
    assert table.column(group.name).tolist() == group.as_one_outcome(TABLE).column(group.name).tolist()
    assert engine.Recipe(engine.Recipe([step]).as_plain()).steps == (step,)


def test_the_terminal_searches_labels_as_one_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    TABLE.frame.to_csv(tmp_path / "pain.csv", index=False)
    words = ["discover", str(tmp_path / "pain.csv"), "--labels", ",".join(TABLE.labels)]
    out = ["--out", str(tmp_path / "out")]
    assert main([*words, "--as-one-outcome", ",".join(TABLE.labels), *out, "--also", "command"]) == 0
    name = RESULT.label_groups[0].name
    assert f"is linked to {name}." in capsys.readouterr().out
    table = pandas.read_csv(tmp_path / "out" / "label_specific.csv")
    assert table[["feature", "label"]].to_numpy().tolist() == [["treatment", name]]
    assert '"step": "score"' in next((tmp_path / "out").glob("*.sh")).read_text()
    assert main([*words, "--as-one-outcome", "y1,age", *out]) == 2
    assert "--as-one-outcome: age is not a label" in capsys.readouterr().err


def test_a_score_is_the_mean_of_standardised_values() -> None:
    frame = pandas.DataFrame({name: TABLE.column(name) for name in TABLE.labels})
    standardised = (frame - frame.mean()) / frame.std(ddof=0)
    standardised["y5"] *= -1.0
    expected = standardised.mean(axis=1)
    (group,) = RESULT.label_groups
    score = group.as_one_outcome(TABLE).column(group.name)
    np.testing.assert_allclose(score, expected / expected.std(ddof=0), atol=1e-8)


@pytest.mark.skipif(not TRIALS.is_dir(), reason="needs the trials beside the project")
def test_licorice_is_linked_to_the_group_of_five_pain_scores() -> None:
    frame = pandas.read_csv(TRIALS / "licorice_gargle.csv").drop(columns="rownames")
    frame = frame[[name for name in frame if "cough" not in name]]
    pain = [name for name in frame if "Pain" in name]
    result = engine.discover(engine.prepare(engine.Dataset.from_frame(frame, labels=pain)), directions=False)
    assert len(result.total_label_sets["treat"]) >= 4
    (group,) = result.label_groups
    assert group.members == tuple(pain)
    assert "treat" in group.features


@pytest.mark.skipif(not TRIALS.is_dir(), reason="needs the trials beside the project")
def test_the_tone_of_a_story_is_linked_to_the_group_of_attitudes() -> None:
    frame = pandas.read_csv(TRIALS / "framing.csv")
    attitudes = ["emo", "p_harm", "immigr"]
    frame = frame[["age", "educ", "gender", "income", "tone", "eth", *attitudes]]
    table = engine.prepare(engine.Dataset.from_frame(frame, labels=attitudes))
    (group,) = engine.discover(table, directions=False).label_groups
    assert group.members == tuple(attitudes)
    assert group.features == ("educ", "tone")


@pytest.mark.skipif(not RESPIRATORY.is_file(), reason="needs the panels beside the project")
def test_treatment_is_linked_to_the_group_of_four_visits() -> None:
    columns = ["center", "id", "treat", "sex", "age", "baseline"]
    frame = pandas.read_csv(RESPIRATORY).pivot_table(index=columns, columns="visit", values="outcome")
    frame.columns = pandas.Index([f"visit {number}" for number in frame])
    visits = list(frame)
    table = engine.Dataset.from_frame(frame.astype(int).reset_index().drop(columns="id"), labels=visits)
    (group,) = engine.discover(engine.prepare(table), directions=False).label_groups
    assert group.members == tuple(visits)
    assert set(group.features) == {"treat", "baseline"}
