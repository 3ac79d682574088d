"""Long work off the main thread: the only callers of the engine's algorithms."""
