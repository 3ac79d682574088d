"""What a comparison of selectors is made of, and the button that writes what it has found."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QPushButton, QScrollArea, QWidget

from clcd_gui.style import icons, themes
from clcd_gui.style.text import body, set_tooltip
from clcd_gui.style.tokens import SPACE_LARGE
from clcd_gui.widgets.controls import push_button
from clcd_gui.widgets.layouts import row
from clcd_gui.widgets.page import Folded, scroll_column, titled_card
from clcd_gui.widgets.settings_form import LineEditor, SettingsForm
from clcd_gui.widgets.window_page import ForTable
from clcd_gui.wording.setting_values import value_text
from engine.comparison.selectors.comparison_settings import PERCENTAGES, SelectionComparisonSettings
from engine.comparison.selectors.methods import CLCD_FS, selection_methods
from engine.errors import InvalidParameter
from engine.parameters import Parameter, parameters_of
from engine.translation import N_, _

_BETWEEN = re.compile(r"[^\d.]+")
PERCENTAGES_SETTING = Parameter(
    "percentages",
    N_("Percentages"),
    N_(
        "Numbers of features at which the other methods are compared, in percent of all features. "
        "CLCD-FS chooses its own number."
    ),
    PERCENTAGES,
    "numbers",
)


class PercentagesEditor(LineEditor):
    """Edits ``SelectionComparisonSettings.percentages``."""

    def __init__(self) -> None:
        super().__init__(PERCENTAGES_SETTING)

    def _text_of(self, value: Any) -> str:
        return ", ".join(f"{percentage:g}" for percentage in value)

    def _typed(self) -> str:
        return self._text_of(self._value())

    def _value(self) -> tuple[float, ...]:
        """Return what is written; empty where it cannot be taken."""
        try:
            written = tuple(float(part) for part in _BETWEEN.split(self._line.text()) if part)
            return SelectionComparisonSettings(percentages=written).percentages
        except (ValueError, InvalidParameter):
            return ()

    def _objection(self) -> str:
        return "" if self._value() else _("Write numbers above 0 and at most 100, such as 5, 10, 20.")

    def _on_finished(self) -> None:
        super()._on_finished()
        self._line.setText(self._shown)


_COLUMNS = 3


class NameBoxes(QWidget):
    """Lets a person choose several of some names."""

    changed = Signal()

    def __init__(
        self, title: str, entries: Iterable[tuple[str, str, str]], ticked: Collection[str] | None = None
    ):
        """Make the ticks."""
        super().__init__()
        self.setAccessibleName(title)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_LARGE)
        self._grid.setColumnStretch(_COLUMNS, 1)
        self._columns = _COLUMNS
        self._boxes: dict[str, QCheckBox] = {}
        for name, text, help_text in entries:
            box = QCheckBox(text)
            set_tooltip(box, help_text)
            box.setAccessibleDescription(help_text)
            box.setChecked(ticked is None or name in ticked)
            box.toggled.connect(self.changed)
            self._boxes[name] = box
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """Allow it to become as narrow as its longest name."""
        return QSize(self._widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put as many side by side as there is room for."""
        super().resizeEvent(event)
        fitting = min(max(self.width() // (self._widest + SPACE_LARGE), 1), _COLUMNS)
        if fitting != self._columns:
            self._columns = fitting
            self._arrange()

    @property
    def _widest(self) -> int:
        return max((box.sizeHint().width() for box in self._boxes.values()), default=0)

    def _arrange(self) -> None:
        for number, box in enumerate(self._boxes.values()):
            self._grid.addWidget(box, number // self._columns, number % self._columns)

    def box(self, name: str) -> QCheckBox:
        """Return the tick of a name."""
        return self._boxes[name]

    def tick_all(self) -> None:
        """Tick every name."""
        for box in self._boxes.values():
            box.setChecked(True)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names that are ticked, in order."""
        return tuple(name for name, box in self._boxes.items() if box.isChecked())


# First figures within seconds on a table of some hundred rows; whoever wants more goes on from there.
QUICK: dict[str, Any] = {"splits": 3, "percentages": (5.0, 10.0, 20.0, 30.0), "most_candidates": 2}
_VISIBLE = ("splits", "classifier")
_WHAT = N_(
    "Which features predict best? CLCD splits the rows several times. In the training rows, CLCD-FS "
    "and the other methods select features, and a classifier learns each label from them. In the "
    "test rows, its predictions are compared with the true values. Results appear as soon as they "
    "are ready."
)
_FEWEST_METHODS = 2


class ComparisonSettingsView(QScrollArea, ForTable):
    """Edits the settings of a comparison; a quick look is where it begins."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._settings = SelectionComparisonSettings(**QUICK)
        self.form = SettingsForm(SelectionComparisonSettings, beside=True, names=_VISIBLE)
        self.percentages = PercentagesEditor()
        self.form.add_editor(self.percentages)
        self._others = [
            parameter
            for parameter in parameters_of(SelectionComparisonSettings)
            if parameter.name not in _VISIBLE
        ]
        self.more = SettingsForm(
            SelectionComparisonSettings, beside=True, names=[parameter.name for parameter in self._others]
        )
        self.folded = Folded(_("More settings"), self.more)
        seconds = _("A few splits and candidates: first results within seconds.")
        paper = _("10 splits, 3% to 30% of the features, options chosen from 12 candidates.")
        self.quick = push_button(_("Quick look"), self._on_quick, seconds)
        self.thorough = push_button(_("As in the paper"), self._on_thorough, paper)
        self.methods = NameBoxes(
            _("Methods"),
            [
                (method.name, _(method.title), f"{_(method.help)} {_(method.source)}.")
                for method in selection_methods().values()
            ],
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
            return _("Tick CLCD-FS: the others are compared at its number of features.")
        return "" if len(chosen) >= _FEWEST_METHODS else _("Tick another method to compare CLCD-FS with")

    @property
    def settings(self) -> SelectionComparisonSettings:
        """What is asked for now; there must be no hindrance."""
        return replace(self._settings, methods=self.methods.chosen)

    def forget_table(self) -> None:
        """Return to a quick look with every method; how many workers there are belongs to the computer."""
        self.methods.tick_all()
        self._take(SelectionComparisonSettings(**QUICK, workers=self._settings.workers))

    def _lay_out(self) -> None:
        scroll_column(
            self,
            body(_(_WHAT)),
            titled_card(
                _("How the methods are compared"), row(self.quick, self.thorough, 1), self.form, self.folded
            ),
            titled_card(_("Methods"), self.methods),
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
            f"{_(parameter.title)} {value_text(parameter, getattr(self._settings, parameter.name))}"
            for parameter in self._others
            if getattr(self._settings, parameter.name) != getattr(usual, parameter.name)
        ]
        self.folded.set_summary(
            " · ".join(altered) or _("tuning, scaling, seed and other settings as by default")
        )
        self.changed.emit()


class ExportButton(QPushButton):
    """Says why nothing can be exported where that is so."""

    def __init__(self, purpose: str) -> None:
        super().__init__(_("Export…"))
        self._purpose = purpose
        icons.assign(self, "export", themes.colours(), "text")
        self.allow(has_any=False, is_writing=False)

    def allow(self, has_any: bool, is_writing: bool) -> None:
        """Allow it where something is measured, and the files of before are whole."""
        self.setEnabled(has_any and not is_writing)
        if not has_any:
            set_tooltip(self, _("There is nothing to export before the first results"))
        elif is_writing:
            set_tooltip(self, _("The files are being written"))
        else:
            set_tooltip(self, self._purpose)
