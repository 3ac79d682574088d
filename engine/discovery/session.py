"""One table searched again and again: whatever does not depend on what was changed is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.boundaries.discovery_settings import DiscoverySettings, arranged
from engine.discovery.discover import (
    PREPARING,
    SearchRequest,
    check_searchable,
    search_data,
    suited_table,
    with_notes_on_made,
)
from engine.execution.remembering import BoundedMemory
from engine.parameters import require_type, watched
from engine.preparation.dependence import with_notes_on_dependent_rows
from engine.progress import Progress, ProgressEvent
from engine.table.dataset import Dataset
from engine.translation import _
from engine.wording.sentences import MAKE_A_DATASET

if TYPE_CHECKING:
    from engine.boundaries.neighbourhoods import Marginals
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.row_split import RowSplit
    from engine.independence.data import TestData
    from engine.knowledge.knowledge import Knowledge

_Key = tuple[tuple[str, Any], ...]
_Asked = tuple[DiscoverySettings, "Knowledge | None", "RowSplit | None"]
_Arrangement = tuple["Dataset", "TestData", "Marginals"]

_MOST_ARRANGEMENTS = 2
_MOST_BYTES_OF_MARGINALS = 64e6
# Reasons and equivalences; each takes up about two kilobytes with its tests.
_MOST_FINDINGS = 50_000


class DiscoverySession:
    """Repeated search of one table with different settings.

    A session keeps, within bounds, the arranged table, the marginal tests and whole results. So later
    searches are faster. Several threads can use a session at once.

    Parameters
    ----------
    dataset : Dataset
        A prepared table (see :func:`engine.prepare`).

    Raises
    ------
    InvalidData
        If there is no label, no feature or no row.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> session = engine.DiscoverySession(network.dataset)
    >>> strict = session.discover(engine.DiscoverySettings(alpha=0.001))
    >>> lenient = session.discover(engine.DiscoverySettings(alpha=0.05))
    >>> strict.tests_made <= lenient.tests_made
    True
    """

    def __init__(self, dataset: Dataset) -> None:
        require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
        check_searchable(dataset)
        self._given = dataset
        self.dataset = with_notes_on_dependent_rows(dataset)
        self._arrangements: BoundedMemory[_Key, _Arrangement] = BoundedMemory(_MOST_ARRANGEMENTS)
        self._results: BoundedMemory[_Asked, DiscoveryResult] = BoundedMemory(_MOST_FINDINGS, _findings_in)

    def __reduce__(self) -> tuple[type[DiscoverySession], tuple[Dataset]]:
        """Pickle the table alone: what is remembered is found again."""
        return DiscoverySession, (self.dataset,)

    def discover(
        self,
        settings: DiscoverySettings | None = None,
        progress: Progress | None = None,
        knowledge: Knowledge | None = None,
        split: RowSplit | None = None,
    ) -> DiscoveryResult:
        """Find the common and the label-specific causal variables.

        Parameters
        ----------
        settings : DiscoverySettings, optional
            How to search; the defaults when left out.
        progress : Progress, optional
            Told how far the run is, and asked whether to stop.
        knowledge : Knowledge, optional
            What is known of causes and effects.
        split : RowSplit, optional
            Search in a part of the rows, and leave the others for measuring; all when left out.

        Returns
        -------
        DiscoveryResult
            The one that :func:`engine.discover` gives, sooner. Of a result that was kept, ``seconds`` say how
            long the search took when it was made.

        Raises
        ------
        InvalidData
            When a column does not suit the test, or too few rows are left in a part of them.
        InvalidParameter
            When `knowledge` names variables that the table does not have, or has no tiers where the settings
            ask for a time order.
        """
        settings = settings or DiscoverySettings()
        result = self.remembered(settings, knowledge, split)
        if result is None:
            result = self._search(settings, watched(progress), knowledge, split)
            if not result.is_partial:
                self._results.put((settings.decisive(), knowledge, split), result)
        return result

    def remembered(
        self,
        settings: DiscoverySettings,
        knowledge: Knowledge | None = None,
        split: RowSplit | None = None,
    ) -> DiscoveryResult | None:
        """Return a result that is known already, at once; None when it has to be searched for."""
        result = self._results.get((settings.decisive(), knowledge, split))
        if result is None:
            return None
        if settings.automatic_alpha:
            settings = replace(settings, alpha=result.settings.alpha)
        return result if result.settings == settings else replace(result, settings=settings)

    def at_levels(
        self,
        settings: DiscoverySettings,
        knowledge: Knowledge | None = None,
        split: RowSplit | None = None,
    ) -> dict[float, DiscoveryResult]:
        """Return what is known already at any level, with all else as asked, by level; nothing is searched.

        Parameters
        ----------
        settings : DiscoverySettings
            Its level makes no difference, and each result has settings of its own.
        knowledge, split
            As of :meth:`discover`.
        """
        any_level = {"alpha": None, "automatic_alpha": None}
        wanted = settings.decisive().as_dict() | any_level
        return {
            result.settings.alpha: result
            for (used_settings, used_knowledge, part), result in self._results.items()
            if (used_knowledge, part) == (knowledge, split) and used_settings.as_dict() | any_level == wanted
        }

    def _search(
        self,
        settings: DiscoverySettings,
        progress: Progress,
        knowledge: Knowledge | None,
        split: RowSplit | None,
    ) -> DiscoveryResult:
        request = SearchRequest(settings, knowledge, split)
        if knowledge is not None:
            knowledge.check_names(self.dataset.names)
        progress.report(ProgressEvent(_(PREPARING), 0, 1))
        if settings.automatic_alpha:
            request = request.for_table(self._searched(request))
        dataset, data, marginals = self._arranged(request)
        result = search_data(data, dataset, request, progress, marginals=marginals)
        return with_notes_on_made(result, self._given)

    def _arranged(self, request: SearchRequest) -> _Arrangement:
        from engine.boundaries.neighbourhoods import Marginals

        settings = request.settings
        key = (("split", request.split), ("test", settings.test), *settings.test_options().items())
        arrangement = self._arrangements.get(key)
        if arrangement is None:
            dataset = suited_table(self._searched(request), settings.test)
            arrangement = dataset, arranged(dataset, settings), Marginals(_MOST_BYTES_OF_MARGINALS)
            self._arrangements.put(key, arrangement)
        dataset, data, marginals = arrangement
        tested = data.at_level(settings.alpha)
        if tested.table is not data.table:
            # A test that sees other variables beside the tested ones at another level has other results.
            marginals = Marginals(_MOST_BYTES_OF_MARGINALS)
            self._arrangements.put(key, (dataset, tested, marginals))
        return dataset, tested, marginals

    def _searched(self, request: SearchRequest) -> Dataset:
        part = request.searched_rows(self.dataset)
        check_searchable(part)
        return part


def _findings_in(result: DiscoveryResult) -> float:
    reasons = sum(len(evidence) for evidence in result.evidence.values())
    return 1.0 + reasons + len(result.equivalence_records) + len(result.orientation_records)
