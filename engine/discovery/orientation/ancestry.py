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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, cycle, repeat
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


# A statement as it is made and looked up by the hundred thousand.
_Plain = tuple[int, int, bool]

# Why a statement is made, as far as that is noted: of what follows by a law only from which statement, as few
# of them are ever asked for their ground.
_Origin = Ground | _Plain

# A statement, and why it is made.
_Reason = tuple[_Plain, _Origin]

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
        self._answers: dict[Pair, bool] = {}
        self._origins: dict[Pair, _Origin] = {}
        self._effects: dict[int, set[int]] = {}
        self._causes: dict[int, set[int]] = {}
        self._no_effects: dict[int, set[int]] = {}
        self._no_causes: dict[int, set[int]] = {}
        self._choices: dict[Pair, list[Finding]] = {}
        self._trail: list[Pair] = []
        # What was supposed in vain: how much was stated by then, and the variables that this reached.
        self._vain: dict[_Plain, tuple[int, frozenset[int]]] = {}

    def causes(self, cause: int, effect: int) -> bool | None:
        """Tell whether one variable is a cause of another; None where that is not known."""
        return self._answers.get((cause, effect))

    def effects(self, cause: int) -> frozenset[int] | set[int]:
        """Return all that a variable is known to be a cause of."""
        return self._effects.get(cause, _NOTHING)

    def is_stated(self, statement: Statement) -> bool:
        """Tell whether a statement is made."""
        return self._answers.get(statement.pair) is statement.holds

    def ground(self, statement: Statement) -> Ground:
        """Return why a statement is made."""
        return _ground(statement, self._origins[statement.pair])

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
            ground = self.ground(statement)
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
        # First what says more: that one is a cause also says that the other is none.
        supposed = [Statement(*pair, holds) for holds in (True, False) for pair in asked]
        in_vain = 0
        self._vain.clear()
        for each in cycle(supposed):
            is_new = self.causes(*each.pair) is None and self._refuted(each)
            in_vain = 0 if is_new else in_vain + 1
            if in_vain == len(supposed):
                return

    def _is_vain(self, assumed: Statement) -> bool:
        """Tell whether supposing a statement would go as it went before, when nothing contradicted it.

        Whatever is looked up on the way speaks of a variable that was reached.
        """
        if assumed not in self._vain:
            return False
        since, reached = self._vain[assumed]
        return reached.isdisjoint(chain.from_iterable(self._trail[since:]))

    def _refuted(self, assumed: Statement) -> bool:
        """Tell whether a statement contradicts the rest, and state its denial if so."""
        if self._is_vain(assumed):
            return False
        begin = len(self._trail)
        nothing = Ground(Because.NO_CYCLE_OR_COLLIDER, (), (), ())
        try:
            is_all = self._conclude([(assumed, nothing)], _MOST_SUPPOSED)
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
        made = self._trail[begin:]
        in_vain = begin, frozenset(chain.from_iterable(made))
        # Where that was all, to suppose what followed leads to a part of it.
        for pair in made if is_all else made[:1]:
            self._vain[*pair, self._answers[pair]] = in_vain
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
                if each.pair not in made:
                    premises[each] = None
                elif each != assumed:
                    waiting.append(self.ground(each))
        through = {
            variable
            for each in (*premises, *(s for f in findings for s in f.statements))
            for variable in each.pair
        }
        others = tuple(sorted(through - set(assumed.pair)))
        return Ground(Because.NO_CYCLE_OR_COLLIDER, others, tuple(findings), tuple(premises))

    def _conclude(self, begin: Sequence[_Reason], limit: float = math.inf) -> bool:
        """State all that follows, the nearest first, up to so many statements; tell whether that was all."""
        waiting = deque(begin)
        met = {statement for statement, _ in begin}
        made = len(self._trail)
        while waiting and len(self._trail) - made < limit:
            statement, origin = waiting.popleft()
            cause, effect, holds = statement
            known = self._answers.get((cause, effect))
            if known is not None:
                if known is not holds:
                    denial = Statement(cause, effect, known)
                    raise Contradiction(denial.denial, _ground(statement, origin), self.ground(denial))
                continue
            self._note(statement, origin)
            if len(met) >= limit:
                # What waits is enough: each of them is stated, or contradicts the rest.
                continue
            new = [each for each in self._consequences(statement) if each not in met]
            met.update(new)
            waiting.extend(zip(new, repeat(statement)))
            if not holds:
                for finding in self._choices.get((cause, effect), ()):
                    left = self._left_over(finding)
                    if left and left[0] not in met:
                        met.add(left[0])
                        waiting.append(left)
        return len(met) < limit

    def _note(self, statement: _Plain, origin: _Origin) -> None:
        cause, effect, holds = statement
        self._answers[cause, effect] = holds
        self._origins[cause, effect] = origin
        self._trail.append((cause, effect))
        effects, causes = (self._effects, self._causes) if holds else (self._no_effects, self._no_causes)
        effects.setdefault(cause, set()).add(effect)
        causes.setdefault(effect, set()).add(cause)

    def _undo(self, begin: int) -> None:
        """Forget what was stated since."""
        for pair in self._trail[begin:]:
            cause, effect = pair
            holds = self._answers.pop(pair)
            del self._origins[pair]
            effects, causes = (self._effects, self._causes) if holds else (self._no_effects, self._no_causes)
            effects[cause].discard(effect)
            causes[effect].discard(cause)
        del self._trail[begin:]

    def _consequences(self, statement: _Plain) -> list[_Plain]:
        """Return what follows from a statement and another one, and is not stated yet."""
        a, b, holds = statement
        effects_of, causes_of = self._effects.get, self._causes.get
        no_effects_of, no_causes_of = self._no_effects.get, self._no_causes.get
        if not holds:
            known = no_causes_of(b, _NOTHING)
            found = [(c, b, False) for c in effects_of(a, _NOTHING) if c != b and c not in known]
            known = no_effects_of(a, _NOTHING)
            found += [(a, c, False) for c in causes_of(b, _NOTHING) if c != a and c not in known]
            return found
        found = [] if a in no_effects_of(b, _NOTHING) else [(b, a, False)]
        known = effects_of(a, _NOTHING)
        found += [(a, c, True) for c in effects_of(b, _NOTHING) if c not in known]
        known = causes_of(b, _NOTHING)
        found += [(c, b, True) for c in causes_of(a, _NOTHING) if c not in known]
        known = no_effects_of(b, _NOTHING)
        found += [(b, c, False) for c in no_effects_of(a, _NOTHING) if c not in known]
        known = no_causes_of(a, _NOTHING)
        found += [(c, a, False) for c in no_causes_of(b, _NOTHING) if c not in known]
        return found

    def _left_over(self, finding: Finding) -> _Reason | None:
        """Return the statement of a finding that must hold, as no other does; None where there is none."""
        statements, answers = finding.statements, self._answers
        possible: Statement | None = None
        for each in statements:
            known = answers.get((each.cause, each.effect))
            if known:
                return None
            if known is None:
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


def _ground(statement: _Plain, origin: _Origin) -> Ground:
    """Return why a statement is made, also where only the statement is noted from which it follows by a law.

    The other premise then shares a variable with that one.
    """
    if isinstance(origin, Ground):
        return origin
    premise, (a, b, holds), (cause, effect, _) = Statement(*origin), origin, statement
    if (cause, effect) == (b, a):
        return Ground(Because.NO_CYCLE, (), (), (premise,))
    if cause == a:
        # What b is a cause of, or for a denial what is a cause of b.
        other = Statement(b, effect, True) if holds else Statement(effect, b, True)
        return Ground(Because.NO_CYCLE, (b,), (), (premise, other) if holds else (other, premise))
    if effect == b:
        # What is a cause of a, or for a denial what a is a cause of.
        other = Statement(cause, a, True) if holds else Statement(a, cause, True)
        return Ground(Because.NO_CYCLE, (a,), (), (other, premise))
    if cause == b:
        return Ground(Because.NO_CYCLE, (a,), (), (premise, Statement(a, effect, False)))
    return Ground(Because.NO_CYCLE, (b,), (), (premise, Statement(cause, b, False)))
