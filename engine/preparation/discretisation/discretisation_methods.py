"""Every way to cut numbers into bins, in the order in which they are offered."""

from __future__ import annotations

from engine.parameters import Choice
from engine.preparation.discretisation.mdl import JOINT_MDL, MDL
from engine.preparation.discretisation.method import DiscretisationMethod
from engine.preparation.discretisation.unsupervised import MEAN, MEDIAN, QUANTILE, WIDTH

LEAVE_CONTINUOUS = "none"

_METHODS = (QUANTILE, MEDIAN, MEAN, WIDTH, MDL, JOINT_MDL)


def discretisation_methods() -> dict[str, DiscretisationMethod]:
    """Return every method by name."""
    return {method.name: method for method in _METHODS}


def discretisation_choices() -> tuple[Choice, ...]:
    """Return not cutting at all, and the methods, as choices of a setting."""
    methods = tuple(Choice(method.name, method.title, method.help) for method in _METHODS)
    stay = Choice(
        LEAVE_CONTINUOUS,
        "Leave continuous",
        "Numbers stay numbers. For a test of categories the search cuts them, and says what that costs.",
    )
    return (stay, *methods)
