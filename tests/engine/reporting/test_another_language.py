"""A report in a language that nobody speaks: what is left in English cannot be translated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

import engine
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.evidence.answers import EvidenceText
from clcd_gui.results.results_page import overview_html
from engine.discovery import tables
from engine.discovery.columns import FindingColumn, Output
from engine.discovery.result import DiscoveryResult
from engine.preparation.preparation_settings import PreparationSettings
from engine.reporting.report import make_report, report_parts
from engine.reporting.report.report_files import report_html
from engine.reporting.sentences.method import about_rows, methods_text, references
from engine.reporting.tables import ResultContext, file_table
from engine.translation import language
from tests.contract.project_files import PROJECT
from tests.pseudo_language import pseudo_language
from tests.rendered import text_of
from tests.untranslated import english_in

_EXAMPLES = PROJECT / "resources" / "examples"


@pytest.fixture(scope="module")
def surveyed() -> DiscoveryResult:
    """The hospital survey, read and searched in that language, measured and searched again."""
    with language(pseudo_language()):
        table = engine.read_dataset(
            _EXAMPLES / "hospital-survey.csv", labels=_EXAMPLES / "hospital-survey.xml"
        )
        result = engine.discover(table)
        measured = result.with_effects(engine.effects(table, result))
        return measured.with_stability(engine.stability(table, result.settings, resamples=2))


def left_in(result: DiscoveryResult, texts: Iterable[str]) -> list[str]:
    """List the lines that hold English besides names and sources."""
    dataset = result.dataset
    names = {dataset.name, *dataset.names, *references(result), "NumPy"}
    names |= {level for variable in dataset.variables for level in variable.levels}
    names |= {variable.description for variable in dataset.variables}
    return english_in((line for text in texts for line in text.split("\n")), names)


def test_report_and_methods_text_hold_no_english(surveyed: DiscoveryResult) -> None:
    context = ResultContext(surveyed, preparation=PreparationSettings(), report_parts=tuple(report_parts()))
    with language(pseudo_language()):
        # A note stands beneath a name, in an element that ends no line.
        page = text_of(report_html(make_report(context)).replace("<span", "<br><span"))
        texts = [page, *methods_text(context), *(cell for row in about_rows(context) for cell in row)]
    assert page.count("~") > 300
    assert not left_in(surveyed, texts)


def test_overview_reasons_and_tables_hold_no_english(surveyed: DiscoveryResult) -> None:
    findings = surveyed.counted_findings
    writer = EvidenceText(surveyed)
    pairs = [SelectedPair(*pair) for pair in (*surveyed.evidence, *surveyed.links_through_labels)]
    names = [SelectedPair(label=label) for label in findings.labels]
    names += [SelectedPair(finding.feature) for finding in findings.all]

    def cells(column: FindingColumn, rows: Iterable[object]) -> Iterable[str]:
        yield from (column.heading, column.meaning)
        for row in rows:
            yield from (column.cell_text(row), column.cell_tooltip(row), column.copied_text(row))

    with language(pseudo_language()):
        pages = [overview_html(surveyed), *map(writer.write, (*pairs, *names))]
        shown = [
            text
            for table in (tables.COMMON, tables.LABEL_SPECIFIC)
            for column in table.columns_in(Output.WINDOW, findings)
            for text in cells(column, table.rows(findings))
        ]
    assert len(shown) > 500
    assert not left_in(surveyed, [*map(text_of, pages), *shown])


def test_files_for_programs_are_in_english_in_every_language(surveyed: DiscoveryResult) -> None:
    in_english = replace(surveyed)
    for table in (tables.EVIDENCE, tables.DIRECTIONS, tables.LABEL_RELATIONS, tables.ALL_EQUIVALENCES):
        with language(pseudo_language()):
            written = file_table(table, surveyed.findings)
        assert written == file_table(table, in_english.findings) and written.title.isascii()
