"""People see the label of a variable in reports and figures; files for programs have its name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine.discovery import tables
from engine.discovery.result import DiscoveryResult
from engine.reporting.export_formats import export_file
from engine.reporting.finding_charts import graph_chart, label_set_chart
from engine.reporting.report import make_report
from engine.reporting.report.report_files import report_html
from engine.reporting.tables import ExportOptions, ResultContext, file_table, records
from engine.table.variable import Kind, Variable
from engine.wording.shown_names import Naming, name_of, names_shown, shown_name, shown_names, whole_name

QUESTION = "How much support do you get at your work? - From {}, in a usual week, all in all"


def described(name: str, text: str) -> Variable:
    return Variable(name, Kind.CONTINUOUS, description=text)


@pytest.fixture(scope="module")
def result() -> DiscoveryResult:
    network = engine.simulate(labels=3, features=12, rows=1500, seed=0)
    result = engine.discover(network.dataset)
    described_columns = [
        replace(variable, description=f"Meaning of {variable.name}") for variable in result.dataset.variables
    ]
    return replace(result, dataset=replace(result.dataset, variables=tuple(described_columns)))


def test_a_label_that_only_repeats_the_name_changes_nothing() -> None:
    columns = [described("blood_pressure", "Blood pressure"), described("v1", ""), described("v2", "Age")]
    assert list(shown_names(columns)) == ["v2"]


@pytest.mark.parametrize(
    ("naming", "text"),
    [(Naming.NAME, "v2"), (Naming.LABEL_AND_NAME, "Age (v2)"), (Naming.NAME_AND_LABEL, "v2 (Age)")],
)
def test_one_setting_says_what_is_shown(naming: Naming, text: str) -> None:
    with names_shown(shown_names([described("v2", "Age")], naming)):
        assert shown_name("v2") == text and shown_name("v3") == "v3"
        assert "v2" in whole_name("v2") and "Age" in whole_name("v2")
        assert name_of(text) == "v2"


def test_long_labels_are_shortened_and_stay_apart() -> None:
    columns = [
        described(f"q{place}", QUESTION.format(who)) for place, who in enumerate(("friends", "others"))
    ]
    columns.append(described("q9", columns[0].description))
    shown = shown_names(columns)
    assert len({names.text for names in shown.values()}) == 3
    assert all(len(names.text) < 75 and names.text.endswith(f"({name})") for name, names in shown.items())
    assert shown["q0"].whole == f"{columns[0].description} (q0)"


def test_a_report_names_variables_by_label_and_says_so(result: DiscoveryResult) -> None:
    feature = result.findings.all[0].feature
    report = report_html(make_report(ResultContext(result)))
    assert f"Meaning of {feature} ({feature})" in report
    assert "Names of variables" in report and "Label (name)" in report
    plain = report_html(make_report(ResultContext(result, options=ExportOptions(variable_names="name"))))
    assert f"({feature})" not in plain


def test_figures_name_variables_by_label(result: DiscoveryResult) -> None:
    with names_shown(ResultContext(result).shown_names):
        graph = graph_chart(result.findings).panels[0]
        sets = label_set_chart(result.findings).panels[0]
    assert all(node.name.startswith("Meaning of ") for node in graph.content.nodes)
    assert all(edge.start.startswith("Meaning of ") for edge in graph.content.edges)
    assert all(row.startswith("Meaning of ") for row in sets.rows)


def test_files_for_programs_keep_names_alone(result: DiscoveryResult, tmp_path: Path) -> None:
    with names_shown(ResultContext(result).shown_names):
        for table in (tables.COMMON, tables.LABEL_SPECIFIC, tables.LINKS, tables.EVIDENCE):
            assert "Meaning" not in str(file_table(table, result.findings).rows)
            assert "Meaning" not in str(records(table, result.findings))
    for name in ("common", "links", "graph"):
        path = export_file(result, tmp_path / name, name)
        assert "Meaning of" not in path.read_text("utf-8"), name
