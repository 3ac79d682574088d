"""Everything about compiled kernels: how they are compiled and kept between runs."""
