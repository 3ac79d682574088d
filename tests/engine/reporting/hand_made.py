"""A small result made by hand, in which every kind of finding and every awkward kind of name occurs."""

from __future__ import annotations

import math

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.markov_boundary import MarkovBoundary
from engine.discovery.evidence import Equivalence, Evidence, MissedShare, Pair, Rule, TestRecord, Verdict
from engine.discovery.orientation.direction import Because, Direction, Orientation
from engine.discovery.result import DiscoveryResult
from engine.table.dataset import Dataset, Note
from engine.table.variable import Kind, Role, Variable

HAPPY, CALM, SAD = "happy; pleased", '<calm> & "quiet"', "悲しい 😢"
FORMULA = '=HYPERLINK("http://x","y")'
TAB = "dose\tper\nday\x01"
COPY = "copy, of dose"
UNICODE = " Größe ≥ 1 "
CHILD = "-child"
UNUSED = "not + used"
LABELS = (HAPPY, CALM, SAD)
FEATURES = (FORMULA, TAB, COPY, UNICODE, CHILD, UNUSED)
ROWS = 40


def a_test(
    x: str,
    others: str | tuple[str, ...],
    given: tuple[str, ...] = (),
    log_p: float = -20.0,
    effect: float = 0.4,
) -> TestRecord:
    others = (others,) if isinstance(others, str) else others
    return TestRecord(
        x, others, given, -1.7 * log_p, 2.0, math.exp(log_p), log_p, effect, ROWS, len(given) < 2
    )


def make_dataset() -> Dataset:
    generator = np.random.default_rng(0)
    variables, columns = [], []
    for name in (*FEATURES, *LABELS):
        role = Role.LABEL if name in LABELS else Role.FEATURE
        if name == UNICODE:
            variables.append(Variable(name, Kind.CONTINUOUS, role))
            columns.append(generator.normal(size=ROWS))
        else:
            variables.append(Variable(name, Kind.NOMINAL, role, ("no", "+yes")))
            columns.append(generator.integers(0, 2, size=ROWS, dtype=np.int8))
    columns[0] = np.where(np.arange(ROWS) == 3, -1, columns[0]).astype(np.int8)
    notes = (Note("constant", "The column 'c' is the same in every row.", "c"), Note("guess", "Guessed <b>."))
    return Dataset(tuple(variables), tuple(columns), "mood & more", notes)


def make_equivalence() -> Equivalence:
    return Equivalence(
        HAPPY,
        (TAB,),
        (COPY,),
        a_test(HAPPY, TAB, log_p=-900.0),
        a_test(HAPPY, COPY, log_p=-1000.0),
        a_test(HAPPY, COPY, (TAB,), log_p=-0.3),
        a_test(HAPPY, TAB, (COPY,), log_p=0.0),
        missed_by_boundary=MissedShare(0.0, 0.0425),
        missed_by_equivalent=MissedShare(0.01, 0.08),
    )


def make_open_question() -> Equivalence:
    """Make a pair that is not told apart, about an effect that a label shares with its spouse."""
    return Equivalence(
        CHILD,
        (FORMULA,),
        (UNUSED, COPY),
        a_test(CHILD, FORMULA),
        a_test(CHILD, (UNUSED, COPY)),
        a_test(CHILD, (UNUSED, COPY), (FORMULA,), log_p=-0.9),
        a_test(CHILD, FORMULA, (UNUSED, COPY), log_p=-0.7),
        Verdict.NOT_TOLD_APART,
        MissedShare(0.1, 0.44),
        MissedShare(math.inf, math.inf),
    )


def make_result(unfinished: bool = False) -> DiscoveryResult:
    pair = make_equivalence()
    reasons = [
        Evidence(
            FORMULA, HAPPY, Rule.NEIGHBOUR, tests=(a_test(HAPPY, FORMULA), a_test(HAPPY, FORMULA, (TAB,)))
        ),
        Evidence(FORMULA, CALM, Rule.SPOUSE, children=(CHILD, TAB), tests=(a_test(CALM, FORMULA, (CHILD,)),)),
        Evidence(TAB, HAPPY, Rule.NEIGHBOUR, tests=(pair.target_in_boundary,), recovered=True),
        Evidence(
            COPY,
            HAPPY,
            Rule.NEIGHBOUR_EQUIVALENT,
            partner=(TAB,),
            tests=(
                pair.target_equivalent,
                pair.target_in_boundary,
                pair.equivalent_given_boundary,
                pair.boundary_given_equivalent,
            ),
        ),
        Evidence(UNICODE, CALM, Rule.NEIGHBOUR, tests=(a_test(CALM, UNICODE, effect=0.1 + 0.2),)),
        Evidence(UNICODE, CALM, Rule.SPOUSE_EQUIVALENT, partner=(FORMULA,), children=(CHILD,)),
    ]
    evidence: dict[Pair, tuple[Evidence, ...]] = {}
    for reason in reasons:
        evidence[reason.pair] = (*evidence.get(reason.pair, ()), reason)
    relations = [
        Evidence(CALM, HAPPY, Rule.NEIGHBOUR, tests=(a_test(HAPPY, CALM),)),
        Evidence(HAPPY, CALM, Rule.NEIGHBOUR, tests=(a_test(CALM, HAPPY),)),
    ]
    tells = (a_test(FORMULA, TAB, (COPY,), log_p=-0.4), a_test(FORMULA, TAB, (COPY, HAPPY)))
    orientations = [
        Orientation(FORMULA, HAPPY, Direction.CAUSE, Because.SEVERAL_CAUSES, (TAB,), tells),
        Orientation(TAB, HAPPY, Direction.UNDECIDED),
        Orientation(COPY, HAPPY, Direction.CAUSE, Because.BEST_GRAPH, (TAB, FORMULA), log_ratio=2.1 + 0.2),
        Orientation(UNICODE, CALM, Direction.EFFECT, Because.NO_CYCLE, (FORMULA,), tells),
        Orientation(CALM, HAPPY, Direction.EFFECT, Because.NO_FURTHER_COLLIDER, (FORMULA,), tells),
        Orientation(HAPPY, CALM, Direction.CAUSE, Because.NO_FURTHER_COLLIDER, (FORMULA,), tells),
    ]
    boundaries = [
        MarkovBoundary(HAPPY, (FORMULA, TAB, CALM), {}, 17),
        MarkovBoundary(CALM, (UNICODE, HAPPY), {FORMULA: frozenset({TAB, CHILD})}, 23),
    ]
    if not unfinished:
        boundaries.append(MarkovBoundary(SAD, (), {}, 5))
    return DiscoveryResult(
        dataset=make_dataset(),
        settings=DiscoverySettings(alpha=0.05, workers=2),
        boundaries={boundary.target: boundary for boundary in boundaries},
        equivalence_records=(pair,),
        undistinguished_records=(make_open_question(),),
        evidence=evidence,
        label_evidence={relation.pair: relation for relation in relations},
        unfinished_labels=(SAD,) if unfinished else (),
        tests_made=1234,
        unreliable_tests=6,
        seconds=0.25,
        orientation_records={orientation.pair: orientation for orientation in orientations},
    )


def empty_result() -> DiscoveryResult:
    dataset = make_dataset()
    boundaries = {label: MarkovBoundary(label, ()) for label in LABELS}
    return DiscoveryResult(dataset, DiscoverySettings(), boundaries, (), {}, {}, (), 10, 0, 0.1)
