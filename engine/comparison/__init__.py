"""How methods fare where the answer is known."""
