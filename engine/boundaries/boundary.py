"""What boundary searches find for one target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MarkovBoundary:
    """Markov boundary of one target: its neighbours and its spouses.

    Attributes
    ----------
    target : str
        The variable whose boundary it is.
    parents_children : tuple of str
        Direct causes and direct effects, strongest first.
    spouses : mapping of str to frozenset of str
        Other direct causes of direct effects, each with every connecting child.
    tests_made : int
        Conditional-independence tests that the search needed.
    undivided : tuple of str
        Members of which the algorithm does not tell whether they are neighbours or spouses.
    """

    target: str
    parents_children: tuple[str, ...]
    spouses: Mapping[str, frozenset[str]] = field(default_factory=dict)
    tests_made: int = 0
    undivided: tuple[str, ...] = ()

    @property
    def members(self) -> tuple[str, ...]:
        """All members: neighbours, then spouses, then those that are not told apart."""
        return self.parents_children + tuple(self.spouses) + self.undivided


@dataclass(frozen=True, slots=True)
class MarkovBoundaries:
    """Several Markov boundaries of one target: sets that tell the same about it, none larger than needed.

    Attributes
    ----------
    target : str
        The variable whose boundaries they are.
    boundaries : tuple of MarkovBoundary
        First found first; none contains another one.
    is_complete : bool
        No bound on number, searches or time, and no stop, ended the search before its own end.
    tests_made : int
        Conditional-independence tests that all of it needed, unsuccessful searches included.

    Examples
    --------
    >>> one = MarkovBoundary("T", ("A", "B"))
    >>> MarkovBoundaries("T", (one, MarkovBoundary("T", ("A", "C")))).members
    ('A', 'B', 'C')
    """

    target: str
    boundaries: tuple[MarkovBoundary, ...]
    is_complete: bool = True
    tests_made: int = 0

    @property
    def members(self) -> tuple[str, ...]:
        """Every variable that is in some boundary, each once."""
        return tuple(dict.fromkeys(name for each in self.boundaries for name in each.members))
