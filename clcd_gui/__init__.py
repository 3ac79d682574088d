"""The window of CLCD: everything that needs Qt."""
