"""WLCMB: several boundaries by a search that goes on with pairs where single variables no longer help.

Liu and Liu (2016), Swamping and masking in Markov boundary discovery, Machine Learning 104:25-54. A
reconstruction from what is said of it: by its abstract it resumes a stopped search under a weaker condition,
see ``engine.boundaries.iamb_pairs``; by the paper of CLCD (section 2) it is in essence an instance of TIE*,
which therefore lists the boundaries here.
"""

from __future__ import annotations

from engine.boundaries.collection import Collection
from engine.boundaries.options import PairOptions, WlcmbOptions
from engine.boundaries.tie_star import list_boundaries


def search(collection: Collection, options: WlcmbOptions) -> None:
    """Find boundaries."""
    list_boundaries(collection, "iamb-pairs", PairOptions(options.among), options.max_removed)
