"""Reports: put together on a thread, drawn and written in a process; nothing in here knows of Qt.

Libraries that draw figures, set pages and write workbooks or networks work for seconds without a pause, and
a thread that does so lets the window stand still; and each holds 10 to 50 MB for good. What is in such a file
is plain, so that it travels to another process in no time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from clcd_gui.run.progress import SharedProgress
from engine.errors import Cancelled, UnwritableFile
from engine.execution.remembering import BoundedMemory
from engine.reporting.figures.chart import Chart
from engine.reporting.report.blocks import FigureBlock, Report
from engine.reporting.tables import Analysis

_LOOK_SECONDS = 0.05
_NICENESS = 10


class DrawingProcess:
    """Does one thing at a time in a process of its own, which is started when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(self, progress: SharedProgress, work: Callable[..., Any], *arguments: Any) -> Any:
        """Let the process do something, and wait for it.

        Parameters
        ----------
        progress : SharedProgress
            When it asks to stop, the process is ended at once.
        work : callable
            A function of a module, which the process imports.
        *arguments
            Plain values.

        Raises
        ------
        Cancelled
            When a stop was asked for.
        UnwritableFile
            When the process ended by itself.
        """
        with self._lock:
            connection = self._begun()
            try:
                connection.send((work, arguments))
                while not connection.poll(_LOOK_SECONDS):
                    if progress.should_stop():
                        raise Cancelled
                is_done, answer = connection.recv()
            except (EOFError, OSError) as error:
                self._end()
                raise UnwritableFile(
                    "the process that draws and writes ended.", remedy="Try again with less in the report."
                ) from error
            except Cancelled:
                self._end()
                raise
        if not is_done:
            raise answer
        return answer

    def shut_down(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _begun(self) -> Connection:
        if self._connection is None or self._process is None or not self._process.is_alive():
            self._end()
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
            self._connection, self._process = ours, process
        return self._connection

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._process.close()
        self._connection = self._process = None


def _serve(connection: Connection) -> None:
    """Do what is asked for until nobody is there who could ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    while True:
        try:
            work, arguments = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer: tuple[bool, Any] = (True, work(*arguments))
        except Exception as error:  # noqa: BLE001 - the boundary: whoever asked raises it again
            answer = (False, error)
        with contextlib.suppress(OSError):
            connection.send(answer)


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """A report as it is looked at before it is written.

    Attributes
    ----------
    report : Report
    pictures : dict of str to bytes
        Its figures that are drawn, by name, as PNG.
    html : str
        As the window shows it.
    """

    report: Report
    pictures: dict[str, bytes]
    html: str


def preview_of(report: Report, pictures: dict[str, bytes]) -> Preview:
    """Return a report as it is looked at, with those of its figures that are drawn."""
    from clcd_gui.document.templates import filled

    return Preview(report, pictures, filled("report_preview.html", report=report, pictures=pictures))


@dataclass(frozen=True, slots=True, eq=False)
class MakePreview:
    """Put a report together and draw its figures; the text is given out before the first figure is drawn.

    Attributes
    ----------
    analysis : Analysis
    process : DrawingProcess
    dots_per_inch : int
        Of the figures.
    drawn : BoundedMemory of Chart to bytes
        Figures that were drawn before; those that are drawn are added.
    """

    analysis: Analysis
    process: DrawingProcess
    dots_per_inch: int
    drawn: BoundedMemory[Chart, bytes]

    def __call__(self, progress: SharedProgress) -> Preview:
        """Return the report with its figures."""
        from engine.reporting.figures.files import png_bytes
        from engine.reporting.report import make_report

        report = make_report(self.analysis)
        figures = [
            block for section in report.sections for block in section.blocks if isinstance(block, FigureBlock)
        ]
        found = {each.name: self.drawn.get(each.chart) for each in figures}
        known = {name: picture for name, picture in found.items() if picture is not None}
        preview = preview_of(report, known)
        progress.give_early(preview)
        for each in figures:
            if each.name not in known:
                picture = self.process.ask(progress, png_bytes, each.chart, self.dots_per_inch)
                known = known | {each.name: picture}
                self.drawn.put(each.chart, picture)
                preview = preview_of(report, known)
                progress.give_early(preview)
        return preview


@dataclass(frozen=True, slots=True, eq=False)
class WriteFiles:
    """Write the files that a person ticked, all of them or none.

    Attributes
    ----------
    analysis : Analysis
    folder : Path
        Made when it does not exist.
    formats : tuple of str
        Names of the export formats.
    process : DrawingProcess
    """

    analysis: Analysis
    folder: Path
    formats: tuple[str, ...]
    process: DrawingProcess

    def __call__(self, progress: SharedProgress) -> tuple[Path, ...]:
        """Write the files and return their paths."""
        from engine.atomic import atomic_folder
        from engine.reporting.registry import find_format

        chosen = [find_format(name) for name in self.formats]
        with atomic_folder(self.folder) as drafts:
            for each in chosen:
                write_format(self.analysis, drafts / each.file_name, each.name, self.process, progress)
        return tuple(self.folder / each.file_name for each in chosen)


def write_format(
    analysis: Analysis, path: Path, name: str, process: DrawingProcess, progress: SharedProgress
) -> None:
    """Write a file of an export format, in a process of its own where a large library makes it.

    Parameters
    ----------
    analysis : Analysis
    path : Path
    name : str
        Of the format.
    process : DrawingProcess
    progress : SharedProgress

    Raises
    ------
    Cancelled
        When a stop was asked for.
    """
    from engine.reporting.registry import find_format

    if progress.should_stop():
        raise Cancelled
    chosen = find_format(name)
    if chosen.drawn is None:
        chosen.write(analysis, path)
    else:
        process.ask(progress, chosen.drawn.draw, chosen.drawn.content(analysis), path)
