"""What the score finds among numbers: spouses that tests miss, and none where an arrow runs the other way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.evidence import DecidedBy
from engine.table.variable import Role
from tests.benchmarks.beside_boss import compared, weak_causes
from tests.benchmarks.direction_tables import drawn

TABLES = 12


def collider(generator: np.random.Generator) -> pandas.DataFrame:
    """Four causes of one effect; the label is one of the causes."""
    causes = generator.normal(size=(4, 500))
    effect = 0.45 * causes.sum(axis=0) + generator.normal(size=500)
    others = generator.normal(size=(4, 500))
    return _frame(np.vstack([causes, effect, others]))


def _levels(score: np.ndarray, *shares: float) -> np.ndarray:
    """Cut a number into levels, the last one rare."""
    levels: np.ndarray = np.digitize(score, np.quantile(score, shares))
    return levels


def collider_with_a_rare_level_of_the_label(generator: np.random.Generator) -> pandas.DataFrame:
    """The rows bear no regression of a label of which a level occurs ten times."""
    frame = collider(generator)
    level = _levels(frame["v0"].to_numpy(), 0.4, 0.7, 0.98)
    # The third level and the first go together: no number stands for levels.
    return frame.assign(v0=np.array(list("bacd"))[level])


def collider_with_a_rare_level_of_the_effect(generator: np.random.Generator) -> pandas.DataFrame:
    """The rows bear no regression of an effect of which a level occurs ten times."""
    frame = collider(generator)
    level = _levels(frame["v4"].to_numpy(), 0.3, 0.7, 0.98)
    return frame.assign(v4=np.array(list("bacd"))[level])


def cancelling(generator: np.random.Generator) -> pandas.DataFrame:
    """The label acts on its effect along two paths that cancel: alone, the two are independent."""
    causes = generator.normal(size=(4, 500))
    between = 0.7 * causes[0] + generator.normal(size=500)
    effect = 0.42 * causes[0] - 0.6 * between + 0.6 * causes[1:].sum(axis=0) + generator.normal(size=500)
    return _frame(np.vstack([causes, effect, between, generator.normal(size=(3, 500))]))


def chain(generator: np.random.Generator) -> pandas.DataFrame:
    """The label is an effect of a variable that has further effects and causes, and has none itself."""
    cause, cause_of_effect = generator.normal(size=(2, 500))
    between = 0.6 * cause + 0.6 * cause_of_effect + generator.normal(size=500)
    label = 0.6 * between + generator.normal(size=500)
    effect = 0.6 * between + generator.normal(size=500)
    others = generator.normal(size=(4, 500))
    return _frame(np.vstack([label, cause, cause_of_effect, effect, between, others]))


def _frame(columns: np.ndarray) -> pandas.DataFrame:
    return pandas.DataFrame(columns.T, columns=[f"v{number}" for number in range(len(columns))])


def spouses(draw: Callable[[np.random.Generator], pandas.DataFrame]) -> list[set[str]]:
    """Search the boundary of v0 in several tables."""
    tables = (draw(np.random.default_rng(seed)) for seed in range(TABLES))
    results = (engine.discover(engine.Dataset.from_frame(table, labels=["v0"])) for table in tables)
    return [set(result.boundaries["v0"].spouses) for result in results]


@pytest.mark.parametrize(
    "draw",
    [
        collider,
        collider_with_a_rare_level_of_the_label,
        collider_with_a_rare_level_of_the_effect,
        cancelling,
    ],
)
def test_spouses_that_tell_little_about_the_label_are_found(
    draw: Callable[[np.random.Generator], pandas.DataFrame],
) -> None:
    spouses_of_tables = spouses(draw)
    assert (
        sum(len(spouses_of_table & {"v1", "v2", "v3"}) for spouses_of_table in spouses_of_tables)
        >= 0.9 * 3 * TABLES
    )
    assert sum(len(spouses_of_table - {"v1", "v2", "v3"}) for spouses_of_table in spouses_of_tables) <= 1


def test_causes_of_a_cause_are_no_spouses() -> None:
    assert sum(map(len, spouses(chain))) <= 1


@pytest.mark.parametrize(
    ("kind", "shape", "seed", "label", "spouse"),
    [
        # It is no effect of both, and the graph has neither arrow: yet one test found a common effect.
        ("curved", "dense", 4101, "v26", "v15"),
        # An effect of the label hangs on products of its causes, and so does this effect of one of them.
        ("interactions", "dense", 5301, "v15", "v6"),
        # It goes along with a cause of the label's effect that acts in products alone.
        ("interactions", "hubs", 5300, "v10", "v21"),
        # The order of all variables shows it, and graphs of most variables around the effect deny it.
        ("straight", "dense", 5607, "v27", "v24"),
    ],
)
def test_a_spouse_depends_on_the_label_given_their_effect_and_the_other_causes_of_both(
    kind: str, shape: str, seed: int, label: str, spouse: str
) -> None:
    table = drawn(kind, shape, seed, 500)
    result = engine.discover(engine.Dataset.from_frame(table.frame, labels=table.labels), directions=False)
    assert spouse not in result.boundaries[label].spouses


def test_a_cause_of_the_effect_is_significant_among_all_that_it_is_chosen_from() -> None:
    # Beside the seven parents that the graph gives the effect, v11 has p = .0005.
    table = drawn("curved", "site", 5607, 2000)
    result = engine.discover(engine.Dataset.from_frame(table.frame, labels=["v18"]), directions=False)
    assert "v11" not in result.boundaries["v18"].spouses


def test_the_evidence_of_a_spouse_names_the_comparison_that_let_it_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = engine.Dataset.from_frame(collider(np.random.default_rng(0)), labels=["v0"])
    with_score = engine.discover(table)
    monkeypatch.setattr("engine.discovery.refinement.controlled.opinion_of_blocks", lambda *_: None)
    by_tests = engine.discover(table)
    added = set(with_score.boundaries["v0"].spouses) - set(by_tests.boundaries["v0"].spouses)
    assert added
    for name in added:
        assert [reason.decided_by for reason in with_score.evidence[name, "v0"]] == [DecidedBy.SCORE]


def test_a_spouse_stays_one_where_the_graph_has_it_next_to_the_label() -> None:
    # An effect of both hangs on their product, which no graph of sums knows.
    table = drawn("interactions", "chains", 3102, 500)
    result = engine.discover(engine.Dataset.from_frame(table.frame, labels=table.labels))
    assert "v3" in result.boundaries["v9"].spouses


def test_an_effect_of_more_causes_than_all_graphs_are_tried_of_has_spouses() -> None:
    generator = np.random.default_rng(3)
    causes = generator.normal(size=(14, 2000))
    effect = 0.25 * causes.sum(axis=0) + generator.normal(size=2000)
    result = engine.discover(
        engine.Dataset.from_frame(_frame(np.vstack([causes, effect])), labels=["v0", "v5"])
    )
    for label, boundary in result.boundaries.items():
        assert boundary.parents_children == ("v14",), label
        assert len(boundary.spouses) >= 11


def test_members_are_found_where_each_variable_has_many_weak_causes() -> None:
    table = weak_causes(2000, 0)
    labels = table.dataset.labels[2:3]
    roles = {name: Role.LABEL if name in labels else Role.FEATURE for name in table.dataset.names}
    variables = tuple(replace(variable, role=roles[variable.name]) for variable in table.dataset.variables)
    result = engine.discover(replace(table.dataset, variables=variables), directions=False)
    right, wrong, missed = compared(
        {label: set(boundary.members) for label, boundary in result.boundaries.items()}, table.boundaries
    )
    assert right >= 0.8 * (right + missed)
    assert wrong <= 0.02 * right


def test_tests_alone_decide_where_the_best_graph_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    table = engine.Dataset.from_frame(collider(np.random.default_rng(0)), labels=["v0"])
    monkeypatch.setattr("engine.boundaries.block_graphs._MOST_WORK", 1)
    given_up = engine.discover(table)
    monkeypatch.setattr("engine.discovery.refinement.controlled.opinion_of_blocks", lambda *_: None)
    by_tests = engine.discover(table)
    assert given_up.boundaries == by_tests.boundaries
