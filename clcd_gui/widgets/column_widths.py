"""How wide the columns of a table of findings are at least, and which of them gives way first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtGui import QFontMetrics

from clcd_gui.style.tokens import SPACE_LARGE
from clcd_gui.wording.text import BREAK
from engine.discovery.columns import Kind

# In letters of average width, so that larger text is not cut off sooner.
_SHORTENED, _NAME_SHORTENED = 16, 26
_LEAST_WIDTHS = {Kind.SHARE: 15, Kind.LABELS: 21, Kind.NAMES: 12}
_NAME_NARROW, _LABELS_NARROW = 18, 18
_STEP = 8


def least_width(kind: Kind, is_name: bool, metrics: QFontMetrics) -> int:
    """Return how wide a column is at least, so that it is easy to read.

    Parameters
    ----------
    kind : Kind
        What it holds.
    is_name : bool
        It is the first one, which names the row.
    metrics : QFontMetrics
        Of the font of its cells.
    """
    letters = _NAME_SHORTENED if is_name else _LEAST_WIDTHS.get(kind, _SHORTENED)
    return letters * metrics.averageCharWidth()


def narrow_width(kind: Kind, is_name: bool, metrics: QFontMetrics, texts: Iterable[str]) -> int:
    """Return how narrow a column may be where there is no room for more, as in large text.

    What it holds then goes on in more lines, so that its longest word decides.

    Parameters
    ----------
    kind : Kind
        What it holds.
    is_name : bool
        It is the first one, which names the row.
    metrics : QFontMetrics
        Of the font of its cells.
    texts : iterable of str
        Its heading and some of its cells.
    """
    if is_name or kind is Kind.LABELS:
        return (_NAME_NARROW if is_name else _LABELS_NARROW) * metrics.averageCharWidth()
    return max((longest_word(text, metrics) for text in texts), default=0) + SPACE_LARGE


def longest_word(text: str, metrics: QFontMetrics) -> int:
    """Return how wide the widest part of a text is that stands in one line."""
    return max(map(metrics.horizontalAdvance, text.replace(BREAK, " ").split()), default=0)


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
