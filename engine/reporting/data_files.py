"""Tables of data as files: selected columns with their values, ARFF, and the names of labels for Mulan.

Labels are the last columns or the first, and the name of the relation says how many they are, as MEKA does
(Read, Reutemann, Pfahringer, Holmes 2016, JMLR 17(21):1-5): ``-C -6`` for the last six, ``-C 6`` for the
first. Names and values stand in single quotes where they must, with a backslash before quotes, backslashes
and line breaks. A sparse row leaves out zeros and first categories.

Tsoumakas, Spyromitros-Xioufis, Vilcek and Vlahavas 2011, Mulan: a Java library for multi-label learning,
JMLR 12:2411-2414.

A simulated table comes with its labels and its true answer, as three files that belong together:
``NAME.arff`` or ``NAME.csv`` is the table, ``NAME.xml`` names its labels as Mulan does, and
``NAME.truth.json`` holds the answer that is known from the network: ``settings``; ``labels``; ``common`` and
``label_specific``, each with ``feature`` and ``labels``; ``total_common``, likewise, which counts links
through other labels too; ``links``, each with ``feature``, ``label`` and ``kind`` ("direct" or "through
labels"); ``label_relations``; ``boundaries``, where every Markov boundary of a label takes exactly one set of
each of its ``choices`` (others may exist where ``is_exact`` is false); ``among_features``, likewise the
boundaries among the features alone, the other labels marginalised; and ``edges``, each from cause to effect.
Files of earlier versions lack ``total_common``, ``links`` and ``among_features``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

import numpy as np

from engine.atomic import atomic_folder
from engine.errors import InvalidParameter
from engine.reporting.table_files import Sheet, write_rows, write_workbook
from engine.reporting.tables import USUAL_OPTIONS, DrawnFile, ExportOptions, ResultContext
from engine.table.column_kinds import LARGEST_NUMBER
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role
from engine.translation import _

if TYPE_CHECKING:
    from engine.simulation import SimulatedNetwork
    from engine.simulation.truth import BoundaryAmongFeatures, TrueBoundary, Truth
    from engine.table.variable import Variable


Value = str | int | float | None


def write_data_csv(analysis: ResultContext, path: Path) -> None:
    """Write the values of the causal features and the labels as CSV; missing ones are empty."""
    write_csv(selected_columns(analysis), path, analysis.options)


def write_data_arff(analysis: ResultContext, path: Path) -> None:
    """Write the values of the causal features and the labels as ARFF, with types and labels declared."""
    table, result = selected_columns(analysis), analysis.result
    features = dict.fromkeys(result.label_sets, Role.FEATURE)
    write_arff(table.with_roles(features | dict.fromkeys(result.dataset.labels, Role.LABEL)), path)


def data_sheet(table: Dataset) -> Sheet:
    """Return the values of a table as a sheet."""
    rows: Iterator[tuple[Value, ...]] = zip(*(values(table, name) for name in table.names), strict=True)
    return "Data", chain([table.names], rows)


def _write_workbook(table: Dataset, path: Path) -> None:
    write_workbook([data_sheet(table)], path)


def write_csv(table: Dataset, path: Path, options: ExportOptions = USUAL_OPTIONS) -> None:
    """Write every column of a table as CSV; missing values are empty."""
    columns = [["" if value is None else str(value) for value in values(table, name)] for name in table.names]
    write_rows(path, table.names, zip(*columns, strict=True), options)


def selected_columns(analysis: ResultContext) -> Dataset:
    """Return the table with the causal features, in column order, and then the labels."""
    chosen = [*analysis.result.label_sets, *analysis.result.dataset.labels]
    return analysis.table.select_variables(chosen)


DATA_WORKBOOK = DrawnFile(selected_columns, _write_workbook)
"""How the values of the causal features and the labels become an Excel file."""


def values(table: Dataset, name: str) -> list[Value]:
    """Return the values of a variable as texts and numbers; whole numbers without a decimal point."""
    variable, column = table.variable(name), table.column(name)
    if variable.kind is Kind.NOMINAL:
        return [variable.levels[code] if code >= 0 else None for code in column.tolist()]
    present = column[~np.isnan(column)]
    whole = bool(np.all((present == np.floor(present)) & (np.abs(present) < LARGEST_NUMBER)))
    return [None if number != number else int(number) if whole else number for number in column.tolist()]


_MISSING = "?"
_PLAIN = re.compile(r"[^\s\x00-\x1f'\"{},%?\\\x7f]+")
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def write_arff(dataset: Dataset, path: Path, *, labels_first: bool = False, sparse: bool = False) -> None:
    """Write the features and labels of a table as ARFF; sparse without zeros and first categories."""
    parts = [dataset.features, dataset.labels]
    table = dataset.select_variables(name for part in parts[:: -1 if labels_first else 1] for name in part)
    count = len(dataset.labels) if labels_first else -len(dataset.labels)
    relation = f"{dataset.name.replace(':', ' ')}: -C {count}"
    columns = [_texts(table, variable) for variable in table.variables]
    rows = (
        _sparse_rows(columns, [_left_out(variable) for variable in table.variables])
        if sparse
        else (",".join(row) for row in zip(*columns, strict=True))
    )
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(f"@relation {_quoted(relation)}\n\n")
        file.writelines(_declaration(variable) for variable in table.variables)
        file.write("\n@data\n")
        file.writelines(f"{row}\n" for row in rows)


def _sparse_rows(columns: Sequence[Sequence[str]], left_out: Sequence[tuple[str, ...]]) -> Iterator[str]:
    for row in zip(*columns, strict=True):
        written = (
            f"{position} {value}"
            for position, (value, defaults) in enumerate(zip(row, left_out, strict=True))
            if value not in defaults
        )
        yield f"{{{','.join(written)}}}"


def _left_out(variable: Variable) -> tuple[str, ...]:
    """Return the texts that a sparse row need not hold."""
    if variable.kind is Kind.CONTINUOUS:
        return ("0", "0.0", "-0.0")
    return tuple(map(_quoted, variable.levels[:1]))


def _declaration(variable: Variable) -> str:
    levels = ",".join(map(_quoted, variable.levels))
    kind = f"{{{levels}}}" if variable.kind is Kind.NOMINAL else "numeric"
    return f"@attribute {_quoted(variable.name)} {kind}\n"


def _texts(table: Dataset, variable: Variable) -> list[str]:
    cells = values(table, variable.name)
    if variable.kind is Kind.CONTINUOUS:
        return [_MISSING if value is None else repr(value) for value in cells]
    quoted = {level: _quoted(level) for level in variable.levels}
    return [_MISSING if value is None else quoted[str(value)] for value in cells]


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    return f"'{text.translate(_ESCAPES)}'"


def write_label_file(labels: Sequence[str], path: Path) -> None:
    """Write the names of the labels of a table."""
    lines = [f"<label name={quoteattr(label)}></label>" for label in labels]
    start = '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">'
    path.write_text("\n".join([start, *lines, "</labels>\n"]), "utf-8")


TRUTH_FORMAT = "clcd-truth"
SCHEMA_VERSION = 1

_TABLE_WRITERS: dict[str, Callable[[Dataset, Path], None]] = {".arff": write_arff, ".csv": write_csv}


def check_simulation_path(path: str | os.PathLike[str]) -> Path:
    """Raise InvalidParameter unless `path` ends in ``.arff`` or ``.csv``; give it as a Path."""
    checked = Path(path)
    if checked.suffix.lower() not in _TABLE_WRITERS:
        raise InvalidParameter(
            _("a simulated table is written as ARFF or CSV."),
            place=f"'{path}'",
            remedy=_("Name it '{name}.arff' or '{name}.csv'.", name=checked.name),
        )
    return checked


def write_simulation(network: SimulatedNetwork, path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write a simulated table (ARFF, which keeps types, or CSV), its label names and the truth."""
    table = check_simulation_path(path)
    names = (table.name, f"{table.stem}.xml", f"{table.stem}.truth.json")
    with atomic_folder(table.parent) as drafts:
        _TABLE_WRITERS[table.suffix.lower()](network.dataset, drafts / names[0])
        write_label_file(network.dataset.labels, drafts / names[1])
        (drafts / names[2]).write_text(_truth_text(network), "utf-8")
    return tuple(table.parent / name for name in names)


