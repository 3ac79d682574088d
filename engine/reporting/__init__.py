"""What a person is given to keep: figures, so far, as files and inside pages."""
