"""What a report says of the table: bins, numbers, gaps, groups and copies."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

import engine
from engine.reporting.sentences.method import caveats


def _table() -> pandas.DataFrame:
    generator = np.random.default_rng(0)
    dose = generator.normal(size=120)
    return pandas.DataFrame(
        {
            "dose": dose,
            "age": generator.normal(size=120),
            "ill": np.where(dose + generator.normal(size=120) > 0, "yes", "no"),
            "patient": np.repeat(np.arange(40), 3),
        }
    )


def _headings(dataset: engine.Dataset, **settings: str) -> list[str]:
    result = engine.discover(engine.prepare(dataset), engine.DiscoverySettings(**settings))
    return [heading for heading, _ in caveats(result)][6:]


@pytest.mark.parametrize("test", ["auto", "g2"])
def test_numbers_as_they_are_or_cut_for_the_test(test: str) -> None:
    dataset = engine.Dataset.from_frame(_table().drop(columns="patient"), labels=["ill"])
    expected = "Numbers were not cut into bins." if test == "auto" else "Numbers were cut into bins."
    assert _headings(dataset, test=test) == [expected]


def test_gaps_groups_and_copies() -> None:
    frame = _table()
    frame.loc[3, "age"] = np.nan
    grouped = engine.Dataset.from_frame(frame, labels=["ill"], groups="patient")
    assert _headings(grouped)[-2:] == ["Some values are missing.", "Rows come in groups."]
    twice = pandas.concat([_table()] * 2, ignore_index=True)
    copied = engine.Dataset.from_frame(twice, labels=["ill"])
    assert _headings(copied)[-1] == "Rows are copies of others."


def test_rows_that_come_in_groups_are_not_called_independent() -> None:
    random = np.random.default_rng(0)
    frame = pandas.DataFrame(random.normal(size=(200, 3)), columns=["a", "b", "y"])
    frame["who"] = [f"p{number}" for number in np.repeat(range(50), 4)]
    table = engine.Dataset.from_frame(frame, labels=["y"], groups="who")
    text = " ".join(map(str, caveats(engine.discover(table, directions=False))))
    assert "The rows are independent" not in text and "Groups of rows are independent of each other" in text
