"""Charts on the screen: pyqtgraph holds what is described, marks answer, parts can be looked at closely."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyqtgraph
import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QMouseEvent, QPainter, QPalette, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from clcd_gui.plots.axes import NamedAxis
from clcd_gui.plots.canvas import PAINTERS, PanelPainter, _with_event
from clcd_gui.plots.chart_view import ChartView
from engine.reporting.figures.chart import (
    Axis,
    Chart,
    Curve,
    CurvePanel,
    FigurePoint,
    Panel,
    RowMark,
    RowPanel,
    Series,
)
from engine.reporting.figures.graph import GraphFigure
from engine.reporting.figures.looks import Marker, looks
from engine.reporting.figures.plots import PLOTS
from tests.engine.reporting.test_figures import (
    OTHER,
    OWN,
    PANELS,
    curve_panel,
    rank_panel,
    row_panel,
    share_panel,
    web_panel,
    whole_chart,
)

DARK_GROUND = "#1b1e22"


@pytest.fixture
def view(qtbot) -> Iterator[ChartView]:
    chart_view = ChartView()
    qtbot.addWidget(chart_view)
    chart_view.resize(QSize(900, 700))
    chart_view.set_chart(whole_chart(PANELS))
    with qtbot.waitExposed(chart_view):
        chart_view.show()
    qtbot.waitUntil(lambda: chart_view.is_drawn)
    # Panels take their places then.
    QApplication.processEvents()
    yield chart_view
    # A tip that is shown stays a moment, which another test would take for a window of its own.
    QToolTip.hideText()
    chart_view.hide()


def draw(view: ChartView, chart: Chart) -> None:
    """Show another chart, which is drawn in turns of its own."""
    view.set_chart(chart)
    while not view.is_drawn:
        view._soon.due.emit()


def drawn_points(painter: PanelPainter) -> list[tuple[float, float]]:
    """Every mark that pyqtgraph holds, rings around the pointer's apart."""
    places = []
    for item in painter.box.addedItems:
        if isinstance(item, pyqtgraph.ScatterPlotItem) and item is not painter.halo:
            x, y = item.getData()
            places += list(zip(x.tolist(), y.tolist(), strict=True))
    return places


def test_no_more_than_a_row_of_panels_is_drawn_in_a_turn(view: ChartView) -> None:
    rows = ((curve_panel(), row_panel()), (rank_panel(), web_panel()), (share_panel(),))
    view.set_chart(Chart("", rows))
    drawn = []
    while not view.is_drawn:
        assert view.canvas.updatesEnabled() is not bool(drawn), "it is painted as a whole"
        view._soon.due.emit()
        drawn.append(len(view.canvas.plots))
    assert drawn == [2, 4, 5, 5]
    assert view.canvas.updatesEnabled()


def test_a_window_of_another_size_shows_the_ground_where_a_chart_is_being_drawn(view: ChartView) -> None:
    ground = QColor(view.canvas.backgroundBrush().color()).name()
    view.set_chart(Chart("", ((curve_panel(), row_panel()), (rank_panel(), web_panel()), (share_panel(),))))
    for _ in range(2):
        view._soon.due.emit()
        view.resize(view.width() + 1, view.height())
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        assert not view.is_drawn
        picture = view.grab().toImage()
        place = view.canvas.geometry().center()
        assert picture.pixelColor(place).name() == ground


def test_a_chart_that_comes_while_another_is_drawn_takes_its_place(view: ChartView) -> None:
    view.set_chart(Chart("", ((curve_panel(), row_panel()), (rank_panel(), web_panel()))))
    view._soon.due.emit()
    draw(view, Chart("", ((share_panel(),),)))
    assert len(view.canvas.plots) == 1
    assert view.canvas.updatesEnabled()


def test_charts_that_follow_one_another_quickly_are_seen_all_the_same(view: ChartView) -> None:
    is_whole = []
    for _ in range(12):
        view.set_chart(Chart("", ((curve_panel(), row_panel()), (rank_panel(), web_panel()))))
        view._soon.due.emit()
        is_whole.append(view.canvas.updatesEnabled())
    assert is_whole.count(True) >= 3


