"""The exact answer for a known network: boundaries, interchangeable features, label sets.

Nothing here looks at samples. A set of variables is a Markov blanket exactly when it fixes
P(target | everything else) in every combination of levels that can occur; boundaries are the smallest such
sets. Where every combination can occur that is the textbook boundary, less what has no influence. Where some
are impossible, as with interchangeable variables that share a class, there may be several.

A table without zeros forbids nothing. A table with zeros *ties* a node to its parents: the level of one then
tells which levels of another are possible. Variables fall into groups that are not tied to each other, and
every possible combination of one group goes with every possible combination of the others.

P(target | everything else) is a product of the tables in which the target occurs, scaled to sum to 1. Two
combinations of a group tell the same when they give every such table the same proportions over those levels
of the target that are possible, whatever the variables outside the group are.

Each label has boundaries of two kinds: among all other variables, as the paper has it, and among the features
alone, the other labels marginalised. What is in the second alone is linked to the label through other labels.

Found label sets are held against it: precision and recall by type of causal variable.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product

import numpy as np

from engine.boundaries.markov_boundary import LinkKind
from engine.errors import InvalidParameter
from engine.simulation.bayesian_network import BayesianNetwork
from engine.simulation.graph import DirectedGraph, Surroundings, joined_groups
from engine.translation import _
from engine.wording.phrases import plain_listing
from engine.wording.sentences import NO_SUCH_NODE

_MOST_WORLDS = 1 << 18


class TooManyWorlds(InvalidParameter):
    """A group has more possible combinations than can be listed."""


def _too_many(names: Sequence[str], node: str) -> TooManyWorlds:
    return TooManyWorlds(
        _(
            "the {count} variables that impossible events tie to it have more than {most_worlds:,} "
            "possible combinations.",
            count=len(names),
            most_worlds=_MOST_WORLDS,
        ),
        place=_("node '{node}'", node=node),
    )


@dataclass(frozen=True, eq=False)
class Group:
    """Variables that impossible events tie together, causes before effects, or a single one."""

    names: tuple[str, ...]
    worlds: np.ndarray  # (worlds, variables): every possible combination of their levels

    def columns(self, names: tuple[str, ...]) -> np.ndarray:
        """Return the levels of some of its variables in every world, shape (worlds, names)."""
        return self.worlds[:, [self.names.index(name) for name in names]]


class PossibleWorlds:
    """The groups of a network, each worked out when it is first asked for.

    >>> network = BayesianNetwork(
    ...     ["a", "b", "c"],
    ...     {"b": ["a"], "c": ["b"]},
    ...     {"a": [0.5, 0.5], "b": [[1.0, 0.0], [0.2, 0.8]], "c": [[0.7, 0.3], [0.1, 0.9]]},
    ... )
    >>> group = PossibleWorlds(network).group("a")
    >>> group.names, group.worlds.tolist()
    (('a', 'b'), [[0, 0], [1, 0], [1, 1]])
    """

    def __init__(self, network: BayesianNetwork) -> None:
        self.network = network
        self._groups: dict[tuple[str, ...], np.ndarray | None] = {}

    def group(self, name: str) -> Group:
        """Return the group that a variable belongs to."""
        names = self._tied[name]
        if names not in self._groups:
            self._groups[names] = self._worlds(names)
        worlds = self._groups[names]
        if worlds is None:
            raise _too_many(names, name)
        return Group(names, worlds)

    def tied_to(self, name: str) -> frozenset[str]:
        """Return the other variables that impossible events tie to a variable."""
        return frozenset(self._tied[name]) - {name}

    @cached_property
    def _tied(self) -> dict[str, tuple[str, ...]]:
        ties = [
            (parent, name)
            for name in self.network.nodes
            if (self.network.tables[name] == 0).any()
            for parent in self.network.parents[name]
        ]
        position = {name: number for number, name in enumerate(self.network.order)}
        groups = [
            tuple(sorted(names, key=position.__getitem__))
            for names in joined_groups(self.network.nodes, ties)
        ]
        return {name: names for names in groups for name in names}

    def _worlds(self, names: tuple[str, ...]) -> np.ndarray | None:
        """List every possible combination; None when there are too many."""
        worlds = np.zeros((1, 0), dtype=np.int16)
        for name in names:
            levels = self.network.level_count(name)
            worlds = np.column_stack(
                [np.repeat(worlds, levels, axis=0), np.tile(np.arange(levels, dtype=np.int16), len(worlds))]
            )
            table = self.network.tables[name]
            if (table == 0).any():
                family = [names.index(member) for member in (*self.network.parents[name], name)]
                worlds = worlds[table[tuple(worlds[:, position] for position in family)] > 0]
            if len(worlds) > _MOST_WORLDS:
                return None
        return worlds


_TOLERANCE = 1e-9
_LARGEST_KEY = 1 << 40


@dataclass(frozen=True, eq=False)
class SufficientStatistic:
    """What a group tells about a target: the minimal sufficient statistic of its worlds."""

    group: Group  # without the target
    numbers: np.ndarray  # (worlds,): those with the same number tell the same

    @property
    def is_constant(self) -> bool:
        """Whether every world tells the same."""
        return bool((self.numbers == self.numbers[:1]).all())

    def fixed_by(self) -> Callable[[frozenset[str]], bool]:
        """Return the test whether variables of the group fix what the group tells."""
        columns = dict(zip(self.group.names, self.group.worlds.T.astype(np.int64), strict=True))

        def fixes(chosen: frozenset[str]) -> bool:
            key = _key([column for name, column in columns.items() if name in chosen], len(self.numbers))
            _, kind = np.unique(key, return_inverse=True)
            first = np.empty(len(self.numbers), dtype=np.int64)
            first[kind] = self.numbers
            return bool((first[kind] == self.numbers).all())

        return fixes


def sufficient_statistics(possible: PossibleWorlds, target: str) -> list[SufficientStatistic]:
    """Find all groups that may tell something about a target, that to which it is tied first; and what."""
    return _statistics(_TargetTables(possible, (target,), (target, *possible.network.children[target])))


def statistics_among(
    possible: PossibleWorlds, target: str, observed: frozenset[str]
) -> list[SufficientStatistic]:
    """Find all groups of observed variables that may tell something about a target, the others marginalised.

    Where events around unobserved variables are impossible, the answer is worked out from a list of all
    combinations. Elsewhere a variable tells as much about the target as it tells about the unobserved
    variables between them, except where effects cancel exactly. Groups may hold variables that are not
    observed; what they tell depends on the others alone.
    """
    beside = possible.network.surroundings(target, observed)
    if beside.through == (target,) and possible.tied_to(target) <= observed:
        return _statistics(_TargetTables(possible, beside.through, beside.families))
    if any((possible.network.tables[family] == 0).any() for family in beside.families) or any(
        possible.tied_to(name) for name in beside.through
    ):
        return [_listed_statistic(possible, beside, observed)]
    return _statistics(_TargetTables(possible, beside.through, beside.families))


def _listed_statistic(
    possible: PossibleWorlds, beside: Surroundings, observed: frozenset[str]
) -> SufficientStatistic:
    """Work out what all variables around a target tell about it, in every combination that can occur."""
    network, target = possible.network, beside.through[0]
    wanted = observed.union(beside.through)
    names: list[str] = []
    worlds = np.zeros((1, 0), dtype=np.int64)
    for family in beside.families:
        for name in (*network.parents[family], family):
            if name in names:
                continue
            group = possible.group(name)
            members = tuple(member for member in group.names if member in wanted)
            rows, _ = _distinct(group.columns(members))
            if len(worlds) * len(rows) > _MOST_WORLDS:
                raise _too_many([*names, *members], target)
            first, second = np.divmod(np.arange(len(worlds) * len(rows)), len(rows))
            worlds = np.column_stack([worlds[first], rows[second]])
            names.extend(members)
    column = dict(zip(names, worlds.T, strict=True))
    weights = np.ones(len(worlds))
    for family in beside.families:
        axes = (*network.parents[family], family)
        weights *= network.tables[family][tuple(column[name] for name in axes)]
    telling = [name for name in names if name not in beside.through]
    combinations, positions = _distinct(
        np.column_stack([np.zeros((len(worlds), 0), dtype=np.int64), *(column[name] for name in telling)])
    )
    chances = np.zeros((len(combinations), network.level_count(target)))
    np.add.at(chances, (positions, column[target]), weights)
    numbers = _numbered(chances / chances.sum(axis=1, keepdims=True))
    return SufficientStatistic(Group(tuple(telling), combinations.astype(np.int16)), numbers)


def _statistics(around: _TargetTables) -> list[SufficientStatistic]:
    statistics = [around.statistic_of_own_group()] if around.own.names else []
    taken = {*around.targets, *around.own.names}
    for factor in around.factors:
        for name in around.family(factor):
            if name not in taken:
                group = around.group(name)
                taken.update(group.names)
                statistics.append(around.statistic_of(group))
    return statistics


class _TargetTables:
    """The tables in which a target occurs, or one of several that nothing ties to other variables.

    `own` is the group that the target is tied to, without it, and `masks`, shape (worlds of own, levels of
    the target), tells which levels of the target are possible in each of its worlds. Of several targets all
    levels are.
    """

    def __init__(self, possible: PossibleWorlds, targets: tuple[str, ...], factors: tuple[str, ...]) -> None:
        self.group = possible.group
        self._network: BayesianNetwork = possible.network
        self.targets = targets
        self.factors = factors
        if len(targets) == 1:
            self.own, self._masks = self._without_target(possible.group(targets[0]), targets[0])
        else:
            self.own = Group((), np.zeros((1, 0), dtype=np.int16))
            self._masks = np.ones((1, 1), dtype=np.bool_)

    def family(self, factor: str) -> tuple[str, ...]:
        """Return the variables of a table but the targets."""
        return tuple(name for name in (*self._network.parents[factor], factor) if name not in self.targets)

    def statistic_of(self, group: Group) -> SufficientStatistic:
        """Return a number to what a group tells that the target is not tied to."""
        numbers = []
        for factor in self.factors:
            members = tuple(name for name in self.family(factor) if name in group.names)
            if not members:
                continue
            rows, positions = _distinct(group.columns(members))
            contexts, masks = self._contexts(factor, group)
            levels = {name: rows[:, [position]] for position, name in enumerate(members)}
            levels |= {name: column[None, :] for name, column in contexts.items()}
            proportions = self._proportions(self._likelihood(factor, levels), masks[None, :, :])
            numbers.append(_numbered(proportions.reshape(len(rows), -1))[positions])
        return SufficientStatistic(group, _numbered(np.column_stack(numbers)))

    def statistic_of_own_group(self) -> SufficientStatistic:
        """Return a number to what the group tells that the target is tied to."""
        numbers = []
        certain = np.ones(self._masks.shape)
        for factor in self.factors:
            members = tuple(name for name in self.family(factor) if name in self.own.names)
            columns = self.own.columns(members)
            if members == self.family(factor):
                levels = {name: columns[:, position] for position, name in enumerate(members)}
                certain *= self._likelihood(factor, levels)
                continue
            rows, positions = _distinct(np.column_stack([columns, self._masks]))
            contexts, _ = self._contexts(factor, self.own)
            levels = {name: rows[:, [position]] for position, name in enumerate(members)}
            levels |= {name: column[None, :] for name, column in contexts.items()}
            masks = rows[:, None, len(members) :] > 0
            proportions = self._proportions(self._likelihood(factor, levels), masks)
            numbers.append(_numbered(proportions.reshape(len(rows), -1))[positions])
        numbers.append(_numbered(self._proportions(certain, self._masks)))
        return SufficientStatistic(self.own, _numbered(np.column_stack(numbers)))

    def _contexts(self, factor: str, group: Group) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """List every combination of the other variables of a table, and the levels the target then has."""
        names: list[str] = []
        listed = np.zeros((1, 0), dtype=np.int64)
        masks = np.ones((1, self._masks.shape[1]), dtype=np.bool_)
        if group is not self.own:
            members = tuple(name for name in self.family(factor) if name in self.own.names)
            rows, _ = _distinct(np.column_stack([self.own.columns(members), self._masks]))
            names, listed, masks = [*members], rows[:, : len(members)], rows[:, len(members) :] > 0
        for name in self.family(factor):
            if name in names or name in group.names or name in self.own.names:
                continue
            group_around = self.group(name)
            members = tuple(member for member in self.family(factor) if member in group_around.names)
            rows, _ = _distinct(group_around.columns(members))
            first, second = np.divmod(np.arange(len(listed) * len(rows)), len(rows))
            listed, masks = np.column_stack([listed[first], rows[second]]), masks[first]
            names.extend(members)
        return dict(zip(names, listed.T, strict=True)), masks

    def _likelihood(self, factor: str, levels: Mapping[str, np.ndarray]) -> np.ndarray:
        """Look up a table; the last axis of the result runs over the levels of its targets."""
        axes = (*self._network.parents[factor], factor)
        last = [position for position, name in enumerate(axes) if name in self.targets]
        table = np.moveaxis(self._network.tables[factor], last, range(-len(last), 0))
        chances: np.ndarray = table[tuple(levels[name] for name in self.family(factor))]
        return chances.reshape(*chances.shape[: chances.ndim - len(last)], -1)

    @staticmethod
    def _proportions(likelihood: np.ndarray, masks: np.ndarray) -> np.ndarray:
        masked = likelihood * masks
        scaled: np.ndarray = masked / masked.sum(axis=-1, keepdims=True)
        return scaled

    def _without_target(self, group: Group, target: str) -> tuple[Group, np.ndarray]:
        names = tuple(name for name in group.names if name != target)
        worlds, positions = _distinct(group.columns(names))
        masks = np.zeros((len(worlds), self._network.level_count(target)), dtype=np.bool_)
        masks[positions, group.columns((target,))[:, 0]] = True
        return Group(names, worlds), masks


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different rows, and the place of each row among them."""
    if rows.shape[1] == 0:
        return rows[:1].astype(np.int64), np.zeros(len(rows), dtype=np.int64)
    key = _key([column.astype(np.int64) for column in rows.T], len(rows))
    _, first, positions = np.unique(key, return_index=True, return_inverse=True)
    return rows[first].astype(np.int64), positions


