"""What can be undone: every change of roles, types and settings is a step from one analysis to another."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from clcd_gui.core.analysis import Analysis


class ChangeAnalysis(QUndoCommand):
    """Replaces one immutable analysis by another.

    Parameters
    ----------
    apply : callable
        Takes over an analysis.
    before, after : Analysis
    text : str
        What the menu calls it, e.g. ``"make 6 columns labels"``.
    merge_key : str
        Changes in a row with the same key, such as the ticks of one spin box, are undone as one;
        empty keeps them apart.
    """

    def __init__(
        self,
        apply: Callable[[Analysis], None],
        before: Analysis,
        after: Analysis,
        text: str,
        merge_key: str = "",
    ) -> None:
        super().__init__(text)
        self._apply = apply
        self._before = before
        self._after = after
        self._merge_key = merge_key

    def id(self) -> int:
        """Tell the stack which commands may be merged; -1 for none."""
        return hash(self._merge_key) % 2**31 if self._merge_key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take the later of two changes of the same thing."""
        if not isinstance(other, ChangeAnalysis) or other._merge_key != self._merge_key:
            return False
        self._after = other._after
        self.setObsolete(self._after.is_same_as(self._before))
        return True

    def redo(self) -> None:
        """Make the change."""
        self._apply(self._after)

    def undo(self) -> None:
        """Take the change back."""
        self._apply(self._before)