def _truth_text(network: SimulatedNetwork) -> str:
    truth = network.truth
    members: dict[str, Any] = {
        "format": TRUTH_FORMAT,
        "schema_version": SCHEMA_VERSION,
        "settings": asdict(network.settings),
        "labels": list(truth.labels),
        "common": _features(truth, truth.label_sets, truth.common),
        "label_specific": _features(truth, truth.label_sets, truth.label_specific),
        "total_common": _features(truth, truth.total_label_sets, truth.total_common),
        "links": [
            {"feature": feature, "label": label, "kind": kind}
            for (feature, label), kind in truth.links.items()
        ],
        "label_relations": {
            label: _in_order(truth.labels, related) for label, related in truth.label_relations.items()
        },
        "boundaries": [_boundary(boundary) for boundary in truth.boundaries.values()],
        "among_features": [_choices(among_feature) for among_feature in truth.among_features.values()],
        "edges": [list(edge) for edge in truth.edges],
    }
    return json.dumps(members, ensure_ascii=False, indent=1) + "\n"


def _features(
    truth: Truth, label_sets: Mapping[str, frozenset[str]], chosen: frozenset[str]
) -> list[dict[str, Any]]:
    return [
        {"feature": feature, "labels": _in_order(truth.labels, labels)}
        for feature, labels in label_sets.items()
        if feature in chosen
    ]


def _in_order(order: tuple[str, ...], chosen: frozenset[str]) -> list[str]:
    return [name for name in order if name in chosen]


def _boundary(boundary: TrueBoundary) -> dict[str, Any]:
    return {
        "label": boundary.target,
        "parents": list(boundary.parents),
        "children": list(boundary.children),
        "spouses": [
            {"spouse": spouse, "children": sorted(children)} for spouse, children in boundary.spouses.items()
        ],
        **_choices(boundary),
    }


def _choices(boundary: TrueBoundary | BoundaryAmongFeatures) -> dict[str, Any]:
    return {
        "label": boundary.target,
        "is_exact": boundary.is_exact,
        "boundary_count": boundary.boundary_count,
        "choices": [[sorted(picked) for picked in choice] for choice in boundary.choices],
    }
