"""Numbers, lines of text and settings as the window writes them."""