def _key(columns: list[np.ndarray], length: int) -> np.ndarray:
    """Give each row of some columns of small numbers a number of its own."""
    key = np.zeros(length, dtype=np.int64)
    largest = 1
    for column in columns:
        levels = int(column.max(initial=0)) + 1
        largest *= levels
        if largest > _LARGEST_KEY:
            _, key = np.unique(key, return_inverse=True)
            largest = (int(key.max(initial=0)) + 1) * levels
        key = key * levels + column
    return key


def _numbered(rows: np.ndarray) -> np.ndarray:
    """Return rows numbers, so that rows equal up to rounding have the same number."""
    flat = rows.ravel()
    order = np.argsort(flat)
    steps = np.zeros(len(flat), dtype=np.int64)
    steps[order[1:]] = np.cumsum(np.diff(flat[order]) > _TOLERANCE)
    return _distinct(steps.reshape(rows.shape))[1]


Sets = tuple[frozenset[str], ...]


def minimal_sets(candidates: Sequence[str], suffices: Callable[[frozenset[str]], bool]) -> Sets:
    """Find every set that suffices and holds no smaller one that does: smallest first, then by name.

    A set that holds one that suffices must suffice too. A first set is found by taking candidates away one at
    a time. Every other one lacks some member of it, so the search goes on without each of its members in
    turn, and so forth: Reiter's tree of hitting sets (1987, A theory of diagnosis from first principles,
    Artificial Intelligence 32:57-95).

    >>> [sorted(each) for each in minimal_sets("abc", lambda chosen: "a" in chosen or {"b", "c"} <= chosen)]
    [['a'], ['b', 'c']]
    """
    minimal: list[frozenset[str]] = []
    hopeless: list[frozenset[str]] = []
    waiting = [frozenset[str]()]
    seen = set(waiting)
    while waiting:
        without = waiting.pop()
        if any(members <= without for members in hopeless):
            continue
        minimal_set = next((members for members in minimal if not members & without), None)
        if minimal_set is None:
            allowed = frozenset(candidates) - without
            if not suffices(allowed):
                hopeless.append(without)
                continue
            minimal_set = _shrunk(allowed, candidates, suffices)
            minimal.append(minimal_set)
        for member in sorted(minimal_set):
            further = without | {member}
            if further not in seen:
                seen.add(further)
                waiting.append(further)
    return tuple(sorted(minimal, key=lambda members: (len(members), sorted(members))))


