"""Boundaries against those that CausalFS 2.0 found on the same file with the same settings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

from engine.boundaries.discovery_settings import DiscoverySettings, arranged
from engine.boundaries.markov_boundary import find_boundary, markov_boundary
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.table.dataset import Dataset

# Their name, ours, and the targets for which the two differ:
# - IPC-MB: theirs has one spouse more for L1 (F594 through F1034) and F167 (F490 through L24). The search
#   of the child finds that spouse, but the search of the spouse does not find the child: with us both sides
#   must agree on every neighbourhood that is used, with them only on that of the target.
# - IAMB: for four targets the rows suffice for one more member, and ours takes it in. Theirs ends as soon
#   as some variable, there 33 of 90, can no longer be tested reliably, ours when none can.
# - STMB: a variable that proves no neighbour may be a spouse nevertheless, which we look at and they do not
#   (F612; F708 and what follows from it for L2). For the other five a variable is an apparent spouse
#   through two children and is separated in the list of one: theirs then drops it altogether, ours keeps it
#   for the other (F612 of F328, F655 of F117, F641 of F340, F958 of F594, F301 of F490; F682 of L2 too).
#   Sets are formed in the order of columns, for the algorithm ranks nothing; false spouses are many at this
#   level (7 members on average, the others 2 to 4), so the order decides who leaves: with the strongest
#   first 55 targets agree.
# - EEMB and BAMB: theirs prunes spouses with one variable more held fixed than the setting says, which
#   decides L6 of L0 and F798 of L1. Who proved no neighbour is looked at as a spouse here alone (F391 of
#   F748, F428 of F798). L40 of F594 goes by {F1034, L1}, and L1 is a spouse of the newcomer F1034: it stays
#   if that is asked before the newcomer's spouses are known. With BAMB, F110, F53 and F413 (spouses of
#   F902, F321, F367) are pruned here by sets with other apparent spouses (F167, F488, F655) that are
#   neighbours or nothing in the end. With EEMB, F192 of L2 goes by {F103, F328, F391} here alone; that one
#   is not explained.
# - CCMB: theirs has F612 for F702 and L0 for F293 besides, each a single test of a spouse.
COMPARED = [
    ("hiton-mb", "hiton-mb", ""),
    ("semi-hiton-mb", "hiton-mb-semi", ""),
    ("mmmb", "mmmb", ""),
    ("pcmb", "pcmb", ""),
    ("ipc-mb", "ipcmb", "L1 F167"),
    ("iamb", "iamb", "F259 F774 F625 F84"),
    ("stmb", "stmb", "L2 F612 F328 F117 F340 F594 F490"),
    ("eemb", "eemb", "L0 L2 F798 F748 F594"),
    ("bamb", "bamb", "L0 L1 F902 F321 F748 F367 F594"),
    ("ccmb", "ccmb", "F702 F293"),
]


@pytest.fixture(scope="module")
def dataset(shared_reference: Path) -> Dataset:
    return Dataset.from_frame(pandas.read_csv(shared_reference / "boundaries.csv", dtype=str))


@pytest.mark.parametrize(("theirs", "ours", "different"), COMPARED)
def test_the_hundred_boundaries_are_the_same(
    shared_reference: Path, dataset: Dataset, theirs: str, ours: str, different: str
) -> None:
    settings = DiscoverySettings(
        alpha=0.05, false_discovery="none", procedure="as published", dof="adjusted", min_rows_per_dof=5
    )
    table = pandas.read_csv(shared_reference / "boundaries_causalfs.csv", keep_default_na=False)
    expected = table[table["algorithm"] == theirs].set_index("target")["boundary"].str.split().map(set)
    assert len(expected) == 100
    # As a run does: the table is arranged, and what one target needs of another is found, once for all.
    search = Neighbourhoods(arranged(dataset, settings), settings, np.zeros(1, dtype=np.uint8))
    members_by_target = {
        target: set(find_boundary(search, search.data.positions[target], ours).members)
        for target in expected.index
    }
    first = expected.index[0]
    assert set(markov_boundary(dataset, first, settings, algorithm=ours).members) == members_by_target[first]
    assert {target for target, members in expected.items() if members_by_target[target] != members} == set(
        different.split()
    )
