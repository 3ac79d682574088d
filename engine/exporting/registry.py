"""Every format in which findings leave the program, described once for menu, terminal and docs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.exporting import tables
from engine.exporting.analysis import Analysis
from engine.exporting.csv_file import csv_writer_of
from engine.exporting.data_file import write_data_arff, write_data_csv, write_data_workbook
from engine.exporting.graph_file import write_graph
from engine.exporting.report import write_report
from engine.exporting.result_file import write_result
from engine.exporting.stability_tables import stability_table
from engine.exporting.workbook import write_feature_workbook, write_tables_workbook

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One kind of file that findings can be written to.

    Attributes
    ----------
    name : str
        What it is called in the terminal.
    title : str
        What it is called in a menu.
    file_name : str
        Name of the file inside an output folder.
    help : str
        One sentence on what is in it and who wants it.
    write : callable
        Writes an analysis to a path.
    standard : bool
        Written into every output folder; the others when asked for.
    needs_stability : bool
        Holds nothing unless the search was repeated, and is left out of a folder then.
    """

    name: str
    title: str
    file_name: str
    help: str
    write: Callable[[Analysis, Path], None]
    standard: bool = False
    needs_stability: bool = False

    def has_content(self, result: DiscoveryResult) -> bool:
        """Tell whether a result has what the file would hold."""
        return not self.needs_stability or result.stability is not None

    @property
    def extension(self) -> str:
        """Ending of the file name, e.g. ``".csv"``."""
        return Path(self.file_name).suffix


_FORMATS = (
    ExportFormat(
        "result",
        "Everything (JSON)",
        "result.json",
        "Findings, tests, settings and notes in one file for programs.",
        write_result,
        standard=True,
    ),
    ExportFormat(
        "common",
        "Common variables (CSV)",
        "common.csv",
        "One row for each variable that counts for two or more labels.",
        csv_writer_of(tables.common_table),
        standard=True,
    ),
    ExportFormat(
        "label-specific",
        "Label-specific variables (CSV)",
        "label_specific.csv",
        "One row for each variable that counts for one label alone.",
        csv_writer_of(tables.label_specific_table),
        standard=True,
    ),
    ExportFormat(
        "equivalences",
        "Interchangeable variables, and those not told apart (CSV)",
        "equivalences.csv",
        "One row for each pair of variables that tell the same about a label or a shared effect.",
        csv_writer_of(tables.equivalence_table),
        standard=True,
    ),
    ExportFormat(
        "label-relations",
        "Relations between labels (CSV)",
        "label_relations.csv",
        "One row for each label that is in the boundary of another label.",
        csv_writer_of(tables.label_relation_table),
        standard=True,
    ),
    ExportFormat(
        "directions",
        "Causes and effects (CSV)",
        "directions.csv",
        "One row for each direct neighbour of a label: a cause, an effect or undecided, and what tells it.",
        csv_writer_of(tables.direction_table),
        standard=True,
    ),
    ExportFormat(
        "stability",
        "How often found again (CSV)",
        "stability.csv",
        "One row for each variable and label found or nearly found, with how often it was found again.",
        csv_writer_of(stability_table),
        standard=True,
        needs_stability=True,
    ),
    ExportFormat(
        "graph",
        "Graph (GraphML)",
        "graph.graphml",
        "Labels, features and their relations as a network for Gephi, yEd or Cytoscape.",
        write_graph,
        standard=True,
    ),
    ExportFormat(
        "report",
        "Report (HTML)",
        "report.html",
        "The findings in words and tables, to read in a browser, print or pass on.",
        write_report,
        standard=True,
    ),
    ExportFormat(
        "tables",
        "All tables (Excel)",
        "tables.xlsx",
        "Every table on a sheet of its own.",
        write_tables_workbook,
    ),
    ExportFormat(
        "evidence",
        "Evidence (CSV)",
        "evidence.csv",
        "One row for each reason why a variable counts for a label, with the test that decides.",
        csv_writer_of(tables.evidence_table),
    ),
    ExportFormat(
        "features",
        "Selected features (CSV)",
        "selected_features.csv",
        "The names of the variables found, with their labels.",
        csv_writer_of(tables.feature_table),
    ),
    ExportFormat(
        "features-excel",
        "Selected features (Excel)",
        "selected_features.xlsx",
        "The names of the variables found, with their labels.",
        write_feature_workbook,
    ),
    ExportFormat(
        "data",
        "Selected features with the data (CSV)",
        "selected_data.csv",
        "The columns of the variables found and of the labels, with their values.",
        write_data_csv,
    ),
    ExportFormat(
        "data-excel",
        "Selected features with the data (Excel)",
        "selected_data.xlsx",
        "The columns of the variables found and of the labels, with their values.",
        write_data_workbook,
    ),
    ExportFormat(
        "data-arff",
        "Selected features with the data (ARFF)",
        "selected_data.arff",
        "The same for Weka, Mulan and MEKA, with types, and the labels declared.",
        write_data_arff,
    ),
)


def export_formats() -> dict[str, ExportFormat]:
    """Give every export format by name, in the order in which they are offered.

    Examples
    --------
    >>> export_formats()["graph"].file_name
    'graph.graphml'
    """
    return {each.name: each for each in _FORMATS}