def independent_choices(sets: Sets) -> tuple[Sets, ...]:
    """Write sets as every combination of independent choices, if that can be done.

    >>> choices = independent_choices((frozenset("ax"), frozenset("bx"), frozenset("ay"), frozenset("by")))
    >>> [[sorted(option) for option in choice] for choice in choices]
    [[['a'], ['b']], [['x'], ['y']]]
    """
    names = sorted(frozenset().union(*sets))
    related = []
    for first, second in combinations(names, 2):
        pairs = {(first in members, second in members) for members in sets}
        if len(pairs) < len({pair[0] for pair in pairs}) * len({pair[1] for pair in pairs}):
            related.append((first, second))
    blocks = joined_groups(names, related)
    choices = [frozenset(members & block for members in sets) for block in blocks]
    together = {frozenset().union(*options) for options in product(*choices)}
    if together != set(sets):
        choices = [frozenset(sets)]
    return tuple(
        tuple(sorted(choice, key=lambda members: (len(members), sorted(members))))
        for choice in sorted(choices, key=lambda choice: min(map(sorted, choice)))
    )


def _shrunk(
    allowed: frozenset[str], order: Sequence[str], suffices: Callable[[frozenset[str]], bool]
) -> frozenset[str]:
    members = allowed
    for candidate in order:
        if candidate in members and suffices(members - {candidate}):
            members -= {candidate}
    return members


