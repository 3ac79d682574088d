"""Pictures of the findings: the grid, the graph, and their files."""
