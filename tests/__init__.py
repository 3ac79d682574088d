"""Tests and benchmarks; a package, so that no installed one of this name comes before it."""