class _Boundaries:
    """Markov boundaries that take one set of each of several choices."""

    __slots__ = ()
    choices: tuple[tuple[frozenset[str], ...], ...]

    @property
    def boundary_count(self) -> int:
        """Number of Markov boundaries."""
        return math.prod(len(choice) for choice in self.choices)

    @property
    def members(self) -> frozenset[str]:
        """Every variable that is in some boundary."""
        return frozenset().union(*(picked for choice in self.choices for picked in choice))

    @property
    def interchangeable(self) -> tuple[tuple[str, ...], ...]:
        """Groups of single variables of which each boundary has exactly one."""
        return tuple(
            tuple(sorted(name for picked in choice for name in picked))
            for choice in self.choices
            if len(choice) > 1 and all(len(picked) == 1 for picked in choice)
        )

    def boundaries(self) -> Iterator[frozenset[str]]:
        """Return every Markov boundary, one at a time."""
        for picks in product(*self.choices):
            yield frozenset().union(*picks)


@dataclass(frozen=True, slots=True)
class BoundaryAmongFeatures(_Boundaries):
    """The Markov boundaries of a label among the features alone, the other labels marginalised."""

    target: str
    # each boundary takes one set of each, and every such pick is one
    choices: tuple[tuple[frozenset[str], ...], ...]
    is_exact: bool = True  # as in `TrueBoundary`; if not, choices are by d-separation in the graph


