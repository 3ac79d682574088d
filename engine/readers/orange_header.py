"""How Orange begins a table: rows of names, types and roles, or names with both in front, as in cD#ill."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.readers.reading import Record, Table
from engine.table.column_kinds import MOST_CATEGORIES, as_categories
from engine.table.variable import Kind, Role, Variable
from engine.translation import N_, _
from engine.wording.notes import Note
from engine.wording.phrases import plain_listing

_TYPES = {
    "continuous": "number", "c": "number", "numeric": "number", "n": "number",
    "discrete": "category", "d": "category", "categorical": "category",
    "string": "text", "s": "text", "text": "text", "time": "number", "t": "number", "datetime": "number",
}  # fmt: skip
_ROLES = {
    "": "", "class": "label", "c": "label", "multiclass": "label", "meta": "aside", "m": "aside",
    "ignore": "aside", "i": "aside", "skip": "aside", "weight": "aside", "w": "aside",
}  # fmt: skip
_ATTRIBUTE = re.compile(r"[\w-]+=\S*")
_MOST_NAMED = 6
_BELOW_NAMES = N_("Below the names, 2 rows with types and roles, as Orange writes them, are read.")
_IN_NAMES = N_("Types and roles in front of the names, as Orange writes them, are read.")


@dataclass(frozen=True, slots=True)
class Declared:
    """What the rows below the names say of a column."""

    kind: str
    role: str


def declared_columns(table: Sequence[Record], width: int) -> tuple[Declared, ...]:
    """Read the second and third row of a table; nothing where they are no such rows.

    >>> rows = [("dose", "ill"), ("continuous", "no yes"), ("", "class"), ("1.5", "no")]
    >>> [each.role for each in declared_columns([Record(*each) for each in enumerate(rows)], 2)]
    ['', 'label']
    """
    if len(table) < 4:
        return ()
    types = [_plain(table[1], place) for place in range(width)]
    is_type = [text in _TYPES for text in types if text]
    if sum(is_type) < max(1, (len(is_type) + 1) // 2) or not any(types):
        return ()
    if any(text not in _TYPES and len(text.split()) < 2 for text in types if text):
        return ()
    roles = [_plain(table[2], place) for place in range(width)]
    words = [[word for word in text.split() if not _ATTRIBUTE.fullmatch(word)] for text in roles]
    if any(word not in _ROLES for words_of_column in words for word in words_of_column):
        return ()
    return tuple(
        Declared(
            _TYPES.get(kind, "category" if kind else ""), next((_ROLES[word] for word in words_of_column), "")
        )
        for kind, words_of_column in zip(types, words, strict=True)
    )


_PREFIXED = re.compile(r"(?:([mciw]?)([CDSTN]?)#)(?:([CDSTN])#)?(?=.)(?!\d+$)")


def declared_in_names(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[Declared, ...]]:
    """Take types and roles off names; nothing is declared where they are not in front of most names.

    >>> names, declared = declared_in_names(["mS#who", "C#dose", "cD#ill"])
    >>> names, [each.role for each in declared]
    (('who', 'dose', 'ill'), ['aside', '', 'label'])
    """
    prefixes = [_PREFIXED.match(name) for name in names]
    marked = [prefix for prefix in prefixes if prefix is not None and len(prefix[0]) > 1]
    if len(marked) < 2 or 2 * len(marked) < len(names):
        return tuple(names), ()
    plain, declared = [], []
    for name, prefix in zip(names, prefixes, strict=True):
        role, kind, kind_behind = prefix.groups() if prefix in marked else ("", "", None)
        plain.append(name[prefix.end() :] if prefix in marked else name)
        declared.append(Declared(_TYPES.get((kind or kind_behind or "").casefold(), ""), _ROLES[role]))
    return tuple(plain), tuple(declared)


def _plain(record: Record, place: int) -> str:
    return record.cells[place].strip().casefold() if place < len(record.cells) else ""


def as_declared(
    table: Table, positions: Sequence[int], declared: Sequence[Declared], *, in_names: bool = False
) -> Table:
    """Take types and roles as they are declared."""
    if not declared:
        return table
    variables: list[Variable] = []
    columns: list[np.ndarray] = []
    for variable, column, position in zip(table.variables, table.columns, positions, strict=True):
        said = declared[position] if position < len(declared) else Declared("", "")
        is_number = said.kind == "category" and variable.kind is Kind.CONTINUOUS
        if is_number and len(np.unique(column[~np.isnan(column)])) <= MOST_CATEGORIES:
            variable, column = as_categories(variable, column)
        if said.role == "aside" or said.kind == "text":
            variable = replace(variable, role=Role.IGNORED)
        variables.append(variable)
        columns.append(column)
    by_role = {
        role: [
            variable.name
            for variable, position in zip(variables, positions, strict=True)
            if position < len(declared) and declared[position].role == role
        ]
        for role in ("label", "aside")
    }
    sentences = [
        _(_IN_NAMES) if in_names else _(_BELOW_NAMES),
        *(
            sentence.format(names=plain_listing(by_role[role], _MOST_NAMED))
            for role, sentence in (("label", _("Labels: {names}.")), ("aside", _("Set aside: {names}.")))
            if by_role[role]
        ),
    ]
    return replace(
        table,
        variables=tuple(variables),
        columns=tuple(columns),
        declared_labels=tuple(by_role["label"]),
        issues=(*table.issues, Note("orange-header", " ".join(sentences))),
    )
