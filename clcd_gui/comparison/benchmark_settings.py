"""What a comparison is made of: sizes, budget, methods, kinds of networks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QWidget

from clcd_gui.comparison.name_boxes import NameBoxes
from clcd_gui.style.text import muted, plain, set_tooltip
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.page import scroll_column, titled_card
from clcd_gui.widgets.settings_form import SettingsForm
from engine.comparison.networks.methods import methods
from engine.comparison.networks.settings import SMALL, BenchmarkSettings, cells, variants


class BenchmarkSettingsView(QScrollArea):
    """Edits the settings of a comparison, small sizes first."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = BenchmarkSettings(**SMALL)
        self.form = SettingsForm(BenchmarkSettings, beside=True)
        self.form.edited.connect(self._on_edited)
        self.small = QPushButton("Small sizes")
        set_tooltip(self.small, "For a quick look, a few minutes.")
        self.small.clicked.connect(self._on_small)
        self.large = QPushButton("The paper’s sizes")
        set_tooltip(self.large, "50 labels, 1000 features, 5000 rows: some hours.")
        self.large.clicked.connect(self._on_large)
        self.methods = NameBoxes(
            "Methods", [(each.name, each.title, each.help) for each in methods().values()]
        )
        self.cells = NameBoxes(
            "Kinds of networks",
            [(each.name, each.title, each.help) for each in cells().values()],
            ticked=self._settings.cells,
        )
        self.variants = NameBoxes(
            "Settings", [(each.name, each.title, each.help) for each in variants().values()]
        )
        for boxes in (self.methods, self.cells, self.variants):
            boxes.changed.connect(self.changed)
        self._lay_out()
        self.form.set_values(self._settings)

    @property
    def hindrance(self) -> str:
        """Why a comparison cannot start; empty when it can."""
        for boxes, what in (
            (self.methods, "method"),
            (self.cells, "kind of network"),
            (self.variants, "setting"),
        ):
            if not boxes.chosen:
                return f"Tick at least one {what}"
        return ""

    @property
    def settings(self) -> BenchmarkSettings:
        """What is asked for now; there must be no hindrance."""
        return replace(
            self._settings,
            methods=self.methods.chosen,
            cells=self.cells.chosen,
            variants=self.variants.chosen,
        )

    def _lay_out(self) -> None:
        presets = QHBoxLayout()
        presets.setSpacing(SPACE)
        presets.addWidget(self.small)
        presets.addWidget(self.large)
        presets.addStretch(1)
        scroll_column(
            self,
            titled_card("How large, and how long at most", presets, self.form),
            titled_card(
                "What is compared",
                plain("Methods"),
                self.methods,
                plain("Kinds of networks"),
                self.cells,
                muted(
                    "p_c is the share of labels with a direct relation to another label, p_m the share that "
                    "have several Markov boundaries."
                ),
                plain("Under the settings"),
                self.variants,
            ),
        )

    def _on_edited(self, name: str, value: Any) -> None:
        self._settings = replace(self._settings, **{name: value})
        self.changed.emit()

    def _on_small(self) -> None:
        self._take(BenchmarkSettings(**SMALL))

    def _on_large(self) -> None:
        self._take(BenchmarkSettings())

    def _take(self, sizes: BenchmarkSettings) -> None:
        self._settings = replace(sizes, margin=self._settings.margin, workers=self._settings.workers)
        self.form.set_values(self._settings)
        self.changed.emit()
