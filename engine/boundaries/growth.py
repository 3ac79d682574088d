"""Growing and shrinking one set of members: the steps from which the IAMB family is made.

These searches hold all members fixed at once, whatever the conditioning size in the settings, and so need
rows in plenty. Every phase of growth is a family of tests for the control of false discoveries, as proposed
by Peña (2008), Learning Gaussian graphical models of gene networks with false discovery rate control,
EvoBIO 2008, LNCS 4973:165-176.
"""

from __future__ import annotations

import numpy as np

from engine.boundaries.search import SearchTask, UndividedSearch
from engine.false_discovery import discoveries
from engine.independence.batch import Question, ask


class Growth:
    """The members of a boundary in the making.

    Parameters
    ----------
    task : SearchTask
        Target, level, everyone who may become a member.
    """

    def __init__(self, task: SearchTask) -> None:
        self._task = task
        self._tests = 0
        self.members: list[int] = []

    def dependent(self) -> np.ndarray:
        """Give the others that depend on the target given the members, in the order of the task.

        Returns
        -------
        ndarray of int64
            The most strongly associated in the table comes first; empty after a stop.
        """
        return self._dependent()[0]

    def strongest_dependent(self) -> np.ndarray:
        """Give the others that depend on the target given the members, the strongest given them first."""
        others, log_p, statistic = self._dependent()
        return others[np.lexsort((others, -np.abs(statistic), log_p))]

    def shrink(self) -> None:
        """Take out, one after another, each member that is independent of the target given the others."""
        for member in tuple(self.members):
            rest = tuple(each for each in self.members if each != member)
            answers = ask(self._task.data, [(self._task.target, member, rest)], self._task.stop)
            self._tests += 1
            if self._task.stop[0]:
                return
            if answers.independent[0]:
                self.members.remove(member)

    def result(self) -> UndividedSearch:
        """Give what was found."""
        return UndividedSearch(tuple(self.members), self._tests)

    def _dependent(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Give the dependent others with log p and statistic."""
        task = self._task
        others = task.everyone[~np.isin(task.everyone, self.members)]
        given = tuple(self.members)
        questions: list[Question] = [(task.target, int(other), given) for other in others]
        answers = ask(task.data, questions, task.stop)
        self._tests += len(questions)
        significant = answers.dependent & answers.reliable & (not task.stop[0])
        log_p = np.where(answers.reliable, answers.log_p, 0.0)
        significant &= discoveries(log_p, task.alpha, task.false_discovery)
        return others[significant], log_p[significant], answers.statistic[significant]