@dataclass(frozen=True, slots=True)
class TrueBoundary(_Boundaries):
    """Everything true about the neighbourhood of one target."""

    target: str
    parents: tuple[str, ...]  # direct causes in the graph
    children: tuple[str, ...]  # direct effects
    spouses: Mapping[str, frozenset[str]]  # other causes of effects, no neighbours, with every effect
    # each boundary takes one set of each, and every such pick is one
    choices: tuple[tuple[frozenset[str], ...], ...]
    # Whether these are all boundaries. If not, impossible events tie so many variables together that their
    # combinations cannot be listed, and `choices` give the textbook boundary of the graph.
    is_exact: bool = True


@dataclass(frozen=True, eq=False)
class Truth:
    """The exact answer for a network with labels.

    >>> import engine
    >>> truth = engine.simulate(labels=4, features=30, rows=10, seed=2).truth
    >>> set(truth.common) | set(truth.label_specific) == set(truth.label_sets)
    True
    >>> set(truth.common) <= set(truth.total_common)
    True
    """

    labels: tuple[str, ...]
    features: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]  # every arrow of the graph, as (cause, effect)
    boundaries: Mapping[str, TrueBoundary]  # by label, among all other variables
    # By label, among the features alone. Empty where it was not derived: then no link is counted that runs
    # through other labels.
    among_features: Mapping[str, BoundaryAmongFeatures] = field(default_factory=dict)

    @cached_property
    def label_sets(self) -> dict[str, frozenset[str]]:
        """Labels that have each causal feature in some boundary, by feature in column order."""
        labels_of: dict[str, set[str]] = {}
        for label, boundary in self.boundaries.items():
            for member in boundary.members:
                labels_of.setdefault(member, set()).add(label)
        return {name: frozenset(labels_of[name]) for name in self.features if name in labels_of}

    @cached_property
    def common(self) -> frozenset[str]:
        """Features that are in some boundary of two or more labels (Definition 4 of the paper)."""
        return frozenset(name for name, labels in self.label_sets.items() if len(labels) > 1)

    @cached_property
    def label_specific(self) -> frozenset[str]:
        """Features that are in some boundary of exactly one label."""
        return frozenset(name for name, labels in self.label_sets.items() if len(labels) == 1)

    @cached_property
    def links(self) -> dict[tuple[str, str], LinkKind]:
        """How each feature and label that are linked are, by feature and label in column order.

        Direct are pairs of :attr:`label_sets`. Linked through labels are those of which the feature is in a
        boundary of the label only where the other labels are marginalised.
        """
        nothing = frozenset[str]()
        through = {label: boundary.members for label, boundary in self.among_features.items()}
        kinds: dict[tuple[str, str], LinkKind] = {}
        for feature in self.features:
            direct = self.label_sets.get(feature, nothing)
            for label in self.labels:
                if label in direct:
                    kinds[feature, label] = LinkKind.DIRECT
                elif feature in through.get(label, nothing):
                    kinds[feature, label] = LinkKind.THROUGH_LABELS
        return kinds

    @cached_property
    def total_label_sets(self) -> dict[str, frozenset[str]]:
        """Labels that each feature is linked to, directly or through other labels, in column order."""
        linked: dict[str, set[str]] = {}
        for feature, label in self.links:
            linked.setdefault(feature, set()).add(label)
        return {feature: frozenset(labels) for feature, labels in linked.items()}

    @cached_property
    def total_common(self) -> frozenset[str]:
        """Features that are linked to two or more labels, directly or through other labels."""
        return frozenset(name for name, labels in self.total_label_sets.items() if len(labels) > 1)

    @cached_property
    def label_relations(self) -> dict[str, frozenset[str]]:
        """Other labels that are in some boundary of each label."""
        own = frozenset(self.labels)
        return {label: boundary.members & own for label, boundary in self.boundaries.items()}

    @cached_property
    def label_edges(self) -> tuple[tuple[str, str], ...]:
        """Arrows from label to label."""
        own = frozenset(self.labels)
        return tuple(edge for edge in self.edges if own.issuperset(edge))


