"""Legends that are part of the picture: on the screen below it, and in every file that is exported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from clcd_gui.plots.marks import (
    arrowhead,
    draw_cell_mark,
    draw_change_mark,
    draw_feature_mark,
    draw_label_mark,
    draw_line_sample,
    draw_way,
    ring,
)
from clcd_gui.style.text import set_tooltip
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import (
    CHANGES,
    COMMON,
    INTERCHANGEABLE,
    LABEL,
    LABEL_RELATION,
    LABEL_SPECIFIC,
    NEIGHBOUR,
    SPOUSE,
    THROUGH_LABELS,
    Colours,
    Meaning,
)
from engine.discovery.evidence import Relation
from engine.discovery.orientation.direction import Grade
from engine.reporting.figures.graph import Edge, EdgeKind, GraphContent, NodeKind
from engine.translation import N_, _

Draw = Callable[..., None]
"""Draws a sample with a painter into a box, in the colours ``chosen``."""
_SWATCH = 16.0
_LINE_SWATCH = 24.0
_SPACE = 6.0
_BETWEEN = 14.0
_IN_PLACE_HELP = N_(
    "The feature carries information about a neighbouring label, and about this label if the "
    "neighbouring label is unknown."
)
_PREFERRED_HELP = N_(
    "You preferred the feature to one that is not distinguishable from it with these data. It is "
    "assumed that the two are interchangeable."
)
_WAYS_HELP = N_(
    "A rising arrow: at higher values of the variable, the label is higher or its event more "
    "likely. A falling arrow: lower or less likely. Without an arrow, the direction of association "
    "is unclear."
)
_CAUSE_HELP = N_(
    "The arrow points from a cause to its effect; the two may also have an unmeasured common cause. "
    "If a line has no head, the data do not show the direction. Two heads mean an unmeasured common "
    "cause."
)
_RING_HELP = N_(
    "The variable at the ring is not an effect of the other. It is a cause, or the two have an unmeasured "
    "common cause."
)
_ASSUMED_HELP = N_(
    "The arrow points from a cause to its effect, if the two have no unmeasured common cause. This "
    "is an assumption."
)


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of a legend; its texts are translated where it is shown."""

    text: str
    help: str
    draw: Draw
    width: float = _SWATCH


def graph_legend(content: GraphContent | None = None) -> tuple[LegendEntry, ...]:
    """Return the legend of the graph: of all that it can hold, or of what its content holds."""
    lines = {kind: _line_entry(meaning) for kind, meaning in _GRAPH_LINES.items()}
    arrows = {
        grade: LegendEntry(text, help_text, partial(_draw_arrow, grade=grade), _LINE_SWATCH)
        for grade, text, help_text in (
            (Grade.CAUSE, N_("cause → effect"), _CAUSE_HELP),
            (Grade.NOT_EFFECT, N_("not an effect"), _RING_HELP),
            (Grade.UNDECIDED, N_("cause, if nothing is hidden"), _ASSUMED_HELP),
        )
    }
    help_text = N_("A wider line is a stronger link.")
    strength = LegendEntry(N_("strength"), help_text, _draw_widths, _LINE_SWATCH)
    ways = LegendEntry(N_("direction of association"), _WAYS_HELP, _draw_ways, 2 * _SWATCH)
    kinds = dict(zip((NodeKind.LABEL, NodeKind.COMMON, NodeKind.LABEL_SPECIFIC), _kinds(), strict=True))
    if content is None:
        return (*kinds.values(), *arrows.values(), ways, *lines.values(), strength)
    nodes, drawn = {node.kind for node in content.nodes}, {edge.kind for edge in content.edges}
    heads = {_grade_drawn(edge) for edge in content.edges if edge.heads}
    return (
        *(entry for kind, entry in kinds.items() if kind in nodes),
        *(entry for grade, entry in arrows.items() if grade in heads),
        *((ways,) if drawn - {EdgeKind.LABEL_RELATION, EdgeKind.INTERCHANGEABLE} else ()),
        *(entry for kind, entry in lines.items() if kind in drawn),
        *((strength,) if content.edges else ()),
    )


def _line_entry(meaning: Meaning) -> LegendEntry:
    sample = partial(draw_line_sample, meaning=meaning)
    return LegendEntry(meaning.title, meaning.help, sample, _LINE_SWATCH)


def _grade_drawn(edge: Edge) -> Grade:
    """Return the entry of the legend that explains the ends of a line with an arrow."""
    if edge.is_assumed:
        return Grade.UNDECIDED
    return Grade.NOT_EFFECT if edge.ring else Grade.CAUSE


