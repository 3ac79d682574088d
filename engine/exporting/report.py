"""The report: one HTML page that stands alone, without scripts, to be read, printed and passed on."""

from __future__ import annotations

import datetime
import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.exporting.analysis import Analysis
from engine.exporting.caveats import caveats, references
from engine.exporting.direction_words import direction_sentences
from engine.exporting.method import data_rows, preparation_rows, setting_rows
from engine.exporting.numbers import ENGLISH, counted
from engine.exporting.report_sections import (
    common_section,
    direction_section,
    equivalence_section,
    grid_section,
    label_section,
    label_specific_section,
    undistinguished_section,
)
from engine.exporting.sentences import relation_sentences, run_sentences, summary_sentences
from engine.exporting.stability_words import stability_sentences
from engine.printable import visible

if TYPE_CHECKING:
    from markupsafe import Markup

_BREAK_AFTER = re.compile(r"[_./](?=\w)")


def write_report(analysis: Analysis, path: Path) -> None:
    """Write the report as HTML."""
    text = report_html(analysis, datetime.date.today())
    path.write_bytes(text.encode("utf-8", errors="xmlcharrefreplace"))


def report_html(analysis: Analysis, day: datetime.date) -> str:
    """Give the report as HTML text.

    Parameters
    ----------
    analysis : Analysis
        What it speaks of.
    day : datetime.date
        Date that it bears.

    Returns
    -------
    str
        A whole page. Every name in it is escaped, and nothing in it is loaded from elsewhere.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["breakable"] = _breakable
    template = resources.files("engine.exporting").joinpath("templates", "report.html")
    return environment.from_string(template.read_text("utf-8")).render(_content(analysis, day))


def _content(analysis: Analysis, day: datetime.date) -> dict[str, Any]:
    from engine.version import __version__

    result = analysis.result
    dataset = result.dataset
    return {
        "title": analysis.title,
        "facts": (
            counted(dataset.row_count, "row"),
            counted(len(dataset.features), "feature"),
            counted(len(dataset.labels), "label"),
            f"{day.day} {day:%B} {day.year}",
        ),
        "is_partial": result.is_partial,
        "summary": summary_sentences(result),
        "run": run_sentences(result),
        "again": stability_sentences(result),
        "labels": label_section(result),
        "grid": grid_section(result),
        "common": common_section(result),
        "specific": label_specific_section(result),
        "equivalences": equivalence_section(result),
        "undistinguished": undistinguished_section(result),
        "margin": ENGLISH.share(result.settings.equivalence_margin),
        "relations": relation_sentences(result),
        "directions": direction_section(result),
        "told": direction_sentences(result),
        "data": data_rows(analysis),
        "settings": setting_rows(result.settings_used),
        "preparation": preparation_rows(analysis.preparation),
        "notes": tuple(note.message for note in dataset.notes),
        "caveats": caveats(result),
        "references": references(result),
        "symbol": result.test.statistic,
        "version": __version__,
    }


def _shown(value: Any) -> Any:
    """Make every text printable; what is already markup stays."""
    return visible(value) if type(value) is str else value


def _breakable(text: str) -> Markup:
    """Let long names break after an underscore, a dot or a slash; what is copied stays the same."""
    from markupsafe import Markup, escape

    return Markup(_BREAK_AFTER.sub(r"\g<0><wbr>", str(escape(visible(text)))))
