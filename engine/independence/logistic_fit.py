"""Multinomial logistic regression by Newton's method (Agresti 2013, Categorical Data Analysis, chapter 8).

Where a combination of predictors decides the category, the best coefficients are infinite. The likelihood
still has a least upper bound, and a likelihood ratio needs no more: every Newton step then comes nearer to
the bound by a factor of about e, until the gain is too small to matter (Albert and Anderson 1984, On the
existence of maximum likelihood estimates in logistic regression models, Biometrika 71:1-10).
"""

from __future__ import annotations

import math

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.mixed_table import MixedTable, MixedWorkspace

# Expected gain in log likelihood, and share of a second derivative, that are rounding error.
_NO_GAIN = 1e-10
_NO_CURVATURE = 1e-11
_MOST_STEPS = 100


@kernel_part
def start_from_margins(data: MixedTable, workspace: MixedWorkspace, response: int) -> None:
    """Set the coefficients of the model without predictors: log odds against the first category."""
    counts, codes = workspace.scores, data.codes[data.code_rows[response]]
    others = data.categories[response] - 1
    for category in range(others + 1):
        counts[category] = 0.0
    for row in range(codes.shape[0]):
        counts[codes[row]] += 1.0
    for other in range(others):
        workspace.coefficients[other] = math.log(counts[other + 1] / counts[0])


@kernel_part
def widen(workspace: MixedWorkspace, others: int, old: int, new: int) -> None:
    """Make room for further predictors with coefficient 0, so that a fit starts from the smaller model."""
    coefficients = workspace.coefficients
    for other in range(others - 1, -1, -1):
        for place in range(new - 1, -1, -1):
            coefficients[other * new + place] = coefficients[other * old + place] if place < old else 0.0


@kernel_part
def maximise(data: MixedTable, workspace: MixedWorkspace, response: int, kept: int, groups: int) -> float:
    """Give the largest log likelihood of a response under the first `kept` columns of the model.

    Starts from the coefficients in the workspace, and leaves the best ones there. A step that overshoots
    is halved.
    """
    coefficients, step = workspace.coefficients, workspace.step
    size = (data.categories[response] - 1) * (kept + 1)
    best = -math.inf
    for _ in range(_MOST_STEPS):
        likelihood = _derivatives(data, workspace, response, kept, groups)
        if likelihood < best - _NO_GAIN * (1.0 + abs(best)):
            for place in range(size):
                step[place] *= 0.5
                coefficients[place] -= step[place]
            continue
        best = likelihood
        gain = 0.5 * _newton_step(workspace, size)
        if gain < _NO_GAIN:
            return best + gain
        for place in range(size):
            coefficients[place] += step[place]
    return best


@kernel_part
def _derivatives(data: MixedTable, workspace: MixedWorkspace, response: int, kept: int, groups: int) -> float:
    """Compute log likelihood, gradient and the lower half of the negative second derivatives."""
    gradient, hessian = workspace.gradient, workspace.hessian
    row, probabilities = workspace.row, workspace.probabilities
    codes = data.codes[data.code_rows[response]]
    others, width = data.categories[response] - 1, kept + 1
    for place in range(others * width):
        gradient[place] = 0.0
        for other in range(place + 1):
            hessian[place, other] = 0.0
    likelihood = 0.0
    row[0] = 1.0
    for group in range(groups):
        source, weight = workspace.group_rows[group], workspace.group_weights[group]
        for place in range(kept):
            row[place + 1] = data.values[workspace.kept[place], source]
        category = codes[source]
        likelihood += weight * _predict(workspace, category, others, width)
        for other in range(others):
            start = other * width
            probability = probabilities[other]
            residual = -probability
            if category == other + 1:
                residual += 1.0
            residual *= weight
            for place in range(width):
                gradient[start + place] += residual * row[place]
            for second in range(other + 1):
                second_start = second * width
                curvature = -probability * probabilities[second]
                if second == other:
                    curvature = probability * (1.0 - probability)
                curvature *= weight
                for place in range(width):
                    factor = curvature * row[place]
                    end = place + 1 if second == other else width
                    for second_place in range(end):
                        hessian[start + place, second_start + second_place] += factor * row[second_place]
    return likelihood


@inlined_part
def _predict(workspace: MixedWorkspace, category: int, others: int, width: int) -> float:
    """Compute the probabilities of all categories but the first; give the log of that of `category`."""
    scores, probabilities = workspace.scores, workspace.probabilities
    largest = 0.0
    for other in range(others):
        score = 0.0
        for place in range(width):
            score += workspace.coefficients[other * width + place] * workspace.row[place]
        scores[other] = score
        if score > largest:
            largest = score
    total = math.exp(-largest)
    for other in range(others):
        probabilities[other] = math.exp(scores[other] - largest)
        total += probabilities[other]
    for other in range(others):
        probabilities[other] /= total
    chosen = scores[category - 1] if category > 0 else 0.0
    return chosen - largest - math.log(total)


@kernel_part
def _newton_step(workspace: MixedWorkspace, size: int) -> float:
    """Solve for the Newton step by Cholesky's method; give its product with the gradient.

    A direction in which the likelihood does not bend any more is left out of the step.
    """
    hessian, gradient, step = workspace.hessian, workspace.gradient, workspace.step
    gain = 0.0
    for row in range(size):
        scale = hessian[row, row]
        for column in range(row):
            value = hessian[row, column]
            for earlier in range(column):
                value -= hessian[row, earlier] * hessian[column, earlier]
            pivot = hessian[column, column]
            hessian[row, column] = value / pivot if pivot > 0.0 else 0.0
        left = scale
        value = gradient[row]
        for earlier in range(row):
            left -= hessian[row, earlier] * hessian[row, earlier]
            value -= hessian[row, earlier] * step[earlier]
        is_flat = left <= _NO_CURVATURE * scale
        hessian[row, row] = 0.0 if is_flat else math.sqrt(left)
        step[row] = 0.0 if is_flat else value / hessian[row, row]
        gain += step[row] * step[row]
    for row in range(size - 1, -1, -1):
        value = step[row]
        for later in range(row + 1, size):
            value -= hessian[later, row] * step[later]
        step[row] = value / hessian[row, row] if hessian[row, row] > 0.0 else 0.0
    return gain
