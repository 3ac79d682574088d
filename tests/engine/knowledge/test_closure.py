"""What follows from statements of causes, beside what holds in every order that bears them out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations, product

import numpy as np
import pytest

from engine.discovery.orientation import ancestry
from engine.discovery.orientation.ancestry import Ancestry, Premise, Statement
from engine.discovery.orientation.direction import Because
from engine.knowledge import closure
from engine.knowledge.closure import Followed, closure_of, stated, take

VARIABLES = 4
PAIRS = list(permutations(range(VARIABLES), 2))


def is_order(causes: frozenset[tuple[int, int]]) -> bool:
    """Whether causes of causes are causes, and nothing is a cause of its own causes."""
    return all((b, a) not in causes for a, b in causes) and all(
        (a, d) in causes for (a, b), (c, d) in product(causes, causes) if b == c
    )


ORDERS = [
    causes
    for size in range(len(PAIRS) // 2 + 1)
    for causes in map(frozenset, combinations(PAIRS, size))
    if is_order(causes)
]


def test_there_are_as_many_orders_as_there_must_be() -> None:
    """Partial orders of four elements (Sloane, The On-Line Encyclopedia of Integer Sequences, A001035)."""
    assert len(ORDERS) == 219


def holding(findings: Sequence[Sequence[tuple[int, int, bool]]]) -> list[frozenset[tuple[int, int]]]:
    """The orders that bear findings out."""
    return [
        causes
        for causes in ORDERS
        if all(any(((a, b) in causes) == holds for a, b, holds in finding) for finding in findings)
    ]


def in_all(orders: list[frozenset[tuple[int, int]]]) -> dict[tuple[int, int], bool]:
    """What all of some orders say of each pair, as far as they agree."""
    said = {pair: {pair in causes for causes in orders} for pair in PAIRS}
    return {pair: next(iter(answers)) for pair, answers in said.items() if len(answers) == 1}


def drawn(generator: np.random.Generator, *, with_choices: bool) -> list[list[tuple[int, int, bool]]]:
    findings = []
    for _ in range(generator.integers(1, 7)):
        pairs = [
            PAIRS[place] for place in generator.choice(len(PAIRS), generator.integers(2, 4), replace=False)
        ]
        if with_choices and generator.random() < 0.6:
            findings.append([(*pair, True) for pair in pairs])
        else:
            findings.append([(*pairs[0], bool(generator.random() < 0.5))])
    return findings


def test_statements_alone_lead_to_all_that_holds_in_every_order() -> None:
    generator = np.random.default_rng(0)
    possible = 0
    for _ in range(200):
        findings = drawn(generator, with_choices=False)
        orders = holding(findings)
        closure_found = closure_of(findings, VARIABLES)
        ended, number, _ = take(closure_found, 0)
        assert (ended == Followed.ALL) == bool(orders)
        if orders:
            possible += 1
            assert {pair: holds for pair, (holds, _) in stated(closure_found).items()} == in_all(orders)
        else:
            assert holding(findings[:number]) and not holding(findings[: number + 1])
    assert 50 < possible < 180


def found_by_ancestry(findings: list[list[tuple[int, int, bool]]]) -> dict[tuple[int, int], bool] | None:
    """What is known after all was supposed; None where findings contradict each other."""
    known_ancestry = Ancestry(
        [Premise(tuple(Statement(*claim) for claim in one), Because.SHARED_EFFECT) for one in findings],
        VARIABLES,
    )
    if list(known_ancestry.take_all()):
        return None
    known_ancestry.refute(PAIRS)
    known_causes = {pair: known_ancestry.causes(*pair) for pair in PAIRS}
    for pair, holds in known_causes.items():
        if holds is not None:
            check_ground(known_ancestry, Statement(*pair, holds))
    return {pair: holds for pair, holds in known_causes.items() if holds is not None}


def check_ground(known_ancestry: Ancestry, statement: Statement) -> None:
    """What a statement rests on is enough for it: it holds in every order that bears that out."""
    ground = known_ancestry.ground(statement)
    behind: list[list[tuple[int, int, bool]]] = [list(finding.statements) for finding in ground.findings]
    behind += [[premise] for premise in ground.premises]
    assert in_all(holding(behind))[statement.pair] is statement.holds
    assert all(known_ancestry.is_stated(premise) for premise in ground.premises)
    assert known_ancestry.findings_behind(statement)


def test_what_is_left_of_choices_holds_in_every_order() -> None:
    generator = np.random.default_rng(1)
    complete, all_known = 0, 0
    for _ in range(150):
        findings = drawn(generator, with_choices=True)
        orders, known_causes = holding(findings), found_by_ancestry(findings)
        if known_causes is None:
            # A contradiction is none by accident.
            assert not orders
        elif orders:
            truth = in_all(orders)
            assert known_causes.items() <= truth.items()
            complete += known_causes == truth
            all_known += 1
    # Supposing one thing at a time does not find everything, but nearly.
    assert complete > 0.97 * all_known > 60


def test_room_for_pairs_is_made_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(2)
    drawings = [drawn(generator, with_choices=True) for _ in range(40)]
    expected = list(map(found_by_ancestry, drawings))
    times = 0
    grow = closure.grown

    def counted(full: closure.Closure) -> closure.Closure:
        nonlocal times
        times += 1
        return grow(full)

    monkeypatch.setattr(closure, "_LEAST_ROOM", 1)
    monkeypatch.setattr(ancestry, "grown", counted)
    assert list(map(found_by_ancestry, drawings)) == expected
    assert times > 40
