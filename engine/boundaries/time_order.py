"""The time order that a person gave, where it may steer the search.

Without the setting *Time order*, background knowledge settles directions alone. With it, the search around a
variable is made among what is not later than it, and no test conditions on what is later than both its
variables. A variable that stands in no tier is never later than another, nor earlier. What is later than a
label is then in no boundary of it, and no spouse is sought behind it: in the graph, the boundary is that of
the label where what is later is marginalised. Nothing that is later than a label is a cause of it, so that
dependence is lost that comes of conditioning on a common effect, and hardly any is gained.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import InvalidParameter
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from engine.boundaries.discovery_settings import DiscoverySettings
    from engine.independence.data import TestData
    from engine.knowledge.knowledge import Knowledge


def check_time_order(settings: DiscoverySettings, knowledge: Knowledge | None) -> None:
    """Refuse to search in time order where no tiers are given."""
    if settings.time_order and (knowledge is None or not knowledge.tiers):
        raise InvalidParameter(
            "no tiers are given, so there is no time order to search in.",
            place=the_setting("time_order"),
            remedy="Give background knowledge with tiers, or switch the setting off.",
        )


def in_time_order(data: TestData, settings: DiscoverySettings, knowledge: Knowledge | None) -> TestData:
    """Return data whose tests follow the time order, where the settings ask for it."""
    if not settings.time_order or knowledge is None or not knowledge.has_order:
        return data
    tiers = np.zeros(len(data.names), dtype=np.int64)
    for number, tier in enumerate(knowledge.tiers, 1):
        tiers[[data.positions[name] for name in tier if name in data.positions]] = number
    return replace(data, tiers=tiers)
