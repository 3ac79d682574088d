"""What is to be decided about a test besides which one it is."""

from __future__ import annotations

from dataclasses import dataclass

from engine.table.row_weights import SAMPLING


@dataclass(frozen=True, slots=True)
class TestOptions:
    """Options of all tests; each reads what concerns it.

    Attributes
    ----------
    alpha : float
        Level of the tests, between 0 and 1.
    dof : str
        ``"effective"``, ``"adjusted"`` or ``"nominal"`` degrees of freedom.
    min_rows_per_dof, min_rows_per_cell : float
        Reliability rules; 0 switches one off.
    row_weights : str
        What a weight column says: ``"sampling"`` or ``"counts"``.
    permutations, permutation_seed : int
        Most permutations of a test that permutes, and the start of its random numbers.
    degree : int
        Degree of the polynomials of a number, for a test with basis functions.
    """

    __test__ = False

    alpha: float = 0.05
    dof: str = "effective"
    min_rows_per_dof: float = 0.0
    min_rows_per_cell: float = 0.0
    row_weights: str = SAMPLING
    permutations: int = 999
    permutation_seed: int = 0
    degree: int = 3

    @property
    def weights_are_of_a_sample(self) -> bool:
        """Whether weights say how a population was sampled, and not how often a row occurred."""
        return self.row_weights == SAMPLING

    @property
    def rules(self) -> dict[str, float]:
        """The reliability rules by name."""
        return {"min_rows_per_dof": self.min_rows_per_dof, "min_rows_per_cell": self.min_rows_per_cell}