def test_the_legend_changes_together_with_the_chart(view: ChartView) -> None:
    before = view.legend.entries
    view.set_chart(Chart("", ((curve_panel(), row_panel()), (rank_panel(), web_panel())), legend=(OTHER,)))
    view._soon.due.emit()
    assert view.canvas.plots and view.legend.entries is before
    draw(view, view.chart)
    assert len(view.legend.entries) == 1


def test_nothing_in_the_colours_of_another_theme_is_seen_while_a_chart_is_drawn(view: ChartView) -> None:
    painted = QColor(view.canvas.backgroundBrush().color()).name()
    view.setPalette(QPalette(QColor(DARK_GROUND)))
    view._soon.due.emit()
    assert not view.is_drawn and view.canvas.updatesEnabled()
    ground = QColor(view.canvas.backgroundBrush().color()).name()
    assert ground != painted
    picture = view.canvas.viewport().grab().toImage()
    seen = {QColor(picture.pixelColor(x, 10)).name() for x in range(0, picture.width(), 3)}
    assert seen == {ground}


def test_every_kind_that_files_know_is_on_the_screen_too() -> None:
    # The graph of the window is a scene of its own.
    assert set(PAINTERS) | {GraphFigure} == set(PLOTS)


@pytest.mark.parametrize("make", PANELS, ids=lambda make: make.__name__)
def test_what_is_drawn_is_what_is_described(view: ChartView, make: Callable[[], Panel]) -> None:
    panel = make()
    draw(view, Chart("one", ((panel,),)))
    (painter,) = view.canvas.plots
    assert sorted(painter.words) == sorted(panel.words())
    assert drawn_points(painter) == painter.places
    assert len(painter.places) == len(panel.words())
    assert painter.box.viewRect().isValid()
    for x, y in painter.places:
        assert painter.box.viewRect().contains(x, y), "a mark lies outside"


def test_places_are_the_figures(view: ChartView) -> None:
    draw(view, Chart("", ((curve_panel(), row_panel()), (rank_panel(), web_panel()), (share_panel(),))))
    curves, rows, ranks, web, shares = (
        dict(zip(plot.words, plot.places, strict=True)) for plot in view.canvas.plots
    )
    assert curves["other, 10.0: 0.10"] == (10.0, 0.1) and curves["all: 0.28"] == (32.0, 0.28)
    # Logarithms, and what lies beyond the scale at its end; the second row's second lane of two.
    assert rows["first: 30"] == (pytest.approx(np.log10(30.0)), pytest.approx(0.3))
    assert rows["beyond: 1e9"][0] == 4.0
    assert ranks["delta 4.00"] == (4.0, 0.0)
    assert web["own 0.4"] == (pytest.approx(0.4), pytest.approx(0.0))
    assert shares["b, 3: 5 of 5"] == (2.5, 1.5)


def test_lines_and_marks_have_their_look(view: ChartView) -> None:
    draw(view, Chart("", ((curve_panel(),),)))
    (painter,) = view.canvas.plots
    curves = [
        graphics_item
        for graphics_item in painter.box.addedItems
        if isinstance(graphics_item, pyqtgraph.PlotCurveItem)
    ]
    dashed = [curve for curve in curves if curve.opts["pen"].style() == Qt.PenStyle.CustomDashLine]
    series_look = looks()["series-7"]
    assert dashed and all(curve.opts["pen"].color() == QColor(series_look.colour) for curve in dashed)
    pattern = dashed[0].opts["pen"].dashPattern()
    assert [length * dashed[0].opts["pen"].widthF() for length in pattern] == pytest.approx(series_look.dash)
    symbols = {
        graphics_item.opts["symbol"]
        for graphics_item in painter.box.addedItems
        if isinstance(graphics_item, pyqtgraph.ScatterPlotItem) and graphics_item is not painter.halo
    }
    assert symbols == {"s", "star"}
    assert series_look.marker is Marker.SQUARE and not series_look.is_filled


