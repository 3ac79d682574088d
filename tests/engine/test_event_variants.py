"""Directions of labels that are written in many ways, read from the tables, the report and the sentences."""

from tests.benchmarks.event_variants import VARIANTS, measured


def test_a_direction_is_that_of_the_event_however_the_label_is_written() -> None:
    """In a file of each kind and four of text; all by ``python -m tests.benchmarks.event_variants``."""
    some = [variant for variant in VARIANTS if variant.file != "csv"] + [*VARIANTS[:60:15]]
    outcome = measured(some, seed=7)
    assert outcome.wrong == []
    assert all(variant.may_be_asked for variant in outcome.asked_about)
    assert min(outcome.claims[place] for place in ("common.csv", "effects.csv", "report", "panel")) >= len(
        some
    )
