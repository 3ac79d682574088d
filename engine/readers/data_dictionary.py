"""A data dictionary of REDCap beside its data: what each field is called in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from engine.readers.reading import Table
from engine.table.dataset import Dataset
from engine.table.variable import Kind
from engine.translation import N_, for_count
from engine.wording.notes import Note
from engine.wording.numbers import count_text

LABELS_READ = "variable-labels"
"""Topic of the note that names the second table whose labels are taken."""

# As the page of a project writes them, and as its interface for programs does.
_FIELD = ("variablefieldname", "fieldname")
_LABEL = ("fieldlabel",)
_CHOICES = ("choicescalculationsorsliderlabels", "selectchoicesorcalculations")
_NOT_LETTERS = re.compile(r"[\W_]+")
_TAG = re.compile(r"<[^<>]+>")
# Of a field with boxes to tick, each box has a column.
_BOX = "___"


def labels_of_fields(table: Table) -> dict[str, str]:
    """Return the label of each field, boxes with their choice; empty where a table is no data dictionary."""
    field, label, choices = (_cells(table, headings) for headings in (_FIELD, _LABEL, _CHOICES))
    if not field or not label:
        return {}
    labels = {}
    for name, text, choice in zip(field, label, choices or [""] * len(field), strict=True):
        words = " ".join(_TAG.sub(" ", text).split())
        if name and words:
            labels[name] = words
            for code, meaning in _pairs(choice).items():
                box = _NOT_LETTERS.sub("_", code).casefold()
                labels[f"{name}{_BOX}{box}"] = f"{words}: {meaning}"
    return labels


def with_labels_of_fields(dataset: Dataset, labels: Mapping[str, str], file_name: str) -> Dataset:
    """Take labels of a data dictionary over, and note how many columns have one."""
    variables = tuple(
        replace(variable, description=labels.get(variable.name, variable.description))
        for variable in dataset.variables
    )
    count = sum(variable.name in labels for variable in variables)
    sentence = for_count(count, *_TAKEN).format(count=count_text(count), name=file_name)
    return replace(dataset, variables=variables).with_notes((Note(LABELS_READ, sentence),))


_TAKEN = (
    N_("The label of {count} column is read from the data dictionary '{name}'."),
    N_("The labels of {count} columns are read from the data dictionary '{name}'."),
)


def _cells(table: Table, headings: tuple[str, ...]) -> list[str]:
    """Return the texts of a column, found by its heading; empty where there is none."""
    for variable, column in zip(table.variables, table.columns, strict=True):
        if _NOT_LETTERS.sub("", variable.name).casefold() in headings and variable.kind is Kind.NOMINAL:
            return [variable.levels[code] if code >= 0 else "" for code in column.tolist()]
    return []


def _pairs(choices: str) -> dict[str, str]:
    """Read choices such as ``1, Fever | 2, Cough``."""
    pairs = (choice.partition(",") for choice in choices.split("|"))
    return {code.strip(): meaning.strip() for code, comma, meaning in pairs if comma and meaning.strip()}
