"""Columns that reflect one thing are recognised, and causes that are correlated are not taken for such."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

from engine.independence.reflective import reflective_blocks
from engine.table.dataset import Dataset
from tests.benchmarks.blocks import (
    big_five,
    correlated_causes,
    questionnaire,
    scales_found,
    tables_with_block,
)

SCALES = Path("../shared/data/scales")
# Settled on seeds 0 to 499.
SEEDS = range(3000, 3030)


def test_scales_of_questionnaires_are_found_whole_and_alone() -> None:
    right, total = scales_found(500, SEEDS)
    assert right >= 0.97 * total


def test_correlated_causes_are_no_block() -> None:
    called, _ = tables_with_block(2000, SEEDS)
    assert len(called) <= 1


@pytest.mark.parametrize("how", ["chain", "fork"])
def test_a_chain_and_a_measured_common_cause_are_no_block_though_no_label_is_known(how: str) -> None:
    tables = [correlated_causes(seed, 2000, how).dataset for seed in SEEDS]
    assert sum(bool(reflective_blocks(table)) for table in tables) <= 1


def test_columns_with_a_measured_common_cause_outside_are_no_block() -> None:
    drawn = np.random.default_rng(0)
    treatment = drawn.integers(0, 2, 2000).astype(float)
    outcomes = {f"y{place}": treatment + drawn.normal(size=2000) for place in range(5)}
    table = Dataset.from_frame(pandas.DataFrame({"treatment": treatment, **outcomes}))
    names = list(outcomes)
    assert len(reflective_blocks(table, names)) == 1
    assert reflective_blocks(table, names, others=["treatment"]) == ()


def test_a_severity_behind_outcomes_is_one_though_treatment_is_a_cause_of_it() -> None:
    drawn = np.random.default_rng(1)
    treatment = drawn.integers(0, 2, 1000).astype(float)
    severity = treatment + drawn.normal(size=1000)
    outcomes = {f"y{place}": severity + drawn.normal(size=1000) for place in range(5)}
    table = Dataset.from_frame(pandas.DataFrame({"treatment": treatment, **outcomes}))
    (block,) = reflective_blocks(table, list(outcomes), others=["treatment"])
    assert block.members == tuple(outcomes)


def test_a_sum_of_items_separates_nothing() -> None:
    drawn = np.random.default_rng(2)
    mood = drawn.normal(size=800)
    items = {f"item {place}": mood + drawn.normal(size=800) for place in range(5)}
    table = Dataset.from_frame(pandas.DataFrame({**items, "total": np.sum(list(items.values()), axis=0)}))
    (block,) = reflective_blocks(table, list(items), others=["total"])
    assert block.members == tuple(items)


def test_noise_and_three_columns_are_no_block() -> None:
    drawn = np.random.default_rng(3)
    mood = drawn.normal(size=1000)
    columns = {f"item {place}": mood + drawn.normal(size=1000) for place in range(3)}
    columns |= {f"noise {place}": drawn.normal(size=1000) for place in range(20)}
    assert reflective_blocks(Dataset.from_frame(pandas.DataFrame(columns))) == ()


def test_order_of_rows_and_columns_units_and_names_make_no_difference() -> None:
    for seed in SEEDS[:5]:
        frame = questionnaire(seed, 500).dataset.frame
        numbers = [name for name in frame if frame[name].dtype.kind == "f"]
        expected = {
            frozenset(reflective_block.members)
            for reflective_block in reflective_blocks(Dataset.from_frame(frame))
        }
        changed = frame.sample(frac=1.0, random_state=seed)[list(frame)[::-1]]
        changed[numbers] = changed[numbers] * 1e6 - 273.15
        changed = changed.rename(columns={name: f"new {name}" for name in changed})
        blocks = reflective_blocks(Dataset.from_frame(changed))
        assert {frozenset(name[4:] for name in block.members) for block in blocks} == expected


def test_reversed_items_have_the_other_sign_and_reliability_is_that_of_the_sum() -> None:
    drawn = np.random.default_rng(4)
    mood = drawn.normal(size=20_000)
    items = {f"item {place}": 0.7 * mood + np.sqrt(0.51) * drawn.normal(size=20_000) for place in range(6)}
    items["item 2"] = -items["item 2"]
    (block,) = reflective_blocks(Dataset.from_frame(pandas.DataFrame(items)))
    assert block.reversed == ("item 2",)
    total = sum(sign * items[name] for name, sign in zip(block.members, block.signs, strict=True))
    assert block.reliability == pytest.approx(np.corrcoef(total, mood)[0, 1] ** 2, abs=0.01)


@pytest.mark.skipif(not SCALES.is_dir(), reason="needs the scales beside the project")
def test_items_of_the_big_five_are_in_their_scales_whatever_they_are_called() -> None:
    assert big_five(SCALES, seed=7) == (25, 25)
