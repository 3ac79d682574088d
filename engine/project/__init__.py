"""A whole analysis as one value, and as one file."""
