"""Runs are named by what sets them apart: the columns that group or weight rows among it."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pandas
import pytest

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.history import run_name
from engine.discovery.row_split import RowSplit
from engine.knowledge.knowledge import Knowledge
from engine.recipe import Recipe
from engine.recipe.table_steps import Compute, RowBlocks
from engine.table.dataset import Dataset
from engine.table.variable import Role

ROWS = 40


def analysis(**roles: Role) -> Analysis:
    chance = np.random.default_rng(0)
    frame = pandas.DataFrame(
        {
            "ill": chance.integers(0, 2, ROWS),
            "dose": chance.normal(size=ROWS),
            "patient_id": np.arange(ROWS) // 2,
            "weight": chance.uniform(1.0, 2.0, ROWS),
            "day": np.arange(float(ROWS)),
        }
    )
    dataset = Dataset.from_frame(frame, labels=["ill"]).with_roles({"ill": Role.LABEL} | roles)
    return Analysis.of(dataset)


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ({}, {"patient_id": Role.GROUPS}, "grouped by patient_id"),
        ({"patient_id": Role.IGNORED}, {"patient_id": Role.GROUPS}, "grouped by patient_id"),
        ({"patient_id": Role.GROUPS}, {"patient_id": Role.IGNORED}, "rows not grouped"),
        ({"patient_id": Role.GROUPS}, {}, "rows not grouped"),
        ({}, {"weight": Role.WEIGHT}, "weighted by weight"),
        ({"weight": Role.WEIGHT}, {"weight": Role.IGNORED}, "rows not weighted"),
        ({}, {"dose": Role.IGNORED}, "without dose"),
    ],
)
def test_groups_and_weights_are_named(before: dict[str, Role], after: dict[str, Role], name: str) -> None:
    assert run_name(analysis(**after), analysis(**before)) == name


def test_settings_that_are_on_or_off_are_named_without_yes_and_no() -> None:
    plain = analysis()
    automatic = plain.with_settings(discovery={"automatic_alpha": True, "alpha": 0.05})
    kept = plain.with_settings(preparation={"set_aside": False})
    assert run_name(automatic, plain) == "automatic α"
    assert run_name(plain, automatic) == "α 0.01"
    assert run_name(plain.with_settings(discovery={"alpha": 0.05}), automatic) == "α 0.05"
    assert run_name(plain.with_settings(discovery={"symmetry": True}), plain) == "symmetry correction"
    assert run_name(kept, plain) == "set useless features aside: off"


def test_blocks_of_rows_are_named() -> None:
    first = analysis()
    blocks = [
        first.with_recipe(Recipe((RowBlocks(rows=rows, along="day"),)), {"block of rows": Role.GROUPS})
        for rows in (4, 8)
    ]
    assert run_name(blocks[0], first) == "grouped by block of rows"
    assert run_name(blocks[1], blocks[0]) == "other blocks of rows"
    assert run_name(first, blocks[0]) == "rows not grouped"


def test_everything_that_decides_what_is_found_is_in_the_name() -> None:
    first = analysis()
    others = {
        "dataset": analysis(dose=Role.IGNORED),
        "preparation": first.with_settings(preparation={"bins": 5}),
        "discovery": first.with_settings(discovery={"max_conditioning": 2}),
        "knowledge": Analysis(
            first.dataset, first.preparation, first.discovery, Knowledge(not_effects=["dose"])
        ),
        "split": Analysis(first.dataset, first.preparation, first.discovery, split=RowSplit()),
        "recipe": first.with_recipe(Recipe((Compute("twice", "dose * 2"),))),
    }
    # The table before any step, which of several interchangeable variables stands first, what is counted, and
    # which cards were left as they are.
    shown = {"source", "preferred", "counts_through_labels", "confirmed"}
    assert {field.name for field in fields(Analysis)} == {*others, *shown}
    for what, changed in others.items():
        assert run_name(changed, first) != run_name(first, first), what
        assert run_name(first, changed) != run_name(first, first), what


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ({}, {"required": [("dose", "ill")]}, "dose → ill"),
        (
            {"required": [("dose", "ill")]},
            {"forbidden": [("ill", "dose")]},
            "no ill → dose, without “dose → ill”",
        ),
        ({}, {"tiers": [["day"], ["dose", "ill"]]}, "tier 1: day, tier 2: dose, ill"),
        ({"tiers": [["day"], ["dose", "ill"]]}, {"tiers": [["day", "dose"], ["ill"]]}, "tier 1: dose"),
        ({"tiers": [["day"], ["dose"]]}, {"tiers": [["day"]]}, "in no tier: dose"),
        ({}, {"not_effects": ["day"]}, "no cause of day"),
        ({}, {"unconfounded": [("dose", "ill")]}, "no unmeasured common cause of dose and ill"),
        ({"not_effects": ["day"]}, {}, "nothing known"),
    ],
)
def test_what_is_known_is_named(before: dict[str, list], after: dict[str, list], name: str) -> None:
    first, searched = (replace(analysis(), knowledge=Knowledge(**parts)) for parts in (before, after))
    assert run_name(searched, first) == name
