"""Choosing features that serve as many labels as possible: lines 10 to 14 of CLCD-FS.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery, Algorithm 2. A set Z of features serves a
label T by the rules of Equation 9: it lies within the boundary of T (θ1), it is interchangeable with a set
of neighbours of T (θ2), or, about a child C, with a set of spouses that C connects with T (θ3). The set
that serves most labels is chosen, what it stands for leaves the boundaries of those labels, and so on, until
no set serves two labels. What is left in a boundary is specific to its label.

What the paper leaves open is decided thus:

- Under θ1 a set stands for itself alone. Otherwise it stands for every set with which it is interchangeable
  at that label: given the chosen one, each of them is superfluous.
- Of sets that serve equally many labels, the one with more labels under θ1 is chosen, then the smaller one,
  then the one with the stronger total association, then the first in column order.
- Sets of several features are looked at where an equivalence names them. Within boundaries, single features
  serve at least the labels of any set that holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.discovery.evidence import Rule
from engine.selection.boundaries import FeatureBoundary

Names = tuple[str, ...]
Association = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class Service:
    """How a set of features serves one label.

    Attributes
    ----------
    label : str
        The label.
    rule : Rule
        By which rule.
    stands_for : tuple of str
        Members of the boundary whose place the set takes; empty under θ1.
    children : tuple of str
        For spouses and what stands in for them, the effects that they share with the label.
    """

    label: str
    rule: Rule
    stands_for: Names = ()
    children: Names = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One set of features that was chosen, and how it serves its labels.

    Attributes
    ----------
    features : tuple of str
        The set, in column order.
    services : tuple of Service
        By label order; several of one label when it serves that by several rules or in several places.
    """

    features: Names
    services: tuple[Service, ...]

    @property
    def labels(self) -> Names:
        """The labels that the set serves, each once."""
        return tuple(dict.fromkeys(each.label for each in self.services))


def choose(
    boundaries: Sequence[FeatureBoundary],
    interchangeable: Mapping[str, Sequence[tuple[Names, Names]]],
    association: Association,
    order: Mapping[str, int],
) -> tuple[list[Choice], list[Choice]]:
    """Choose common features greedily; what is left of the boundaries is label-specific.

    Parameters
    ----------
    boundaries : sequence of FeatureBoundary
        One a label, without labels in them.
    interchangeable : mapping of str to sequence of (inside, outside)
        By target, a label or a child: sets of its neighbours or spouses, and sets that tell the same.
    association : callable
        ``(feature, label)`` to the logarithm of the p-value of the marginal test: smaller is stronger.
    order : mapping of str to int
        Column of each feature.

    Returns
    -------
    common : list of Choice
        In the order in which they were chosen.
    label_specific : list of Choice
        One feature and one label each, the strongest association first.
    """
    remaining = [_Remaining(each, interchangeable) for each in boundaries]
    candidates = _candidates(boundaries, interchangeable, order)
    serving: dict[Names, dict[int, list[Service]]] = {each: {} for each in candidates}
    # What does not serve a label now never will: boundaries only shrink.
    possible = [candidates for _ in remaining]
    changed = list(range(len(remaining)))
    common: list[Choice] = []
    while True:
        for place in changed:
            for features in possible[place]:
                found = remaining[place].services(features)
                if found and features in serving:
                    serving[features][place] = found
                elif features in serving:
                    serving[features].pop(place, None)
            possible[place] = [each for each in possible[place] if place in serving.get(each, ())]
        several = [features for features, services in serving.items() if len(services) > 1]
        if not several:
            break
        best = min(several, key=lambda each: _rank(each, serving[each], association, order))
        services = serving.pop(best)
        changed = sorted(services)
        for place in changed:
            remaining[place].take_out(best, services[place])
        common.append(Choice(best, tuple(each for place in changed for each in services[place])))
    specific = [choice for each in remaining for choice in each.left_over()]
    specific.sort(key=lambda each: (association(each.features[0], each.labels[0]), order[each.features[0]]))
    return common, specific


