"""RCoT, a test by random Fourier features, and its screen for what acts only together."""
