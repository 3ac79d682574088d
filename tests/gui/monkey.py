"""Uses the window at random: clicks, keys, files, runs, stops, themes, projects; and notes what goes wrong.

By hand, and resumable, as each part goes on where the record ends::

    python -m tests.gui.monkey --seconds 1200 --seed 0 --folder FOLDER

What counts as wrong is an exception that nobody caught, a warning of Qt, an end of the process, a menu that
no key closes, memory that grows after the first thousand actions, and a stall: events of the window's thread
that took it more than 100 ms. What takes memory once, as libraries, kernels and pages do, is no growth: all
that is known of it is used before, and what has not been used yet comes first in that thousand. Memory is
measured of the window at rest, to which it comes now and then, and of what is open between, while nothing is
worked on. Stalls are measured in the processor time of that thread too, which other programs on a machine do
not lengthen, with the functions that it was in; what the monkey took of it for itself is told apart.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import random
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.gui.first_uses import first_uses, load_kernels, load_libraries
from tests.gui.monkey_record import RECORD, recorded, summary
from tests.gui.reachable import actions_in_menus, widgets_by_kind
from tests.gui.resting import (
    FIRST_ACTIONS,
    SIZE,
    ComingToRest,
    is_working,
    memory_at_rest,
    own_memory,
    resident_memory,
)
from tests.gui.stall_watch import ROOT, StallWatch

DATA = ROOT.parent / "shared" / "data"
CRASH, ACTIONS = "crash.txt", "actions.txt"
_BETWEEN_MILLISECONDS = 4
_MOST_BYTES = 2_000_000
_ACTIONS_A_NOTE = 100
_ACTIONS_A_REST = 250
# One in four of them is Escape.
_MOST_KEYS_IN_POPUP = 200
_LAST_ACTIONS = 8
_LONGEST_END = 60.0
# Said by the platform without a screen, and by QTest about keys that nothing takes.
_HARMLESS = ("plugin does not", "Keyboard event not accepted")
_KEYS = (
    "Tab",
    "Return",
    "Space",
    "Escape",
    "Delete",
    "Down",
    "Up",
    "Left",
    "Right",
    "Home",
    "End tour",
    "F1",
    "F2",
)


def files_to_open() -> list[Path]:
    """Return examples, and real files that are not large where they are."""
    candidates = sorted((ROOT / "resources" / "examples").iterdir())
    for folder in ("messy", "meka", "mulan-edge-cases"):
        candidates += sorted((DATA / folder).glob("*")) if (DATA / folder).is_dir() else []
    return [path for path in candidates if path.is_file() and path.stat().st_size < _MOST_BYTES]


class Monkey:
    """Acts on the window, one action after the other.

    Parameters
    ----------
    folder : Path
        Everything that is saved goes there.
    seed : int
    seconds : float
        How long it goes on.
    actions : int
        Or so many actions.
    """

    def __init__(self, folder: Path, seed: int, seconds: float, actions: int) -> None:
        from PySide6.QtCore import QTimer

        self._folder, self._random = folder, random.Random(seed)
        self._until, self._most = time.monotonic() + seconds, actions
        self._files = files_to_open()
        self._actions = (folder / ACTIONS).open("w", buffering=1)
        self._last: deque[str] = deque(maxlen=_LAST_ACTIONS)
        self.done, self.kinds = 0, Counter[str]()
        self._ever_chosen: set[str] = set()
        self.wrong: list[dict[str, Any]] = []
        self.memory: list[tuple[int, float]] = []
        self.memory_at_work: list[tuple[int, float]] = []
        self.memory_at_rest: list[tuple[int, float]] = []
        self.own_memory_at_rest: list[tuple[int, float]] = []
        self._rested = self._keys_in_popup = 0
        self._rest: ComingToRest | None = None
        self.watch = StallWatch()
        self._window: Any = None
        self._first_uses: Iterator[None] | None = None
        self._beats = QTimer()
        self._beats.setInterval(5)
        self._beats.timeout.connect(lambda: self.watch.beat(self._last[-1] if self._last else ""))

    def run(self) -> None:
        """Act until the time is over."""
        from PySide6.QtWidgets import QApplication

        self._listen()
        QApplication.setQuitOnLastWindowClosed(False)
        self._open_window()
        self._act_later()
        self._beats.start()
        # Nobody waits for a window's events before there is one.
        self.watch.begin_anew()
        QApplication.exec()
        self.watch.end()

    def _listen(self) -> None:
        from PySide6.QtCore import QtMsgType, qInstallMessageHandler

        def on_message(kind: QtMsgType, _: Any, message: str) -> None:
            is_warning = kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg)
            if is_warning and not any(harmless in message for harmless in _HARMLESS):
                self._note("Qt", message)

        qInstallMessageHandler(on_message)
        self._on_message = on_message
        sys.excepthook = lambda kind, error, trace: self._note("exception", _text(error))
        sys.unraisablehook = lambda unraisable: self._note(
            "unraisable", f"{unraisable.err_msg} {_text(unraisable.exc_value)}"
        )
        threading.excepthook = lambda failure: self._note("thread", _text(failure.exc_value))

    def _note(self, kind: str, text: str) -> None:
        self.wrong.append({"kind": kind, "text": text[-3000:], "after": list(self._last), "at": self.done})

    def _open_window(self) -> None:
        from PySide6.QtCore import QSettings, QTimer
        from PySide6.QtWidgets import QApplication

        from clcd_gui.app import WARM_UP_AFTER_MILLISECONDS, make_window, prepare
        from clcd_gui.widgets.dialogs import Dialogs

        class _NothingAtTheEnd(Dialogs):
            """Waits for nobody once the monkey is gone."""

            def tell_not_written(self, *_: Any) -> None:
                pass

        from clcd_gui.document.recovery import RecoveryStore

        store = QSettings(str(self._folder / "settings.ini"), QSettings.Format.IniFormat)
        self._window = make_window(QApplication.instance(), store, _NothingAtTheEnd())
        self._window.resize(*SIZE)
        self._window.show()
        # As the program does: what is loaded in quiet moments is not loaded in the middle of the actions.
        QTimer.singleShot(WARM_UP_AFTER_MILLISECONDS, lambda: prepare(self._window))
        self._window.session.autosave.begin(RecoveryStore(self._folder / "recovery"))
        self._window.open_path(self._random.choice(self._files))
        self._first_uses = first_uses(self._window)

    def _act_later(self) -> None:
        from PySide6.QtCore import QTimer

        # A timer of its own each time: a menu waits inside the action that opened it, and a timer does not
        # come again before its last time has ended.
        # It keeps a weak reference for good to whoever has the method that it calls.
        QTimer.singleShot(_BETWEEN_MILLISECONDS, lambda: self._act())

    def _act(self) -> None:
        from PySide6.QtWidgets import QApplication

        if time.monotonic() > self._until or self.done >= self._most or not self._window.isVisible():
            self._end()
            return
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if self._is_at_first_uses():
            self._act_later()
            return
        if popup is None and modal is None and self.done >= self._rested + _ACTIONS_A_REST:
            self._rested = self.done
            self._rest = ComingToRest(self._window, self._on_rest)
            return
        self._act_later()
        self.done += 1
        if self.done % _ACTIONS_A_NOTE == 0:
            with self.watch.beside():
                self._note_memory()
        self._keys_in_popup = 0 if popup is None else self._keys_in_popup + 1
        if self._keys_in_popup > _MOST_KEYS_IN_POPUP:
            self._note("popup", f"{type(popup).__name__} hears no key: {_called(popup)}")
            popup.close()
        elif popup is not None:
            self._press_key(popup, ("Down", "Return", "Escape", "Up"))
        elif modal is not None:
            self._use(modal)
        else:
            self._choose()

    def _is_at_first_uses(self) -> bool:
        """Go on with what takes memory once, if there is more of it; what is worked on comes to its end."""
        if self._first_uses is not None and not is_working(self._window):
            self.done += 1
            self._record("first use", "")
            try:
                next(self._first_uses)
            except StopIteration:
                self._first_uses = None
        return self._first_uses is not None

    def _note_memory(self) -> None:
        at_work = is_working(self._window)
        (self.memory_at_work if at_work else self.memory).append((self.done, resident_memory()))

    def _on_rest(self, came: bool) -> None:
        self._act_later()
        if came:
            self.memory_at_rest.append((self.done, memory_at_rest()))
            self.own_memory_at_rest.append((self.done, own_memory()))
            self.watch.begin_anew()
        self._open(self._window)

    def _choose(self) -> None:
        from PySide6.QtWidgets import QApplication

        shown = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
        window = self._window if self._random.random() < 0.8 else self._random.choice(shown)
        ways: tuple[tuple[float, Callable[[Any], None]], ...] = (
            (0.66, self._use),
            (0.08, self._trigger),
            (0.05, self._go),
            (0.04, self._run_or_stop),
            (0.06, lambda top_window: self._press_key(top_window.focusWidget() or top_window)),
            (0.05, self._undo),
            (0.02, self._open),
            (0.02, self._change_theme),
            (0.02, self._resize),
        )
        self._random.choices([way for _, way in ways], [weight for weight, _ in ways])[0](window)

    def _record(self, kind: str, what: str) -> None:
        self.kinds[kind] += 1
        self._last.append(f"{kind} {what}"[:160])
        # What was done last is known also where the process ends in it.
        self._actions.write(self._last[-1].replace("\n", " ") + "\n")

    def _pick(self, things: Sequence[Any], name: Callable[[Any], str]) -> Any:
        """Choose one: of the first actions, by its name, one that was never chosen, if there is any."""
        if self.done > FIRST_ACTIONS:
            return self._random.choice(things)
        new = [candidate for candidate in things if name(candidate) not in self._ever_chosen]
        chosen = self._random.choice(new or things)
        self._ever_chosen.add(name(chosen))
        return chosen

    def _go(self, _: Any) -> None:
        step = self._random.choice(("data", "method", "results", "selection", "report", "runs"))
        self._record("go", step)
        self._window.go(step)

    def _open(self, _: Any) -> None:
        projects = sorted(self._folder.glob("*.clcd"))
        path = self._pick(self._files + projects * 5, lambda path: path.suffix)
        self._record("open", path.name)
        self._window.open_path(path)

    def _undo(self, _: Any) -> None:
        from PySide6.QtCore import Qt

        redo = self._random.random() < 0.4
        self._record("redo" if redo else "undo", "")
        shift = Qt.KeyboardModifier.ShiftModifier if redo else Qt.KeyboardModifier.NoModifier
        self._keys(self._window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | shift)

    def _run_or_stop(self, _: Any) -> None:
        running = self._window.session.running
        stop = self._random.random() < 0.3
        self._record("stop" if stop else "run", "")
        if stop:
            self._window.run_bar.stop.click()
        else:
            running.start()

    def _resize(self, window: Any) -> None:
        self._record("resize", "")
        window.resize(self._random.randint(700, 1500), self._random.randint(500, 1000))

    def _change_theme(self, _: Any) -> None:
        from clcd_gui.style.themes import Scheme

        scheme = self._random.choice(list(Scheme))
        self._record("theme", str(scheme))
        self._window.theme.set_scheme(scheme)

    def _trigger(self, window: Any) -> None:
        with self.watch.beside():
            actions = actions_in_menus(window)
        if actions:
            action = self._pick(actions, lambda action: action.text())
            self._record("trigger", action.text())
            action.trigger()

    def _use(self, window: Any) -> None:
        with self.watch.beside():
            by_kind = widgets_by_kind(window)
        if not by_kind:
            self._press_key(window, ("Escape",))
            return
        # As often a button as a table, however many there are.
        widget = self._pick(self._random.choice(by_kind), _called)
        self._record("use", _called(widget))
        if self._random.random() < 0.25:
            self._press_key(widget)
        else:
            self._click(widget)

    def _click(self, widget: Any) -> None:
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtTest import QTest

        target = widget.viewport() if hasattr(widget, "viewport") else widget
        place = QPoint(
            self._random.randrange(max(target.width(), 1)), self._random.randrange(max(target.height(), 1))
        )
        modifiers = self._random.choice(
            [Qt.KeyboardModifier.NoModifier] * 4
            + [Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier]
        )
        way = self._random.random()
        if way < 0.75:
            QTest.mouseClick(target, Qt.MouseButton.LeftButton, modifiers, place)
        elif way < 0.85:
            QTest.mouseDClick(target, Qt.MouseButton.LeftButton, modifiers, place)
        else:
            QTest.mouseClick(target, Qt.MouseButton.RightButton, modifiers, place)

    def _press_key(self, widget: Any, names: tuple[str, ...] = ()) -> None:
        from PySide6.QtCore import QCoreApplication, QEvent, Qt
        from PySide6.QtGui import QKeyEvent
        from PySide6.QtWidgets import QApplication

        if not names and self._random.random() < 0.4:
            text = "".join(self._random.choice("aeiou 0123456789.,;=<>{}%é漢\"'\\/") for _ in range(4))
            self._record("type", text)
            for letter in text:
                # QTest ends the process at letters that no keyboard of its own has.
                for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                    event = QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, letter)
                    QCoreApplication.postEvent(QApplication.focusWidget() or widget, event)
            return
        name = self._random.choice(names or _KEYS)
        self._record("key", name)
        self._keys(widget, getattr(Qt.Key, f"Key_{name}"), Qt.KeyboardModifier.NoModifier)

    def _keys(self, widget: Any, key: Any, modifiers: Any) -> None:
        from PySide6.QtTest import QTest

        QTest.keyClick(widget, key, modifiers)

    def _end(self) -> None:
        from PySide6.QtWidgets import QApplication

        waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if waiting is not None:
            # What opened it goes on first.
            waiting.close()
            self._act_later()
            return
        self._beats.stop()
        document = self._window.session.document
        document.mark_saved(None, document.state)
        self._window.close()
        self._window.deleteLater()
        QApplication.exit()


def _called(widget: Any) -> str:
    return f"{type(widget).__name__} {widget.accessibleName() or getattr(widget, 'text', str)()}"


def _text(error: BaseException | None) -> str:
    return "" if error is None else "".join(traceback.format_exception(error))


def child(folder: Path, seed: int, seconds: float, actions: int) -> None:
    """Be the monkey, and write one line of the record."""
    crash = (folder / CRASH).open("a")
    faulthandler.enable(crash)
    # A window that no longer comes back says where it is, and ends.
    faulthandler.dump_traceback_later(seconds + _LONGEST_END, exit=True, file=crash)
    _answer_for_the_system(folder, random.Random(seed + 1))
    from clcd_gui.__main__ import leave_sources_unread

    leave_sources_unread("tests")
    from clcd_gui.app import make_application

    make_application(["clcd-gui"])
    if actions > FIRST_ACTIONS:
        # In fewer actions no growth is measured, and where they are not kept yet it takes minutes.
        load_kernels()
        load_libraries()
    monkey = Monkey(folder, seed, seconds, actions)
    monkey.run()
    line = {
        "seed": seed,
        "actions": monkey.done,
        "kinds": dict(monkey.kinds),
        "wrong": monkey.wrong,
        "stalls": [asdict(stall) for stall in monkey.watch.stalls],
        "memory": monkey.memory,
        "memory_at_work": monkey.memory_at_work,
        "memory_at_rest": monkey.memory_at_rest,
        "own_memory_at_rest": monkey.own_memory_at_rest,
    }
    with (folder / RECORD).open("a") as file:
        file.write(json.dumps(line) + "\n")


def _answer_for_the_system(folder: Path, chance: random.Random) -> None:
    """Answer what the system's dialogs ask, and open nothing outside."""
    from PySide6.QtGui import QDesktopServices
    from PySide6.QtWidgets import QFileDialog

    def named(_: Any, title: str = "", suggested: str = "", kinds: str = "", *__: Any) -> tuple[str, str]:
        name = Path(suggested or "file.json").name
        return str(folder / name) if chance.random() < 0.7 else "", kinds.partition(";;")[0]

    def there(*_: Any) -> tuple[str, str]:
        return str(chance.choice(files_to_open())) if chance.random() < 0.7 else "", ""

    QFileDialog.getSaveFileName = staticmethod(named)
    QFileDialog.getOpenFileName = staticmethod(there)
    QFileDialog.getExistingDirectory = staticmethod(lambda *_: str(folder) if chance.random() < 0.7 else "")
    usual = QDesktopServices.openUrl
    QDesktopServices.openUrl = staticmethod(
        lambda address: usual(address) if address.scheme() == "clcd" else False
    )


