"""Features of all variables, drawn once for the tests of a table by RCoT."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.independence.arranging import TestColumns
from engine.independence.data import TestData
from engine.independence.options import TestOptions
from engine.independence.random_fourier.kernel import FIXED_FEATURES, RandomFourierTable
from engine.independence.random_fourier.partners import (
    NO_PARTNER,
    indicators,
    look_for_partners,
    low_orders,
    standardised,
)
from engine.independence.tails import bounded
from engine.table.variable import Kind, Role

_TESTED_FEATURES = 5
# Waves of each number that is held fixed, in radians a width: they follow any smooth curve.
_WAVES = (0.6, 1.2, 1.8, 2.4)
# The width of the kernel is the median distance of so many rows.
_WIDTH_ROWS = 500
# Beyond so many widths from the median numbers are far: of a normal law one in eighteen.
_FAR = 2.0
_SEED = 20190017


@dataclass(frozen=True, eq=False)
class RandomFourierData(TestData):
    """Features whose residuals' covariances are tested."""

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(log_alpha=math.log(alpha))


def arrange(columns: TestColumns, options: TestOptions) -> RandomFourierData:
    """Draw the features of every variable, and look for partners about every label."""
    generator = np.random.default_rng(_SEED)
    count = len(columns.variables)
    frequencies = generator.standard_normal((count, _TESTED_FEATURES))
    phases = generator.uniform(0.0, 2.0 * np.pi, (count, _TESTED_FEATURES))
    features, waves, coordinates = [], [], []
    for place, (variable, values) in enumerate(zip(columns.variables, columns.values, strict=True)):
        if variable.kind is Kind.NOMINAL:
            frequencies[place] = 0.0
            block = standardised(indicators(values))
            coordinates.append(block)
            waves.append(block[:0])
        else:
            scaled = _pulled_in(values, generator)
            coordinates.append(scaled[None])
            angles = np.array(_WAVES)[:, None] * scaled
            waves.append(np.concatenate([np.sin(angles), np.cos(angles)]))
            block = np.cos(frequencies[place][:, None] * scaled + phases[place][:, None])
            block -= block.mean(axis=1, keepdims=True)
        features.append(block)
    first_coordinate = _starts(coordinates)
    table = RandomFourierTable(
        np.concatenate(features),
        _starts(features),
        frequencies,
        phases,
        np.concatenate(waves),
        _starts(waves),
        np.concatenate(coordinates),
        first_coordinate,
        generator.standard_normal((FIXED_FEATURES, int(first_coordinate[-1]))),
        generator.uniform(0.0, 2.0 * np.pi, FIXED_FEATURES),
        np.full((count, count), NO_PARTNER),
        math.log(options.alpha),
    )
    for place, variable in enumerate(columns.variables):
        if variable.role is Role.LABEL:
            look_for_partners(table, place, low_orders(columns), options.alpha)
    return RandomFourierData(table, columns.names, columns.rows, options.alpha, columns.traits)


def _pulled_in(values: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Give numbers in widths from their median, those beyond a few as the logarithm of what is beyond.

    Else a few far numbers would be strewn over many waves of a cosine while all others share a small part of
    one. Different numbers stay different, so that what is independent given a number is so given what is made
    of it; cutting far ones off would not do that. The others stay as they are, and with them their curves.
    """
    scaled = bounded(values[None])[0]
    widths = (scaled - np.median(scaled)) / _width(scaled, generator)
    beyond = np.maximum(np.abs(widths) - _FAR, 0.0)
    pulled: np.ndarray = np.sign(widths) * (np.minimum(np.abs(widths), _FAR) + np.log1p(beyond))
    return pulled - float(pulled.mean())


def _width(values: np.ndarray, generator: np.random.Generator) -> float:
    """Give the median distance of two values that differ."""
    some = values if len(values) <= _WIDTH_ROWS else generator.choice(values, _WIDTH_ROWS, replace=False)
    distances = np.abs(some[:, None] - some[None, :])
    return float(np.median(distances[distances > 0])) if distances.any() else float(np.ptp(values))


def _starts(blocks: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum([len(block) for block in blocks])]).astype(np.int64)
