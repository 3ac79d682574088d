"""The grid of variables and labels."""
