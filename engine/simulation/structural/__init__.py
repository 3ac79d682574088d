"""Networks of numbers, or of numbers and categories: every variable follows from its causes by an equation.

Read :mod:`equations <engine.simulation.structural.equations>` first (how a value comes about), then
:mod:`terms <engine.simulation.structural.terms>` (how a cause enters) and
:mod:`drawing <engine.simulation.structural.drawing>` (how a network is drawn at random).
"""

from engine.simulation.structural.drawing import draw_structural_network
from engine.simulation.structural.equations import CategoryEquation, NumberEquation
from engine.simulation.structural.network import StructuralNetwork
from engine.simulation.structural.noise import Noise
from engine.simulation.structural.terms import Curve, LevelScores, NumberCurve, Term

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
