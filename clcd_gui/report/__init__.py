"""The page of the report: its parts, how it will look, and the files that it becomes."""
