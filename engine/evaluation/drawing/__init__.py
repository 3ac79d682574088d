"""Charts that a file and a window draw alike."""
