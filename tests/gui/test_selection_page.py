"""The page of selected features: sentences, table, grid and reasons, for every shape of selection."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

import engine
from clcd_gui.document import selected_features
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.evidence.answers import SelectedText
from clcd_gui.evidence.panel import EvidencePanel
from clcd_gui.plots.grid_data import SELECTED, describe, grid_data
from clcd_gui.plots.heat_grid import HeatGrid
from clcd_gui.selection.selection_page import SelectionPage
from clcd_gui.style.themes import Scheme, ThemeSwitcher, colours
from clcd_gui.style.tokens import SPACE
from clcd_gui.wording.text import BREAK, NO_BREAK, NUMBERS, strength_text
from engine.discovery.evidence import Relation, Rule
from engine.selection.result import Selection as FeatureSelection
from engine.wording.phrases import plain
from tests.gui.results_factory import SHAPES
from tests.gui.selection_factory import selection_by_hand
from tests.gui.test_results_page import plain_text
from tests.gui.workspaces import make_workspace, show_result

TITLES = {
    Rule.NEIGHBOUR: "direct neighbour",
    Rule.SPOUSE: "spouse",
    Rule.NEIGHBOUR_EQUIVALENT: "interchangeable with a direct neighbour",
    Rule.SPOUSE_EQUIVALENT: "interchangeable with a spouse",
}


def cut_texts(page: SelectionPage, title: str) -> list[str]:
    """What is longer than the lines that its row has room for, in a column."""
    table, model = page.features.findings.table, page.features.findings.model
    position = [column.title for column in model.columns].index(title)
    metrics, cut = table.fontMetrics(), []
    for row in range(model.rowCount()):
        text = str(model.index(row, position).data())
        room = QRect(0, 0, table.columnWidth(position) - 2 * SPACE, 0)
        needed = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
        if needed > table.rowHeight(row):
            cut.append(text)
    return cut


def test_the_reasons_of_a_selection_are_told_whole(every_rule: FeatureSelection, qtbot) -> None:
    views = Views(qtbot, every_rule)
    # As in a window of 1024 pixels, beside the steps and "Why?".
    views.page.resize(602, 640)
    assert cut_texts(views.page, "Why") == []


@pytest.fixture(scope="module")
def every_rule() -> FeatureSelection:
    """A selection with every rule, with stand-ins, alternatives and features in the place of labels."""
    network = engine.simulate(labels=6, features=40, rows=2000, seed=1)
    selection = engine.select_features(network.dataset, engine.DiscoverySettings(workers=1))
    reasons = [reason for reasons_of_feature in selection.reasons.values() for reason in reasons_of_feature]
    assert {reason.rule for reason in reasons} == set(Rule)
    assert any(reason.in_place_of for reason in reasons)
    assert any(reason.alternatives for reason in reasons)
    return selection


class Views:
    """The page and the panel over one highlight."""

    def __init__(self, qtbot, selection: FeatureSelection | None) -> None:
        self.workspace = make_workspace()
        self.highlight = self.workspace.highlight
        self.page = SelectionPage(self.workspace)
        self.evidence = EvidencePanel(self.workspace)
        self.workspace.navigation.changed.emit("selection")
        # What is shown here was selected before.
        self.workspace.session.selecting.set_wanted(False)
        for widget, width in ((self.page, 900), (self.evidence, 320)):
            qtbot.addWidget(widget)
            widget.resize(width, 640)
        if selection is not None:
            self.show_selection(selection)
        with qtbot.waitExposed(self.page):
            self.page.show()
        self.evidence.show()
        qtbot.waitUntil(lambda: self.page.is_filled)

    def show_selection(self, selection: FeatureSelection) -> None:
        self.selection = selection
        show_result(self.workspace, selection.discovery)
        self.workspace.session.document.set_feature_selection(selection)

    @property
    def why(self) -> str:
        return plain_text(self.evidence.browser)

    @property
    def sentences(self) -> str:
        return self.page.features.sentences.accessibleName()


@pytest.fixture
def views(qtbot, every_rule: FeatureSelection) -> Views:
    return Views(qtbot, every_rule)


def cell(views: Views, row: int, title: str) -> str:
    model = views.page.features.findings.model
    column = [column.title for column in model.columns].index(title)
    return model.index(row, column).data()


def test_the_table_lists_features_as_they_were_chosen(views: Views) -> None:
    model, selection = views.page.features.findings.model, views.selection
    assert [model.finding_at(row).feature for row in range(model.rowCount())] == list(selection.features)
    for row, feature in enumerate(selection.features):
        assert cell(views, row, "Serves") == ", ".join(selection.labels_of(feature))
        assert cell(views, row, "Replaces") == ", ".join(selection.stands_for(feature))
        assert cell(views, row, "Alternatives") == ", ".join(selection.alternatives_to(feature))
        strongest = max(reason.strength for reason in selection.reasons[feature])
        assert cell(views, row, "Strength") == strength_text(strongest)


def test_one_reason_is_told_in_words_and_many_are_counted(views: Views) -> None:
    for row, feature in enumerate(views.selection.features):
        reasons = views.selection.reasons[feature]
        text = cell(views, row, "Why")
        if len(views.selection.labels_of(feature)) > 1:
            in_place = sum(bool(reason.in_place_of) for reason in reasons)
            assert (f"in the place of a label for {in_place}" in text) == bool(in_place)
        else:
            named = (*reasons[0].stands_for, *reasons[0].children, *reasons[0].in_place_of)
            assert all(name in text for name in named)


def test_filter_sort_and_copy(views: Views) -> None:
    findings = views.page.features.findings
    twin = next(name for feature in views.selection.features for name in views.selection.stands_for(feature))
    findings.filter_box.setText(twin)
    shown = {findings.model.finding_at(row).feature for row in range(findings.model.rowCount())}
    assert shown == {
        feature
        for feature in views.selection.features
        if feature == twin
        or twin in views.selection.stands_for(feature)
        or twin in views.selection.alternatives_to(feature)
    }
    findings.filter_box.clear()
    serves = [column.title for column in findings.model.columns].index("Serves")
    findings.model.sort(serves, Qt.SortOrder.DescendingOrder)
    counts = [len(findings.model.finding_at(row).labels) for row in range(findings.model.rowCount())]
    assert counts == sorted(counts, reverse=True)
    findings.model.sort(-1)
    # What was found first is selected by itself, and a key that a test pressed may still count as held.
    findings.table.clearSelection()
    findings.table.selectRow(0)
    findings.table.copy()
    heading, line = QApplication.clipboard().text().splitlines()
    assert heading.startswith("Feature\tServes\tStrength\tWhy")
    assert line.startswith(f"{views.selection.features[0]}\t")


def test_the_sentences_count_what_was_selected(views: Views) -> None:
    sets = views.selection.label_sets
    most = max(map(len, sets.values()))
    assert f"{len(sets)} of 40 features together carry information about all 6 labels." in views.sentences
    top = [feature for feature, labels in sets.items() if len(labels) == most]
    assert all(name in views.sentences for name in top[:3])
    assert f"({most}" in views.sentences
    alone = sum(len(labels) == 1 for labels in sets.values())
    assert f"{alone} serve one label only." in views.sentences


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ("one label", "of 72 features together carry information about ill."),
        ("no findings", "None of 72 features carries information about any of 6 labels"),
        ("partial", "for 4 of 6 labels; not for sad-lonely and angry-aggresive."),
        ("long names", "Nothing was found for Mean of the standard deviations"),
    ],
)
def test_the_sentences_of_other_shapes(qtbot, shape: str, words: str) -> None:
    assert words in Views(qtbot, engine.selection_of(SHAPES[shape]())).sentences


def test_the_labels_that_share_most_are_named(every_rule: FeatureSelection) -> None:
    served = {label: set(every_rule.features_of(label)) for label in every_rule.dataset.labels}
    shared = {
        (first, second): len(served[first] & served[second])
        for first in served
        for second in served
        if first < second
    }
    text = plain(selected_features.shared(SelectedFeatures(every_rule)))
    most = max(shared.values())
    pair = next(pair for pair in shared if text.startswith(f"{pair[0]} and {pair[1]} share most: "))
    assert shared[pair] == most
    either = len(served[pair[0]] | served[pair[1]])
    assert f"share most: {most} of {either} features that serve either of them" in text


def test_every_reason_is_explained_with_all_that_goes_with_it(views: Views) -> None:
    for feature, reasons in views.selection.reasons.items():
        for reason in reasons:
            views.highlight.select(feature, reason.label)
            title = "in the place of another label" if reason.in_place_of else TITLES[reason.rule]
            assert title in views.why
            assert reason.rule.symbol in views.why
            related = (*reason.stands_for, *reason.together_with, *reason.children)
            for name in (*related, *reason.in_place_of, *reason.alternatives):
                assert name in views.why
            assert f"strength {strength_text(reason.strength)}" in views.why
            for label in views.selection.labels_of(feature):
                assert label in views.why


def test_a_feature_is_explained_label_by_label(views: Views) -> None:
    for place, feature in enumerate(views.selection.features, start=1):
        views.highlight.select(feature)
        total = len(views.selection.features)
        assert f"chosen as number {place} of {total}" in views.why
        for reason in views.selection.reasons[feature]:
            assert reason.label in views.why
            assert NUMBERS.strength(reason.strength) in views.why
        for name in (*views.selection.stands_for(feature), *views.selection.alternatives_to(feature)):
            assert name in views.why


def test_a_label_lists_its_features_and_the_labels_that_left(views: Views) -> None:
    for label, boundary in views.selection.boundaries.items():
        views.highlight.select(None, label)
        for name in (*views.selection.features_of(label), *boundary.removed_labels):
            assert name in views.why


def test_what_was_not_selected_is_explained_as_well(views: Views) -> None:
    selection = views.selection
    pairs = [
        (name, feature)
        for feature in selection.features
        for name in (*selection.stands_for(feature), *selection.alternatives_to(feature))
        if name not in selection.label_sets
    ]
    assert pairs
    for name, feature in pairs:
        views.highlight.select(name)
        assert "It was not selected." in views.why
        assert feature in views.why
    served = selection.labels_of(selection.features[-1])
    other_label = next(label for label in selection.dataset.labels if label not in served)
    views.highlight.select(selection.features[-1], other_label)
    assert "was not selected for" in views.why


def test_what_is_preferred_by_hand_is_not_said_to_tell_the_same(qtbot) -> None:
    network = engine.simulate(labels=6, features=40, rows=400, multiple_boundaries=0.8, seed=5)
    result = engine.discover(network.dataset)
    members = engine.selection_of(result).features
    inside, outside = next(
        (record.in_boundary[0], record.equivalent[0])
        for record in result.undistinguished_records
        if len(record.in_boundary) == len(record.equivalent) == 1
        and record.in_boundary[0] in members
        and record.equivalent[0] not in result.findings.by_feature
    )
    views = Views(qtbot, engine.selection_of(result.with_preferred([outside])))
    reason = next(reason for reason in views.selection.reasons[outside] if reason.is_assumed)
    views.highlight.select(outside, reason.label)
    assert f"{outside} is {reason.text}." in views.why
    page = views.evidence.browser.toHtml()
    for claim in ("carry the same information about", "interchangeable", "up to a margin", "θ"):
        assert claim not in page
    grid = grid_data(SelectedFeatures(views.selection), content=SELECTED)
    row, column = grid.row_of[outside], grid.column_of[reason.label]
    for words in (describe(grid, row, column), describe(grid, row, -1)):
        assert "preferred by you" in words and "interchangeable" not in words
    assert "preferred by you" in [entry.text for entry in SELECTED.legend]
    views.highlight.select(inside)
    assert "It was not selected." in views.why
    assert f"{outside} was selected instead, because you preferred it." in views.why
    assert f"{outside} carries the same information" not in views.why


def test_of_a_label_that_nothing_serves_no_other_feature_is_said_to_tell(
    every_rule: FeatureSelection,
) -> None:
    feature = every_rule.features[-1]
    served = every_rule.labels_of(feature)
    label = next(label for label in every_rule.dataset.labels if label not in served)
    pair = SelectedPair(feature, label)
    left = {
        name: tuple(reason for reason in reasons if reason.label != label)
        for name, reasons in every_rule.reasons.items()
    }
    left = {name: reasons for name, reasons in left.items() if reasons}
    unserved = FeatureSelection(tuple(left), left, every_rule.boundaries, every_rule.discovery)
    two_ways = "either the two are not significantly associated, or other features explain the association"
    one_way = f"{feature} was not selected for {label}: other features carry information about it."
    for selection, words, others in ((unserved, two_ways, one_way), (every_rule, one_way, two_ways)):
        text = written(SelectedText(SelectedFeatures(selection)).write(pair))
        assert words in text and others not in text


def written(page: str) -> str:
    """What is read of a page."""
    document = QTextDocument()
    document.setHtml(page)
    return " ".join(document.toPlainText().replace(BREAK, "").replace(NO_BREAK, " ").split())


def test_the_grid_shows_the_label_sets_and_how_each_is_served(views: Views) -> None:
    grid, selection = views.page.grid.panel.grid.grid, views.selection
    assert [finding.feature for finding in grid.findings] == list(selection.features)
    seen = set()
    for row, feature in enumerate(selection.features):
        reasons = {reason.label: reason for reason in reversed(selection.reasons[feature])}
        for column, label in enumerate(grid.labels):
            relation = grid.relation(row, column)
            assert (relation is not None) == (label in selection.label_sets[feature])
            if relation is None:
                continue
            seen.add(relation)
            assert (relation is Relation.INTERCHANGEABLE) == reasons[label].rule.is_equivalent
            assert (relation is Relation.IN_PLACE) == bool(reasons[label].in_place_of)
            assert grid.strengths[row, column] == pytest.approx(reasons[label].strength)
    # Nothing was preferred by hand.
    assert seen == set(Relation) - {Relation.PREFERRED, Relation.THROUGH_LABELS}


def test_the_legend_explains_every_mark_of_the_grid() -> None:
    legend = " ".join(entry.text for entry in SELECTED.legend)
    words = ("direct neighbour", "in the place of a label", "spouse", "interchangeable", "preferred by you")
    for text in (*words, "serves several labels", "serves one label", "strength"):
        assert text in legend


def test_an_empty_cell_does_not_say_that_nothing_was_found(views: Views) -> None:
    grid = views.page.grid.panel.grid
    row = len(views.selection.features) - 1
    column = next(place for place in range(6) if grid.grid.relation(row, place) is None)
    assert grid.describe(row, column).endswith("was not selected for this label")


def test_table_grid_and_reasons_share_one_highlight(views: Views) -> None:
    feature = views.selection.features[1]
    label = views.selection.labels_of(feature)[0]
    table = views.page.features.findings.table
    QTest.mouseClick(
        table.viewport(),
        Qt.MouseButton.LeftButton,
        pos=table.visualRect(table.model().index(1, 0)).center(),
    )
    assert views.highlight.feature == feature
    assert feature in views.why
    views.page.tabs.setCurrentWidget(views.page.grid)
    grid = views.page.grid.panel.grid
    row, column = grid.grid.row_of[feature], grid.grid.column_of[label]
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=grid.cell_rect(row, column).center())
    assert views.highlight.pair == SelectedPair(feature, label)
    assert table.currentIndex().row() == 1
    views.page.tabs.setCurrentWidget(views.page.features)
    views.page.features.findings.filter_box.setText("nothing is called so")
    top = views.selection.features[0]
    views.page.features.sentences.linkActivated.emit(f"select:{top}/")
    assert views.highlight.feature == top
    assert table.currentIndex().row() == 0


def test_results_and_selection_are_asked_apart(views: Views) -> None:
    feature = views.selection.features[0]
    views.highlight.select(feature)
    assert "chosen as number 1" in views.why
    views.workspace.navigation.changed.emit("results")
    assert "is linked to" in views.why
    views.workspace.navigation.changed.emit("selection")
    assert "chosen as number 1" in views.why


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
        for shape in sorted(set(SHAPES) - {"large"})
    ],
)
def test_every_shape_can_be_looked_at(qtbot, qapp: QApplication, shape: str, scheme: Scheme) -> None:
    switcher = ThemeSwitcher(qapp, scheme)
    try:
        selection = engine.selection_of(SHAPES[shape]())
        views = Views(qtbot, selection)
        for place in range(views.page.tabs.count()):
            views.page.tabs.setCurrentIndex(place)
            QApplication.processEvents()
            assert not views.page.grab().toImage().isNull()
        for feature in selection.features[:5]:
            views.highlight.select(feature, selection.labels_of(feature)[0])
            assert feature in views.why
        for label in selection.dataset.labels[:5]:
            views.highlight.select(None, label)
            assert label in views.why
        assert views.page.export_button.isEnabled() == bool(selection.features)
        assert colours(views.page.palette()).dark == (scheme is Scheme.DARK)
    finally:
        switcher.set_scheme(Scheme.LIGHT)
        switcher.deleteLater()


def test_a_stopped_search_says_so_of_its_label(qtbot) -> None:
    views = Views(qtbot, engine.selection_of(SHAPES["partial"]()))
    for label in views.selection.unfinished_labels:
        views.highlight.select(None, label)
        assert "stopped before this label was finished" in views.why
        assert label not in views.page.grid.panel.grid.grid.labels


def test_of_a_huge_selection_only_what_is_seen_is_filled_at_once(qtbot) -> None:
    views = Views(qtbot, engine.selection_of(SHAPES["usual"]()))
    before = views.page.grid.panel.grid.grid.row_count
    views.show_selection(selection_by_hand(SHAPES["large"]()))
    assert len(views.page.features.findings.model.findings) == 5000
    assert views.page.grid.panel.grid.grid.row_count == before
    qtbot.waitUntil(lambda: views.page.is_filled)
    assert views.page.grid.panel.grid.grid.row_count == 5000


def test_find_goes_to_the_current_view(views: Views, qtbot) -> None:
    views.page.activateWindow()
    qtbot.waitUntil(views.page.isActiveWindow)
    views.page.find_text()
    assert views.page.features.findings.filter_box.hasFocus()
    views.page.tabs.setCurrentWidget(views.page.grid)
    views.page.find_text()
    assert views.page.grid.panel.filter_box.hasFocus()


def test_everything_has_a_name_to_be_heard(views: Views) -> None:
    page = views.page
    for widget in (
        page.features.findings.table,
        page.features.findings.filter_box,
        page.features.sentences,
        page.grid.sentences,
        page.grid.panel.grid,
        page.grid.panel.order_box,
        page.tabs,
    ):
        assert widget.accessibleName()


def test_words_that_change_measure_no_view_that_is_not_seen(
    every_rule: FeatureSelection, monkeypatch: pytest.MonkeyPatch, qtbot
) -> None:
    sizes_asked: list[HeatGrid] = []
    size_hint = HeatGrid.sizeHint

    def counted(grid: HeatGrid) -> QSize:
        sizes_asked.append(grid)
        return size_hint(grid)

    monkeypatch.setattr(HeatGrid, "sizeHint", counted)
    views = Views(qtbot, every_rule)
    words = QLabel()
    words.setWordWrap(True)
    views.page.add_panel(words, "Words")
    views.page.tabs.setCurrentWidget(words)
    QApplication.processEvents()
    sizes_asked.clear()
    for number in range(20):
        words.setText("word " * number)
        QApplication.processEvents()
    assert len(sizes_asked) <= 20
