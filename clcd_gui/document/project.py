"""What the window holds as a project, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clcd_gui.document.analysis import NOTHING_KNOWN, Analysis
from clcd_gui.document.history import KeptRun, RunHistory
from clcd_gui.document.notes import ANALYSIS, Notes
from clcd_gui.document.presentation import Presentation
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.row_split import RowSplit
from engine.errors import InvalidParameter
from engine.preparation.preparation_settings import PreparationSettings
from engine.project.project import Origin, Project, Run
from engine.readers.options import ReadingOptions
from engine.recipe import Recipe
from engine.translation import _

if TYPE_CHECKING:
    from engine.readers.reading import Reading

READ, PREPARE, SEARCH = "read", "prepare", "search"
LABELS_PATH = "labels_path"
COUNTS_THROUGH_LABELS = "counts_through_labels"
CONFIRMED = "confirmed"


@dataclass(frozen=True, slots=True, eq=False)
class SavedState:
    """What there was to be saved at some moment."""

    analysis: Analysis | None = None
    runs: tuple[object, ...] = ()
    presentation: tuple[object, ...] = ()
    notes: tuple[object, ...] = ()

    def is_same_as(self, state: SavedState) -> bool:
        """Tell whether nothing changed between two moments."""
        parts = (self.runs, self.presentation, self.notes)
        return self.analysis is state.analysis and parts == (state.runs, state.presentation, state.notes)


@dataclass(frozen=True, slots=True, eq=False)
class OpenProject:
    """A project as the document takes it over."""

    analysis: Analysis  # what a run would use
    options: ReadingOptions  # how its table was read from its own file
    runs: tuple[KeptRun, ...]  # in the order in which they were made
    labels_path: Path | None  # second table that its labels were read from
    saved: Project  # what its file holds


def project_of(
    analysis: Analysis,
    reading: Reading,
    options: ReadingOptions,
    history: RunHistory,
    presentation: Presentation,
    notes: Notes,
) -> Project:
    """Return everything that is open as a project."""
    search = analysis.discovery.as_dict()
    # Where machines stand is nobody else's business.
    del search["cluster"]
    labels = {} if reading.labels_path is None else {LABELS_PATH: str(reading.labels_path)}
    steps: list[Mapping[str, Any]] = [
        {"step": READ, "options": options.as_dict(), **labels},
        *analysis.recipe.as_plain(),
        {"step": PREPARE, "settings": analysis.preparation.as_dict(), CONFIRMED: list(analysis.confirmed)},
        {
            "step": SEARCH,
            "settings": search,
            "split": None if analysis.split is None else analysis.split.as_dict(),
            COUNTS_THROUGH_LABELS: analysis.counts_through_labels,
        },
    ]
    runs = [
        Run(
            name=run.name,
            settings=run.result.settings,
            result=run.result,
            preparation=run.searched.preparation,
            note=run.note,
            is_pinned=run.is_pinned,
            source=run.searched.dataset,
            started=run.started,
            recipe=run.searched.recipe.as_plain(),
        )
        for run in history.runs
    ]
    return Project(
        dataset=analysis.dataset,
        source=analysis.source,
        recipe=steps,
        knowledge=analysis.knowledge,
        runs=runs,
        choices=dict.fromkeys(analysis.preferred, ""),
        origin=Origin(str(reading.path)),
        shown="" if history.shown is None else history.shown.name,
        view=presentation.view,
        report=presentation.report_of([run.number for run in history.runs]),
        notes=notes.text(ANALYSIS),
        variable_notes=notes.on_variables,
        finding_notes=notes.on_findings,
    )


def opened_project(project: Project) -> OpenProject:
    """Return a project as the document takes it over."""
    steps = {str(step.get("step")): step for step in project.recipe}
    read, prepare, search = (steps.get(name, {}) for name in (READ, PREPARE, SEARCH))
    split = search.get("split")
    try:
        options = ReadingOptions(**read.get("options", {}))
        preparation = PreparationSettings(**prepare.get("settings", {}))
        discovery = DiscoverySettings(**search.get("settings", {}))
        chosen_split = None if split is None else RowSplit(**split)
    except TypeError as error:
        raise InvalidParameter(
            _("CLCD does not know a setting of the project ({error}).", error=error),
            place="project",
            remedy=_("Open it with the version of the program that saved it, or a later one."),
        ) from error
    analysis = Analysis(
        project.dataset,
        preparation,
        discovery,
        project.knowledge or NOTHING_KNOWN,
        chosen_split,
        tuple(project.choices),
        project.column_recipe,
        project.source,
        # Projects that were saved before say neither of these nor where the labels are from.
        search.get(COUNTS_THROUGH_LABELS, True) is not False,
        tuple(map(str, prepare.get(CONFIRMED, ()))),
    )
    labels_path = read.get(LABELS_PATH)
    runs = (_kept_run(number, run, project, analysis) for number, run in enumerate(project.runs, start=1))
    return OpenProject(
        analysis, options, tuple(runs), None if labels_path is None else Path(labels_path), project
    )


def _kept_run(number: int, run: Run, project: Project, analysis: Analysis) -> KeptRun:
    searched = Analysis(
        run.source or project.dataset,
        run.preparation or analysis.preparation,
        run.settings,
        run.result.knowledge or NOTHING_KNOWN,
        run.result.split,
        analysis.preferred,
        Recipe(run.recipe),
        project.source if run.recipe else None,
        analysis.counts_through_labels,
    )
    return KeptRun(number, run.name, run.result, searched, run.started, run.note, run.is_pinned)
