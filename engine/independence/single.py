"""One conditional-independence test, asked for by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.independence.arranging import make_test_data
from engine.independence.ci_tests import chosen_test
from engine.independence.record import TestRecord, make_records
from engine.parameters import require_type
from engine.table.dataset import Dataset
from engine.wording.sentences import MAKE_A_DATASET, MAKE_LABEL_OR_FEATURE

_USUAL_LEVEL = 0.05


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
        The conditioning set; may be empty. One name alone is a name.
    **options
        What the settings of a discovery say of tests, by the same names: ``alpha``, ``degree``, ``dof``,
        ``min_rows_per_dof``, ``min_rows_per_cell``, ``row_weights``, ``permutations``, ``permutation_seed``.

    Returns
    -------
    TestRecord
        With ``statistic``, ``dof``, ``p_value``, ``log_p``, ``effect``, ``reliable``.

    Raises
    ------
    InvalidParameter
        When the test, a variable or an option is unknown, variables repeat, or the table is of another type.
    InvalidData
        When a column does not suit the test, or is no label or feature.

    Examples
    --------
    >>> import pandas, engine
    >>> frame = pandas.DataFrame({"a": [0, 0, 1, 1, 0] * 20, "b": [0, 1, 0, 1, 1] * 20})
    >>> outcome = ci_test("g2", engine.Dataset.from_frame(frame), "a", "b")
    >>> round(outcome.statistic, 4), outcome.dof
    (2.7689, 1.0)
    """
    require_type(dataset, Dataset, "dataset", MAKE_A_DATASET)
    names = (x, y, *((given,) if isinstance(given, str) else given))
    if len(set(names)) < len(names):
        raise InvalidParameter("a variable is named twice.", remedy="Name each variable once.")
    # In column order, so that x and y are one another's equals.
    beside = [each for each in (dataset.weight, dataset.groups) if each is not None and each not in names]
    # What suits the whole table, as in a search, whichever columns are asked about.
    suited = chosen_test(test, dataset).name
    alpha = options.pop("alpha", _USUAL_LEVEL)
    table = dataset.select_variables((*sorted(names, key=dataset.index), *beside))
    data = make_test_data(table, suited, **options).at_level(alpha)
    for name in names:
        if name not in data.positions:
            raise InvalidData("it takes no part.", place=f"column '{name}'", remedy=MAKE_LABEL_OR_FEATURE)
    first, second, *others = (data.positions[name] for name in names)
    question = (first, (second,), tuple(sorted(others)))
    (record,) = make_records(data, [question], np.zeros(1, dtype=np.uint8))
    return record
