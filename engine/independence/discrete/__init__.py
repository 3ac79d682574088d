"""Tests of categories: G² and Pearson's X², complete or with gaps, repeated or sampled rows, permutations."""
