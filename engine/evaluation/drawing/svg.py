"""Charts as SVG, alone or inside a page."""

from __future__ import annotations

from importlib import resources

from engine.evaluation.drawing.chart import Chart


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

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["short"] = _short
    template = resources.files("engine.evaluation.drawing").joinpath("chart.svg.html")
    return environment.from_string(template.read_text("utf-8")).render(chart=chart, is_file=is_file)


def _short(number: float) -> str:
    """Write a coordinate with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")
