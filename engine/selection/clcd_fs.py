"""CLCD-FS: Algorithm 2 of the paper, from the boundaries of the labels to few features that serve many.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery; lines are those of its Algorithm 2. Line 2,
Phases 1 and 2 of CLCD, is :mod:`engine.discovery.clcd`; what calls the following is
:mod:`engine.selection.select`.

- Lines 3 to 8, :func:`without_labels` and :class:`CandidateTests`: a label is not known when another label is
  to be predicted, so it leaves the boundary, and what it told is sought among its own neighbours: each of
  them joins that no set of the neighbours that are left separates from the label. A label may join in this
  way; it leaves in the next round.
- Line 9, :func:`interchangeable_about`: Phase 3 of CLCD for the boundaries of features.
- Lines 10 to 14, :func:`choose`: a set Z of features serves a label T by the functions of Equation 9: it
  lies within the boundary of T (θ₁), it is interchangeable with a set of neighbours of T (θ₂), or, about a
  child C, with a set of spouses that C connects with T (θ₃). The set that serves most labels is chosen,
  what it stands for leaves the boundaries of those labels, and so on, until no set serves two labels. What
  is left in a boundary is specific to its label.

What the paper leaves open is decided thus:

- The labels that leave are noted before they leave (line 5 of the paper empties what line 6 reads).
- A label that left once does not come back, nor does a label join its own boundary, so the rounds end.
- The neighbours of a label are those that CLCD found, whichever label is treated first.
- Labels leave the spouses as well. Features that are spouses through a child that is a label stay: they are
  no less tied to the label.
- Under θ₁ a set stands for itself alone. Otherwise it stands for every set with which it is interchangeable
  at that label: given the chosen one, each of them is superfluous.
- Of sets that serve equally many labels, the one with more labels under θ₁ is chosen, then the smaller one,
  then the one with the stronger total association, then the first in column order.
- Sets of several features are looked at where an equivalence names them. Within boundaries, single features
  serve at least the labels of any set that holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from engine.boundaries.markov_boundary import MarkovBoundary
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.separators import separation
from engine.discovery.clcd import equivalents
from engine.discovery.equivalence import EquivalenceSearch
from engine.discovery.evidence import Rule
from engine.independence.false_discovery import discoveries

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult


# ``(label, candidates, neighbours)`` to those candidates that no set of neighbours separates from the label.
Inseparable = Callable[[str, Sequence[str], Sequence[str]], Sequence[str]]


@dataclass(frozen=True, slots=True)
class FeatureBoundary:
    """Boundary of a label in which there are features only."""

    label: str
    neighbours: tuple[str, ...]  # features; those that came in the place of labels last
    # features, each with shared effects, labels among them
    spouses: Mapping[str, frozenset[str]] = field(default_factory=dict)
    # by neighbour: labels whose place it took
    in_place_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    removed_labels: tuple[str, ...] = ()  # in the order in which they left the neighbours

    @property
    def members(self) -> tuple[str, ...]:
        """Neighbours, then spouses, each once."""
        return tuple(dict.fromkeys([*self.neighbours, *self.spouses]))


def without_labels(
    boundary: MarkovBoundary,
    neighbours_of: Mapping[str, Sequence[str]],
    labels: frozenset[str],
    inseparable: Inseparable,
) -> FeatureBoundary:
    """Replace the labels in the boundary of one label by features.

    `inseparable`, of a label, candidates and neighbours, gives the candidates that no set of neighbours
    separates from the label. Of two labels next to each other, the first one takes over what the second one
    stood for:

    >>> found = MarkovBoundary("T1", ("A", "T2"))
    >>> neighbours = {"T1": ("A", "T2"), "T2": ("T1", "B")}
    >>> without_labels(found, neighbours, frozenset(neighbours), lambda label, others, given: others)
    ... # doctest: +NORMALIZE_WHITESPACE
    FeatureBoundary(label='T1', neighbours=('A', 'B'), spouses={}, in_place_of={'B': ('T2',)},
        removed_labels=('T2',))
    """
    neighbours = [name for name in boundary.parents_children if name not in labels]
    leaving = [name for name in boundary.parents_children if name in labels]
    removed: list[str] = []
    in_place_of: dict[str, tuple[str, ...]] = {}
    while leaving:
        removed += leaving
        passed_over = {boundary.target, *removed, *neighbours}
        offered: dict[str, list[str]] = {}
        for label in leaving:
            for name in neighbours_of.get(label, ()):
                if name not in passed_over:
                    offered.setdefault(name, []).append(label)
        joining = inseparable(boundary.target, list(offered), neighbours) if offered else ()
        in_place_of |= {name: tuple(offered[name]) for name in joining if name not in labels}
        neighbours += [name for name in joining if name not in labels]
        leaving = [name for name in joining if name in labels]
    spouses = {name: children for name, children in boundary.spouses.items() if name not in labels}
    return FeatureBoundary(boundary.target, tuple(neighbours), spouses, in_place_of, tuple(removed))


class CandidateTests:
    """Tests candidates against one label after another.

    Sets are tried by size, up to the conditioning size of the settings, and a candidate is passed over as
    soon as one separates it. Under false-discovery control, the candidates of one round are a family: the
    least significant test of each must pass among them.
    """

    def __init__(self, search: Neighbourhoods) -> None:
        self._search = search

    def inseparable(self, label: str, candidates: Sequence[str], neighbours: Sequence[str]) -> list[str]:
        """Return the candidates that no set of `neighbours` separates from a label, in their order."""
        search, settings = self._search, self._search.settings
        position = search.data.positions
        target, pool = position[label], [position[name] for name in neighbours]
        log_p = np.zeros(len(candidates))
        for index, candidate in enumerate(candidates):
            variable = position[candidate]
            separation_result = separation(
                search.data, variable, target, pool, settings.max_conditioning, search.stop
            )
            # Of a candidate that a set separates the log p is above the level, so that it is no discovery.
            log_p[index] = separation_result.log_p
        joining = discoveries(log_p, settings.alpha, settings.false_discovery)
        return [name for name, joins in zip(candidates, joining, strict=True) if joins]


Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Sets of features of which one can be chosen instead of another."""

    # by label or child: sets of its neighbours or spouses, and sets that tell the same
    pairs: Mapping[str, Sequence[tuple[Names, Names]]]
    # those that the rows merely do not tell apart: a person prefers them
    assumed: frozenset[tuple[str, Names, Names]] = frozenset()


