"""From a dataset and the options of a test to the data that it works on, or to the test of two variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.independence.ci_tests import CITestDescription, chosen_test, ci_tests
from engine.independence.columns import TestColumns, are_nominal
from engine.independence.copies import copies_among
from engine.independence.data import TestData
from engine.independence.options import TestOptions, traits_of
from engine.independence.record import TestRecord, make_records
from engine.parameters import require_type
from engine.table.dataset import Dataset
from engine.table.row_weights import say_nothing
from engine.table.variable import Kind, Variable, missing_mask
from engine.translation import _
from engine.wording.phrases import plain_listing
from engine.wording.sentences import (
    MAKE_A_DATASET,
    MAKE_LABEL_OR_FEATURE,
    NO_ROWS,
    OPEN_TABLE_WITH_DATA,
    SET_TO_IGNORED,
    choose_one,
)
from engine.wording.setting_names import SettingName, naming_settings


def make_test_data(dataset: Dataset, test: str, *, is_part: bool = False, **options: Any) -> TestData:
    """Arrange a dataset for a test of `engine.ci_tests()`, or ``"auto"``.

    `options` are fields of `TestOptions`; `is_part` says that the rows are part of an arranged table.
    """
    if dataset.row_count == 0:
        raise InvalidData(_(NO_ROWS), remedy=_(OPEN_TABLE_WITH_DATA))
    description = chosen_test(test, dataset)
    dataset, weights = _weighted_rows(dataset)
    if weights is not None and not description.takes_weights:
        raise InvalidData(
            _("{title} cannot use row weights.", title=description.title),
            place=_("column '{weight}'", weight=dataset.weight),
            remedy=_("Choose a test that can, such as G², or set the column to ignored."),
        )
    if dataset.groups is not None and not description.takes_groups:
        raise InvalidData(
            _(
                "{title} treats all rows as independent, but rows of a group are not.",
                title=description.title,
            ),
            place=_("column '{groups}'", groups=dataset.groups),
            remedy=_(
                "Choose a test for grouped rows ({tests_for_groups}), or set the column to ignored.",
                tests_for_groups=_tests_for_groups(),
            ),
        )
    if dataset.imputed is not None and dataset.has_missing and not description.pools:
        raise InvalidData(
            _("{title} cannot pool the tables of multiple imputation.", title=description.title),
            remedy=naming_settings(
                _("Choose a test that can ({tests}), or set {setting}."),
                tests=_tests_that_pool(),
                setting=SettingName("missing", "per-test"),
            ),
        )
    chosen = _options(options)
    if weights is not None and say_nothing(weights, chosen.weights_are_of_a_sample):
        weights = None
    variables = tuple(variable for variable in dataset.variables if variable.role.takes_part)
    columns = TestColumns(
        variables,
        tuple(dataset.column(variable.name) for variable in variables),
        weights,
        dataset.row_groups,
        dataset.coded,
        replace(traits_of(dataset), weighted=weights is not None),
        _drawn(dataset, variables),
        is_part,
    )
    for variable, values in zip(variables, columns.values, strict=True):
        _check(variable, values, dataset.missing_count(variable.name), description)
    arranged: TestData = description.load()(columns, chosen)
    if arranged.complete_codes is not None:
        # There copies are looked for when somebody asks, as many tests are made alone.
        return arranged
    return replace(arranged, copied=copies_among(columns.values, are_nominal(variables)))


def _tests_for_groups() -> str:
    return ", ".join(test.title for test in ci_tests().values() if test.takes_groups) or _("none does yet")


def _tests_that_pool() -> str:
    return plain_listing([test.title for test in ci_tests().values() if test.pools])


def _drawn(dataset: Dataset, variables: Sequence[Variable]) -> tuple[np.ndarray | None, ...] | None:
    imputed = dataset.imputed
    if imputed is None or not dataset.has_missing:
        return None
    return tuple(imputed.values.get(variable.name) for variable in variables)


def _options(given: dict[str, Any]) -> TestOptions:
    option_names = [field.name for field in fields(TestOptions)]
    for name in given:
        if name not in option_names:
            raise InvalidParameter(
                _("tests have no such option."),
                place=_("option '{name}'", name=name),
                remedy=choose_one(["alpha", *option_names]),
            )
    return TestOptions(**given)


def _weighted_rows(dataset: Dataset) -> tuple[Dataset, np.ndarray | None]:
    """Return the rows that stand for anything, and their weights; None when rows have none."""
    weights = dataset.row_weights
    if weights is None or (weights > 0.0).all():
        return dataset, weights
    return dataset.select_rows(weights > 0.0), weights[weights > 0.0]


def _check(variable: Variable, column: np.ndarray, missing: int, wanted: CITestDescription) -> None:
    place = _("column '{name}'", name=variable.name)
    if missing and not wanted.takes_missing:
        raise InvalidData(
            _(
                "{missing:,} values are missing, but {title} needs complete data.",
                missing=missing,
                title=wanted.title,
            ),
            place=place,
            remedy=_("In the preparation, leave out rows with missing values or fill the values in."),
        )
    if column.size and missing == column.size:
        raise InvalidData(_("every value is missing."), place=place, remedy=_(SET_TO_IGNORED))
    if variable.kind is Kind.CONTINUOUS and not wanted.takes_numbers:
        raise InvalidData(
            _("it is continuous, and {title} works on categories.", title=wanted.title),
            place=place,
            remedy=_("Cut it into bins in the preparation, or use a test for numbers."),
        )
    if variable.level_count > 2 and not wanted.takes_categories:
        raise InvalidData(
            _(
                "it has {level_count} categories, and {title} works on numbers.",
                level_count=variable.level_count,
                title=wanted.title,
            ),
            place=place,
            remedy=_("Set it to ignored, or use G² with the numbers cut into bins."),
        )
    read_as_number = variable.kind is Kind.CONTINUOUS or not wanted.takes_categories
    if read_as_number:
        present = column[~missing_mask(variable, column)] if missing else column
        if present.size and (present == present[0]).all():
            raise InvalidData(_("all values are the same."), place=place, remedy=_(SET_TO_IGNORED))


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
        Name of a test in ``engine.ci_tests()``.
    dataset : Dataset
        A prepared table with columns that suit the test. The test leaves out rows that miss a value of one of
        its variables, and uses a weight column.
    x, y : str
        Names of the two variables.
    given : sequence of str
        Names of the conditioning set. It may be empty, or a single name.
    **options
        Settings of tests, with the names of :class:`engine.DiscoverySettings`: ``alpha``, ``degree``,
        ``dof``, ``min_rows_per_dof``, ``min_rows_per_cell``, ``row_weights``, ``permutations``,
        ``permutation_seed``.

    Returns
    -------
    TestRecord
        With ``statistic``, ``dof``, ``p_value``, ``log_p``, ``effect``, ``reliable``.

    Raises
    ------
    InvalidParameter
        If the test, a variable or an option does not exist, variables repeat, or the table has another type.
    InvalidData
        If a column does not suit the test, or is not a label or feature.

    Examples
    --------
    >>> import pandas, engine
    >>> frame = pandas.DataFrame({"a": [0, 0, 1, 1, 0] * 20, "b": [0, 1, 0, 1, 1] * 20})
    >>> outcome = ci_test("g2", engine.Dataset.from_frame(frame), "a", "b")
    >>> round(outcome.statistic, 4), outcome.dof
    (2.7689, 1.0)
    """
    require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
    names = (x, y, *((given,) if isinstance(given, str) else given))
    if len(set(names)) < len(names):
        raise InvalidParameter(_("a variable is named twice."), remedy=_("Name each variable once."))
    # In column order, so that x and y are one another's equals.
    beside = [
        column for column in (dataset.weight, dataset.groups) if column is not None and column not in names
    ]
    # What suits the whole table, as in a search, whichever columns are asked about.
    suited = chosen_test(test, dataset).name
    alpha = options.pop("alpha", _USUAL_LEVEL)
    table = dataset.select_variables((*sorted(names, key=dataset.index), *beside))
    data = make_test_data(table, suited, **options).at_level(alpha)
    for name in names:
        if name not in data.positions:
            raise InvalidData(
                _("it takes no part."), place=_("column '{name}'", name=name), remedy=_(MAKE_LABEL_OR_FEATURE)
            )
    first, second, *others = (data.positions[name] for name in names)
    question = (first, (second,), tuple(sorted(others)))
    (record,) = make_records(data, [question], np.zeros(1, dtype=np.uint8))
    return record
