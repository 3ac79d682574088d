"""The table as a test can take it: where it counts categories, numbers are cut, and that is said."""

from __future__ import annotations

from engine.independence.registry import CITestDescription, chosen_test
from engine.preparation.discretisation.discretise import discretise
from engine.table.dataset import Dataset
from engine.wording.notes import Note

CUT_FOR_TEST = "cut-for-test"
# A name of ``discretisation_methods()``.
_HALVES = "median"


def suited_table(dataset: Dataset, test: str) -> Dataset:
    """Give the table that a test works on.

    Parameters
    ----------
    dataset : Dataset
        A prepared table.
    test : str
        A name of ``engine.ci_tests()``, or ``"auto"``.

    Returns
    -------
    Dataset
        As given; where the test takes no numbers, each cut in two halves, with a note of what that costs.

    Raises
    ------
    InvalidParameter
        When there is no such test.
    """
    description = chosen_test(test, dataset)
    if description.takes_numbers or not dataset.has_numbers:
        return dataset
    cut = discretise(dataset, _HALVES, bins=2, missing_level=False)
    return cut.with_notes([Note(CUT_FOR_TEST, _cost(description))])


def _cost(description: CITestDescription) -> str:
    return (
        f"{description.title} works on categories, so numbers were cut at their medians for it. A half of a "
        "number tells less than the number: where one is held fixed, the rest of what it explains comes "
        "through, and the more rows there are the more of that passes for a direct link. A test for numbers "
        "has no such cost."
    )