def true_answer(network: BayesianNetwork, labels: Iterable[str]) -> Truth:
    """Derive the exact answer from the tables of a network.

    Assumed is that effects of one variable in several tables do not cancel exactly, which for
    probabilities drawn at random has probability zero. Labels whose answer would take too long to derive
    are marked, see :attr:`TrueBoundary.is_exact`.
    """
    names = tuple(labels)
    possible = PossibleWorlds(network)
    features = tuple(node for node in network.nodes if node not in set(names))
    return Truth(
        labels=names,
        features=features,
        edges=network.edges,
        boundaries={label: true_boundary(network, label, possible) for label in names},
        among_features={
            label: _among_features(network, label, frozenset(features), possible) for label in names
        },
    )


def answer_of_graph(graph: DirectedGraph, labels: Iterable[str], unmeasured: Iterable[str] = ()) -> Truth:
    """Derive the exact answer from a graph alone.

    In its network nothing beside the arrows decides who tells what: no combination of values is impossible,
    and no effects cancel. Then every node has one Markov boundary: its parents, its children and their other
    parents (Pearl 1988, section 3.3). Nodes that are `unmeasured` are marginalised, and belong to no
    boundary. Then a boundary can have members that are no parents, children or spouses.
    """
    names, hidden = tuple(labels), frozenset(unmeasured)
    if both := hidden.intersection(names):
        raise InvalidParameter(
            _("{both} cannot be a label and unmeasured.", both=plain_listing(sorted(both))),
            place="unmeasured",
            remedy=_("Name it once."),
        )
    features = tuple(node for node in graph.nodes if node not in hidden.union(names))
    return Truth(
        labels=names,
        features=features,
        edges=graph.edges,
        boundaries={label: _boundary_of_graph(graph, label, hidden) for label in names},
        among_features={label: _marginal(graph, label, frozenset(features)) for label in names},
    )


