"""Figures drawn together, tables of plain cells, the pages that show both, and the folder that holds all.

What is measured stays in a folder, so that a comparison that was interrupted goes on where it was.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Generic, TypeVar

from engine.atomic import atomic_folder, folder_for, write_text
from engine.errors import UnreadableFile
from engine.parameters import Parameter
from engine.reporting.figures.chart import Chart
from engine.reporting.figures.figure_files import PICTURE_ENDINGS, colour_variables, svg_text, write_pictures
from engine.reporting.table_files import write_rows
from engine.translation import _
from engine.wording.pages import PAGE_WORDS

_STYLE = "templates/page_style.html"


def page_text(template: str, content: Mapping[str, Any]) -> str:
    """Write a page as HTML that stands alone, from a template below ``engine/comparison``."""
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
    environment.globals |= PAGE_WORDS
    colours = {"light": colour_variables(is_dark=False), "dark": colour_variables(is_dark=True)}
    style = Markup(environment.get_template(_STYLE).render(colours).rstrip())
    return environment.get_template(template).render(content, style=style, version=__version__)


def inline(chart: Chart, name: str) -> Any:
    """Return a chart as SVG that a template takes as it is, by a name that no other of the page has."""
    from markupsafe import Markup

    return Markup(svg_text(chart, name))


def machine_text() -> str:
    """Say what kind of machine this is."""
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"


def _template_text(name: str) -> str:
    return resources.files("engine.comparison").joinpath(*name.split("/")).read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean of some figures, and how far they lie apart.

    >>> Spread.of([1.0, 3.0])
    Spread(mean=2.0, deviation=1.4142135623730951, lowest=1.0, highest=3.0)
    """

    mean: float
    deviation: float | None
    lowest: float
    highest: float

    @property
    def text(self) -> str:
        """The mean and, where there is one, the standard deviation, as a table shows them."""
        deviation = "" if self.deviation is None else f" ± {self.deviation:.3f}"
        return f"{self.mean:.3f}{deviation}"

    @staticmethod
    def of(figures: Sequence[float]) -> Spread:
        """Measure at least one figure."""
        deviation = stdev(figures) if len(figures) > 1 else None
        return Spread(fmean(figures), deviation, min(figures), max(figures))


Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A table ready to be written; a cell without a value is None."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def write(self, path: Path) -> None:
        """Write it as comma-separated values, numbers in full precision."""
        write_rows(path, self.columns, (map(_text, row) for row in self.rows))


def _text(value: Value) -> str:
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, float) else str(value)


Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ComparisonFiles(Generic[Result]):
    """The files that a comparison writes."""

    report: str  # name of the report
    html: Callable[[Result, datetime.date], str]
    tables: Mapping[str, Callable[[Result], PlainTable]]  # what makes the table of each file name
    # what makes the chart of each stem, in every picture format
    charts: Callable[[Result], Mapping[str, Callable[[], Chart]]]

    def write(self, result: Result, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write report, tables and charts into a folder: all of them or none."""
        with atomic_folder(folder) as drafts:
            text = self.html(result, datetime.date.today())
            (drafts / self.report).write_text(text, encoding="utf-8", newline="\n")
            for name, make_table in self.tables.items():
                make_table(result).write(drafts / name)
            for stem, make_chart in self.charts(result).items():
                write_pictures(make_chart(), drafts, stem)
        return self.paths(result, folder)

    def paths(self, result: Result, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Return the paths of the files, the report first."""
        pictures = [f"{stem}{ending}" for stem in self.charts(result) for ending in PICTURE_ENDINGS]
        return tuple(Path(folder) / name for name in (self.report, *self.tables, *pictures))


def setting_words(description: Parameter, value: Any) -> str:
    """Write the value of a setting as a report shows it."""
    if value is None:
        return _("automatic")
    if description.kind == "choice":
        return next(_(choice.title) for choice in description.choices if choice.value == value)
    if description.kind == "flag":
        return _("yes") if value else _("no")
    return f"{value:g}" if isinstance(value, float) else str(value)


Found = TypeVar("Found")

_ENGINE = Path(__file__).resolve().parents[1]
_FINGERPRINT_DIGITS = 12


class StoredValues:
    """A folder with one file a result, named by all that decides it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        # The window loads this module, and no store.
        from cattrs import Converter

        self._converter = Converter()

    def get(self, start: str, key: dict[str, Any], kind: type[Found]) -> Found | None:
        """Return the result of an earlier run, of a dataclass; None when there is none."""
        from engine.codec import DAMAGE

        path = self._path(start, key)
        try:
            return self._converter.structure(json.loads(path.read_text("utf-8"))["outcome"], kind)
        except FileNotFoundError:
            return None
        except (OSError, RecursionError, *DAMAGE) as error:
            raise UnreadableFile(
                _("it cannot be read as an outcome of a benchmark."),
                place=f"'{path}'",
                remedy=_("Delete it, or choose another folder."),
            ) from error

    def put(self, start: str, key: dict[str, Any], outcome: object) -> None:
        """Keep a result as plain values, all of it or nothing."""
        content = {"key": key, "outcome": self._converter.unstructure(outcome)}
        with folder_for(self._folder):
            write_text(self._path(start, key), json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    def _path(self, start: str, key: dict[str, Any]) -> Path:
        text = json.dumps(key, sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:_FINGERPRINT_DIGITS]
        return self._folder / f"{start}-{digest}.json"


@functools.cache
def code_fingerprint(sources: tuple[str, ...]) -> str:
    """Return a SHA-256 over sources that decide results; empty where there are no sources."""
    paths = sorted({path for source in sources for path in _files(_ENGINE / source)})
    if not paths:
        return ""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"\0{path.relative_to(_ENGINE).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:_FINGERPRINT_DIGITS]


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        return list(place.rglob("*.py"))
    if place.exists():
        return [place]
    if (_ENGINE / "__init__.py").exists():
        raise FileNotFoundError(f"{place} is named as a source that decides results, and is not there.")
    return []
