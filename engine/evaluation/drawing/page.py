"""Pages with charts and tables: what their reports share, and how they look in light and dark."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

from engine.evaluation.drawing.chart import Chart
from engine.evaluation.drawing.looks import INKS, looks
from engine.evaluation.drawing.svg import svg_text

_STYLE = "drawing/templates/page_style.html"


def page_text(template: str, content: Mapping[str, Any]) -> str:
    """Write a page as HTML that stands alone.

    Parameters
    ----------
    template : str
        Its place below ``engine/evaluation``; it extends ``drawing/templates/page.html``, which says what
        `content` must hold for every page.
    content : mapping of str to object
        Everything that the templates name, apart from style and version.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    from engine.version import __version__

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(_template_text),
    )
    colours = {"light": " ".join(_colours(0)), "dark": " ".join(_colours(1))}
    style = Markup(environment.get_template(_STYLE).render(colours).rstrip())
    return environment.get_template(template).render(content, style=style, version=__version__)


def inline(chart: Chart) -> Any:
    """Give a chart as SVG that a template takes as it is."""
    from markupsafe import Markup

    return Markup(svg_text(chart, is_file=False))


def day_text(day: datetime.date) -> str:
    """Write a date.

    Examples
    --------
    >>> day_text(datetime.date(2026, 1, 2))
    '2 January 2026'
    """
    return f"{day.day} {day:%B} {day.year}"


def machine_text() -> str:
    """Say what kind of machine this is."""
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"


def _template_text(name: str) -> str:
    return resources.files("engine.evaluation").joinpath(*name.split("/")).read_text("utf-8")


def _colours(ground: int) -> Iterator[str]:
    """Define the colours of charts on a light ground (0) or a dark one (1)."""
    for name, colours in INKS.items():
        yield f"--chart-{name}: {colours[ground]};"
    for name, look in looks().items():
        yield f"--chart-{name}: {(look.colour, look.colour_on_dark)[ground]};"
