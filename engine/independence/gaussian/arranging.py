"""Fisher's z: which kind of table suits the numbers, complete or not, with weights or without."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.independence.arranging import TestColumns, numbers_of
from engine.independence.gaussian.data import GaussianData, IncompleteGaussianData, critical_z
from engine.independence.options import TestOptions
from engine.independence.tails import bounded, check_tails, normal_scores
from engine.table.variable import Role


def arrange(columns: TestColumns, options: TestOptions) -> GaussianData:
    """Arrange numbers, and categories with two levels, for Fisher's z."""
    values = bounded(numbers_of(columns))
    remedy = "Use the test 'fisher-z-rank' or 'basis', or set them to ignored."
    _check_tails(columns, values, remedy, options)
    return _arranged(columns, values, options)


def arrange_ranks(columns: TestColumns, options: TestOptions) -> GaussianData:
    """Arrange normal scores of numbers, and of categories with two levels, for Fisher's z."""
    values = normal_scores(numbers_of(columns), _times(columns, options))
    remedy = "Use the test 'basis', or 'g2' with the columns as categories, or set them to ignored."
    _check_tails(columns, values, remedy, options)
    return _arranged(columns, values, options)


def _check_tails(columns: TestColumns, values: np.ndarray, remedy: str, options: TestOptions) -> None:
    check_tails(
        columns.names,
        values,
        remedy,
        alpha=options.alpha,
        times=_times(columns, options),
        are_labels=[each.role is Role.LABEL for each in columns.variables],
    )


def _times(columns: TestColumns, options: TestOptions) -> np.ndarray | None:
    """Tell how often each row occurred; None where weights say something else."""
    return None if options.weights_are_of_a_sample else columns.weights


def _arranged(columns: TestColumns, values: np.ndarray, options: TestOptions) -> GaussianData:
    weights, is_sample = columns.weights, options.weights_are_of_a_sample
    about: dict[str, Any] = {
        "names": columns.names,
        "rows": columns.rows,
        "alpha": options.alpha,
        "traits": columns.traits,
        "weights": weights,
        "is_sample": is_sample,
    }
    has_gaps = bool(np.isnan(values).any())
    if weights is not None and is_sample:
        from engine.independence.gaussian.sampled import SampledGaussianData, sampled_gaussian_table

        sampled = sampled_gaussian_table(values, weights, critical_z(options.alpha))
        return SampledGaussianData(sampled, **about, present=sampled.present if has_gaps else None)
    if has_gaps:
        from engine.independence.gaussian.fisher_z import incomplete_gaussian_table

        incomplete = incomplete_gaussian_table(values, weights, alpha=options.alpha)
        return IncompleteGaussianData(incomplete, **about, present=incomplete.present)
    from engine.independence.gaussian.fisher_z import gaussian_table, weighted_gaussian_table

    if weights is None:
        return GaussianData(gaussian_table(values, alpha=options.alpha), **about)
    worth = float(weights.sum())
    return GaussianData(weighted_gaussian_table(values, weights, worth, alpha=options.alpha), **about)
