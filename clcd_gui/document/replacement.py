"""The step of every part of a document that can be undone: one value takes the place of another."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtGui import QUndoCommand

Value = TypeVar("Value")


class Replacement(QUndoCommand, Generic[Value]):
    """Replaces one immutable value by another; changes in a row of one merge key are undone as one.

    Those that come back to where they began, as `is_same` sees it, are no step at all.
    """

    def __init__(
        self,
        take_over: Callable[[Value], None],
        before: Value,
        after: Value,
        text: str,
        merge_key: str = "",
        is_same: Callable[[Value, Value], bool] = operator.eq,
    ) -> None:
        super().__init__(text)
        self._take_over, self._is_same = take_over, is_same
        self._before, self._after = before, after
        self._merge_key = merge_key

    def id(self) -> int:
        """Tell the stack which commands may be merged; -1 for none."""
        return hash(self._merge_key) % 2**31 if self._merge_key else -1

    def mergeWith(self, later: QUndoCommand) -> bool:
        """Take the later of two changes of the same thing."""
        if not isinstance(later, Replacement) or later._merge_key != self._merge_key:
            return False
        self._after = later._after
        # Qt deletes the later one, but Python's part of it stays as long as the stack, with the tables in it.
        del later._take_over, later._before, later._after
        self.setObsolete(self._is_same(self._after, self._before))
        return True

    def redo(self) -> None:
        """Make the change."""
        self._take_over(self._after)

    def undo(self) -> None:
        """Take the change back."""
        self._take_over(self._before)
