"""The Markov boundary of one target, asked for by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.boundaries.boundary import MarkovBoundary

if TYPE_CHECKING:
    from engine.dataset import Dataset
    from engine.discovery.settings import DiscoverySettings
    from engine.independence.data import TestData


def markov_boundary(
    dataset: Dataset, target: str, settings: DiscoverySettings | None = None
) -> MarkovBoundary:
    """Find one Markov boundary of one variable.

    Parameters
    ----------
    dataset : Dataset
        A prepared table; labels and features take part alike.
    target : str
        The variable whose boundary is sought.
    settings : DiscoverySettings, optional
        Algorithm, test, level; the defaults when left out.

    Returns
    -------
    MarkovBoundary

    Raises
    ------
    InvalidParameter
        When no column is named `target`.
    InvalidData
        When a column does not suit the test, or the target is ignored.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> engine.markov_boundary(network.dataset, network.dataset.labels[0]).target
    'L1'
    """
    from engine.discovery.settings import DiscoverySettings
    from engine.errors import InvalidData
    from engine.independence.data import make_test_data

    settings = settings or DiscoverySettings()
    dataset.index(target)
    data = make_test_data(
        dataset,
        settings.test,
        alpha=settings.alpha,
        dof=settings.dof,
        min_rows_per_dof=settings.min_rows_per_dof,
    )
    if target not in data.positions:
        raise InvalidData(
            "it is ignored.", place=f"column '{target}'", remedy="Make it a label or a feature."
        )
    return boundary_in(data, data.positions[target], settings)


def boundary_in(data: TestData, target: int, settings: DiscoverySettings) -> MarkovBoundary:
    """Find one Markov boundary of a variable of test data, by position."""
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.boundaries.spouses import spouse_links

    search = Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8))
    neighbourhood = search.neighbours(target)
    links, tests = spouse_links(
        search, neighbourhood, [search.neighbours(member) for member in neighbourhood.members]
    )
    spouses: dict[str, frozenset[str]] = {}
    for link in links:
        name = data.names[link.spouse]
        spouses[name] = spouses.get(name, frozenset()) | {data.names[link.child]}
    return MarkovBoundary(
        target=data.names[target],
        parents_children=tuple(data.names[member] for member in neighbourhood.members),
        spouses=spouses,
        tests_made=search.tests_made[0] + tests,
    )
