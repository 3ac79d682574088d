"""Causes told from effects, as far as the data allow: what tells them, the rules, and the directions."""
