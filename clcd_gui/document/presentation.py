"""How the analysis is shown and told: where nodes were put, what the report holds, what is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from clcd_gui.document.replacement import Replacement
from engine.errors import InvalidParameter
from engine.reporting.report import report_parts, standard_parts
from engine.reporting.tables import ExportOptions, TableOrigin
from engine.translation import _

if TYPE_CHECKING:
    from clcd_gui.document.analysis import Analysis
    from engine.readers.options import ReadingOptions
    from engine.readers.reading import Reading

Places = Mapping[str, tuple[float, float]]

_GRAPH, _OPEN, _PARTS, _OPTIONS, _COMPARED = "graph", "open", "parts", "options", "compared"


DRAWN = "drawn"
"""What is remembered of where the graph has its nodes, those included that nobody moved."""


@dataclass(frozen=True, slots=True)
class _ShownChoices:
    places: Places = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)


class Presentation(QObject):
    """Holds how an analysis is shown: each choice can be undone, but not which step and view are open."""

    changed = Signal()
    """Nodes are elsewhere, or the report holds something else."""

    def __init__(self, undo_stack: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._undo_stack = undo_stack
        self._chosen = _ShownChoices()
        self._open: dict[str, Any] = {}

    @property
    def places(self) -> Places:
        """Where a person put nodes of the graph."""
        return self._chosen.places

    @property
    def report(self) -> Mapping[str, Any]:
        """What the report says and shows: plain values that JSON can hold."""
        return self._chosen.report

    @property
    def report_parts(self) -> tuple[str, ...]:
        """Names of the parts that the report has, in their order."""
        chosen = self._chosen.report.get(_PARTS)
        names = chosen if isinstance(chosen, list) else []
        return tuple(name for name in names if name in report_parts()) or standard_parts()

    @property
    def export_options(self) -> ExportOptions:
        """How files are written; what cannot be understood is as usual."""
        try:
            return ExportOptions(**self._chosen.report.get(_OPTIONS, {}))
        except (TypeError, InvalidParameter):
            return ExportOptions()

    @property
    def graph_places(self) -> Places:
        """Where the graph has its nodes, those included that nobody moved."""
        return {**_places_of(self._open.get(DRAWN)), **self.places}

    @property
    def compared(self) -> tuple[int, int] | None:
        """Numbers of the two runs that the report puts side by side."""
        chosen = self._chosen.report.get(_COMPARED)
        if (
            not isinstance(chosen, list)
            or len(chosen) != 2
            or not all(type(number) is int for number in chosen)
        ):
            return None
        return chosen[0], chosen[1]

    def report_of(self, numbers: Sequence[int]) -> Mapping[str, Any]:
        """Return what a project saves of the report: runs by their place among those of some numbers."""
        if self.compared is None or not set(self.compared) <= set(numbers):
            return {name: value for name, value in self.report.items() if name != _COMPARED}
        return {**self.report, _COMPARED: [numbers.index(run_number) + 1 for run_number in self.compared]}

    def compare_in_report(self, numbers: tuple[int, int] | None) -> None:
        """Let the report put two runs side by side, or none, as one step that can be undone."""
        if numbers is None:
            self.change_report(self.report_of(()), _("take the compared runs out of the report"))
        else:
            self.change_report({**self.report, _COMPARED: list(numbers)}, _("put two runs into the report"))

    @property
    def saved_part(self) -> tuple[object, ...]:
        """What of all this is saved: equal where nothing would be saved otherwise."""
        return self._chosen.places, self._chosen.report

    @property
    def view(self) -> dict[str, Any]:
        """Everything but the report, as a project holds it."""
        places = {name: list(place) for name, place in self._chosen.places.items()}
        return {_GRAPH: places, _OPEN: dict(self._open)}

    def opened(self, name: str) -> Any:
        """Return what was open last, such as the ``"step"`` or the ``"tab"``; None if that is not known."""
        return self._open.get(name)

    def remember(self, name: str, value: Any) -> None:
        """Remember what is open, for when the project is opened again."""
        self._open[name] = value

    def move(self, moved: Places) -> None:
        """Put nodes elsewhere, as one step that can be undone."""
        text = (
            _("move “{name}”", name=next(iter(moved)))
            if len(moved) == 1
            else _("move {count} nodes", count=len(moved))
        )
        places = {**self._chosen.places, **moved}
        self._push(self._chosen, replace(self._chosen, places=places), text)

    def forget_places(self) -> None:
        """Let the graph be arranged anew, as one step that can be undone."""
        if self._chosen.places:
            self._push(self._chosen, replace(self._chosen, places={}), _("arrange the graph anew"))

    def rename(self, names: Mapping[str, str]) -> None:
        """Put nodes where those of their old names are; these stay for a result with the old names."""
        places = self._chosen.places
        moved = {now: places[old] for old, now in names.items() if old in places}
        if moved:
            after = replace(self._chosen, places={**places, **moved})
            self._push(self._chosen, after, _("rename columns"))

    def change_report(self, report: Mapping[str, Any], text: str) -> None:
        """Change what the report holds, as one step that can be undone."""
        if report != self._chosen.report:
            self._push(self._chosen, replace(self._chosen, report=dict(report)), text)

    def change_report_parts(self, names: Sequence[str]) -> None:
        """Choose the parts of the report, in their order, as one step that can be undone."""
        self.change_report({**self.report, _PARTS: list(names)}, _("change the parts of the report"))

    def change_export_options(self, options: ExportOptions) -> None:
        """Let files be written otherwise, as one step that can be undone."""
        if options != self.export_options:
            self.change_report({**self.report, _OPTIONS: asdict(options)}, _("change how files are written"))

    def take(self, view: Mapping[str, Any], report: Mapping[str, Any]) -> None:
        """Take over what a project holds; what cannot be understood is left out."""
        self._chosen = _ShownChoices(_places_of(view.get(_GRAPH)), dict(report))
        opened = view.get(_OPEN)
        self._open = dict(opened) if isinstance(opened, Mapping) else {}
        self.changed.emit()

    def clear(self) -> None:
        """Forget everything; tells nobody."""
        self._chosen, self._open = _ShownChoices(), {}

    def _push(self, before: _ShownChoices, after: _ShownChoices, text: str) -> None:
        self._undo_stack.push(Replacement(self._apply, before, after, text))

    def _apply(self, chosen: _ShownChoices) -> None:
        """Take over a choice; only the commands on the undo stack do this."""
        self._chosen = chosen
        self.changed.emit()


def _places_of(value: Any) -> Places:
    if not isinstance(value, Mapping):
        return {}
    places = {}
    for name, place in value.items():
        try:
            across, down = map(float, place)
        except (TypeError, ValueError, OverflowError):
            continue
        if abs(across) < _FURTHEST and abs(down) < _FURTHEST:
            places[str(name)] = (across, down)
    return places


_FURTHEST = 1e6


def origin_of(reading: Reading, options: ReadingOptions, searched: Analysis) -> TableOrigin:
    """Say where the table of an analysis came from, and which steps were made in it."""
    labels_path = None if reading.labels_path is None else str(reading.labels_path.resolve())
    steps = searched.recipe.as_plain()
    return TableOrigin(str(reading.path.resolve()), options, steps, labels_path=labels_path)
