"""How wide the columns of a table of findings are at least, and which of them gives way first."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate, combinations

from PySide6.QtGui import QFontMetrics

from clcd_gui.style.tokens import SPACE, SPACE_LARGE
from clcd_gui.wording.text import BREAK
from engine.discovery.columns import Kind

# In letters of average width, so that larger text is not cut off sooner.
_SHORTENED, _NAME_SHORTENED = 16, 26
_LEAST_WIDTHS = {Kind.SHARE: 15, Kind.LABELS: 21, Kind.NAMES: 12}
_NAME_NARROW, _LABELS_NARROW, _LABELS_WHOLE = 14, 15, 18
_AROUND_LABEL = 3 * SPACE
_STEP = 8
# Widths of texts are rounded, and one that is too narrow by a part of a pixel is cut.
_ROUNDING = 2
# A word or a part of one, with what is behind it at the end of a line.
_PIECE = re.compile(rf"[^\s{BREAK}]+[\s{BREAK}]*")


def least_width(kind: Kind, is_name: bool, metrics: QFontMetrics) -> int:
    """Return how wide a column is at least, so that it is easy to read."""
    letters = _NAME_SHORTENED if is_name else _LEAST_WIDTHS.get(kind, _SHORTENED)
    return letters * metrics.averageCharWidth()


def narrow_width(
    kind: Kind, is_name: bool, metrics: QFontMetrics, texts: Iterable[str], most_lines: int
) -> int:
    """Return how narrow a column may be where there is no room for more, as in large text.

    What it holds then goes on in more lines, so that its longest word decides.

    Parameters
    ----------
    texts : iterable of str
        Its heading and some of its cells; of a column of labels, these.
    most_lines : int
        How many lines a number with its interval may take, as it is read as one.
    """
    letter = metrics.averageCharWidth()
    if is_name:
        return _NAME_NARROW * letter
    if kind is Kind.LABELS:
        longest = max(map(metrics.horizontalAdvance, texts), default=0) + _AROUND_LABEL
        # One that is shortened all the same may be a little shorter.
        return max(longest if longest <= _LABELS_WHOLE * letter else 0, _LABELS_NARROW * letter)
    lines = most_lines if kind is Kind.NUMBER else None
    return max((width_in_lines(text, metrics, lines) for text in texts), default=0) + SPACE_LARGE + _ROUNDING


def width_in_lines(text: str, metrics: QFontMetrics, most: int | None) -> int:
    """Return how wide a text is at least that is broken between its words, and where it may be besides.

    Parameters
    ----------
    most : int or None
        How many lines it may have; None for as many as it has words.
    """
    width = longest_word(text, metrics)
    if most is None:
        return width
    pieces = _PIECE.findall(text)
    lines = (pieces[first:last] for first, last in combinations(range(len(pieces) + 1), 2))
    widths = sorted({width, *(_line_width(line, metrics) for line in lines)})
    wide = widths[widths.index(width) :]
    return wide[bisect_left(wide, -most, key=lambda each: -_lines(pieces, each, metrics))]


def _lines(pieces: Sequence[str], width: int, metrics: QFontMetrics) -> int:
    """Count the lines of pieces in a width that each of them fits in."""
    lines: list[list[str]] = []
    for piece in pieces:
        if lines and _line_width([*lines[-1], piece], metrics) <= width:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return len(lines)


def _line_width(pieces: Sequence[str], metrics: QFontMetrics) -> int:
    return metrics.horizontalAdvance("".join(pieces).replace(BREAK, "").rstrip())


def longest_word(text: str, metrics: QFontMetrics) -> int:
    """Return how wide the widest part of a text is that stands in one line."""
    return max(map(metrics.horizontalAdvance, text.replace(BREAK, " ").split()), default=0)


def count_in_room(widths: Sequence[int], room: int) -> int:
    """Count the first columns that have room together; the first is one of them in any case.

    Examples
    --------
    >>> count_in_room([50, 40, 30], 100), count_in_room([50, 40], 20)
    (2, 1)
    """
    return max(sum(total <= room for total in accumulate(widths)), 1)


def shortened(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Shorten the widest columns until they fit, but none too far.

    Examples
    --------
    >>> shortened([100, 60, 40], [50, 50, 40], 170), shortened([100, 60], [90, 60], 20)
    ([70, 60, 40], [90, 60])
    """
    shorter = list(widths)
    while sum(shorter) > room:
        spare = [width - floor for width, floor in zip(shorter, least, strict=True)]
        if not spare or max(spare) <= 0:
            break
        widest = spare.index(max(spare))
        shorter[widest] -= min(sum(shorter) - room, _STEP, spare[widest])
    return shorter
