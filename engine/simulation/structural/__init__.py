"""Networks of numbers, or of numbers and categories: every variable follows from its causes by an equation.

Read :mod:`equations <engine.simulation.structural.equations>` first (how a value comes about), then
:mod:`terms <engine.simulation.structural.equations>` (how a cause enters) and
:mod:`drawing <engine.simulation.structural.network>` (how a network is drawn at random).
"""

from engine.simulation.structural.equations import (
    CategoryEquation,
    Curve,
    LevelScores,
    Noise,
    NumberCurve,
    NumberEquation,
    Term,
)
from engine.simulation.structural.network import StructuralNetwork, draw_structural_network

__all__ = [
    "CategoryEquation",
    "Curve",
    "LevelScores",
    "Noise",
    "NumberCurve",
    "NumberEquation",
    "StructuralNetwork",
    "Term",
    "draw_structural_network",
]
