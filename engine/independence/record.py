"""One conditional-independence test and its outcome, by name, as people and files see it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.independence.batch import Question, ask
from engine.independence.data import TestData


@dataclass(frozen=True, slots=True)
class TestRecord:
    """One conditional-independence test of `x` and `y` given `given`.

    Attributes
    ----------
    x, y : str
        Names of the tested variables (several joined as one are separated by ``" + "``).
    given : tuple of str
        Conditioning set, in column order.
    statistic : float
        G², X² or z.
    dof : float
        Degrees of freedom; 0 for Fisher's z.
    p_value : float
        Between 0 and 1; may underflow to 0, `log_p` does not.
    log_p : float
        Natural logarithm of the p-value.
    effect : float
        Strength between 0 and 1: sqrt(1 - exp(-2 I)) with I the (conditional) mutual information
        in nats, which for Fisher's z is the absolute partial correlation (Linfoot 1957, An
        informational measure of correlation, Information and Control 1:85-89).
    rows : int
        Rows that the test rests on.
    reliable : bool
        Whether the reliability rule lets it count as evidence of independence.
    """

    __test__ = False

    x: str
    y: str
    given: tuple[str, ...]
    statistic: float
    dof: float
    p_value: float
    log_p: float
    effect: float
    rows: int
    reliable: bool = True


def make_records(
    data: TestData, questions: Sequence[Question], test: str, stop: np.ndarray
) -> list[TestRecord]:
    """Make tests and keep everything that is known of each.

    Parameters
    ----------
    data : TestData
        What is tested.
    questions : sequence of (x, y, given)
        Positions of two variables and of the conditioning set.
    test : str
        Name of the test, a key of ``engine.ci_tests()``.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the records are then unfinished and must not be used.

    Returns
    -------
    list of TestRecord
    """
    answers = ask(data, questions, stop)
    return [
        TestRecord(
            x=data.names[x],
            y=data.names[y],
            given=tuple(data.names[each] for each in sorted(given)),
            statistic=float(answers.statistic[place]),
            dof=float(answers.dof[place]),
            p_value=math.exp(answers.log_p[place]),
            log_p=float(answers.log_p[place]),
            effect=effect_size(float(answers.statistic[place]), data.rows, len(given), test),
            rows=data.rows,
            reliable=bool(answers.reliable[place]),
        )
        for place, (x, y, given) in enumerate(questions)
    ]


def effect_size(statistic: float, rows: int, given: int, test: str) -> float:
    """Strength of an association between 0 and 1, comparable between tests (Linfoot 1957).

    Examples
    --------
    >>> round(effect_size(100.0, 1000, 0, "g2"), 3)
    0.308
    """
    if test == "fisher-z":
        return math.tanh(abs(statistic) / math.sqrt(max(rows - given - 3, 1)))
    return math.sqrt(-math.expm1(-max(statistic, 0.0) / rows))
