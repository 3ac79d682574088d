"""Every format in which findings leave the program, described once for menu, terminal and docs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.atomic import atomic_folder, atomic_path
from engine.discovery import tables
from engine.errors import InvalidParameter
from engine.parameters import require_type
from engine.reporting.data_files import DATA_WORKBOOK, write_data_arff, write_data_csv
from engine.reporting.finding_charts import drawn_figure
from engine.reporting.graph_file import GRAPH_FILE
from engine.reporting.report import chosen_parts
from engine.reporting.report.report_files import drawn_report, write_latex
from engine.reporting.result_file import write_result
from engine.reporting.script import write_command, write_script
from engine.reporting.sentences.method import write_methods
from engine.reporting.table_files import (
    FEATURE_WORKBOOK,
    TABLES_WORKBOOK,
    csv_writer_of,
    table_writer_of,
    write_bibtex,
)
from engine.reporting.tables import (
    DrawnFile,
    ExportOptions,
    ResultContext,
    TableOrigin,
    effect_table,
    stability_table,
)
from engine.translation import N_, _
from engine.wording.sentences import ARFF_HELP, MAKE_A_RESULT, NO_SUCH_FORMAT, choose_one, nearest_or
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.preparation.preparation_settings import PreparationSettings
    from engine.table.dataset import Dataset


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One kind of file that findings can be written to."""

    name: str  # in the terminal
    subject: str  # what is written; `title` says the kind of file too, where the subject does not
    file_name: str  # inside an output folder
    help: str  # one sentence on what is in it and who wants it
    write: Callable[[ResultContext, Path], None]
    standard: bool = False  # written into every output folder; the others when asked for
    needs_stability: bool = False  # left out of a folder unless the search was repeated
    needs_effects: bool = False  # likewise, unless sizes were measured
    needs_groups: bool = False  # likewise, unless labels go together in groups
    needs_origin: bool = False  # cannot be written unless it is known where the table came from
    drawn: DrawnFile | None = None  # by a library that only such files need
    kind: str = ""

    @property
    def title(self) -> str:
        """What a menu shows, in the language of the person."""
        return f"{_(self.subject)} ({self.kind})" if self.kind else _(self.subject)

    def can_be_made_of(self, analysis: ResultContext) -> bool:
        """Tell whether an analysis has all that the file takes."""
        return self.has_content(analysis.result) and not (self.needs_origin and analysis.origin is None)

    def has_content(self, result: DiscoveryResult) -> bool:
        """Tell whether a result has what the file would hold."""
        return (
            (result.effects is not None or not self.needs_effects)
            and (bool(result.label_groups) or not self.needs_groups)
            and (result.stability is not None or not self.needs_stability)
        )

    @property
    def extension(self) -> str:
        """Ending of the file name, e.g. ``".csv"``."""
        return Path(self.file_name).suffix


_FEATURES_HELP = N_("The names of the variables found, with their labels.")
_DATA_HELP = N_("The columns of the variables found and of the labels, with their values.")


def _drawn_format(
    name: str, subject: str, file_name: str, help: str, drawn: DrawnFile, **others: Any
) -> ExportFormat:
    return ExportFormat(name, subject, file_name, help, drawn.write, drawn=drawn, **others)


def _standard_table(
    name: str, subject: str, help: str, write: Callable[[ResultContext, Path], None], **others: Any
) -> ExportFormat:
    file_name = f"{name.replace('-', '_')}.csv"
    return ExportFormat(name, subject, file_name, help, write, standard=True, kind="CSV", **others)


def _figure_formats(
    name: str, subject: str, stem: str, help: str, needs_effects: bool = False
) -> Iterator[ExportFormat]:
    """Describe a figure as SVG, which goes by its own name, as PDF and as PNG."""
    for ending in (".svg", ".pdf", ".png"):
        kind = ending.removeprefix(".")
        yield _drawn_format(
            name if kind == "svg" else f"{name}-{kind}",
            subject,
            f"{stem}{ending}",
            help,
            drawn_figure(name, ending),
            needs_effects=needs_effects,
            kind=kind.upper(),
        )


