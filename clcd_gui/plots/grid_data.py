"""The variable × label grid as arrays, what its rows are, and the words of its places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from clcd_gui.document.listing import Listed, Listing
from clcd_gui.plots.legend import LegendEntry, grid_legend, selected_legend
from clcd_gui.style.tokens import Colours
from clcd_gui.wording.text import strength_text
from engine.discovery.effects.estimates import AssociationSign, Sign
from engine.discovery.effects.size_words import association_text
from engine.discovery.evidence import Relation
from engine.discovery.finding_words import RELATION_WORDS, absence_text, pair_words, relations_text
from engine.discovery.findings import Finding
from engine.translation import N_, _
from engine.wording.sentences import NO_COUNTED_LINK
from engine.wording.shown_names import whole_name

_MOST_CLUSTERED = 600
# Cosine distance; between vectors that share half of what they hold it is about that.
_OF_ONE_GROUP = 0.5


def block_order(strengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Order rows and columns by similarity, given how strongly each two are linked, with 0 for not at all.

    Columns, and rows where they are not too many, stand as the leaves of an average-linkage clustering in the
    order that keeps neighbours most alike (optimal leaf ordering: Bar-Joseph, Gifford and Jaakkola 2001); of
    the two such orders of the columns, which mirror one another, the one is taken that has more at its
    beginning, and groups of rows follow it. Of very many rows, each stands where its columns are, on average.

    >>> strengths = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1]])
    >>> rows, columns = block_order(strengths)
    >>> strengths[rows][:, columns]
    array([[1, 1, 0, 0],
           [1, 1, 0, 0],
           [0, 0, 1, 1],
           [0, 0, 1, 1]])
    """
    present = (strengths > 0).astype(np.float64)
    columns, _ = _clustered(present.T)
    half = len(columns) // 2
    if half and present[:, columns[:half]].sum() < present[:, columns[-half:]].sum():
        columns = columns[::-1]
    places = np.argsort(columns)
    middle = (present * places).sum(axis=1) / np.maximum(present.sum(axis=1), 1.0)
    if len(strengths) > _MOST_CLUSTERED:
        return np.argsort(middle, kind="stable"), columns
    rows, groups = _clustered(present)
    # Groups of rows stand in the order of their columns, so that blocks follow the diagonal.
    sizes = np.maximum(np.bincount(groups), 1)
    middle_of_group = np.bincount(groups, weights=middle[rows]) / sizes
    return rows[np.lexsort((groups, middle_of_group[groups]))], columns


