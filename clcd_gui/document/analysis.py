"""Everything that a run depends on, as one value that never changes; its history; and what is stale."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtGui import QUndoCommand

from clcd_gui.wording.settings import changes
from clcd_gui.wording.text import count_text
from engine.boundaries.settings import DiscoverySettings
from engine.discovery.row_split import RowSplit
from engine.knowledge.knowledge import Knowledge
from engine.preparation.settings import PreparationSettings
from engine.table.dataset import Dataset
from engine.table.variable import Role
from engine.wording.phrases import for_count

NOTHING_KNOWN = Knowledge()


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A table with its roles, and how it is prepared and searched.

    Attributes
    ----------
    dataset : Dataset
        The table as read, with the roles and kinds that the person gave.
    preparation : PreparationSettings
    discovery : DiscoverySettings
    knowledge : Knowledge
        What is known of causes and effects before the table is looked at.
    split : RowSplit or None
        Which rows are searched, so that the others measure sizes; None where all do both.
    preferred : tuple of str
        Variables that are preferred to what is interchangeable with them, the latest choice first. What a
        run finds does not depend on them.
    """

    dataset: Dataset
    preparation: PreparationSettings
    discovery: DiscoverySettings
    knowledge: Knowledge = NOTHING_KNOWN
    split: RowSplit | None = None
    preferred: tuple[str, ...] = ()

    @classmethod
    def of(cls, dataset: Dataset) -> Analysis:
        """Begin with the default settings."""
        return cls(dataset, PreparationSettings(), DiscoverySettings())

    def with_roles(self, names: Iterable[str], role: Role) -> Analysis:
        """Give some variables a role."""
        return replace(self, dataset=self.dataset.with_roles(dict.fromkeys(names, role)))

    def with_labels(self, names: Iterable[str]) -> Analysis:
        """Make exactly these variables the labels."""
        return replace(self, dataset=self.dataset.with_labels(names))

    def with_settings(
        self, preparation: dict[str, Any] | None = None, discovery: dict[str, Any] | None = None
    ) -> Analysis:
        """Change some settings.

        Raises
        ------
        InvalidParameter
            When a value is impossible.
        """
        return replace(
            self,
            preparation=replace(self.preparation, **(preparation or {})),
            discovery=replace(self.discovery, **(discovery or {})),
        )

    def is_same_as(self, other: Analysis) -> bool:
        """Tell whether a run would give the same result, whoever does the work."""
        return (
            self.dataset.variables == other.dataset.variables
            and all(
                mine is its for mine, its in zip(self.dataset.columns, other.dataset.columns, strict=True)
            )
            and self.preparation == other.preparation
            and self.discovery.decisive() == other.discovery.decisive()
            and self.knowledge == other.knowledge
            and self.split == other.split
        )


class ChangeAnalysis(QUndoCommand):
    """Replaces one immutable analysis by another.

    Parameters
    ----------
    apply : callable
        Takes over an analysis.
    before, after : Analysis
    text : str
        What the menu calls it, e.g. ``"make 6 columns labels"``.
    merge_key : str
        Changes in a row with the same key, such as the ticks of one spin box, are undone as one;
        empty keeps them apart.
    """

    def __init__(
        self,
        apply: Callable[[Analysis], None],
        before: Analysis,
        after: Analysis,
        text: str,
        merge_key: str = "",
    ) -> None:
        super().__init__(text)
        self._apply = apply
        self._before = before
        self._after = after
        self._merge_key = merge_key

    def id(self) -> int:
        """Tell the stack which commands may be merged; -1 for none."""
        return hash(self._merge_key) % 2**31 if self._merge_key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take the later of two changes of the same thing."""
        if not isinstance(other, ChangeAnalysis) or other._merge_key != self._merge_key:
            return False
        self._after = other._after
        self.setObsolete(self._after.is_same_as(self._before))
        return True

    def redo(self) -> None:
        """Make the change."""
        self._apply(self._after)

    def undo(self) -> None:
        """Take the change back."""
        self._apply(self._before)


def stale_reason(searched: Analysis, current: Analysis) -> str | None:
    """Say what changed since a run, as one sentence; None when nothing did.

    Parameters
    ----------
    searched : Analysis
        What the result was computed from.
    current : Analysis
        What a run would use now.
    """
    if searched.is_same_as(current):
        return None
    sentences = [
        *_role_changes(searched, current),
        *changes(searched.preparation, current.preparation),
        *changes(searched.discovery.decisive(), current.discovery.decisive()),
        *_split_changes(searched.split, current.split),
        *(["what is known is another"] if searched.knowledge != current.knowledge else []),
    ]
    text = "; ".join(sentences) or "the table changed"
    return f"{text[:1].upper()}{text[1:]}."


def _split_changes(before: RowSplit | None, after: RowSplit | None) -> list[str]:
    if before is not None and after is not None:
        return changes(before, after)
    if before == after:
        return []
    return ["rows were split and are no more" if after is None else "rows were not split and are now"]


def _role_changes(searched: Analysis, current: Analysis) -> list[str]:
    before = {variable.name: variable for variable in searched.dataset.variables}
    after = {variable.name: variable for variable in current.dataset.variables}
    if before.keys() != after.keys():
        return ["another table was opened"]
    roles = sum(before[name].role is not after[name].role for name in before)
    kinds = sum(before[name].kind is not after[name].kind for name in before)
    sentences = []
    if roles:
        another_role = for_count(
            roles, "{count} column has another role", "{count} columns have another role"
        )
        sentences.append(another_role.format(count=count_text(roles)))
    if kinds:
        another_type = for_count(
            kinds, "{count} column has another type", "{count} columns have another type"
        )
        sentences.append(another_type.format(count=count_text(kinds)))
    return sentences
