"""Links through other labels where every test is right: boundaries among the features, and what separates."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

import networkx
import numpy as np
import pandas

import engine
from engine.boundaries.settings import DiscoverySettings
from engine.discovery.evidence import Rule
from engine.reporting.result_file import read_result
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
    assert links.loc[("cost", "relapse"), ["kind", "through"]].tolist() == ["through labels", ("death",)]
    assert sorted(result.total_common["feature"]) == ["age", "cost", "dose"]
    assert result.common["feature"].tolist() == ["age"]


def test_labels_in_a_row_are_passed_through_one_after_another() -> None:
    edges = [("dose", "a"), ("a", "b"), ("b", "c")]
    result = discovered(edges, ["a", "b", "c"], USUAL)
    assert result.total_label_sets == {"dose": {"a", "b", "c"}}
    through = result.links.set_index("label")["through"].to_dict()
    assert (through["a"], through["b"]) == ((), ("a",))
    assert through["c"] in {("a",), ("b",)}


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
        for feature in features:
            others = [each for each in features if each != feature]
            subsets = chain.from_iterable(combinations(others, size) for size in range(5 + 1))
            if not any(apart(feature, label, set(given)) for given in subsets):
                assert feature in linked
        in_boundary = {each for each in features if not apart(each, label, set(features) - {each})}
        assert linked - direct <= in_boundary
        for feature in linked - direct:
            link = result.links_through_labels[feature, label]
            if link.separated is None:
                continue
            assert apart(feature, label, set(link.separated.given))
            assert link.through == tuple(each for each in labels if each in link.separated.given)
            if link.reasons[0].rule is not Rule.NEIGHBOUR:
                continue
            fewer = (
                {*some_labels, *some_features}
                for count in range(len(link.through))
                for some_labels in combinations([each for each in labels if each != label], count)
                for size in range(4)
                for some_features in combinations([each for each in features if each != feature], size)
            )
            assert not any(apart(feature, label, given) for given in fewer)


def test_files_hold_links_of_both_kinds_and_are_read_back(tmp_path: Path) -> None:
    generator = np.random.default_rng(7)
    dose = generator.integers(0, 2, 1500)
    relapse = (generator.random(1500) < 0.25 + 0.35 * dose).astype(int)
    death = (generator.random(1500) < 0.15 + 0.5 * relapse).astype(int)
    frame = pandas.DataFrame({"dose": dose, "noise": generator.integers(0, 2, 1500)})
    frame = frame.assign(relapse=relapse, death=death)
    result = engine.discover(engine.Dataset.from_frame(frame, labels=["relapse", "death"]))
    engine.export(result, tmp_path)
    written = pandas.read_csv(tmp_path / "links.csv").set_index("label")
    assert written["kind"].to_dict() == {"relapse": "direct", "death": "through labels"}
    assert written["through"]["death"] == "relapse"
    again = read_result(tmp_path / "result.json")
    assert again.links_through_labels == result.links_through_labels
    assert again.total_label_sets == {"dose": frozenset({"relapse", "death"})}
