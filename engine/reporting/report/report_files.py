"""A report as HTML that stands alone, as PDF made of it, as a document of Word; and its tables for LaTeX.

Nothing in any of them is loaded from elsewhere, and every name is escaped.
"""

from __future__ import annotations

import datetime
import io
import logging
import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import UnwritableFile
from engine.reporting.figures.figure_files import (
    colour_variables,
    png_bytes,
    quiet_log,
    svg_for_pages,
    svg_text,
)
from engine.reporting.report import make_report
from engine.reporting.report.blocks import (
    TONE_COLOURS,
    BlockKind,
    Cell,
    Definitions,
    FigureBlock,
    GridBlock,
    Heading,
    Paragraph,
    Report,
    ReportList,
    TableBlock,
    TableColumn,
    Tone,
)
from engine.reporting.sentences.links import counting_sentence
from engine.reporting.table_files import in_tex
from engine.reporting.tables import DrawnFile, ResultContext
from engine.translation import N_, _
from engine.wording.pages import PAGE_WORDS
from engine.wording.phrases import visible

if TYPE_CHECKING:
    from markupsafe import Markup

# Not after the point of a number.
_BREAK_AFTER = re.compile(r"[_/](?=\w)|(?<!\d)\.(?=\w)|\.(?=[^\W\d])")


def write_html(report: Report, path: Path) -> None:
    """Write a report as HTML."""
    text = report_html(report)
    path.write_bytes(text.encode("utf-8", errors="xmlcharrefreplace"))


