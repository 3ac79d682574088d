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
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import NamedTuple

from engine.discovery.orientation.grades import Because
from engine.independence.batch import Question

Pair = tuple[int, int]

# What is supposed, to see whether it contradicts the rest, is followed so far: a contradiction further off
# rests on so many tests that one of them may be wrong, and takes long to find.
_MOST_SUPPOSED = 50


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


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is known before anything is concluded.

    Attributes
    ----------
    statements : tuple of Statement
        One of them holds; when there is one only, it does.
    because : Because
        What tells it.
    others : tuple of int
        The variables that tell it.
    questions : tuple of Question
        Its tests.
    log_p : float
        Logarithm of the p-value of the dependence that shows it: the lower, the surer.
    """

    statements: tuple[Statement, ...]
    because: Because
    others: tuple[int, ...] = ()
    questions: tuple[Question, ...] = ()
    log_p: float = -math.inf


class Ground(NamedTuple):
    """Why a statement is made: a finding, further statements, or both."""

    because: Because
    others: tuple[int, ...]
    findings: tuple[Finding, ...]
    premises: tuple[Statement, ...]


# A statement, those that it follows from, and the variable that these share.
_Consequence = tuple[Statement, tuple[Statement, ...], tuple[int, ...]]

# A statement, and why it is made.
_Reason = tuple[Statement, Ground]

_NOTHING: frozenset[int] = frozenset()


class Contradiction(Exception):
    """A statement and its denial follow both."""

    def __init__(self, statement: Statement, *grounds: Ground) -> None:
        super().__init__(statement)
        self.statement = statement
        self.grounds = grounds


class Ancestry:
    """Statements of causes, closed under what follows from them."""

    def __init__(self) -> None:
        self._grounds: dict[Statement, Ground] = {}
        self._effects: dict[int, set[int]] = {}
        self._causes: dict[int, set[int]] = {}
        self._no_effects: dict[int, set[int]] = {}
        self._no_causes: dict[int, set[int]] = {}
        self._choices: dict[Pair, list[Finding]] = {}
        self._trail: list[Statement] = []
        # What was supposed in vain: how much was stated by then, and the variables that this reached.
        self._vain: dict[Statement, tuple[int, frozenset[int]]] = {}

    def causes(self, cause: int, effect: int) -> bool | None:
        """Tell whether one variable is a cause of another; None where that is not known."""
        if Statement(cause, effect, True) in self._grounds:
            return True
        return False if Statement(cause, effect, False) in self._grounds else None

    def is_stated(self, statement: Statement) -> bool:
        """Tell whether a statement is made."""
        return statement in self._grounds

    def ground(self, statement: Statement) -> Ground:
        """Return why a statement is made."""
        return self._grounds[statement]

    def questions(self, statement: Statement) -> tuple[Question, ...]:
        """Return the tests that a statement rests on, its own first."""
        return tuple(
            dict.fromkeys(each for found in self.findings_behind(statement) for each in found.questions)
        )

    def findings_behind(self, *statements: Statement) -> list[Finding]:
        """Return the findings that statements rest on, the nearest first."""
        found: dict[Finding, None] = {}
        waiting, met = list(statements), set(statements)
        for statement in waiting:
            ground = self._grounds[statement]
            found.update(dict.fromkeys(ground.findings))
            waiting += [each for each in ground.premises if each not in met]
            met.update(ground.premises)
        return list(found)

    def add(self, finding: Finding) -> None:
        """Take up a finding and all that follows from it.

        Raises
        ------
        Contradiction
            When it contradicts what is known; nothing is then changed.
        """
        begin = len(self._trail)
        try:
            if len(finding.statements) == 1:
                ground = Ground(finding.because, finding.others, (finding,), ())
                self._conclude([(finding.statements[0], ground)])
            else:
                for each in finding.statements:
                    self._choices.setdefault(each.pair, []).append(finding)
                left = self._left_over(finding)
                self._conclude([left] if left else [])
        except Contradiction:
            if len(finding.statements) > 1:
                for each in finding.statements:
                    self._choices[each.pair].remove(finding)
            self._undo(begin)
            raise

    def state(self, finding: Finding) -> None:
        """Take up a finding of one statement about which nothing is known, and nothing that follows."""
        (statement,) = finding.statements
        self._note(statement, Ground(finding.because, finding.others, (finding,), ()))

    def refute(self, pairs: Iterable[Pair]) -> None:
        """Find out of pairs that are open which answer would contradict the rest, until nothing is new."""
        asked = list(pairs)
        in_vain = 0
        self._vain.clear()
        for pair in cycle(asked):
            for holds in (True, False):
                if self.causes(*pair) is None and self._refuted(Statement(*pair, holds)):
                    in_vain = -1
            in_vain += 1
            if in_vain == len(asked):
                return

    def _is_vain(self, assumed: Statement) -> bool:
        """Tell whether supposing a statement would go as it went before, when nothing contradicted it.

        Whatever is looked up on the way speaks of a variable that was reached.
        """
        if assumed not in self._vain:
            return False
        since, reached = self._vain[assumed]
        return all(reached.isdisjoint(each.pair) for each in self._trail[since:])

    def _refuted(self, assumed: Statement) -> bool:
        """Tell whether a statement contradicts the rest, and state its denial if so."""
        if self._is_vain(assumed):
            return False
        begin = len(self._trail)
        nothing = Ground(Because.NO_CYCLE_OR_COLLIDER, (), (), ())
        try:
            self._conclude([(assumed, nothing)], _MOST_SUPPOSED)
        except Contradiction as found:
            ground = self._ground_of_refutation(assumed, found, begin)
            self._undo(begin)
            try:
                self._conclude([(assumed.denial, ground)])
            except Contradiction:
                # Findings that contradict each other say nothing.
                self._undo(begin)
                return False
            return True
        reached = frozenset(variable for each in self._trail[begin:] for variable in each.pair)
        self._vain[assumed] = begin, reached
        self._undo(begin)
        return False

    def _ground_of_refutation(self, assumed: Statement, found: Contradiction, begin: int) -> Ground:
        """Collect what was known before, and led to the contradiction."""
        made = set(self._trail[begin:])
        findings: dict[Finding, None] = {}
        premises: dict[Statement, None] = {}
        waiting, met = list(found.grounds), set()
        for ground in waiting:
            findings.update(dict.fromkeys(ground.findings))
            for each in ground.premises:
                if each in met:
                    continue
                met.add(each)
                if each not in made:
                    premises[each] = None
                elif each != assumed:
                    waiting.append(self._grounds[each])
        through = {
            variable
            for each in (*premises, *(s for f in findings for s in f.statements))
            for variable in each.pair
        }
        others = tuple(sorted(through - set(assumed.pair)))
        return Ground(Because.NO_CYCLE_OR_COLLIDER, others, tuple(findings), tuple(premises))

    def _conclude(self, begin: Sequence[_Reason], limit: float = math.inf) -> None:
        """State all that follows, the nearest first; no more than so many statements."""
        waiting = deque(begin)
        met = {statement for statement, _ in begin}
        made = len(self._trail)
        while waiting and len(self._trail) - made < limit:
            statement, ground = waiting.popleft()
            if statement in self._grounds:
                continue
            if statement.denial in self._grounds:
                raise Contradiction(statement, ground, self._grounds[statement.denial])
            self._note(statement, ground)
            if len(met) >= limit:
                # What waits is enough: each of them is stated, or contradicts the rest.
                continue
            for reason in self._reasons_from(statement):
                if reason[0] not in met:
                    met.add(reason[0])
                    waiting.append(reason)

    def _reasons_from(self, statement: Statement) -> Iterator[_Reason]:
        """Return what follows from a statement and all others, and is not stated yet, with its ground."""
        for new, premises, through in self._consequences(statement):
            yield new, Ground(Because.NO_CYCLE, through, (), premises)
        if not statement.holds:
            for finding in self._choices.get(statement.pair, ()):
                left = self._left_over(finding)
                if left:
                    yield left

    def _note(self, statement: Statement, ground: Ground) -> None:
        self._grounds[statement] = ground
        self._trail.append(statement)
        effects, causes = (
            (self._effects, self._causes) if statement.holds else (self._no_effects, self._no_causes)
        )
        effects.setdefault(statement.cause, set()).add(statement.effect)
        causes.setdefault(statement.effect, set()).add(statement.cause)

    def _undo(self, begin: int) -> None:
        """Forget what was stated since."""
        for statement in self._trail[begin:]:
            del self._grounds[statement]
            effects, causes = (
                (self._effects, self._causes) if statement.holds else (self._no_effects, self._no_causes)
            )
            effects[statement.cause].discard(statement.effect)
            causes[statement.effect].discard(statement.cause)
        del self._trail[begin:]

    def _consequences(self, statement: Statement) -> Iterator[_Consequence]:
        """Return what is new and follows from a statement and others, with these and what they share.

        This is asked so often that a statement is made only once it is known to be new.
        """
        a, b, holds = statement
        effects, causes, no_effects, no_causes = (
            self._effects,
            self._causes,
            self._no_effects,
            self._no_causes,
        )
        if not holds:
            known = no_causes.get(b, _NOTHING)
            for c in effects.get(a, _NOTHING):
                if c != b and c not in known:
                    yield Statement(c, b, False), (Statement(a, c, True), statement), (a,)
            known = no_effects.get(a, _NOTHING)
            for c in causes.get(b, _NOTHING):
                if c != a and c not in known:
                    yield Statement(a, c, False), (Statement(c, b, True), statement), (b,)
            return
        if a not in no_effects.get(b, _NOTHING):
            yield Statement(b, a, False), (statement,), ()
        known = effects.get(a, _NOTHING)
        for c in effects.get(b, _NOTHING):
            if c not in known:
                yield Statement(a, c, True), (statement, Statement(b, c, True)), (b,)
        known = causes.get(b, _NOTHING)
        for c in causes.get(a, _NOTHING):
            if c not in known:
                yield Statement(c, b, True), (Statement(c, a, True), statement), (a,)
        known = no_effects.get(b, _NOTHING)
        for c in no_effects.get(a, _NOTHING):
            if c not in known:
                yield Statement(b, c, False), (statement, Statement(a, c, False)), (a,)
        known = no_causes.get(a, _NOTHING)
        for c in no_causes.get(b, _NOTHING):
            if c not in known:
                yield Statement(c, a, False), (statement, Statement(c, b, False)), (b,)

    def _left_over(self, finding: Finding) -> _Reason | None:
        """Return the statement of a finding that must hold, as no other does; None where there is none."""
        statements, grounds = finding.statements, self._grounds
        possible: Statement | None = None
        for each in statements:
            if each in grounds:
                return None
            if each.effect in self._no_effects.get(each.cause, _NOTHING):
                continue
            if possible is not None:
                return None
            possible = each
        if possible is None:
            # None is possible: say one of them all the same, so that the contradiction is found.
            denied = tuple(each.denial for each in statements[1:])
            return statements[0], Ground(finding.because, (), (finding,), denied)
        denied = tuple(each.denial for each in statements if each != possible)
        others = tuple(dict.fromkeys(each.effect for each in denied))
        return possible, Ground(finding.because, others, (finding,), denied)