def true_boundary(
    network: BayesianNetwork, target: str, possible: PossibleWorlds | None = None
) -> TrueBoundary:
    """Derive every Markov boundary of one node from the tables of the network."""
    textbook = _boundary_of_graph(network, target)
    try:
        statistics = sufficient_statistics(PossibleWorlds(network) if possible is None else possible, target)
    except TooManyWorlds:
        return replace(textbook, is_exact=False)
    return replace(textbook, choices=_choices(statistics, network.nodes, textbook.members))


def _boundary_of_graph(
    graph: DirectedGraph, target: str, unmeasured: frozenset[str] = frozenset()
) -> TrueBoundary:
    """Return the one Markov boundary that a graph has where nothing is impossible."""
    if target not in graph.parents:
        raise InvalidParameter(_(NO_SUCH_NODE, name=target))

    def measured(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if name not in unmeasured)

    spouses = {
        spouse: connecting
        for spouse, children in graph.spouses(target).items()
        if spouse not in unmeasured and (connecting := children - unmeasured)
    }
    near = graph.surroundings(target, frozenset(graph.nodes) - unmeasured).members
    return TrueBoundary(
        target, measured(graph.parents[target]), measured(graph.children[target]), spouses, _one_each(near)
    )


def _marginal(graph: DirectedGraph, label: str, features: frozenset[str]) -> BoundaryAmongFeatures:
    return BoundaryAmongFeatures(label, _one_each(graph.surroundings(label, features).members))


