"""The settings under which every method is measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from engine.boundaries.settings import AS_PUBLISHED, DiscoverySettings


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to set tests and level, the same for all methods.

    Attributes
    ----------
    name : str
        What it is called in the terminal and in files.
    title : str
        What it is called in words.
    help : str
        One sentence that says what is set.
    settings : DiscoverySettings
        The settings; each method puts its own algorithm in place.
    """

    name: str
    title: str
    help: str
    settings: DiscoverySettings


@cache
def variants() -> Mapping[str, Variant]:
    """Give every variant by name, in the order in which they are shown.

    Examples
    --------
    >>> variants()["as-published"].settings.alpha
    0.05
    """
    default = DiscoverySettings()
    published = DiscoverySettings(
        algorithm="hiton-mb",
        test="g2",
        alpha=0.05,
        false_discovery="none",
        procedure=AS_PUBLISHED,
        max_conditioning=3,
        max_equivalence=1,
    )
    found = (
        Variant(
            "default",
            "Default settings",
            "What the program does when nothing is changed, for every method alike.",
            default,
        ),
        Variant(
            "as-published",
            "As published",
            "G² at the plain level of 0.05 with conditioning sets of up to 3, and CLCD on HITON-MB.",
            published,
        ),
    )
    return MappingProxyType({each.name: each for each in found})