_FORMATS = (
    ExportFormat(
        "result",
        N_("Everything (JSON)"),
        "result.json",
        N_("Findings, tests, settings and notes in one file for programs."),
        write_result,
        standard=True,
    ),
    _standard_table(
        "common",
        N_("Common variables"),
        N_("One row for each variable that is linked directly to two or more labels."),
        csv_writer_of(tables.COMMON),
    ),
    _standard_table(
        "label-specific",
        N_("Label-specific variables"),
        N_("One row for each variable that is linked directly to one label only."),
        csv_writer_of(tables.LABEL_SPECIFIC),
    ),
    _standard_table(
        "links",
        N_("Links, direct and through other labels"),
        N_("One row for each variable and label that are linked, directly or through other labels."),
        csv_writer_of(tables.LINKS, lambda result: result.total_findings),
    ),
    _standard_table(
        "equivalences",
        N_("Interchangeable and not distinguishable variables"),
        N_(
            "One row for each pair of variables that carry the same information about a label or a "
            "shared effect."
        ),
        csv_writer_of(tables.ALL_EQUIVALENCES),
    ),
    _standard_table(
        "label-relations",
        N_("Links between labels"),
        N_("One row for each label that is in the boundary of another label."),
        csv_writer_of(tables.LABEL_RELATIONS),
    ),
    _standard_table(
        "label-groups",
        N_("Groups of labels"),
        N_("One row for each variable that is linked to a group of labels."),
        csv_writer_of(tables.LABEL_GROUPS, lambda result: result.label_groups),
        needs_groups=True,
    ),
    _standard_table(
        "directions",
        N_("Causes and effects"),
        N_("One row for each direct neighbour of a label: cause, effect or undecided, with the evidence."),
        csv_writer_of(tables.DIRECTIONS),
    ),
    _standard_table(
        "stability",
        N_("Stability"),
        N_(
            "Direct links only: one row for each variable and label found or nearly found, with the "
            "number of repeated searches that found it."
        ),
        table_writer_of(stability_table),
        needs_stability=True,
    ),
    _standard_table(
        "effects",
        N_("Sizes"),
        N_(
            "One row for each finding and estimate: association, adjusted association and effect of "
            "changing it."
        ),
        table_writer_of(effect_table),
        needs_effects=True,
    ),
    _drawn_format(
        "graph",
        N_("Graph (GraphML)"),
        "graph.graphml",
        N_("Labels, features and their relations as a network for Gephi, yEd or Cytoscape."),
        GRAPH_FILE,
        standard=True,
    ),
    _drawn_format(
        "report",
        N_("Report (HTML)"),
        "report.html",
        N_("The findings in words and tables, to read in a browser, print or share."),
        drawn_report("report"),
        standard=True,
    ),
    _drawn_format(
        "report-pdf",
        N_("Report (PDF)"),
        "report.pdf",
        N_("The report as pages, to print or share."),
        drawn_report("report-pdf"),
    ),
    _drawn_format(
        "report-word",
        N_("Report (Word)"),
        "report.docx",
        N_("The report with headings and tables that you can edit, for a paper or a thesis."),
        drawn_report("report-word"),
    ),
    *_figure_formats(
        "forest-plot",
        N_("Forest plot of estimates"),
        "forest_plot",
        N_("The estimate of each finding with its interval, as a figure for a paper."),
        needs_effects=True,
    ),
    *_figure_formats(
        "label-sets",
        N_("Which labels share variables"),
        "label_sets",
        N_("How many variables each set of labels shares, as an UpSet plot."),
    ),
    ExportFormat(
        "methods",
        N_("Methods text"),
        "methods.txt",
        N_("A methods section for a paper, with citations."),
        write_methods,
    ),
    ExportFormat(
        "bibtex",
        N_("References (BibTeX)"),
        "references.bib",
        N_("The literature of the methods used, for a reference manager."),
        write_bibtex,
    ),
    ExportFormat(
        "latex",
        N_("Tables of the report (LaTeX)"),
        "tables.tex",
        N_("Every table of the report as a longtable, to include in a paper."),
        write_latex,
    ),
    ExportFormat(
        "script",
        N_("Repeat the analysis (Python)"),
        "again.py",
        N_("A Python program that repeats the analysis and gives identical files."),
        write_script,
        needs_origin=True,
    ),
    ExportFormat(
        "command",
        N_("Repeat the analysis (shell)"),
        "again.sh",
        N_("The command that repeats the analysis and gives identical files."),
        write_command,
        needs_origin=True,
    ),
    _drawn_format(
        "tables",
        N_("All tables (Excel)"),
        "tables.xlsx",
        N_("Every table on a sheet of its own."),
        TABLES_WORKBOOK,
    ),
    ExportFormat(
        "evidence",
        N_("Evidence (CSV)"),
        "evidence.csv",
        N_(
            "Direct links only: one row for each reason why a variable is linked to a label, with "
            "the deciding test."
        ),
        csv_writer_of(tables.EVIDENCE),
    ),
    ExportFormat(
        "features",
        N_("All linked variables (CSV)"),
        "selected_features.csv",
        _FEATURES_HELP,
        csv_writer_of(tables.FEATURES),
    ),
    _drawn_format(
        "features-excel",
        N_("All linked variables (Excel)"),
        "selected_features.xlsx",
        _FEATURES_HELP,
        FEATURE_WORKBOOK,
    ),
    ExportFormat(
        "data",
        N_("All linked variables with their data (CSV)"),
        "selected_data.csv",
        _DATA_HELP,
        write_data_csv,
    ),
    _drawn_format(
        "data-excel",
        N_("All linked variables with their data (Excel)"),
        "selected_data.xlsx",
        _DATA_HELP,
        DATA_WORKBOOK,
    ),
    ExportFormat(
        "data-arff",
        N_("All linked variables with their data (ARFF)"),
        "selected_data.arff",
        ARFF_HELP,
        write_data_arff,
    ),
)


