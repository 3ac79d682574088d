"""Markov boundary searches, each a module, and the registry that describes them."""
