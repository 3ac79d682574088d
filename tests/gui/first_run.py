"""A first run in a process of its own: what is said, and what the window's thread has to do meanwhile.

Run by ``test_preparing.py``, with an empty folder for kernels. It prints what it saw as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"
HEAVY = {"jinja2", "networkx", "numba", "openpyxl", "pandas", "scipy", "sklearn"}
MAKES_QT_TYPES = {"PySide6", "pyqtgraph", "shiboken6"}


class Watch:
    """Notes who imports a heavy library or makes types of Qt, and who compiles or loads kernels."""

    def __init__(self) -> None:
        self.window_imports: list[str] = []
        self.qt_elsewhere: list[str] = []
        self.window_kernels: list[str] = []
        self.compiled_here: list[str] = []
        self.loaded_elsewhere = 0
        sys.addaudithook(self._on_event)

    def watch_kernels(self) -> None:
        """Begin to listen; numba itself is loaded on another thread, so that it is not counted."""
        loading = threading.Thread(target=self._listen)
        loading.start()
        loading.join()

    def _on_event(self, event: str, details: tuple[Any, ...]) -> None:
        if event != "import":
            return
        library = details[0].partition(".")[0]
        if library in HEAVY and _is_window_thread():
            self.window_imports.append(details[0])
        if library in MAKES_QT_TYPES and not _is_window_thread():
            self.qt_elsewhere.append(details[0])

    def _listen(self) -> None:
        from numba.core import event

        watch = self

        class Listener(event.Listener):
            def on_start(self, event: Any) -> None:
                if _is_window_thread():
                    watch.window_kernels.append(f"{event.kind}: {event.data}")
                elif event.kind == "numba:compile":
                    watch.compiled_here.append(str(event.data["dispatcher"]))
                else:
                    watch.loaded_elsewhere += 1

            def on_end(self, event: Any) -> None:
                pass

        for kind in ("numba:compile", "numba:compiler_lock"):
            event.register(kind, Listener())


def _is_window_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def main(table: str, settings_file: str) -> None:
    """Start the program, open a table, run, select features, ask how sure it is, compare methods."""
    watch = Watch()
    from PySide6.QtCore import QEventLoop, QSettings, QTimer, SignalInstance

    from clcd_gui.app import make_application, make_window
    from engine.discovery.stability.result import StabilitySettings

    def wait(signal: SignalInstance) -> None:
        loop = QEventLoop()
        signal.connect(loop.quit)
        loop.exec()
        signal.disconnect(loop.quit)

    application = make_application(["clcd-gui"])
    window = make_window(application, QSettings(settings_file, QSettings.Format.IniFormat))
    window.show()
    application.processEvents()
    watch.watch_kernels()
    messages: dict[str, list[str]] = {}
    stage = "start"

    def note() -> None:
        bar = window.run_bar if stage != "comparison" else window.commands.windows.benchmark.run_bar
        text = bar.activity.text()
        stage_messages = messages.setdefault(stage, [])
        if text and text not in stage_messages:
            stage_messages.append(text)

    timer = QTimer(interval=20)
    timer.timeout.connect(note)
    timer.start()
    controller, document = window.session.controller, window.session.document
    controller.warm_up()
    # Where nothing has to be compiled, nothing is said.
    while not messages.get("start") and controller.warming.is_busy:
        application.processEvents()

    # A quick person: what the start has compiled by now is not enough.
    stage = "run"
    window.open_path(Path(table))
    wait(window.session.opening.opened)
    document.set_labels(["ill", "smoker"])
    window.session.running.start()
    wait(controller.discovery.ended)

    stage = "selection"
    window.go("selection")
    wait(controller.selection.ended)
    selected = document.feature_selection
    window.page("selection").tabs.setCurrentWidget(window.page("selection").grid)
    window.highlight.select(selected.features[0], selected.labels_of(selected.features[0])[0])
    application.processEvents()
    window.page("selection").export_action.trigger()
    window.page("selection").export.dialog.reject()

    stage = "repetition"
    window.session.repeating.start(StabilitySettings(resamples=3))
    wait(controller.repetition.ended)

    window.commands.actions.benchmark.trigger()
    comparison = window.commands.windows.benchmark
    stage = "comparison"
    for name, value in {"labels": 3, "features": 20, "rows": 400, "seeds": 1}.items():
        comparison.settings.form.editor(name).setValue(value)
    for boxes, wanted in (
        (comparison.settings.methods, ("hiton-mb",)),
        (comparison.settings.cells, ("0.5/0.5",)),
    ):
        for name in boxes.chosen:
            boxes.box(name).setChecked(name in wanted)
    comparison.run()
    wait(controller.benchmark.ended)

    timer.stop()
    # Nobody is there who could be asked whether to save it.
    document.mark_saved(None, document.state)
    window.close()
    seen = {name: value for name, value in vars(watch).items() if not name.startswith("_")}
    counts = {
        "outcomes": len(comparison.result.outcomes),
        "selected": len(selected.features),
        "removed_labels": sum(len(boundary.removed_labels) for boundary in selected.boundaries.values()),
    }
    sys.stdout.write(json.dumps({**seen, **counts, "said": messages}))


if __name__ == "__main__":
    main(*sys.argv[1:])
