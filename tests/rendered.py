"""What window, report and files show of a result, as text: pages, and tables as rows by heading."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from clcd_gui.document.navigation import SelectedPair
from clcd_gui.evidence.answers import EvidenceText
from clcd_gui.results.results_page import overview_html
from engine.discovery import tables
from engine.discovery.columns import Output, ResultTable
from engine.discovery.findings import Findings
from engine.discovery.result import DiscoveryResult
from engine.reporting.report import make_report
from engine.reporting.report.report_files import report_html
from engine.reporting.result_file import result_object
from engine.reporting.tables import ResultContext, file_table

REPORT_PARTS = (
    "overview",
    "common",
    "label-specific",
    "through-labels",
    "directions",
    "label-relations",
    "sizes",
    "known",
)
Row = dict[str, str]


@dataclass
class Rendered:
    """Everything that is read: texts, and tables as rows by heading."""

    overview: str
    panel: dict[tuple[str, str], str]
    listings: dict[str, str]
    edges: list[dict[str, Any]]
    window: dict[str, list[Row]]
    files: dict[str, list[Row]]
    report_text: str
    report_tables: list[list[Row]]


class _Tables(HTMLParser):
    """Collects the tables of a page, a row a mapping of headings to cells; cells may span rows."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[Row]] = []
        self._heads: list[str] = []
        self._cells: list[tuple[str, int]] = []
        self._pending: dict[int, tuple[str, int]] = {}
        self._text: list[str] | None = None
        self._rows = 1

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
            self._heads, self._pending = [], {}
        elif tag == "tr":
            self._cells = []
        elif tag in ("td", "th"):
            self._text, self._rows = [], int(dict(attributes).get("rowspan") or 1)
        elif tag == "br" and self._text is not None:
            self._text.append(" ")

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._text is not None:
            self._cells.append((" ".join("".join(self._text).replace("\u200b", "").split()), self._rows))
            self._text = None
        elif tag == "tr" and self.tables:
            self._end_row()

    def _end_row(self) -> None:
        if not self._heads:
            self._heads = [text for text, _ in self._cells]
            return
        cells, row = iter(self._cells), []
        for place in range(len(self._heads)):
            text, rows = self._pending.pop(place) if place in self._pending else next(cells, ("", 1))
            if rows > 1:
                self._pending[place] = text, rows - 1
            row.append(text)
        self.tables[-1].append(dict(zip(self._heads, row, strict=True)))


def text_of(page: str) -> str:
    """Return the text of a page of HTML, a line a paragraph or cell."""
    page = re.sub(r"(?s)<(style|script|svg|head)\b.*?</\1>", " ", page)
    page = re.sub(r"</(p|tr|li|h\d|td|th|dd|dt|div)>|<br ?/?>", "\n", page)
    page = html.unescape(re.sub(r"<[^>]+>", "", page)).replace("\u00a0", " ").replace("\u200b", "")
    return re.sub(r"[ \t]*\n\s*", "\n", page)


def render(result: DiscoveryResult) -> Rendered:
    """Write everything that window, report and files say of a result."""
    writer = EvidenceText(result)
    pairs = [*result.evidence, *result.label_evidence, *result.links_through_labels]
    page = report_html(make_report(ResultContext(result, report_parts=REPORT_PARTS)))
    parser = _Tables()
    parser.feed(re.sub(r"(?s)<(style|script|svg|head)\b.*?</\1>", " ", page))
    return Rendered(
        overview=text_of(overview_html(result)),
        panel={pair: text_of(writer.write(SelectedPair(*pair))) for pair in pairs},
        listings={label: text_of(writer.write(SelectedPair(label=label))) for label in result.dataset.labels},
        edges=result_object(ResultContext(result))["local_edges"],
        window={
            "common": _window_rows(tables.COMMON, result),
            "label-specific": _window_rows(tables.LABEL_SPECIFIC, result),
        },
        files={
            name: _file_rows(table, result.findings)
            for name, table in (
                ("common.csv", tables.COMMON),
                ("label_specific.csv", tables.LABEL_SPECIFIC),
                ("evidence.csv", tables.EVIDENCE),
                ("label_relations.csv", tables.LABEL_RELATIONS),
            )
        }
        | {"links.csv": _file_rows(tables.LINKS, result.total_findings)},
        report_text=text_of(page),
        report_tables=parser.tables,
    )


def _window_rows(table: ResultTable[Findings, Any], result: DiscoveryResult) -> list[Row]:
    findings = result.counted_findings
    columns = table.columns_in(Output.WINDOW, findings)
    rows = []
    for finding in table.rows(findings):
        row = {column.title: column.cell_text(finding) for column in columns}
        row |= {f"{column.title} tip": column.cell_tooltip(finding) for column in columns}
        rows.append(row)
    return rows


def _file_rows(table: ResultTable[Findings, Any], findings: Findings) -> list[Row]:
    written = file_table(table, findings)
    return [
        {
            column: "; ".join(cell) if isinstance(cell, tuple) else "" if cell is None else str(cell)
            for column, cell in zip(written.columns, row, strict=True)
        }
        for row in written.rows
    ]
