"""Random causal graphs of which some variables are hidden, searched with tests that never err."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.discover import SearchRequest, search_data
from engine.discovery.result import DiscoveryResult
from engine.independence.data import TestData
from engine.knowledge.knowledge import Knowledge
from engine.progress import SilentProgress
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.engine.oracle import ENDLESS, Edges, adjacency
from tests.engine.separation import causal_graph


def random_case(seed: int) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Draw edges among 9 to 12 variables, of which 2 to 4 are hidden, and two labels.

    Returns
    -------
    edges, seen, labels
    """
    generator = np.random.default_rng(seed)
    size, hidden = 9 + seed % 4, 2 + seed % 3
    names = [f"v{place}" for place in generator.permutation(size)]
    pairs = [(names[cause], names[effect]) for effect in range(size) for cause in range(effect)]
    count = int(generator.integers(size, int(1.9 * size)))
    edges = [pairs[place] for place in generator.choice(len(pairs), count, replace=False)]
    unseen = {names[place] for place in generator.choice(size, hidden, replace=False)}
    seen = [name for name in sorted(names) if name not in unseen]
    return edges, seen, seen[:2]


def exact_result(
    edges: Edges,
    seen: Sequence[str],
    labels: Sequence[str],
    knowledge: Knowledge | None = None,
    settings: DiscoverySettings | None = None,
) -> DiscoveryResult:
    """Search the variables that are seen; each test is d-separation in the whole graph."""
    hidden = sorted({name for edge in edges for name in edge} - set(seen))
    roles = {name: Role.LABEL if name in labels else Role.FEATURE for name in seen}
    dataset = Dataset(
        tuple(Variable(name, Kind.NOMINAL, roles[name], levels=("no", "yes")) for name in seen),
        tuple(np.zeros(1, dtype=np.int8) for _ in seen),
    )
    data = TestData(causal_graph(adjacency(edges, [*seen, *hidden])), tuple(seen), rows=ENDLESS).at_level(
        0.05
    )
    chosen = settings or DiscoverySettings(max_conditioning=5)
    return search_data(data, dataset, SearchRequest(chosen, knowledge), SilentProgress())
