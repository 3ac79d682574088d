"""The graph of variables and labels."""
