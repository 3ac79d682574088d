"""Write what is made of the user guide: the glossary, and the pictures of the window and of the README.

Run it from the project's folder; without a screen set ``QT_QPA_PLATFORM=offscreen``::

    python packaging/make_guide.py resources/help/guide

The pictures show the bundled survey in the light colours, always in the same size. Letters follow the fonts
of the machine, so that pictures of two machines need not be the same to the byte.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image, ImageColor
from PySide6.QtCore import QBuffer, QByteArray, QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication

from clcd_gui.app import make_application, make_window
from clcd_gui.document.examples import examples
from clcd_gui.shell.help_pages import glossary_page
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.themes import Scheme
from clcd_gui.style.tokens import LIGHT, MEANINGS

WIDTH, HEIGHT = 1024, 660
# That of the README stands among the program's pictures.
README_PICTURE, README_SIZE = "window", (1280, 820)
PICTURES = (
    "start",
    "data",
    "check",
    "column",
    "known",
    "method",
    "overview",
    "common",
    "grid",
    "graph",
    "charts",
    "interchangeable",
    "stability",
    "selection",
    "report",
    "runs",
)
_COLOURS = 160
_LONGEST_SECONDS = 600
_DRAWING_MILLISECONDS = 700
_INTERCHANGEABLE, _REPETITIONS = "Night shifts", 50


def main(folder: str | Path) -> None:
    """Write all of them into a folder."""
    Path(folder, "glossary.md").write_text(glossary_page(), encoding="utf-8")
    pictures = Path(folder, "pictures")
    pictures.mkdir(exist_ok=True)
    of_readme = Path(folder).resolve().parents[1] / "pictures"
    make_application(["clcd-gui"])
    with tempfile.TemporaryDirectory() as settings:
        store = QSettings(str(Path(settings, "settings.ini")), QSettings.Format.IniFormat)
        window = make_window(QApplication.instance(), store)
        window.theme.set_scheme(Scheme.LIGHT)
        window.resize(WIDTH, HEIGHT)
        window.show()
        for name in views(window):
            _settle()
            place = of_readme if name == README_PICTURE else pictures
            (place / f"{name}.png").write_bytes(_picture(window))
        document = window.session.document
        document.mark_saved(None, document.state)
        window.close()


def views(window: MainWindow) -> Iterator[str]:
    """Bring the window from view to view, and yield the name of each when it is shown."""
    session, document = window.session, window.session.document
    session.live.set_wanted(False)
    window.start_page.forget_tour()
    yield "start"
    window.open_path(examples()[0].path)
    _wait(lambda: document.reading is not None and document.offer is not None)
    document.set_labels(document.offer.names)
    data = window.page("data")
    data.lesson_notice.hide_text()
    yield "data"
    data.tabs.setCurrentWidget(data.checks)
    yield "check"
    data.tabs.setCurrentIndex(0)
    data.columns.open_requested.emit("Work pressure (0-10)")
    _wait(lambda: data.column.histogram is not None)
    yield "column"
    data.column.left.emit()
    data.tabs.setCurrentWidget(data.knowledge)
    yield "known"
    data.tabs.setCurrentIndex(0)
    window.go("method")
    yield "method"
    _run(window)
    results = window.page("results")
    window.go("results")
    found = document.result.findings.common[0]
    window.highlight.select(found.feature, found.labels[1])
    _wait(lambda: document.result.effects is not None)
    results.tabs.setCurrentWidget(results.common)
    window.resize(*README_SIZE)
    yield README_PICTURE
    window.resize(WIDTH, HEIGHT)
    shown = (results.overview_panel, results.common, results.grid, results.graph, results.charts)
    for name, view in zip(("overview", "common", "grid", "graph", "charts"), shown, strict=True):
        results.tabs.setCurrentWidget(view)
        if view is results.graph:
            # What is not linked to what is selected would be faint.
            window.highlight.clear()
        yield name
    results.tabs.setCurrentWidget(results.common)
    results.common.model.unfold(_INTERCHANGEABLE)
    window.highlight.select(_INTERCHANGEABLE, None)
    yield "interchangeable"
    results.how_sure.actions_by_number[_REPETITIONS].trigger()
    _wait(lambda: document.result.stability is not None)
    window.highlight.select(found.feature, found.labels[0])
    # The column of what was found again stands at the right.
    _settle()
    bar = results.common.table.horizontalScrollBar()
    bar.setValue(bar.maximum())
    yield "stability"
    window.go("selection")
    _wait(lambda: document.feature_selection is not None)
    yield "selection"
    window.go("report")
    yield "report"
    document.change_discovery("alpha", 0.00001)
    _run(window)
    window.go("runs")
    yield "runs"


def _run(window: MainWindow) -> None:
    finished: list[object] = []
    window.session.running.finished.connect(finished.append)
    window.session.running.start()
    _wait(lambda: bool(finished))


def _wait(is_done: Callable[[], bool]) -> None:
    for _ in range(_LONGEST_SECONDS * 20):
        if is_done():
            return
        _pause(50)
    raise TimeoutError(f"Not done within {_LONGEST_SECONDS} seconds.")


def _settle() -> None:
    _pause(_DRAWING_MILLISECONDS)


def _pause(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def _palette(picture: Image.Image) -> Image.Image:
    """Return the colours of the signs and the most frequent ones."""
    counted = sorted(picture.getcolors(picture.width * picture.height), reverse=True)
    meant = [ImageColor.getrgb(LIGHT.of(meaning)) for meaning in MEANINGS]
    colours = dict.fromkeys((*meant, *(colour for _, colour in counted[:_COLOURS])))
    values = [value for colour in colours for value in colour]
    palette = Image.new("P", (1, 1))
    palette.putpalette(values)
    return palette


def _picture(window: MainWindow) -> bytes:
    """Return the window as a PNG of few colours, which stays small."""
    encoded = QByteArray()
    buffer = QBuffer(encoded)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    window.grab().save(buffer, "PNG")
    written = io.BytesIO()
    picture = Image.open(io.BytesIO(bytes(encoded))).convert("RGB")
    few = picture.quantize(palette=_palette(picture), dither=Image.Dither.NONE)
    few.save(written, "PNG", optimize=True)
    return written.getvalue()


if __name__ == "__main__":
    main(*sys.argv[1:])
