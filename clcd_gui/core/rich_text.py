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


def rich(sentence: Phrase, longest: int = 0) -> str:
    """Write a phrase as HTML, every name an italic link, or the ends of one that is longer than `longest`."""
    pieces = []
    for piece in sentence:
        if isinstance(piece, Name):
            address = html.escape(anchor(_selected_by(piece)))
            text = breakable(_shortened(piece.text, longest))
            pieces.append(f'<a href="{address}"><i>{text}</i></a>')
        else:
            pieces.append(html.escape(_TOGETHER.sub(NO_BREAK, piece), quote=False))
    return "".join(pieces)


def _shortened(name: str, longest: int) -> str:
    if not longest or len(name) <= longest:
        return name
    # What tells names apart is often at their end.
    return f"{name[: longest // 2 - 1]}…{name[-longest // 2 :]}"


def _selected_by(name: Name) -> SelectedPair:
    return SelectedPair(label=name.text) if name.is_label else SelectedPair(feature=name.text)
