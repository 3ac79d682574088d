"""The page of results and the evidence panel: one selection, links, notices, every shape of result."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.navigation import SelectedPair, step_anchor
from clcd_gui.evidence.panel import EvidencePanel
from clcd_gui.results.results_page import ResultsPage
from clcd_gui.style.text import scaled
from clcd_gui.style.themes import Scheme, ThemeSwitcher, colours, palette_of
from clcd_gui.style.tokens import DARK, LIGHT
from clcd_gui.widgets.labels import LinkedText
from clcd_gui.wording.text import NUMBERS
from engine import DiscoverySettings, discover, simulate
from engine.discovery.evidence import Rule
from engine.discovery.result import DiscoveryResult
from engine.recipe.table_steps import RowBlocks
from tests.gui.results_factory import SHAPES, make_result
from tests.gui.workspaces import make_workspace, show_result


class Views:
    """The page and the panel over one selection."""

    def __init__(self, qtbot, result: DiscoveryResult | None) -> None:
        self.workspace = make_workspace()
        self.selection = self.workspace.highlight
        self.page = ResultsPage(self.workspace)
        self.evidence = EvidencePanel(self.workspace)
        for widget, width in ((self.page, 900), (self.evidence, 320)):
            qtbot.addWidget(widget)
            widget.resize(width, 640)
        self.show_result(result)
        with qtbot.waitExposed(self.page):
            self.page.show()
        self.evidence.show()
        qtbot.waitUntil(lambda: self.page.is_filled)

    def show_result(self, result: DiscoveryResult | None) -> None:
        self.result = result
        if result is not None:
            show_result(self.workspace, result)

    @property
    def why(self) -> str:
        return plain_text(self.evidence.browser)


def plain_text(browser: LinkedText) -> str:
    return browser.toPlainText().replace("\u200b", "").replace("\u00a0", " ")


def click_link(browser: LinkedText, text: str) -> None:
    """Click the first link whose words are `text`."""
    cursor = browser.document().find(text.split("_")[0])
    while not cursor.isNull():
        cursor.setPosition(cursor.selectionStart() + 1)
        rect = browser.cursorRect(cursor)
        place = QPoint(rect.left() - 2, rect.center().y())
        if browser.anchorAt(place):
            QTest.mouseClick(browser.viewport(), Qt.MouseButton.LeftButton, pos=place)
            return
        cursor = browser.document().find(text, cursor)
    raise AssertionError(f"no link says {text!r}")


@pytest.fixture
def views(qtbot) -> Views:
    return Views(qtbot, SHAPES["usual"]())


def test_the_overview_stays_where_it_is_when_more_is_known(views: Views, qtbot) -> None:
    """Sizes come a moment after a first result, while it is read."""
    page, document = views.page, views.workspace.session.document
    page.tabs.setCurrentWidget(page.overview_panel)
    page.resize(500, 300)
    qtbot.waitUntil(lambda: page.overview.verticalScrollBar().maximum() > 60)
    page.overview.verticalScrollBar().setValue(60)
    document.refine_result(replace(document.result))
    qtbot.waitUntil(lambda: page.is_filled)
    assert page.overview.verticalScrollBar().value() == 60


def test_what_is_chosen_in_a_text_stays_until_the_text_is_another(qtbot) -> None:
    texts = ["Smoking is linked to two labels."]
    browser = LinkedText(lambda: f"<p>{texts[0]}</p>")
    qtbot.addWidget(browser)
    browser.selectAll()
    browser.refresh()
    assert browser.textCursor().selectedText() == texts[0]
    texts[0] = "Age is linked to one label."
    browser.refresh()
    assert browser.toPlainText() == texts[0] and not browser.textCursor().hasSelection()


def test_a_text_is_written_once_for_a_theme_and_when_somebody_sees_it(qtbot) -> None:
    written: list[str] = []

    def write() -> str:
        written.append("again")
        return "<p>Smoking is linked to <a href='x'>two labels</a>.</p>"

    browser = LinkedText(write)
    qtbot.addWidget(browser)
    browser.show()
    browser.hide()
    written.clear()
    browser.setPalette(palette_of(DARK))
    browser.setFont(scaled(browser.font(), 1.5))
    assert written == []
    browser.show()
    assert written == ["again"] and DARK.accent in browser.document().defaultStyleSheet()
    browser.setPalette(palette_of(LIGHT))
    assert len(written) == 2 and LIGHT.accent in browser.document().defaultStyleSheet()
    underlined = QFont(browser.font())
    underlined.setUnderline(True)
    browser.setFont(underlined)
    assert len(written) == 2, "neither size nor colours are others"


def test_before_the_first_run_the_page_teaches(qtbot) -> None:
    views = Views(qtbot, None)
    assert views.page.empty.isVisible()
    assert not views.page.empty.button.isEnabled(), "there is no table"
    assert "choose a variable or a label" in views.why


def test_the_first_run_can_be_started_on_the_page(opened, small_table: Path, qtbot) -> None:
    window = opened(small_table)
    window.go("results")
    button = window.page("results").empty.button
    assert button.isVisible() and not button.isEnabled(), "no label is chosen"
    window.session.document.set_labels(["ill", "tired"])
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not button.isVisible()


def test_every_view_follows_one_selection(views: Views, qtbot) -> None:
    findings = views.result.findings
    finding = findings.common[0]
    views.page.tabs.setCurrentWidget(views.page.graph)
    qtbot.waitUntil(lambda: bool(views.page.graph.view.graph.nodes))
    views.page.tabs.setCurrentWidget(views.page.common)
    QTest.mouseClick(
        views.page.common.table.viewport(),
        Qt.MouseButton.LeftButton,
        pos=views.page.common.table.visualRect(views.page.common.model.index(0, 0)).center(),
    )
    # The first row is asked about from the beginning, and its first label with it.
    assert views.selection.pair == SelectedPair(finding.feature, finding.labels[0])
    views.selection.select(finding.feature)
    assert finding.feature in views.page.grid.grid.accessibleDescription()
    node = views.page.graph.view.graph.nodes[finding.feature]
    assert node.opacity() == 1.0
    assert finding.feature in views.why
    for label in finding.labels:
        assert label in views.why
    specific = findings.label_specific[2]
    views.selection.select(specific.feature, specific.labels[0])
    assert views.page.label_specific.table.currentIndex().row() == 2
    assert not views.page.common.table.selectionModel().hasSelection()


def test_no_view_echoes_a_selection(views: Views) -> None:
    signalled: list[SelectedPair] = []
    views.selection.changed.connect(signalled.append)
    for finding in views.result.findings.all:
        for label in (None, *finding.labels):
            views.selection.select(finding.feature, label)
    expected = [
        SelectedPair(finding.feature, label)
        for finding in views.result.findings.all
        for label in (None, *finding.labels)
    ]
    assert signalled == expected


def test_evidence_shows_rule_partner_child_and_every_figure(views: Views) -> None:
    symbols = set()
    for records in views.result.evidence.values():
        views.selection.select(records[0].feature, records[0].label)
        for record in records:
            assert record.rule.symbol in views.why
            symbols.add(record.rule)
            for name in (*record.partner, *record.children):
                assert name in views.why
            for test in record.tests:
                assert NUMBERS.p(test.p_value, test.log_p) in views.why
    assert symbols >= {Rule.NEIGHBOUR, Rule.SPOUSE, Rule.NEIGHBOUR_EQUIVALENT}


def test_a_label_alone_lists_its_boundary(views: Views) -> None:
    for label in views.result.dataset.labels:
        views.selection.select(None, label)
        for finding in views.result.findings.of_label(label):
            assert finding.feature in views.why
    views.selection.select(None, "happy-pleased")
    assert "Other labels in its boundary" in views.why
    assert "amazed-suprised" in views.why


def test_two_labels_are_explained_as_well(views: Views) -> None:
    views.selection.select("amazed-suprised", "happy-pleased")
    assert "amazed-suprised is a direct neighbour of happy-pleased" in views.why


def test_two_labels_are_explained_from_either_side(qtbot) -> None:
    result = SHAPES["usual"]()
    one_way = {
        key: record for key, record in result.label_evidence.items() if record.label == "happy-pleased"
    }
    views = Views(qtbot, replace(result, label_evidence=one_way))
    views.selection.select("happy-pleased", "amazed-suprised")
    assert "amazed-suprised is a direct neighbour of happy-pleased" in views.why


def test_pairs_without_a_relation_and_strangers(views: Views) -> None:
    finding = views.result.findings.label_specific[0]
    other_label = next(label for label in views.result.dataset.labels if label not in finding.labels)
    views.selection.select(finding.feature, other_label)
    assert "does not count for" in views.why
    assert "It is also linked to" in views.why
    quiet = next(name for name in views.result.dataset.features if name not in views.result.label_sets)
    views.selection.select(quiet, None)
    assert "is linked to none of the labels" in views.why


def test_links_in_the_evidence_select(views: Views) -> None:
    finding = views.result.findings.common[0]
    views.selection.select(finding.feature, None)
    click_link(views.evidence.browser, finding.labels[1])
    assert views.selection.pair == SelectedPair(finding.feature, finding.labels[1])


def test_links_in_the_overview_jump(views: Views, qtbot) -> None:
    with qtbot.waitSignal(views.selection.why_requested):
        click_link(views.page.overview, "quiet-still")
    assert views.selection.pair == SelectedPair(None, "quiet-still")
    assert views.page.tabs.currentWidget() is views.page.grid
    top = views.result.findings.common[0].feature
    views.page.common.filter_box.setText("nothing is called so")
    views.page.show_pair(SelectedPair(top, None))
    assert views.page.tabs.currentWidget() is views.page.common
    assert views.page.common.table.currentIndex().row() == 0


def test_copied_evidence_has_the_names_as_they_are(views: Views) -> None:
    record = next(iter(views.result.evidence.values()))[0]
    views.selection.select(record.feature, record.label)
    views.evidence.browser.selectAll()
    views.evidence.browser.copy()
    copied = QApplication.clipboard().text()
    assert record.feature in copied
    assert "\u200b" not in copied


def test_earlier_settings_are_marked_and_can_be_run_again(opened, small_table: Path, qtbot) -> None:
    window = opened(small_table)
    session, page = window.session, window.page("results")
    session.live.set_wanted(False)
    session.document.set_labels(["ill", "tired"])
    with qtbot.waitSignal(session.running.finished, timeout=120_000):
        session.running.start()
    assert not page.stale_notice.isVisible()
    session.document.change_discovery("alpha", 0.02)
    assert page.stale_notice.isVisible()
    assert "earlier settings" in page.stale_notice.text and "0.02" in page.stale_notice.text
    assert page.stale_notice.button is not None and page.stale_notice.button.isEnabled()
    session.document.set_labels([])
    assert not page.stale_notice.button.isEnabled()
    session.document.set_labels(["ill", "tired"])
    assert page.stale_notice.button.isEnabled()
    with qtbot.waitSignal(session.running.finished, timeout=120_000):
        QTest.mouseClick(page.stale_notice.button, Qt.MouseButton.LeftButton)
    assert not page.stale_notice.isVisible()


def test_a_new_result_forgets_names_that_it_does_not_have(views: Views) -> None:
    views.selection.select("Std_MFCC_1", "quiet-still")
    views.show_result(SHAPES["usual"]())
    assert views.selection.pair == SelectedPair("Std_MFCC_1", "quiet-still")
    views.show_result(SHAPES["chinese"]())
    first = views.result.findings.all[0]
    assert views.selection.pair == SelectedPair(first.feature, first.labels[0]), "something is asked about"
    views.show_result(SHAPES["no findings"]())
    assert views.selection.pair.is_empty


# In the dark two shapes are the short form: colours come from one place, whatever is shown.
@pytest.mark.parametrize(
    ("shape", "scheme"),
    [
        pytest.param(
            shape,
            scheme,
            marks=[pytest.mark.long] if scheme is Scheme.DARK and shape not in ("usual", "partial") else [],
        )
        for scheme in (Scheme.LIGHT, Scheme.DARK)
        for shape in (*SHAPES, "tiny p")
    ],
)
def test_every_shape_can_be_looked_at(qtbot, qapp: QApplication, shape: str, scheme: Scheme) -> None:
    switcher = ThemeSwitcher(qapp, scheme)
    try:
        result = make_result(seed=9) if shape == "tiny p" else SHAPES[shape]()
        views = Views(qtbot, result)
        for place in range(views.page.tabs.count()):
            views.page.tabs.setCurrentIndex(place)
            QApplication.processEvents()
            ground = views.page.grab().toImage()
            assert not ground.isNull()
        for finding in result.findings.all[:5]:
            views.selection.select(finding.feature, finding.labels[0])
            assert finding.feature in views.why
        assert colours(views.page.palette()).dark == (scheme is Scheme.DARK)
    finally:
        switcher.set_scheme(Scheme.LIGHT)
        switcher.deleteLater()


def test_partial_and_empty_results_say_so(qtbot) -> None:
    views = Views(qtbot, SHAPES["partial"]())
    assert "4 of 6 labels are finished" in plain_text(views.page.overview)
    views.selection.select(None, "angry-aggresive")
    assert "stopped before this label was finished" in views.why
    views.show_result(SHAPES["no findings"]())
    text = plain_text(views.page.overview)
    assert "None of 72 variables is linked to any of 6 labels, as far as these data show." in text
    assert "a higher significance level (α)" in plain_text(views.page.overview)
    steps = []
    views.page.overview.step_followed.connect(steps.append)
    views.page.overview.anchorClicked.emit(QUrl(step_anchor("method")))
    assert steps == ["method"]
    assert 'href="step:method"' in views.page.overview.toHtml()
    views.page.tabs.setCurrentWidget(views.page.common)
    assert not views.page.common.table.isVisible()


def test_find_goes_to_the_current_view(views: Views, qtbot) -> None:
    views.page.activateWindow()
    qtbot.waitUntil(views.page.isActiveWindow)
    for panel in (views.page.common, views.page.label_specific):
        views.page.tabs.setCurrentWidget(panel)
        views.page.find_text()
        assert panel.filter_box.hasFocus()
    views.page.tabs.setCurrentWidget(views.page.graph)
    views.page.find_text()
    assert views.page.graph.find_box.hasFocus()


def test_everything_has_a_name_to_be_heard(views: Views) -> None:
    page = views.page
    for widget in (
        page.overview,
        page.common.table,
        page.common.filter_box,
        page.label_specific.table,
        page.grid.grid,
        page.grid.order_box,
        page.graph.view,
        page.graph.find_box,
        views.evidence.browser,
    ):
        assert widget.accessibleName()


def test_a_huge_result_fills_one_view_at_a_time(qtbot) -> None:
    views = Views(qtbot, SHAPES["usual"]())
    page = views.page

    def rows() -> tuple[int, int, int]:
        panels = page.common, page.label_specific
        return *(len(panel.model.findings) for panel in panels), page.grid.grid.grid.row_count

    seen = [rows()]
    # Whatever else waits for its turn, as a click does.
    timer = QTimer(page, interval=0)
    timer.timeout.connect(lambda: seen.append(rows()))
    timer.start()
    show_result(views.workspace, SHAPES["large"]())
    assert rows() == seen[0], "only the view that is looked at is filled at once"
    qtbot.waitUntil(lambda: page.is_filled)
    qtbot.waitUntil(lambda: rows() == seen[-1])
    timer.stop()
    changes = [
        [old != new for old, new in zip(before, after, strict=True)] for before, after in pairwise(seen)
    ]
    assert max(map(sum, changes)) == 1, "between two views the window answers"
    assert [sum(column) for column in zip(*changes, strict=True)] == [1, 1, 1]
    assert page.grid.grid.grid.row_count == 5000


def test_the_overview_begins_at_its_top(qtbot) -> None:
    views = Views(qtbot, SHAPES["usual"]())
    views.page.hide()
    views.page.overview.resize(40, 17)
    views.show_result(SHAPES["many labels"]())
    assert views.page.overview.verticalScrollBar().value() == 0
    views.page.show()
    QApplication.processEvents()
    assert views.page.overview.verticalScrollBar().maximum() > 0
    assert views.page.overview.verticalScrollBar().value() == 0


def test_labels_that_were_not_finished_have_no_column(qtbot) -> None:
    views = Views(qtbot, SHAPES["partial"]())
    views.page.tabs.setCurrentWidget(views.page.grid)
    result = SHAPES["partial"]()
    assert views.page.grid.grid.grid.labels == tuple(result.boundaries)


def test_a_text_is_as_narrow_beside_a_scroll_bar_as_without_one(qtbot) -> None:
    """Else one that is written otherwise where it is narrow may need the bar in one way alone."""
    text = LinkedText(lambda: "<p>A line.</p>")
    text.narrow_letters = 40
    qtbot.addWidget(text)
    text.show()
    narrow = []
    for width in range(200, 500, 3):
        text.resize(width, 200)
        for policy in (Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff):
            text.setVerticalScrollBarPolicy(policy)
            narrow.append(text.is_narrow)
    assert narrow[::2] == narrow[1::2]
    assert set(narrow) == {False, True}


def test_the_overview_says_which_links_are_lost_since_rows_are_grouped(qtbot) -> None:
    dataset = simulate(labels=3, features=12, rows=400, seed=0).dataset
    views = Views(qtbot, discover(dataset))
    assert "not found here" not in plain_text(views.page.overview)
    views.show_result(discover(RowBlocks(80).apply(dataset).dataset))
    before, shown = views.workspace.session.document.history.runs
    links = sum(len(finding.labels) for finding in before.result.counted_findings.all)
    assert links > 3 and not shown.result.counted_findings.all
    lost = f"Of {links} links in the run “{before.name}”, {links} are not found here."
    assert "into 5 groups. " + lost in plain_text(views.page.overview)
    views.workspace.session.document.history.show(before.number)
    assert "not found here" not in plain_text(views.page.overview)
    # Where the level differs too, grouping need not be the reason.
    strict = discover(RowBlocks(80).apply(dataset).dataset, DiscoverySettings(alpha=0.001))
    searched = Analysis.of(strict.dataset).with_settings(discovery={"alpha": 0.001})
    views.workspace.session.document.set_result(strict, searched)
    assert "not found here" not in plain_text(views.page.overview)