def start(folder: Path, seed: int, seconds: float, actions: int) -> int:
    """Start a monkey in a process of its own, with folders of its own; return its exit status."""
    folder.mkdir(parents=True, exist_ok=True)
    own = {
        name: str(folder / name.lower()) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
    }
    command = [sys.executable, "-m", "tests.gui.monkey", "--child", "--folder", str(folder)]
    command += ["--seed", str(seed), "--seconds", str(seconds), "--actions", str(actions)]
    environment = {**os.environ, **own, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def _translate() -> None:
    """Translate the program as its installation does: else what is loaded late is translated in use."""
    subprocess.run([sys.executable, "-m", "compileall", "-q", "clcd_gui", "engine"], cwd=ROOT, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1200.0)
    parser.add_argument("--actions", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--child", action="store_true")
    given = parser.parse_args()
    if given.child:
        child(given.folder, given.seed, given.seconds, given.actions)
        return
    _translate()
    ends = time.monotonic() + given.seconds
    while (left := ends - time.monotonic()) > 1.0:
        # A part that is done is not done again; one ends early when the window is closed.
        before = recorded(given.folder)
        status = start(given.folder, 1000 * given.seed + len(before), left, given.actions)
        sys.stdout.writelines(map(summary, recorded(given.folder)[len(before) :]))
        if status:
            sys.exit(f"the process ended with {status}; see {given.folder / CRASH}")


if __name__ == "__main__":
    main()
