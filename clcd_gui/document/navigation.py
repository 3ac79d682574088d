"""The step and the one pair that every view shows, and the addresses of links that lead to both."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.document import Document


@dataclass(frozen=True, slots=True)
class SelectedPair:
    """What is selected: a variable, a label, both, or nothing."""

    feature: str | None = None  # the variable asked about, or the other of two labels
    label: str | None = None  # the label that it is asked about

    @property
    def is_empty(self) -> bool:
        """Whether nothing is selected."""
        return self.feature is None and self.label is None


class Highlight(QObject):
    """Holds the pair that every view highlights, and tells them once when it changes.

    A result of the document takes away what it knows nothing of. Where nothing is left, what matters most is
    highlighted: an answer says what "Why?" is for.
    """

    changed = Signal(SelectedPair)
    why_requested = Signal(SelectedPair)

    def __init__(self, document: Document | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pair = SelectedPair()
        self._document = document
        if document is not None:
            document.result_changed.connect(self._follow)

    @property
    def feature(self) -> str | None:
        """Name of the selected variable."""
        return self.pair.feature

    @property
    def label(self) -> str | None:
        """Name of the selected label."""
        return self.pair.label

    def select(self, feature: str | None = None, label: str | None = None) -> None:
        """Select a variable, a label, or both; called without either it clears the selection."""
        pair = SelectedPair(feature, label)
        if pair != self.pair:
            self.pair = pair
            self.changed.emit(pair)

    def clear(self) -> None:
        """Select nothing."""
        self.select()

    @Slot()
    def _follow(self) -> None:
        """Keep to what the result that is shown knows of."""
        result = None if self._document is None else self._document.result
        if result is None:
            self.clear()
            return
        findings, pair = result.counted_findings, self.pair
        if not all(name is None or findings.is_known(name) for name in (pair.feature, pair.label)):
            self.clear()
        if self.pair.is_empty and findings.all:
            first = findings.all[0]
            self.select(first.feature, first.labels[0])

    def ask_why(self) -> None:
        """Ask for the evidence of what is selected to be brought into view."""
        if not self.pair.is_empty:
            self.why_requested.emit(self.pair)


class Navigation(QObject):
    """Holds the step that is shown; without a table it is the first one, as the others need a table."""

    FIRST = "data"

    changed = Signal(str)
    """A step is shown, perhaps the same one anew; with its name."""

    checks_wanted = Signal()
    """What is to be checked before a search is to be seen; the first step is shown by then."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.step = self.FIRST

    @Slot(str)
    def go(self, step: str) -> None:
        """Show a step."""
        self.step = self.FIRST if self._document.analysis is None else step
        self.changed.emit(self.step)

    def look_at_checks(self) -> None:
        """Show what is to be checked before a search."""
        self.go(self.FIRST)
        self.checks_wanted.emit()


_SCHEME = "select:"
_STEP_SCHEME = "step:"
_PREFERENCE_SCHEME = "prefer:"
_GROUP_SCHEME = "group:"
_SEPARATOR = "/"


def anchor(pair: SelectedPair) -> str:
    """Return the address of a link that selects a pair.

    >>> anchor(SelectedPair("blood pressure", "ill"))
    'select:blood%20pressure/ill'
    """
    parts = (quote(part or "", safe="") for part in (pair.feature, pair.label))
    return _SCHEME + _SEPARATOR.join(parts)


def pair_of_anchor(address: str) -> SelectedPair | None:
    """Return the pair that a link selects, or None when it is a link to something else.

    >>> pair_of_anchor("select:blood%20pressure/")
    SelectedPair(feature='blood pressure', label=None)
    """
    if not address.startswith(_SCHEME):
        return None
    feature, _, label = address[len(_SCHEME) :].partition(_SEPARATOR)
    return SelectedPair(unquote(feature) or None, unquote(label) or None)


def step_anchor(step: str) -> str:
    """Return the address of a link that leads to a step."""
    return _STEP_SCHEME + step


def step_of_anchor(address: str) -> str | None:
    """Return the step that a link leads to, or None when it is a link to something else."""
    return address.removeprefix(_STEP_SCHEME) if address.startswith(_STEP_SCHEME) else None


def preference_anchor(feature: str) -> str:
    """Return the address of a link that prefers a variable to what is interchangeable with it; "" for none.

    >>> preference_of_anchor(preference_anchor("Night shifts"))
    'Night shifts'
    """
    return _PREFERENCE_SCHEME + quote(feature, safe="")


def preference_of_anchor(address: str) -> str | None:
    """Return the variable that a link prefers, "" for none, or None when it is a link to something else."""
    is_one = address.startswith(_PREFERENCE_SCHEME)
    return unquote(address.removeprefix(_PREFERENCE_SCHEME)) if is_one else None


def group_anchor(name: str) -> str:
    """Return the address of a link that searches a group of labels as one outcome, by its score."""
    return _GROUP_SCHEME + quote(name, safe="")


def group_of_anchor(address: str) -> str | None:
    """Return the group of labels that a link searches as one outcome, or None when it leads elsewhere."""
    return unquote(address.removeprefix(_GROUP_SCHEME)) if address.startswith(_GROUP_SCHEME) else None
