"""Which directions are confirmed: by a second finding, a strong one, the best graph, or a person."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.orientation.colliders import Triple, TripleFinding
from engine.discovery.orientation.direction import (
    OPEN_EDGE,
    Because,
    ClaimKind,
    Direction,
    EdgeMarks,
    EndMark,
)
from engine.discovery.orientation.grading import DraftClaim
from engine.discovery.orientation.orient import Confirmations

CAUSE, EFFECT, OTHER, THIRD = range(4)


def collider(parent: int, log_p: float) -> TripleFinding:
    """The v-structure of the cause and another one."""
    triple = Triple(min(CAUSE, parent), EFFECT, max(CAUSE, parent))
    return TripleFinding(triple, (CAUSE, parent, ()), (CAUSE, parent, (EFFECT,)), log_p)


def draft_claim(kind: ClaimKind, cause: int, effect: int, uses_knowledge: bool = True) -> DraftClaim:
    return DraftClaim(kind, cause, effect, Because.KNOWLEDGE, (), (), uses_knowledge)


@pytest.mark.parametrize(
    ("colliders", "is_clear", "confirmed"),
    [
        ([], False, False),
        ([(OTHER, -10.0)], False, False),
        ([(OTHER, -60.0)], False, True),
        ([(OTHER, -10.0), (THIRD, -5.0)], False, True),
        ([(OTHER, -10.0), (OTHER, -5.0)], False, False),
        ([(OTHER, -10.0)], True, True),
        # A best graph alone supposes that its models fit.
        ([], True, False),
    ],
)
def test_by_findings(colliders: list[tuple[int, float]], is_clear: bool, confirmed: bool) -> None:
    confirmations = Confirmations(
        [collider(*ends) for ends in colliders], {(CAUSE, EFFECT)} if is_clear else ()
    )
    assert confirmations.of(CAUSE, EFFECT, OPEN_EDGE, ()) is confirmed
    assert not confirmations.of(EFFECT, CAUSE, OPEN_EDGE, ())


def test_by_marks_and_by_knowledge() -> None:
    confirmations = Confirmations([], ())
    assert confirmations.of(
        CAUSE, EFFECT, EdgeMarks(EndMark.TAIL, EndMark.ARROWHEAD, nothing_hidden=True), ()
    )
    assert not confirmations.of(CAUSE, EFFECT, EdgeMarks(EndMark.TAIL, EndMark.ARROWHEAD), ())
    claim = draft_claim(ClaimKind.NO_CAUSE, EFFECT, CAUSE)
    assert confirmations.of(CAUSE, EFFECT, OPEN_EDGE, [claim]) and not confirmations.of(
        EFFECT, CAUSE, OPEN_EDGE, [claim]
    )
    assert confirmations.of(CAUSE, EFFECT, OPEN_EDGE, [draft_claim(ClaimKind.CAUSE, CAUSE, EFFECT)])
    assert not confirmations.of(
        CAUSE, EFFECT, OPEN_EDGE, [draft_claim(ClaimKind.CAUSE, CAUSE, EFFECT, False)]
    )


def cancelling(rows: int, seed: int) -> engine.Dataset:
    """Two effects of a label, of which one acts on the other so that the two seem to be independent."""
    generator = np.random.default_rng(seed)
    label = generator.choice([-1, 1], rows)
    first = np.where(generator.random(rows) < 0.5 + 0.2 * label, 1, -1)
    # 0.5 of the label, by way of which 0.4 * 0.5 comes from the first, less 0.2 of the first itself.
    second = np.where(generator.random(rows) < 0.5 + 0.25 * label - 0.1 * first, 1, -1)
    columns = {"first": first, "second": second, "label": label}
    frame = pandas.DataFrame(columns).replace({-1: "no", 1: "yes"})
    return engine.Dataset.from_frame(frame, labels=["label"])


def test_an_accident_is_not_confirmed() -> None:
    """The two are told to be causes of the label, of which they are effects."""
    wrong = 0
    for seed in range(6):
        result = engine.discover(cancelling(500, seed))
        for feature in ("first", "second"):
            orientation = result.orientation(feature, "label")
            if orientation is not None and orientation.direction is Direction.CAUSE:
                wrong += 1
                assert not orientation.confirmed
    assert wrong
