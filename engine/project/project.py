"""A whole analysis: the table, what is known, every run, what a person wrote and chose."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path, PureWindowsPath
from typing import Any

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.result import DiscoveryResult
from engine.errors import InvalidParameter
from engine.knowledge.knowledge import Knowledge
from engine.parameters import require_type
from engine.preparation.preparation_settings import PreparationSettings
from engine.recipe import Recipe
from engine.recipe.step import PlainStep
from engine.table.dataset import Dataset
from engine.translation import _
from engine.wording.phrases import plain_listing
from engine.wording.sentences import MAKE_A_DATASET, NAME_OF_ITS_OWN
from engine.wording.setting_names import the_setting

EXTENSION = ".clcd"
"""How the name of a project's file ends."""


@dataclass(frozen=True, eq=False)
class Run:
    """One search with its settings, result and name.

    Attributes
    ----------
    name : str
        Name, unique within a project.
    settings : DiscoverySettings
        Settings of the search.
    result : DiscoveryResult
        Findings of the search.
    preparation : PreparationSettings, optional
        How the table was prepared. None if it is unknown.
    note : str
        Note on the run, in Markdown.
    is_pinned : bool
        Whether a person pinned the run.
    source : Dataset, optional
        The table before its preparation, with its roles and kinds at that time. None if it is the table of
        the project.
    started : str
        Start time, as ``2026-11-23T14:05:00+00:00``. Empty if it is unknown.
    recipe : sequence of mapping
        The steps of columns and rows from the table that was read to `source`.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=500, seed=0)
    >>> settings = engine.DiscoverySettings(alpha=0.05)
    >>> engine.Run("α 0.05", settings, engine.discover(network.dataset, settings), note="a *first* look").name
    'α 0.05'
    """

    name: str
    settings: DiscoverySettings
    result: DiscoveryResult
    preparation: PreparationSettings | None = None
    note: str = ""
    is_pinned: bool = False
    source: Dataset | None = None
    started: str = ""
    recipe: Sequence[PlainStep] = ()


class OriginState(Enum):
    """How the file stands that a table was read from."""

    SAME = auto()
    CHANGED = auto()
    ABSENT = auto()
    UNKNOWN = auto()


@dataclass(frozen=True)
class Origin:
    """File from which a table was read.

    Attributes
    ----------
    path : str
        Path of the file when it was read.
    sha256 : str
        Hash of its bytes, as 64 hexadecimal digits, which shows whether the file has changed. Empty if it is
        unknown.

    Examples
    --------
    >>> import engine
    >>> engine.Origin("visits.csv").path
    'visits.csv'
    """

    path: str
    sha256: str = ""

    @classmethod
    def of(cls, path: Path) -> Origin:
        """Look through a file; without its hash where it cannot be read.

        Examples
        --------
        >>> Origin.of(Path("nowhere.csv"))
        Origin(path='nowhere.csv', sha256='')
        """
        try:
            if path.is_file():
                with path.open("rb") as file:
                    return cls(str(path), hashlib.file_digest(file, "sha256").hexdigest())
        except (OSError, ValueError):
            pass
        return cls(str(path))

    def found(self, folder: Path) -> Path | None:
        r"""Return where the file is now: where it was, or in a folder; None where it is in neither.

        Where it was is not asked of another computer than that of the folder: whoever opens a project that
        somebody sent would tell that computer who they are.

        Examples
        --------
        >>> Origin(r"\\elsewhere\share\visits.csv").found(Path("projects")) is None
        True
        """
        was, here = (PureWindowsPath(path) for path in (self.path, folder))
        is_elsewhere = was.drive.startswith("\\\\") and was.drive.lower() != here.drive.lower()
        try:
            places = [folder / was.name] if is_elsewhere else [Path(self.path), folder / was.name]
            return next((place for place in places if place.is_file()), None)
        except (OSError, ValueError):
            return None

    def state(self, folder: Path) -> OriginState:
        """Tell whether the file is still as it was read.

        Parameters
        ----------
        folder : Path
            Where it is looked for, too.
        """
        path = self.found(folder)
        if path is None:
            return OriginState.ABSENT
        digest = Origin.of(path).sha256 if self.sha256 else ""
        if not digest:
            return OriginState.UNKNOWN
        return OriginState.SAME if digest == self.sha256 else OriginState.CHANGED


