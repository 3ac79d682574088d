"""What the strip under the page says while something is read or searched, and afterwards."""

from __future__ import annotations

from PySide6.QtCore import QObject

from clcd_gui.document.columns import feature_figures
from clcd_gui.run.kernels import COMPILING
from clcd_gui.run.lane import Standing
from clcd_gui.run.session import Session
from clcd_gui.run.table_steps import MAKING_STEPS
from clcd_gui.widgets.run_bar import RunBar
from clcd_gui.wording.text import count_text, counted, duration_text
from engine.discovery.result import DiscoveryResult
from engine.discovery.stability.result import StabilityResult

_COMPILING_TEXT = f"{COMPILING.stage}: {COMPILING.detail}"


class Activity(QObject):
    """Shows the lanes of a session in a run bar; reading comes before making steps, that before searching,
    and that before repeating and selecting features.

    Where nothing else is going on, it says that the searches are being compiled, which a process beside the
    window does when the program is started for the first time.
    """

    def __init__(self, session: Session, bar: RunBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bar = bar
        self._files, self._discovery = session.controller.files, session.controller.discovery
        self._repetition = session.controller.repetition
        self._selection = session.controller.selection
        self._steps = session.controller.steps
        self._shows_steps = False
        self._warming = session.controller.warming
        self._is_compiling = False
        # A table that is read in a moment needs no progress: the bar would only flicker.
        self._files.progressed.connect(self._on_reading)
        self._files.ended.connect(self._on_read)
        self._steps.noticed.connect(self._on_steps_noticed)
        self._steps.progressed.connect(self._on_making_steps)
        self._steps.ended.connect(self._on_steps_made)
        self._live = session.controller.live
        self._discovery.noticed.connect(self._on_noticed)
        self._discovery.progressed.connect(self._on_searching)
        self._discovery.stopping.connect(bar.set_stopping)
        self._discovery.succeeded.connect(self._on_found)
        self._discovery.failed.connect(self._on_failed)
        self._discovery.stopped.connect(self._on_stopped)
        self._live.noticed.connect(self._on_noticed)
        self._live.progressed.connect(self._on_following)
        self._live.succeeded.connect(self._on_found)
        self._live.failed.connect(self._on_failed)
        session.live.changed.connect(self._rest)
        self._repetition.started.connect(self._on_noticed)
        self._repetition.progressed.connect(self._on_repeating)
        self._repetition.stopping.connect(bar.set_stopping)
        self._repetition.succeeded.connect(self._on_counted)
        self._repetition.failed.connect(self._on_not_counted)
        self._repetition.stopped.connect(self._on_not_counted)
        self._selection.noticed.connect(self._on_selecting_noticed)
        self._selection.progressed.connect(self._on_selecting)
        self._selection.ended.connect(self._on_selected)
        bar.stop_requested.connect(session.stop)
        session.document.opened.connect(self._on_opened)
        opening = session.opening
        for signal in (
            session.changed,
            session.checking.changed,
            opening.previewed,
            opening.given_up,
            opening.opened,
        ):
            signal.connect(self._show_size)
        self._session = session
        self._show_size()
        self._warming.progressed.connect(self._on_warming)
        self._warming.ended.connect(self._on_warm)

    def _show_size(self) -> None:
        """Say how large the table is; nothing while its beginning is there alone, or another is looked at."""
        analysis, opening = self._session.document.analysis, self._session.opening
        if analysis is None or opening.first_rows is not None or opening.preview is not None:
            self._bar.set_figures("")
            return
        dataset = analysis.dataset
        self._bar.set_figures(
            " · ".join(
                (
                    counted(dataset.row_count, "row"),
                    *feature_figures(dataset.features, self._session.checking.left_out),
                    counted(len(dataset.labels), "label"),
                )
            )
        )

    def _on_reading(self, standing: Standing) -> None:
        self._bar.set_standing(standing)

    def _on_read(self) -> None:
        self._rest()

    def _on_opened(self) -> None:
        self._rest()

    def _rest(self) -> None:
        lanes = (self._discovery, self._live, self._repetition)
        is_noticed = self._selection.is_noticed or self._steps.is_noticed
        if not is_noticed and not any(lane.is_busy for lane in lanes):
            self._bar.set_idle(_COMPILING_TEXT if self._is_compiling else "")

    def _on_steps_noticed(self) -> None:
        if not self._files.is_busy:
            self._shows_steps = True
            self._bar.set_working(MAKING_STEPS)

    def _on_making_steps(self, standing: Standing) -> None:
        if self._shows_steps and not self._files.is_busy:
            self._bar.set_standing(standing)

    def _on_steps_made(self) -> None:
        if self._shows_steps:
            self._shows_steps = False
            self._rest()

    def _on_warming(self, standing: Standing) -> None:
        if (standing.stage, standing.detail) != (COMPILING.stage, COMPILING.detail):
            self._on_warm()
        elif not self._is_compiling:
            self._is_compiling = True
            if not self._files.is_busy:
                self._rest()

    def _on_warm(self) -> None:
        self._is_compiling = False
        if self._bar.activity.text() == _COMPILING_TEXT:
            self._rest()

    def _on_noticed(self) -> None:
        self._bar.set_working("Preparing")

    def _on_following(self, standing: Standing) -> None:
        if self._live.is_noticed and not self._is_before_searching:
            self._bar.set_standing(standing)

    def _on_searching(self, standing: Standing) -> None:
        if self._is_before_searching or self._discovery.is_stopping or not self._discovery.is_noticed:
            return
        self._bar.set_standing(standing)

    def _on_repeating(self, standing: Standing) -> None:
        if not (self._is_before_searching or self._repetition.is_stopping):
            self._bar.set_standing(standing)

    def _on_selecting_noticed(self) -> None:
        if not self._is_searching:
            self._bar.set_working("Preparing")

    def _on_selecting(self, standing: Standing) -> None:
        if self._selection.is_noticed and not self._is_searching:
            self._bar.set_standing(standing)

    def _on_selected(self) -> None:
        if not self._bar.stop.isHidden() and not self._is_searching:
            self._bar.set_idle()

    @property
    def _is_before_searching(self) -> bool:
        """Whether something is shown that comes before searching."""
        return self._files.is_busy or self._shows_steps

    @property
    def _is_searching(self) -> bool:
        lanes = (self._discovery, self._live, self._repetition)
        return self._is_before_searching or any(lane.is_busy for lane in lanes)

    def _on_counted(self, stability: StabilityResult) -> None:
        finished, total = count_text(stability.finished), count_text(stability.settings.resamples)
        if stability.is_partial:
            self._bar.set_idle(f"Stopped; {finished} of {total} parts searched again")
        else:
            self._bar.set_idle(f"{total} parts searched again in {duration_text(stability.seconds)}")

    def _on_not_counted(self) -> None:
        # A new run says for itself what is going on.
        if not self._discovery.is_busy:
            self._bar.set_idle("Nothing was searched again")

    def _on_found(self, result: DiscoveryResult) -> None:
        tests = counted(result.tests_made, "test")
        if not result.boundaries:
            self._on_stopped()
        elif not result.directions_finished and not result.unfinished_labels:
            self._bar.set_idle(f"Stopped; every label finished, directions were not, {tests}")
        elif result.is_partial:
            done = len(result.boundaries)
            labels = counted(len(result.dataset.labels), "label")
            self._bar.set_idle(f"Stopped; {done:,} of {labels} finished, {tests}")
        else:
            self._bar.set_idle(f"Done in {duration_text(result.seconds)}, {tests}")

    def _on_failed(self) -> None:
        self._bar.set_idle("The run ended without a result")

    def _on_stopped(self) -> None:
        self._bar.set_idle("Stopped before any label was finished")
