"""Stability selection: how often each finding comes back when parts of the rows are searched again."""
