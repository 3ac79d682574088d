"""What the search around a label does beyond the paper's Algorithm 1."""
