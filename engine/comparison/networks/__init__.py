"""The paper's comparison of CLCD with Markov boundary algorithms on simulated networks, run anew."""

from engine.comparison.networks.result import BenchmarkResult
from engine.comparison.networks.run import benchmark
from engine.comparison.networks.settings import BenchmarkSettings

__all__ = ["BenchmarkResult", "BenchmarkSettings", "benchmark"]