def _one_each(members: Iterable[str]) -> tuple[Sets, ...]:
    """Return the choices of a single boundary."""
    return tuple((frozenset((name,)),) for name in sorted(members))


def _among_features(
    network: BayesianNetwork, label: str, features: frozenset[str], possible: PossibleWorlds
) -> BoundaryAmongFeatures:
    """Derive the boundaries of a label among the features from the tables of a network."""
    by_graph = _marginal(network, label, features)
    try:
        statistics = statistics_among(possible, label, features)
    except TooManyWorlds:
        return replace(by_graph, is_exact=False)
    return replace(by_graph, choices=_choices(statistics, features, by_graph.members))


def _choices(
    statistics: Iterable[SufficientStatistic], among: Collection[str], near: frozenset[str]
) -> tuple[Sets, ...]:
    """Return the choices that boundaries are made of; `near` is the boundary by the graph."""
    choices: list[Sets] = []
    for statistic in statistics:
        if not statistic.is_constant:
            # The search takes away from the front: distant variables go first.
            candidates = sorted(
                (name for name in statistic.group.names if name in among), key=near.__contains__
            )
            choices.extend(independent_choices(minimal_sets(candidates, statistic.fixed_by())))
    return tuple(choices)


LabelSets = Mapping[str, frozenset[str]]
Pairs = set[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PairScore:
    """Agreement on a set of (feature, label) pairs."""

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """Share of found pairs that are true; with nothing found, 1 if nothing was to be found, else 0."""
        selected = self.true_positives + self.false_positives
        if selected == 0:
            return 1.0 if self.false_negatives == 0 else 0.0
        return self.true_positives / selected

    @property
    def recall(self) -> float:
        """Share of true pairs that are found; 1 if nothing was to be found."""
        true = self.true_positives + self.false_negatives
        return self.true_positives / true if true else 1.0


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision and recall, by type and averaged over the types.

    A pair is of the common type when its feature serves two or more labels, else label-specific; found pairs
    are typed by the found label set, true pairs by the true one. A found pair is a true positive only when
    the truth has the same pair in the same type. In `pairs` types are disregarded.
    """

    common: PairScore
    label_specific: PairScore
    pairs: PairScore

    @property
    def precision(self) -> float:
        """Mean of the precisions of the two types, as in the paper's Section 5.1."""
        return (self.common.precision + self.label_specific.precision) / 2

    @property
    def recall(self) -> float:
        """Mean of the recalls of the two types, as in the paper's Section 5.1."""
        return (self.common.recall + self.label_specific.recall) / 2


def score(label_sets: LabelSets, truth: Truth | LabelSets) -> Scores:
    """Compare found label sets with the truth: of a Truth, with its direct links.

    The paper computes "precision" and "recall" "on each type of causal variables" and averages the two.
    Common variables belong to label sets and label-specific ones to a label, so what is counted is the pair
    (feature, label). A feature taken for common that serves one label thus costs precision of the common and
    recall of the label-specific type. Hold ``total_label_sets`` of a result against those of the truth to
    count links through other labels too.
    """
    true_sets = truth.label_sets if isinstance(truth, Truth) else truth
    found_common, found_specific = _typed_pairs(label_sets)
    true_common, true_specific = _typed_pairs(true_sets)
    return Scores(
        common=_compare(found_common, true_common),
        label_specific=_compare(found_specific, true_specific),
        pairs=_compare(found_common | found_specific, true_common | true_specific),
    )


def _typed_pairs(label_sets: LabelSets) -> tuple[Pairs, Pairs]:
    common: Pairs = set()
    specific: Pairs = set()
    for feature, labels in label_sets.items():
        pairs = common if len(labels) > 1 else specific
        pairs.update((feature, label) for label in labels)
    return common, specific


def _compare(predicted: Pairs, true: Pairs) -> PairScore:
    return PairScore(len(predicted & true), len(predicted - true), len(true - predicted))
