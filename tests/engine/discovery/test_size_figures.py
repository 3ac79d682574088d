"""Figures of estimates: none is written as zero with a sign, and what is not zero is not written as zero."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.discovery.effects.estimates import Contrast, Measure
from engine.discovery.effects.size_words import figure_text, interval_text, place_text
from engine.wording.numbers import ENGLISH, with_minus

SIGNED_ZERO = re.compile(r"[-−+]0(?:[.,]0*)?(?![\d.,])")
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


def test_an_interval_that_rounds_to_zero_has_digits() -> None:
    found = Contrast(
        Measure.RATE_DIFFERENCE, 2.0, 1.0, "yes", -0.00031, -0.00049, -0.00012, -0.00031, -0.00031
    )
    assert interval_text(found) == "−0.03 points (−0.05 to −0.01)"
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
