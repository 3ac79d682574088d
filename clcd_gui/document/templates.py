"""Fills the pages of the folder ``clcd_gui/templates``, in which every name is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clcd_gui.document.navigation import SelectedPair, anchor, preference_anchor
from clcd_gui.style.text import literal
from clcd_gui.wording.text import (
    breakable,
    can_be_slanted,
    count_text,
    counted,
    in_curved_marks,
    in_one_line,
    statistic_text,
    strength_text,
    unbroken,
)
from engine.recipe import RECIPE
from engine.wording.notes import Note
from engine.wording.pages import PAGE_WORDS
from engine.wording.shown_names import shown_name, whole_name

if TYPE_CHECKING:
    from jinja2 import Environment


_LINE_END = re.compile(r"\s*\n\s*")
SHOWN_WITH_A_RESULT = ("overview.html", "pieces.html")
_FOLDER = Path(__file__).resolve().parent.parent / "templates"


def filled(page: str, /, **content: Any) -> str:
    """Fill the places of a page with escaped texts; a place that is not filled is an error.

    >>> filled("why_unknown.html", name="<b>", is_label=True)
    '<p>&lt;b&gt; is not among the labels of this result.</p>'
    """
    return _environment().get_template(page).render(content)


def _source(page: str) -> str:
    """Read a page in one line, as Qt shows spaces at line ends."""
    return _LINE_END.sub("", _FOLDER.joinpath(page).read_text("utf-8"))


def load_templates(pages: Iterable[str] | None = None) -> None:
    """Load jinja2 and compile pages, which takes a moment, so that the window need not wait for it."""
    for page in [path.name for path in _FOLDER.iterdir()] if pages is None else pages:
        _environment().get_template(page)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_source), autoescape=True, undefined=StrictUndefined, auto_reload=False
    )
    environment.globals |= PAGE_WORDS | {"pair": SelectedPair}
    environment.filters |= {
        "address": anchor,
        "breakable": breakable,
        "count": count_text,
        "counted": counted,
        "in_one_line": in_one_line,
        "message": _message,
        "preference": preference_anchor,
        "shown_name": shown_name,
        "statistic": statistic_text,
        "strength": strength_text,
        "tooltip": literal,
        "unbroken": unbroken,
        "whole_name": whole_name,
    }
    environment.tests["slanted"] = can_be_slanted
    return environment


def _message(note: Note) -> str:
    """Return a note in the words of the window; what a step did has the marks of its formula."""
    return note.text if note.topic == RECIPE else in_curved_marks(note.text)