def interchangeable_about(
    result: DiscoveryResult, boundaries: Sequence[FeatureBoundary], search: Neighbourhoods
) -> Alternatives:
    """Return the sets of features that tell the same about a label or a child.

    For a label from whose neighbours no label left, and for the children that connect spouses, that is what
    CLCD found. The other labels have other neighbours now, so equivalences are looked for among these. What
    the rows do not tell apart from a neighbour or a spouse counts only where the person prefers it.
    """
    labels = frozenset(result.dataset.labels)
    preferred = {(name,) for name in result.preferred}
    equivalences = [
        (record.target, record.in_boundary, record.equivalent, record.is_shown)
        for record in (*result.equivalence_records, *result.undistinguished_records)
        if labels.isdisjoint(record.in_boundary)
    ]
    for boundary in boundaries:
        if boundary.in_place_of:
            equivalences += _about_label(result, boundary, search)
    pairs_of: dict[str, list[tuple[Names, Names]]] = {}
    assumed = set()
    for target, inside, outside, is_shown in equivalences:
        if (is_shown or outside in preferred) and (inside, outside) not in pairs_of.get(target, ()):
            pairs_of.setdefault(target, []).append((inside, outside))
            if not is_shown:
                assumed.add((target, inside, outside))
    return Alternatives(pairs_of, frozenset(assumed))


