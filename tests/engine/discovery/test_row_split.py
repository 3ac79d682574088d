"""Rows that measure are not the rows that were searched."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.discovery.row_split import RowSplit
from engine.errors import InvalidData, InvalidParameter
from engine.reporting.result_file import read_result


@pytest.fixture(scope="module")
def table() -> engine.Dataset:
    return engine.simulate(labels=3, features=10, rows=600, seed=3, variables="numbers").dataset


def test_each_row_is_searched_or_measures(table: engine.Dataset) -> None:
    split = RowSplit(share=0.3, seed=2)
    searched, measuring = split.searched(table), split.measuring(table)
    assert (searched.row_count, measuring.row_count) == (180, 420)
    both = np.concatenate([searched.column("F1"), measuring.column("F1")])
    assert sorted(both.tolist()) == sorted(table.column("F1").tolist())
    assert RowSplit(seed=3).searched(table).content_hash != RowSplit(seed=2).searched(table).content_hash


def test_persons_are_not_torn_apart(table: engine.Dataset) -> None:
    frame = table.frame
    frame["person"] = [f"p{place // 4}" for place in range(len(frame))]
    grouped = engine.Dataset.from_frame(frame, labels=table.labels, groups="person")
    split = RowSplit()
    persons = [
        set(part_of_rows.frame["person"])
        for part_of_rows in (split.searched(grouped), split.measuring(grouped))
    ]
    assert not persons[0] & persons[1] and len(persons[0] | persons[1]) == 150


def test_a_search_sees_only_its_rows_and_sizes_only_the_others(table: engine.Dataset, tmp_path: Path) -> None:
    split = RowSplit()
    result = engine.discover(table, split=split)
    alone = engine.discover(split.searched(table))
    assert result.split == split and result.label_sets == alone.label_sets
    effects_table = engine.effects(table, result).table()
    measured_alone = engine.effects(split.measuring(table), alone).table()
    assert len(effects_table) and effects_table.equals(measured_alone)
    engine.export(result.with_effects(engine.effects(table, result)), tmp_path)
    assert read_result(tmp_path / "result.json", result.dataset).split == split
    assert (tmp_path / "effects.csv").read_text().count("\n") == len(effects_table) + 1


def test_another_table_cannot_measure(table: engine.Dataset) -> None:
    result = engine.discover(table, split=RowSplit())
    with pytest.raises(InvalidParameter, match="another table"):
        engine.effects(table.select_rows(np.arange(500)), result)


def test_too_few_rows_are_not_split(table: engine.Dataset) -> None:
    with pytest.raises(InvalidData, match="at least 5"):
        engine.discover(table.select_rows(np.arange(8)), split=RowSplit())


def test_a_session_keeps_searches_of_parts_apart(table: engine.Dataset) -> None:
    session, split = engine.DiscoverySession(table), RowSplit(seed=4)
    whole, part = session.discover(), session.discover(split=split)
    assert part.split == split and whole.split is None
    alone = engine.discover(table, split=split)
    assert (part.evidence, part.boundaries) == (alone.evidence, alone.boundaries)
    assert part.dataset.content_hash == alone.dataset.content_hash != whole.dataset.content_hash
    settings = engine.DiscoverySettings()
    assert session.remembered(settings) is whole and session.remembered(settings, split=split) is part
    assert session.remembered(settings, split=RowSplit(seed=5)) is None
    stricter = engine.DiscoverySettings(alpha=0.001)
    assert (
        session.discover(stricter, split=split).evidence
        == engine.discover(table, stricter, split=split).evidence
    )


def test_a_part_without_any_label_is_refused(table: engine.Dataset) -> None:
    frame = table.frame[["F1", "F2"]].head(40)
    split = RowSplit(share=0.5)
    searched = split.searched(engine.Dataset.from_frame(frame, labels=["F1"])).frame["F1"]
    # One other value, in a row that is not searched.
    frequent = next(value for value in frame["F1"] if value not in set(searched))
    frame["ill"] = ["yes" if value == frequent else "no" for value in frame["F1"]]
    rare = engine.Dataset.from_frame(frame, labels=["ill"])
    with pytest.raises(InvalidData, match="label"):
        engine.DiscoverySession(rare).discover(split=split)


@pytest.fixture(scope="module")
def counted() -> engine.Dataset:
    """A table of which each row stands for 1 to 9 equal ones."""
    table = engine.simulate(labels=2, features=4, rows=120, seed=5).dataset
    frame = table.frame.assign(often=(np.arange(120) % 9 + 1).astype(float))
    return engine.Dataset.from_frame(frame, labels=table.labels, weights="often")


COUNTED = engine.DiscoverySettings(row_weights="counts", alpha=0.2)


def as_often(table: engine.Dataset) -> Counter[tuple[object, ...]]:
    """Count each row as often as it stands in the table."""
    counts: Counter[tuple[object, ...]] = Counter()
    for *row, often in table.frame.astype(str).itertuples(index=False):
        counts[tuple(row)] += int(float(often))
    return counts


def test_of_rows_that_stand_for_several_each_is_drawn_by_itself(counted: engine.Dataset) -> None:
    split, often = RowSplit(share=0.3, seed=2), counted.column("often")
    searched, measuring = split.searched(counted, "counts"), split.measuring(counted, "counts")
    total = int(often.sum())
    assert (searched.column("often").sum(), measuring.column("often").sum()) == (177, total - 177)
    assert as_often(searched) + as_often(measuring) == as_often(counted)
    # Some of those of a row are in one part and some in the other.
    assert searched.row_count + measuring.row_count > counted.row_count
    assert split.searched(counted, "counts").content_hash == searched.content_hash
    assert RowSplit(share=0.3, seed=3).searched(counted, "counts").content_hash != searched.content_hash


def test_counted_rows_are_searched_and_measured_apart(counted: engine.Dataset) -> None:
    split = RowSplit(seed=1)
    result = engine.discover(counted, COUNTED, split=split)
    alone = engine.discover(split.searched(counted, "counts"), COUNTED)
    assert result.split == split and result.label_sets == alone.label_sets and len(alone.label_sets)
    effects_table = engine.effects(counted, result).table()
    assert effects_table.equals(engine.effects(split.measuring(counted, "counts"), alone).table())
    session = engine.DiscoverySession(counted)
    assert session.discover(COUNTED, split=split).evidence == result.evidence
    with pytest.raises(InvalidParameter, match="another table"):
        engine.effects(counted.select_rows(np.arange(50)), result)


def test_counts_that_are_not_whole_are_not_split(counted: engine.Dataset) -> None:
    frame = counted.frame.assign(often=counted.column("often") + 0.5)
    halves = engine.Dataset.from_frame(frame, labels=counted.labels, weights="often")
    with pytest.raises(InvalidData, match="not whole"):
        RowSplit().searched(halves, "counts")
    # Weights of a sample say how much a row counts, and not how many it is.
    assert RowSplit().searched(halves).row_count == 60


def test_counted_rows_of_a_group_stay_together(counted: engine.Dataset) -> None:
    frame = counted.frame.assign(person=[f"p{row // 4}" for row in range(120)])
    grouped = engine.Dataset.from_frame(frame, labels=counted.labels, weights="often", groups="person")
    parts = RowSplit().searched(grouped, "counts"), RowSplit().measuring(grouped, "counts")
    persons = [set(part.frame["person"]) for part in parts]
    assert not persons[0] & persons[1] and len(persons[0] | persons[1]) == 30


@pytest.mark.parametrize("row_weights", ["sampling", "counts"])
def test_rows_that_stand_for_nobody_are_in_neither_part(table: engine.Dataset, row_weights: str) -> None:
    frame = table.frame.assign(often=[float(row % 60 == 7) for row in range(600)])
    weighted = engine.Dataset.from_frame(frame, labels=table.labels, weights="often")
    parts = RowSplit().searched(weighted, row_weights), RowSplit().measuring(weighted, row_weights)
    assert [part.row_count for part in parts] == [5, 5]
    assert all(part.column("often").all() for part in parts)
    with pytest.raises(InvalidData, match="of 10 rows, 3 remain"):
        RowSplit(share=0.3).searched(weighted, row_weights)


def test_groups_that_stand_for_nobody_are_in_neither_part(table: engine.Dataset) -> None:
    frame = table.frame.assign(
        often=[float(row % 60 < 2) for row in range(600)], person=[f"p{row // 20}" for row in range(600)]
    )
    grouped = engine.Dataset.from_frame(frame, labels=table.labels, weights="often", groups="person")
    parts = RowSplit().searched(grouped), RowSplit().measuring(grouped)
    assert [len(set(part.frame["person"])) for part in parts] == [5, 5]
    assert [part.row_count for part in parts] == [10, 10]
