"""How strong something hidden must be to explain a figure away.

VanderWeele and Ding (2017), Sensitivity analysis in observational research: introducing the E-value, Annals
of Internal Medicine 167:268-274.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

# Risk ratio that one standard deviation of a number stands for, as a logarithm (Table 2 of the paper).
_LOG_RATIO_PER_DEVIATION = 0.91


@dataclass(frozen=True, slots=True)
class EValue:
    """The E-value of a figure, and of the limit of its interval that is nearer to no effect.

    Something hidden that goes with the feature and with the label by rate ratios of at least so much each,
    beyond what was adjusted for, could explain the figure away; anything weaker could not.

    Attributes
    ----------
    estimate : float
        At least 1.
    limit : float
        At least 1; 1 where the interval holds no effect.
    """

    estimate: float
    limit: float


def of_rate_ratio(ratio: float, low: float, high: float) -> EValue:
    """Return the E-value of a ratio of rates, and of the limits of its interval.

    Parameters
    ----------
    ratio, low, high : float
        Above 0.

    Returns
    -------
    EValue

    Examples
    --------
    The example of the paper: breastfeeding and death by respiratory infection.

    >>> found = of_rate_ratio(3.9, 1.8, 8.7)
    >>> round(found.estimate, 1), round(found.limit, 1)
    (7.3, 3.0)
    """
    nearer = min(max(1.0, low), high)
    return EValue(_of_ratio(ratio), _of_ratio(nearer))


def of_mean_difference(difference: float, low: float, high: float, deviation: float) -> EValue:
    """Return the E-value of a difference of means, by the rate ratio that it is about as strong as.

    Parameters
    ----------
    difference, low, high : float
        In the unit of the label.
    deviation : float
        Standard deviation of the label, in the same unit; above 0.

    Returns
    -------
    EValue
    """
    # The paper takes 1.78 standard errors for limits that have 1.96 of them: 0.91 times as many.
    return of_rate_ratio(
        *(math.exp(_LOG_RATIO_PER_DEVIATION * each / deviation) for each in (difference, low, high))
    )


def _of_ratio(ratio: float) -> float:
    if not ratio > 0.0:
        return math.inf
    above = ratio if ratio >= 1.0 else 1.0 / ratio
    return above + math.sqrt(above * (above - 1.0)) if math.isfinite(above) else math.inf
