"""Simulates a multi-label table from a random or a given causal network whose true answer is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

import numpy as np

from engine.errors import InvalidParameter
from engine.parameters import listed_labels, require_type
from engine.progress import Progress, SilentProgress
from engine.simulation.bayesian_network import BayesianNetwork, dataset_variables
from engine.simulation.drawing import (
    choose_multiple,
    draw_bystanders,
    draw_equivalents,
    draw_level_plans,
    draw_neighbourhoods,
    draw_random_graph,
    draw_tables,
    relate_labels,
)
from engine.simulation.graph import Sketch, until_stopped
from engine.simulation.simulation_settings import SamplingSettings, SimulationSettings
from engine.simulation.structural_network import StructuralNetwork, draw_structural_network
from engine.simulation.truth import Truth, answer_of_graph, true_answer
from engine.table.dataset import Dataset, unknown_variable
from engine.translation import _
from engine.wording.sentences import NO_LABEL_NAMED, choose_among
from engine.wording.setting_names import the_setting

_RESERVE_PER_LABEL = 4
_CATEGORY_SHARE = 1 / 3


@dataclass(frozen=True, eq=False)
class SimulatedNetwork:
    """A table, the network that it was drawn from, and the true answer."""

    dataset: Dataset  # columns in the order of the nodes
    truth: Truth  # derived from the network and not from the rows
    network: BayesianNetwork | StructuralNetwork
    settings: SimulationSettings | SamplingSettings


def simulate(
    labels: int = 50,
    features: int = 1000,
    rows: int = 5000,
    label_causality: float = 0.5,
    multiple_boundaries: float = 0.5,
    seed: int = 0,
    **more: Any,
) -> SimulatedNetwork:
    """Draw a random network with several labels, and rows from it.

    By default, all variables are categories, as in Section 5.1 of the paper. They can also be numbers, or
    both.

    Parameters
    ----------
    labels, features, rows : int
        Sizes. The defaults are those of Table 1 of the paper.
    label_causality : float
        Share of labels that are a direct cause or effect of another label (p_c in the paper).
    multiple_boundaries : float
        Share of labels with several Markov boundaries (p_m in the paper).
    seed : int
        The same seed gives the same network and rows. `rows` does not change the network.
    **more
        Any other field of :class:`engine.simulation.simulation_settings.SimulationSettings`.

    Returns
    -------
    SimulatedNetwork
        The network and its table: first the features ``F1``, ``F2`` and so on, then the labels ``L1``, ``L2``
        and so on.

    Raises
    ------
    InvalidParameter
        If a setting does not exist or is impossible.

    Notes
    -----
    Each label has 5 to 15 boundary members: causes, effects, and other causes of its effects. Some of them
    belong to the neighbourhood of another label. All other features are ancestors, descendants or not
    connected. A label with several Markov boundaries has 5 to 10 boundaries. Interchangeable features share a
    class of their levels, as in the TIED network [1]_, and are not copies of each other.

    Each effect is a noisy-OR or a noisy-AND [2]_ of one to three causes. These are monotone, so every cause
    has a marginal effect. At its highest level, a cause brings about its effect with probability 0.75 to 0.95
    (`strength` ± 0.1). The observed levels with and without the effect differ by a total variation distance
    of 0.93. Together, this makes a distance of 0.70 to 0.88. For the direct effects of T in TIED, the
    distance is 0.8 to 1. With ``aligned=True``, effects along different paths never have opposite signs, so
    paths do not cancel.

    The tables around a label are drawn again, up to 40 times, until every edge carries at least `margin` nats
    (default 0.01). This holds for cause and effect, alone and given the other causes, and for two causes
    given their effect. If every draw misses the margin, the best one is kept. Families with one or two causes
    meet it, and about six in ten with three causes. The weakest edge seen carried 0.004. This faithfulness
    margin makes the networks easier than arbitrary ones. ``margin=0`` and ``aligned=False`` switch it off.

    With ``variables="numbers"`` or ``"mixed"``, an equation gives each variable from its causes
    (:mod:`engine.simulation.structural_network`). Numbers are weighted sums of terms and noise. Labels and
    other categories follow multinomial logits. The multiple correlation of a variable with the value of its
    equation before noise is `strength` ± 0.1. Each label then has one Markov boundary, that of the graph: its
    parents, its children and their other parents. ``graph="random"`` treats labels like other variables.
    Neighbourhoods then have any size, and the variables outside are as closely connected as those inside.

    References
    ----------
    .. [1] Statnikov, Aliferis (2010), TIED: An artificially simulated dataset with multiple Markov
       boundaries, JMLR Workshop and Conference Proceedings 6:249-256.
    .. [2] Pearl (1988), Probabilistic Reasoning in Intelligent Systems, section 4.3.2.

    Examples
    --------
    >>> network = simulate(labels=3, features=20, rows=100, seed=1)
    >>> network.dataset.labels, len(network.dataset.features)
    (('L1', 'L2', 'L3'), 20)
    >>> numbers = simulate(labels=3, features=20, rows=100, seed=1, variables="numbers", relations="smooth")
    >>> numbers.dataset.variable("F1").kind, numbers.dataset.variable("L1").levels
    (<Kind.CONTINUOUS: 'continuous'>, ('0', '1'))
    """
    settings = _settings(
        {
            "labels": labels,
            "features": features,
            "rows": rows,
            "label_causality": label_causality,
            "multiple_boundaries": multiple_boundaries,
            "seed": seed,
            **more,
        }
    )
    return simulated_network(settings, SilentProgress())


def simulated_network(settings: SimulationSettings, progress: Progress) -> SimulatedNetwork:
    """Draw a network and rows from it, for whoever may want to stop: large ones take minutes."""
    for_graph, for_tables, for_rows = (
        np.random.default_rng(sequence) for sequence in np.random.SeedSequence(settings.seed).spawn(3)
    )
    sketch = _sketch(settings, for_graph, progress)
    network: BayesianNetwork | StructuralNetwork
    label_names = tuple(f"L{position + 1}" for position in range(settings.labels))
    if settings.variables == "categories":
        network = _network(sketch, for_tables)
        truth = true_answer(network, label_names)
    else:
        network = _structural_network(sketch, for_tables)
        truth = answer_of_graph(network, label_names)
    columns = network.sample(settings.rows, for_rows, progress)
    dataset = Dataset(
        dataset_variables(network, label_names),
        tuple(columns[name] for name in network.nodes),
        name=f"simulated-{settings.seed}",
    )
    return SimulatedNetwork(dataset, truth, network, settings)


def _settings(values: dict[str, Any]) -> SimulationSettings:
    setting_names = tuple(field.name for field in fields(SimulationSettings))
    for name in values:
        if name not in setting_names:
            raise InvalidParameter(
                _("there is no setting {name!r}.", name=name),
                remedy=unknown_variable(name, setting_names).remedy,
            )
    return SimulationSettings(**values)


def _sketch(settings: SimulationSettings, generator: np.random.Generator, progress: Progress) -> Sketch:
    sketch = Sketch(settings, progress=progress)
    if settings.graph == "random":
        draw_random_graph(sketch, generator)
        return sketch
    relate_labels(sketch, generator)
    multiple = choose_multiple(sketch, generator)
    reserve = min(_RESERVE_PER_LABEL * len(multiple), settings.features // 3)
    draw_neighbourhoods(sketch, reserve, generator)
    draw_equivalents(sketch, multiple, generator)
    draw_bystanders(sketch, generator)
    return sketch


def _network(sketch: Sketch, generator: np.random.Generator) -> BayesianNetwork:
    """Return the sketch probabilities, and names and levels in an order that tells nothing."""
    settings = sketch.settings
    plans = draw_level_plans(sketch, generator)
    drawn = draw_tables(sketch, plans, generator)
    names = _shuffled_names(settings, generator)
    level_order = [
        np.arange(plan.level_count) if sketch.is_label(variable) else generator.permutation(plan.level_count)
        for variable, plan in enumerate(plans)
    ]
    tables = {
        names[variable]: cause_drawn.table[
            np.ix_(*(level_order[axis] for axis in (*cause_drawn.causes, variable)))
        ]
        for variable, cause_drawn in enumerate(drawn)
    }
    parents = {
        names[variable]: [names[cause] for cause in cause_drawn.causes]
        for variable, cause_drawn in enumerate(drawn)
    }
    return BayesianNetwork(_column_names(settings), parents, tables)


def _structural_network(sketch: Sketch, generator: np.random.Generator) -> StructuralNetwork:
    """Return the sketch equations, and names in an order that tells nothing."""
    settings = sketch.settings
    names = _shuffled_names(settings, generator)
    causes = {name: [names[cause] for cause in sorted(sketch.causes[at])] for at, name in enumerate(names)}
    order = (names[variable] for variable in until_stopped(sketch.order(), sketch.progress))
    return draw_structural_network(
        {name: causes[name] for name in _column_names(settings)},
        order,
        _level_counts(settings, generator),
        settings,
        generator,
    )


def _level_counts(settings: SimulationSettings, generator: np.random.Generator) -> dict[str, int]:
    """Draw which variables beside numbers are categories, and how many levels each has."""
    counts: dict[str, int] = {}
    for name in _column_names(settings):
        if name.startswith("L"):
            if not settings.numeric_labels:
                counts[name] = settings.label_levels
        elif settings.variables == "mixed" and generator.random() < _CATEGORY_SHARE:
            counts[name] = int(generator.integers(2, settings.max_levels + 1))
    return counts


def _column_names(settings: SimulationSettings) -> list[str]:
    features = [f"F{position + 1}" for position in range(settings.features)]
    return features + [f"L{position + 1}" for position in range(settings.labels)]


def _shuffled_names(settings: SimulationSettings, generator: np.random.Generator) -> list[str]:
    """Return the numbered variables of a sketch names, so that a name tells nothing of a variable's part."""
    names = [f"L{position + 1}" for position in generator.permutation(settings.labels)]
    return names + [f"F{position + 1}" for position in generator.permutation(settings.features)]


