"""What the window holds as a project, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clcd_gui.document.analysis import NOTHING_KNOWN, Analysis
from engine.boundaries.settings import DiscoverySettings
from engine.discovery.row_split import RowSplit
from engine.errors import InvalidParameter
from engine.preparation.settings import PreparationSettings
from engine.project.project import Origin, Project, Run
from engine.readers.registry import ReadingOptions

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.readers.reading import Reading

READ, PREPARE, SEARCH = "read", "prepare", "search"


@dataclass(frozen=True, slots=True, eq=False)
class OpenProject:
    """A project as the document takes it over.

    Attributes
    ----------
    analysis : Analysis
        What a run would use.
    options : ReadingOptions
        How its table was read from its own file.
    result : DiscoveryResult or None
        What the last run found.
    searched : Analysis or None
        What that was computed from.
    """

    analysis: Analysis
    options: ReadingOptions
    result: DiscoveryResult | None = None
    searched: Analysis | None = None


def project_of(
    analysis: Analysis,
    reading: Reading,
    options: ReadingOptions,
    result: DiscoveryResult | None,
    searched: Analysis | None,
) -> Project:
    """Return everything that is open as a project.

    Parameters
    ----------
    analysis : Analysis
        What a run would use now.
    reading : Reading
        Where its table comes from.
    options : ReadingOptions
        How that was read.
    result, searched : DiscoveryResult and Analysis, optional
        What was found, and what it was computed from.
    """
    search = analysis.discovery.as_dict()
    # Where machines stand is nobody else's business.
    del search["cluster"]
    steps: list[Mapping[str, Any]] = [
        {"step": READ, "options": options.as_dict()},
        {"step": PREPARE, "settings": analysis.preparation.as_dict()},
        {
            "step": SEARCH,
            "settings": search,
            "split": None if analysis.split is None else analysis.split.as_dict(),
        },
    ]
    runs = []
    if result is not None and searched is not None:
        name = f"α {result.settings.alpha:g}"
        runs.append(Run(name, result.settings, result, searched.preparation, source=searched.dataset))
    return Project(
        dataset=analysis.dataset,
        recipe=steps,
        knowledge=analysis.knowledge,
        runs=runs,
        choices=dict.fromkeys(analysis.preferred, ""),
        origin=Origin(str(reading.path)),
    )


def opened_project(project: Project) -> OpenProject:
    """Return a project as the document takes it over.

    Raises
    ------
    InvalidParameter
        When a setting of it is impossible.
    """
    steps = {str(step.get("step")): step for step in project.recipe}
    split = steps.get(SEARCH, {}).get("split")
    try:
        options = ReadingOptions(**steps.get(READ, {}).get("options", {}))
        preparation = PreparationSettings(**steps.get(PREPARE, {}).get("settings", {}))
        discovery = DiscoverySettings(**steps.get(SEARCH, {}).get("settings", {}))
        chosen_split = None if split is None else RowSplit(**split)
    except TypeError as error:
        raise InvalidParameter(
            f"a setting of the project is unknown ({error}).",
            place="project",
            remedy="Open it with the version of the program that saved it, or a later one.",
        ) from error
    known = project.knowledge or NOTHING_KNOWN
    preferred = tuple(project.choices)
    analysis = Analysis(project.dataset, preparation, discovery, known, chosen_split, preferred)
    if not project.runs:
        return OpenProject(analysis, options)
    run = project.runs[-1]
    searched = Analysis(
        run.source or project.dataset,
        run.preparation or preparation,
        run.settings,
        run.result.knowledge or NOTHING_KNOWN,
        run.result.split,
        preferred,
    )
    return OpenProject(analysis, options, run.result, searched)
