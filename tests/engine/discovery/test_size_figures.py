"""Figures of estimates: none is written as zero with a sign, and what is not zero is not written as zero."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.discovery.effects.estimates import Contrast, Estimand, Measure, Point, Sign, Size
from engine.discovery.effects.size_words import (
    cautions,
    figure_text,
    interval_text,
    place_text,
    size_sentences,
)
from engine.wording.numbers import ENGLISH, with_minus
from engine.wording.phrases import plain

SIGNED_ZERO = re.compile(r"[-−+]0(?:[.,]0*)?(?![\d.,])")
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


def test_an_interval_that_rounds_to_zero_has_digits() -> None:
    contrast = Contrast(
        Measure.RATE_DIFFERENCE, 2.0, 1.0, "yes", -0.00031, -0.00049, -0.00012, -0.00031, -0.00031
    )
    assert interval_text(contrast) == "−0.03 points (−0.05 to −0.01)"
    numbers = Contrast(Measure.MEAN_DIFFERENCE, 2.0, 1.0, None, -3e-9, -5e-9, -1e-9, -3e-9, -3e-9)
    assert interval_text(numbers) == "−3.00 × 10⁻⁹ (−5.00 × 10⁻⁹ to −1.00 × 10⁻⁹)"


@given(NUMBERS, st.sampled_from(Measure))
def test_a_figure_is_zero_only_where_the_value_is(value: float, measure: Measure) -> None:
    text = figure_text(value, measure)
    assert not SIGNED_ZERO.match(text)
    is_nothing = value == 0.0 or (measure is Measure.RATE_DIFFERENCE and abs(value) < 1e-11)
    assert bool(re.search("[1-9]", text.split(" × ")[0])) is not is_nothing


@given(NUMBERS, st.integers(0, 6))
def test_no_number_is_a_signed_zero(value: float, places: int) -> None:
    assert not SIGNED_ZERO.match(ENGLISH.decimal(value, places))
    assert not SIGNED_ZERO.match(place_text(value))


@pytest.mark.parametrize(
    ("text", "written"), [("-0.0", "0.0"), ("-0", "0"), ("-0,00", "0,00"), ("-0.5", "−0.5")]
)
def test_a_tick_at_zero_has_no_sign(text: str, written: str) -> None:
    assert with_minus(text) == written


def test_places_of_a_tiny_unit_are_told_apart() -> None:
    assert (place_text(2e-9), place_text(-3.25e-7), place_text(0.0)) == ("2 × 10⁻⁹", "−3.25 × 10⁻⁷", "0")


def size_of_levels(smaller: tuple[float, int], larger: tuple[float, int]) -> Size:
    points = tuple(
        Point(level, "yes", rate, 0.0, 1.0, rows) for level, (rate, rows) in (("b", smaller), ("a", larger))
    )
    contrast = Contrast(Measure.RATE_DIFFERENCE, "b", "a", "yes", 0.3, -0.5, 0.69, 0.3, 0.3)
    return Size(
        Estimand.ASSOCIATION, "dose", "ill", points, False, (contrast,), Sign.MORE, (), (), 500, 0, 0.95
    )


@pytest.mark.parametrize(
    ("smaller", "larger", "words"),
    [
        ((0.5, 6), (0.4, 300), "Estimates rest on few rows: dose = b in only 6 rows."),
        ((0.5, 19), (0.4, 300), "Estimates rest on few rows: dose = b in only 19 rows."),
        (
            (0.1, 40),
            (0.01, 300),
            "Estimates rest on few cases: ill = yes in only 7 of the 340 rows compared.",
        ),
        (
            (0.9, 40),
            (0.99, 300),
            "Estimates rest on few cases: all but 7 of the 340 rows compared have ill = yes.",
        ),
        (
            (0.0, 40),
            (0.0, 300),
            "Estimates rest on few cases: none of the 340 rows compared has ill = yes.",
        ),
        (
            (1.0, 40),
            (1.0, 300),
            "Estimates rest on few cases: all of the 340 rows compared have ill = yes.",
        ),
        ((0.5, 20), (0.4, 300), None),
        ((0.1, 100), (0.0, 300), None),
    ],
)
def test_estimates_that_rest_on_few_rows_say_so(
    smaller: tuple[float, int], larger: tuple[float, int], words: str | None
) -> None:
    size = size_of_levels(smaller, larger)
    told = [plain(sentence) for sentence in cautions([size])]
    assert told == ([] if words is None else [words])
    assert [plain(sentence) for sentence in size_sentences([size])][1:] == told


def test_a_curve_through_few_rows_says_so() -> None:
    size = replace(size_of_levels((0.5, 6), (0.4, 300)), is_curve=True, points=(), rows=24)
    assert [plain(sentence) for sentence in cautions([size])] == [
        "Estimates rest on few rows: 24 rows in all."
    ]
    assert not list(cautions([replace(size, rows=40)]))


def test_no_effect_in_the_range_of_a_cause_is_explained() -> None:
    contrast = Contrast(Measure.RATE_DIFFERENCE, "b", "a", "yes", 0.0, -0.1, 0.4, 0.0, 0.36)
    size = replace(
        size_of_levels((0.5, 60), (0.4, 300)),
        estimand=Estimand.EFFECT,
        contrasts=(contrast,),
        may_be_effect=True,
    )
    words = (
        "The evidence is weak that dose is a cause of ill, even if no common cause is unmeasured. "
        "If it is not a cause, changing it has no effect, so the range includes 0."
    )
    assert [plain(sentence) for sentence in cautions([size])] == [words]
    assert words in [plain(sentence) for sentence in size_sentences([size])]
