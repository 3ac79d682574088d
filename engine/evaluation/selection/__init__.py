"""Comparison of feature selection methods by how well the labels can be predicted from what they select."""
