"""What is measured by hand: speed, growth, accuracy."""
