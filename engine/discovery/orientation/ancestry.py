"""Who is a cause of whom, and who is not, though something may be hidden: what tests show, and what follows.

Two kinds of findings are sound where variables are hidden (Claassen and Heskes 2011, A logical
characterization of constraint-based causal discovery, UAI, 135-144):

- A variable that joins two others which were independent is a cause of neither of them, and of nothing that
  was held fixed.
- A variable without which two others are not independent, while they are with it, is a cause of one of
  them, or of something else that is held fixed.

From these, and from what people know, all else follows by two laws: causes of causes are causes, and
nothing is a cause of its own causes. What would contradict the rest is false. That reaches what the
orientation rules R0 to R4 and R8 to R10 of FCI reach from the same findings (Zhang 2008, On the
completeness of orientation rules for causal discovery in the presence of latent confounders and selection
bias, Artificial Intelligence 172:1873-1896; R5 to R7 speak of selection, which is ruled out here), and no
graph has to be known for it: an edge too many, as searches around one variable leave where something is
hidden, makes nothing false (Colombo, Maathuis, Kalisch and Richardson 2012, Learning high-dimensional
directed acyclic graphs with latent and selection variables, Annals of Statistics 40:294-321).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.discovery.orientation.direction import Because
from engine.independence.batch import Question
from engine.knowledge.closure import (
    Count,
    Followed,
    Pair,
    closure_of,
    conclude,
    grown,
    stated,
    statements_of,
    suppose,
    take,
    take_back,
)

# What is supposed, to see whether it contradicts the rest, is followed so far: a contradiction further off
# rests on so many tests that one of them may be wrong, and takes long to find.
_MOST_SUPPOSED = 50

# What a supposed statement comes from: no finding has such a number.
_SUPPOSED = -(1 << 62)


class Statement(NamedTuple):
    """That one variable is, or is not, a cause of another, directly or through others."""

    cause: int
    effect: int
    holds: bool

    @property
    def pair(self) -> Pair:
        """Cause and effect."""
        return self.cause, self.effect

    @property
    def denial(self) -> Statement:
        """Return the opposite."""
        return Statement(self.cause, self.effect, not self.holds)


class Premise(NamedTuple):
    """Something that is known before anything is concluded."""

    statements: tuple[Statement, ...]  # one of them holds; when there is one only, it does
    because: Because
    others: tuple[int, ...] = ()  # the variables that tell it
    questions: tuple[Question, ...] = ()  # its tests
    log_p: float = -math.inf  # of the dependence that shows it: the lower, the surer


class Ground(NamedTuple):
    """Why a statement is made: a finding, further statements, or both."""

    because: Because
    others: tuple[int, ...]
    findings: tuple[Premise, ...]
    premises: tuple[Statement, ...]


class Contradiction(Exception):
    """A statement and its denial follow both."""

    def __init__(self, statement: Statement, *grounds: Ground) -> None:
        super().__init__(statement)
        self.statement = statement
        self.grounds = grounds


class Ancestry:
    """Statements of causes, closed under what follows; several of one premise each state a cause."""

    def __init__(self, findings: Sequence[Premise], variables: int) -> None:
        self._closure = closure_of([finding.statements for finding in findings], variables)
        # What statements come from whose origin is -1 less the number of one of these.
        self._reasons: list[Premise | Ground] = list(findings)
        # Findings of which nothing else follows.
        self._alone: dict[Pair, Premise] = {}
        # What is stated, as long as nothing changes.
        self._stated: dict[Pair, tuple[bool, int]] | None = None

    def causes(self, cause: int, effect: int) -> bool | None:
        """Tell whether one variable is a cause of another; None where that is not known."""
        answer = self._all_stated().get((cause, effect))
        if answer is None and (cause, effect) in self._alone:
            return self._alone[cause, effect].statements[0].holds
        return None if answer is None else answer[0]

    def effects(self) -> dict[int, set[int]]:
        """Return what each variable is known to be a cause of, where that is anything."""
        effects_of: dict[int, set[int]] = {}
        for (cause, effect), (holds, _) in self._all_stated().items():
            if holds:
                effects_of.setdefault(cause, set()).add(effect)
        return effects_of

    def is_stated(self, statement: Statement) -> bool:
        """Tell whether a statement is made."""
        return self.causes(*statement.pair) is statement.holds

    def ground(self, statement: Statement) -> Ground:
        """Return why a statement is made."""
        if statement.pair in self._alone:
            return _of_finding(statement, self._alone[statement.pair])
        return self._ground(statement, self._origin(statement))

    def questions(self, statement: Statement) -> tuple[Question, ...]:
        """Return the tests that a statement rests on, its own first."""
        return tuple(
            dict.fromkeys(
                question for finding in self.findings_behind(statement) for question in finding.questions
            )
        )

    def findings_behind(self, *statements: Statement) -> list[Premise]:
        """Return the findings that statements rest on, the nearest first."""
        findings: dict[Premise, None] = {}
        waiting, met = list(statements), set(statements)
        for statement in waiting:
            ground = self.ground(statement)
            findings.update(dict.fromkeys(ground.findings))
            waiting += [premise for premise in ground.premises if premise not in met]
            met.update(ground.premises)
        return list(findings)

    def take_all(self) -> Iterator[tuple[Premise, Contradiction]]:
        """Take up every finding with all that follows; yield contradictions, and state none of these."""
        number = 0
        while True:
            self._stated = None
            ended, number, before = take(self._closure, number)
            if ended == Followed.ALL:
                return
            if ended == Followed.WRONG:
                contradiction, finding = self._contradiction(), self._reasons[number]
                take_back(self._closure, before)
                assert isinstance(finding, Premise)
                yield finding, contradiction
                number += 1
            else:
                self._grow(before)

    def add(self, finding: Premise) -> None:
        """Take up a further finding, of one statement, and all that follows from it."""
        self._conclude(finding.statements[0], finding)

    def state(self, finding: Premise) -> None:
        """Take up a finding of one statement about which nothing is known, and nothing that follows."""
        self._alone[finding.statements[0].pair] = finding

    def refute(self, pairs: Iterable[Pair]) -> None:
        """Find out of pairs that are open which answer would contradict the rest, until nothing is new."""
        open_pairs = list(pairs)
        # First what says more: that one is a cause also says that the other is none.
        supposed = [Statement(*pair, holds) for holds in (True, False) for pair in open_pairs]
        numbers = self._numbers(supposed)
        reached = np.empty((len(supposed), 2 * _MOST_SUPPOSED), dtype=np.int32)
        vain = np.zeros((2, len(supposed)), dtype=np.int64)
        at = in_vain = 0
        while True:
            self._stated = None
            before = self._closure.counts[Count.STATED]
            ended, at, in_vain = suppose(
                self._closure, numbers, _SUPPOSED, _MOST_SUPPOSED, reached, vain, at, in_vain
            )
            if ended == Followed.ALL:
                return
            if ended == Followed.WRONG:
                ground = self._ground_of_refutation(supposed[at], self._contradiction(), before)
                take_back(self._closure, before)
                in_vain = 0 if self._denies(supposed[at], ground) else in_vain + 1
                at = (at + 1) % len(supposed)
            else:
                self._grow(before)

    def _denies(self, statement: Statement, ground: Ground) -> bool:
        """State the denial of something; tell whether that could be."""
        try:
            self._conclude(statement.denial, ground)
        except Contradiction:
            # Findings that contradict each other say nothing.
            return False
        return True

    def _conclude(self, statement: Statement, reason: Premise | Ground) -> None:
        """State something and all that follows; nothing where that contradicts the rest."""
        (number,) = self._numbers([statement]).tolist()
        self._reasons.append(reason)
        before = self._closure.counts[Count.STATED]
        while True:
            self._stated = None
            ended = conclude(self._closure, number, -len(self._reasons))
            if ended == Followed.ALL:
                return
            if ended == Followed.WRONG:
                contradiction = self._contradiction()
                take_back(self._closure, before)
                raise contradiction
            self._grow(before)

    def _grow(self, left: int) -> None:
        """Make room for more pairs; so much is left of what is stated."""
        take_back(self._closure, left)
        self._closure = grown(self._closure)

    def _numbers(self, statements: Sequence[Statement]) -> np.ndarray:
        while self._closure.counts[Count.PAIRS] + len(statements) > len(self._closure.cause):
            self._closure = grown(self._closure)
        columns = np.array(statements, dtype=np.int64).reshape(-1, 3).T
        return statements_of(self._closure, *np.ascontiguousarray(columns))

    def _statement(self, number: int) -> Statement:
        pair = number >> 1
        return Statement(int(self._closure.cause[pair]), int(self._closure.effect[pair]), bool(number & 1))

    def _all_stated(self) -> Mapping[Pair, tuple[bool, int]]:
        if self._stated is None:
            self._stated = stated(self._closure)
        return self._stated

    def _origin(self, statement: Statement) -> int:
        if self._stated is not None:
            return self._stated[statement.pair][1]
        # Statements come and go.
        (number,) = self._numbers([statement]).tolist()
        return int(self._closure.origin[number >> 1])

    def _contradiction(self) -> Contradiction:
        """Return what the closure found out last."""
        counts = self._closure.counts
        statement = self._statement(int(counts[Count.WRONG]))
        ground = self._ground(statement, int(counts[Count.WHY_WRONG]))
        return Contradiction(statement, ground, self.ground(statement.denial))

    def _ground(self, statement: Statement, origin: int) -> Ground:
        if origin >= 0:
            return _of_law(statement, self._statement(origin))
        if origin == _SUPPOSED:
            return Ground(Because.NO_CYCLE_OR_COLLIDER, (), (), ())
        reason = self._reasons[-1 - origin]
        return reason if isinstance(reason, Ground) else _of_finding(statement, reason)

    def _ground_of_refutation(self, assumed: Statement, contradiction: Contradiction, begin: int) -> Ground:
        """Collect what was known before, and led to the contradiction."""
        closure = self._closure
        pairs = closure.trail[begin : closure.counts[Count.STATED]]
        stated_pairs = set(zip(closure.cause[pairs].tolist(), closure.effect[pairs].tolist(), strict=True))
        findings: dict[Premise, None] = {}
        premises: dict[Statement, None] = {}
        waiting, met = list(contradiction.grounds), set()
        for ground in waiting:
            findings.update(dict.fromkeys(ground.findings))
            for premise in ground.premises:
                if premise in met:
                    continue
                met.add(premise)
                if premise.pair not in stated_pairs:
                    premises[premise] = None
                elif premise != assumed:
                    waiting.append(self.ground(premise))
        through = {
            variable
            for premise in (*premises, *(s for f in findings for s in f.statements))
            for variable in premise.pair
        }
        others = tuple(sorted(through - set(assumed.pair)))
        return Ground(Because.NO_CYCLE_OR_COLLIDER, others, tuple(findings), tuple(premises))


def _of_finding(statement: Statement, finding: Premise) -> Ground:
    """Return why a statement of a finding is made: no other of it holds."""
    if len(finding.statements) == 1:
        return Ground(finding.because, finding.others, (finding,), ())
    denied = tuple(own_statement.denial for own_statement in finding.statements if own_statement != statement)
    return Ground(
        finding.because, tuple(dict.fromkeys(denial.effect for denial in denied)), (finding,), denied
    )


def _of_law(statement: Statement, premise: Statement) -> Ground:
    """Return why a statement follows by a law from another one, and one that shares a variable with that."""
    cause, effect, _ = statement
    a, b, holds = premise
    if (cause, effect) == (b, a):
        return Ground(Because.NO_CYCLE, (), (), (premise,))
    if cause == a:
        # Of what b is a cause, or for a denial what is a cause of b.
        second_premise = Statement(b, effect, True) if holds else Statement(effect, b, True)
        return Ground(
            Because.NO_CYCLE, (b,), (), (premise, second_premise) if holds else (second_premise, premise)
        )
    if effect == b:
        # Of what is a cause of a, or for a denial what a is a cause of.
        second_premise = Statement(cause, a, True) if holds else Statement(a, cause, True)
        return Ground(Because.NO_CYCLE, (a,), (), (second_premise, premise))
    if cause == b:
        return Ground(Because.NO_CYCLE, (a,), (), (premise, Statement(a, effect, False)))
    return Ground(Because.NO_CYCLE, (b,), (), (premise, Statement(cause, b, False)))
