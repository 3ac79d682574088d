r"""ARFF files (Weka, Mulan, MEKA): tables that keep their types and say which columns are labels.

Labels are the last columns, and the name of the relation says how many they are, as MEKA does
(Read, Reutemann, Pfahringer, Holmes 2016, JMLR 17(21):1-5): ``-C -6`` for six. Names and values stand
in single quotes where they must, with a backslash before quotes, backslashes and line breaks.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from engine.exporting.data_file import values
from engine.variable import Kind

if TYPE_CHECKING:
    from engine.dataset import Dataset
    from engine.variable import Variable

_MISSING = "?"
_PLAIN = re.compile(r"[^\s\x00-\x1f'\"{},%?\\\x7f]+")
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def write_arff(dataset: Dataset, path: Path) -> None:
    """Write the features and labels of a table as ARFF, the labels last.

    Parameters
    ----------
    dataset : Dataset
        Ignored columns are left out.
    path : Path
        The file.
    """
    table = dataset.select_variables([*dataset.features, *dataset.labels])
    relation = f"{dataset.name.replace(':', ' ')}: -C -{len(dataset.labels)}"
    columns = [_texts(table, variable) for variable in table.variables]
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(f"@relation {_quoted(relation)}\n\n")
        file.writelines(_declaration(variable) for variable in table.variables)
        file.write("\n@data\n")
        file.writelines(f"{','.join(row)}\n" for row in zip(*columns, strict=True))


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
