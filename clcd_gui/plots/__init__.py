"""Charts on the screen, drawn by pyqtgraph from what the engine describes."""
