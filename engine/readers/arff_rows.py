"""The lines of an ARFF data section: comments and instance weights removed, line numbers kept."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.notes import Note
from engine.readers.arff_header import QUOTED, ArffHeader
from engine.readers.words import counted

_BEFORE_COMMENT = re.compile(rf"(?:{QUOTED}|[^%'\"]|['\"])*?(?=%|\Z)")
_WEIGHT = re.compile(r"[,\s]\s*\{\s*[-+.\deE]+\s*\}$")


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows as text.

    Attributes
    ----------
    lines : tuple of str
        One a row, stripped.
    numbers : tuple of int
        Line number of each row in the file, counted from 1.
    sparse : bool
        The rows are written ``{index value, …}``.
    issues : tuple of Note
    complete : bool
        False when further rows follow in the file.
    """

    lines: tuple[str, ...]
    numbers: tuple[int, ...]
    sparse: bool
    issues: tuple[Note, ...] = ()
    complete: bool = True

    def place(self, row: int, file: str) -> str:
        """Say where a row is, by its line in the file."""
        return f"{file}, line {self.numbers[row]}"


def split_rows(text: str, header: ArffHeader, row_limit: int | None = None) -> Rows:
    """Cut the data section into rows.

    Parameters
    ----------
    text : str
        The file, lines separated by line feeds.
    header : ArffHeader
    row_limit : int, optional
        Give only the first rows.

    Returns
    -------
    Rows
    """
    body = text[header.data_offset :]
    stripped = [line.strip() for line in body.split("\n")]
    if "%" in body:
        stripped = [_without_comment(line) for line in stripped]
    numbers = [number for number, line in enumerate(stripped, start=header.data_line) if line]
    lines = [line for line in stripped if line]
    complete = row_limit is None or len(lines) <= row_limit
    if not complete:
        lines, numbers = lines[:row_limit], numbers[:row_limit]
    sparse = bool(lines) and lines[0].startswith("{")
    lines, issues = _without_weights(lines, sparse)
    return Rows(tuple(lines), tuple(numbers), sparse, issues, complete)


def _without_comment(line: str) -> str:
    if "%" not in line:
        return line
    match = _BEFORE_COMMENT.match(line)
    return match.group(0).strip() if match else line


def _without_weights(lines: list[str], sparse: bool) -> tuple[list[str], tuple[Note, ...]]:
    """Weka allows a weight in braces behind each row; the analysis gives all rows the same weight."""
    braces = 2 if sparse else 1
    if not any(line.endswith("}") and line.count("{") >= braces for line in lines):
        return lines, ()
    result = [_WEIGHT.sub("", line) if line.count("{") >= braces else line for line in lines]
    count = sum(before != after for before, after in zip(lines, result, strict=True))
    if count == 0:
        return lines, ()
    message = f"Weights, as {counted(count, 'row')} carry them, are not used: every row counts the same."
    return result, (Note("weights", message),)
