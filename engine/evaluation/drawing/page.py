"""How pages with charts and tables look."""

from __future__ import annotations

from importlib import resources
from typing import Any


def page_style() -> Any:
    """Give the rules of style as text that a template takes as it is."""
    from markupsafe import Markup

    text = resources.files("engine.evaluation.drawing").joinpath("page_style.html").read_text("utf-8")
    return Markup(text.rstrip())
