"""Headers of tables that do not say which columns or rows are selected: the cells do."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QHeaderView


def show_no_selection(header: QHeaderView) -> None:
    """Let a header go by a selection of its own, in which nothing ever is.

    A header asks for every section that it paints whether all cells beneath are selected, also where it shows
    none of that. Where they are, Qt asks the model about each of them: of 100,000 selected rows a header was
    painted in more than a second. A click on a section selects as ever, since the table hears of it.
    """
    header.setHighlightSections(False)
    header.setSelectionModel(QItemSelectionModel(header.model(), header))
