"""Columns of many categories keep the level, and are found where they matter: a short form of the measure."""

from __future__ import annotations

import pytest

from tests.benchmarks.many_levels import null_counts, ward_counts


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(12), marks=pytest.mark.long)], ids=str)
def test_columns_of_many_categories_keep_the_level(seeds: range) -> None:
    label_findings = labels = 0
    for label in ("yes/no", "number", "many"):
        for levels in (21, 40, 100):
            for with_numbers in (False, True):
                counts = null_counts(label, levels, 10 * levels, with_numbers, seeds)
                label_findings += counts["found"]
                labels += counts["labels"]
    assert labels == 18 * len(seeds)
    # The level is 0.01, and no more than twice as many labels may have a finding.
    assert label_findings <= 0.02 * labels


def test_a_ward_of_forty_levels_that_matters_is_found() -> None:
    for label in ("yes/no", "number"):
        counts = ward_counts(label, 40, 800, range(10))
        assert counts["ward"] >= 9
        assert counts["false"] <= 1
