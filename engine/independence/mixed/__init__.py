"""Likelihood-ratio tests of nested linear and multinomial logistic models, for numbers and categories."""
