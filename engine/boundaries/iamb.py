"""The IAMB family: sets of members that grow by what depends on the target given them, and shrink again.

These searches hold all members fixed at once, whatever the conditioning size in the settings, and so need
rows in plenty. Every phase of growth is a family of tests for the control of false discoveries, as proposed
by Peña (2008), Learning Gaussian graphical models of gene networks with false discovery rate control,
EvoBIO 2008, LNCS 4973:165-176.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from engine.boundaries.options import KiambOptions, PairOptions
from engine.boundaries.ranking import strongest_first
from engine.boundaries.search import SearchTask, UndividedSearch
from engine.independence.batch import ask, ask_joint
from engine.independence.false_discovery import discoveries


class Growth:
    """The members of a boundary in the making."""

    def __init__(self, task: SearchTask) -> None:
        self._task = task
        self._tests = 0
        self.members: list[int] = []

    def dependent(self) -> np.ndarray:
        """Return the others that depend on the target given the members, strongest in the table first."""
        return self._dependent()[0]

    def strongest_dependent(self) -> np.ndarray:
        """Return the others that depend on the target given the members, the strongest given them first."""
        others, log_p, statistic = self._dependent()
        in_order: np.ndarray = others[strongest_first(log_p, statistic, others)]
        return in_order

    def strongest_pair(self, among: int) -> tuple[int, int] | None:
        """Return the two of the `among` strongest that together depend most on the target, if any do."""
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
        positions = np.flatnonzero(significant)
        order = strongest_first(log_p[positions], answers.statistic[positions], positions)
        return pairs[int(positions[order[0]])]

    def shrink(self) -> None:
        """Take out, one after another, each member that is independent of the target given the others."""
        for member in tuple(self.members):
            rest = tuple(kept for kept in self.members if kept != member)
            answers = ask(self._task.data, [(self._task.target, member, rest)], self._task.stop)
            self._tests += 1
            if self._task.stop[0]:
                return
            if answers.independent[0]:
                self.members.remove(member)

    def result(self) -> UndividedSearch:
        """Return what was found."""
        return UndividedSearch(tuple(self.members), self._tests)

    def _dependent(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the dependent others with log p and statistic."""
        task = self._task
        others = task.everyone[~np.isin(task.everyone, self.members)]
        answers = task.data.ask_given(task.target, others, [tuple(self.members)], task.stop)
        self._tests += len(others)
        significant = answers.dependent & answers.reliable & (not task.stop[0])
        log_p = np.where(answers.reliable, answers.log_p, 0.0)
        significant &= discoveries(log_p, task.alpha, task.false_discovery)
        return others[significant], log_p[significant], answers.statistic[significant]


def iamb(task: SearchTask) -> UndividedSearch:
    """Run IAMB: add the strongest given the members, then retest (Tsamardinos et al. 2003, Figure 2)."""
    growth = Growth(task)
    while (dependent := growth.strongest_dependent()).size:
        growth.members.append(int(dependent[0]))
    growth.shrink()
    return growth.result()


def inter_iamb(task: SearchTask) -> UndividedSearch:
    """Run Inter-IAMB: as IAMB, but members are retested after each growth (Tsamardinos et al. 2003).

    Errors of tests can make two variables replace each other for ever: a repeated set of members ends the
    search.
    """
    growth = Growth(task)
    seen: set[frozenset[int]] = set()
    while frozenset(growth.members) not in seen:
        seen.add(frozenset(growth.members))
        dependent = growth.strongest_dependent()
        if dependent.size:
            growth.members.append(int(dependent[0]))
            growth.shrink()
    return growth.result()


_ROWS_PER_CELL = 5.0


def fast_iamb(task: SearchTask) -> UndividedSearch:
    """Run Fast-IAMB: add as many as the rows bear, then retest (Yaramakala and Margaritis 2005).

    Variables come in, strongest first, while the table of target, next variable and members has five rows a
    cell on average.
    """
    growth = Growth(task)
    seen: set[frozenset[int]] = set()
    while frozenset(growth.members) not in seen:
        seen.add(frozenset(growth.members))
        entered = False
        for variable in growth.strongest_dependent():
            if not _bears(task, growth.members, int(variable)):
                break
            growth.members.append(int(variable))
            entered = True
        if entered:
            growth.shrink()
    return growth.result()


def _bears(task: SearchTask, members: list[int], variable: int) -> bool:
    """Tell whether the rows suffice to test a variable given the members; always so without categories."""
    levels = getattr(task.data.table, "levels", None)
    if levels is None:
        return True
    cells = 1.0
    for position in (task.target, variable, *members):
        cells *= float(levels[position])
    return task.data.observations >= _ROWS_PER_CELL * cells


def grow_shrink(task: SearchTask) -> UndividedSearch:
    """Run Grow-Shrink: add all that depends on the target, then retest (Margaritis, Thrun 1999, Fig. 2)."""
    growth = Growth(task)
    while (dependent := growth.dependent()).size:
        growth.members.append(int(dependent[0]))
    growth.shrink()
    return growth.result()


def kiamb(task: SearchTask) -> UndividedSearch:
    """Run KIAMB: as IAMB, but add the strongest of a random share (Peña et al. 2007, Table 3)."""
    options = task.options or KiambOptions()
    # The target belongs to the seed, so that searches of several targets draw independently.
    source = np.random.default_rng((options.seed, task.target))
    growth = Growth(task)
    while (dependent := growth.strongest_dependent()).size:
        count = max(1, int(dependent.size * options.share))
        # Strongest first, so that the smallest of the places drawn is the strongest variable drawn.
        drawn = source.choice(dependent.size, count, replace=False)
        growth.members.append(int(dependent[drawn.min()]))
    growth.shrink()
    return growth.result()


def iamb_with_pairs(task: SearchTask) -> UndividedSearch:
    """Run IAMB and go on with pairs where no single variable is left: the single search within WLCMB.

    Two variables that act only in combination mask each other (Liu and Liu 2016, of which only the abstract
    is known). Assumed here: the search resumes with the pair that depends most on the target.
    """
    options = task.options or PairOptions()
    growth = Growth(task)
    pair: tuple[int, ...] | None = ()
    while pair is not None:
        growth.members.extend(pair)
        while (dependent := growth.strongest_dependent()).size:
            growth.members.append(int(dependent[0]))
        pair = growth.strongest_pair(options.among)
    growth.shrink()
    return growth.result()
