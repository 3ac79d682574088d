"""What share of the information in one set of variables another one misses, and the most that it may be.

S misses of what Z tells about X the part I(X;Z|S) / I(X;Z). A test statistic says that much of each: its
noncentrality is twice the information times the rows, and the statistic less its degrees of freedom estimates
it without bias. So the share and a confidence limit follow from statistics of any test.

The limit of the missed information is that of Read (2002), Presentation of search results: the CLs
technique, Journal of Physics G 28:2693-2704: the noncentrality at which a statistic as small as the observed
one is α times as probable as without any dependence. Unlike the usual limit it never falls to 0 because the
statistic happens to be small, or because no stratum of the table is left with something to test. The limit of
the quotient puts it together with the uncertainty of what is told at all (Donner and Zou 2012, Closed-form
confidence intervals for functions of the normal mean and standard deviation, Statistical Methods in Medical
Research 21:347-359).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.discovery.verdict import MissedShare


class Strength(NamedTuple):
    """Chi-squared statistics of tests, as arrays of shape (tests,).

    Attributes
    ----------
    statistic, dof : ndarray of float64
        Chi-squared statistics and their degrees of freedom.
    observations : ndarray of float64
        What the rows are worth that each test rests on.
    """

    statistic: np.ndarray
    dof: np.ndarray
    observations: np.ndarray


def missed_shares(left_over: Strength, told: Strength, alpha: float) -> list[MissedShare]:
    """Estimate what share of the information each pair of tests says is missed, and bound it.

    Parameters
    ----------
    left_over : Strength
        Tests of a target and a set given the other set: what the other set misses.
    told : Strength
        Tests of the target and the same set with nothing held fixed: what could be missed.
    alpha : float
        A limit is exceeded by the true share with at most this probability. The smaller, the larger the
        limit.

    Returns
    -------
    list of MissedShare

    Examples
    --------
    >>> rows = np.array([1000.0])
    >>> left_over = Strength(np.array([3.0]), np.array([2.0]), rows)
    >>> told = Strength(np.array([301.0]), np.array([1.0]), rows)
    >>> [(share,)] = [missed_shares(left_over, told, 0.05)]
    >>> round(share.estimate, 4), round(share.limit, 4)
    (0.0033, 0.0366)
    """
    missed = np.maximum(left_over.statistic - left_over.dof, 0.0)
    whole = np.maximum(told.statistic - told.dof, 0.0)
    most = np.maximum(most_noncentrality(left_over.statistic, left_over.dof, alpha), missed)
    least = np.minimum(_least_noncentrality(told.statistic, told.dof, alpha), whole)
    per_row = told.observations / np.maximum(left_over.observations, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.where(whole > 0.0, missed / whole, np.inf) * per_row
        squared = least * (2.0 * whole - least)
        product = missed * whole
        limit = (product + np.sqrt(product**2 + most * (most - 2.0 * missed) * squared)) / squared * per_row
    limit = np.where(squared > 0.0, limit, np.inf)
    return [MissedShare(*each) for each in zip(estimate.tolist(), limit.tolist(), strict=True)]


def most_noncentrality(statistic: np.ndarray, dof: np.ndarray, alpha: float) -> np.ndarray:
    """Give upper confidence limits of the noncentrality of chi-squared statistics.

    Parameters
    ----------
    statistic, dof : ndarray of float64, shape (tests,)
        Statistics and degrees of freedom; both may be 0.
    alpha : float
        Level.

    Returns
    -------
    ndarray of float64, shape (tests,)
        At least -2 ln α, which is the limit where the statistic is 0.

    Examples
    --------
    >>> most_noncentrality(np.array([0.0, 2.0]), np.array([0.0, 2.0]), 0.05).round(2)
    array([5.99, 9.15])
    """
    from scipy.special import chndtrinc, gammainc

    smallest = np.full(len(statistic), -2.0 * np.log(alpha))
    central = np.where(dof > 0.0, gammainc(np.maximum(dof, 1e-9) / 2.0, statistic / 2.0), 0.0)
    limit = chndtrinc(statistic, np.maximum(dof, 1e-9), alpha * central)
    # Where the statistic is next to nothing, the probability underflows.
    bounded: np.ndarray = np.fmax(np.where(central > 0.0, limit, smallest), smallest)
    return bounded


def _least_noncentrality(statistic: np.ndarray, dof: np.ndarray, alpha: float) -> np.ndarray:
    """Give lower confidence limits of the noncentrality of chi-squared statistics; 0 where there is none."""
    from scipy.special import chndtr, chndtrinc

    positive = np.maximum(dof, 1e-9)
    bounded = chndtr(statistic, positive, 0.0) > 1.0 - alpha
    return np.where(bounded & (dof > 0.0), np.nan_to_num(chndtrinc(statistic, positive, 1.0 - alpha)), 0.0)
