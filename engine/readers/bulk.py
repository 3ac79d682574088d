"""Parsing the rows of a text table in bulk with pandas."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import BytesIO

import numpy as np
import pandas
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from engine.errors import UnreadableFile
from engine.readers.records import Dialect

_LARGEST_EXACT = 2**53
"""Up to here every whole number is a float64."""


def parse_cells(
    content: bytes,
    width: int,
    dialect: Dialect,
    missing_codes: Sequence[str],
    as_text: Iterable[int],
    file: str,
) -> pandas.DataFrame:
    """Parse rows of equal length.

    Parameters
    ----------
    content : bytes
        The rows in UTF-8; none is blank or longer than `width`.
    width : int
        Number of columns.
    dialect : Dialect
    missing_codes : sequence of str
        Cells read as missing, besides empty ones.
    as_text : iterable of int
        Columns that are not to be read as numbers.
    file : str
        The file as error messages name it.

    Returns
    -------
    pandas.DataFrame
        Column labels are positions. A column whose every cell is a number is numeric; all others
        hold text, so words such as TRUE stay as they are written. So do numbers beyond 2**53, which
        may be codes that a float64 would merge.

    Raises
    ------
    UnreadableFile
        When the rows cannot be parsed after all.

    Notes
    -----
    pandas reads fractions correctly rounded from 3.1 on, which makes a written table read back equal.
    """
    texts = frozenset(as_text)
    try:
        frame = _parse(content, width, dialect, missing_codes, texts)
        altered = [place for place in range(width) if _loses_its_writing(frame[place])]
        if altered:
            frame = _parse(content, width, dialect, missing_codes, texts.union(altered))
    except pandas.errors.ParserError as error:
        raise UnreadableFile(
            f"the rows cannot be taken apart ({error}).",
            place=file,
            remedy="Check the separator and the quotation marks.",
        ) from error
    return frame


def _parse(
    content: bytes, width: int, dialect: Dialect, missing_codes: Sequence[str], texts: frozenset[int]
) -> pandas.DataFrame:
    quote = dialect.quote_character
    return pandas.read_csv(
        BytesIO(content),
        sep=r"\s+" if dialect.delimiter == "space" else dialect.separator,
        header=None,
        names=range(width),
        index_col=False,
        dtype=dict.fromkeys(texts, "str"),
        decimal=dialect.decimal_mark,
        quotechar=quote or '"',
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        na_values=["", *missing_codes],
        keep_default_na=False,
        skip_blank_lines=False,
        low_memory=False,
    )


def _loses_its_writing(series: pandas.Series) -> bool:
    """Tell whether a parsed column no longer says what was written: TRUE, long whole numbers."""
    if is_bool_dtype(series.dtype):
        return True
    if is_numeric_dtype(series.dtype):
        finite = series[np.isfinite(series)]
        return len(finite) > 0 and bool(finite.abs().max() > _LARGEST_EXACT)
    return not isinstance(series.dtype, pandas.StringDtype)
