"""Networks and data whose truth is known exactly."""

from engine.simulation.bayesian_network import (
    BayesianNetwork,
    exhaustive_boundaries,
    joint_distribution,
    population_dataset,
)
from engine.simulation.simulated import SimulatedNetwork, simulate, simulate_network
from engine.simulation.simulation_settings import SamplingSettings, SimulationSettings
from engine.simulation.structural_network import StructuralNetwork
from engine.simulation.truth import (
    BoundaryAmongFeatures,
    PairScore,
    Scores,
    TrueBoundary,
    Truth,
    answer_of_graph,
    score,
    true_answer,
    true_boundary,
)

__all__ = [
    "BayesianNetwork",
    "BoundaryAmongFeatures",
    "PairScore",
    "SamplingSettings",
    "Scores",
    "SimulatedNetwork",
    "SimulationSettings",
    "StructuralNetwork",
    "TrueBoundary",
    "Truth",
    "answer_of_graph",
    "exhaustive_boundaries",
    "joint_distribution",
    "population_dataset",
    "score",
    "simulate",
    "simulate_network",
    "true_answer",
    "true_boundary",
]
