"""The line that says how many values are missing, and lets a person choose what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.tokens import SPACE_SMALL
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.setting_editors import editor_for
from clcd_gui.wording.text import count_text, counted
from engine.parameters import parameters_of
from engine.preparation.settings import PreparationSettings
from engine.wording.phrases import for_count

_DRAWN = "imputed"


class GapsBar(QWidget):
    """Says how many values are missing, and what becomes of them; not there where none is.

    Signals
    -------
    edited(str, object)
        The person chose a value for a setting of the preparation.
    """

    edited = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        offered = {each.name: each for each in parameters_of(PreparationSettings)}
        self.summary = ElidedLabel()
        self._editors = {name: editor_for(offered[name]) for name in ("missing", "imputations")}
        self.choice, self.draws = (each.widget for each in self._editors.values())
        self._draws_title = QLabel(offered["imputations"].title)
        self._draws_title.setBuddy(self.draws)
        title = QLabel(offered["missing"].title)
        title.setBuddy(self.choice)
        set_look(self.summary, "muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_SMALL)
        layout.addWidget(self.summary, 1)
        for widget in (title, self.choice, self._draws_title, self.draws):
            layout.addWidget(widget)
        for name, editor in self._editors.items():
            editor.edited.connect(lambda value, name=name: self.edited.emit(name, value))
        self.setVisible(False)

    def set_gaps(self, gaps: Mapping[str, int], settings: PreparationSettings) -> None:
        """Show what is missing, by column that lacks some, and what becomes of it."""
        self.setVisible(bool(gaps))
        if not gaps:
            return
        cells, worst = sum(gaps.values()), max(gaps, key=lambda name: gaps[name])
        template = for_count(
            cells,
            "{cells} value is missing, in “{worst}”.",
            "{cells} values are missing in {columns}, most in “{worst}” ({most}).",
        )
        if cells > 1 and len(gaps) == 1:
            template = "{cells} values are missing, all in “{worst}”."
        self.summary.setText(
            template.format(
                cells=count_text(cells),
                columns=counted(len(gaps), "column"),
                worst=worst,
                most=count_text(gaps[worst]),
            )
        )
        values: dict[str, Any] = {name: getattr(settings, name) for name in self._editors}
        for name, editor in self._editors.items():
            editor.set_value(values[name])
            self._explain(name, values[name])
        is_drawn = values["missing"] == _DRAWN
        for widget in (self._draws_title, self.draws):
            widget.setVisible(is_drawn)

    def _explain(self, name: str, value: object) -> None:
        editor = self._editors[name]
        explained = editor.explanation(value)
        if explained:
            editor.widget.setAccessibleDescription(explained)
            editor.widget.setToolTip(explained)
