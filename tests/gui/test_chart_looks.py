"""The window draws the series of every chart with their own colour and shape, on light and on dark ground."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QWidget

from clcd_gui.graphs.chart_view import ChartView
from engine.evaluation.drawing.chart import Chart, Line, Mark
from engine.evaluation.drawing.looks import looks

PLACE = 40.0


def chart_of(look: str) -> Chart:
    line = Line(PLACE + 20.0, PLACE, 200.0, PLACE, look)
    return Chart("one series", 220.0, 80.0, (line,), (Mark(PLACE, PLACE, look, "a mark"),), ())


def drawn(view: QWidget) -> dict[str, int]:
    """Count the pixels of each colour."""
    image = view.grab().toImage()
    counts: dict[str, int] = {}
    for x in range(image.width()):
        for y in range(image.height()):
            name = image.pixelColor(x, y).name()
            counts[name] = counts.get(name, 0) + 1
    return counts


@pytest.mark.parametrize("ground", ["#ffffff", "#1b1e22"])
@pytest.mark.parametrize("look", ["series-0", "series-7", "share-4", "own"])
def test_series_have_their_colour(qtbot, look: str, ground: str) -> None:
    view = ChartView()
    qtbot.addWidget(view)
    view.setPalette(QPalette(QColor(ground)))
    view.set_chart(chart_of(look))
    view.resize(view.sizeHint())
    known = looks()[look]
    wanted, other = known.colour, known.colour_on_dark
    if ground != "#ffffff":
        wanted, other = other, wanted
    counts = drawn(view)
    assert counts.get(wanted, 0) > 20
    assert counts.get(other, 0) == 0