_GRAPH_LINES = {
    EdgeKind.NEIGHBOUR: NEIGHBOUR,
    EdgeKind.SPOUSE: SPOUSE,
    EdgeKind.INTERCHANGEABLE: INTERCHANGEABLE,
    EdgeKind.LABEL_RELATION: LABEL_RELATION,
    EdgeKind.THROUGH_LABELS: THROUGH_LABELS,
}


def relation_legend() -> tuple[LegendEntry, ...]:
    """Return what the shapes of cells mean."""
    return tuple(
        LegendEntry(meaning.title, meaning.help, _cell(relation))
        for relation, meaning in (
            (Relation.NEIGHBOUR, NEIGHBOUR),
            (Relation.SPOUSE, SPOUSE),
            (Relation.INTERCHANGEABLE, INTERCHANGEABLE),
            (Relation.THROUGH_LABELS, THROUGH_LABELS),
        )
    )


def grid_legend() -> tuple[LegendEntry, ...]:
    """Return the legend of the grid."""
    ways = LegendEntry(N_("direction of association"), _WAYS_HELP, _draw_ways, 2 * _SWATCH)
    strength = LegendEntry(
        N_("strength 0.1, 0.5, 0.9"), N_("A deeper colour is a stronger link."), _draw_depths, 3 * _SWATCH
    )
    return (*_kinds(), *relation_legend(), ways, strength)


def selected_legend() -> tuple[LegendEntry, ...]:
    """Return the legend of the grid of selected features."""
    label, common, specific, neighbour, *rest, _through_labels, _ways, strength = grid_legend()
    return (
        label,
        replace(common, text=N_("serves several labels"), help=N_("Selected for two or more labels.")),
        replace(specific, text=N_("serves one label"), help=N_("Selected for exactly one label.")),
        neighbour,
        LegendEntry(N_("in the place of a label"), _IN_PLACE_HELP, _cell(Relation.IN_PLACE)),
        *rest,
        LegendEntry(N_("preferred by you"), _PREFERRED_HELP, _cell(Relation.PREFERRED)),
        strength,
    )


def changes_legend(in_graph: bool) -> tuple[LegendEntry, ...]:
    """Return the legend of two runs side by side, in the graph or in the grid."""
    draw: Draw = draw_line_sample if in_graph else partial(draw_change_mark, strength=0.4)
    width = _LINE_SWATCH if in_graph else _SWATCH
    changes = (
        LegendEntry(change.title, change.help, partial(draw, meaning=change), width) for change in CHANGES
    )
    return (*_kinds(), *changes)


def legend_height(entries: Sequence[LegendEntry], font: QFont, width: float) -> float:
    """Return the height that a legend needs in a width."""
    return _arrange(entries, font, width)[1]


