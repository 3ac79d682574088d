"""Tests of a target that hold a set fixed as it is, counted: for searches that alternate between neighbours
and spouses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine.boundaries.search import SearchTask
from engine.false_discovery import discoveries
from engine.independence.answers import Answers
from engine.independence.batch import Question, ask

Set = tuple[int, ...]


class SetTests:
    """Tests of variables with the target of a task.

    Parameters
    ----------
    task : SearchTask
        Target, data, level.

    Attributes
    ----------
    tests, unreliable : int
        Tests made so far, and those among them that the reliability rule set aside.
    """

    def __init__(self, task: SearchTask) -> None:
        self._task = task
        self.tests = 0
        self.unreliable = 0

    def first_separating(self, variable: int, sets: Sequence[Set]) -> Set | None:
        """Give the first of some sets given which a variable is independent of the target."""
        answers = self._ask([(self._task.target, variable, given) for given in sets])
        places = np.flatnonzero(answers.independent)
        return sets[int(places[0])] if places.size and not self._task.stop[0] else None

    def connected(self, child: int, others: Sequence[int], separator: Callable[[int], Set]) -> list[int]:
        """Give the variables that a child connects with the target, the most strongly connected first.

        Parameters
        ----------
        child : int
            A possible child of the target.
        others : sequence of int
            Variables that some set separates from the target.
        separator : callable
            Gives that set; those in which the child is itself are passed over.
        """
        questions: list[Question] = []
        for other in others:
            given = separator(other)
            if child not in given:
                questions.append((self._task.target, other, (*given, child)))
        answers = self._ask(questions)
        if self._task.stop[0]:
            return []
        log_p = np.where(answers.reliable, answers.log_p, 0.0)
        significant = answers.dependent & answers.reliable
        significant &= discoveries(log_p, self._task.alpha, self._task.false_discovery)
        places = np.flatnonzero(significant)
        order = np.lexsort((places, -np.abs(answers.statistic[places]), log_p[places]))
        return [questions[int(place)][1] for place in places[order]]

    def _ask(self, questions: list[Question]) -> Answers:
        answers = ask(self._task.data, questions, self._task.stop)
        self.tests += len(questions)
        self.unreliable += int((~answers.reliable).sum())
        return answers
