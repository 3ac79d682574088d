"""Cutting numbers into bins: one method a module, one registry, and the step that applies them."""