def _candidates(
    boundaries: Sequence[FeatureBoundary],
    interchangeable: Mapping[str, Sequence[tuple[Names, Names]]],
    order: Mapping[str, int],
) -> list[Names]:
    singles = {(name,) for each in boundaries for name in each.members}
    stand_ins = {tuple(sorted(outside, key=order.__getitem__)) for _, outside in _pairs(interchangeable)}
    return sorted(
        singles | stand_ins | {(name,) for each in stand_ins for name in each},
        key=lambda each: [order[name] for name in each],
    )


def _pairs(interchangeable: Mapping[str, Sequence[tuple[Names, Names]]]) -> Iterator[tuple[Names, Names]]:
    for pairs in interchangeable.values():
        yield from pairs


def _rank(
    features: Names,
    services: Mapping[int, Sequence[Service]],
    association: Association,
    order: Mapping[str, int],
) -> tuple[object, ...]:
    """Give the key by which the best set comes first."""
    within = sum(not found[0].rule.is_equivalent for found in services.values())
    total = sum(association(name, found[0].label) for found in services.values() for name in features)
    return -len(services), -within, len(features), total, [order[name] for name in features]


class _Remaining:
    """What is left of the boundary of one label while features are being chosen."""

    def __init__(
        self, boundary: FeatureBoundary, interchangeable: Mapping[str, Sequence[tuple[Names, Names]]]
    ) -> None:
        self._label = boundary.label
        self._neighbours = dict.fromkeys(boundary.neighbours)
        self._spouses = dict(boundary.spouses)
        children = dict.fromkeys(child for found in boundary.spouses.values() for child in sorted(found))
        self._about_label = _by_stand_in(interchangeable.get(boundary.label, ()))
        self._about_child = {child: _by_stand_in(interchangeable.get(child, ())) for child in children}

    def services(self, features: Names) -> list[Service]:
        """List how a set serves the label now; nothing when it does not."""
        if all(name in self._neighbours or name in self._spouses for name in features):
            return [self._within(features)]
        chosen = frozenset(features)
        found = [
            Service(self._label, Rule.NEIGHBOUR_EQUIVALENT, inside)
            for inside in self._about_label.get(chosen, ())
            if all(name in self._neighbours for name in inside)
        ]
        connecting: dict[Names, list[str]] = {}
        for child, stand_ins in self._about_child.items():
            for inside in stand_ins.get(chosen, ()):
                if all(child in self._spouses.get(name, ()) for name in inside):
                    connecting.setdefault(inside, []).append(child)
        return found + [
            Service(self._label, Rule.SPOUSE_EQUIVALENT, inside, tuple(children))
            for inside, children in connecting.items()
        ]

    def take_out(self, features: Names, services: Sequence[Service]) -> None:
        """Take out what a chosen set stands for."""
        for each in services:
            for name in each.stands_for or features:
                self._neighbours.pop(name, None)
                self._spouses.pop(name, None)

    def left_over(self) -> Iterator[Choice]:
        """Give every member that is left, as a choice of its own."""
        for name in [*self._neighbours, *(each for each in self._spouses if each not in self._neighbours)]:
            yield Choice((name,), (self._within((name,)),))

    def _within(self, features: Names) -> Service:
        if all(name in self._neighbours for name in features):
            return Service(self._label, Rule.NEIGHBOUR)
        children = {child for name in features for child in self._spouses.get(name, ())}
        return Service(self._label, Rule.SPOUSE, children=tuple(sorted(children)))


def _by_stand_in(pairs: Sequence[tuple[Names, Names]]) -> dict[frozenset[str], list[Names]]:
    found: dict[frozenset[str], list[Names]] = {}
    for inside, outside in pairs:
        found.setdefault(frozenset(outside), []).append(inside)
    return found
