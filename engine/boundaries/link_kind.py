"""The two ways in which a feature is linked to a label."""

from enum import StrEnum


class LinkKind(StrEnum):
    """How a feature is linked to a label."""

    DIRECT = "direct"
    """In the label's Markov boundary among all variables: the paper's causal variables."""

    THROUGH_LABELS = "through labels"
    """Only in its Markov boundary among the features alone: other labels explain the link."""
