"""What a comparison of selectors is made of: splits, classifier, numbers of features, methods."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QWidget

from clcd_gui.comparison.name_boxes import NameBoxes
from clcd_gui.comparison.percentages import PercentagesEditor
from clcd_gui.style.text import body, set_tooltip
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.for_table import ForTable
from clcd_gui.widgets.page import Folded, scroll_column, titled_card
from clcd_gui.widgets.settings_form import SettingsForm
from clcd_gui.wording.settings import value_text
from engine.comparison.selectors.methods import CLCD_FS, selection_methods
from engine.comparison.selectors.settings import SelectionComparisonSettings
from engine.parameters import parameters_of

# First figures within seconds on a table of some hundred rows; whoever wants more goes on from there.
QUICK: dict[str, Any] = {"splits": 3, "percentages": (5.0, 10.0, 20.0, 30.0), "most_candidates": 2}
_VISIBLE = ("splits", "classifier")
_WHAT = (
    "Which features serve prediction best? The rows are split several times. From the training rows alone, "
    "CLCD-FS and every other selector choose features, and a classifier learns each label from them; its "
    "predictions of the test rows are held against the truth. Figures appear as they come."
)
_FEWEST_METHODS = 2


class ComparisonSettingsView(QScrollArea, ForTable):
    """Edits the settings of a comparison; a quick look is where it begins."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = SelectionComparisonSettings(**QUICK)
        self.form = SettingsForm(SelectionComparisonSettings, beside=True, names=_VISIBLE)
        self.percentages = PercentagesEditor()
        self.form.add_editor(self.percentages)
        self._others = [
            each for each in parameters_of(SelectionComparisonSettings) if each.name not in _VISIBLE
        ]
        self.more = SettingsForm(
            SelectionComparisonSettings, beside=True, names=[each.name for each in self._others]
        )
        self.folded = Folded("More settings", self.more)
        self.quick = QPushButton("Quick look")
        set_tooltip(self.quick, "A few splits and candidates: first figures within seconds.")
        self.quick.clicked.connect(self._on_quick)
        self.thorough = QPushButton("As in the paper")
        set_tooltip(
            self.thorough, "10 splits, 3 % to 30 % of the features, options chosen among 12 candidates."
        )
        self.thorough.clicked.connect(self._on_thorough)
        self.methods = NameBoxes(
            "Methods",
            [(each.name, each.title, f"{each.help} {each.source}.") for each in selection_methods().values()],
        )
        self.methods.changed.connect(self.changed)
        for form in (self.form, self.more):
            form.edited.connect(self._on_edited)
        self._lay_out()
        self._take(self._settings)

    @property
    def hindrance(self) -> str:
        """Why a comparison cannot start; empty when it can."""
        chosen = self.methods.chosen
        if CLCD_FS not in chosen:
            return "Tick CLCD-FS: the others are compared at its number of features"
        return "" if len(chosen) >= _FEWEST_METHODS else "Tick another method to compare CLCD-FS with"

    @property
    def settings(self) -> SelectionComparisonSettings:
        """What is asked for now; there must be no hindrance."""
        return replace(self._settings, methods=self.methods.chosen)

    def forget_table(self) -> None:
        """Return to a quick look with every method; how many workers there are belongs to the computer."""
        self.methods.tick_all()
        self._take(SelectionComparisonSettings(**QUICK, workers=self._settings.workers))

    def _lay_out(self) -> None:
        presets = QHBoxLayout()
        presets.setSpacing(SPACE)
        presets.addWidget(self.quick)
        presets.addWidget(self.thorough)
        presets.addStretch(1)
        scroll_column(
            self,
            body(_WHAT),
            titled_card("How it is compared", presets, self.form, self.folded),
            titled_card("Methods", self.methods),
        )

    def _on_edited(self, name: str, value: Any) -> None:
        self._settings = replace(self._settings, **{name: value})
        self._refresh_summary()

    def _on_quick(self) -> None:
        self._take(replace(self._settings, **QUICK))

    def _on_thorough(self) -> None:
        usual = SelectionComparisonSettings()
        self._take(replace(self._settings, **{name: getattr(usual, name) for name in QUICK}))

    def _take(self, settings: SelectionComparisonSettings) -> None:
        self._settings = settings
        self.form.set_values(settings)
        self.more.set_values(settings)
        self._refresh_summary()

    def _refresh_summary(self) -> None:
        usual = SelectionComparisonSettings(**QUICK)
        altered = [
            f"{each.title} {value_text(each, getattr(self._settings, each.name))}"
            for each in self._others
            if getattr(self._settings, each.name) != getattr(usual, each.name)
        ]
        self.folded.set_summary(" · ".join(altered) or "tuning, scaling, seed and others, as usual")
        self.changed.emit()
