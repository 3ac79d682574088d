"""Samples a table from a network that is given, with chosen variables as labels."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

import numpy as np

from engine.dataset import Dataset
from engine.errors import InvalidParameter
from engine.simulation.bayesian_network import BayesianNetwork
from engine.simulation.population import dataset_variables
from engine.simulation.settings import SamplingSettings
from engine.simulation.simulated import SimulatedNetwork
from engine.simulation.truth import true_answer


def simulate_network(
    network: BayesianNetwork, labels: Iterable[str], rows: int = 5000, seed: int = 0
) -> SimulatedNetwork:
    """Draw rows from a known network, with any of its variables as labels.

    Parameters
    ----------
    network : BayesianNetwork
        For example what :func:`engine.read_network` read.
    labels : iterable of str
        Names of the variables that are labels; all others are features.
    rows : int
        Number of rows.
    seed : int
        The same seed gives the same rows.

    Returns
    -------
    SimulatedNetwork
        The table, with columns in the order of the nodes, and the answer, derived from the network alone.

    Raises
    ------
    InvalidParameter
        When no label is named, a label is no variable of the network, or a number is impossible.

    Notes
    -----
    Where impossible events tie so many variables together that their combinations cannot be listed, other
    Markov boundaries than that of the graph may exist and are not given: the label's ``is_exact`` is False.

    Examples
    --------
    >>> network = BayesianNetwork(
    ...     ["rain", "hose", "wet"],
    ...     {"wet": ["rain", "hose"]},
    ...     {"rain": [0.8, 0.2], "hose": [0.7, 0.3], "wet": [[[0.9, 0.1], [0.2, 0.8]], [[0.3, 0.7], [0, 1]]]},
    ... )
    >>> simulated = simulate_network(network, ["rain"], rows=100)
    >>> simulated.truth.label_sets, simulated.truth.boundaries["rain"].children
    ({'hose': frozenset({'rain'}), 'wet': frozenset({'rain'})}, ('wet',))
    """
    chosen = [labels] if isinstance(labels, str) else list(labels)
    if not chosen:
        raise InvalidParameter("no label is named.", remedy="Name at least one variable of the network.")
    for label in chosen:
        if label not in network.tables:
            near = get_close_matches(label, network.nodes) or network.nodes[:10]
            raise InvalidParameter(
                f"the network has no variable {label!r}.", remedy=f"Choose among {', '.join(near)}."
            )
    in_order = tuple(node for node in network.nodes if node in set(chosen))
    settings = SamplingSettings(in_order, rows, seed)
    columns = network.sample(settings.rows, np.random.default_rng(settings.seed))
    dataset = Dataset(
        dataset_variables(network, in_order),
        tuple(columns[node] for node in network.nodes),
        name=f"sampled-{settings.seed}",
    )
    return SimulatedNetwork(dataset, true_answer(network, in_order), network, settings)
