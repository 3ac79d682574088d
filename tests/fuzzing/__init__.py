"""Damaged files for every reader: each is read, or refused with an error that says what to do."""
