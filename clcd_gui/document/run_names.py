"""What a run is called before anybody names it: by what sets it apart from the first one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from clcd_gui.document.analysis import Analysis
from clcd_gui.wording.settings import lower_first, setting_text
from clcd_gui.wording.text import NUMBERS, counted
from engine.parameters import parameter_of, parameters_of
from engine.recipe.column_steps import Describe, ReadAs, Rename
from engine.recipe.row_blocks import RowBlocks
from engine.recipe.table_steps import Filter
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role
from engine.wording.numbers import written_out

_MOST_PARTS = 4
_NAMED_COLUMNS = 2
# What these do is told by the condition or the type, or makes no difference.
_TOLD_OTHERWISE = (Filter, ReadAs, Describe, Rename, RowBlocks)


def run_name(searched: Analysis, first: Analysis | None, is_partial: bool = False) -> str:
    """Return a name for a run, by what differs from the first run of the history.

    Parameters
    ----------
    first : Analysis or None
        What the first run was computed from; None where this is it, which is named by its rows and its level.

    Examples
    --------
    >>> from engine.table.dataset import Dataset
    >>> first = Analysis.of(Dataset((), ()))
    >>> run_name(first, None), run_name(first.with_settings(discovery={"algorithm": "pcmb"}), first)
    ('α 0.01', 'PCMB')
    """
    parts = _conditions(searched) if first is None else list(_differences(first, searched))
    if first is None or not parts:
        parts = [*parts, _level(searched)]
    if len(parts) > _MOST_PARTS:
        parts = [*parts[: _MOST_PARTS - 1], "…"]
    if is_partial:
        parts.append("stopped early")
    return ", ".join(parts)


def unlike(name: str, taken: Collection[str]) -> str:
    """Return a name that is not among others: the same one, or with a number behind it.

    Examples
    --------
    >>> unlike("α 0.05", ["α 0.01"]), unlike("α 0.05", ["α 0.05", "α 0.05 (2)"])
    ('α 0.05', 'α 0.05 (3)')
    """
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name} ({number})"
    return found


def _differences(first: Analysis, searched: Analysis) -> Iterator[str]:
    """Yield what sets a run apart from the first one, a few words each, what matters most first."""
    yield from _rows(first, searched)
    yield from _roles(first.dataset, searched.dataset)
    mine, its = first.discovery.decisive(), searched.discovery.decisive()
    yield from _settings(mine, its)
    yield from _settings(first.preparation, searched.preparation)
    if first.knowledge != searched.knowledge:
        yield "nothing known" if searched.knowledge.is_empty else "other knowledge"


def _conditions(searched: Analysis) -> list[str]:
    return [each.expression.strip() for each in searched.recipe.active if isinstance(each, Filter)]


def _rows(first: Analysis, searched: Analysis) -> Iterator[str]:
    before = first.recipe.active
    conditions = [each for each in searched.recipe.active if isinstance(each, Filter) and each not in before]
    for each in conditions:
        yield each.expression.strip()
    if not conditions and first.dataset.row_count != searched.dataset.row_count:
        yield counted(searched.dataset.row_count, "row")
    new = [each for each in searched.recipe.active if each not in before]
    new += [each for each in before if each not in searched.recipe.active]
    others = [each for each in new if not isinstance(each, _TOLD_OTHERWISE)]
    if others:
        changed = list(dict.fromkeys(name for each in others for name in each.uses))
        yield f"{_few(changed)} changed"
    blocks = [
        [each for each in steps if isinstance(each, RowBlocks)] for steps in (before, searched.recipe.active)
    ]
    if all(blocks) and blocks[0] != blocks[1]:
        yield "other blocks of rows"
    if first.split != searched.split:
        if searched.split is None:
            yield "all rows"
        else:
            share = NUMBERS.share(searched.split.share)
            yield f"{share} of the rows" if searched.split.seed == 0 else f"{share} of the rows, drawn anew"


def _roles(first: Dataset, other: Dataset) -> Iterator[str]:
    before = {each.name: each for each in first.variables}
    after = {each.name: each for each in other.variables}
    in_both = [name for name in after if name in before]

    def taking(role: Role, where: dict[str, Any]) -> set[str]:
        return {name for name in in_both if where[name].role is role}

    labels = taking(Role.LABEL, after) - taking(Role.LABEL, before)
    no_labels = taking(Role.LABEL, before) - taking(Role.LABEL, after)
    features, no_features = (
        taking(Role.FEATURE, after) - taking(Role.FEATURE, before) - no_labels,
        taking(Role.FEATURE, before) - taking(Role.FEATURE, after) - labels,
    )
    for role, given, taken in (
        (Role.GROUPS, "grouped by {names}", "rows not grouped"),
        (Role.WEIGHT, "weighted by {names}", "rows not weighted"),
    ):
        columns = [[each.name for each in table.variables if each.role is role] for table in (first, other)]
        if columns[0] != columns[1]:
            yield given.format(names=_few(columns[1])) if columns[1] else taken
            features -= set(columns[0])
            no_features -= set(columns[1])
    for names, text in (
        (labels, "{names} as label"),
        (no_labels, "not {names} as label"),
        (features, "with {names}"),
        (no_features, "without {names}"),
    ):
        if names:
            yield text.format(names=_few([name for name in in_both if name in names]))
    for kind, text in ((Kind.NOMINAL, "{names} as categories"), (Kind.CONTINUOUS, "{names} as numbers")):
        changed = [name for name in in_both if after[name].kind is kind is not before[name].kind]
        if changed:
            yield text.format(names=_few(changed))


def _settings(before: Any, after: Any) -> Iterator[str]:
    for parameter in parameters_of(type(after)):
        value = getattr(after, parameter.name)
        if value == getattr(before, parameter.name):
            continue
        if parameter.name == "alpha":
            if not getattr(after, "automatic_alpha", False):
                yield f"α {written_out(value)}"
        elif parameter.name == "automatic_alpha" and not value:
            # The level is named, which may be the one that is set anyhow.
            if after.alpha == before.alpha:
                yield f"α {written_out(after.alpha)}"
        elif parameter.kind == "flag":
            title = lower_first(parameter.title)
            yield title if value else f"{title}: off"
        else:
            yield setting_text(parameter, value)


def _level(searched: Analysis) -> str:
    if searched.discovery.automatic_alpha:
        return lower_first(parameter_of(type(searched.discovery), "automatic_alpha").title)
    return f"α {written_out(searched.discovery.alpha)}"


def _few(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= _NAMED_COLUMNS else counted(len(names), "column")
