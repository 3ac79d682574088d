"""What is asked of a search: one value for window, terminal, Python and workers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.boundaries.discovery_settings import DiscoverySettings, check_time_order
from engine.discovery.row_split import RowSplit
from engine.knowledge.knowledge import Knowledge
from engine.parameters import require_type
from engine.table.dataset import Dataset


@dataclass(frozen=True)
class SearchRequest:
    """What is searched for, in any table; where it is searched and who is told of it stand beside it."""

    settings: DiscoverySettings = field(default_factory=DiscoverySettings)
    knowledge: Knowledge | None = None
    split: RowSplit | None = None  # which part of the rows is searched, if not all
    directions: bool = True  # tell causes from effects too
    is_part: bool = False  # of another table, in which columns that reflect one thing were looked for

    def __post_init__(self) -> None:
        """Check what is asked before any table is touched."""
        require_type(self.settings, DiscoverySettings, "settings")
        if self.knowledge is not None:
            require_type(self.knowledge, Knowledge, "knowledge")
        if self.split is not None:
            require_type(self.split, RowSplit, "split")
        check_time_order(self.settings, self.knowledge)

    def searched_rows(self, dataset: Dataset) -> Dataset:
        """Return the rows of a table in which findings are sought."""
        return dataset if self.split is None else self.split.searched(dataset, self.settings.row_weights)

    def for_columns(self, names: Iterable[str]) -> SearchRequest:
        """Return the request with what is known of some columns alone."""
        known = None if self.knowledge is None else self.knowledge.restricted_to(names)
        return replace(self, knowledge=known)

    def for_table(self, dataset: Dataset) -> SearchRequest:
        """Return the request with the significance level that a table gets, where it is automatic."""
        return replace(self, settings=self.settings.for_table(dataset))