@dataclass(frozen=True, eq=False)
class Project:
    """A whole analysis, as a project file holds it.

    Attributes
    ----------
    dataset : Dataset
        The table that is analysed, after all steps, with the roles that a person gave.
    recipe : sequence of mapping
        All steps from the file to the table that is searched, in order, each with its name as ``step``. The
        steps of columns and rows are those of a :class:`engine.Recipe`. You can pass a recipe instead; see
        :attr:`column_recipe`.
    knowledge : Knowledge, optional
        Background knowledge of causes and effects.
    runs : sequence of Run
        The runs, in the order in which they were made.
    notes : str
        Notes on the analysis, in Markdown.
    choices : mapping of str to str
        Features that a person prefers among interchangeable ones, the most preferred first, each with the
        reason or an empty text.
    origin : Origin, optional
        The file from which the table was read.
    shown : str
        Name of the run that was shown last. Empty if there was none.
    variable_notes : mapping of str to str
        Notes on columns of the table, by name, in Markdown.
    finding_notes : mapping of (str, str) to str
        Notes on findings, by feature and label, in Markdown.
    view : mapping
        State of the window, such as the positions of nodes in the graph, as plain values for JSON.
    report : mapping
        Content and layout of the report, as plain values for JSON.
    picture : bytes
        A small picture of the results, as PNG. It may be empty.
    is_data_beside : bool
        Whether a second file beside the project holds the values of the tables.
    source : Dataset, optional
        The table as it was read, before any step of columns and rows. None if there is no such step.

    Raises
    ------
    InvalidParameter
        If two runs have the same name, or a choice is not a feature.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=500, seed=0)
    >>> settings = engine.DiscoverySettings(alpha=0.05)
    >>> first = engine.Run("α 0.05", settings, engine.discover(network.dataset, settings))
    >>> project = engine.Project(dataset=network.dataset, runs=[first], notes="A *first* look.")
    >>> project.run("α 0.05") is first
    True
    """

    dataset: Dataset
    recipe: Sequence[PlainStep] = ()
    knowledge: Knowledge | None = None
    runs: Sequence[Run] = ()
    notes: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    origin: Origin | None = None
    shown: str = ""
    variable_notes: Mapping[str, str] = field(default_factory=dict)
    finding_notes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    view: Mapping[str, Any] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)
    picture: bytes = b""
    is_data_beside: bool = False
    source: Dataset | None = None

    def __post_init__(self) -> None:
        steps = self.recipe.as_plain() if isinstance(self.recipe, Recipe) else self.recipe
        object.__setattr__(self, "recipe", tuple(steps))
        object.__setattr__(self, "runs", tuple(self.runs))
        require_type(self.dataset, Dataset, "dataset", _(MAKE_A_DATASET))
        for run in self.runs:
            require_type(run, Run, "runs")
        names = [run.name for run in self.runs]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise InvalidParameter(
                _("several runs are called {repeated}.", repeated=plain_listing(repeated)),
                place=the_setting("runs"),
                remedy=_(NAME_OF_ITS_OWN),
            )
        unknown = [name for name in self.choices if name not in self.dataset.names]
        if unknown:
            raise InvalidParameter(
                _(
                    "the preferred variable is not a column of the table: {unknown}.",
                    unknown=plain_listing(unknown),
                ),
                place=the_setting("choices"),
                remedy=_("Name columns only, each as in its heading."),
            )

    @property
    def column_recipe(self) -> Recipe:
        """The steps of columns and rows, which lead from :attr:`source` to :attr:`dataset`.

        Raises
        ------
        InvalidParameter
            When a step has impossible values.

        Examples
        --------
        >>> import engine
        >>> dataset = engine.simulate(labels=3, features=12, rows=500, seed=0).dataset
        >>> steps = [{"step": "rename", "column": dataset.features[0], "name": "first"}]
        >>> project = engine.Project(engine.Recipe(steps).apply(dataset), steps, source=dataset)
        >>> project.column_recipe.apply(project.source).features[0]
        'first'
        """
        return Recipe.among(self.recipe)

    def run(self, name: str) -> Run:
        """Return the run of a name.

        Raises
        ------
        InvalidParameter
            When there is none.
        """
        for run in self.runs:
            if run.name == name:
                return run
        raise InvalidParameter(
            _("no run is called {name!r}.", name=name),
            remedy=_("The runs are: {runs}.", runs=plain_listing([run.name for run in self.runs])),
        )

    def with_run(self, run: Run) -> Project:
        """Add a run, or put it in the place of the one of its name."""
        others = [earlier_run for earlier_run in self.runs if earlier_run.name != run.name]
        is_new = len(others) == len(self.runs)
        runs = (
            [*self.runs, run]
            if is_new
            else [run if earlier_run.name == run.name else earlier_run for earlier_run in self.runs]
        )
        return replace(self, runs=tuple(runs))

    def without_run(self, name: str) -> Project:
        """Leave out a run.

        Raises
        ------
        InvalidParameter
            When there is none of that name.
        """
        left_out = self.run(name)
        return replace(self, runs=tuple(run for run in self.runs if run is not left_out))

    def renamed(self, name: str, new_name: str) -> Project:
        """Give a run another name.

        Raises
        ------
        InvalidParameter
            When there is no such run, or another one has the new name.
        """
        renamed = replace(self.run(name), name=new_name)
        return replace(self, runs=tuple(renamed if run.name == name else run for run in self.runs))
