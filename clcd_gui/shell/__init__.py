"""What is around the pages: the window, its steps, commands and the strip below."""
