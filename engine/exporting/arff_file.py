r"""ARFF files (Weka, Mulan, MEKA): tables that keep their types and say which columns are labels.

Labels are the last columns or the first, and the name of the relation says how many they are, as MEKA does
(Read, Reutemann, Pfahringer, Holmes 2016, JMLR 17(21):1-5): ``-C -6`` for the last six, ``-C 6`` for the
first. Names and values stand in single quotes where they must, with a backslash before quotes, backslashes
and line breaks. A sparse row leaves out zeros and first categories.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.exporting.data_file import values
from engine.table.variable import Kind

if TYPE_CHECKING:
    from engine.table.dataset import Dataset
    from engine.table.variable import Variable

_MISSING = "?"
_PLAIN = re.compile(r"[^\s\x00-\x1f'\"{},%?\\\x7f]+")
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def write_arff(dataset: Dataset, path: Path, *, labels_first: bool = False, sparse: bool = False) -> None:
    """Write the features and labels of a table as ARFF.

    Parameters
    ----------
    dataset : Dataset
        Ignored columns are left out.
    path : Path
        The file.
    labels_first : bool
        Labels are the first columns instead of the last.
    sparse : bool
        Rows are written as ``{index value, …}`` without zeros and first categories.
    """
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
            f"{place} {value}"
            for place, (value, defaults) in enumerate(zip(row, left_out, strict=True))
            if value not in defaults
        )
        yield f"{{{','.join(written)}}}"


def _left_out(variable: Variable) -> tuple[str, ...]:
    """Give the texts that a sparse row need not hold."""
    if variable.kind is Kind.CONTINUOUS:
        return ("0", "0.0", "-0.0")
    return tuple(map(_quoted, variable.levels[:1]))


def _declaration(variable: Variable) -> str:
    kind = "numeric"
    if variable.kind is Kind.NOMINAL:
        kind = f"{{{','.join(map(_quoted, variable.levels))}}}"
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