def _about_label(
    result: DiscoveryResult, boundary: FeatureBoundary, search: Neighbourhoods
) -> list[tuple[str, Names, Names, bool]]:
    names, position = search.data.names, search.data.positions
    search = search.seen_from(position[boundary.label])
    allowed = frozenset(search.variables)
    features = [
        position[name]
        for name in result.dataset.features
        if name not in boundary.neighbours and position[name] in allowed
    ]
    members = [position[name] for name in boundary.neighbours]
    label, largest = position[boundary.label], search.settings.max_equivalence
    if search.settings.is_controlled:
        pairs = EquivalenceSearch(search, label, members, np.array(features, np.int64)).pairs(largest)
    else:
        pairs, _ = equivalents(search, label, members, features)
    return [
        (
            boundary.label,
            tuple(names[member] for member in pair.in_boundary),
            tuple(names[member] for member in pair.equivalent),
            pair.is_shown,
        )
        for pair in pairs
    ]


Association = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class Service:
    """How a set of features serves one label."""

    label: str
    rule: Rule
    stands_for: Names = ()  # members of the boundary whose place it takes; empty under θ1
    children: Names = ()  # of spouses and what stands in for them: the effects shared with the label


@dataclass(frozen=True, slots=True)
class ChosenSet:
    """One set of features that was chosen, and how it serves its labels."""

    features: Names  # in column order
    # by label order; several of one label by several rules or in several places
    services: tuple[Service, ...]

    @property
    def labels(self) -> Names:
        """The labels that the set serves, each once."""
        return tuple(dict.fromkeys(service.label for service in self.services))


def choose(
    boundaries: Sequence[FeatureBoundary],
    interchangeable: Mapping[str, Sequence[tuple[Names, Names]]],
    association: Association,
    order: Mapping[str, int],
    preferred: Sequence[str] = (),
) -> tuple[list[ChosenSet], list[ChosenSet]]:
    """Choose common features greedily; what is left of the boundaries is label-specific.

    `interchangeable` has, by label or child, sets of its neighbours or spouses, and sets that tell the same.
    `association` is log p of a feature and a label, `order` the column of each feature. `preferred` features,
    the most wanted first, are chosen in the place of what they are interchangeable with.
    """
    remaining = [_Remaining(boundary, interchangeable) for boundary in boundaries]
    candidates = _candidates(boundaries, interchangeable, order)
    serving: dict[Names, dict[int, list[Service]]] = {candidate: {} for candidate in candidates}
    # What does not serve a label now never will: boundaries only shrink.
    possible = [candidates for _ in remaining]
    changed = list(range(len(remaining)))
    common: list[ChosenSet] = []
    specific: list[ChosenSet] = []
    wanted: dict[Names, int] = {(name,): number for number, name in enumerate(preferred)}
    while True:
        for position in changed:
            for features in possible[position]:
                offers = remaining[position].services(features)
                if offers and features in serving:
                    serving[features][position] = offers
                elif features in serving:
                    serving[features].pop(position, None)
            possible[position] = [
                candidate for candidate in possible[position] if position in serving.get(candidate, ())
            ]
        several = [features for features, services in serving.items() if len(services) > 1]
        if not several:
            break
        best = min(
            several, key=lambda candidate: _rank(candidate, serving[candidate], association, order, wanted)
        )
        services = serving.pop(best)
        changed = sorted(services)
        for position in changed:
            remaining[position].take_out(best, services[position])
        common.append(
            ChosenSet(best, tuple(service for position in changed for service in services[position]))
        )
    for boundary_left in remaining:
        specific += boundary_left.preferred_instead(preferred)
        specific += boundary_left.left_over()
    specific.sort(
        key=lambda service: (association(service.features[0], service.labels[0]), order[service.features[0]])
    )
    return common, specific


def _candidates(
    boundaries: Sequence[FeatureBoundary],
    interchangeable: Mapping[str, Sequence[tuple[Names, Names]]],
    order: Mapping[str, int],
) -> list[Names]:
    singles = {(name,) for boundary in boundaries for name in boundary.members}
    stand_ins = {tuple(sorted(outside, key=order.__getitem__)) for _, outside in _pairs(interchangeable)}
    return sorted(
        singles | stand_ins | {(name,) for stand_in in stand_ins for name in stand_in},
        key=lambda features: [order[name] for name in features],
    )


