"""How the table that is cut down to the selected features is laid out: settings written once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.parameters import Choice, check_parameters, parameter


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Where the labels stand in the reduced ARFF file, and whether its rows are sparse.

    Examples
    --------
    >>> TableLayout(label_position="first").sparse_arff
    False
    """

    label_position: str = parameter(
        "last",
        title="Labels",
        help="Where the labels stand in the reduced table.",
        kind="choice",
        choices=(
            Choice("last", "Last", "The last columns; MEKA's header says -C -6 for six of them."),
            Choice("first", "First", "The first columns, as MEKA's own tables have them; -C 6 for six."),
        ),
    )
    sparse_arff: bool = parameter(
        False,
        title="Sparse ARFF",
        help="Leave zeros and first categories out of the ARFF file; smaller where most are zero.",
        kind="flag",
    )

    def __post_init__(self) -> None:
        check_parameters(self)
