"""Limits of effects where a level of the cause does not occur beside some values of its parents."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.effects.all_effects import adjusted_association, effect_of_changing
from engine.discovery.effects.estimates import Contrast, Measure, Size
from engine.discovery.effects.size_words import size_sentences
from engine.wording.phrases import plain
from tests.engine.discovery.effects.made_tables import expit, table

# Rows with the parent, the cause and the label: beside "b" the cause is never "yes".
COUNTS = {
    ("a", "yes", "one"): 2400,
    ("a", "yes", "none"): 600,
    ("a", "no", "one"): 900,
    ("a", "no", "none"): 2100,
    ("b", "no", "one"): 1000,
    ("b", "no", "none"): 3000,
}
# 0.6 of the rows have "a": 0.6 * 0.8 if changed to "yes", and 0.6 * 0.3 + 0.4 * 0.25 if to "no".
WHERE_KNOWN, IF_NO = 0.48, 0.28


def by_hand() -> engine.Dataset:
    rows = [key for key, count in COUNTS.items() for _ in range(count)]
    frame = pandas.DataFrame(rows, columns=["parent", "cause", "label"])
    for name, levels in (("parent", "ab"), ("cause", ["no", "yes"]), ("label", ["none", "one"])):
        frame[name] = pandas.Categorical(frame[name], list(levels))
    return engine.Dataset.from_frame(frame, labels=["label"])


def comparison(size: Size, measure: Measure) -> Contrast:
    (contrast,) = (contrast for contrast in size.contrasts if contrast.measure is measure)
    return contrast


def test_limits_reach_to_all_and_to_none_where_nobody_has_the_level() -> None:
    size = effect_of_changing(by_hand(), "cause", "label", [["parent"]])
    difference = comparison(size, Measure.RATE_DIFFERENCE)
    assert difference.without_alike == pytest.approx(0.4)
    # Chance adds less than 0.03 with 10,000 rows.
    least, most = WHERE_KNOWN - IF_NO, WHERE_KNOWN + 0.4 - IF_NO
    assert least - 0.03 < difference.low < least and most < difference.high < most + 0.03
    ratio = comparison(size, Measure.RATE_RATIO)
    assert 0.9 * WHERE_KNOWN / IF_NO < ratio.low < WHERE_KNOWN / IF_NO
    assert (WHERE_KNOWN + 0.4) / IF_NO < ratio.high < 1.1 * (WHERE_KNOWN + 0.4) / IF_NO
    (yes,) = (point for point in size.points if point.at == "yes")
    assert WHERE_KNOWN - 0.03 < yes.low < WHERE_KNOWN and WHERE_KNOWN + 0.4 < yes.high < WHERE_KNOWN + 0.43
    (no,) = (point for point in size.points if point.at == "no")
    assert no.high - no.low < 0.03


def test_rows_that_are_joined_are_as_alike_as_they_were() -> None:
    counts = COUNTS | {("b", "yes", "one"): 30}
    frame = pandas.DataFrame([(*key, float(count)) for key, count in counts.items()])
    frame.columns = ["parent", "cause", "label", "w"]
    joined = engine.Dataset.from_frame(frame, labels=["label"], weights="w")
    size = effect_of_changing(joined, "cause", "label", [["parent"]], row_weights="counts")
    # Thirty rows beside "b" have the level, in one line of the table.
    assert [contrast.without_alike for contrast in size.contrasts] == [0.0] * 3


def test_it_is_said_for_how_many_rows_nobody_is_alike() -> None:
    size = effect_of_changing(by_hand(), "cause", "label", [["parent"]])
    sentences = [plain(sentence) for sentence in size_sentences([size])]
    assert (
        "For 40 % of the rows, few similar rows have cause at yes or at no. The interval allows for "
        "any value of label there." in sentences
    )


def test_a_range_over_parents_tells_the_largest_share() -> None:
    data = by_hand()
    alone = comparison(effect_of_changing(data, "cause", "label", [["parent"]]), Measure.RATE_DIFFERENCE)
    both = effect_of_changing(data, "cause", "label", [[], ["parent"]])
    difference = comparison(both, Measure.RATE_DIFFERENCE)
    assert difference.without_alike == pytest.approx(0.4) and difference.high == alone.high


def test_of_a_label_with_three_levels_each_may_be_all_or_none() -> None:
    rows = [(*key, count) for key, count in COUNTS.items()]
    generator = np.random.default_rng(0)
    frame = pandas.DataFrame(
        [(z, c, y) for z, c, y, count in rows for _ in range(count)], columns=["parent", "cause", "label"]
    )
    ones = frame["label"] == "one"
    frame.loc[ones & (generator.random(len(frame)) < 0.5), "label"] = "two"
    data = engine.Dataset.from_frame(frame, labels=["label"])
    size = effect_of_changing(data, "cause", "label", [["parent"]])
    for level in ("none", "one", "two"):
        (yes,) = (point for point in size.points if (point.at, point.label_level) == ("yes", level))
        is_level = (frame["label"] == level)[(frame["parent"] == "a") & (frame["cause"] == "yes")]
        share_unseen = 0.6 * float(is_level.mean())
        assert (
            share_unseen - 0.03 < yes.low < share_unseen
            and share_unseen + 0.4 < yes.high < share_unseen + 0.43
        ), level


def test_a_number_may_be_anything_that_it_was_seen_to_be() -> None:
    generator = np.random.default_rng(1)
    parent = np.repeat([0, 1], [3000, 2000])
    cause = np.where(parent == 0, generator.random(5000) < 0.5, 0).astype(int)
    label = np.clip(cause + generator.normal(size=5000), -2.0, 3.0)
    frame = pandas.DataFrame({"parent": parent.astype(str), "cause": cause.astype(str), "label": label})
    data = engine.Dataset.from_frame(frame, labels=["label"])
    (contrast,) = (
        contrast
        for contrast in effect_of_changing(data, "cause", "label", [["parent"]]).contrasts
        if contrast.measure is Measure.MEAN_DIFFERENCE
    )
    # 0.6 of the rows are known to change by about 1; of the rest the mean lies between -2 and 3, now at 0.
    assert abs(contrast.low - (0.6 - 0.8)) < 0.15 and abs(contrast.high - (0.6 + 1.2)) < 0.15


def test_a_numeric_parent_that_all_but_decides_the_cause() -> None:
    generator = np.random.default_rng(2)
    parent = generator.normal(size=2000)
    cause = generator.random(2000) < expit(8.0 * (parent - 1.0))
    label = generator.random(2000) < expit(0.5 * parent + cause)
    frame = pandas.DataFrame({"parent": parent, "cause": cause.astype(str), "label": label.astype(str)})
    data = engine.Dataset.from_frame(frame, labels=["label"])
    difference = comparison(effect_of_changing(data, "cause", "label", [["parent"]]), Measure.RATE_DIFFERENCE)
    # Half of the rows lie where fewer than one in a thousand has the level.
    assert (
        0.5 < difference.without_alike < 0.95 and difference.high - difference.low > difference.without_alike
    )


def test_nothing_changes_where_every_level_occurs_beside_all() -> None:
    data = table(500, 0)
    for label in ("two", "three", "number"):
        effect = effect_of_changing(data, "c", label, [["z"]])
        assert effect.contrasts == adjusted_association(data, "c", label, ["z"]).contrasts
        assert effect.points == adjusted_association(data, "c", label, ["z"]).points
