"""The report as PDF and as a document of Word says what the page says, in the order that was chosen."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from docx import Document
from docx.shared import Cm
from PIL import Image
from pypdf import PdfReader

import engine
from engine.discovery.result import DiscoveryResult
from engine.errors import InvalidParameter
from engine.readers.options import ReadingOptions
from engine.reporting.export_formats import export_file
from engine.reporting.report import report_parts, standard_parts
from engine.reporting.sentences.method import data_rows, methods_text, references
from engine.reporting.sentences.overview import run_sentences, summary_sentences
from engine.reporting.sentences.stability import stability_sentences
from engine.reporting.tables import ResultContext, TableOrigin
from engine.table.variable import Kind, Role, Variable
from engine.wording.phrases import visible

FEW = ("references", "overview", "labels", "common")


@pytest.fixture(scope="module")
def pdf(discovered: DiscoveryResult, tmp_path_factory: pytest.TempPathFactory) -> PdfReader:
    """Pages of names that every font has: pypdf reads no others."""
    path = tmp_path_factory.mktemp("pdf") / "report.pdf"
    return PdfReader(export_file(discovered, path, "report-pdf", report_parts=FEW))


@pytest.fixture(scope="module")
def texts(pdf: PdfReader) -> list[str]:
    """What stands on each page."""
    return [page.extract_text() for page in pdf.pages]


@pytest.fixture(scope="module")
def word(hand_made: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("word") / "report.docx"
    return export_file(hand_made.make_result(), path, "report-word")


def test_pages_hold_the_chosen_parts_in_the_chosen_order(
    texts: list[str], discovered: DiscoveryResult
) -> None:
    text = " ".join(" ".join(texts).split())
    titles = [report_parts()[name].title for name in FEW]
    places = [text.index(title) for title in titles]
    assert places == sorted(places)
    assert " ".join(summary_sentences(discovered)) in text
    assert set(discovered.common["feature"]) <= set(text.split())
    assert report_parts()["limits"].title not in text


def test_small_p_values_of_pages_stay_in_one_line(
    hand_made: ModuleType, discovered: DiscoveryResult, tmp_path: Path
) -> None:
    pair = hand_made.make_result().equivalence_records[0]
    tests = {
        name: replace(getattr(pair, name), p_value=3e-113, log_p=-259.09)
        for name in ("target_in_boundary", "target_equivalent")
    }
    names = {"target": "ill", "in_boundary": ("a",), "equivalent": ("b",)}
    discovered = replace(discovered, equivalence_records=(replace(pair, **names, **tests),))
    path = export_file(discovered, tmp_path / "report.pdf", "report-pdf", report_parts=("interchangeable",))
    text = " ".join(page.extract_text() for page in PdfReader(path).pages)
    assert text.replace("\u00a0", " ").count("3 × 10⁻¹¹³") == 2


def test_pages_are_numbered_titled_and_load_nothing(pdf: PdfReader, texts: list[str]) -> None:
    count = len(pdf.pages)
    assert all(f"{number} / {count}" in text for number, text in enumerate(texts, 1))
    assert pdf.metadata is not None and pdf.metadata.title == "What is linked to the labels of simulated-3"
    _, parts = pdf.outline
    assert [part.title for part in parts] == [report_parts()[name].title for name in FEW]
    links = [note.get_object() for page in pdf.pages for note in page.get("/Annots", [])]
    assert not any("/URI" in link.get("/A", {}) for link in links)


def test_nothing_stands_outside_the_page(pdf: PdfReader) -> None:
    for page in pdf.pages:
        places: list[float] = []
        page.extract_text(
            visitor_text=lambda text, cm, tm, font, size, places=places: (
                places.append(tm[4] * cm[0] + cm[4]) if text.strip() else None
            )
        )
        assert min(places) >= 0.0 and max(places) < float(page.mediabox.width)


def test_headings_tables_and_figures_of_word_are_real(word: Path, hand_made: ModuleType) -> None:
    document = Document(str(word))
    headings = [paragraph.text for paragraph in document.paragraphs if paragraph.style.name == "Heading 1"]
    wanted = [report_parts()[name].title for name in standard_parts()]
    assert headings == [title for title in wanted if title in headings]
    assert {"Common variables", "References"} <= set(headings)
    assert document.paragraphs[0].style.name == "Title"
    cells = {
        cell.text.partition("\n")[0] for table in document.tables for row in table.rows for cell in row.cells
    }
    assert {hand_made.CALM, hand_made.FORMULA, visible(hand_made.TAB)} <= cells


def test_tables_of_word_repeat_their_heads_and_fit_the_page(word: Path) -> None:
    document = Document(str(word))
    page = document.sections[0]
    room = page.page_width - page.left_margin - page.right_margin
    for table in document.tables:
        assert sum(column.width for column in table.columns) <= room + Cm(0.1)
    assert any(table.rows[0]._tr.xpath("./w:trPr/w:tblHeader") for table in document.tables)


def test_figures_of_word_print_well_and_say_what_they_show(word: Path) -> None:
    document = Document(str(word))
    assert len(document.inline_shapes) == 2
    for shape in document.inline_shapes:
        described = shape._inline.docPr.get("descr")
        assert described.startswith(("Which labels share variables. ", "Variables and labels as a graph. "))
        blip = shape._inline.xpath(".//a:blip/@r:embed")[0]
        picture = document.part.related_parts[blip].image
        assert picture.px_width / shape.width.inches >= 299
    with zipfile.ZipFile(word) as archive:
        relations = [archive.read(name).decode() for name in archive.namelist() if name.endswith(".rels")]
    assert not any('TargetMode="External"' in relation for relation in relations)


def test_a_part_that_is_not_known_is_refused_before_anything_is_written(
    discovered: DiscoveryResult, tmp_path: Path
) -> None:
    with pytest.raises(InvalidParameter, match=re.escape("a report has no part 'comon'")) as caught:
        engine.export(discovered, tmp_path / "out", report_parts=["comon"])
    assert "common" in str(caught.value.remedy)
    assert not (tmp_path / "out").exists()


def test_an_analysis_has_no_empty_parts(hand_made: ModuleType) -> None:
    from engine.reporting.report import make_report

    names = [section.name for section in make_report(ResultContext(hand_made.empty_result())).sections]
    assert "sizes" not in names and "known" not in names
    assert names[0] == "overview"


def _with_column(result: DiscoveryResult, name: str, role: Role) -> DiscoveryResult:
    table, numbers = result.dataset, np.arange(result.dataset.row_count) // 4 + 1.0
    variables = (*table.variables, Variable(name, Kind.CONTINUOUS, role))
    return replace(result, dataset=engine.Dataset(variables, (*table.columns, numbers), table.name))


def test_what_is_drawn_and_counted_is_called_by_its_name(repeated: DiscoveryResult) -> None:
    in_groups = replace(_with_column(repeated, "person", Role.GROUPS), split=engine.RowSplit())
    again, run = " ".join(stability_sentences(in_groups)), " ".join(run_sentences(in_groups))
    assert "Searched again on 2 random halves of the groups of rows: " in again
    assert "Only a part of the groups of rows (50 %) was searched" in run and " on 3,000 rows in " in run
    counted = _with_column(repeated, "often", Role.WEIGHT)
    as_counts = replace(counted, settings=replace(counted.settings, row_weights="counts"))
    assert " on 3,000 rows, each counted as often as “often” says, in " in run_sentences(as_counts)[0]
    assert " on 3,000 rows in " in run_sentences(counted)[0]


_FILTER = {"step": "filter", "expression": "age > 40"}


def test_methods_say_what_was_computed_and_nothing_else(
    discovered: DiscoveryResult, repeated: DiscoveryResult
) -> None:
    settings = engine.PreparationSettings(missing="drop-rows")
    split = replace(discovered, split=engine.RowSplit(0.6, seed=11))
    text = " ".join(methods_text(ResultContext(split, settings)))
    assert "3,000 rows, 60 features and 6 labels" in text
    assert discovered.dataset.content_hash in text
    assert "at the significance level 0.05, given sets of at most 3 variables" in text
    assert "Missing values = Leave out the rows" in text and "Number of bins" not in text
    assert "60 % of the rows was searched, drawn with the seed 11" in text
    assert "Permutations" not in text and "repeated" not in text and "95% intervals" not in text
    again = " ".join(methods_text(ResultContext(repeated, settings)))
    assert "repeated 2 times on a share of 50 % of the rows, drawn with the seed 0" in again
    in_groups = _with_column(repeated, "person", Role.GROUPS)
    again = " ".join(methods_text(ResultContext(replace(in_groups, split=engine.RowSplit(0.6, seed=11)))))
    assert "repeated 2 times on a share of 50 % of the groups of rows, drawn" in again
    assert "60 % of the groups of rows was searched" in again
    origin = TableOrigin(
        "a.csv", ReadingOptions(also_missing=("trust=99",)), [_FILTER], labels_path="lab.csv"
    )
    again = " ".join(methods_text(ResultContext(discovered, settings, origin=origin)))
    assert "read as follows: Second table = lab.csv; Also missing = trust=99. Only rows are kept" in again
    assert "Table of labels" not in text and "read as follows" not in text
    data = dict(data_rows(ResultContext(discovered, settings, origin=origin)))
    assert data["Second table"] == "lab.csv" and data["Also missing"] == "trust=99"
    # Numbers in brackets are those of the references.
    cited = references(discovered)
    test = text.index(discovered.test.title) + len(discovered.test.title)
    number = int(text[test:].partition("[")[2].partition("]")[0])
    assert cited[number - 1] == discovered.test.source


def test_references_for_a_manager_have_keys_of_their_own(discovered: DiscoveryResult, tmp_path: Path) -> None:
    text = export_file(discovered, tmp_path / "references.bib", "bibtex").read_text("utf-8")
    keys = re.findall(r"^@misc\{([a-z0-9]+),$", text, re.MULTILINE)
    assert len(keys) == len(set(keys)) == text.count("@misc")
    assert text.count("{") == text.count("}")
    assert "  author = {Benjamini and Hochberg},\n  year = {1995}," in text


def test_tables_for_tex_hold_no_command_of_a_name(hand_made: ModuleType, tmp_path: Path) -> None:
    result = hand_made.make_result()
    text = export_file(result, tmp_path / "tables.tex", "latex").read_text("utf-8")
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert body.count(r"\begin{longtable}") == body.count(r"\end{longtable}") >= 3
    # Braces that are not escaped are balanced; so many cells stand in every row as there are columns.
    bare = re.sub(r"\\[\\{}&%$#_]", "", body)
    assert bare.count("{") == bare.count("}")
    for table in body.split(r"\begin{longtable}")[1:]:
        columns = table.partition(r"\caption")[0].count(r"\arraybackslash")
        rows = [line for line in table.splitlines() if line.endswith(r"\\") and r"\caption" not in line]
        assert {re.sub(r"\\&", "", row).count("&") + 1 for row in rows} == {columns}
    assert r"\textless{}calm\textgreater{} \& " in body
    assert "\\textsuperscript{-435}" in body


@pytest.mark.parametrize(("dots", "width"), [(300, 8.5), (600, None)])
def test_a_figure_has_the_size_that_was_asked_for(
    discovered: DiscoveryResult, tmp_path: Path, dots: int, width: float | None
) -> None:
    options = engine.ExportOptions(dots_per_inch=dots, figure_width=width)
    path = export_file(discovered, tmp_path / "sets.png", "label-sets-png", options=options)
    with Image.open(path) as picture:
        assert picture.info["dpi"] == pytest.approx((dots, dots), abs=0.5)
        inches = picture.width / dots
    if width is not None:
        assert inches * 2.54 == pytest.approx(width, abs=0.05)
