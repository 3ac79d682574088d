"""The two forms of the networks of Tables 2 and 3, in a small size."""

from __future__ import annotations

from statistics import fmean

from tests.benchmarks.paper_tables import measured

SMALL = {"labels": 8, "features": 160, "rows": 2000}
CELL = "0.5/1"
SINGLE, PUBLISHED = "∩HITON-MB, α 0.01", "CLCD as published, α 0.01"


def test_with_many_equivalents_one_boundary_holds_few_causal_variables() -> None:
    recall = {}
    for form in ("own", "many equivalents"):
        scores = measured(form, range(2), SMALL, (CELL,), (SINGLE, PUBLISHED))
        recall[form] = {title: fmean(each.recall for each in some) for (title, _), some in scores.items()}
        assert recall[form][PUBLISHED] > recall[form][SINGLE]
    assert recall["many equivalents"][SINGLE] < 0.75 * recall["own"][SINGLE]
