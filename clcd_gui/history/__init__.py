"""Every run of the open table, and any two of them side by side."""
