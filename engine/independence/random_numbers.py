"""Random numbers inside kernels, from a state that the caller owns.

SplitMix64: Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators, OOPSLA, 453-472.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
_HALF_WORD = np.uint64(32)


@kernel_part
def scramble(word: np.uint64) -> np.uint64:
    """Map a 64-bit word to another, one to one, so that alike words become unlike."""
    word = (word ^ (word >> _SHIFTS[0])) * _FIRST_FACTOR
    word = (word ^ (word >> _SHIFTS[1])) * _SECOND_FACTOR
    return word ^ (word >> _SHIFTS[2])


@inlined_part
def draw_below(state: np.ndarray, bound: int) -> int:
    """Draw a whole number from 0 to `bound` - 1, each next to equally likely.

    Parameters
    ----------
    state : ndarray of uint64, shape (1,)
        Where the sequence stands; moved on by one.
    bound : int
        From 1 to 2³²; the chances differ by less than bound / 2³² of themselves.
    """
    state[0] += _STEP
    upper_half = scramble(state[0]) >> _HALF_WORD
    return np.int64((upper_half * np.uint64(bound)) >> _HALF_WORD)  # type: ignore[return-value]