def simulate_network(
    network: BayesianNetwork, labels: Iterable[str], rows: int = 5000, seed: int = 0
) -> SimulatedNetwork:
    """Draw rows from a known network, with any of its variables as labels.

    Parameters
    ----------
    network : BayesianNetwork
        A network, for example from :func:`engine.read_network`.
    labels : iterable of str
        Names of the variables that are labels. All others are features.
    rows : int
        Number of rows.
    seed : int
        The same seed gives the same rows.

    Returns
    -------
    SimulatedNetwork
        The table, with columns in the order of the nodes, and the correct answer, derived from the network
        only.

    Raises
    ------
    InvalidParameter
        If no label is named, a label is not a variable of the network, or a number is impossible.

    Notes
    -----
    Impossible events can connect so many variables that their combinations cannot be listed. Then a label may
    have more Markov boundaries than that of the graph. These are not given, and ``is_exact`` of the label is
    False.

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
    require_type(network, BayesianNetwork, "network", _("Read it with `read_network`."))
    chosen = [labels] if isinstance(labels, str) else listed_labels(labels)
    if not chosen:
        raise InvalidParameter(
            _(NO_LABEL_NAMED),
            place=the_setting("labels"),
            remedy=_("Name at least one variable of the network."),
        )
    for label in chosen:
        if label not in network.tables:
            near = get_close_matches(label, network.nodes) or network.nodes[:10]
            raise InvalidParameter(
                _("the network has no variable {label!r}.", label=label), remedy=choose_among(near)
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
