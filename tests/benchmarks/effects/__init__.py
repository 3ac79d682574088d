"""Whether intervals of sizes hold the truth, on networks of which everything is known."""
