"""Which of several interchangeable variables a person prefers: what can be chosen, and the choice itself."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from clcd_gui.document.document import Document


class PreferredVariables(QObject):
    """The choice among interchangeable variables, as tables and "Why?" offer it; the document holds it."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document

    def alternatives(self, feature: str) -> tuple[str, ...]:
        """Return the variables that are interchangeable with one, in column order."""
        result = self._document.result
        return () if result is None else result.findings.alternatives(feature)

    def not_told_apart(self, feature: str) -> tuple[str, ...]:
        """Return the variables that the rows do not tell apart from one, in column order."""
        result = self._document.result
        return () if result is None else result.findings.not_told_apart_one_for_one(feature)

    def is_preferred(self, feature: str) -> bool:
        """Tell whether a person prefers a variable."""
        analysis = self._document.analysis
        return analysis is not None and feature in analysis.preferred

    def among(self, feature: str) -> tuple[str, ...]:
        """Return a variable and what can be preferred to it, interchangeable first; empty for no choice."""
        others = (*self.alternatives(feature), *self.not_told_apart(feature))
        return (feature, *dict.fromkeys(others)) if others else ()

    def prefer(self, feature: str, among: Sequence[str]) -> None:
        """Prefer a variable to others."""
        self._document.prefer(feature, rather_than=among)

    def leave_to_data(self, among: Sequence[str]) -> None:
        """Prefer none of some variables."""
        self._document.prefer(None, rather_than=among)
