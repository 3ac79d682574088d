"""Names and numbers go into files and come back as they were."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clcd_gui.document.checks import block_check
from engine.independence.reflective import ReflectiveBlock
from engine.reporting.tables import join_names, split_names
from engine.wording.numbers import duration_text, exact_p, p_text
from engine.wording.phrases import Name, listing, phrase, plain, visible

NAMES = st.lists(st.text(), min_size=1)


@given(NAMES)
def test_names_in_one_cell_come_back(names: list[str]) -> None:
    assert split_names(join_names(names)) == tuple(names)


@given(st.lists(st.text(alphabet=';", \n\r\t', max_size=6), min_size=1))
def test_names_made_of_separators_and_quotes_come_back(names: list[str]) -> None:
    assert split_names(join_names(names)) == tuple(names)


def test_no_names_are_an_empty_cell() -> None:
    assert join_names([]) == ""
    assert split_names("") == ()


def test_a_name_with_the_separator_cannot_be_taken_for_two() -> None:
    assert join_names(["a; b"]) == '"a; b"'
    assert join_names(["a", "b"]) == "a; b"


@given(st.text(alphabet=st.characters(min_codepoint=0, max_codepoint=0x10FFFF)))
def test_a_visible_name_survives_xml(name: str) -> None:
    element = ElementTree.Element("node", {"id": visible(name)})
    element.text = visible(name)
    read = ElementTree.fromstring(ElementTree.tostring(element, "utf-8"))
    assert read.attrib["id"] == visible(name)
    assert (read.text or "") == visible(name)


def test_ordinary_letters_of_all_scripts_stay() -> None:
    for name in ("Größe ≥ 1", "高血压", "naïve & <b>", "𝛼 😢", "سكر"):
        assert visible(name) == name


@given(st.floats(min_value=-1e6, max_value=0.0))
def test_p_is_never_zero_and_agrees_with_its_logarithm(log_p: float) -> None:
    value = exact_p(math.exp(log_p), log_p)
    assert mpmath.mpf(value) > 0
    assert mpmath.log(mpmath.mpf(value)) == pytest.approx(log_p, rel=1e-6, abs=1e-5)
    assert p_text(math.exp(log_p), log_p) not in ("0", "0.0", "0.00", "0.000")


@pytest.mark.parametrize(
    ("p_value", "text"),
    [(1.0, "> 0.99"), (0.456, "0.46"), (0.0321, "0.032"), (0.0999, "0.10"), (0.00081, "0.0008")],
)
def test_p_as_a_person_reads_it(p_value: float, text: str) -> None:
    assert p_text(p_value, math.log(p_value)) == text


def test_tiny_p_as_a_person_reads_it() -> None:
    assert p_text(9.7e-12, math.log(9.7e-12)) == "1 × 10⁻¹¹"
    assert p_text(0.0, -2000.0 * math.log(10) + math.log(3)) == "3 × 10⁻²⁰⁰⁰"
    assert p_text(math.nan, math.nan) == "–"


@given(st.floats(min_value=0.0, max_value=0.5))
def test_no_duration_is_rounded_to_nothing(seconds: float) -> None:
    text = duration_text(seconds)
    assert text != "0.0 s"
    if text != "under 0.1 s":
        assert abs(float(text.removesuffix(" s")) - seconds) <= 0.05


def test_no_sentence_has_two_full_stops_behind_names_that_end_in_a_point() -> None:
    labels = listing([Name("Cough", is_label=True), Name("Resp.", is_label=True)])
    told = phrase("No direct link was found for {labels}. Read with care.", labels=labels)
    assert plain(told) == "No direct link was found for Cough and Resp. Read with care."
    inner = phrase("{one} is linked to {all}", one=Name("Nr."), all=labels)
    assert plain(phrase("{known}.", known=inner)) == "Nr. is linked to Cough and Resp."
    # A mark that belongs to what follows stays.
    assert plain(phrase("{name}.csv", name=Name("dr."))) == "dr..csv"
    (block,) = [block_check([ReflectiveBlock(("A 1.", "A 2.", "A 3.", "A 4."), (0.6,) * 4)])]
    assert block is not None and "A 4. Changing" in block.text
