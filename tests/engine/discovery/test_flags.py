"""Findings of few rows, of copied rows, of few groups, and of rows that are mostly left out are marked."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.finding_words import flags_text
from engine.discovery.flags import Flag, FlagKind, Flags
from engine.reporting.sentences.overview import summary_sentences


def kinds(frame: pandas.DataFrame, **roles: str) -> list[FlagKind]:
    dataset = engine.Dataset.from_frame(frame, labels=["y"], **roles)
    return [flag.kind for flag in Flags(dataset).of("x", "y")]


def frame(positives: int, rows: int = 200) -> pandas.DataFrame:
    generator = np.random.default_rng(0)
    return pandas.DataFrame(
        {"x": generator.normal(size=rows), "y": [1] * positives + [0] * (rows - positives)}
    )


def test_a_side_of_twenty_rows_is_enough_and_one_less_is_not() -> None:
    assert kinds(frame(20)) == []
    assert kinds(frame(19)) == [FlagKind.RARE_LABEL]
    assert kinds(frame(181)) == [FlagKind.RARE_LABEL]


def test_a_rare_level_of_a_variable_is_marked() -> None:
    table = frame(100)
    table["x"] = ["a"] * 190 + ["b"] * 10
    assert kinds(table) == [FlagKind.RARE_VARIABLE]
    table["x"] = [0.0] * 185 + list(np.linspace(1, 2, 15))
    assert kinds(table) == [FlagKind.RARE_VARIABLE]


def test_persons_count_and_not_their_rows() -> None:
    table = frame(60)
    table["person"] = [f"p{place // 4}" for place in range(200)]
    assert kinds(table, groups="person") == [FlagKind.RARE_LABEL]
    table["person"] = [f"p{place // 2}" for place in range(200)]
    assert kinds(table, groups="person") == []
    table["person"] = [f"p{place % 39}" for place in range(200)]
    assert kinds(table, groups="person") == [FlagKind.FEW_GROUPS]


def test_counts_are_rows() -> None:
    table = frame(10)
    table["w"] = 2.0
    dataset = engine.Dataset.from_frame(table, labels=["y"], weights="w")
    assert [flag.kind for flag in Flags(dataset, "sampling").of("x", "y")] == [FlagKind.RARE_LABEL]
    assert Flags(dataset, "counts").of("x", "y") == ()


def test_a_heavy_loss_of_rows_is_marked() -> None:
    table = frame(100)
    table.loc[:58, "x"] = np.nan
    assert kinds(table) == []
    table.loc[:60, "x"] = np.nan
    assert kinds(table) == [FlagKind.ROWS_LOST]


def test_a_line_that_stands_for_many_rows_is_a_heavy_loss() -> None:
    table = frame(100)
    table.loc[0, "x"] = np.nan
    table["w"] = np.where(table.index == 0, 199.0, 1.0)
    dataset = engine.Dataset.from_frame(table, labels=["y"], weights="w")
    (flag,) = Flags(dataset, "counts").of("x", "y")
    assert flag.kind is FlagKind.ROWS_LOST and flag.sentence.startswith("50 %")


@pytest.fixture(scope="module")
def with_a_rare_label() -> engine.DiscoveryResult:
    """A label of 12 rows that two variables decide, and two labels that another one goes with."""
    generator = np.random.default_rng(1)
    rare = np.zeros(600, dtype=int)
    rare[:12] = 1
    x = generator.normal(size=600)
    table = pandas.DataFrame(
        {
            "a": rare * (generator.random(600) < 0.9),
            "b": generator.normal(size=600) + 3 * rare,
            "x": x,
            "rare": rare,
            "p": (x + 0.7 * generator.normal(size=600) > 0).astype(int),
            "q": (x + 0.7 * generator.normal(size=600) > 0).astype(int),
            "r": (rare + (generator.random(600) < 0.004) > 0).astype(int),
        }
    )
    return engine.discover(engine.Dataset.from_frame(table, labels=["rare", "r", "p", "q"]))


def test_what_is_marked_does_not_lead(with_a_rare_label: engine.DiscoveryResult) -> None:
    result = with_a_rare_label
    flagged = {feature for feature, label in result.evidence if result.flags(feature, label)}
    assert flagged and "x" not in flagged
    assert result.common["feature"].iloc[0] == "x"
    assert [bool(flags) for flags in result.common["flags"]] == sorted(
        bool(e) for e in result.common["flags"]
    )
    sentences = summary_sentences(result)
    assert any("must be read with care" in sentence for sentence in sentences)
    assert "x" in sentences[0]


def test_q_values_are_those_of_the_marginal_screen(with_a_rare_label: engine.DiscoveryResult) -> None:
    """The family: the tests of a label with every other variable, nothing held."""
    from statsmodels.stats.multitest import multipletests

    result = with_a_rare_label
    names = result.dataset.names
    for label in ("p", "rare"):
        others = [name for name in names if name != label]
        results = [
            engine.ci_test(result.test.name, result.dataset, label, other_label) for other_label in others
        ]
        expected = dict(
            zip(others, multipletests([e.p_value for e in results], method="fdr_bh")[1], strict=True)
        )
        q_values = {f: np.exp(q) for (f, of), q in result.log_q_values.items() if of == label}
        assert q_values and all(
            q_values[f] == pytest.approx(expected[f], rel=1e-6, abs=1e-300) for f in q_values
        )


@pytest.mark.parametrize("split", [None, engine.RowSplit()], ids=["all rows", "split"])
def test_each_variable_is_counted_once_however_often_more_becomes_known(
    split: engine.RowSplit | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = engine.simulate(labels=3, features=8, rows=400, seed=1).dataset
    result = engine.discover(table, split=split)
    counted: Counter[str] = Counter()
    count = Flags._beside_most_frequent

    def counting(self: Flags, name: str) -> int:
        counted[name] += 1
        return count(self, name)

    monkeypatch.setattr(Flags, "_beside_most_frequent", counting)
    before = [finding.flags for finding in result.findings.all]
    quick = engine.effects(table, result, estimands=["association", "adjusted association"])
    early = result.with_effects(quick)
    assert [finding.flags for finding in early.findings.all] == before and before
    whole = engine.effects(table, result, estimands=["effect of changing it"], besides=quick)
    late = early.with_effects(whole)
    assert [finding.flags for finding in late.findings.all] == before
    # Where rows are split, those that were searched and those that measure are two tables.
    assert set(counted.values()) == {1 if split is None else 2}
    assert whole.table().equals(engine.effects(table, result).table())


@pytest.mark.parametrize("kind", list(FlagKind))
def test_a_doubt_fits_into_its_narrow_column(kind: FlagKind) -> None:
    result = engine.discover(engine.simulate(labels=2, features=6, rows=300, seed=1).dataset)
    finding = replace(result.findings.all[0], flags=((Flag(kind, "A sentence."),),))
    assert 0 < len(flags_text(finding)) <= 12
