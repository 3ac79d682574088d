"""Which two values of a number are compared: its quartiles, or quantiles that suit the shape of the curve.

Quartiles say little where a curve is flat between them and falls or rises beyond, or where it turns back:
less than a straight line over the same span would say. Then the first of a few fixed pairs of quantiles is
compared that tells half of what the curve spans, or else the one that tells most. Only which pair counts is
looked up in the data; the interval of such a comparison is corrected for the choice (Bonferroni: confidence
1 − (1 − confidence) / number of pairs).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.discovery.effects.design import Pair, weighted_quantiles
from engine.discovery.effects.estimates import Sign
from engine.discovery.effects.measuring import measurement_of

QUARTILES = (0.25, 0.75)
OTHER_PAIRS = ((0.10, 0.90), (0.05, 0.95), (0.10, 0.50), (0.50, 0.90), (0.05, 0.50), (0.50, 0.95))
# Quartiles suit a curve of which they tell this share of what a straight line over its span would tell.
_SHARE_OF_LINE = 0.7
# Other quantiles suit one of whose span they tell this share.
_SHARE_OF_SPAN = 0.5
# So many rows lie beyond a quantile that is compared.
_ROWS_BEYOND = 10.0


def suited(pair: Pair) -> Pair:
    """Return the pair with the values that are compared, where these are not the quartiles.

    The choice is made by the association, so that all estimands compare the same values.
    """
    if pair.curve is not None or not pair.is_number:
        return pair
    measurement = measurement_of(replace(pair, curve=pair.places_on_curve))
    if measurement.sign is Sign.UNCLEAR:
        return pair
    rows, first, last = measurement.rows, *pair.places_on_curve[:2]
    allowed = [each for each in OTHER_PAIRS if _beyond(each) * rows.worth >= _ROWS_BEYOND]
    values = np.array(
        [weighted_quantiles(measurement.values, rows.shares, each) for each in (QUARTILES, *allowed)]
    )
    if values[0, 0] >= values[0, 1] or not allowed:
        return pair
    curve = measurement.curve_at(np.linspace(first, last, _POINTS))
    widest = int(np.ptp(curve, axis=0).argmax())
    span = float(np.ptp(curve[:, widest]))
    ends = measurement.curve_at(values.ravel())[:, widest].reshape(values.shape)
    told = np.abs(ends[:, 1] - ends[:, 0])
    by_straight_line = span * (values[0, 1] - values[0, 0]) / (last - first)
    if told[0] >= _SHARE_OF_LINE * by_straight_line:
        return pair
    enough = np.flatnonzero(told[1:] >= _SHARE_OF_SPAN * span)
    best = 1 + int(enough[0] if len(enough) else told[1:].argmax())
    chosen = (float(values[best, 0]), float(values[best, 1]))
    return replace(pair, curve=(first, last, *chosen), quantiles=allowed[best - 1], pairs_tried=len(values))


_POINTS = 41


def _beyond(shares: tuple[float, float]) -> float:
    return min(shares[0], 1.0 - shares[1])
