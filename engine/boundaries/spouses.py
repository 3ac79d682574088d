"""Spouses: other causes of shared effects, with every effect that connects them.

A candidate lies next to a neighbour of the target but is separated from the target itself; it is a spouse
when adding the neighbour to the separating set makes the two dependent (Aliferis et al. 2010, JMLR
11:171-234; Tsamardinos et al. 2006, Machine Learning 65:31-78). Every connecting child is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.false_discovery import discoveries
from engine.independence.batch import Question, ask


@dataclass(frozen=True, slots=True)
class SpouseLink:
    """A spouse of a target, the child that connects it, and the test that says so."""

    spouse: int
    child: int
    given: tuple[int, ...]


def spouse_links(
    search: Neighbourhoods, neighbourhood: Neighbourhood, children: Iterable[Neighbourhood]
) -> tuple[list[SpouseLink], int]:
    """Find the spouses of a target through given children.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    neighbourhood : Neighbourhood
        Neighbours of the target, with the sets that separated the others.
    children : iterable of Neighbourhood
        Neighbourhoods of the possible children.

    Returns
    -------
    links : list of SpouseLink
    tests : int
        Tests made.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    target = neighbourhood.target
    questions: list[Question] = []
    asked: set[tuple[int, int]] = set()
    for child in children:
        for candidate in child.members:
            if candidate == target or candidate in neighbourhood.member_set:
                continue
            separator = neighbourhood.separator(candidate)
            if child.target not in separator and (candidate, child.target) not in asked:
                asked.add((candidate, child.target))
                questions.append((target, candidate, (*separator, child.target)))
    answers = ask(search.data, questions, search.stop)
    search.check_stop()
    significant = answers.dependent & answers.reliable
    if search.settings.false_discovery != "none":
        significant &= discoveries(answers.log_p, search.settings.alpha, search.settings.false_discovery)
    links = [
        SpouseLink(question[1], question[2][-1], question[2])
        for question, is_spouse in zip(questions, significant, strict=True)
        if is_spouse
    ]
    return links, len(questions)
