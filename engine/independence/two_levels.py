"""Probabilities of two levels at given scores, and their likelihood: what a logistic regression asks most.

A library's exponentials and logarithms were half of the time of a fit. Here the processor makes several
exponentials at once, and takes one logarithm of a product in place of many.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.decorators import counting_kernel, merged_part, summing_part

# A product of so many numbers between 1 and 2 is no number too large.
_ROWS_AT_ONCE = 512
# Below this an exponential is all but 0, and no number of full precision.
_LOWEST = -708.0
# The logarithm of 2, as a number with zeros at its end, so that whole multiples are exact, and the rest.
_LOG_OF_2, _LOG_OF_2_REST = 0.6931471803691238, 1.9082149292705877e-10
_PER_LOG_OF_2 = 1.0 / math.log(2.0)
# Of so many terms of the series, each is the one before, times the number over its place.
_TERMS = 13
_ONE_OVER = np.concatenate(([0.0], 1.0 / np.arange(1.0, _TERMS + 1.0)))
# A number of double precision has its exponent, and this much more, beyond so many bits.
_EXPONENT_MORE, _EXPONENT_BITS = np.int64(1023), np.int64(52)


@counting_kernel
def fill_probabilities(scores: np.ndarray, is_second: np.ndarray, probabilities: np.ndarray) -> float:
    """Write the probability of the second of two levels of each row; give the log likelihood.

    Parameters
    ----------
    scores : ndarray of float64, shape (rows,)
        Logarithms of the odds of the second level.
    is_second : ndarray of float64, shape (rows,)
        Whether that is the level of the row, or how much of it.
    probabilities : ndarray of float64, shape (rows,)
        Where to write.
    """
    log_likelihood = 0.0
    for begin in range(0, scores.shape[0], _ROWS_AT_ONCE):
        end = min(begin + _ROWS_AT_ONCE, scores.shape[0])
        gained, inverse = _fill_some(scores[begin:end], is_second[begin:end], probabilities[begin:end])
        log_likelihood += gained - math.log(inverse)
    return log_likelihood


@summing_part
def _fill_some(scores: np.ndarray, is_second: np.ndarray, probabilities: np.ndarray) -> Any:
    """Do so with a few rows.

    Returns
    -------
    gained, inverse : float
        Of the likelihood as the product of exponentials of scores, and of what these are divided by.
    """
    gained, inverse = 0.0, 1.0
    for row in range(scores.shape[0]):
        score = scores[row]
        # Of the less likely level beside the other one.
        odds = _exponential(-abs(score))
        gained += is_second[row] * score - max(score, 0.0)
        inverse *= 1.0 + odds
        probabilities[row] = (1.0 if score > 0.0 else odds) / (1.0 + odds)
    return gained, inverse


@merged_part
def _exponential(exponent: float) -> float:
    """Return the exponential of a number that is not positive.

    It is a power of 2, times the exponential of a number so near to 0 that the terms of its series that are
    left out are below the precision.
    """
    exponent = max(exponent, _LOWEST)
    power = np.floor(exponent * _PER_LOG_OF_2 + 0.5)
    left = exponent - power * _LOG_OF_2 - power * _LOG_OF_2_REST
    series = 1.0
    for place in range(_TERMS, 0, -1):
        series = 1.0 + left * series * _ONE_OVER[place]
    bits = (np.int64(power) + _EXPONENT_MORE) << _EXPONENT_BITS
    exponential: float = series * np.int64(bits).view(np.float64)
    return exponential
