"""Says on a page which files were written, with the button that opens their folder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from clcd_gui.views.notice import Notice


def show_written(notice: Notice, paths: Sequence[Path]) -> None:
    """Say which files were written; there is at least one, and all are in one folder."""
    folder = paths[0].parent
    what = f"“{paths[0].name}”" if len(paths) == 1 else f"{len(paths)} files"
    notice.show_text(f"{what} written to {folder}.")
    address = QUrl.fromLocalFile(str(folder))
    notice.add_action("Open folder", partial(QDesktopServices.openUrl, address))
