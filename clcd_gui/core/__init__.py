"""What the window works on: the open document, its commands and settings; QtCore only."""