def _clustered(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of the leaves, and for each of them its group; what holds nothing comes last."""
    filled = np.flatnonzero(vectors.any(axis=1))
    empty = np.flatnonzero(~vectors.any(axis=1))
    order, groups = filled, np.zeros(len(filled), dtype=np.intp)
    if len(filled) > 1:
        # It takes a third of a second to load, and is only needed here.
        from scipy.cluster.hierarchy import fcluster, leaves_list, linkage

        tree = linkage(vectors[filled], method="average", metric="cosine", optimal_ordering=True)
        leaves = leaves_list(tree)
        order, groups = filled[leaves], fcluster(tree, _OF_ONE_GROUP, criterion="distance")[leaves]
    last = np.full(len(empty), groups.max(initial=0) + 1)
    return np.concatenate([order, empty]), np.concatenate([groups, last]).astype(np.intp)


RELATIONS = tuple(Relation)
NO_RELATION = -1
NO_WAY, UP, DOWN = 0, 1, -1
_WAYS = {Sign.MORE: UP, Sign.LESS: DOWN}


def way_of(association: AssociationSign | None) -> int:
    """Return the direction that a picture shows: what shows only when adjusted is not seen in the rows."""
    if association is None or association.only_adjusted:
        return NO_WAY
    return _WAYS.get(association.sign, NO_WAY)


BLOCKS = "blocks"
"""The order in which rows and columns that are alike stand beside one another."""

Absence = Callable[[str, str], str]


class CellLook(Protocol):
    """How cells look and what they say, where that is not the relation of a feature and a label."""

    def paint(self, painter: QPainter, box: QRectF, row: Any, label: str, chosen: Colours) -> None:
        """Paint the cell of a feature and a label that it counts for."""

    def words(self, row: Any, label: str) -> str:
        """Say what the cell says."""


class GridData:
    """Findings in rows, labels in columns; `absence` says of a feature and a label why a cell is empty.

    `relations` are places in `RELATIONS`, -1 for none; `strengths` are between 0 and 1; `ways` are the
    directions of association: up, down, or 0 where none is clear. Without a look, cells show all three.
    """

    def __init__(
        self,
        findings: Sequence[Listed],
        labels: Sequence[str],
        absence: Absence | None = None,
        look: CellLook | None = None,
    ) -> None:
        self.absence: Absence = absence or (lambda _feature, _label: "")
        self.look = look
        self.findings = tuple(findings)
        self.labels = tuple(labels)
        self.row_of = {finding.feature: row for row, finding in enumerate(self.findings)}
        self.column_of = {label: column for column, label in enumerate(self.labels)}
        shape = self.row_count, self.column_count = len(self.findings), len(self.labels)
        self.relations = np.full(shape, NO_RELATION, dtype=np.int8)
        self.strengths = np.zeros(shape, dtype=np.float32)
        self.ways = np.zeros(shape, dtype=np.int8)
        for row, finding in enumerate(self.findings):
            cells = zip(finding.labels, finding.relations, finding.strengths, strict=True)
            for label, relation, strength in cells:
                if (column := self.column_of.get(label)) is not None:
                    self.relations[row, column] = RELATIONS.index(relation)
                    self.strengths[row, column] = strength
            for association in finding.association_signs if isinstance(finding, Finding) else ():
                column = self.column_of.get(association.label)
                if column is not None:
                    self.ways[row, column] = way_of(association)

    def relation(self, row: int, column: int) -> Relation | None:
        """Return the relation in a cell."""
        code = int(self.relations[row, column])
        return None if code == NO_RELATION else RELATIONS[code]

    def ticks(self, rows: slice, columns: slice) -> np.ndarray:
        """List the cells of a part that hold something, as an array of shape (cells, 2)."""
        filled = np.argwhere(self.relations[rows, columns] != NO_RELATION)
        ticks: np.ndarray = filled + np.array([rows.start, columns.start])
        return ticks

    def next_tick(self, row: int, column: int, down: int, right: int) -> tuple[int, int] | None:
        """Return the next cell in a direction that holds something."""
        line, now, step = self.relations[row], column, right
        if down:
            line, now, step = self.relations[:, column], row, down
        places = np.flatnonzero(line != NO_RELATION)
        beyond = places[places > now] if step > 0 else places[places < now][::-1]
        if not beyond.size:
            return None
        return (int(beyond[0]), column) if down else (row, int(beyond[0]))


@dataclass(frozen=True, slots=True)
class GridContent:
    """One kind of grid."""

    noun: str  # what one row is
    title: str  # of its picture
    orders: tuple[tuple[str, str], ...]  # title and name of every order of the rows; see :func:`grid_data`
    legend: tuple[LegendEntry, ...]  # what its marks mean
    nothing: str  # said when there is no row
    # Says of a listing, a feature and a label why their cell is empty.
    absence: Callable[[Any, str, str], str]
    look: CellLook | None = None


def orders(given: str) -> tuple[tuple[str, str], ...]:
    """Return the orders of every grid, by the title of the one in which its rows are given."""
    blocks, strength = (N_("Similar side by side"), BLOCKS), (N_("Strongest first"), "strength")
    return (given, "given"), blocks, strength, (N_("As in the table"), "name")


FOUND = GridContent(
    noun="variable",
    title=N_("Variables and labels"),
    orders=orders(N_("Most labels first")),
    legend=grid_legend(),
    nothing=NO_COUNTED_LINK,
    absence=absence_text,
)
SELECTED = GridContent(
    noun="feature",
    title=N_("Selected features and labels"),
    orders=orders(N_("As chosen")),
    legend=selected_legend(),
    nothing=N_("No feature was selected."),
    absence=lambda _selected, _feature, _label: _("was not selected for this label"),
)
"""The grid of Figure 8 of the paper, turned so that long names of features can be read."""


MOST_EMPTY_COLUMNS = 20
"""Of so many labels all have a column; of more, only those that something was found for."""


def labels_with_columns(findings: Listing) -> tuple[str, ...]:
    """Return the labels that have a column: of many, those without a finding would only take room."""
    finished = findings.finished_labels
    if len(finished) <= MOST_EMPTY_COLUMNS:
        return finished
    served = {label for finding in findings.all for label in finding.labels}
    return tuple(label for label in finished if label in served)


def grid_data(
    findings: Listing,
    order: str = "given",
    words: str = "",
    content: GridContent = FOUND,
    label_words: str = "",
) -> GridData:
    """Arrange the grid; labels that a stopped run did not finish have no column.

    `order` is ``"given"`` as listed, ``"strength"`` the strongest first, ``"name"`` by column order, or
    ``"blocks"`` with what is alike together, which takes a while. `label_words` leaves the labels whose name
    holds all of them, and the variables that count for one of these.
    """
    rows = [row for row in findings.all if _holds(row.feature, words)]
    labels = labels_with_columns(findings)
    if label_words.strip():
        labels = tuple(label for label in labels if _holds(label, label_words))
        rows = [row for row in rows if set(row.labels) & set(labels)]
    if order == "strength":
        rows.sort(key=lambda finding: -finding.strength)
    elif order == "name":
        names = findings.in_column_order(finding.feature for finding in rows)
        number_of = {name: number for number, name in enumerate(names)}
        rows.sort(key=lambda finding: number_of[finding.feature])
    absence = partial(content.absence, findings)
    data = GridData(rows, labels, absence, content.look)
    if order != BLOCKS or not rows or not labels:
        return data
    row_order, column_order = block_order(data.strengths + (data.relations != NO_RELATION))
    return GridData(
        [rows[place] for place in row_order], [labels[place] for place in column_order], absence, content.look
    )


def _holds(name: str, words: str) -> bool:
    return all(word in whole_name(name).casefold() for word in words.casefold().split())


def describe(data: GridData, row: int, column: int) -> str:
    """Say what a cell, a variable (column -1) or a label (row -1) is about."""
    if row < 0 and column < 0:
        return ""
    if row < 0:
        return whole_name(data.labels[column])
    finding = data.findings[row]
    if column < 0:
        return f"{whole_name(finding.feature)}\n{relations_text(finding.relations)}"
    pair = f"{whole_name(finding.feature)}\n{whole_name(data.labels[column])}"
    relation = data.relation(row, column)
    if relation is None:
        return f"{pair}\n{data.absence(finding.feature, data.labels[column])}"
    if data.look is not None:
        return f"{pair}\n{data.look.words(finding, data.labels[column])}"
    strength = strength_text(float(data.strengths[row, column]))
    is_doubtful = isinstance(finding, Finding) and data.labels[column] in finding.doubtful_labels
    care = f"\n{_('read with care')}" if is_doubtful else ""
    words = _(RELATION_WORDS[relation])
    if isinstance(finding, Finding) and relation is Relation.THROUGH_LABELS:
        words = pair_words(finding, data.labels[column])
    relation_and_strength = _("{relation}, strength {strength}", relation=words, strength=strength)
    label = data.labels[column]
    signs = finding.association_signs if isinstance(finding, Finding) else ()
    ways = "".join(f"\n{association_text(sign)}" for sign in signs if sign.label == label)
    return f"{pair}\n{relation_and_strength}{ways}{care}"
