"""Links through other labels where every test is right: boundaries among the features, and what separates."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import networkx
import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.markov_boundary import LinkKind
from engine.discovery.effects.estimates import Estimand, Sign
from engine.discovery.evidence import DecidedBy, Relation, Rule
from engine.discovery.finding_words import link_words, signs_in_words
from engine.discovery.indirect_links import IndirectLinks
from engine.discovery.label_outcome import LabelOutcome
from engine.discovery.orientation.direction import Direction
from engine.discovery.result import DiscoveryResult
from engine.discovery.run_comparison import Change
from engine.errors import Cancelled
from engine.reporting.figures.graph import EdgeKind, graph_content
from engine.reporting.graph_file import graph_of
from engine.reporting.result_file import read_result
from engine.reporting.run_comparison import change_phrases, change_text, link_text
from engine.reporting.script import command_text, script_text
from engine.reporting.sentences.links import shared_effects_phrase, through_phrase
from engine.reporting.sentences.stability import pair_again_sentence, stability_sentences
from engine.reporting.tables import ResultContext, TableOrigin
from engine.simulation import score
from engine.wording.phrases import plain
from tests.engine.oracle import discovered
from tests.examples import first_of
from tests.with_each import with_each

USUAL = DiscoverySettings()


def test_a_cause_of_the_first_of_a_chain_is_linked_to_the_others_through_it() -> None:
    edges = [("dose", "relapse"), ("relapse", "death"), ("age", "death"), ("death", "cost")]
    result = discovered(edges, ["relapse", "death"], USUAL)
    # Age is a spouse of relapse, by the paper's definition.
    assert result.label_sets == {"dose": {"relapse"}, "age": {"death", "relapse"}, "cost": {"death"}}
    assert set(map(frozenset, result.total_label_sets.values())) == {frozenset({"relapse", "death"})}
    links = result.links.set_index(["feature", "label"])
    assert links.loc[("dose", "death"), ["kind", "through"]].tolist() == ["through labels", ("relapse",)]
    assert links.loc[("dose", "relapse"), ["kind", "through"]].tolist() == ["direct", ()]
    # Death explains this link, too, but is no cause of relapse that could carry it.
    cost = links.loc[("cost", "relapse")]
    assert (cost["kind"], cost["through"], cost["separated_given"]) == ("through labels", (), ("death",))
    assert sorted(result.total_common["feature"]) == ["age", "cost", "dose"]
    assert result.common["feature"].tolist() == ["age"]


def test_labels_in_a_row_are_passed_through_one_after_another() -> None:
    edges = [("dose", "a"), ("a", "b"), ("b", "c")]
    result = discovered(edges, ["a", "b", "c"], USUAL)
    assert result.total_label_sets == {"dose": {"a", "b", "c"}}
    through = result.links.set_index("label")["through"].to_dict()
    assert (through["a"], through["b"]) == ((), ("a",))
    assert through["c"] in {("a",), ("b",)}


def test_a_cause_of_a_label_is_linked_given_an_effect_that_the_label_shares_with_another() -> None:
    edges = [("dose", "relapse"), ("relapse", "cost"), ("death", "cost"), ("age", "death")]
    result = discovered(edges, ["relapse", "death"], USUAL)
    assert set(map(frozenset, result.total_label_sets.values())) == {frozenset({"relapse", "death"})}
    link = result.links_through_labels["dose", "death"]
    assert (link.reasons[0].rule, link.effects, link.through) == (Rule.SPOUSE, ("cost",), ("relapse",))
    assert link.reasons[0].deciding is not None
    assert link.reasons[0].deciding.given == ("cost",)
    said = plain(through_phrase(result, "dose", "death"))
    alike = (
        "Among rows alike in cost, dose is linked to death through relapse: given also relapse, no further"
    )
    assert said.startswith(alike)
    assert plain(shared_effects_phrase(result)) == (
        "For 2 of the common variables, the link to a second label was found only among rows alike in a "
        "shared effect."
    )
    assert shared_effects_phrase(result.with_links_through_labels(False)) == ()
    assert "through relapse, among rows alike in cost" in link_words(result.total_findings.by_feature["dose"])
    # Dose need not be a cause of cost, as a spouse among all variables is.
    assert result.total_findings.direction("dose", "death") is Direction.UNDECIDED


def test_a_label_passes_nothing_on_between_its_causes() -> None:
    edges = [("dose", "a"), ("b", "a"), ("b", "c"), ("c", "cost")]
    result = discovered(edges, ["a", "b", "c"], USUAL)
    # By the paper's definition dose is a spouse of b. With a left out it tells nothing of b, or of c.
    assert result.total_label_sets["dose"] == {"a", "b"}


def test_a_way_over_a_shared_effect_that_is_a_label_is_open_given_an_effect_of_it() -> None:
    edges = [("dose", "a"), ("a", "b"), ("c", "b"), ("b", "cost"), ("age", "cost"), ("sex", "c")]
    result = discovered(edges, ["a", "b", "c"], USUAL)
    assert result.links_through_labels["dose", "c"].effects == ("cost",)
    unseen = discovered([edge for edge in edges if "cost" not in edge], ["a", "b", "c"], USUAL)
    assert unseen.total_label_sets["dose"] == {"a", "b"}


def test_links_are_joined_that_a_search_among_the_features_misses() -> None:
    network = engine.simulate(labels=20, features=300, rows=4000, label_causality=1.0, seed=3)
    result = engine.discover(network.dataset, directions=False)
    pairs = score(result.total_label_sets, network.truth.total_label_sets).pairs
    # Before, recall was 0.65.
    assert pairs.precision >= 0.95
    assert pairs.recall >= 0.9


def test_a_run_that_is_stopped_before_links_are_joined_is_not_finished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(links: IndirectLinks, label: int) -> LabelOutcome:
        raise Cancelled

    monkeypatch.setattr(IndirectLinks, "completed", stopped)
    result = discovered([("dose", "a"), ("a", "b")], ["a", "b"], USUAL)
    assert result.is_partial
    assert result.label_sets == {"dose": {"a"}}


def test_with_one_label_and_under_the_published_procedure_there_are_direct_links_alone() -> None:
    edges = [("dose", "relapse"), ("relapse", "death")]
    alone = discovered(edges, ["death"], USUAL)
    assert alone.total_label_sets == alone.label_sets == {"relapse": {"death"}}
    published = DiscoverySettings(procedure="as published", false_discovery="none")
    result = discovered(edges, ["relapse", "death"], published)
    assert result.total_label_sets == result.label_sets == {"dose": {"relapse"}}


def _random_edges(seed: int) -> list[tuple[str, str]]:
    generator = np.random.default_rng(4100 + seed)
    names = [f"v{place}" for place in generator.permutation(12)]
    return [
        (names[cause], names[effect])
        for effect in range(1, 12)
        for cause in generator.choice(effect, min(effect, int(generator.integers(0, 3))), replace=False)
    ]


@with_each("seed", first_of(range(40), 8))
def test_boundaries_among_features_and_separating_labels_are_those_of_the_graph(seed: int) -> None:
    edges = _random_edges(seed)
    graph = networkx.DiGraph(edges)
    names = sorted(graph)
    labels, features = names[:4], names[4:]
    result = discovered(edges, labels, DiscoverySettings(max_conditioning=5, symmetry=True))

    def apart(feature: str, label: str, given: set[str]) -> bool:
        return bool(networkx.is_d_separator(graph, {feature}, {label}, given))

    for label in labels:
        linked = {feature for feature, served in result.total_label_sets.items() if label in served}
        direct = {feature for feature, served in result.label_sets.items() if label in served}
        assert direct == {
            feature for feature in features if not apart(feature, label, set(names) - {feature, label})
        }
        # What shares an effect with the label counts in both boundaries.
        assert linked == direct | {
            feature for feature in features if not apart(feature, label, set(features) - {feature})
        }
        for feature in linked - direct:
            link = result.links_through_labels[feature, label]
            if link.separated is None:
                continue
            assert apart(feature, label, set(link.separated.given))
            assert link.through == tuple(label for label in labels if label in link.separated.given)
            assert not apart(feature, label, set(link.effects))
            fewer = (
                {*some_labels, *some_features, *link.effects}
                for count in range(len(link.through))
                for some_labels in combinations(
                    [other_label for other_label in labels if other_label != label], count
                )
                for size in range(4)
                for some_features in combinations(
                    [other_feature for other_feature in features if other_feature != feature], size
                )
            )
            assert not any(apart(feature, label, given) for given in fewer)


@cache
def _relapse_and_death() -> DiscoveryResult:
    """Search outcomes of which the first is a cause of the second; dose is a cause of the first alone."""
    generator = np.random.default_rng(7)
    dose = generator.integers(0, 2, 1500)
    relapse = (generator.random(1500) < 0.25 + 0.35 * dose).astype(int)
    death = (generator.random(1500) < 0.15 + 0.5 * relapse).astype(int)
    frame = pandas.DataFrame({"dose": dose, "noise": generator.integers(0, 2, 1500)})
    frame = frame.assign(relapse=relapse, death=death)
    return engine.discover(engine.Dataset.from_frame(frame, labels=["relapse", "death"]))


def test_a_weak_whole_is_stated_where_its_steps_are_found_and_the_sentence_says_so(tmp_path: Path) -> None:
    by_steps, stated = [], 0
    for seed in range(30):
        generator = np.random.default_rng(seed)

        def like(source: np.ndarray, generator: np.random.Generator = generator) -> np.ndarray:
            return np.where(generator.random(500) < 0.35, source, generator.integers(0, 3, 500))

        dose = generator.integers(0, 3, 500)
        relapse = like(dose)
        frame = pandas.DataFrame({"dose": dose, "relapse": relapse, "death": like(relapse)}).astype(
            "category"
        )
        result = engine.discover(engine.Dataset.from_frame(frame, labels=["relapse", "death"]))
        stated += ("dose", "death") in result.links_through_labels
        link = result.links_through_labels.get(("dose", "death"))
        if link is not None and link.reasons[0].decided_by is DecidedBy.STEPS:
            by_steps.append((result, link))
    # With a test of any association at the level of the search alone, 20 were.
    assert stated >= 28
    assert len(by_steps) >= 5
    for result, link in by_steps:
        deciding = link.reasons[0].deciding
        assert deciding is not None
        assert (deciding.dof, deciding.p_value <= 0.05) == (1.0, True)
        said = plain(through_phrase(result, "dose", "death"))
        assert said.endswith("each of its steps was found: dose with relapse and relapse with death.")
    result, link = by_steps[0]
    engine.export(result, tmp_path)
    assert read_result(tmp_path / "result.json").links_through_labels == {link.pair: link}


def test_files_hold_links_of_both_kinds_and_are_read_back(tmp_path: Path) -> None:
    result = _relapse_and_death()
    engine.export(result, tmp_path)
    written = pandas.read_csv(tmp_path / "links.csv").set_index("label")
    assert written["kind"].to_dict() == {"relapse": "direct", "death": "through labels"}
    assert written["through"]["death"] == "relapse"
    again = read_result(tmp_path / "result.json")
    assert again.links_through_labels == result.links_through_labels
    assert again.total_label_sets == {"dose": frozenset({"relapse", "death"})}


def test_the_switch_decides_what_is_shown_and_never_the_sets_of_the_paper(tmp_path: Path) -> None:
    on = _relapse_and_death()
    off = on.with_links_through_labels(False)
    assert on.counts_through_labels
    assert [finding.feature for finding in on.counted_findings.common] == ["dose"]
    assert on.counted_findings.by_feature["dose"].kinds == (LinkKind.DIRECT, LinkKind.THROUGH_LABELS)
    assert off.counted_findings.common == ()
    assert off.counted_findings.by_feature["dose"].labels == ("relapse",)
    for result in (on, off):
        assert result.label_sets == {"dose": {"relapse"}}
        assert result.common.empty
        assert result.label_specific["label"].tolist() == ["relapse"]
        assert result.total_common["kinds"].tolist() == [("direct", "through labels")]
        assert len(result.links) == 2
        folder = tmp_path / str(result.counts_through_labels)
        engine.export(result, folder)
        again = read_result(folder / "result.json")
        assert again.counts_through_labels is result.counts_through_labels
    for name in ("common.csv", "label_specific.csv", "links.csv"):
        assert (tmp_path / "True" / name).read_bytes() == (tmp_path / "False" / name).read_bytes()
    for result, is_named in ((off, True), (on, False)):
        origin = TableOrigin("outcomes.csv")
        analysis = ResultContext(result, engine.PreparationSettings(), result.dataset, origin=origin)
        assert ("with_links_through_labels(False)" in script_text(analysis)) is is_named
        assert ("--no-links-through-labels" in command_text(analysis)) is is_named


def test_figures_and_tables_for_a_paper_say_whether_links_through_other_labels_count(tmp_path: Path) -> None:
    on = _relapse_and_death()
    on = on.with_effects(engine.effects(on.dataset, on))
    formats = ("latex", "label-sets", "forest-plot")
    words = {
        True: "Links through other labels are counted.",
        False: "Links through other labels are not counted.",
    }
    for is_counted in (True, False):
        folder = tmp_path / str(is_counted)
        engine.export(on.with_links_through_labels(is_counted), folder, also=formats)
        for name in ("tables.tex", "label_sets.svg", "forest_plot.svg"):
            text = (folder / name).read_text(encoding="utf-8")
            assert words[is_counted] in text
            assert words[not is_counted] not in text


def test_graph_and_its_file_draw_links_of_both_kinds_as_far_as_they_count() -> None:
    on = _relapse_and_death()
    (through,) = [
        edge
        for edge in graph_content(on.counted_findings, 10, 10).edges
        if edge.label == "death" and edge.start == "dose"
    ]
    assert (through.kind, through.through) == (EdgeKind.THROUGH_LABELS, "relapse")
    edge = graph_of(ResultContext(on)).edges["dose", "death"]
    assert (edge["relation"], edge["kind"], edge["through"]) == (
        "through labels",
        "through labels",
        "relapse",
    )
    assert graph_of(ResultContext(on)).edges["dose", "relapse"]["kind"] == "direct"
    assert graph_of(ResultContext(on)).graph["links_through_labels"] == "counted"
    off = on.with_links_through_labels(False)
    assert not graph_of(ResultContext(off)).has_edge("dose", "death")
    assert graph_of(ResultContext(off)).graph["links_through_labels"] == "not counted"
    kinds = {edge.kind for edge in graph_content(off.counted_findings, 10, 10).edges}
    assert EdgeKind.THROUGH_LABELS not in kinds


def test_repetitions_and_sizes_know_links_of_both_kinds() -> None:
    result = _relapse_and_death()
    again = engine.stability(result.dataset, result.settings, resamples=6)
    result = result.with_stability(again).with_effects(engine.effects(result.dataset, result))
    finding = result.counted_findings.by_feature["dose"]
    assert again.times_found("dose", "death") < again.times_linked("dose", "death") == 6
    assert finding.found_again is not None
    assert finding.found_again.times == (6, 6)
    assert again.times_common("dose") < again.times_common_in_total("dose") == 6
    assert "2 of 2 findings were found again" in stability_sentences(result)[0]
    assert "a link through other labels" in pair_again_sentence(result, "dose", "death") or (
        pair_again_sentence(result, "dose", "death") == "Found again in 6 of 6 random halves of the rows."
    )
    # How the two go together as they are; adjusted, the label that explains it is held.
    assert list(finding.sizes[1]) == [Estimand.ASSOCIATION]
    assert finding.signs[0] is finding.signs[1]
    # What it is when adjusted stands beside it all the same.
    assert [sign.adjusted_sign for sign in finding.association_signs] == [None, Sign.UNCLEAR]
    assert signs_in_words(finding).endswith("(unclear when adjusted)")
    assert finding.relations == (Relation.NEIGHBOUR, Relation.THROUGH_LABELS)


def test_a_link_of_another_kind_is_a_difference_between_two_runs() -> None:
    through = _relapse_and_death()
    pair = ("dose", "death")
    direct = replace(
        through,
        evidence={**through.evidence, pair: through.links_through_labels[pair].reasons},
        links_through_labels={},
    )
    compared = engine.compare_runs(through, direct)
    (change,) = [change for change in compared.link_changes if change.label == "death"]
    assert change.changes == (Change.KIND,)
    assert link_text(change) == "direct, was through relapse"
    (of_feature,) = compared.feature_changes
    assert of_feature.types == ("common", "common")
    assert change_text(of_feature) == "death: direct, was through relapse"
    assert compared.links.set_index("label").loc["death", "kind_first"] == "through labels"
    said = " ".join(map(plain, change_phrases(compared)))
    assert "linked in another way (directly, or through which labels): dose" in said
    # As is a label that is said to carry it no more, as the variable is not linked to it.
    link = through.links_through_labels[pair]
    elsewhere = replace(through, links_through_labels={pair: replace(link, through=("age",))})
    (change,) = [
        change for change in engine.compare_runs(through, elsewhere).link_changes if change.label == "death"
    ]
    assert (change.changes, link_text(change)) == (
        (Change.KIND,),
        "through other labels, was through relapse",
    )
    # With such links left out in either run the link came.
    off = engine.compare_runs(through.with_links_through_labels(False), direct)
    assert [change.changes for change in off.link_changes] == [(Change.SAME,), (Change.CAME,)]
    # What was not looked for in one of the runs is not said to differ.
    published = DiscoverySettings(procedure="as published", false_discovery="none")
    as_published = engine.discover(through.dataset, published)
    assert not as_published.searched_through_labels
    assert not engine.compare_runs(through, as_published).counts_through_labels


def test_labels_that_share_an_unmeasured_cause_are_not_said_to_carry_a_link() -> None:
    """Two of three outcomes nearly separate a cause of their severity from the third."""
    said = []
    for seed in range(8):
        generator = np.random.default_rng(seed)
        cause, other_cause, noise = generator.normal(size=(3, 1000))
        severity = 0.4 * cause + 0.4 * other_cause + generator.normal(size=1000)
        columns = {"cause": cause, "other": other_cause, "noise": noise}
        columns |= {name: 0.8 * severity + generator.normal(size=1000) for name in ("s1", "s2", "s3")}
        frame = pandas.DataFrame(columns)
        result = engine.discover(engine.Dataset.from_frame(frame, labels=["s1", "s2", "s3"]))
        said += [bool(link.through) for link in result.links_through_labels.values()]
    # Before, twelve of thirteen were.
    assert len(said) > 8
    assert sum(said) <= len(said) // 2


def test_results_of_versions_that_looked_for_direct_links_alone_do_not_speak_of_others(
    tmp_path: Path,
) -> None:
    result = _relapse_and_death()
    engine.export(result, tmp_path)
    path = tmp_path / "result.json"
    saved = json.loads(path.read_text(encoding="utf-8"))
    assert read_result(path).searched_through_labels
    for key in ("links_through_labels", "counts_through_labels", "searched_through_labels"):
        del saved[key]
    path.write_text(json.dumps(saved), encoding="utf-8")
    earlier = read_result(path)
    assert not earlier.searched_through_labels
    assert earlier.holds_direct_links_alone
    assert not engine.compare_runs(result, earlier).counts_through_labels
