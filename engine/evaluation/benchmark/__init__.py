"""The paper's comparison of CLCD with Markov boundary algorithms on simulated networks, run anew."""

from engine.evaluation.benchmark.result import BenchmarkResult
from engine.evaluation.benchmark.run import benchmark
from engine.evaluation.benchmark.settings import BenchmarkSettings

__all__ = ["BenchmarkResult", "BenchmarkSettings", "benchmark"]
