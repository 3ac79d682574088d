"""The only owner of threads: a lane for files, and one for each kind of search."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from clcd_gui.run.kernels import Kernels, WarmUp
from clcd_gui.run.lane import Lane, Stop, WritingLane
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.searcher import MeasurementFolder, Searcher

LOADED_AHEAD = (
    # Reading tables needs pandas, which is slow to load.
    "pandas",
    "engine.readers.delimited",
    "jinja2",
    "numba",
    "engine.boundaries.warm_up",
    "engine.independence.interface",
    "engine.discovery.clcd",
    # What is done with a result, and what pages speak of: a page that is looked at before it was prepared
    # would load it on the window's thread, which takes up to a quarter of a second.
    "engine.discovery.effects.all_effects",
    "engine.selection.select",
    "engine.reporting.export_formats",
    "engine.reporting.selection_formats",
    "engine.reporting.run_comparison",
    "clcd_gui.run.comparing",
)


class Controller(QObject):
    """Gives long work to threads, in lanes made in the order in which Stop and the end treat them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # What takes time once is done before it is asked for, and no longer when the window closes.
        self.warming = Lane("warming", self)
        # Reading tables and label files.
        self.files = Lane("files", self, Stop.FORGETS)
        # Writing projects.
        self.saving = Lane("saving", self)
        # Writing what is not saved; looking for what was left behind, and removing it.
        self.keeping = Lane("keeping", self)
        self.recovery = Lane("recovery", self)
        # In a large table: making steps, counting rows while a condition is typed, how values are spread.
        self.steps = Lane("steps", self, Stop.FORGETS)
        self.counting = Lane("counting", self)
        self.describing = Lane("describing", self)
        # Whether rows depend on each other.
        self.checking = Lane("checking", self)
        # Looking at files that were open before, and at the one that the open table was read from.
        self.recent = Lane("recent", self)
        self.source = Lane("source", self)
        # Preparation and discovery: as a person asks, after each change of settings, and ahead of these.
        self.discovery = Lane("discovery", self, Stop.HANDS_OVER)
        self.live = Lane("live", self, Stop.FORGETS)
        self.ahead = Lane("ahead", self)
        # Searching parts of the rows again.
        self.repetition = Lane("repetition", self, Stop.HANDS_OVER)
        # Selecting features from a result.
        self.selection = Lane("selection", self, Stop.FORGETS)
        # Measuring how large findings are.
        self.sizes = Lane("sizes", self)
        # The comparison of methods on networks, and that of feature selectors on the open table.
        self.benchmark = Lane("benchmark", self)
        self.comparison = Lane("comparison", self, Stop.HANDS_OVER)
        # Putting a report together.
        self.preview = Lane("preview", self)
        # Writing what comparisons have found so far, while they go on, and reports.
        self.benchmark_files = WritingLane("benchmark files", self)
        self.comparison_files = WritingLane("comparison files", self)
        self.report = WritingLane("report", self)
        self.lanes = self.findChildren(Lane)
        self.stoppable = [lane for lane in self.lanes if lane.at_stop is not None]
        self.drawing = DrawingProcess()
        # What is kept from comparison to comparison.
        self.measurements = MeasurementFolder()
        # What every search waits for on its first run on a machine, and what is kept from search to search.
        self.kernels = Kernels()
        self.searcher = Searcher(self.kernels)

    def warm_up(self) -> None:
        """Load and compile in the background what the first run needs."""
        self.warming.start(WarmUp(self.kernels, LOADED_AHEAD, lambda: self.is_busy))

    @property
    def is_busy(self) -> bool:
        """Whether anything is running in this process that a person can stop."""
        return any(lane.is_busy for lane in self.stoppable if lane is not self.comparison)

    def ask_to_end(self) -> None:
        """Tell all searches at once that they will be ended, so that they end together."""
        for lane in self.lanes:
            lane.ask_to_end()

    @Slot()
    def shut_down(self) -> None:
        """Stop all work and wait until it has ended; files that were asked for are written."""
        self.ask_to_end()
        for lane in self.lanes:
            lane.shut_down()
        self.drawing.end()
        self.measurements.clear()