def paint_legend(
    painter: QPainter, area: QRectF, entries: Sequence[LegendEntry], font: QFont, chosen: Colours
) -> None:
    """Paint a legend, row by row."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    for entry, box in zip(entries, _arrange(entries, font, area.width())[0], strict=True):
        rect = box.translated(area.topLeft())
        sample = QRectF(rect.left(), rect.center().y() - _SWATCH / 2, entry.width, _SWATCH)
        entry.draw(painter, sample, chosen=chosen)
        painter.setPen(QColor(chosen.muted))
        text = rect.adjusted(entry.width + _SPACE, 0, _BETWEEN, 0)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, _(entry.text))
    painter.restore()


class LegendStrip(QWidget):
    """Shows a legend below a picture; a long one in its first rows alone, until it is unfolded."""

    is_long = Signal(bool)
    """Whether there is more to be unfolded."""

    def __init__(
        self, entries: Sequence[LegendEntry], parent: QWidget | None = None, most_rows: int | None = None
    ) -> None:
        super().__init__(parent)
        self._most_rows, self._is_unfolded = most_rows, False
        self._entries: tuple[LegendEntry, ...] = ()
        # Not fixed: a layout remembers the height of the width before, and would cut rows off.
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(_("Legend"))
        self.set_entries(entries)

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Explain other marks."""
        if self._entries == tuple(entries):
            return
        self._entries = tuple(entries)
        lines = [f"{_(entry.text)}: {_(entry.help)}" for entry in entries]
        self.setAccessibleDescription("; ".join(lines))
        set_tooltip(self, "\n".join(lines))
        self._follow()

    def unfold(self, unfolded: bool) -> None:
        """Show all of it, or its first rows."""
        self._is_unfolded = unfolded
        self._follow()

    def heightForWidth(self, width: int) -> int:
        """Return the height that a width needs."""
        boxes, height = _arrange(self._entries, self.font(), width)
        if self._most_rows is None or self._is_unfolded or not boxes:
            return round(height)
        return round(min(height, self._most_rows * boxes[0].height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell whether there is more than is shown."""
        super().resizeEvent(event)
        self._tell_length()

    def _follow(self) -> None:
        self.updateGeometry()
        self.update()
        self._tell_length()

    def _tell_length(self) -> None:
        boxes, height = _arrange(self._entries, self.font(), self.width())
        rows = round(height / boxes[0].height()) if boxes else 0
        self.is_long.emit(self._most_rows is not None and rows > self._most_rows)

    def sizeHint(self) -> QSize:
        """Return the size that it would like to have."""
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the legend."""
        painter = QPainter(self)
        paint_legend(painter, QRectF(self.rect()), self._entries, self.font(), colours(self.palette()))
        painter.end()


def _arrange(entries: Sequence[LegendEntry], font: QFont, width: float) -> tuple[list[QRectF], float]:
    metrics = QFontMetricsF(font)
    height = max(metrics.height(), _SWATCH) + _SPACE
    boxes, left, top = [], 0.0, 0.0
    for entry in entries:
        wide = entry.width + _SPACE + metrics.horizontalAdvance(_(entry.text))
        if left and left + wide > width:
            left, top = 0.0, top + height
        boxes.append(QRectF(left, top, wide, height))
        left += wide + _BETWEEN
    return boxes, top + height


def _kinds() -> tuple[LegendEntry, ...]:
    return (
        LegendEntry(LABEL.title, LABEL.help, _draw_label),
        LegendEntry(COMMON.title, COMMON.help, partial(_draw_feature, is_common=True)),
        LegendEntry(LABEL_SPECIFIC.title, LABEL_SPECIFIC.help, partial(_draw_feature, is_common=False)),
    )


def _draw_label(painter: QPainter, box: QRectF, chosen: Colours) -> None:
    draw_label_mark(painter, box.adjusted(1, 2, -1, -2), chosen)


def _draw_feature(painter: QPainter, box: QRectF, is_common: bool, chosen: Colours) -> None:
    draw_feature_mark(painter, box.adjusted(2, 2, -2, -2), is_common, chosen)


def _cell(relation: Relation) -> Draw:
    return partial(_draw_cell, relation=relation)


def _draw_cell(painter: QPainter, box: QRectF, relation: Relation, chosen: Colours) -> None:
    interchangeable = relation is Relation.INTERCHANGEABLE
    colour = QColor(chosen.interchangeable if interchangeable else chosen.neighbour)
    draw_cell_mark(painter, box, relation, 0.4, colour)


def _draw_ways(painter: QPainter, box: QRectF, chosen: Colours) -> None:
    colour = QColor(chosen.neighbour)
    for number, is_up in enumerate((True, False)):
        cell = QRectF(box.left() + number * _SWATCH, box.top(), _SWATCH, _SWATCH)
        draw_cell_mark(painter, cell, Relation.NEIGHBOUR, 0.1, colour)
        draw_way(painter, cell, Relation.NEIGHBOUR, 0.1, colour, is_up, chosen)


def _draw_depths(painter: QPainter, box: QRectF, chosen: Colours) -> None:
    for number, strength in enumerate((0.1, 0.5, 0.9)):
        cell = QRectF(box.left() + number * _SWATCH, box.top(), _SWATCH, _SWATCH)
        draw_cell_mark(painter, cell, Relation.NEIGHBOUR, strength, QColor(chosen.neighbour))


def _draw_arrow(painter: QPainter, box: QRectF, chosen: Colours, grade: Grade) -> None:
    colour = QColor(chosen.of(NEIGHBOUR))
    tail, tip = QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y())
    head, base = arrowhead(tip, tail, 0.0)
    painter.setPen(QPen(colour, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if grade is Grade.NOT_EFFECT:
        round_end, tail = ring(tail, tip, 0.0)
        painter.drawPolygon(round_end)
    painter.drawLine(QLineF(tail, base))
    if grade is not Grade.UNDECIDED:
        painter.setBrush(colour)
    painter.drawPolygon(head)


def _draw_widths(painter: QPainter, box: QRectF, chosen: Colours) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(chosen.neighbour))
    middle = box.center().y()
    corners = [(box.left(), middle), (box.right(), middle - 3.5), (box.right(), middle + 3.5)]
    painter.drawConvexPolygon([QPointF(*corner) for corner in corners])
