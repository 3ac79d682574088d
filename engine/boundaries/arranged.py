"""From a table and the settings of a run to the data that its tests work on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.dataset import Dataset
    from engine.discovery.settings import DiscoverySettings
    from engine.independence.data import TestData


def arranged(dataset: Dataset, settings: DiscoverySettings) -> TestData:
    """Arrange a table for the test that the settings name.

    Raises
    ------
    InvalidData
        When a column does not suit the test.
    """
    from engine.independence.data import make_test_data

    return make_test_data(
        dataset,
        settings.test,
        alpha=settings.alpha,
        dof=settings.dof,
        min_rows_per_dof=settings.min_rows_per_dof,
        min_rows_per_cell=settings.min_rows_per_cell,
        row_weights=settings.row_weights,
        permutations=settings.permutations,
        permutation_seed=settings.permutation_seed,
    )
