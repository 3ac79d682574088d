"""Links through other labels: which labels explain a link that is seen only where they are left out.

A label's Markov boundary holds other labels, and they explain causes away that act through them: given
recurrence, treatment tells nothing of death. By the paper's definition treatment is then no causal variable
of death. Whoever asks what acts on several outcomes, directly or through one another, asks for another
boundary: that among the features alone, the other labels marginalised. CLCD looks for it by the same steps
(:meth:`engine.discovery.clcd.LabelSearch.find_among_features`), and joins what is linked to labels that are
linked to each other (:mod:`engine.discovery.indirect_links`). A feature of the second boundary that is not
in the first is linked through other labels, a spouse given the effects that it shares with the label. Here
the smallest set of labels that separates it from the label is found, together with other members of the
label's boundary where it takes any.

The truth that this aims at is d-separation in a graph of which the other labels are unobserved nodes
(Richardson and Spirtes 2002, Ancestral graph Markov models, Annals of Statistics 30:962-1030).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import numpy as np

from engine.boundaries.neighbourhoods import Indices, Neighbourhoods
from engine.discovery.label_findings import LabelFindings
from engine.independence.batch import Question, ask

# Of the other members of a boundary so many, the nearest first, are conditioned on beside labels.
_MOST_MEMBERS = 12
_SETS_AT_ONCE = 512
# Labels that share an unmeasured cause nearly separate a feature: the whole boundary has to do it clearly.
_PLAIN_LEVEL = 0.05
# Larger sets only where the rows bear them.
_ALWAYS_TRIED = 2


class SeparatingLabels:
    """Finds the labels that separate features from one label.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    findings : LabelFindings
        What was found around the label among all variables.
    labels : sequence of int
        Positions of all labels.
    """

    def __init__(self, search: Neighbourhoods, findings: LabelFindings, labels: Sequence[int]) -> None:
        self._search = search
        self._label = findings.neighbourhood.target
        boundary = (*findings.neighbourhood.members, *dict.fromkeys(link.spouse for link in findings.links))
        others = frozenset(labels) - {self._label}
        self._findings = findings
        self._others = others
        self._labels = tuple(each for each in dict.fromkeys(boundary) if each in others)
        self._members = tuple(each for each in dict.fromkeys(boundary) if each not in others)
        self._level = max(math.log(_PLAIN_LEVEL), math.log(search.settings.alpha))
        self.tests = 0

    def smallest_set(self, feature: int, effects: Indices = (), fewest_labels: int = 0) -> Indices | None:
        """Return the smallest set that separates a feature from the label; None without one.

        Smallest is the number of labels, none of them first, then that of other members; of several such sets
        the one with the largest p-value is taken. No set with labels is one where the whole boundary of the
        label does not separate the two: then labels share more than they explain.

        Parameters
        ----------
        feature : int
            The feature.
        effects : tuple of int
            Shared effects given which the two are associated: they are in every set.
        fewest_labels : int
            The fewest labels of a set.

        Raises
        ------
        Cancelled
            When the run was stopped.
        """
        recorded = self._findings.neighbourhood.separator(feature)
        labels = tuple(dict.fromkeys((*self._labels, *(each for each in recorded if each in self._others))))
        members = tuple(each for each in self._members if each not in (feature, *effects))[:_MOST_MEMBERS]
        most = self._search.settings.max_conditioning - len(effects)
        for label_count in range(fewest_labels, min(most, len(labels)) + 1):
            if label_count == max(fewest_labels, 1) and not self._is_explained(feature):
                return None
            # With nothing else conditioned on the two are associated.
            fewest = 0 if label_count else 1
            for member_count in range(fewest, min(most - label_count, len(members)) + 1):
                found = self._best_of(
                    feature, self._sets(feature, effects, labels, members, label_count, member_count)
                )
                if found is not None:
                    return found
        return None

    def _is_explained(self, feature: int) -> bool:
        """Tell whether the whole boundary separates the two as well, as far as the rows bear such a test."""
        whole = tuple(each for each in (*self._labels, *self._members[:_MOST_MEMBERS]) if each != feature)
        has_strata = (self._search.data.strata[list(whole)] > 1).any()
        if has_strata and not self._is_borne(feature, whole):
            return True
        answers = ask(self._search.data, [(self._label, feature, whole)], self._search.stop)
        self._search.check_stop()
        self.tests += 1
        return bool(answers.log_p[0] > self._level or not answers.reliable[0])

    def _best_of(self, feature: int, sets: Iterator[Indices]) -> Indices | None:
        best: tuple[float, Indices] | None = None
        while some := list(islice(sets, _SETS_AT_ONCE)):
            questions: list[Question] = [(self._label, feature, given) for given in some]
            answers = ask(self._search.data, questions, self._search.stop)
            self._search.check_stop()
            self.tests += len(questions)
            for position in np.flatnonzero(answers.independent & answers.reliable).tolist():
                log_p = float(answers.log_p[position])
                if best is None or log_p > best[0]:
                    best = log_p, some[position]
        return None if best is None else best[1]

    def _sets(
        self,
        feature: int,
        effects: Indices,
        labels: Indices,
        members: Indices,
        label_count: int,
        member_count: int,
    ) -> Iterator[Indices]:
        for some_labels in combinations(labels, label_count):
            for some_members in combinations(members, member_count):
                given = (*effects, *some_labels, *some_members)
                if len(given) <= _ALWAYS_TRIED or self._is_borne(feature, given):
                    yield given

    def _is_borne(self, feature: int, given: Indices) -> bool:
        """Tell whether the rows bear a test, as in the search for neighbours."""
        return self._search.data.nominal_dof(self._label, feature, given) <= self._search.most_dof
