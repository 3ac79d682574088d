"""What imputation draws from: posterior laws of linear and multinomial regressions, and rows alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

# Rows that are predicted alike, of which one gives its value.
_DONORS = 5
# One over the variance that coefficients of standardised columns have before the data (Gelman, Jakulin,
# Pittau and Su 2008, A weakly informative default prior distribution for logistic and other regression
# models, Annals of Applied Statistics 2:1360-1383, with scale 2.5), and that of the constant.
_PRIOR, _PRIOR_OF_CONSTANT = 0.16, 0.01
_NEWTON_STEPS, _SETTLED = 12, 1e-3


def drawn_linear(
    outcome: np.ndarray, design: np.ndarray, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the coefficients of a linear regression from their posterior law.

    Parameters
    ----------
    outcome : ndarray of float64, shape (rows,)
    design : ndarray of float64, shape (columns, rows)
        The first is the constant.
    random : numpy.random.Generator

    Returns
    -------
    expected, drawn : ndarray of float64, shape (columns,)
        The mean of that law, and one draw.
    """
    factor = _factor(design @ design.T, _precisions(len(design)))
    expected = _solved(factor, design @ outcome)
    residuals = outcome - expected @ design
    dof = max(len(outcome) - len(design), 1)
    deviation = np.sqrt(residuals @ residuals / random.chisquare(dof))
    return expected, expected + deviation * _spread(factor, random)


def _factor(products: np.ndarray, precisions: np.ndarray) -> np.ndarray:
    """Return Cholesky's lower factor of products and what is known beforehand: LAPACK without ceremony."""
    from scipy.linalg.lapack import dpotrf

    products.flat[:: len(products) + 1] += precisions
    factor: np.ndarray = dpotrf(products, lower=1, overwrite_a=1)[0]
    return factor


def _solved(factor: np.ndarray, right: np.ndarray) -> np.ndarray:
    from scipy.linalg.lapack import dpotrs

    solved: np.ndarray = dpotrs(factor, right, lower=1)[0]
    return solved


def _spread(factor: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Draw coefficients of mean 0 whose precisions a factor has."""
    from scipy.linalg.lapack import dtrtrs

    drawn: np.ndarray = dtrtrs(factor, random.standard_normal(len(factor)), lower=1, trans=1)[0]
    return drawn


def _precisions(width: int) -> np.ndarray:
    return np.concatenate(([_PRIOR_OF_CONSTANT], np.full(width - 1, _PRIOR)))


def matched_rows(expected: np.ndarray, sought: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Find for each prediction one of the rows that are predicted nearest to it.

    Parameters
    ----------
    expected : ndarray of float64, shape (rows,)
        Predictions of rows that have a value.
    sought : ndarray of float64, shape (cells,)
    random : numpy.random.Generator

    Returns
    -------
    ndarray of int64, shape (cells,)

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> matched_rows(np.arange(100.0), np.array([50.2]), random)[0] in range(48, 53)
    True
    """
    order = np.argsort(expected, kind="stable")
    ascending = expected[order]
    donors = min(_DONORS, len(order))
    window = min(2 * donors, len(order))
    first = np.clip(np.searchsorted(ascending, sought) - donors, 0, len(order) - window)
    near = first[:, np.newaxis] + np.arange(window)
    distances = np.abs(ascending[near] - sought[:, np.newaxis])
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :donors]
    taken = nearest[np.arange(len(sought)), random.integers(0, donors, len(sought))]
    rows: np.ndarray = order[near[np.arange(len(sought)), taken]]
    return rows


def drawn_logistic(
    codes: np.ndarray,
    levels: int,
    design: np.ndarray,
    start: np.ndarray | None,
    random: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the coefficients of a multinomial regression around the mode of their posterior law.

    Parameters
    ----------
    codes : ndarray of int64, shape (rows,)
        Levels ``0 … levels - 1``.
    levels : int
    design : ndarray of float64, shape (columns, rows)
        The first is the constant.
    start : ndarray of float64, shape (levels - 1, columns), optional
        Coefficients near the mode.
    random : numpy.random.Generator

    Returns
    -------
    mode, drawn : ndarray of float64, shape (levels - 1, columns)
    """
    outcomes, width = levels - 1, len(design)
    observed = (codes == np.arange(1, levels)[:, np.newaxis]).astype(np.float64)
    prior = np.tile(_precisions(width), outcomes)
    mode = np.zeros((outcomes, width)) if start is None else start.copy()
    last, step = -np.inf, np.zeros_like(mode)
    for _ in range(_NEWTON_STEPS):
        probabilities, likelihood = _probabilities(mode @ design, codes)
        gained = likelihood - 0.5 * float(prior @ mode.ravel() ** 2)
        if gained < last - _SETTLED:
            step *= 0.5
            mode = mode - step
            continue
        last = gained
        gradient = (observed - probabilities) @ design.T
        factor = _factor(_information(probabilities, design), prior)
        ascent = gradient.ravel() - prior * mode.ravel()
        change = _solved(factor, ascent)
        step = change.reshape(mode.shape)
        mode = mode + step
        if change @ ascent < _SETTLED:
            break
    return mode, mode + _spread(factor, random).reshape(mode.shape)


def _probabilities(scores: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the probabilities of all levels but the first, and the log likelihood of codes."""
    largest = np.maximum(scores.max(axis=0), 0.0)
    powers = np.exp(scores - largest)
    total = np.exp(-largest) + powers.sum(axis=0)
    chosen = np.where(codes > 0, scores[codes - 1, np.arange(len(codes))], 0.0)
    return powers / total, float((chosen - largest - np.log(total)).sum())


def _information(probabilities: np.ndarray, design: np.ndarray) -> np.ndarray:
    outcomes, width = len(probabilities), len(design)
    information = np.empty((outcomes, width, outcomes, width))
    for one, other in _pairs(outcomes):
        weights = probabilities[one] * (float(one == other) - probabilities[other])
        information[one, :, other] = (design * weights) @ design.T
        information[other, :, one] = information[one, :, other]
    return information.reshape(outcomes * width, outcomes * width)


def _pairs(count: int) -> Iterator[tuple[int, int]]:
    return ((one, other) for one in range(count) for other in range(one + 1))


def drawn_levels(scores: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Draw levels by the scores of all but the first, of shape (levels - 1, cells).

    Examples
    --------
    >>> drawn_levels(np.array([[-50.0, 50.0]]), np.random.default_rng(0)).tolist()
    [0, 1]
    """
    largest = np.maximum(scores.max(axis=0), 0.0)
    powers = np.vstack((np.exp(-largest), np.exp(scores - largest)))
    reached = np.cumsum(powers, axis=0)
    chosen = random.random(scores.shape[1]) * reached[-1]
    levels: np.ndarray = (chosen >= reached).sum(axis=0)
    drawn: np.ndarray = np.minimum(levels, len(powers) - 1)
    return drawn
