"""Threads, memory of results, and clusters, for whatever takes long."""