def move(view: ChartView, place: QPointF) -> None:
    canvas = view.canvas
    where = canvas.viewport().mapToGlobal(place)
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(QEvent.Type.MouseMove, place, where, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(canvas.viewport(), event)


def test_every_mark_answers_the_pointer(view: ChartView) -> None:
    spots = list(view.canvas.spots())
    assert len(spots) == len(whole_chart(PANELS).words())
    answered = 0
    for spot in spots:
        hit = view.canvas.spot_at(QPointF(spot.x, spot.y))
        assert hit is not None
        # Where two lie in one place, either is right.
        assert np.hypot(hit.x - spot.x, hit.y - spot.y) < 0.5
        answered += hit.words == spot.words
    assert answered >= len(spots) - 2
    assert view.canvas.spot_at(QPointF(1.0, 1.0)) is None


def test_hovering_says_the_words_and_rings_the_mark(view: ChartView, qtbot) -> None:
    odd = RowMark(OWN, 0, 5.0, "<img src='x'> & 5")
    draw(view, Chart("", ((RowPanel("", ("row",), Axis(0.0, 10.0), (odd,)),),)))
    QApplication.processEvents()
    (spot,) = view.canvas.spots()
    move(view, QPointF(spot.x, spot.y))
    assert "&lt;img src='x'&gt; &amp; 5" in QToolTip.text(), "a name that looks like markup is shown as it is"
    (painter,) = view.canvas.plots
    assert painter.halo.getData()[0].tolist() == [5.0]
    move(view, QPointF(2.0, 2.0))
    assert len(painter.halo.getData()[0]) == 0


def wheel(view: ChartView, place: QPointF, keys: Qt.KeyboardModifier) -> QWheelEvent:
    canvas = view.canvas
    where = canvas.viewport().mapToGlobal(place)
    event = QWheelEvent(
        place,
        where,
        QPointF(0, 0).toPoint(),
        QPointF(0, 240).toPoint(),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas.viewport(), event)
    return event


def test_looking_closer_and_the_whole_again(view: ChartView) -> None:
    draw(view, Chart("", ((curve_panel(),),)))
    QApplication.processEvents()
    (painter,) = view.canvas.plots
    middle = QPointF(view.canvas.width() / 2, view.canvas.height() / 2)
    before = painter.box.viewRect()
    plain = wheel(view, middle, Qt.KeyboardModifier.NoModifier)
    assert not plain.isAccepted(), "a wheel is left to the page"
    assert painter.box.viewRect() == before and not view.whole.isEnabled()
    wheel(view, middle, Qt.KeyboardModifier.ControlModifier)
    assert painter.box.viewRect().width() < before.width() and view.whole.isEnabled()
    QTest.mouseClick(view.whole, Qt.MouseButton.LeftButton)
    assert painter.box.viewRect().width() == pytest.approx(before.width())
    assert not view.whole.isEnabled()
    wheel(view, middle, Qt.KeyboardModifier.ControlModifier)
    QTest.mouseDClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle.toPoint())
    assert painter.box.viewRect().width() == pytest.approx(before.width())


def colours_in(view: ChartView) -> dict[str, int]:
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels, counts = np.unique(np.frombuffer(image.constBits(), dtype=np.uint32), return_counts=True)
    names = [QColor.fromRgb(int(pixel)).name() for pixel in pixels]
    return dict(zip(names, counts.tolist(), strict=True))


@pytest.mark.parametrize("look", ["series-0", "series-7", "share-4", "own"])
def test_series_have_their_colour_in_either_theme(view: ChartView, qtbot, look: str) -> None:
    series = replace(OTHER, look=look)
    marks = tuple(RowMark(series, row, 5.0, "", 0.0, 5.0) for row in range(3))
    draw(view, Chart("", ((RowPanel("", ("a", "b", "c"), Axis(0.0, 10.0), marks),),)))
    series_look = looks()[look]
    # Laying out takes some turns of the event loop, and so does another theme.
    qtbot.waitUntil(lambda: colours_in(view).get(series_look.colour, 0) > 10)
    assert colours_in(view).get(series_look.colour_on_dark, 0) == 0
    view.setPalette(QPalette(QColor(DARK_GROUND)))
    qtbot.waitUntil(lambda: colours_in(view).get(series_look.colour_on_dark, 0) > 10)
    assert colours_in(view).get(series_look.colour, 0) == 0


