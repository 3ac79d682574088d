"""The selected features and why each was selected, as ``selection.json``.

Its members, in this order:

``format``
    ``"clcd-selection"``.
``schema_version``
    1. Members may be added without a new number; it rises when one is removed or changes its meaning.
``run``
    The only part that may differ between two runs of the same selection: ``program_version`` and
    ``workers``.
``preferred``
    As in ``result.json``: features that were to be selected rather than what is interchangeable with them.
``data``
    The prepared table, as in ``result.json``, with the event of each two-valued column. No member states a
    direction of association.
``settings``
    ``preparation`` (null when not known) and ``discovery``, by field name.
``summary``
    ``selected``, ``of_features``, ``common`` and ``label_specific`` as counts, ``partial`` and
    ``unfinished_labels``.
``features``
    In the order in which they were chosen: ``feature``, ``labels`` that it serves, ``stands_for`` (variables
    whose place it takes) and ``reasons``, each with ``label``, ``rule``, ``symbol``, ``stands_for``,
    ``together_with`` (features that take the place jointly with it), ``children`` (effects through which
    a spouse counts), ``in_place_of`` (labels in whose place it came), ``alternatives`` (features that could
    have been selected instead), ``strength`` and ``log_p`` of the marginal association, and ``is_assumed``
    (true where the rows merely do not tell it apart from what it stands for, and a person preferred it).
``labels``
    Each ``label`` with the ``features`` that serve it and the ``removed_labels`` that left its boundary.

Numbers are written as in ``result.json``, each record on a line of its own.

Every file in which a selection leaves the program, described once for menu, terminal and docs.

How the table that is cut down to the selected features is laid out: settings written once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.atomic import atomic_folder
from engine.discovery.columns import ResultTable
from engine.errors import InvalidParameter
from engine.parameters import Choice, Settings, parameter, parameter_of, require_type
from engine.reporting.data_files import data_sheet, write_arff, write_csv, write_label_file
from engine.reporting.result_file import write_json_lines
from engine.reporting.table_files import MOST_COLUMNS, MOST_ROWS, Sheet, as_sheet, write_table, write_workbook
from engine.reporting.tables import DrawnFile, ExportOptions, file_table
from engine.selection.result import REASONS, SELECTED_FEATURES
from engine.table.variable import Role
from engine.translation import N_, _
from engine.wording.sentences import ARFF_HELP, NO_SUCH_FORMAT, choose_among

if TYPE_CHECKING:
    from engine.preparation.preparation_settings import PreparationSettings
    from engine.selection.result import Selection
    from engine.table.dataset import Dataset


FORMAT = "clcd-selection"
SCHEMA_VERSION = 1


def selection_object(selection: Selection, preparation: PreparationSettings | None = None) -> dict[str, Any]:
    """Return everything about a selection as plain dictionaries, lists, texts and numbers."""
    from engine.reporting.result_layout import encode_settings, result_converter
    from engine.version import __version__

    converter = result_converter(selection.dataset.names)
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "run": {"program_version": __version__, "workers": selection.settings.workers},
        "preferred": list(selection.discovery.preferred),
        "data": converter.unstructure(selection.dataset),
        "settings": encode_settings(selection.settings, preparation),
        "summary": {
            "selected": len(selection.features),
            "of_features": len(selection.dataset.features),
            "common": len(selection.common),
            "label_specific": len(selection.label_specific),
            "partial": selection.is_partial,
            "unfinished_labels": list(selection.unfinished_labels),
        },
        "features": [
            {
                "feature": feature,
                "labels": list(selection.labels_of(feature)),
                "stands_for": list(selection.stands_for(feature)),
                "reasons": converter.unstructure(selection.reasons[feature]),
            }
            for feature in selection.features
        ],
        "labels": [
            {
                "label": label,
                "features": list(selection.features_of(label)),
                "removed_labels": list(boundary.removed_labels),
            }
            for label, boundary in selection.boundaries.items()
        ],
    }


GUARD = parameter_of(ExportOptions, "guard_formulas")


@dataclass(frozen=True, slots=True)
class TableLayout(Settings):
    """Where the labels stand in the reduced table, and how ARFF and CSV files are written."""

    label_position: str = parameter(
        "last",
        N_("Labels"),
        N_("Where the labels stand in the reduced table."),
        choices=(
            Choice("last", N_("Last"), N_("The last columns; MEKA's header says -C -6 for six of them.")),
            Choice(
                "first", N_("First"), N_("The first columns, as MEKA's own tables have them; -C 6 for six.")
            ),
        ),
    )
    sparse_arff: bool = parameter(
        False,
        N_("Sparse ARFF"),
        N_(
            "Leave zeros and first categories out of the ARFF file. The file is smaller if most values "
            "are zero."
        ),
    )

    guard_formulas: bool = parameter(True, GUARD.title, GUARD.help)

    @property
    def options(self) -> ExportOptions:
        """How CSV files are written."""
        return ExportOptions(guard_formulas=self.guard_formulas)


@dataclass(frozen=True, eq=False)
class ExportedSelection:
    """A selection, and what its files need besides."""

    selection: Selection
    preparation: PreparationSettings | None = None  # left out of the files when it is not known
    source: Dataset | None = None  # as it was read, for data files; without it the prepared table is written
    layout: TableLayout = field(default_factory=TableLayout)

    @property
    def labels_first(self) -> bool:
        """Whether the labels are the first columns of the reduced table."""
        return self.layout.label_position == "first"

    @property
    def reduced(self) -> Dataset:
        """The selected features in column order, and the labels before or behind them."""
        table, selection = self.source or self.selection.dataset, self.selection
        chosen = [name for name in table.names if name in selection.label_sets]
        labels = list(selection.dataset.labels)
        names = [*labels, *chosen] if self.labels_first else [*chosen, *labels]
        roles = dict.fromkeys(chosen, Role.FEATURE) | dict.fromkeys(labels, Role.LABEL)
        return table.select_variables(names).with_roles(roles)


@dataclass(frozen=True, slots=True)
class SelectionFormat:
    """One kind of file that a selection is written to."""

    name: str
    title: str
    file_name: str
    help: str
    write: Callable[[ExportedSelection, Path], None]
    drawn: DrawnFile | None = None
    most_rows: int | None = None
    most_columns: int | None = None

    def holds(self, table: Dataset) -> bool:
        """Tell whether a file can hold a table, its header included."""
        return (self.most_rows is None or table.row_count < self.most_rows) and (
            self.most_columns is None or len(table.names) <= self.most_columns
        )


def _csv_writer_of(table: ResultTable[Any, Any]) -> Callable[[ExportedSelection, Path], None]:
    """Return the function that writes one of the tables of a selection."""

    def write(export: ExportedSelection, path: Path) -> None:
        write_table(file_table(table, export.selection.selected), path, export.layout.options)

    return write


def _workbook_content(export: ExportedSelection) -> tuple[Dataset, list[Sheet]]:
    """Return the reduced table, and the sheets beside it."""
    selected = export.selection.selected
    tables = file_table(SELECTED_FEATURES, selected), file_table(REASONS, selected)
    return export.reduced, list(map(as_sheet, tables))


def _write_workbook(content: tuple[Dataset, list[Sheet]], path: Path) -> None:
    table, sheets = content
    write_workbook([data_sheet(table), *sheets], path)


_WORKBOOK = DrawnFile(_workbook_content, _write_workbook)


def _write_arff(export: ExportedSelection, path: Path) -> None:
    write_arff(export.reduced, path, labels_first=export.labels_first, sparse=export.layout.sparse_arff)


_FORMATS = (
    SelectionFormat(
        "selection",
        N_("Everything (JSON)"),
        "selection.json",
        N_("Selected features, reasons and settings in one file for programs."),
        lambda export, path: write_json_lines(selection_object(export.selection, export.preparation), path),
    ),
    SelectionFormat(
        "features",
        N_("Selected features (CSV)"),
        "selection.csv",
        N_(
            "One row for each selected feature: the labels it serves, the rule, and the features that "
            "it replaces."
        ),
        _csv_writer_of(SELECTED_FEATURES),
    ),
    SelectionFormat(
        "reasons",
        N_("Reasons (CSV)"),
        "selection_reasons.csv",
        N_("One row for each feature and label that it serves, with the rule."),
        _csv_writer_of(REASONS),
    ),
    SelectionFormat(
        "data",
        N_("Reduced table (CSV)"),
        "selected_data.csv",
        N_("The columns of the selected features and of the labels, with their values."),
        lambda export, path: write_csv(export.reduced, path, export.layout.options),
    ),
    SelectionFormat(
        "data-excel",
        N_("Reduced table (Excel)"),
        "selected_data.xlsx",
        N_("The same, with the features and reasons on sheets of their own."),
        _WORKBOOK.write,
        drawn=_WORKBOOK,
        most_rows=MOST_ROWS,
        most_columns=MOST_COLUMNS,
    ),
    SelectionFormat(
        "data-arff",
        N_("Reduced table (ARFF)"),
        "selected_data.arff",
        ARFF_HELP,
        _write_arff,
    ),
    SelectionFormat(
        "data-labels",
        N_("Labels of the reduced table (XML)"),
        "selected_data.xml",
        N_("The names of the labels, which Mulan wants beside the ARFF file."),
        lambda export, path: write_label_file(export.selection.dataset.labels, path),
    ),
)


def selection_formats() -> dict[str, SelectionFormat]:
    """Return every format by name, in the order in which they are offered."""
    return {file_format.name: file_format for file_format in _FORMATS}


def formats_for(
    export: ExportedSelection, only: Collection[str] | None = None
) -> tuple[SelectionFormat, ...]:
    """Return the formats in which a selection is written, as offered; `only` names those that are wanted."""
    table, formats = export.reduced, selection_formats()
    wanted = set(formats) if only is None else set(only)
    if unknown := sorted(wanted - set(formats)):
        raise InvalidParameter(_(NO_SUCH_FORMAT, name=unknown[0]), remedy=choose_among(formats))
    return tuple(
        file_format
        for file_format in formats.values()
        if file_format.name in wanted and file_format.holds(table)
    )


def write_formats(
    export: ExportedSelection,
    folder: str | os.PathLike[str],
    only: Collection[str] | None,
    write: Callable[[SelectionFormat, Path], None],
) -> tuple[Path, ...]:
    """Write a selection into a folder: all files, or none when one cannot be written."""
    chosen = formats_for(export, only)
    with atomic_folder(folder) as drafts:
        for file_format in chosen:
            write(file_format, drafts / file_format.file_name)
    return tuple(Path(folder) / file_format.file_name for file_format in chosen)


def export_selection(
    selection: Selection,
    folder: str | os.PathLike[str],
    *,
    preparation: PreparationSettings | None = None,
    source: Dataset | None = None,
    layout: TableLayout | None = None,
    only: Collection[str] | None = None,
) -> tuple[Path, ...]:
    """Write a selection and the reduced table into a folder.

    All files are written, or none if one of them cannot be.

    Parameters
    ----------
    selection : Selection
        The selected features.
    folder : str or path
        Folder for the files, created if it does not exist. Files with the same names are replaced. All others
        stay.
    preparation : PreparationSettings, optional
        How the table was prepared. The files state it.
    source : Dataset, optional
        The table as it was read. Files with data hold its values instead of the prepared ones.
    layout : TableLayout, optional
        Where the labels stand, and whether the ARFF file is sparse.
    only : collection of str, optional
        Names of the formats to write. Default: all of them.

    Returns
    -------
    tuple of Path
        The files, in the order of the formats. A format that cannot hold so large a table is left out.

    Raises
    ------
    InvalidParameter
        If `only` names a format that does not exist, or `selection` is not a selection.
    UnwritableFile
        If a file cannot be written. Then none is.

    Examples
    --------
    >>> import engine, tempfile
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> selection = engine.select_features(network.dataset)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in engine.export_selection(selection, folder)][:2]
    ['selection.json', 'selection.csv']
    """
    from engine.selection.result import Selection

    require_type(selection, Selection, "selection", _("Make it with `select_features` or `selection_of`."))
    export = ExportedSelection(selection, preparation, source, layout or TableLayout())
    return write_formats(export, folder, only, lambda file_format, draft: file_format.write(export, draft))
