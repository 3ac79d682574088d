"""The paper's comparison of CLCD with Markov boundary algorithms on simulated networks, run anew."""

from engine.comparison.networks.benchmark_settings import BenchmarkSettings
from engine.comparison.networks.result import BenchmarkResult
from engine.comparison.networks.run import benchmark

__all__ = ["BenchmarkResult", "BenchmarkSettings", "benchmark"]
