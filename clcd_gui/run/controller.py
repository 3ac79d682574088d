"""The only owner of threads: a lane for files, and one for each kind of search."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from clcd_gui.run.kernels import Kernels, WarmUp
from clcd_gui.run.lane import Lane, WritingLane
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.searcher import MeasurementFolder, Searcher


class Controller(QObject):
    """Gives long work to threads and ends them all when the window closes.

    Attributes
    ----------
    files : Lane
        Reading tables and label files.
    saving : Lane
        Writing projects.
    keeping : Lane
        Writing what is not saved.
    recovery : Lane
        Looking for what was left behind, and removing it.
    steps : Lane
        Steps in a large table.
    counting : Lane
        Counting the rows in which a condition holds, while it is typed.
    describing : Lane
        How the values of a column are spread.
    checking : Lane
        Whether rows depend on each other.
    recent : Lane
        Looking at files that were open before.
    source : Lane
        Looking at the file that the open table was read from.
    discovery : Lane
        Preparation and discovery.
    live : Lane
        Discovery that follows the changes of settings by itself.
    ahead : Lane
        Discovery at levels that may be asked for next.
    selection : Lane
        Selecting features from a result.
    repetition : Lane
        Searching parts of the rows again.
    sizes : Lane
        Measuring how large findings are.
    benchmark : Lane
        The comparison of methods.
    comparison : Lane
        The comparison of feature selectors on the open table.
    benchmark_files, comparison_files : WritingLane
        Writing what these have found so far, while they go on.
    preview : Lane
        Putting a report together.
    report : WritingLane
        Writing it.
    drawing : DrawingProcess
        Draws and writes reports.
    warming : Lane
        What takes time only once, done before it is asked for.
    kernels : Kernels
        What every search waits for on its first run on a machine.
    searcher : Searcher
        What is kept from search to search.
    measurements : MeasurementFolder
        What is kept from comparison to comparison.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # The first to end: what it makes ready is asked for no more.
        self.warming = Lane("warming", self)
        self.files = Lane("files", self)
        self.saving = Lane("saving", self)
        self.keeping = Lane("keeping", self)
        self.recovery = Lane("recovery", self)
        self.steps = Lane("steps", self)
        self.counting = Lane("counting", self)
        self.describing = Lane("describing", self)
        self.checking = Lane("checking", self)
        self.recent = Lane("recent", self)
        self.source = Lane("source", self)
        self.discovery = Lane("discovery", self)
        self.live = Lane("live", self)
        self.ahead = Lane("ahead", self)
        self.selection = Lane("selection", self)
        self.repetition = Lane("repetition", self)
        self.sizes = Lane("sizes", self)
        self.benchmark = Lane("benchmark", self)
        self.comparison = Lane("comparison", self)
        self.preview = Lane("preview", self)
        self.benchmark_files = WritingLane("benchmark files", self)
        self.comparison_files = WritingLane("comparison files", self)
        self.report = WritingLane("report", self)
        self.drawing = DrawingProcess()
        self.measurements = MeasurementFolder()
        self.kernels = Kernels()
        self.searcher = Searcher(self.kernels)

    def warm_up(self) -> None:
        """Load and compile in the background what the first run needs."""
        self.warming.start(WarmUp(self.kernels, lambda: self.is_busy))

    @property
    def is_busy(self) -> bool:
        """Whether anything is running."""
        lanes = (self.files, self.steps, self.discovery, self.live, self.selection, self.repetition)
        return any(lane.is_busy for lane in lanes)

    def ask_to_end(self) -> None:
        """Tell all searches at once that they will be ended, so that they end together."""
        for lane in self.findChildren(Lane):
            lane.ask_to_end()

    @Slot()
    def shut_down(self) -> None:
        """Stop all work and wait until it has ended; files that were asked for are written."""
        self.ask_to_end()
        # In the order in which they are made above.
        for lane in self.findChildren(Lane):
            lane.shut_down()
        self.drawing.end()
        self.measurements.clear()
