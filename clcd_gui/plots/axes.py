"""Scales and names beside what is drawn, in the room that there is."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

import pyqtgraph
from PySide6.QtCore import QEvent, QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from clcd_gui.style.short_names import ShortNames
from clcd_gui.style.text import literal, read_from_the_left
from clcd_gui.style.tokens import SPACE
from engine.wording.numbers import with_minus
from engine.wording.phrases import in_order

_BEYOND = 20.0


class NamedAxis(pyqtgraph.AxisItem):  # type: ignore[misc]  # it comes without types
    """A scale on which some names stand out."""

    strong: Collection[str] = ()
    room_before = 0.0  # what is free on the left of a scale for its title
    # Asked for while it is being made.
    _title = _shown_title = ""

    def set_title(self, title: str) -> None:
        """Say what the scale measures: the name of anybody's column."""
        self._title = self._shown_title = title
        self.setLabel(title)
        read_from_the_left(self.label.document())

    def labelString(self) -> str:
        """Return the title as HTML, to the letter."""
        return html.escape(in_order(self._shown_title))

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Write round figures with the sign that figures have everywhere else."""
        return [with_minus(text) for text in super().tickStrings(values, scale, spacing)]

    def resizeEvent(self, event: QEvent | None = None) -> None:
        """Keep the title of a scale in the picture: to the left if need be, and shortened only then."""
        if self._title and self.label is not None and self.orientation in ("top", "bottom"):
            self._fit_title()
        super().resizeEvent(event)
        if self._title and self.label is not None and self.orientation in ("top", "bottom"):
            latest = self.size().width() - self.label.boundingRect().width()
            if self.label.x() > latest:
                self.label.setPos(QPointF(max(latest, -self.room_before), self.label.y()))

    def boundingRect(self) -> QRectF:
        """Leave room for names that reach beyond the ends, which are not written otherwise."""
        box: QRectF = super().boundingRect()
        return box.adjusted(-_BEYOND, -_BEYOND, _BEYOND, _BEYOND)

    def drawPicture(self, p: QPainter, axisSpec: Any, tickSpecs: Any, textSpecs: Any) -> None:  # noqa: N803
        """Paint everything, names that stand out in bold, and of figures as many as have room."""
        texts = _apart(textSpecs) if self.orientation == "bottom" else textSpecs
        plain = [(*text[:2], in_order(text[2])) for text in texts if text[2] not in self.strong]
        super().drawPicture(p, axisSpec, tickSpecs, plain)
        font = p.font()
        font.setBold(True)
        p.setFont(font)
        p.setPen(self.textPen())
        for box, flags, text in texts:
            if text in self.strong:
                p.drawText(box, int(flags), in_order(text))

    def _fit_title(self) -> None:
        margins = 2 * self.label.document().documentMargin()
        room = self.size().width() + self.room_before - margins
        width = QFontMetricsF(self.label.font()).horizontalAdvance
        shown = ShortNames((), width).shown(self._title, room)
        if shown != self._shown_title:
            self._shown_title = shown
            self.label.setHtml(self.labelString())
            self.label.setToolTip("" if shown == self._title else literal(self._title))


def _apart(texts: Sequence[tuple[QRectF, Any, str]]) -> list[tuple[QRectF, Any, str]]:
    """Leave out every second figure, or more of them, until none touches the next."""
    ordered = sorted(texts, key=lambda placed_text: placed_text[0].left())
    step = 1
    while step < len(ordered):
        remaining = ordered[::step]
        if all(left[0].right() + SPACE / 2 <= right[0].left() for left, right in pairwise(remaining)):
            break
        step += 1
    return ordered[::step]
