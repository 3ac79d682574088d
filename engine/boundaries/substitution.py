"""Whether one set of variables tells as much about a target as another that is known to tell everything.

By contraction, a set tells everything when the target is independent, given it, of what it lacks of a
set that does (Pearl 1988, Probabilistic Reasoning in Intelligent Systems, section 3.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.boundaries.separators import separation
from engine.independence.joint import ask_joint, chain

if TYPE_CHECKING:
    from engine.boundaries.neighbourhoods import Neighbourhoods

# With fewer rows per degree of freedom the chi-squared distribution no longer holds (as in CausalFS and
# Causal Explorer), and nearly everything passes for independent.
_ROWS_PER_DOF = 5


def can_stand_in(
    search: Neighbourhoods, target: int, found: frozenset[int], known: frozenset[int]
) -> tuple[bool, int]:
    """Tell whether a set of variables can stand in for a Markov boundary that is known.

    Where the rows suffice, the target is tested against all that the set lacks at once, given the set.
    Elsewhere that test answers nothing; each lacking variable must then be separated from the target by some
    of the set, up to the conditioning size, as in the search that left it out.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    target : int
        Position of the target.
    found, known : frozenset of int
        Positions of the members of the set, and of the known boundary.

    Returns
    -------
    stands_in : bool
    tests : int
        Tests made.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    lacking, given = tuple(sorted(known - found)), tuple(sorted(found))
    if not lacking:
        return True, 0
    if _rows_suffice(search, target, lacking, given):
        joint = ask_joint(search.data, [(target, lacking, given)], search.stop)
        search.check_stop()
        return bool(joint.independent[0]), len(lacking)
    tests = 0
    for variable in lacking:
        looked_for = separation(
            search.data, target, variable, given, search.settings.max_conditioning, search.stop
        )
        tests += looked_for.tests
        if not looked_for.is_found:
            return False, tests
    return True, tests


def _rows_suffice(
    search: Neighbourhoods, target: int, lacking: tuple[int, ...], given: tuple[int, ...]
) -> bool:
    """Tell whether a joint test has enough rows; what has no levels costs a row a variable."""
    data = search.data
    dof = sum(data.nominal_dof(*link) for link in chain((target, lacking, given)))
    return data.observations >= _ROWS_PER_DOF * dof + len(given) + len(lacking)
