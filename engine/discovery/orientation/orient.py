"""Tells causes from effects around the labels of a finished search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.discovery.clcd import LabelFindings
from engine.discovery.orientation.arrows import Arrow, Pair, arrows_between
from engine.discovery.orientation.best_graphs import agreed, leanings
from engine.discovery.orientation.colliders import TripleFinding, TripleFindings, Triples, findings_about
from engine.discovery.orientation.direction import Because, Direction, Orientation
from engine.discovery.orientation.local_graph import LocalGraph
from engine.independence.batch import Question
from engine.independence.record import TestRecord, make_records


def orient(
    search: Neighbourhoods,
    findings: Mapping[int, LabelFindings],
    neighbourhoods: Mapping[int, Neighbourhood],
    cut: frozenset[int] = frozenset(),
) -> tuple[dict[tuple[str, str], Orientation], int]:
    """Say of every neighbour of every label whether it is a cause or an effect, as far as the data tell.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    findings : mapping of int to LabelFindings
        What was found around each label.
    neighbourhoods : mapping of int to Neighbourhood
        What was found around each of their neighbours.
    cut : frozenset of int
        Numbers that were cut into bins. Nothing is told from tests of them: bins that are held fixed let a
        part of what the number explains through, and what follows from that dependence is false.

    Returns
    -------
    orientations : dict of (str, str) to Orientation
        By feature and label, one a neighbour, labels among them; undecided where nothing
        tells. A neighbour with a stand-in is always undecided, for it may be the stand-in that is next to
        the label; so is one that is not told apart from another variable.
    tests : int
        Tests made.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    # Of a label, what its whole search left of the neighbours.
    around = {label: each.neighbourhood for label, each in findings.items()}
    graph = LocalGraph({**neighbourhoods, **around})
    links = [(label, link) for label, each in findings.items() for link in each.links]
    edges = {
        (min(label, member), max(label, member)) for label in findings for member in graph.neighbours(label)
    }
    found = findings_about(search, Triples(graph, links), edges)
    by_tests = arrows_between(graph, _without_cut(found, cut))
    arrows = agreed(by_tests, leanings(search, graph, findings, cut))
    told = {
        (label, member): None if _has_stand_in(findings, label, member) else _arrow(label, member, arrows)
        for label, each in findings.items()
        for member in each.neighbourhood.members
    }
    records = _records(search, [arrow for arrow in told.values() if arrow])
    orientations = [
        _orientation(search.data.names, label, member, arrow, records)
        for (label, member), arrow in told.items()
    ]
    return {each.pair: each for each in orientations}, found.tests


def _without_cut(found: TripleFindings, cut: frozenset[int]) -> TripleFindings:
    """Leave out what was shown by a test of a number that was cut."""

    def holds(each: TripleFinding) -> bool:
        return cut.isdisjoint((*each.dependence[:2], *each.dependence[2], *each.independence[2]))

    return replace(
        found,
        colliders=tuple(filter(holds, found.colliders)),
        passages=tuple(filter(holds, found.passages)),
    )


def _has_stand_in(findings: Mapping[int, LabelFindings], label: int, member: int) -> bool:
    """Tell whether a variable may stand in for the neighbour, or for the label where both are labels."""
    return any(
        other in pair.in_boundary and pair.target == target
        for target, other in ((label, member), (member, label))
        if target in findings
        for pair in (*findings[target].about_label, *findings[target].not_told_apart)
    )


def _arrow(label: int, member: int, arrows: Mapping[Pair, Arrow]) -> Arrow | None:
    return arrows.get((label, member)) or arrows.get((member, label))


def _records(search: Neighbourhoods, arrows: Iterable[Arrow]) -> dict[Question, TestRecord]:
    """Make the tests that arrows rest on once more, in full."""
    questions = list(dict.fromkeys(question for arrow in arrows for question in arrow.questions))
    made = make_records(search.data, [(x, (y,), given) for x, y, given in questions], search.stop)
    search.check_stop()
    return dict(zip(questions, made, strict=True))


def _orientation(
    names: tuple[str, ...],
    label: int,
    member: int,
    arrow: Arrow | None,
    records: Mapping[Question, TestRecord],
) -> Orientation:
    found = Orientation(names[member], names[label], Direction.UNDECIDED)
    if arrow is None:
        return found
    is_cause = arrow.cause == member
    because = arrow.because
    if is_cause and because is Because.SHARED_EFFECT:
        because = Because.SEVERAL_CAUSES
    return replace(
        found,
        direction=Direction.CAUSE if is_cause else Direction.EFFECT,
        because=because,
        others=tuple(names[each] for each in arrow.others),
        tests=tuple(records[question] for question in arrow.questions),
        log_ratio=arrow.log_ratio,
    )
