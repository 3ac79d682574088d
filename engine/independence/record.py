"""One conditional-independence test and its outcome, by name, as people and files see it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from engine.independence.batch import JointQuestion
    from engine.independence.data import TestData

_BETWEEN = " + "
_PLUS_IN_NAME = re.compile(r"(?:(?<= )|^)(\\*)\+(?= |$)")
_ESCAPED_PLUS = re.compile(r"(?:(?<= )|^)(\\*)\\\+(?= |$)")


@dataclass(frozen=True, slots=True)
class TestRecord:
    """One conditional-independence test of `x` and `others` given `given`."""

    __test__ = False

    x: str
    others: tuple[str, ...]  # those it is tested against at once; usually one
    given: tuple[str, ...]  # conditioning set, in column order
    statistic: float  # G², X², LR or z
    dof: float  # 0 for Fisher's z
    p_value: float  # may underflow to 0; `log_p` does not
    log_p: float
    # Strength between 0 and 1: sqrt(1 - exp(-2 I)) with I the (conditional) mutual information in nats, which
    # for Fisher's z is the absolute partial correlation (Linfoot 1957, An informational measure of
    # correlation, Information and Control 1:85-89).
    effect: float
    # Rows that are complete in its variables. A row that stands for several equal ones counts as these; with
    # sampling weights each counts as one.
    rows: int
    reliable: bool = True  # the reliability rule lets it count as evidence of independence
    # Share of the variance of what is tested that is between tables which multiple imputation completed: what
    # missing values take away. Of a joint test the largest of its parts.
    between_share: float = 0.0

    @property
    def y(self) -> str:
        """The others as one text, as files write it; see :func:`joined_names`."""
        return joined_names(self.others)


def joined_names(names: Sequence[str]) -> str:
    r"""Write the names of variables that are tested as one.

    A plus that stands by itself within a name is written ``\+``, after twice the backslashes that stand
    before it, so that no two lists of names have the same text.

    >>> joined_names(["sleep", "pain"])
    'sleep + pain'
    >>> print(joined_names(["C + D", "pain"]))
    C \+ D + pain
    """
    return _BETWEEN.join(_PLUS_IN_NAME.sub(r"\1\1\\+", name) for name in names)


def names_joined(text: str) -> tuple[str, ...]:
    r"""Read what :func:`joined_names` wrote."""
    return tuple(_ESCAPED_PLUS.sub(_without_escape, name) for name in text.split(_BETWEEN))


def _without_escape(match: re.Match[str]) -> str:
    return "\\" * (len(match[1]) // 2) + "+"


def make_records(data: TestData, questions: Sequence[JointQuestion], stop: np.ndarray) -> list[TestRecord]:
    """Make tests of a variable against one or several and keep all that is known; `stop` as of `ask_rows`."""
    # Imported late: it brings the compiler along, and whoever only reads a record needs none.
    from engine.independence.batch import ask_joint

    answers = ask_joint(data, questions, stop)
    outcomes = (answers.statistic, answers.dof, answers.log_p, answers.reliable)
    return [
        TestRecord(
            x=data.names[x],
            others=tuple([data.names[position] for position in others]),
            given=tuple([data.names[position] for position in sorted(given)]),
            statistic=statistic,
            dof=dof,
            p_value=math.exp(log_p),
            log_p=log_p,
            effect=data.effect(statistic, (x, *others), given),
            rows=data.rows_of((x, *others, *given)),
            reliable=reliable,
            between_share=data.between_share(x, others, given),
        )
        for (x, others, given), statistic, dof, log_p, reliable in zip(
            questions, *(outcome.tolist() for outcome in outcomes), strict=True
        )
    ]
