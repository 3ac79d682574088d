"""The page that is seen first."""
