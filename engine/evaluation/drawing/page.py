"""How pages with charts and tables look."""

from __future__ import annotations

from importlib import resources
from typing import Any


def page_style() -> Any:
    """Give the rules of style as text that a template takes as it is."""
    from markupsafe import Markup

    rules = resources.files("engine.evaluation.drawing").joinpath("templates", "page_style.html")
    return Markup(rules.read_text("utf-8").rstrip())
