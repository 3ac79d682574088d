"""The text format of LIBSVM: labels, then ``number:value`` for what is not zero, one row a line."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import numpy as np

from engine.errors import UnreadableFile
from engine.readers.options import ReadingOptions
from engine.readers.reading import Guess, Table
from engine.readers.source import Source, refuse_unusual_lines
from engine.readers.typed_files import GivenColumn, check_size, table_of
from engine.translation import _

_LONGEST_INDEX = 9
_TARGET = "target"
_COLUMNS_OF_ANY, _COLUMNS_AN_ENTRY = 20_000, 20


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read LIBSVM: features ``V1``, ``V2``, …, and labels ``L0``, ``L1``, … or a number ``target``."""
    from sklearn.datasets import load_svmlight_file

    content, complete = source.read(row_limit)
    refuse_unusual_lines(content, source.place)
    lines = content.splitlines()
    if row_limit is not None and len(lines) > row_limit:
        content, complete = b"\n".join(lines[:row_limit]), False
    _check_indices(lines, source.place)
    try:
        matrix, targets = load_svmlight_file(BytesIO(content), multilabel=True, zero_based="auto")
    except (ValueError, OverflowError) as error:
        raise UnreadableFile(
            _("a line is not as LIBSVM writes it ({error}).", error=error),
            place=source.place,
            remedy=_("Each line holds labels, separated by commas, then number:value, separated by blanks."),
        ) from error
    numbers = sorted({number for row in targets for number in row})
    if complete and matrix.shape[1] > max(_COLUMNS_OF_ANY, _COLUMNS_AN_ENTRY * matrix.nnz):
        raise UnreadableFile(
            _(
                "its columns are numbered up to {shape:,}, but it holds {nnz:,} values.",
                shape=matrix.shape[1],
                nnz=matrix.nnz,
            ),
            place=source.place,
            remedy=_("Correct the numbers of the columns, or renumber the columns that are used."),
        )
    check_size(matrix.shape[0], matrix.shape[1] + len(numbers), source.place)
    dense = np.asfortranarray(matrix.toarray())
    columns = [GivenColumn(f"V{place + 1}", dense[:, place]) for place in range(dense.shape[1])]
    labels, reason = _measured(targets, numbers), _("One measured number stands in front of each row.")
    if not labels:
        reason = _("The numbers in front of each row are its labels.")
        labels = [
            GivenColumn(f"L{number:g}", np.array([float(number in row) for row in targets]))
            for number in numbers
        ]
    names = [label.name for label in labels]
    return table_of(
        [*columns, *labels],
        options,
        source.place,
        guesses=[Guess("labels", ", ".join(names), reason)] if names else (),
        labels=names,
        complete=complete,
        are_cases=True,
    )


def _measured(targets: Sequence[Sequence[float]], numbers: Sequence[float]) -> list[GivenColumn]:
    """Return what a regression predicts as one column; none where the numbers in front are labels."""
    if all(number.is_integer() for number in numbers) or any(len(row) > 1 for row in targets):
        return []
    return [GivenColumn(_TARGET, np.array([row[0] if row else np.nan for row in targets]))]


def _check_indices(lines: list[bytes], place: str) -> None:
    """Refuse numbers of columns that no table has, before room is made for them."""
    for number, line in enumerate(lines, start=1):
        last = line.split(b"#", 1)[0].rsplit(b":", 1)[0].rsplit(b" ", 1)[-1]
        if b":" in line and len(last.strip()) > _LONGEST_INDEX:
            raise UnreadableFile(
                _("the number of a column is too large."),
                place=_("{place}, line {number}", place=place, number=number),
                remedy=_("Columns are numbered from 1."),
            )
