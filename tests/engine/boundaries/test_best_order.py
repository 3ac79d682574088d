"""The best order against all orders, against where a climb ends, and in whole searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

import numpy as np
import pytest

import engine
from engine.boundaries.discovery_settings import arranged
from engine.boundaries.score_search import (
    ArrowsTo,
    ArrowWorths,
    Climb,
    GrowShrinkTree,
    Price,
    in_best_order,
    price_of_arrows,
)
from engine.simulation import score
from tests.benchmarks.odd_categories.tables import drawn
from tests.engine.independence.calibration import dataset_of
from tests.examples import first_of


def worths_of(dataset: engine.Dataset) -> ArrowWorths:
    """Weigh arrows of a table by its tests."""
    data = arranged(dataset, engine.DiscoverySettings())
    return ArrowWorths(data, price_of_arrows(len(data.names), 0.01), np.zeros(1, np.uint8))


def climbed(worths: ArrowWorths, variables: int) -> Climb:
    """Climb over all variables of a table."""
    climb = Climb(worths, range(variables))
    climb.go()
    return climb


def counted_worth(columns: np.ndarray, child: int, parents: Sequence[int], price: Price) -> float:
    """Add up from counts alone what arrows to a variable are worth, levels that all occur being assumed."""
    levels = columns.max(axis=1) + 1

    def entropy(members: Sequence[int]) -> float:
        cells = np.ravel_multi_index(tuple(columns[list(members)]), tuple(levels[list(members)]))
        _, counts = np.unique(cells, return_counts=True)
        return float((counts * np.log(counts / counts.sum())).sum())

    ratio = 2.0 * (entropy([child, *parents]) - entropy([child]) - entropy(parents) if parents else 0.0)
    dof = (levels[child] - 1) * (np.prod(levels[list(parents)]) - 1)
    return float(ratio - price.of_dof * dof - price.of_arrow * len(parents))


def graph_worth(columns: np.ndarray, arrows: np.ndarray, price: Price) -> float:
    """Score a graph from counts alone."""
    return sum(
        counted_worth(columns, child, np.flatnonzero(arrows[:, child]).tolist(), price)
        for child in range(len(columns))
    )


def best_worth(columns: np.ndarray, price: Price) -> float:
    """Return the score of the best of all graphs, by going through all orders and sets of parents."""
    count = len(columns)
    worth = {
        (child, parents): counted_worth(columns, child, parents, price)
        for child in range(count)
        for size in range(count)
        for parents in combinations([node for node in range(count) if node != child], size)
    }

    def best(child: int, before: Sequence[int]) -> float:
        sets = (
            parent_set for size in range(len(before) + 1) for parent_set in combinations(sorted(before), size)
        )
        return max(worth[child, parent_set] for parent_set in sets)

    worth_of_parents: Mapping[tuple[int, frozenset[int]], float] = {
        (child, frozenset(before)): best(child, before)
        for child in range(count)
        for size in range(count)
        for before in combinations([node for node in range(count) if node != child], size)
    }
    return max(
        sum(worth_of_parents[child, frozenset(order[:place])] for place, child in enumerate(order))
        for order in permutations(range(count))
    )


def five_variables(seed: int) -> np.ndarray:
    """Draw variables of two levels, each a noisy or of causes that do not stand first among the columns."""
    chance = np.random.default_rng(seed)
    order = chance.permutation(5)
    columns = np.zeros((5, 4000), dtype=np.int64)
    for place, node in enumerate(order):
        causes = [before for before in order[:place] if chance.random() < 0.7]
        spared = np.full(4000, 0.8)
        for cause in causes:
            spared *= np.where(columns[cause] == 1, chance.uniform(0.3, 0.8), 1.0)
        columns[node] = chance.random(4000) > spared
    return columns


def plainly_grown_and_shrunk(
    worths: ArrowWorths, child: int, candidates: Sequence[int]
) -> tuple[list[int], float, int]:
    """Grow and shrink the parents of a variable: who stays, what they add, and how many left again."""

    def gain(parent: int, members: Sequence[int]) -> float:
        others = tuple(member for member in members if member != parent)
        return float(worths.of([ArrowsTo(child, others, (parent,))])[0][0])

    members: list[int] = []
    worth, left = 0.0, 0
    while len(members) < min(len(candidates), worths.price.most_parents):
        best = max(
            (candidate for candidate in candidates if candidate not in members),
            key=lambda candidate: gain(candidate, members),
        )
        if gain(best, members) <= 0.0:
            break
        worth += gain(best, members)
        members = sorted([*members, best])
    while len(members) > 1:
        least = min(members, key=lambda member: gain(member, members))
        if gain(least, members) >= 0.0:
            break
        worth -= gain(least, members)
        members.remove(least)
        left += 1
    return members, worth, left


def test_parents_among_any_candidates_are_those_that_growing_and_shrinking_leave() -> None:
    """A tree that has answered other questions before, and was given further candidates between."""
    left_again = 0
    for seed in range(6):
        columns = np.vstack((five_variables(seed), five_variables(seed + 100)[:3] ^ five_variables(seed)[:3]))
        dataset = dataset_of({f"v{place}": column for place, column in enumerate(columns)}, ("v0",))
        worths, others_worths = worths_of(dataset), worths_of(dataset)
        chance = np.random.default_rng(seed)
        for child in range(len(columns)):
            others = [node for node in range(len(columns)) if node != child]
            tree = GrowShrinkTree(worths, child)
            for available in (others[:4], others):
                tree.widen({variable: 1 << variable for variable in available})
                for _ in range(12):
                    some = [variable for variable in available if chance.random() < 0.6]
                    best_set, _ = tree.best(sum(1 << variable for variable in some))
                    members, worth, left = plainly_grown_and_shrunk(others_worths, child, some)
                    assert best_set.members == sum(1 << member for member in members)
                    assert best_set.worth == pytest.approx(worth)
                    left_again += left
    assert left_again > 0


def test_hardly_any_graph_of_a_few_variables_scores_better() -> None:
    """All graphs were gone through, each scored from counts; single arrows alone end far from the best."""
    missed, missed_by_climb = [], []
    for seed in range(12):
        columns = five_variables(seed)
        worths = worths_of(dataset_of({f"v{place}": column for place, column in enumerate(columns)}, ("v0",)))
        climb = climbed(worths, 5)
        in_order = in_best_order(climb, 0)
        best = best_worth(columns, worths.price)
        missed.append(best - graph_worth(columns, in_order.arrows, worths.price))
        missed_by_climb.append(best - graph_worth(columns, climb.arrows, worths.price))
    assert min(missed) > -1e-6
    assert max(missed) < 1.0
    assert sum(loss < 1e-6 for loss in missed) >= 10
    assert sum(missed_by_climb) > 10 * sum(missed)


@pytest.mark.parametrize("kind", ["cancelling", "rare outcomes"])
def test_arrows_run_without_circles_and_score_better_than_where_a_climb_ends(kind: str) -> None:
    table = drawn(kind, 1030, 2000)
    dataset = engine.prepare(engine.Dataset.from_frame(table.frame, labels=list(table.labels)))
    worths = worths_of(dataset)
    climb = climbed(worths, len(dataset.names))
    most_linked = int((climb.arrows | climb.arrows.T).sum(axis=0).argmax())
    in_order = in_best_order(climb, most_linked)
    columns = np.array([dataset.column(name) for name in dataset.names])
    gained = graph_worth(columns, in_order.arrows, worths.price) - graph_worth(
        columns, climb.arrows, worths.price
    )
    assert gained > 50.0
    leads = in_order.arrows.astype(float)
    for _ in range(len(leads)):
        leads = np.minimum(leads @ in_order.arrows + in_order.arrows, 1.0)
    assert not leads.diagonal().any()
    assert in_order.tests > 0


def test_what_a_climb_lets_in_with_many_rows_stays_out() -> None:
    """Ten false members were found in these before, as arrows the wrong way called for others.

    Two of the six tables; all with ``--long``.
    """
    false = found_rightly = 0
    seeds = first_of((1030, 1031, 1032), 1)
    for seed in seeds:
        for kind in ("cancelling", "rare outcomes"):
            table = drawn(kind, seed, 2000)
            dataset = engine.prepare(engine.Dataset.from_frame(table.frame, labels=list(table.labels)))
            pairs = score(engine.discover(dataset, directions=False).label_sets, table.label_sets).pairs
            false += pairs.false_positives
            found_rightly += pairs.true_positives
    assert false <= 2 * len(seeds) // 3
    assert found_rightly >= 100 * len(seeds) / 3
