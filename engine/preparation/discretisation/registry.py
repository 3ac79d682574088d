"""Every way to cut numbers into bins, in the order in which they are offered."""

from __future__ import annotations

from engine.parameters import Choice
from engine.preparation.discretisation import mdl, mdl_joint, mean, median, quantile, width
from engine.preparation.discretisation.method import DiscretisationMethod

LEAVE_CONTINUOUS = "none"

_METHODS = (quantile.METHOD, median.METHOD, mean.METHOD, width.METHOD, mdl.METHOD, mdl_joint.METHOD)


def discretisation_methods() -> dict[str, DiscretisationMethod]:
    """Give every method by name.

    Examples
    --------
    >>> discretisation_methods()["mdl"].uses_labels
    True
    """
    return {method.name: method for method in _METHODS}


def discretisation_choices() -> tuple[Choice, ...]:
    """Give not cutting at all, and the methods, as choices of a setting."""
    methods = tuple(Choice(method.name, method.title, method.help) for method in _METHODS)
    stay = Choice(
        LEAVE_CONTINUOUS,
        "Leave continuous",
        "Numbers stay numbers. For a test of categories the search cuts them, and says what that costs.",
    )
    return (stay, *methods)
