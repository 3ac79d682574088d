"""Several Markov boundaries of one target, asked for by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.boundaries.boundary import MarkovBoundaries
from engine.boundaries.registry import algorithms
from engine.boundaries.single import checked_options, data_around, description_of
from engine.errors import Cancelled, InvalidParameter
from engine.execution.workers import run_all
from engine.progress import Progress, ProgressEvent, SilentProgress

if TYPE_CHECKING:
    from engine.boundaries.collection import Report
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.boundaries.settings import DiscoverySettings
    from engine.table.dataset import Dataset

SEARCHING = "Looking for further boundaries"


def markov_boundaries(
    dataset: Dataset,
    target: str,
    settings: DiscoverySettings | None = None,
    *,
    algorithm: str = "tie-star",
    options: object | None = None,
    progress: Progress | None = None,
) -> MarkovBoundaries:
    """Find several Markov boundaries of one variable.

    Parameters
    ----------
    dataset : Dataset
        A prepared table; labels and features take part alike.
    target : str
        The variable whose boundaries are sought.
    settings : DiscoverySettings, optional
        Test, level, conditioning size; the defaults when left out.
    algorithm : str
        A name of ``engine.algorithms()`` whose ``finds_several`` is true.
    options : object, optional
        Settings that only this algorithm has: an instance of its ``options`` class in
        ``engine.algorithms()``.
    progress : Progress, optional
        Told how far the search is, and asked whether to stop.

    Returns
    -------
    MarkovBoundaries
        After a stop it holds the boundaries that were found until then.

    Raises
    ------
    InvalidParameter
        When no column is named `target`, no algorithm has this name, it finds a single boundary, or the
        options are of another one.
    InvalidData
        When a column does not suit the test, or the target is ignored.
    Cancelled
        When `progress` asked to stop before one boundary was found.

    Examples
    --------
    >>> import pandas, engine
    >>> frame = pandas.DataFrame({"x": [0, 0, 1, 1] * 50, "y": [0, 0, 0, 1] * 50})
    >>> dataset = engine.Dataset.from_frame(frame.assign(copy=frame["x"]))
    >>> [each.members for each in engine.markov_boundaries(dataset, "y").boundaries]
    [('x',), ('copy',)]
    """
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.boundaries.settings import DiscoverySettings

    settings = settings or DiscoverySettings()
    progress = progress or SilentProgress()
    data, place = data_around(dataset, target, settings)
    stop = np.zeros(1, dtype=np.uint8)
    search = Neighbourhoods(data, settings, stop)

    def report(made: int, planned: int, tests: int) -> None:
        progress.report(ProgressEvent(SEARCHING, made, max(planned, 1), tests, target))

    def find(place: int) -> MarkovBoundaries:
        return boundaries_in(search, place, algorithm, options, report)

    # Beside the search it is asked whether to stop, so that a long single search ends too.
    for _, found in run_all(find, [place], workers=1, progress=progress, stop=stop):
        return found
    raise Cancelled("the run was stopped before one boundary was found.")


def boundaries_in(
    search: Neighbourhoods,
    target: int,
    algorithm: str = "tie-star",
    options: object | None = None,
    report: Report = lambda made, planned, tests: None,
) -> MarkovBoundaries:
    """Find several Markov boundaries of a variable, by position.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop; what it finds around each variable is kept for further targets.
    target : int
        Position of the target.
    algorithm, options
        As in :func:`markov_boundaries`.
    report : callable
        Told the searches made, those planned, and the tests so far.

    Returns
    -------
    MarkovBoundaries
        After a stop, what was found until then.

    Raises
    ------
    InvalidParameter
        As in :func:`markov_boundaries`.
    Cancelled
        When the run was stopped before one boundary was found.
    """
    from engine.boundaries.collection import Collection

    description = description_of(algorithm)
    if not description.finds_several:
        several = (each.name for each in algorithms().values() if each.finds_several)
        raise InvalidParameter(
            f"{description.title} finds a single boundary.",
            place="setting 'algorithm'",
            remedy=f"Ask for it by engine.markov_boundary, or choose one of: {', '.join(several)}.",
        )
    chosen: Any = checked_options(description, options)
    collection = Collection(search, target, chosen, report)
    try:
        description.load()(collection, chosen)
    except Cancelled:
        if not collection.sets:
            raise
        collection.is_complete = False
    return collection.result()
