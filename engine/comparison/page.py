"""Pages with charts and tables: what their reports share, and how they look in light and dark."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Mapping
from importlib import resources
from typing import Any

from engine.reporting.figures.chart import Chart
from engine.reporting.figures.files import svg_text
from engine.reporting.figures.svg import colour_variables

_STYLE = "templates/page_style.html"


def page_text(template: str, content: Mapping[str, Any]) -> str:
    """Write a page as HTML that stands alone.

    Parameters
    ----------
    template : str
        Its place below ``engine/comparison``; it extends ``templates/page.html``, which says what
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
    colours = {"light": colour_variables(is_dark=False), "dark": colour_variables(is_dark=True)}
    style = Markup(environment.get_template(_STYLE).render(colours).rstrip())
    return environment.get_template(template).render(content, style=style, version=__version__)


def inline(chart: Chart, name: str) -> Any:
    """Return a chart as SVG that a template takes as it is, by a name that no other of the page has."""
    from markupsafe import Markup

    return Markup(svg_text(chart, name))


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
    return resources.files("engine.comparison").joinpath(*name.split("/")).read_text("utf-8")
