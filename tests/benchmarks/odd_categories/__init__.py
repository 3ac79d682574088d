"""Tables of categories, and of categories and numbers, that the simulator does not make."""
