"""What tests of the window wait with: it gives up late, so that a busy machine fails no test."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

# What comes at all comes within moments, which are long where much else is at work. A test may take longer.
PATIENCE_MILLISECONDS = 120_000


class PatientBot(QtBot):
    """Waits for far longer than the five seconds after which the usual one gives up.

    A test that is about how soon something comes says so with a limit of its own.
    """

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MILLISECONDS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: SignalInstance, *, timeout: int = PATIENCE_MILLISECONDS) -> SignalBlocker:
        return super().waitSignal(signal, timeout=timeout)

    def waitActive(
        self, widget: QWidget, *, timeout: int = PATIENCE_MILLISECONDS
    ) -> AbstractContextManager[None]:
        return super().waitActive(widget, timeout=timeout)

    def waitExposed(
        self, widget: QWidget, *, timeout: int = PATIENCE_MILLISECONDS
    ) -> AbstractContextManager[None]:
        return super().waitExposed(widget, timeout=timeout)
