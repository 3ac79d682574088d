"""One line on pages that run an analysis: what is to be checked before, and the way to it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.window_page import Workspace

TO_CHECK = "To check"
_BEFORE = "{concerns} Check this before you run."


class CheckNotice(Notice):
    """Names what is to be checked, until it is settled or the person puts it away."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._checking, self._navigation = workspace.session.checking, workspace.navigation
        self._put_off: tuple[str, ...] = ()
        self.closed.connect(self._on_put_off)
        self._checking.changed.connect(self._show)
        workspace.session.document.replaced.connect(self._on_replaced)
        self._show()

    def _show(self) -> None:
        pressing = [each for each in self._checking.checks if each.is_pressing]
        if {each.title for each in pressing} <= set(self._put_off):
            self.hide_text()
            return
        concerns = dict.fromkeys(each.concern or f"{each.title}." for each in pressing)
        self.show_text(_BEFORE.format(concerns=" ".join(concerns)), "warning")
        self.add_action("Look", self._look)

    def _look(self) -> None:
        self._navigation.look_at_checks()

    def _on_put_off(self) -> None:
        self._put_off = tuple(each.title for each in self._checking.checks)

    def _on_replaced(self) -> None:
        self._put_off = ()