def test_the_legend_names_every_series(view: ChartView) -> None:
    labels = [label.text() for label in view.legend.findChildren(QLabel) if label.text()]
    assert labels == [OWN.name, OTHER.name]
    assert view.note.text() == "How to read it." and view.accessibleName() == "Everything"


def test_another_chart_takes_the_place_of_the_first(view: ChartView) -> None:
    for _ in range(3):
        draw(view, whole_chart(PANELS))
    assert len(view.canvas.plots) == len(PANELS)
    boxes = [
        graphics_item
        for graphics_item in view.canvas.scene().items()
        if isinstance(graphics_item, pyqtgraph.ViewBox)
    ]
    assert len(boxes) == len(PANELS)
    draw(view, Chart("nothing", (), note="Nothing yet."))
    assert view.canvas.plots == [] and view.note.isVisible() and not view.whole.isVisible()


def test_no_menu_and_no_opengl(view: ChartView) -> None:
    assert not pyqtgraph.getConfigOption("useOpenGL") and not pyqtgraph.getConfigOption("useNumba")
    for painter in view.canvas.plots:
        assert not painter.box.menuEnabled()
    place = view.canvas.rect().center()
    QTest.mouseClick(view.canvas.viewport(), Qt.MouseButton.RightButton, pos=place)
    assert QApplication.activePopupWidget() is None


def test_a_narrow_view_keeps_every_column(view: ChartView) -> None:
    for width in (1400, 900, 640):
        view.resize(width, 700)
        QApplication.processEvents()
        for painter in view.canvas.plots:
            box = painter.box.sceneBoundingRect()
            assert box.width() >= 80 and box.right() <= view.canvas.width() + 1


def test_nothing_is_drawn_before_it_is_seen(qtbot) -> None:
    chart_view = ChartView()
    qtbot.addWidget(chart_view)
    chart_view.resize(QSize(900, 700))
    chart_view.set_chart(whole_chart(PANELS))
    assert chart_view.canvas is None and chart_view.chart.title == "Everything"
    with qtbot.waitExposed(chart_view):
        chart_view.show()
    qtbot.waitUntil(lambda: chart_view.is_drawn)
    assert len(chart_view.canvas.plots) == len(PANELS)
    chart_view.hide()
    chart_view.set_chart(Chart("one", ((row_panel(),),)))
    chart_view.setPalette(QPalette(QColor(DARK_GROUND)))
    QApplication.processEvents()
    assert len(chart_view.canvas.plots) == len(PANELS), "a hidden chart is left as it was"
    with qtbot.waitExposed(chart_view):
        chart_view.show()
    qtbot.waitUntil(lambda: chart_view.is_drawn)
    assert len(chart_view.canvas.plots) == 1


