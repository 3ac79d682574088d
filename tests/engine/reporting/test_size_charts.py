"""Charts and words of sizes against the sizes themselves, and against rates counted by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring

import engine
from engine.discovery.effects.estimates import Estimand, Sign
from engine.discovery.effects.size_table import Effects
from engine.discovery.effects.size_words import SIGN_SYMBOLS, size_sentences
from engine.reporting.figures.chart import CurvePanel, RowPanel, SetPanel
from engine.reporting.figures.figure_files import svg_text
from engine.reporting.finding_charts import forest_chart, label_set_chart, pair_chart
from engine.wording.phrases import plain
from tests.engine.reporting.reading import mark_texts


@pytest.fixture(scope="module")
def network() -> engine.simulate:
    return engine.simulate(labels=4, features=24, rows=1500, seed=3)


@pytest.fixture(scope="module")
def result(network: engine.simulate) -> engine.DiscoveryResult:
    return engine.discover(network.dataset)


@pytest.fixture(scope="module")
def effects(network: engine.simulate, result: engine.DiscoveryResult) -> Effects:
    return engine.effects(network.dataset, result)


def test_a_pair_is_shown_by_the_rates_that_are_counted(
    network: engine.simulate, effects: Effects, result: engine.DiscoveryResult
) -> None:
    feature, label = next(iter(result.evidence))
    size = effects.of(feature, label)[Estimand.ASSOCIATION]
    (panel,) = pair_chart([size]).panels
    assert isinstance(panel, RowPanel)
    frame = network.dataset.frame
    shown = size.points[0].label_level
    counted = (frame[label] == shown).groupby(frame[feature], observed=True).mean()
    assert {panel.rows[mark.row]: mark.value for mark in panel.marks} == pytest.approx(
        {str(level): rate for level, rate in counted.items()}
    )
    for mark in panel.marks:
        assert mark.low is not None and mark.high is not None
        assert panel.x.low <= mark.low < mark.value < mark.high <= panel.x.high


def test_a_number_is_shown_by_a_curve_whose_band_holds_the_truth() -> None:
    held = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        dose = rng.normal(size=400)
        ill = np.where(rng.random(400) < 1 / (1 + np.exp(-2 * dose)), "yes", "no")
        table = engine.Dataset.from_frame(_frame(dose=dose, ill=ill), labels=["ill"])
        size = engine.discovery.effects.all_effects.association(table, "dose", "ill")
        (panel,) = pair_chart([size]).panels
        assert isinstance(panel, CurvePanel) and size.sign is Sign.MORE
        (curve,) = panel.curves
        assert curve.has_band
        held += [low <= 1 / (1 + np.exp(-2 * point.x)) <= high for point, low, high in curve.spread]
    # Points of one curve go together: 20 tables leave .95 some room.
    assert np.mean(held) > 0.9


def test_panels_of_several_levels_stand_below_each_other() -> None:
    rng = np.random.default_rng(0)
    work = rng.integers(0, 4, 300)
    mood = np.array(["low", "middling", "high"])[np.clip(work + rng.integers(-1, 2, 300), 0, 2)]
    table = engine.Dataset.from_frame(_frame(work=work.astype(str), mood=mood), labels=["mood"])
    chart = pair_chart([engine.discovery.effects.all_effects.association(table, "work", "mood")])
    assert len(chart.panels) == 3 and chart.columns == 1


def _frame(**columns: np.ndarray):
    import pandas

    return pandas.DataFrame(columns)


def test_the_forest_holds_every_leading_difference(effects: Effects) -> None:
    chart = forest_chart(effects.sizes)
    marks = [mark for panel in chart.panels for mark in panel.marks]
    leading = [size.leading for size in effects.sizes if size.leading is not None]
    assert sorted(mark.value for mark in marks) == sorted(size_shown.estimate for size_shown in leading)
    for panel in chart.panels:
        first = {mark.row: mark for mark in reversed(panel.marks)}
        sizes = [abs(first[row].value) for row in range(len(panel.rows))]
        assert sizes == sorted(sizes, reverse=True), "the largest stands first"
        assert (panel.x.low, panel.x.high) == (chart.panels[0].x.low, chart.panels[0].x.high), "one scale"
    assert sorted(mark_texts(fromstring(svg_text(chart)))) == sorted(chart.words())


def test_sets_of_labels_are_counted_once_each(result: engine.DiscoveryResult) -> None:
    (panel,) = label_set_chart(result.findings).panels
    assert isinstance(panel, SetPanel)
    expected: dict[frozenset[str], int] = {}
    for labels in result.label_sets.values():
        expected[labels] = expected.get(labels, 0) + 1
    shown = {frozenset(panel.rows[row] for row in subset.members): subset.count for subset in panel.sets}
    assert shown == expected


def test_sentences_say_the_figures_of_the_sizes(effects: Effects) -> None:
    for feature, label in {(size.feature, size.label) for size in effects.sizes}:
        sizes = list(effects.of(feature, label).values())
        leading = sizes[0].leading
        first = plain(size_sentences(sizes)[0])
        assert leading is not None and feature in first and label in first
        (points,) = re.findall(r"[+−]?[\d.]+(?= percentage points)", first)
        is_less = "less likely" in first
        told = -float(points) if is_less else float(points.replace("−", "-"))
        assert told == pytest.approx(100.0 * leading.estimate, abs=0.51)
        assert f"{label} = {leading.label_level}" in first


def test_every_sign_has_a_symbol_of_its_own() -> None:
    assert set(SIGN_SYMBOLS) == set(Sign) and len(set(SIGN_SYMBOLS.values())) == len(Sign)
