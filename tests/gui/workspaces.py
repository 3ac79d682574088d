"""A workspace for pages that are tried without the window around them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PySide6.QtCore import QSettings
from shiboken6 import isValid

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.app_settings import AppSettings
from clcd_gui.plots.beside import PictureThread
from clcd_gui.run.session import Session
from clcd_gui.widgets.window_page import Workspace
from engine.discovery.result import DiscoveryResult

_made: list[Workspace] = []


def make_workspace() -> Workspace:
    """A workspace without a table, whose settings are nobody's."""
    store = Path(tempfile.mkdtemp()) / "settings.ini"
    workspace = Workspace(Session(), AppSettings(QSettings(str(store), QSettings.Format.IniFormat)))
    workspace.session.setParent(workspace)
    workspace.settings.setParent(workspace)
    # Often goes with the page that shows it; a window would wait for its threads when it is closed.
    workspace.destroyed.connect(workspace.session.controller.shut_down)
    _made.append(workspace)
    return workspace


def shut_down_workspaces() -> None:
    """Wait for the threads of the workspaces that are left of a test."""
    while _made:
        workspace = _made.pop()
        if isValid(workspace):
            workspace.session.controller.shut_down()
    PictureThread.end_all()


def show_result(workspace: Workspace, result: DiscoveryResult) -> None:
    """Let the document hold a result, as after a run."""
    workspace.session.document.set_result(result, Analysis.of(result.dataset))