def _pairs(interchangeable: Mapping[str, Sequence[tuple[Names, Names]]]) -> Iterator[tuple[Names, Names]]:
    for pairs in interchangeable.values():
        yield from pairs


def _rank(
    features: Names,
    services: Mapping[int, Sequence[Service]],
    association: Association,
    order: Mapping[str, int],
    wanted: Mapping[Names, int],
) -> tuple[object, ...]:
    """Return the key by which the best set comes first."""
    preference = wanted.get(features, len(wanted))
    within = sum(not services_of_label[0].rule.is_equivalent for services_of_label in services.values())
    total = sum(
        association(name, services_of_label[0].label)
        for services_of_label in services.values()
        for name in features
    )
    return -len(services), preference, -within, len(features), total, [order[name] for name in features]


class _Remaining:
    """What is left of the boundary of one label while features are being chosen."""

    def __init__(
        self, boundary: FeatureBoundary, interchangeable: Mapping[str, Sequence[tuple[Names, Names]]]
    ) -> None:
        self._label = boundary.label
        self._neighbours = dict.fromkeys(boundary.neighbours)
        self._spouses = dict(boundary.spouses)
        children = dict.fromkeys(
            child for children_of_spouse in boundary.spouses.values() for child in sorted(children_of_spouse)
        )
        self._about_label = _by_stand_in(interchangeable.get(boundary.label, ()))
        self._about_child = {child: _by_stand_in(interchangeable.get(child, ())) for child in children}

    def services(self, features: Names) -> list[Service]:
        """List how a set serves the label now; nothing when it does not."""
        if all(name in self._neighbours or name in self._spouses for name in features):
            return [self._within(features)]
        chosen = frozenset(features)
        exact = [
            Service(self._label, Rule.NEIGHBOUR_EQUIVALENT, inside)
            for inside in self._about_label.get(chosen, ())
            if all(name in self._neighbours for name in inside)
        ]
        connecting: dict[Names, list[str]] = {}
        for child, stand_ins in self._about_child.items():
            for inside in stand_ins.get(chosen, ()):
                if all(child in self._spouses.get(name, ()) for name in inside):
                    connecting.setdefault(inside, []).append(child)
        return exact + [
            Service(self._label, Rule.SPOUSE_EQUIVALENT, inside, tuple(children))
            for inside, children in connecting.items()
        ]

    def take_out(self, features: Names, services: Sequence[Service]) -> None:
        """Take out what a chosen set stands for."""
        for service in services:
            for name in service.stands_for or features:
                self._neighbours.pop(name, None)
                self._spouses.pop(name, None)

    def preferred_instead(self, preferred: Sequence[str]) -> Iterator[ChosenSet]:
        """Choose preferred features that stand in for members that are left, and take these out."""
        for name in preferred:
            services = [service for service in self.services((name,)) if service.rule.is_equivalent]
            if services:
                self.take_out((name,), services)
                yield ChosenSet((name,), tuple(services))

    def left_over(self) -> Iterator[ChosenSet]:
        """Return every member that is left, as a choice of its own."""
        for name in [
            *self._neighbours,
            *(spouse for spouse in self._spouses if spouse not in self._neighbours),
        ]:
            yield ChosenSet((name,), (self._within((name,)),))

    def _within(self, features: Names) -> Service:
        if all(name in self._neighbours for name in features):
            return Service(self._label, Rule.NEIGHBOUR)
        children = {child for name in features for child in self._spouses.get(name, ())}
        return Service(self._label, Rule.SPOUSE, children=tuple(sorted(children)))


def _by_stand_in(pairs: Sequence[tuple[Names, Names]]) -> dict[frozenset[str], list[Names]]:
    stood_for: dict[frozenset[str], list[Names]] = {}
    for inside, outside in pairs:
        stood_for.setdefault(frozenset(outside), []).append(inside)
    return stood_for
