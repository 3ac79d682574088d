"""What is asked of workers that share no memory with this process, and what each label brings back."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field

from engine.boundaries.neighbourhoods import Ledger
from engine.boundaries.settings import DiscoverySettings
from engine.discovery.label_outcome import LabelOutcome
from engine.independence.data import TestData


@dataclass(frozen=True)
class SearchOrder:
    """Everything that a worker must know to search around any of the labels.

    Attributes
    ----------
    data : TestData
        What is tested.
    settings : DiscoverySettings
        How to search.
    labels : tuple of int
        Positions of all labels.
    token : str
        Names this run among all others.
    """

    data: TestData
    settings: DiscoverySettings
    labels: tuple[int, ...]
    token: str = field(default_factory=lambda: uuid.uuid4().hex)


@dataclass(frozen=True)
class FoundLabel:
    """What came of one label.

    Attributes
    ----------
    place : int
        Its place among the labels.
    outcome : LabelOutcome
    ledger : dict
        Tests of the screens and searches that it needed.
    seconds : float
        How long it took.
    """

    place: int
    outcome: LabelOutcome
    ledger: Ledger
    seconds: float


class Tally:
    """Adds the tests of labels up, those of one screen or search once, whoever made it."""

    def __init__(self) -> None:
        self._ledger: Ledger = {}
        self._tests = 0
        self._unreliable = 0

    def add(self, ledger: Ledger) -> None:
        """Take in what a label needed."""
        for key in ledger.keys() - self._ledger.keys():
            self._ledger[key] = ledger[key]
            self._tests += ledger[key][0]
            self._unreliable += ledger[key][1]

    @property
    def total(self) -> tuple[int, int]:
        """Tests, and the unreliable ones among them."""
        return self._tests, self._unreliable
