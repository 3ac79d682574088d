"""Charts as SVG, alone or inside a page."""

from __future__ import annotations

from importlib import resources

from engine.evaluation.drawing.chart import Chart
from engine.evaluation.drawing.looks import looks, path_data


def svg_text(chart: Chart, is_file: bool = True) -> str:
    """Write a chart as SVG on a light ground.

    Parameters
    ----------
    chart : Chart
    is_file : bool
        With the heading of a file; without, it can stand inside HTML.

    Returns
    -------
    str
    """
    from jinja2 import Environment, StrictUndefined

    known = looks()
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["short"] = _short
    environment.filters["outline"] = lambda mark: path_data(known[mark.look].outline, mark.x, mark.y)
    template = resources.files("engine.evaluation.drawing").joinpath("templates", "chart.svg.html")
    return environment.from_string(template.read_text("utf-8")).render(
        chart=chart, is_file=is_file, looks=known
    )


def _short(number: float) -> str:
    """Write a coordinate with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")
