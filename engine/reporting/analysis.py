"""Everything that an export may speak of: the findings, how the table was made ready, the table itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.preparation.settings import PreparationSettings
    from engine.table.dataset import Dataset


@dataclass(frozen=True, eq=False)
class Analysis:
    """A result, and what it does not hold itself.

    Attributes
    ----------
    result : DiscoveryResult
        What was found.
    preparation : PreparationSettings, optional
        How the table was made ready; left out of the files when it is not known.
    source : Dataset, optional
        The table as it was read, whose values go into data files; without it the prepared table's do.
    """

    result: DiscoveryResult
    preparation: PreparationSettings | None = None
    source: Dataset | None = None

    @property
    def title(self) -> str:
        """What the table is called."""
        return self.result.dataset.name or "unnamed table"

    @property
    def table(self) -> Dataset:
        """The table whose values go into data files."""
        return self.source or self.result.dataset
