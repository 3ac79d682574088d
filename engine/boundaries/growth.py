"""Growing and shrinking one set of members: the steps from which the IAMB family is made.

These searches hold all members fixed at once, whatever the conditioning size in the settings, and so need
rows in plenty. Every phase of growth is a family of tests for the control of false discoveries, as proposed
by Peña (2008), Learning Gaussian graphical models of gene networks with false discovery rate control,
EvoBIO 2008, LNCS 4973:165-176.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from engine.boundaries.search import SearchTask, UndividedSearch
from engine.false_discovery import discoveries
from engine.independence.batch import ask
from engine.independence.joint import ask_joint


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

    def strongest_pair(self, among: int) -> tuple[int, int] | None:
        """Give the two others that together depend most on the target given the members, if any two do.

        Parameters
        ----------
        among : int
            How many of the others, those most strongly associated in the table first, are paired.
        """
        task = self._task
        others = task.everyone[~np.isin(task.everyone, self.members)][:among].tolist()
        pairs = list(combinations(others, 2))
        if not pairs:
            return None
        given = tuple(self.members)
        answers = ask_joint(task.data, [(task.target, pair, given) for pair in pairs], task.stop)
        self._tests += 2 * len(pairs)
        log_p = np.where(answers.reliable, answers.log_p, 0.0)
        # Pairs are so many that false ones must be controlled for, whatever the settings say.
        significant = answers.dependent & answers.reliable & discoveries(log_p, task.alpha, "bh")
        if task.stop[0] or not significant.any():
            return None
        places = np.flatnonzero(significant)
        order = np.lexsort((places, -np.abs(answers.statistic[places]), log_p[places]))
        return pairs[int(places[order[0]])]

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
        answers = task.data.ask_given(task.target, others, given, task.stop)
        self._tests += len(others)
        significant = answers.dependent & answers.reliable & (not task.stop[0])
        log_p = np.where(answers.reliable, answers.log_p, 0.0)
        significant &= discoveries(log_p, task.alpha, task.false_discovery)
        return others[significant], log_p[significant], answers.statistic[significant]
