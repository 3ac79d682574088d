"""The page of selected features."""
