"""Colours, spacing, themes and icons: the only place where the look of the window is decided."""
