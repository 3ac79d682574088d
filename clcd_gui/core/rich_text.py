"""Sentences written as HTML, in which every name is a link that selects it."""

from __future__ import annotations

import html
import re

from clcd_gui.core.anchors import anchor
from clcd_gui.core.selection import SelectedPair
from engine.exporting.phrases import Name, Phrase

BREAK = "\u200b"
NO_BREAK = "\u00a0"
# Between the parts of an equation, as in "p = 3 × 10⁻¹²", a line must not end.
_TOGETHER = re.compile(r"(?<=[=×<>]) | (?=[=×<>])")


def breakable(name: str) -> str:
    """Write a name as HTML that may be broken after an underscore, a point or a slash, invisibly."""
    return html.escape(re.sub(r"(?<=[_./])(?=\w)", BREAK, name))


def rich(sentence: Phrase) -> str:
    """Write a phrase as HTML, every name an italic link."""
    pieces = []
    for piece in sentence:
        if isinstance(piece, Name):
            address = html.escape(anchor(_selected_by(piece)))
            pieces.append(f'<a href="{address}"><i>{breakable(piece.text)}</i></a>')
        else:
            pieces.append(_TOGETHER.sub(NO_BREAK, html.escape(piece, quote=False)))
    return "".join(pieces)


def _selected_by(name: Name) -> SelectedPair:
    return SelectedPair(label=name.text) if name.is_label else SelectedPair(feature=name.text)
