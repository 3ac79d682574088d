"""From a table and the settings of a run to the data that its tests work on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.boundaries.settings import DiscoverySettings
    from engine.independence.data import TestData
    from engine.table.dataset import Dataset


def arranged(dataset: Dataset, settings: DiscoverySettings) -> TestData:
    """Arrange a table for the test that the settings name.

    Raises
    ------
    InvalidData
        When a column does not suit the test.
    """
    from engine.independence.arranging import make_test_data

    return make_test_data(dataset, settings.test, **settings.test_options())
