"""From the Markov boundary of each label to common and label-specific variables: the paper's ∩."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def intersected(
    boundaries: Mapping[str, Collection[str]], features: Collection[str]
) -> dict[str, frozenset[str]]:
    """Give the labels in whose boundary each feature was found.

    Features in the boundaries of two or more labels are common to these, the others label-specific. Of a
    label with several boundaries the union counts. Labels in boundaries are no causal variables.

    Parameters
    ----------
    boundaries : mapping of str to collection of str
        Members of all boundaries of each label.
    features : collection of str
        The variables that are no labels.

    Returns
    -------
    dict of str to frozenset of str
        Labels by feature.

    Examples
    --------
    >>> found = intersected({"ill": ["dose", "age"], "tired": ["dose", "ill"]}, ["dose", "age"])
    >>> sorted(found["dose"]), sorted(found["age"])
    (['ill', 'tired'], ['ill'])
    """
    known = set(features)
    found: dict[str, set[str]] = {}
    for label, members in boundaries.items():
        for member in members:
            if member in known:
                found.setdefault(member, set()).add(label)
    return {feature: frozenset(labels) for feature, labels in found.items()}
