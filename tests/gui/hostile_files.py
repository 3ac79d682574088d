"""Opens hostile files in a process of its own, whose every step beside the window is noted.

Run by ``test_hostile_files.py`` with a folder of files; it prints what happened as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"
STEPS = ("data", "method", "results", "selection", "report", "runs", "data")
_NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.bind", "urllib.Request", "webbrowser.open")


class Watch:
    """Notes connections, processes, modules of the folder and files that are opened."""

    def __init__(self, folder: Path) -> None:
        self.network: list[str] = []
        self.processes: list[list[str]] = []
        self.opened: list[str] = []
        self.imported: list[str] = []
        self._folder = str(folder)
        self.is_on = False
        sys.addaudithook(self._on_event)

    def _on_event(self, event: str, details: tuple[Any, ...]) -> None:
        if not self.is_on:
            return
        if event in _NETWORK or event in ("os.system", "os.exec", "os.startfile"):
            self.network.append(f"{event} {details}")
        elif event == "subprocess.Popen":
            self.processes.append([str(argument) for argument in details[1]])
        elif event == "open" and str(details[0]).startswith(self._folder):
            self.opened.append(str(details[0]))
        elif event == "exec" and details[0].co_filename.startswith(self._folder):
            self.imported.append(details[0].co_filename)


def main(folder: Path, state: Path) -> None:
    """Open each file, look at every page, and read what a person would."""
    from PySide6.QtCore import QEventLoop, QSettings, QTimer

    from clcd_gui.app import make_application, make_window

    def wait(milliseconds: int) -> None:
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    os.chdir(folder)
    watch = Watch(folder)
    application = make_application(["clcd-gui"])
    window = make_window(application, QSettings(str(state / "settings.ini"), QSettings.Format.IniFormat))
    window.show()
    watch.is_on = True
    session = window.session
    outcomes: dict[str, str] = {}
    current = ""

    def note(word: str) -> None:
        outcomes[current] = word

    session.opening.opened.connect(lambda _: note("opened"))
    session.opening.failed.connect(lambda failure: note(failure.sentence))
    for path in sorted(entry for entry in folder.iterdir() if entry.is_file() and entry.suffix != ".py"):
        current = path.name
        window.open_path(path)
        for _ in range(500):
            wait(20)
            if window.pages.currentWidget() is window.import_page:
                window.import_page.primary.click()
            if current in outcomes:
                break
        if outcomes.get(current) == "opened":
            for step in STEPS:
                window.go(step)
                wait(60)
            session.document.mark_saved(None, session.document.state)
    watch.is_on = False
    window.close()
    seen = {name: value for name, value in vars(watch).items() if not name.startswith("_")}
    sys.stdout.write(json.dumps({**seen, "said": outcomes}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
