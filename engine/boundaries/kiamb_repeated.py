"""KIAMB again and again: its draws lead to different boundaries where there are several.

Peña, Nilsson, Björkegren and Tegnér (2007), Towards scalable and data efficient learning of Markov
boundaries, International Journal of Approximate Reasoning 45:211-232, section 4.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.boundaries.boundary import MarkovBoundary
from engine.boundaries.collection import Collection
from engine.boundaries.options import KiambOptions, RepeatedKiambOptions
from engine.boundaries.substitution import can_stand_in


def search(collection: Collection, options: RepeatedKiambOptions) -> None:
    """Find boundaries; draws never tell whether all were drawn, so the result is never complete.

    The first search draws among all, as IAMB does; what a later one finds counts if it can stand in for that.
    """
    collection.is_complete = False
    first, reference = _find(collection, KiambOptions(share=1.0))
    collection.add(first, reference)
    for repeat, seed in enumerate(np.random.default_rng(options.seed).integers(2**32, size=options.repeats)):
        if not collection.may_go_on(options.repeats - repeat):
            return
        found, members = _find(collection, KiambOptions(share=options.share, seed=int(seed)))
        if _can_stand_in(collection, members, reference):
            collection.add(found, members)


def _find(collection: Collection, options: KiambOptions) -> tuple[MarkovBoundary, frozenset[int]]:
    """Run KIAMB once, and take out, last come first, each member that the others can stand in for.

    KIAMB itself holds all others fixed at once, where few rows let nearly every test come out at random.
    """
    found, members = collection.find("kiamb", options)
    positions = collection.search.data.positions
    kept = list(found.undivided)
    for name in reversed(found.undivided):
        without = members - {positions[name]}
        if _can_stand_in(collection, without, members):
            members = without
            kept.remove(name)
    return replace(found, undivided=tuple(kept)), members


def _can_stand_in(collection: Collection, found: frozenset[int], known: frozenset[int]) -> bool:
    stands_in, tests = can_stand_in(collection.search, collection.target, found, known)
    collection.count_tests(tests)
    return stands_in
