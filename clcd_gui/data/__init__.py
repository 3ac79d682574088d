"""The page of the open table."""
