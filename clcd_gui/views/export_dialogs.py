"""The questions that an export asks, behind one class, so that a test can answer in their place."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget


def documents_folder() -> Path:
    """Give the folder in which a person's documents lie: where exports begin."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))


class ExportDialogs:
    """Asks the person where files shall go."""

    def choose_file(self, parent: QWidget, title: str, suggested: Path) -> Path | None:
        """Ask for the name of one file; None when the person thinks better of it."""
        ending = suggested.suffix
        kind = f"{ending[1:].upper()} (*{ending})"
        chosen, _ = QFileDialog.getSaveFileName(parent, title, str(suggested), kind)
        if not chosen:
            return None
        path = Path(chosen)
        return path if path.suffix.lower() == ending else path.with_name(path.name + ending)

    def choose_folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        """Ask for a folder."""
        chosen = QFileDialog.getExistingDirectory(parent, title, str(start))
        return Path(chosen) if chosen else None
