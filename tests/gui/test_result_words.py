"""What the views say, held against the records that the engine handed over."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale, Qt

from clcd_gui.document.navigation import SelectedPair, anchor, pair_of_anchor
from clcd_gui.document.templates import filled
from clcd_gui.evidence.explanation import Explainer
from clcd_gui.results import results_page
from clcd_gui.results.results_page import overview_html
from clcd_gui.widgets.labels import LinkedText
from clcd_gui.wording.text import NO_BREAK, NUMBERS, share_text, whole
from engine.discovery.evidence import Evidence, Rule
from engine.reporting.sentences.overview import Overview, summary_sentences
from engine.wording.phrases import APART, TOGETHER_AGAIN, Name, phrase, plain
from tests.gui.results_factory import SHAPES, make_result, make_test

SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def sentences_of(record: Evidence) -> str:
    explainer = Explainer(make_result())
    return " ".join(plain(sentence) for sentence in explainer.reason(record).sentences)


def test_neighbour_names_the_nearest_set_and_its_figures() -> None:
    weakest = make_test("quiet-still", "feature 1", ("feature 2", "feature 3"), log_p=math.log(0.0008))
    record = Evidence(
        "feature 1",
        "quiet-still",
        Rule.NEIGHBOUR,
        tests=(make_test("quiet-still", "feature 1", log_p=-60.0), weakest),
    )
    text = sentences_of(record)
    assert "feature 1 is a direct neighbour of quiet-still" in text
    assert "The association remains given each set tested (up to 3 other neighbours)." in text
    assert "given feature 2 and feature 3 (G² = 12.1, 4 degrees of freedom, p = 0.0008)." in text


def test_a_neighbour_without_rivals_says_so() -> None:
    record = Evidence(
        "feature 1",
        "quiet-still",
        Rule.NEIGHBOUR,
        tests=(make_test("quiet-still", "feature 1", log_p=-60.0),),
    )
    assert "feature 1 and quiet-still are associated (G² = " in sentences_of(record)


def test_spouse_names_all_that_links_it_and_claims_no_untold_direction() -> None:
    record = Evidence(
        "feature 1",
        "quiet-still",
        Rule.SPOUSE,
        children=("feature 4", "sad-lonely"),
        tests=(make_test("quiet-still", "feature 1", ("feature 4",), log_p=-9.0),),
    )
    text = sentences_of(record)
    assert "among rows alike in feature 4 and sad-lonely the two are associated, as two causes" in text
    assert "Given feature 4, feature 1 and quiet-still are associated" in text
    assert "causes of feature 4" not in text


@pytest.mark.parametrize(
    ("rule", "children", "target"),
    [(Rule.NEIGHBOUR_EQUIVALENT, (), "quiet-still"), (Rule.SPOUSE_EQUIVALENT, ("feature 9",), "feature 9")],
)
def test_interchangeable_names_partner_and_target(rule: Rule, children: tuple[str, ...], target: str) -> None:
    tests = (
        make_test(target, "feature 1", log_p=-40.0),
        make_test(target, "feature 2", log_p=-42.0),
        make_test(target, "feature 1", ("feature 2",), log_p=math.log(0.41)),
        make_test(target, "feature 2", ("feature 1",), log_p=math.log(0.23)),
    )
    record = Evidence(
        "feature 1", "quiet-still", rule, partner=("feature 2",), children=children, tests=tests
    )
    text = sentences_of(record)
    assert "feature 1 is interchangeable with feature 2" in text
    assert f"Both carry the same information about {target}" in text
    assert "given feature 1: G²" in text
    assert "p = 0.23" in text


def test_second_pass_is_mentioned_only_when_it_was_needed() -> None:
    test = (make_test("quiet-still", "feature 1"),)
    plainly = Evidence("feature 1", "quiet-still", Rule.NEIGHBOUR, tests=test)
    recovered = Evidence("feature 1", "quiet-still", Rule.NEIGHBOUR, tests=test, recovered=True)
    assert "second pass" not in sentences_of(plainly)
    assert "second pass" in sentences_of(recovered)


def test_every_record_is_shown_with_every_test() -> None:
    result = SHAPES["usual"]()
    explainer = Explainer(result)
    for records in result.evidence.values():
        reasons = explainer.reasons(records[0].feature, records[0].label)
        assert [reason.symbol for reason in reasons] == [record.rule.symbol for record in records]
        for reason, record in zip(reasons, records, strict=True):
            assert len(reason.tests) == len(record.tests)
            for row, test in zip(reason.tests, record.tests, strict=True):
                assert row.p == NUMBERS.p(test.p_value, test.log_p)
                assert row.statistic == NUMBERS.statistic(test.statistic)
                assert all(name in plain(row.subject) for name in test.given)


def test_unreliable_tests_carry_a_caution() -> None:
    shaky = make_test("quiet-still", "feature 1")
    shaky = type(shaky)(**{name: getattr(shaky, name) for name in shaky.__slots__} | {"reliable": False})
    explainer = Explainer(make_result())
    row = explainer.reason(Evidence("feature 1", "quiet-still", Rule.NEIGHBOUR, tests=(shaky,))).tests[0]
    assert "too few rows" in row.caution


@given(st.floats(min_value=-1e6, max_value=-1e-12))
def test_p_is_never_zero_and_never_misleads(log_p: float) -> None:
    p_value = math.exp(log_p)
    text = NUMBERS.p(p_value, log_p)
    assert text not in ("0", "0.000", "0.0000", "0.00")
    if "×" in text:
        leading, exponent = text.split(" × 10")
        shown = math.log(float(leading)) + int(exponent.translate(SUPERSCRIPTS)) * math.log(10)
        # One leading digit is at most a factor 1.5 away from the number it stands for.
        assert abs(shown - log_p) <= math.log(1.5) + 1e-9 * abs(log_p)


@given(st.floats(min_value=1e-300, max_value=1.0))
def test_p_values_keep_their_meaning(p_value: float) -> None:
    text = NUMBERS.p(p_value, math.log(p_value))
    if text.startswith(">"):
        assert p_value > 0.99
    elif "×" not in text:
        assert float(text) == pytest.approx(p_value, abs=0.00501)


@given(st.text(), st.text())
def test_links_find_their_way_back(feature: str, label: str) -> None:
    pair = SelectedPair(feature or None, label or None)
    assert pair_of_anchor(anchor(pair)) == pair


def test_names_with_markup_stay_names() -> None:
    nasty = '<b>&"x'
    sentence = phrase("{x} ends", x=Name(nasty))
    html = filled("sentences.html", sentences=[sentence], shown=str, accent="blue")
    assert "<b>" not in html
    assert "&lt;b&gt;&amp;&#34;x" in html


def test_shares_are_not_rounded_to_nothing() -> None:
    assert share_text(0.0002) == "< 0.1 %"
    assert share_text(0.5) == "50 %"


@pytest.mark.parametrize("shape", SHAPES)
def test_summary_counts_are_those_of_the_tables(shape: str) -> None:
    result = SHAPES[shape]()
    text = " ".join(plain(sentence) for sentence in Overview(result, NUMBERS).summary())
    common, specific = len(result.common), len(result.label_specific)
    if common:
        assert text.startswith(f"{common} of {len(result.dataset.features)} variables")
        most = max(len(labels) for labels in result.common["labels"])
        assert f"({most}" in text or f"on {most}:" in text
    if specific and len(result.dataset.labels) > 1:
        assert f"{specific} are linked to one label only" in text
    if not common and not specific:
        assert text == "None of 72 variables is linked to any of 6 labels, as far as these data show."


def test_partial_runs_and_reliability_are_told() -> None:
    overview = Overview(SHAPES["partial"](), NUMBERS)
    text = plain(overview.partial())
    assert "4 of 6 labels are finished" in text
    assert "sad-lonely and angry-aggresive" in text
    words = " ".join(map(plain, overview.run()))
    assert "312 of those that look for direct neighbours (0.6 % of all) had too few rows" in words
    assert Overview(SHAPES["usual"]()).partial() == ()


def test_label_relations_are_told_once_a_pair() -> None:
    sentences = [plain(sentence) for sentence in Overview(make_result(related=3)).label_relations()]
    assert len(sentences) == 3
    assert all("are direct neighbours" in sentence for sentence in sentences)


@pytest.fixture
def english_locale() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English))
    yield
    QLocale.setDefault(before)


@pytest.mark.usefixtures("english_locale")
@pytest.mark.parametrize("shape", SHAPES)
def test_window_and_report_say_the_same_sentences(shape: str) -> None:
    result = SHAPES[shape]()
    shown = Overview(result, NUMBERS)
    assert summary_sentences(result) == tuple(
        plain(sentence) for sentence in (shown.partial(), *shown.summary()) if sentence
    )


def test_a_share_stays_on_one_line() -> None:
    page = filled("sentences.html", sentences=[phrase("in 76 % of the rows")], accent="#000000", shown=str)
    assert f"76{NO_BREAK}% of" in page


def test_labels_that_were_not_linked_are_not_said_to_be_unlinked() -> None:
    page = overview_html(make_result(related=0))
    assert "No label is linked to another one, as far as these data show." in page


def test_a_name_from_the_right_neither_turns_a_sentence_nor_takes_a_figure_in(qtbot) -> None:
    name = "عدد السجائر في اليوم 6"
    result = make_result(features=(name, "b"), common=1, specific=1)
    text = LinkedText(lambda: overview_html(result))
    qtbot.addWidget(text)
    text.resize(900, 600)
    text.show()
    block, named = text.document().begin(), 0
    while block.isValid():
        assert block.textDirection() is Qt.LayoutDirection.LeftToRight
        place = block.text().find(f"{APART}{name}{TOGETHER_AGAIN}")
        named += place >= 0
        figure = re.search(rf"{TOGETHER_AGAIN}\s(0\.\d\d)", block.text())
        if figure is not None:
            # The figure stands behind the name, as seen from the left.
            line = block.layout().lineAt(0)
            starts = [line.cursorToX(at)[0] for at in (place + 2, figure.start(1))]
            assert starts[0] < starts[1]
        block = block.next()
    assert named > 2
    assert "<i>" not in filled(
        "sentences.html", sentences=[phrase("{x}", x=Name(name))], accent="#0", shown=str
    )
    text.selectAll()
    assert whole(text.createMimeDataFromSelection().text()) == text.createMimeDataFromSelection().text()


def test_the_overview_counts_one_more_label_as_one() -> None:
    result = make_result(labels=41, features=60, common=0, specific=60, seed=11)
    every = len(result.findings.labels)
    assert not all(map(result.findings.of_label, result.findings.labels)), "also labels without a finding"
    for shown in (every - 1, every - 2):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(results_page, "_MOST_LABELS", shown)
            page = overview_html(result)
        more = every - shown
        assert f"{more} more label{'s' if more > 1 else ''}, all shown in the grid." in page


def test_a_long_name_in_the_overview_goes_on_below_its_beginning(qtbot) -> None:
    name = "Mean_Acc1298_Mean_Mem40_MFCC_0"
    result = make_result(features=(name, "b"), common=1, specific=1)
    text = LinkedText(lambda: overview_html(result))
    qtbot.addWidget(text)
    text.resize(380, 600)
    text.show()
    block, broken = text.document().begin(), 0
    while block.isValid():
        layout = block.layout()
        if block.text().startswith("Mean") and re.search(r"\d\.\d\d$", block.text()):
            lines = [layout.lineAt(number) for number in range(layout.lineCount())]
            assert len({line.cursorToX(line.textStart())[0] for line in lines}) == 1
            broken += len(lines) > 1
        block = block.next()
    assert broken
