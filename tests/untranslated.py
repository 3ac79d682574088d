"""English that is left where everything is written in the pseudo-language of the tests."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QTabBar,
    QTextEdit,
    QWidget,
)

from tests.rendered import text_of

_WORD = re.compile(r"(?<![\w.#/\\-])[A-Za-z]{3,}(?![\w/\\-]|\.\w)")
_AS_TYPED = re.compile("`[^`]*`")
_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
_MOST_ROWS = 60
# Names of formats, tests, programs and keys, which every language writes so.
SAME_IN_EVERY_LANGUAGE = re.compile(
    "CLCD|HITON|Markov|Benjamini|Hochberg|Fisher|Pearson|Cohen|Cramér|Python|NumPy|CSV|TSV|PDF|SVG|PNG|TIFF|EPS|Word|Excel"
    "|LaTeX|HTML|JSON|ARFF|Weka|Mulan|MEKA|SPSS|Stata|SAS|MATLAB|Parquet|Feather|Graphviz|Mermaid|GraphML|RCoT"
    "|PCMB|IAMB|Ctrl|Shift|Alt|Return|Esc|Del|Enter|Home|End|Tab|Space|Page|Down|Left|Right|Backspace|Menu|Mac|Roman"
)
"""Names of formats, tests, programs and keys."""
# What Qt says itself, and menus of the charts that are never shown; examples of what to type.
_NO_MESSAGES = frozenset(
    {
        "Scroll Left",
        "Scroll Right",
        "separator",
        "Cancel",
        "Export",
        "Export...",
        'age >= 65 and sex = "female"',
        "weight / height ^ 2",
        "tcp://192.168.1.5:8786",
        "lbl_*",
    }
)


def english_in(texts: Iterable[str], names: Collection[str] = ()) -> list[str]:
    """List texts that hold a plain English word: one that is neither a name nor the same everywhere."""
    names = sorted(filter(None, names), key=len, reverse=True)
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)") if names else None
    left = []
    for text in dict.fromkeys(texts):
        if text in _NO_MESSAGES:
            continue
        rest = _AS_TYPED.sub("", text_of(text) if "<" in text else text)
        rest = named.sub("", rest.replace("\u200b", "").replace("\u00a0", " ")) if named else rest
        words = (word for word in _WORD.findall(rest) if not word.isupper())
        if not all(map(SAME_IN_EVERY_LANGUAGE.fullmatch, words)):
            left.append(rest)
    return left


def texts_of_widgets(root: QWidget) -> Iterator[tuple[str, str]]:
    """Yield every text of a widget and of all in it, with the kind of its place."""
    for widget in (root, *root.findChildren(QWidget)):
        kind = type(widget).__name__
        for text in (
            widget.windowTitle() if widget.isWindow() else "",
            widget.toolTip(),
            widget.accessibleName(),
            widget.accessibleDescription(),
            widget.statusTip(),
            widget.whatsThis(),
        ):
            yield kind, text
        if isinstance(widget, QLabel | QAbstractButton):
            yield kind, widget.text()
        elif isinstance(widget, QLineEdit):
            yield kind, widget.placeholderText()
        elif isinstance(widget, QComboBox):
            yield from ((kind, widget.itemText(place)) for place in range(widget.count()))
        elif isinstance(widget, QGroupBox | QMenu):
            yield kind, widget.title()
        elif isinstance(widget, QTabBar):
            for place in range(widget.count()):
                yield from ((kind, widget.tabText(place)), (kind, widget.tabToolTip(place)))
        elif isinstance(widget, QTextEdit):
            yield kind, widget.toPlainText()
        elif isinstance(widget, QHeaderView):
            continue
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from ((kind, text) for text in _texts_of_model(widget.model()))
    for action in root.findChildren(QAction):
        yield "QAction", action.text()
        yield "QAction", action.toolTip()


def _texts_of_model(model: QAbstractItemModel) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for orientation, count in (
        (Qt.Orientation.Horizontal, columns),
        (Qt.Orientation.Vertical, min(model.rowCount(), _MOST_ROWS)),
    ):
        for section in range(count):
            for role in _ROLES:
                yield str(model.headerData(section, orientation, role) or "")
    for row in range(min(model.rowCount(), _MOST_ROWS)):
        for column in range(columns):
            index = model.index(row, column)
            for role in _ROLES:
                yield str(model.data(index, role) or "")


def texts_of_windows() -> Iterator[tuple[str, str]]:
    """Yield every text of all windows, menus and dialogs that exist."""
    for window in QApplication.topLevelWidgets():
        root = window
        while (above := root.parentWidget()) is not None:
            root = above
        # Charts have menus of their library, which are switched off.
        if type(root).__module__.startswith("clcd_gui"):
            yield from texts_of_widgets(window)
