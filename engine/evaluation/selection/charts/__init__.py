"""The pictures of a comparison of selectors."""
