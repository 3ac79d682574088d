"""Methods beside each other: on the open table, and on simulated networks."""