def test_nothing_that_has_gone_is_painted_after_other_charts_and_sizes(view: ChartView) -> None:
    # The process would end here: Qt's index by places keeps items whose bounds change unsaid.
    for number, make in enumerate(PANELS * 2):
        draw(view, whole_chart([make, PANELS[number // 2]]))
        QApplication.processEvents()
        view.resize(200 + 190 * (number % 6), 100 + 130 * (number % 5))
        QApplication.processEvents()
    assert view.canvas.plots


def texts_of(axis: NamedAxis) -> list[tuple[QRectF, str]]:
    """What a scale writes, and where."""
    placed_texts: list[tuple[QRectF, str]] = []

    class Watched(QPainter):
        def drawText(self, box: QRectF, _flags: int, text: str) -> None:
            placed_texts.append((QRectF(box), text))

    picture = QImage(2000, 400, QImage.Format.Format_ARGB32)
    painter = Watched(picture)
    specs = axis.generateDrawSpecs(painter)
    axis.drawPicture(painter, *specs)
    painter.end()
    return placed_texts


def curve_of(name: str, low: float, high: float, ticks: tuple[tuple[float, str], ...] = ()) -> CurvePanel:
    series = Series("association", OWN.look)
    points = tuple(FigurePoint(figure, 0.5, "half") for figure in (low, high))
    return CurvePanel("is 1", Axis(low, high, name, ticks=ticks), Axis(0.0, 1.0), (Curve(series, points),))


@pytest.mark.parametrize("name", ["Mean_Acc1298_Mean_Mem40_MFCC_0", "<b>difference</b> in percentage points"])
def test_the_title_of_a_scale_is_in_the_picture_to_the_letter(view: ChartView, name: str) -> None:
    for width in (420, 210, 150):
        view.resize(width, 500)
        draw(view, Chart("c", ((curve_of(name, -90.0, -60.0),),)))
        QApplication.processEvents()
        title = view.canvas.plots[0].below.label
        box = title.mapRectToScene(title.boundingRect())
        assert box.left() >= -1 and box.right() <= view.canvas.width() + 1
        shown = title.toPlainText()
        assert shown == name or ("…" in shown and title.toolTip())
        assert width < 420 or shown == name


def test_figures_of_a_scale_have_a_minus_and_do_not_touch(view: ChartView) -> None:
    shares = tuple((share / 5, f"{20 * share} %") for share in range(6))
    for ticks in ((), shares):
        view.resize(170, 500)
        low, high = (0.0, 1.0) if ticks else (-90.0, -60.0)
        draw(view, Chart("c", ((curve_of("x", low, high, ticks),),)))
        QApplication.processEvents()
        written = sorted(texts_of(view.canvas.plots[0].below), key=lambda placed_text: placed_text[0].left())
        assert len(written) > 1
        assert not any("-" in text for _, text in written)
        assert all(left.right() < right.left() for (left, _), (right, _) in pairwise(written))


def test_names_are_shortened_before_their_figures_are(view: ChartView) -> None:
    figures = "(0.139 against 0.0875)"
    names = tuple(f"Mean_Acc1298_{statistic}_Mem40_MFCC_6 {figures}" for statistic in ("Mean", "Std"))
    marks = tuple(RowMark(Series("association", OWN.look), row, 0.1, "said") for row in range(2))
    panel = RowPanel("is 1", names, Axis(0.0, 1.0), marks)
    for width in range(260, 900, 40):
        view.resize(width, 500)
        draw(view, Chart("c", ((panel,),)))
        QApplication.processEvents()
        written = [text for _, text in view.canvas.plots[0].left._tickLevels[0]]
        assert len(set(written)) == 2
        assert all(text.endswith(figures) or ("0.0875" not in text and "(" not in text) for text in written)


def test_titles_of_long_levels_begin_with_what_tells_them_apart() -> None:
    """Without room for any of the label, the beginning of the level is kept, not that of the label."""
    metrics = QFontMetricsF(QFont())
    levels = ("complete or partial response", "complete or partial remission", "progressive disease")
    room = 0.9 * min(metrics.horizontalAdvance(f"= {level}") for level in levels[:2])
    shown = [_with_event(f"Tumour response at 12 weeks = {level}", metrics, room) for level in levels]
    assert all(text.startswith("= ") for text in shown[:2]) and shown[2].endswith(" = progressive disease")
    assert len(set(shown)) == len(levels) and all(metrics.horizontalAdvance(text) <= room for text in shown)


def test_a_title_that_is_too_long_keeps_the_event(view: ChartView) -> None:
    levels = ("strongly disagree", "rather disagree", "rather agree", "strongly agree")
    panels = tuple(
        (
            RowPanel(
                f"To what extent do you agree? [I am content with the life that I lead.] = {level}",
                ("never", "often"),
                Axis(0.0, 1.0),
                (RowMark(Series("association", OWN.look), 0, 0.1, "said"),),
            ),
        )
        for level in levels
    )
    view.resize(260, 900)
    draw(view, Chart("c", panels))
    QApplication.processEvents()
    titles = [item.text for item in view.canvas.scene().items() if isinstance(item, pyqtgraph.LabelItem)]
    shown = [text for text in titles if text.startswith("To")]
    assert len(shown) == len(levels) and all("…" in text for text in shown)
    assert {text.partition(" = ")[2] for text in shown} == set(levels)
