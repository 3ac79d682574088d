"""Every view comes to rest in a window of any size."""

from __future__ import annotations

import pytest

import engine
from clcd_gui.document.navigation import Highlight
from clcd_gui.plots.graph_items import node_sizes
from clcd_gui.plots.graph_view import GraphView, layouts
from clcd_gui.plots.grid_data import grid_data
from clcd_gui.plots.heat_grid import DEFAULT_CELL, LARGEST_CELL, HeatGrid
from clcd_gui.shell.main_window import MainWindow
from engine.reporting.figures.graph import graph_content
from tests.gui.results_factory import SHAPES
from tests.gui.settling import random_sizes, restless, restless_views

pytestmark = pytest.mark.one_window


def leave(window: MainWindow, qtbot) -> None:
    window.theme.set_zoom(1.0)
    window.go("results")
    qtbot.waitUntil(lambda: not window.session.controller.preview.is_busy)


def test_views_come_to_rest_at_any_size(surveyed: MainWindow, qtbot) -> None:
    moving = list(restless_views(surveyed, random_sizes(3, seed=1)))
    leave(surveyed, qtbot)
    assert moving == []


@pytest.mark.long
@pytest.mark.parametrize("shows_why", [True, False])
@pytest.mark.parametrize("zoom", [1.0, 1.25, 1.5])
def test_views_come_to_rest_at_many_sizes(surveyed: MainWindow, qtbot, zoom: float, shows_why: bool) -> None:
    surveyed.theme.set_zoom(zoom)
    surveyed.settings.shows_why = shows_why
    moving = list(restless_views(surveyed, random_sizes(100, seed=2)))
    surveyed.settings.shows_why = True
    leave(surveyed, qtbot)
    assert moving == []


def test_a_graph_that_fits_by_a_hair_comes_to_rest(qtbot) -> None:
    """It filled its room but for a rounding error, so that scroll bars came and went."""
    view = GraphView(Highlight())
    qtbot.addWidget(view)
    findings = engine.discover(engine.simulate(labels=4, features=25, rows=500, seed=6).dataset).findings
    content = graph_content(findings, 40, 10, "")
    (*_, layout) = layouts(content, node_sizes(content.nodes, view.font()), {}, {}, 0.6)
    view.resize(700, 450)
    view.show_graph(content, layout)
    view.show()
    area = view.graph.content_rect()
    # As high as what is drawn would be at each width, and a little more or less.
    sizes = [
        (width, round(width * area.height() / area.width()) + more)
        for width in range(500, 900)
        for more in (-3, 0, 3)
    ]
    assert list(restless(view, sizes)) == []


def test_a_grid_whose_larger_cells_need_a_scroll_bar_comes_to_rest(qtbot) -> None:
    """The larger cells left no room for themselves beside the bar, and the smaller ones needed none."""
    grid = HeatGrid(Highlight())
    qtbot.addWidget(grid)
    grid.set_data(grid_data(SHAPES["usual"]().findings))
    grid.show()
    heads = grid.cell_rect(0, 0).top()
    between = heads + grid.grid.row_count * (DEFAULT_CELL + LARGEST_CELL) // 2
    assert list(restless(grid, [(width, between) for width in range(200, 900)])) == []
