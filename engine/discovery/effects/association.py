"""Association: how a label goes with a feature, and how it does while the rest of its boundary is held.

Without anything held, what goes along with the feature is in the figures too. Adjusted, what is held keeps
the distribution that it has in the population, as in direct standardisation of rates: this says what the
feature tells beside all others. Held are effects of the label too, so that neither is the effect of changing
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.discovery.effects.estimates import Estimand, Size
from engine.discovery.effects.measuring import CONFIDENCE, Pair, measure
from engine.table.row_weights import SAMPLING

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.table.dataset import Dataset


def association(
    dataset: Dataset,
    feature: str,
    label: str,
    *,
    row_weights: str = SAMPLING,
    confidence: float = CONFIDENCE,
) -> Size:
    """Measure how a label goes with a feature.

    Rates of the label, or means of a number, by level of the feature, or along a smooth curve of its values,
    and how they compare. Nothing is held fixed: what goes along with the feature is in these figures too.

    Parameters
    ----------
    dataset : Dataset
        Rows that miss one of the two values are left out.
    feature, label : str
        Names of two columns.
    row_weights : str
        What a weight column says, where there is one: ``"sampling"`` or ``"counts"``.
    confidence : float
        Share of the intervals that shall hold the truth.

    Returns
    -------
    Size

    Raises
    ------
    InvalidParameter
        When no column has a name.
    InvalidData
        When no row has both values.

    Examples
    --------
    >>> import engine
    >>> table = engine.simulate(labels=2, features=8, rows=500, seed=0, variables="numbers").dataset
    >>> size = association(table, "F1", "L1")
    >>> size.is_curve, [str(each.measure) for each in size.contrasts]
    (True, ['rate difference', 'rate ratio', 'odds ratio'])
    """
    return measure(Pair(dataset, feature, label, row_weights, confidence), Estimand.ASSOCIATION)


def adjusted_association(
    dataset: Dataset,
    feature: str,
    label: str,
    held: Sequence[str],
    *,
    acting: Iterable[tuple[str, str]] = (),
    row_weights: str = SAMPLING,
    confidence: float = CONFIDENCE,
) -> Size:
    """Measure how a label goes with a feature while other variables are held as they are in the population.

    A regression of the label (logistic, multinomial or linear, with smooth curves of numbers) is averaged
    over the rows, with the feature at each of its levels or values in turn.

    Parameters
    ----------
    dataset : Dataset
        Rows that miss a value of any of these variables are left out.
    feature, label : str
    held : sequence of str
        What is held, what matters most first: where rows are too few for so many coefficients the last are
        left out, and the size says so.
    acting : iterable of (str, str)
        Pairs of the variables that act together, and enter with their products too.
    row_weights : str
        What a weight column says, where there is one: ``"sampling"`` or ``"counts"``.
    confidence : float
        Share of the intervals that shall hold the truth.

    Returns
    -------
    Size

    Raises
    ------
    InvalidParameter
        When no column has a name.
    InvalidData
        When no row has all values.

    Examples
    --------
    >>> import engine
    >>> table = engine.simulate(labels=2, features=8, rows=500, seed=0, variables="numbers").dataset
    >>> adjusted_association(table, "F1", "L1", ["F2", "F3"]).adjusted_for
    ('F2', 'F3')
    """
    pair = Pair(dataset, feature, label, row_weights, confidence)
    return measure(pair, Estimand.ADJUSTED, tuple(held), tuple(acting))


def rest_of_boundary(
    result: DiscoveryResult, feature: str, label: str
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return what is held when a finding is adjusted: the label's boundary without the feature.

    Parameters
    ----------
    result : DiscoveryResult
    feature, label : str

    Returns
    -------
    held : tuple of str
        Neighbours, strongest first, then spouses. Where the feature stands in for members, these are not
        held: they tell the same.
    acting : tuple of (str, str)
        Spouses with the shared effects through which they are linked to the label.
    """
    boundary = result.boundaries[label]
    instead = {name for reason in result.reasons(feature, label) for name in reason.partner}
    held = tuple(name for name in boundary.members if name != feature and name not in instead)
    acting = tuple(
        (spouse, child) for spouse, children in boundary.spouses.items() for child in sorted(children)
    )
    return held, acting