def report_html(report: Report, *, is_print: bool = False) -> str:
    """Return a report as a whole HTML page, names escaped, nothing loaded.

    Printed charts have colours of their own.
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
    environment.globals |= PAGE_WORDS
    environment.filters["breakable"] = _breakable
    environment.filters["drawing"] = partial(_drawing, is_print=is_print)
    template = resources.files("engine.reporting").joinpath("templates", "report.html")
    return environment.from_string(template.read_text("utf-8")).render(
        report=report,
        chart_colours=colour_variables(is_dark=False),
        paper="A4",
    )


def write_pdf(report: Report, path: Path) -> None:
    """Write a report as pages."""
    try:
        from weasyprint import HTML
    except OSError as error:
        raise UnwritableFile(_(_NO_PANGO), place=f"'{path}'", remedy=_(_INSTALL_PANGO)) from error
    # It would tell standard error of every property of a chart that is none of a page.
    with quiet_log("weasyprint", logging.CRITICAL):
        HTML(string=report_html(report, is_print=True), url_fetcher=_fetch_nothing).write_pdf(path)


_NO_PANGO = N_("CLCD cannot write PDF here, because the system lacks the library Pango.")
_INSTALL_PANGO = N_("Install libpangoft2-1.0-0 and libharfbuzz-subset0, or write HTML and print that.")


def _fetch_nothing(address: str, *_: Any, **__: Any) -> Any:
    """Load nothing: a report has all that it shows."""
    raise ValueError(f"nothing is loaded: {address}")


def _drawing(block: FigureBlock, is_print: bool) -> Markup:
    from markupsafe import Markup

    return Markup(svg_for_pages(block.chart) if is_print else svg_text(block.chart, block.name))


def _shown(value: Any) -> Any:
    """Make every text printable; what is already markup stays."""
    return visible(value) if type(value) is str else value


def _breakable(text: str) -> Markup:
    """Let long names break after an underscore, a dot or a slash; what is copied stays the same."""
    from markupsafe import Markup, escape

    return Markup(_BREAK_AFTER.sub(r"\g<0><wbr>", str(escape(visible(text)))))


_DOTS_PER_INCH = 300
_MARGIN_CENTIMETRES = 2.0
_TEXT_CENTIMETRES = 17.0
_MOST_LEVEL_HEADINGS = 6
_BOLD = frozenset({Tone.NAME, Tone.COMMON, Tone.SPECIFIC})
_WARNING_GROUND, _HEAD_LINE, _ROW_LINE = "FDF4EC", "1D2530", "D9DEE4"


def write_docx(report: Report, path: Path) -> None:
    """Write a report as a document of Word: headings, tables and figures that can be edited there."""
    document = _empty_document(report)
    document.add_heading(visible(report.title), level=0)
    _add_run(document.add_paragraph(), " · ".join(report.facts), Tone.QUIET)
    for section in report.sections:
        if section.title:
            document.add_heading(visible(section.title), level=1)
        for block in section.blocks:
            _DOCX_WRITERS[block.kind](document, block)
    document.save(str(path))


def _empty_document(report: Report) -> Any:
    """Return a document with page, fonts, properties and page numbers."""
    from docx import Document
    from docx.shared import Cm, Pt

    document = Document()
    page = document.sections[0]
    page.page_width, page.page_height = Cm(21.0), Cm(29.7)
    page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Cm(_MARGIN_CENTIMETRES)
    for name, points in (("Normal", 10), ("Title", 20), ("Heading 1", 14), ("Heading 2", 11)):
        style = document.styles[name]
        style.font.name, style.font.size = "Calibri", Pt(points)
        # The theme's font would else go before it.
        for attribute in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            style.element.rPr.rFonts.attrib.pop(_word(attribute), None)
    document.styles["Normal"].paragraph_format.space_after = Pt(4)
    properties = document.core_properties
    properties.title, properties.author = visible(report.title), ""
    properties.comments = f"CLCD {report.version}"
    properties.created = properties.modified = datetime.datetime.fromisoformat(report.day)
    footer = page.footer.paragraphs[0]
    footer.alignment = 2
    _add_field(footer, "PAGE")
    return document


def _word(name: str) -> str:
    from docx.oxml.ns import qn

    qualified: str = qn(f"w:{name}")
    return qualified


def _element(name: str, **attributes: str) -> Any:
    from docx.oxml import OxmlElement

    element = OxmlElement(f"w:{name}")
    for key, value in attributes.items():
        element.set(_word(key), value)
    return element


def _add_field(paragraph: Any, instruction: str) -> None:
    """Add what Word fills in, such as the number of the page."""
    for kind in ("begin", "", "end"):
        run = paragraph.add_run()
        if kind:
            run._r.append(_element("fldChar", fldCharType=kind))
        else:
            text = _element("instrText")
            text.text = instruction
            run._r.append(text)


def _add_run(paragraph: Any, text: str, tone: Tone = Tone.PLAIN, points: float = 0.0) -> Any:
    from docx.shared import Pt, RGBColor

    run = paragraph.add_run(visible(text))
    if tone in TONE_COLOURS:
        run.font.color.rgb = RGBColor.from_string(TONE_COLOURS[tone][1:].upper())
    if tone in _BOLD:
        run.font.bold = True
    if points:
        run.font.size = Pt(points)
    return run


def _docx_paragraph(document: Any, block: Paragraph) -> None:
    paragraph = document.add_paragraph()
    _add_run(paragraph, block.text, block.tone, 12.0 if block.tone is Tone.LEAD else 0.0)
    if block.tone is Tone.WARNING:
        paragraph._p.get_or_add_pPr().append(_element("shd", val="clear", color="auto", fill=_WARNING_GROUND))


def _docx_heading(document: Any, block: Heading) -> None:
    document.add_heading(visible(block.text), level=2)


def _docx_listing(document: Any, block: ReportList) -> None:
    style = "List Number" if block.is_numbered else "List Bullet"
    for item in block.items:
        document.add_paragraph(visible(item), style=style)


def _docx_definitions(document: Any, block: Definitions) -> None:
    table = _new_table(document, len(block.entries), (1.0, 2.8))
    for row, entry in zip(table.rows, block.entries, strict=True):
        term, meaning = row.cells
        _fill(term, Cell(entry.term, Tone.NAME if entry.tone is Tone.PLAIN else entry.tone))
        term.paragraphs[0].runs[0].font.bold = True
        _fill(meaning, Cell(entry.text, note=entry.help))
        _keep_whole(row)


def _docx_table(document: Any, block: TableBlock) -> None:
    has_above = bool(block.headings_above)
    head = 2 if has_above else 1
    count = sum(map(len, block.groups))
    table = _new_table(document, head + count, tuple(column.width for column in block.columns))
    rows = [list(row.cells) for row in table.rows]
    place = 0
    for above, columns in block.headings_above:
        if above:
            merged = rows[0][place].merge(rows[0][place + len(columns) - 1])
            _fill_head(merged, above, is_number=False)
            merged.paragraphs[0].alignment = 1
        place += len(columns)
    for cell, column in zip(rows[head - 1], block.columns, strict=True):
        _fill_head(cell, column.title, column.is_number)
    for row in table.rows[:head]:
        row._tr.get_or_add_trPr().append(_element("tblHeader"))
    number = head
    for group in block.groups:
        for row in group:
            first = len(block.columns) - len(row)
            for position, cell in enumerate(row, start=first):
                target = rows[number][position]
                if cell.rows > 1:
                    target = target.merge(rows[number + cell.rows - 1][position])
                _fill(target, cell, block.columns[position].is_number)
            _keep_whole(table.rows[number])
            number += 1
    document.add_paragraph()


def _docx_grid(document: Any, block: GridBlock) -> None:
    table = _new_table(document, len(block.rows) + 1, (6.0, *(1.0 for _ in block.columns)))
    rows = [list(row.cells) for row in table.rows]
    _fill_head(rows[0][0], block.corner, is_number=False)
    is_upright = len(block.columns) > _MOST_LEVEL_HEADINGS
    for cell, label in zip(rows[0][1:], block.columns, strict=True):
        _fill_head(cell, label, is_number=False, tone=Tone.LABEL)
        if is_upright:
            cell._tc.get_or_add_tcPr().append(_element("textDirection", val="btLr"))
    if is_upright:
        table.rows[0]._tr.get_or_add_trPr().append(_element("trHeight", val="1900", hRule="exact"))
    table.rows[0]._tr.get_or_add_trPr().append(_element("tblHeader"))
    for row, (name, cells) in zip(rows[1:], block.rows, strict=True):
        sign = "●" if name.tone is Tone.COMMON else "○"
        _fill(row[0], Cell(f"{sign} {name.text}", name.tone))
        for target, cell in zip(row[1:], cells, strict=True):
            _fill(target, Cell(cell.text))
            target.paragraphs[0].alignment = 1
            _shade(target, cell.ground)
    for row in table.rows:
        _keep_whole(row)
    _add_run(document.add_paragraph(), "   ".join(block.legend), Tone.QUIET, 8.5)


def _docx_figure(document: Any, block: FigureBlock) -> None:
    from docx.shared import Cm

    picture = document.add_picture(io.BytesIO(png_bytes(block.chart, _DOTS_PER_INCH)))
    widest = Cm(_TEXT_CENTIMETRES)
    if picture.width > widest:
        picture.height = round(picture.height * widest / picture.width)
        picture.width = widest
    properties = picture._inline.docPr
    properties.set("title", visible(block.chart.title))
    properties.set("descr", visible(". ".join((block.chart.title, *block.chart.words()))))


_DOCX_WRITERS: dict[BlockKind, Callable[[Any, Any], None]] = {
    BlockKind.PARAGRAPH: _docx_paragraph,
    BlockKind.HEADING: _docx_heading,
    BlockKind.LISTING: _docx_listing,
    BlockKind.DEFINITIONS: _docx_definitions,
    BlockKind.TABLE: _docx_table,
    BlockKind.GRID: _docx_grid,
    BlockKind.FIGURE: _docx_figure,
}


def _new_table(document: Any, rows: int, widths: tuple[float, ...]) -> Any:
    """Add a table as wide as the text, a thin line beneath each row."""
    from docx.shared import Cm

    table = document.add_table(rows=rows, cols=len(widths))
    table.autofit = False
    properties = table._tbl.tblPr
    borders = _element("tblBorders")
    for side in ("bottom", "insideH"):
        borders.append(_element(side, val="single", sz="4", space="0", color=_ROW_LINE))
    properties.append(borders)
    margins = _element("tblCellMar")
    for side in ("left", "right"):
        margins.append(_element(side, w="60", type="dxa"))
    properties.append(margins)
    for column, width in zip(table.columns, widths, strict=True):
        column.width = Cm(_TEXT_CENTIMETRES * width / sum(widths))
        for cell in column.cells:
            cell.width = column.width
    return table


def _fill(target: Any, cell: Cell, is_number: bool = False) -> None:
    from docx.shared import Pt

    paragraph = target.paragraphs[0]
    paragraph.paragraph_format.space_after = Pt(0)
    if is_number:
        paragraph.alignment = 2
    _add_run(paragraph, cell.text, cell.tone, 8.5)
    if cell.note:
        note = target.add_paragraph()
        note.paragraph_format.space_after = Pt(0)
        _add_run(note, cell.note, Tone.QUIET, 7.5)


def _fill_head(target: Any, title: str, is_number: bool, tone: Tone = Tone.QUIET) -> None:
    _fill(target, Cell(title, tone), is_number)
    for run in target.paragraphs[0].runs:
        run.font.bold = True
    borders = _element("tcBorders")
    borders.append(_element("bottom", val="single", sz="6", space="0", color=_HEAD_LINE))
    target._tc.get_or_add_tcPr().append(borders)


def _shade(target: Any, ground: str) -> None:
    target._tc.get_or_add_tcPr().append(_element("shd", val="clear", color="auto", fill=ground[1:].upper()))


def _keep_whole(row: Any) -> None:
    row._tr.get_or_add_trPr().append(_element("cantSplit"))


_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_TEX_SIGNS = {"×": "$\\times$", "χ": "$\\chi$", "α": "$\\alpha$", "−": "$-$", "→": "$\\to$"}
_TEX_SIGNS |= {
    "≤": "$\\leq$",
    "≥": "$\\geq$",
    "⚑": "$\\dagger$",
    "↗": "$\\nearrow$",
    "↘": "$\\searrow$",
    "·": "$\\cdot$",
    "\u00a0": "~",
    "…": r"\dots{}",
}
_TEX_HEAD = r"""% Made by CLCD {version}. It needs \usepackage{{array,booktabs,longtable}}.
% Names in other scripts than Latin need XeLaTeX or LuaLaTeX.
"""


def write_latex(analysis: ResultContext, path: Path) -> None:
    """Write every table of the report as a longtable."""
    report = make_report(analysis)
    parts = [
        _latex_table(block, section.title, section.name)
        for section in report.sections
        for block in section.blocks
        if isinstance(block, TableBlock)
    ]
    counting = counting_sentence(analysis.result)
    head = _TEX_HEAD.format(version=report.version) + (f"% {counting}\n" if counting else "")
    text = "\n".join((head, *parts))
    path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def _latex_table(block: TableBlock, title: str, name: str) -> str:
    """Write a table whose columns share the width of the text; names wrap, and figures stand at the right."""
    kinds = {True: "raggedleft", False: "raggedright"}
    columns = "".join(
        rf">{{\{kinds[column.is_number]}\arraybackslash}}"
        rf"p{{\dimexpr {column.width / block.width:.4f}\linewidth-2\tabcolsep\relax}}"
        for column in block.columns
    )
    heads = " & ".join(_tex(_tex_head(column)) for column in block.columns)
    head = "\n".join((r"\toprule", rf"{heads} \\", r"\midrule"))
    rows = []
    for group in block.groups:
        for cells in group:
            # A cell that goes over several rows stands in the first of them.
            texts = [""] * (len(block.columns) - len(cells)) + [_tex_cell(cell) for cell in cells]
            rows.append(" & ".join(texts) + r" \\")
        rows.append(r"\addlinespace" if len(group) > 1 else "")
    return "\n".join(
        (
            rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}",
            rf"\caption{{{_tex(title)}}}\label{{tab:{name}}}\\",
            head,
            r"\endfirsthead",
            head,
            r"\endhead",
            r"\bottomrule",
            r"\endlastfoot",
            *(row for row in rows if row),
            r"\end{longtable}",
            "",
        )
    )


def _tex_head(column: TableColumn) -> str:
    if not column.above:
        return column.title
    return f"{column.above} ({column.title})"


def _tex_cell(cell: Cell) -> str:
    texts = (_tex(cell.text), rf"\textit{{{_tex(cell.note)}}}")
    return " ".join(texts if cell.note else texts[:1])


def _tex(text: str) -> str:
    """Write a text for TeX, its signs by commands that every TeX knows."""
    escaped = in_tex(visible(text))
    for sign, command in _TEX_SIGNS.items():
        escaped = escaped.replace(sign, command)
    return _RAISED.sub(lambda match: rf"\textsuperscript{{{match[0].translate(_SUPERSCRIPTS)}}}", escaped)


REPORT_WRITERS: Mapping[str, Callable[[Report, Path], None]] = {
    "report": write_html,
    "report-pdf": write_pdf,
    "report-word": write_docx,
}
"""What writes a report in each export format that is one."""


def drawn_report(name: str) -> DrawnFile:
    """Return how the report of an analysis is made in an export format."""
    return DrawnFile(make_report, REPORT_WRITERS[name])
