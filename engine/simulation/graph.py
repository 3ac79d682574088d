"""Who causes whom: in finished networks, and while a network is being drawn.

Variables are numbered: labels first, then features. A cause can act on an effect through a *facet* of
its levels: all of them, only the class that a level belongs to, or only the place within the class.
Interchangeable features share their class and nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

import numpy as np

from engine.errors import Cancelled, InvalidData, InvalidParameter
from engine.parameters import watched
from engine.progress import Progress, SilentProgress
from engine.simulation.simulation_settings import SimulationSettings
from engine.translation import _
from engine.wording.phrases import plain_listing
from engine.wording.sentences import ASK_FOR_A_ROW, TOO_FEW_TO_DRAW

_Item = TypeVar("_Item")


class DirectedGraph(ABC):
    """A directed acyclic graph; networks inherit from it and add how each node follows from its parents."""

    nodes: tuple[str, ...]
    parents: Mapping[str, tuple[str, ...]]

    def sample(
        self, rows: int, generator: np.random.Generator, progress: Progress | None = None
    ) -> dict[str, np.ndarray]:
        """Draw rows, causes before effects: numbers as float64, categories as codes, in node order."""
        if rows < 1:
            raise InvalidParameter(_(TOO_FEW_TO_DRAW, rows=rows), remedy=_(ASK_FOR_A_ROW))
        return self._drawn(rows, generator, watched(progress))

    @abstractmethod
    def _drawn(self, rows: int, generator: np.random.Generator, progress: Progress) -> dict[str, np.ndarray]:
        """Draw rows of every node, each after its parents, unless a stop is asked for."""

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Every edge as (cause, effect), in the order of the effects."""
        return tuple((cause, effect) for effect in self.nodes for cause in self.parents[effect])

    @cached_property
    def children(self) -> dict[str, tuple[str, ...]]:
        """Children of each node, in node order."""
        effects_of: dict[str, list[str]] = {name: [] for name in self.nodes}
        for cause, effect in self.edges:
            effects_of[cause].append(effect)
        return {name: tuple(effects) for name, effects in effects_of.items()}

    @cached_property
    def adjacency(self) -> np.ndarray:
        """Edges as a bool array of shape (nodes, nodes): the row causes the column."""
        position = {name: index for index, name in enumerate(self.nodes)}
        matrix = np.zeros((len(self.nodes), len(self.nodes)), dtype=np.bool_)
        for cause, effect in self.edges:
            matrix[position[cause], position[effect]] = True
        return matrix

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The nodes so ordered that every parent precedes its children."""
        waiting = {name: len(self.parents[name]) for name in self.nodes}
        ready = [name for name in self.nodes if waiting[name] == 0]
        ordered: list[str] = []
        while ready:
            name = ready.pop()
            ordered.append(name)
            for child in self.children[name]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    ready.append(child)
        if len(ordered) < len(self.nodes):
            looped = sorted(set(self.nodes) - set(ordered))
            raise InvalidData(
                _("the arrows run in a circle."),
                place=_("among {looped}", looped=plain_listing(looped, 5)),
                remedy=_("Remove an arrow, so that no variable is its own cause."),
            )
        return tuple(ordered)

    def spouses(self, node: str) -> dict[str, frozenset[str]]:
        """Other parents of the children of a node, each with the children that connect it."""
        children_of: dict[str, set[str]] = {}
        for child in self.children[node]:
            for parent in self.parents[child]:
                if parent != node:
                    children_of.setdefault(parent, set()).add(child)
        neighbours = {*self.parents[node], *self.children[node]}
        return {name: frozenset(children_of[name]) for name in children_of if name not in neighbours}

    def surroundings(self, target: str, observed: Collection[str]) -> Surroundings:
        """Find the Markov boundary of a node among observed nodes, the others marginalised.

        Its members are the observed nodes that all other observed nodes together do not d-separate from the
        target: those that meet it in the moral graph of their ancestors, directly or through nodes that are
        not observed (Richardson and Spirtes 2002). Whether the target is observed makes no difference.
        """

        def is_seen(node: str) -> bool:
            """Tell whether a node is observed, or the target, or has such a descendant."""
            below = [node]
            for descendant in below:
                if descendant == target or descendant in observed:
                    return True
                below += (child for child in self.children[descendant] if child not in below)
            return False

        through, families, members = [target], dict[str, None](), dict[str, None]()
        for node in through:
            for family in (node, *(child for child in self.children[node] if is_seen(child))):
                families[family] = None
                for near in (family, *self.parents[family]):
                    if near in observed and near != target:
                        members[near] = None
                    elif near not in through:
                        through.append(near)
        return Surroundings(frozenset(members), tuple(through), tuple(families))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is around a node in a graph of which some nodes are not observed."""

    members: frozenset[str]  # its Markov boundary among the observed nodes, by d-separation
    through: tuple[str, ...]  # the node itself, and those not observed through which members meet it
    families: tuple[str, ...]  # effects whose families, of effect and causes, hold one of `through`


