"""What the paper reports, to be shown beside what is measured here.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and
Label-specific Causal Variables, Tables 2 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass

_METHODS = ("iamb", "hiton-mb", "ccmb", "kiamb", "tie-star", "clcd")

_PRECISION = {
    "0.5/0": (0.745, 0.919, 0.792, 0.415, 0.746, 0.915),
    "0.5/0.5": (0.413, 0.579, 0.567, 0.612, 0.759, 0.909),
    "0.5/1": (0.192, 0.315, 0.287, 0.697, 0.787, 0.906),
    "0/0.5": (0.452, 0.583, 0.581, 0.672, 0.771, 0.915),
    "1/0.5": (0.394, 0.560, 0.551, 0.654, 0.715, 0.910),
}
_RECALL = {
    "0.5/0": (0.659, 0.958, 0.979, 0.625, 0.912, 0.979),
    "0.5/0.5": (0.216, 0.305, 0.312, 0.679, 0.915, 0.973),
    "0.5/1": (0.113, 0.152, 0.198, 0.713, 0.903, 0.981),
    "0/0.5": (0.237, 0.325, 0.346, 0.631, 0.923, 0.970),
    "1/0.5": (0.191, 0.286, 0.307, 0.677, 0.877, 0.965),
}
_LOG_SECONDS = {
    2: (0.473, 2.295, 2.874, 1.629, 5.672, 2.871),
    3: (0.462, 2.131, 2.559, 1.503, 5.379, 2.812),
}


@dataclass(frozen=True, slots=True)
class PaperFigures:
    """Precision and recall of one method on one kind of network, as the paper reports them."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of the two, which the paper does not give."""
        return harmonic_mean(self.precision, self.recall)


def harmonic_mean(precision: float, recall: float) -> float:
    """Give the F1 of a precision and a recall; 0 when both are.

    Examples
    --------
    >>> harmonic_mean(1.0, 0.5)
    0.6666666666666666
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def paper_figures(cell: str, method: str) -> PaperFigures | None:
    """Give what the paper reports for a method on a kind of network; None where it has no such networks.

    Examples
    --------
    >>> paper_figures("0.5/1", "clcd")
    PaperFigures(precision=0.906, recall=0.981)
    """
    if cell not in _PRECISION:
        return None
    place = _METHODS.index(method)
    return PaperFigures(_PRECISION[cell][place], _RECALL[cell][place])


def paper_log_seconds(table: int | None, method: str) -> float | None:
    """Give the decimal logarithm of the processor time that the paper reports, averaged over a table.

    None where the paper has no such table.

    Examples
    --------
    >>> paper_log_seconds(2, "iamb")
    0.473
    """
    return None if table is None else _LOG_SECONDS[table][_METHODS.index(method)]
