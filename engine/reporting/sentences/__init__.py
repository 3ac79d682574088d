"""What the program says of findings, in whole sentences."""