def joined_groups(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> tuple[frozenset[str], ...]:
    """Return the groups of names that pairs join, directly or through others, by their first names."""
    group = {name: frozenset((name,)) for name in names}
    for first, second in pairs:
        joined = group[first] | group[second]
        group.update(dict.fromkeys(joined, joined))
    return tuple(dict.fromkeys(group.values()))


class Facet(StrEnum):
    """What about a cause an effect depends on."""

    LEVEL = "level"
    CLASS = "class"
    PLACE = "place"


def until_stopped(items: Iterable[_Item], progress: Progress) -> Iterator[_Item]:
    """Give what is to be drawn one by one, until somebody asks to stop."""
    for item in items:
        if progress.should_stop():
            raise Cancelled(_("stopped while a table was being simulated."))
        yield item


@dataclass(slots=True)
class Sketch:
    """Who causes whom, and through which facet."""

    settings: SimulationSettings
    # Each with the facet through which it acts. Made when first asked for, as most of a million variables
    # have no part in the graph when a person stops its drawing.
    causes: defaultdict[int, dict[int, Facet]] = field(default_factory=lambda: defaultdict(dict))
    effects: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    # Of interchangeable features; each but the first takes its class from an earlier one.
    groups: list[list[int]] = field(default_factory=list)
    group_of: dict[int, int] = field(default_factory=dict)  # position in `groups`
    # the earlier member from which a feature takes its class
    model: dict[int, int] = field(default_factory=dict)
    related: set[int] = field(default_factory=set)  # labels with a direct relation to another label
    # features that have a part in the graph already: the first so many
    used: set[int] = field(default_factory=set)
    progress: Progress = field(default_factory=SilentProgress)

    def is_label(self, variable: int) -> bool:
        """Tell labels from features."""
        return variable < self.settings.labels

    @property
    def free_count(self) -> int:
        """Number of features that have no part yet."""
        return self.settings.features - len(self.used)

    def new_feature(self) -> int:
        """Take the next free feature."""
        feature = self.settings.labels + len(self.used)
        self.used.add(feature)
        return feature

    def connect(self, cause: int, effect: int, facet: Facet = Facet.LEVEL) -> None:
        """Add an arrow."""
        self.causes[effect][cause] = facet
        self.effects[cause].add(effect)

    def order(self) -> list[int]:
        """Return the variables, causes before effects."""
        variables = range(self.settings.labels + self.settings.features)
        waiting = [len(self.causes[variable]) for variable in variables]
        ordered = [variable for variable, count in enumerate(waiting) if count == 0]
        for variable in ordered:
            for effect in sorted(self.effects[variable]):
                waiting[effect] -= 1
                if waiting[effect] == 0:
                    ordered.append(effect)
        return ordered

    def labels_of_family(self, effect: int) -> set[int]:
        """Labels for which a cause of `effect` is in the boundary: the effect and its causes."""
        return {member for member in (effect, *self.causes[effect]) if self.is_label(member)}

    def boundary(self, variable: int) -> set[int]:
        """Causes, effects, and other causes of the effects."""
        members = set(self.causes[variable]) | self.effects[variable]
        for effect in self.effects[variable]:
            members.update(self.causes[effect])
        members.discard(variable)
        return members

    def has_room(self, label: int) -> bool:
        """Tell whether the boundary of a label may have one more member."""
        return len(self.boundary(label)) < self.settings.largest_boundary

    def reaches(self, start: int, end: int) -> bool:
        """Tell whether a directed path leads from `start` to `end`, or they are the same."""
        seen, stack = {start}, [start]
        while stack:
            variable = stack.pop()
            if variable == end:
                return True
            fresh = self.effects[variable] - seen
            seen |= fresh
            stack.extend(fresh)
        return False
