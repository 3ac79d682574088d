"""Whatever the columns of a table are called: names are shown to the letter, and open nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas
import pytest
from PySide6.QtCore import QAbstractListModel, QEvent, QPoint, QUrl
from PySide6.QtGui import QHelpEvent, Qt, QTextDocument, QTextLayout
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsView,
    QLabel,
    QMenu,
    QTabBar,
    QTextBrowser,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from clcd_gui.document.navigation import SelectedPair
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.document.templates import filled
from clcd_gui.evidence.answers import EvidenceText, SelectedText
from clcd_gui.plots.chart_view import ChartView
from clcd_gui.results.results_page import overview_html
from clcd_gui.run.running import SelectingState
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.text import literal
from clcd_gui.widgets.labels import PhraseLabel
from clcd_gui.wording.text import BREAK, NO_BREAK, whole
from engine.reporting.figures.chart import Axis, Chart, RowPanel
from engine.wording.phrases import Name, in_order, phrase
from tests.gui.conftest import open_as_found

IMAGE = '<img src="file:///picture.png">'
LABELS = ("<b>ill</b>", '"><script>alert(1)</script>', "R & D")
FEATURES = (IMAGE, "a & b", "{{ 7*7 }}", "<i>dose</i> bears on", "{% raw %}", "&lt;u&gt;", "plain")
MARKUP = tuple(name for name in (*LABELS, *FEATURES) if Qt.mightBeRichText(name))
LEVELS = ("<u>no</u>", "<u>yes</u>")


class Watched(QTextDocument):
    """Notes what it would open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.setHtml(html)
        # Pictures are opened when their room is measured.
        self.documentLayout().documentSize()

    def loadResource(self, kind: int, address: QUrl | str) -> None:
        self.opened.append(QUrl(address).toString())

    @property
    def read(self) -> str:
        """What a person reads."""
        return self.toPlainText().replace(BREAK, "").replace(NO_BREAK, " ")

    @property
    def tooltips(self) -> Iterator[str]:
        block = self.begin()
        while block.isValid():
            for fragment in block:
                yield fragment.fragment().charFormat().toolTip()
            block = block.next()


