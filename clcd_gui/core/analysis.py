"""Everything that a run depends on, as one value that never changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from engine.boundaries.settings import DiscoverySettings
from engine.preparation.settings import PreparationSettings
from engine.table.dataset import Dataset
from engine.table.variable import Role


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A table with its roles, and how it is prepared and searched.

    Attributes
    ----------
    dataset : Dataset
        The table as read, with the roles and kinds that the person gave.
    preparation : PreparationSettings
    discovery : DiscoverySettings
    """

    dataset: Dataset
    preparation: PreparationSettings
    discovery: DiscoverySettings

    @classmethod
    def of(cls, dataset: Dataset) -> Analysis:
        """Begin with the default settings."""
        return cls(dataset, PreparationSettings(), DiscoverySettings())

    def with_roles(self, names: Iterable[str], role: Role) -> Analysis:
        """Give some variables a role."""
        return replace(self, dataset=self.dataset.with_roles(dict.fromkeys(names, role)))

    def with_labels(self, names: Iterable[str]) -> Analysis:
        """Make exactly these variables the labels."""
        return replace(self, dataset=self.dataset.with_labels(names))

    def with_settings(
        self, preparation: dict[str, Any] | None = None, discovery: dict[str, Any] | None = None
    ) -> Analysis:
        """Change some settings.

        Raises
        ------
        InvalidParameter
            When a value is impossible.
        """
        return replace(
            self,
            preparation=replace(self.preparation, **(preparation or {})),
            discovery=replace(self.discovery, **(discovery or {})),
        )

    def is_same_as(self, other: Analysis) -> bool:
        """Tell whether a run would give the same result, whoever does the work."""
        return (
            self.dataset.variables == other.dataset.variables
            and all(
                mine is its for mine, its in zip(self.dataset.columns, other.dataset.columns, strict=True)
            )
            and self.preparation == other.preparation
            and self.discovery.decisive() == other.discovery.decisive()
        )
