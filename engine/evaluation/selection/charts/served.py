"""Which feature CLCD-FS selects for which label (Figure 8 of the paper)."""

from __future__ import annotations

from collections import Counter

from engine.evaluation.drawing.chart import Chart, Drawing, Line, Mark
from engine.evaluation.drawing.looks import share_look
from engine.evaluation.selection.methods import CLCD_FS
from engine.evaluation.selection.result import SelectionComparison

_MOST_FEATURES = 36
_MOST_LABELS = 40
_CELL = 24.0
_NAMES, _HEAD, _FOOT = 230.0, 30.0, 34.0
_LONGEST_NAME = 32


def served_chart(result: SelectionComparison, table: str) -> Chart:
    """Draw a row a label and a column a feature; the square grows with the share of splits.

    Only the features that were selected most often are shown, and the labels that have most of them.
    """
    facts = next(each for each in result.tables if each.name == table)
    served = result.served(table)
    splits = len(result.of(table, CLCD_FS))
    features, labels = shown_features(result, table), _labels(result, table)
    drawing = Drawing()
    right, bottom = _NAMES + _CELL * len(features), _HEAD + _CELL * len(labels)
    for column in range(len(features) + 1):
        x = _NAMES + column * _CELL
        drawing.lines.append(Line(x, _HEAD, x, bottom, "grid"))
    for row in range(len(labels) + 1):
        drawing.lines.append(Line(_NAMES, _HEAD + row * _CELL, right, _HEAD + row * _CELL, "grid"))
    for column, feature in enumerate(features):
        drawing.text(_NAMES + (column + 0.5) * _CELL, _HEAD - 10.0, f"{feature + 1}", "middle", "quiet")
    for row, label in enumerate(labels):
        y = _HEAD + (row + 0.5) * _CELL
        drawing.text(_NAMES - 8.0, y, _short(facts.labels[label]), "end")
        for column, feature in enumerate(features):
            count = served.get((feature, label), 0)
            if count:
                words = f"{facts.features[feature]}, {facts.labels[label]}: {count} of {splits} splits"
                x = _NAMES + (column + 0.5) * _CELL
                drawing.marks.append(Mark(x, y, share_look(count / splits), words))
    drawing.text(
        _NAMES, bottom + 16.0, "number of the feature above; a larger square: in more splits", look="quiet"
    )
    return drawing.chart(
        f"Labels that selected features serve, {table}", max(right, _NAMES + 360.0), bottom + _FOOT
    )


def shown_features(result: SelectionComparison, table: str) -> list[int]:
    """Give the features that are selected most often, in column order."""
    return _most_frequent(result, table, 0, _MOST_FEATURES)


def _labels(result: SelectionComparison, table: str) -> list[int]:
    return _most_frequent(result, table, 1, _MOST_LABELS)


def _most_frequent(result: SelectionComparison, table: str, side: int, most: int) -> list[int]:
    counts: Counter[int] = Counter()
    for pair, count in result.served(table).items():
        counts[pair[side]] += count
    return sorted(sorted(counts, key=lambda place: (-counts[place], place))[:most])


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