def export_formats() -> dict[str, ExportFormat]:
    """Return every export format by name, in the order in which they are offered."""
    return {file_format.name: file_format for file_format in _FORMATS}


def export(
    result: DiscoveryResult,
    folder: str | os.PathLike[str],
    *,
    preparation: PreparationSettings | None = None,
    source: Dataset | None = None,
    also: Iterable[str] = (),
    report_parts: Sequence[str] = (),
    options: ExportOptions | None = None,
    origin: TableOrigin | None = None,
) -> tuple[Path, ...]:
    """Write the findings into a folder.

    All files are written, or none if one of them cannot be.

    Parameters
    ----------
    result : DiscoveryResult
        The findings.
    folder : str or path
        Folder for the files, created if it does not exist. Files with the same names are replaced. Files of
        an earlier run for which this run has no content, such as selection frequencies, are removed. All
        others stay.
    preparation : PreparationSettings, optional
        How the table was prepared. The files state it.
    source : Dataset, optional
        The table as it was read. Files with data hold its values instead of the prepared ones.
    also : iterable of str
        Names of formats to write besides the standard ones (keys of ``export_formats()``).
    report_parts : sequence of str
        Names of the parts of a report, in order (keys of ``report_parts()`` in
        :mod:`engine.reporting.report`). If it is empty, the usual parts are written.
    options : ExportOptions, optional
        Options for all files, such as whether spreadsheets may treat names as formulas.
    origin : TableOrigin, optional
        The file of the table. The script that repeats the analysis needs it.

    Returns
    -------
    tuple of Path
        The files, in the order of the formats.

    Raises
    ------
    InvalidParameter
        If a format or a part of a report does not exist, or `result` is not a result.
    UnwritableFile
        If a file cannot be written. Then none is.

    Examples
    --------
    >>> import engine, tempfile
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in engine.export(engine.discover(network.dataset), folder)][:3]
    ['result.json', 'common.csv', 'label_specific.csv']
    """
    from engine.discovery.result import DiscoveryResult

    require_type(result, DiscoveryResult, "result", _(MAKE_A_RESULT))
    chosen = folder_formats(result, also)
    analysis = ResultContext(
        result, preparation, source, _known_parts(report_parts), options or ExportOptions(), origin
    )
    # Left by an earlier run, they would be taken for what this one found.
    without = [
        export_format.file_name
        for export_format in export_formats().values()
        if not export_format.has_content(result)
    ]
    with atomic_folder(folder, without) as drafts:
        for file_format in chosen:
            file_format.write(analysis, drafts / file_format.file_name)
    return tuple(Path(folder) / file_format.file_name for file_format in chosen)


def folder_formats(result: DiscoveryResult, also: Iterable[str] = ()) -> tuple[ExportFormat, ...]:
    """Return what :func:`export` writes into a folder, in order."""
    names = {find_format(name).name for name in also}
    return tuple(
        export_format
        for export_format in export_formats().values()
        if (export_format.standard and export_format.has_content(result)) or export_format.name in names
    )


def export_file(
    result: DiscoveryResult,
    path: str | os.PathLike[str],
    format_name: str,
    *,
    preparation: PreparationSettings | None = None,
    source: Dataset | None = None,
    report_parts: Sequence[str] = (),
    options: ExportOptions | None = None,
    origin: TableOrigin | None = None,
) -> Path:
    """Write findings to one file of one format."""
    chosen = find_format(format_name, "format_name")
    analysis = ResultContext(
        result, preparation, source, _known_parts(report_parts), options or ExportOptions(), origin
    )
    with atomic_path(path) as draft:
        chosen.write(analysis, draft)
    return Path(path)


def _known_parts(names: Sequence[str]) -> tuple[str, ...]:
    """Refuse what is no part of a report before anything is written."""
    chosen_parts(names)
    return tuple(names)


def find_format(name: str, setting: str = "also") -> ExportFormat:
    """Return the format of a name."""
    formats = export_formats()
    if name in formats:
        return formats[name]
    remedy = nearest_or(name, formats, choose_one(formats))
    raise InvalidParameter(_(NO_SUCH_FORMAT, name=name), place=the_setting(setting), remedy=remedy)