@pytest.fixture(scope="module")
def hostile_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three labels, of which two go along with the same feature, and each with one of its own."""
    generator = np.random.default_rng(3)
    columns = {name: generator.integers(0, 2, 500) for name in FEATURES}

    def noisy(*causes: str) -> np.ndarray:
        total = sum(columns[name] for name in causes) * 2 >= len(causes)
        return np.where(generator.random(500) < 0.12, ~total, total).astype(int)

    columns[LABELS[0]] = noisy(IMAGE)
    columns[LABELS[1]] = noisy(IMAGE, "{{ 7*7 }}", "a & b")
    columns[LABELS[2]] = noisy("<i>dose</i> bears on")
    path = tmp_path_factory.mktemp("tables") / "R & D <b>x<b>.csv"
    pandas.DataFrame({name: np.array(LEVELS)[column] for name, column in columns.items()}).to_csv(
        path, index=False
    )
    return path


@pytest.fixture(scope="module")
def analysed(module_window: MainWindow, module_bot: QtBot, hostile_table: Path) -> MainWindow:
    """The window, with results and a selection of that table; the tests only look at it."""
    window, qtbot = open_as_found(module_window, module_bot, hostile_table), module_bot
    session = window.session
    session.document.set_labels(LABELS)
    with qtbot.waitSignal(session.running.finished, timeout=120_000):
        session.running.start()
    window.go("selection")
    qtbot.waitUntil(lambda: session.selecting.state is SelectingState.DONE, timeout=60_000)
    return window


def guessed_texts(root: QWidget) -> Iterator[tuple[str, str]]:
    """Every text of which Qt guesses whether it is markup, and where it is shown."""
    for widget in (root, *root.findChildren(QWidget)):
        where = f"{type(widget).__name__} {widget.accessibleName()}"
        yield f"tooltip of {where}", widget.toolTip()
        if isinstance(widget, QLabel) and widget.textFormat() is Qt.TextFormat.AutoText:
            yield where, widget.text()
        elif isinstance(widget, QTabBar):
            yield from ((f"tooltip of a tab of {where}", widget.tabToolTip(i)) for i in range(widget.count()))
        elif isinstance(widget, QMenu):
            yield from ((f"tooltip of a command of {where}", action.toolTip()) for action in widget.actions())
        elif isinstance(widget, QGraphicsView):
            yield from ((f"tooltip in {where}", item.toolTip()) for item in widget.scene().items())
        elif isinstance(widget, (QAbstractItemView, QComboBox)):
            yield from ((f"tooltip of a cell of {where}", text) for text in cell_tooltips(widget))


def cell_tooltips(view: QAbstractItemView | QComboBox) -> Iterator[str]:
    model = view.model()
    if model is None:
        return
    role = Qt.ItemDataRole.ToolTipRole
    # Qt hides the count of a list, which has one column.
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for column in range(columns):
        yield model.headerData(column, Qt.Orientation.Horizontal, role) or ""
        for row in range(min(model.rowCount(), 20)):
            yield model.index(row, column).data(role) or ""


def assert_literal(where: str, text: str) -> None:
    """The text is plain for Qt, or written so that it opens nothing and no name in it is markup."""
    if not Qt.mightBeRichText(text):
        return
    names = [name for name in (*MARKUP, *LEVELS) if "<" in name]
    assert not any(name in text for name in names), f"{where}: {text}"
    assert Watched(text).opened == [], where


def test_the_watch_sees_what_a_picture_opens() -> None:
    assert set(Watched(f"<p>{IMAGE}</p>").opened) == {"file:///picture.png"}
    with pytest.raises(AssertionError):
        assert_literal("a tooltip", f"{IMAGE}: 2 labels")


@pytest.mark.parametrize("name", [*LABELS, *FEATURES, "two\nlines <b>x</b>", "a  b <b>"])
def test_a_tooltip_reads_as_the_name(qapp: QApplication, name: str) -> None:
    tooltip = literal(name)
    assert tooltip == name if not Qt.mightBeRichText(name) else Watched(tooltip).read == name


def test_every_page_shows_names_to_the_letter(analysed: MainWindow, qtbot) -> None:
    window = analysed
    seen: dict[str, str] = {}
    for step in ("data", "method", "results", "selection"):
        window.go(step)
        page = {"results": window.page("results"), "selection": window.page("selection")}.get(step)
        for tab in range(page.tabs.count() if page is not None else 1):
            if page is not None:
                page.tabs.setCurrentIndex(tab)
            QApplication.processEvents()
            seen |= {text: where for where, text in guessed_texts(window) if text}
    for text, where in seen.items():
        assert_literal(where, text)
    everything = "\n".join(Watched(text).read if Qt.mightBeRichText(text) else text for text in seen)
    for name in MARKUP:
        assert name in everything, "its tooltips were among those looked at"


def test_no_label_lets_qt_guess(analysed: MainWindow) -> None:
    formats = {
        (type(label).__name__, label.text()): label.textFormat() for label in analysed.findChildren(QLabel)
    }
    for (kind, text), form in formats.items():
        if kind == PhraseLabel.__name__:
            assert_literal(kind, text)
        elif Qt.mightBeRichText(text):
            assert form is Qt.TextFormat.PlainText, text


def test_the_grid_answers_to_the_letter(analysed: MainWindow, qtbot) -> None:
    window = analysed
    window.go("results")
    page = window.page("results")
    page.tabs.setCurrentWidget(page.grid)
    QApplication.processEvents()
    grid = page.grid.grid
    row, column = grid.grid.row_of[IMAGE], grid.grid.column_of[LABELS[0]]
    place: QPoint = grid.cell_rect(row, column).center()
    help_event = QHelpEvent(QEvent.Type.ToolTip, place, grid.viewport().mapToGlobal(place))
    QApplication.sendEvent(grid.viewport(), help_event)
    tooltip = QToolTip.text()
    QToolTip.hideText()
    # It goes a moment later.
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    assert_literal("the grid", tooltip)
    assert IMAGE in Watched(tooltip).read


def test_every_answer_names_what_it_speaks_of(analysed: MainWindow) -> None:
    document = analysed.session.document
    evidence, chosen = (
        EvidenceText(document.result),
        SelectedText(SelectedFeatures(document.feature_selection)),
    )
    pages = [("overview", Watched(overview_html(document.result)))]
    for writer in (evidence, chosen):
        for label in (None, *LABELS):
            for feature in (None, *FEATURES):
                if feature or label:
                    page = Watched(writer.write(SelectedPair(feature, label)))
                    pages.append((f"{feature} {label}", page))
                    assert feature is None or feature in page.read
                    assert feature is not None or label in page.read
    for name, page in pages:
        assert page.opened == [], name
        for tooltip in page.tooltips:
            assert_literal(name, tooltip)
    overview = pages[0][1]
    assert all(name in overview.read for name in (IMAGE, *LABELS))
    assert any(IMAGE in Watched(tooltip).read for tooltip in overview.tooltips if tooltip)


def test_a_name_that_holds_our_words_is_left_alone(analysed: MainWindow) -> None:
    text = EvidenceText(analysed.session.document.result)
    unrelated = Watched(text.write(SelectedPair("<i>dose</i> bears on", LABELS[0]))).read
    assert "<i>dose</i> bears on" in unrelated.splitlines()[0]
    assert unrelated.splitlines()[1].startswith("and ")


def test_links_of_such_names_select_them(analysed: MainWindow) -> None:
    sentence = phrase("{x} and {y}", x=Name(IMAGE), y=Name(LABELS[1], is_label=True))
    page = Watched(filled("sentences.html", sentences=[sentence], shown=str, accent="blue"))
    assert page.read == f"{IMAGE} and {LABELS[1]}"
    browsers = [browser for browser in analysed.findChildren(QTextBrowser) if browser.openLinks()]
    assert browsers == [], "a link selects, and opens nothing"


def test_ampersands_of_files_are_shown(analysed: MainWindow, hostile_table: Path) -> None:
    recent = analysed.commands.actions.recent_menu.actions()[0]
    assert recent.text() == "R && D <b>x<b>.csv"
    assert analysed.windowTitle() == "R & D <b>x<b>.csv[*] – CLCD"


@pytest.mark.parametrize("name", ["עייפות", "كآبة شديدة", "ضغط العمل (٠-١٠)", "fatigue"])
@pytest.mark.parametrize("suffix", [" (3 against 0)", " is 1"])
def test_what_is_said_of_a_name_from_the_right_stands_behind_it(
    qapp: QApplication, name: str, suffix: str
) -> None:
    text = in_order(name + suffix)
    assert whole(text) == name + suffix
    layout = QTextLayout(text)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    start = text.index(suffix)
    places = [line.cursorToX(start + number)[0] for number in range(1, len(suffix))]
    assert places == sorted(places)
    of_name = [line.cursorToX(number)[0] for number in range(1, start - 1)]
    assert max(of_name) <= places[0]


def test_charts_say_their_titles_in_order(qtbot: QtBot) -> None:
    panel = RowPanel("עייפות is 1", ("דופק (1 against 0)",), Axis(0.0, 1.0, "דופק (ms)"), ())
    view = ChartView()
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.show()
    view.set_chart(Chart("Sizes", ((panel,),)))
    QApplication.processEvents()
    title = next(label_item.item for label_item in view.canvas.ci.items if hasattr(label_item, "updateMin"))
    for item, text in ((title, "עייפות is 1"), (view.canvas.plots[0].below.label, "דופק (ms)")):
        assert item.toPlainText() == in_order(text)
        line = item.document().firstBlock().layout().lineAt(0)
        assert line.cursorToX(2)[0] < line.cursorToX(len(in_order(text)) - 1)[0]
