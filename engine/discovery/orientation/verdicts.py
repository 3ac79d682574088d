"""Is the middle of a triple an effect of both ends, or the way from one to the other?

When two variables are independent given Z and dependent given Z and a third, that third is an ancestor of
neither (Claassen and Heskes 2011, A logical characterization of constraint-based causal discovery, UAI).
So a neighbour of this third, being one end, is its cause, whichever set Z showed it. When on the contrary
all sets with the middle separate the ends, and none without it, the middle is a cause of one of them.

Independence is believed only where it is clear, and no tried set may say the opposite: the conservative
rule of Ramsey, Zhang and Spirtes (2006), Adjacency-faithfulness and conservative causal inference, UAI; see
also Colombo and Maathuis (2014), Order-independent constraint-based causal structure learning, JMLR 15.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.orientation.triple_questions import TripleQuestions
from engine.discovery.orientation.triples import Indices, Triple
from engine.false_discovery import discoveries
from engine.independence.answers import Answers
from engine.independence.batch import Question

# A p-value below this is no clear independence, whatever the level of the search.
_CLEAR = 0.1


@dataclass(frozen=True, slots=True)
class TripleFinding:
    """What a triple shows, with the two tests that show it.

    Attributes
    ----------
    triple : Triple
    independence, dependence : Question
        Of a collider the ends given Z, and given Z and the centre; of a passage the other way round.
    log_p : float
        Logarithm of the p-value of the dependence.
    """

    triple: Triple
    independence: Question
    dependence: Question
    log_p: float


@dataclass(frozen=True)
class TripleFindings:
    """Colliders, whose centre is an effect of both ends, passages, whose centre is not, and the tests."""

    colliders: tuple[TripleFinding, ...]
    passages: tuple[TripleFinding, ...]
    tests: int


def judge(search: Neighbourhoods, triples: dict[Triple, tuple[Indices, ...]]) -> TripleFindings:
    """Test the ends of each triple given each of its sets, without and with the centre.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    triples : dict of Triple to tuple of sets
        See :func:`~engine.discovery.orientation.triples.triples_around`.

    Returns
    -------
    TripleFindings
        Triples about which the sets disagree, or which nothing clear is said of, are in neither list.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    if not triples:
        return TripleFindings((), (), 0)
    questions = TripleQuestions(triples)
    answers = questions.ask(search.data, search.stop)
    search.check_stop()
    verdicts = _Verdicts(questions, answers, search.settings.alpha, search.settings.false_discovery)
    colliders, passages = [], []
    for place, triple in enumerate(triples):
        if verdicts.is_collider[place]:
            colliders += verdicts.surest(place, triple, questions.free, questions.held)
        elif verdicts.is_passage[place]:
            passages += verdicts.surest(place, triple, questions.held, questions.free)
    return TripleFindings(tuple(colliders), tuple(passages), questions.count)


class _Verdicts:
    """What the answers say of each triple."""

    def __init__(self, questions: TripleQuestions, answers: Answers, alpha: float, control: str) -> None:
        self._questions = questions
        self._log_p = answers.log_p
        reliable = answers.reliable
        self._significant = discoveries(np.where(reliable, answers.log_p, 0.0), alpha, control) & reliable
        self._clear = (answers.log_p > math.log(max(_CLEAR, alpha))) & reliable
        apart_without = questions.any_of(self._clear[questions.free])
        apart_with = questions.any_of(self._clear[questions.held])
        self.is_collider = apart_without & ~apart_with
        # What weakly joins two ends is easily taken for nothing once a third variable thins the rows out.
        self.is_passage = apart_with & ~apart_without & ~questions.any_of(answers.dependent[questions.held])

    def surest(
        self, place: int, triple: Triple, independence: np.ndarray, dependence: np.ndarray
    ) -> list[TripleFinding]:
        """Give the finding by the smallest set, and among these by the surest dependence, if any shows it."""
        rows = self._questions.rows_of(place)
        apart, joined = independence[rows], dependence[rows]
        shown = np.flatnonzero(self._clear[apart] & self._significant[joined])
        if shown.size == 0:
            return []
        apart, joined = apart[shown], joined[shown]
        first = np.lexsort((self._log_p[joined], self._questions.sizes[apart]))[0]
        return [
            TripleFinding(
                triple,
                self._questions.question(apart[first]),
                self._questions.question(joined[first]),
                float(self._log_p[joined[first]]),
            )
        ]
