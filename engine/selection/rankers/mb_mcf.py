"""MB-MCF: CLCD-FS without spouses and without the retrieval of hidden variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas

from engine.boundaries.discovery_settings import DiscoverySettings, arranged
from engine.boundaries.markov_boundary import MarkovBoundary
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.warm_up import compile_searches
from engine.discovery.equivalence import EquivalenceSearch
from engine.preparation import prepare
from engine.selection.clcd_fs import CandidateTests, FeatureBoundary, Names, choose, without_labels
from engine.selection.rankers.options import MbMcfOptions
from engine.selection.rankers.problem import FeatureRanking, RankingProblem
from engine.selection.select import Associations
from engine.table.dataset import Dataset

if TYPE_CHECKING:
    from collections.abc import Sequence


def rank_by_mb_mcf(problem: RankingProblem, options: MbMcfOptions) -> FeatureRanking:
    """MB-MCF: CLCD-FS without spouses and without the retrieval of hidden variables. A reconstruction.

    Wu, Jiang, Yu, Miao and Chen (2020), Multi-label causal feature selection, AAAI 2020, 6430-6437. Neither
    its formula nor a program of it was at hand. The paper of CLCD says what the later method has beyond it,
    so it is rebuilt as Algorithm 2 of that paper (see ``engine.selection.select``) less these points:

    1. Direct causes and effects of each label are searched for (HITON); no spouses, and no Phase 2, which
       looks for what two neighbouring labels hide from each other.
    2. Labels among them are replaced by features that no set of the others separates from the label.
    3. Features outside that tell the same as members are looked for.
    4. Greedily the features that serve most labels are chosen; what is left serves one label each.

    Test, preparation and control of false discoveries are those that CLCD-FS has by default, so that the two
    differ in nothing else. The method chooses how many features it selects: a feature scores by how early it
    was chosen, and 0 if it was not.
    """
    features = [f"feature {index}" for index in range(problem.values.shape[1])]
    labels = [f"label {index}" for index in range(problem.labels.shape[1])]
    frame = pandas.DataFrame(np.hstack([problem.values, problem.labels]), columns=[*features, *labels])
    settings = DiscoverySettings(alpha=options.alpha, max_conditioning=options.max_conditioning)
    # As its authors had it, on categories.
    prepared = prepare(Dataset.from_frame(frame, labels), discretise="quantile", bins=2)
    chosen = _selected(prepared, settings, problem.stop)
    position = {name: index for index, name in enumerate(features)}
    subset = tuple(position[name] for name in chosen)
    scores = np.zeros(len(features))
    scores[list(subset)] = np.arange(len(subset), 0, -1)
    return FeatureRanking(scores, subset=subset)


def _selected(table: Dataset, settings: DiscoverySettings, stop: np.ndarray) -> Names:
    """Return the features in the order in which they were chosen."""
    data = arranged(table, settings)
    search = Neighbourhoods(data, settings, stop)
    compile_searches(data, settings)
    boundaries_of = {label: _direct(search, label) for label in table.labels}
    neighbours = {label: boundary.parents_children for label, boundary in boundaries_of.items()}
    separation = CandidateTests(search)
    boundaries = [
        without_labels(boundaries_of[label], neighbours, frozenset(table.labels), separation.inseparable)
        for label in table.labels
    ]
    stand_ins = {boundary.label: _stand_ins(search, boundary, table.features) for boundary in boundaries}
    order = {name: position for position, name in enumerate(table.names)}
    common, specific = choose(boundaries, stand_ins, Associations(search, boundaries, stand_ins).log_p, order)
    return tuple(dict.fromkeys(name for choice in [*common, *specific] for name in choice.features))


def _direct(search: Neighbourhoods, label: str) -> MarkovBoundary:
    """Return the direct causes and effects of a label, and no spouses."""
    members = search.neighbours(search.data.positions[label]).members
    return MarkovBoundary(label, tuple(search.data.names[member] for member in members))


def _stand_ins(
    search: Neighbourhoods, boundary: FeatureBoundary, features: Sequence[str]
) -> list[tuple[Names, Names]]:
    """Return sets of neighbours and the sets of other features that tell the same about the label."""
    names, position = search.data.names, search.data.positions
    members = [position[name] for name in boundary.neighbours]
    outside = [position[name] for name in features if name not in boundary.neighbours]
    pairs = EquivalenceSearch(search, position[boundary.label], members, outside).pairs(
        search.settings.max_equivalence
    )
    return [
        (
            tuple(names[member] for member in pair.in_boundary),
            tuple(names[member] for member in pair.equivalent),
        )
        for pair in pairs
    ]
