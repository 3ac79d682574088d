"""The automatic level falls with the root of what is independent in a table, and is the one that is used."""

from __future__ import annotations

import math

import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.discovery_settings import DiscoverySettings

AUTOMATIC = DiscoverySettings(automatic_alpha=True)


def _frame(rows: int, seed: int = 0) -> pandas.DataFrame:
    generator = np.random.default_rng(seed)
    values = generator.integers(0, 2, size=(rows, 4))
    values[:, 0] ^= (generator.random(rows) < 0.3) & values[:, 1]
    return pandas.DataFrame(values.astype(str), columns=["ill", "a", "b", "c"])


def _table(rows: int, **roles: str) -> engine.Dataset:
    return engine.Dataset.from_frame(_frame(rows), labels=["ill"], **roles)


@pytest.mark.parametrize("rows", [6, 40, 100, 101, 149, 500, 1999, 20_000, 300_000])
def test_good_s_level_rounded_down_to_a_step_of_the_slider(rows: int) -> None:
    level = AUTOMATIC.for_table(_table(rows)).alpha
    wanted = min(0.05, 0.5 / math.sqrt(rows))
    assert 0.75 * wanted <= level <= wanted * (1 + 1e-12)


def test_a_chosen_level_stays() -> None:
    table = _table(500)
    assert DiscoverySettings(alpha=0.03).for_table(table).alpha == 0.03
    result = engine.discover(table, DiscoverySettings(alpha=0.3, automatic_alpha=True))
    assert result.settings.alpha == 0.02
    assert result.settings.automatic_alpha


def test_groups_count_and_what_counted_rows_stand_for() -> None:
    frame = _frame(500)
    frame["person"] = [f"p{number // 5}" for number in range(500)]
    grouped = engine.Dataset.from_frame(frame, labels=["ill"], groups="person")
    assert AUTOMATIC.for_table(grouped).alpha == 0.05
    counted = frame.drop(columns="person").value_counts().reset_index(name="times")
    weighted = engine.Dataset.from_frame(counted, labels=["ill"], weights="times")
    as_counts = DiscoverySettings(automatic_alpha=True, row_weights="counts")
    assert as_counts.for_table(weighted).alpha == AUTOMATIC.for_table(_table(500)).alpha == 0.02
    assert AUTOMATIC.for_table(weighted).alpha == 0.05


def test_a_split_counts_the_rows_that_are_searched() -> None:
    table, split = _table(1000), engine.RowSplit(share=0.5)
    alone = engine.discover(table, AUTOMATIC, split=split)
    assert alone.settings.alpha == 0.02
    assert engine.DiscoverySession(table).discover(AUTOMATIC, split=split).settings.alpha == 0.02


def test_a_session_finds_the_same_and_remembers_it_whatever_level_stands_beside() -> None:
    network = engine.simulate(labels=4, features=20, rows=600, seed=2).dataset
    session = engine.DiscoverySession(network)
    result = session.discover(AUTOMATIC)
    expected = engine.discover(network, DiscoverySettings(alpha=0.02))
    assert result.evidence == expected.evidence == engine.discover(network, AUTOMATIC).evidence
    again = session.remembered(DiscoverySettings(alpha=0.4, automatic_alpha=True))
    assert again is not None
    assert again.settings.alpha == 0.02
    assert list(session.at_levels(DiscoverySettings(alpha=0.2))) == [0.02]
    repeated = engine.stability(network, result.settings, resamples=2)
    assert result.with_stability(repeated).stability is not None


def test_a_comparison_of_runs_names_the_level_that_was_used() -> None:
    table = _table(500)
    runs = (engine.discover(table, settings) for settings in (AUTOMATIC, DiscoverySettings(alpha=0.04)))
    assert engine.compare_runs(*runs).setting_values["alpha"] == (0.02, 0.04)
