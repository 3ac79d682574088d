"""Charts as SVG, alone or inside a page."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from engine.atomic import write_text
from engine.evaluation.drawing.chart import Chart
from engine.evaluation.drawing.looks import INKS, line_width, looks, path_data


def svg_text(chart: Chart, is_file: bool = True) -> str:
    """Write a chart as SVG.

    Parameters
    ----------
    chart : Chart
    is_file : bool
        A file of its own, on a light ground. Otherwise it can stand inside a page with
        :func:`engine.evaluation.drawing.page.page_text`, whose style knows its colours in light and dark.

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
    environment.filters["line_width"] = line_width
    environment.filters["paint"] = light_colour if is_file else _variable
    template = resources.files("engine.evaluation.drawing").joinpath("templates", "chart.svg.html")
    return environment.from_string(template.read_text("utf-8")).render(
        chart=chart, is_file=is_file, looks=known
    )


def write_svg(chart: Chart, path: Path) -> None:
    """Write a chart as an SVG file.

    Raises
    ------
    UnwritableFile
        When the file cannot be written.
    """
    write_text(path, svg_text(chart))


def light_colour(look: str) -> str:
    """Give the colour of a look on a light ground.

    Examples
    --------
    >>> light_colour("ink"), light_colour("own")
    ('#1d2530', '#c43c00')
    """
    known = looks().get(look)
    return known.colour if known is not None else INKS[look][0]


def _variable(look: str) -> str:
    """Name the colour of a look as pages define it."""
    return f"var(--chart-{look})"


def _short(number: float) -> str:
    """Write a coordinate with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")
