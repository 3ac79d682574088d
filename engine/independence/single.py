"""One conditional-independence test, asked for by name, and its record as people and files see it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.independence.arranging import make_test_data

if TYPE_CHECKING:
    from engine.independence.batch import JointQuestion
    from engine.independence.data import TestData
    from engine.table.dataset import Dataset


def ci_test(
    test: str,
    dataset: Dataset,
    x: str,
    y: str,
    given: Sequence[str] = (),
    **options: Any,
) -> TestRecord:
    """Test whether two variables are independent given others.

    Parameters
    ----------
    test : str
        A name of ``engine.ci_tests()``.
    dataset : Dataset
        A prepared table: columns of the kind that the test works on. Rows that miss a value of one of the
        variables are left out; a weight column counts.
    x, y : str
        The tested variables.
    given : sequence of str
        The conditioning set; may be empty.
    **options
        What the settings of a discovery say of tests, by the same names: ``dof``, ``min_rows_per_dof``,
        ``min_rows_per_cell``, ``row_weights``, ``permutations``, ``permutation_seed``.

    Returns
    -------
    TestRecord
        With ``statistic``, ``dof``, ``p_value``, ``log_p``, ``effect``, ``reliable``.

    Raises
    ------
    InvalidParameter
        When the test, a variable or an option is unknown, or variables repeat.
    InvalidData
        When a column does not suit the test, or is no label or feature.

    Examples
    --------
    >>> import pandas, engine
    >>> frame = pandas.DataFrame({"a": [0, 0, 1, 1] * 25, "b": [0, 0, 0, 1] * 25})
    >>> outcome = ci_test("g2", engine.Dataset.from_frame(frame), "a", "b")
    >>> round(outcome.statistic, 4), outcome.dof
    (43.1523, 1.0)
    """
    from engine.independence.single import make_records

    names = (x, y, *given)
    if len(set(names)) < len(names):
        raise InvalidParameter("a variable is named twice.", remedy="Name each variable once.")
    # In column order, so that x and y are one another's equals.
    beside = [each for each in (dataset.weight, dataset.groups) if each is not None and each not in names]
    data = make_test_data(
        dataset.select_variables((*sorted(names, key=dataset.index), *beside)),
        test,
        **options,
    )
    for name in names:
        if name not in data.positions:
            raise InvalidData(
                "it takes no part.", place=f"column '{name}'", remedy="Make it a label or a feature."
            )
    first, second, *others = (data.positions[name] for name in names)
    question = (first, (second,), tuple(sorted(others)))
    (record,) = make_records(data, [question], np.zeros(1, dtype=np.uint8))
    return record


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
        G², X², LR or z.
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
        Rows that the test rests on: all, or those that are complete in its variables. Rows with weights
        count as one here.
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


def make_records(data: TestData, questions: Sequence[JointQuestion], stop: np.ndarray) -> list[TestRecord]:
    """Make tests and keep everything that is known of each.

    Parameters
    ----------
    data : TestData
        What is tested.
    questions : sequence of (x, others, given)
        Position of a variable, positions of those it is tested against at once, and of the
        conditioning set.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the records are then unfinished and must not be used.

    Returns
    -------
    list of TestRecord
    """
    # Imported late: it brings the compiler along, and whoever only reads a record needs none.
    from engine.independence.batch import ask_joint

    answers = ask_joint(data, questions, stop)
    return [
        TestRecord(
            x=data.names[x],
            y=" + ".join(data.names[each] for each in others),
            given=tuple(data.names[each] for each in sorted(given)),
            statistic=float(answers.statistic[place]),
            dof=float(answers.dof[place]),
            p_value=math.exp(answers.log_p[place]),
            log_p=float(answers.log_p[place]),
            effect=data.effect(float(answers.statistic[place]), (x, *others), given),
            rows=data.rows_of((x, *others, *given)),
            reliable=bool(answers.reliable[place]),
        )
        for place, (x, others, given) in enumerate(questions)
    ]
