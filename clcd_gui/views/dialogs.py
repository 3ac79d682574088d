"""The few dialogs there are, behind one class, so that a test can answer in their place."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from engine.readers.registry import formats


class Dialogs:
    """Asks the person for files."""

    def choose_table(self, parent: QWidget, folder: str) -> Path | None:
        """Ask which table to open; None when the person thinks better of it."""
        chosen, _ = QFileDialog.getOpenFileName(parent, "Open a table", folder, table_filter())
        return Path(chosen) if chosen else None

    def choose_labels(self, parent: QWidget, folder: str) -> Path | None:
        """Ask which file names the labels."""
        kinds = "Label files (*.xml *.xml.gz *.csv *.tsv *.txt *.arff);;All files (*)"
        chosen, _ = QFileDialog.getOpenFileName(parent, "Labels from a file", folder, kinds)
        return Path(chosen) if chosen else None


def table_filter() -> str:
    """Write the file dialog's filter from the registry of formats."""
    patterns = {each.title: _patterns(each.extensions) for each in formats().values()}
    everything = " ".join(patterns.values())
    parts = [f"All tables ({everything})", *(f"{title} ({mask})" for title, mask in patterns.items())]
    return ";;".join([*parts, "All files (*)"])


def _patterns(extensions: tuple[str, ...]) -> str:
    return " ".join(f"*{extension} *{extension}.gz" for extension in extensions)
