"""CLCD: its settings, its three phases, and the result with its evidence."""
