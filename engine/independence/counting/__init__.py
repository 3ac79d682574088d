"""Counting contingency tables, and the law of their statistics: what the tests of categories are made of."""
