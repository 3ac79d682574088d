"""Everything about compiled kernels: how they are compiled, kept between runs, and compiled ahead."""
