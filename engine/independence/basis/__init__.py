"""The likelihood-ratio test with basis functions: numbers, categories and both, nothing cut into bins."""
