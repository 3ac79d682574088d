"""Table models: what a view shows, apart from how."""
