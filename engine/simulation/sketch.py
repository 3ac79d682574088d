"""The causal graph of a simulated network while it is being drawn, before it has probabilities.

Variables are numbered: labels first, then features. A cause can act on an effect through a *facet* of
its levels: all of them, only the class that a level belongs to, or only the place within the class.
Interchangeable features share their class and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from engine.simulation.settings import SimulationSettings


class Facet(StrEnum):
    """What about a cause an effect depends on."""

    LEVEL = "level"
    CLASS = "class"
    PLACE = "place"


@dataclass(slots=True)
class Sketch:
    """Who causes whom, and through which facet.

    Attributes
    ----------
    settings : SimulationSettings
        What was asked for.
    causes : list of dict of int to Facet
        Causes of each variable, each with the facet through which it acts.
    effects : list of set of int
        Effects of each variable.
    groups : list of list of int
        Groups of interchangeable features; each but the first takes its class from an earlier one.
    group_of : dict of int to int
        Position in `groups` of each feature that is in one.
    model : dict of int to int
        The earlier member from which a feature takes its class.
    related : set of int
        Labels that have a direct relation with another label.
    used : set of int
        Features that have a part in the graph already.
    """

    settings: SimulationSettings
    causes: list[dict[int, Facet]] = field(init=False)
    effects: list[set[int]] = field(init=False)
    groups: list[list[int]] = field(default_factory=list)
    group_of: dict[int, int] = field(default_factory=dict)
    model: dict[int, int] = field(default_factory=dict)
    related: set[int] = field(default_factory=set)
    used: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        count = self.settings.labels + self.settings.features
        self.causes = [{} for _ in range(count)]
        self.effects = [set() for _ in range(count)]

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
        """Give the variables, causes before effects."""
        waiting = [len(causes) for causes in self.causes]
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
