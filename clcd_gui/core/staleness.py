"""Whether a result still belongs to what is on the screen, and if not, what changed."""

from __future__ import annotations

from clcd_gui.core.analysis import Analysis
from clcd_gui.core.number_format import counted
from clcd_gui.core.settings_words import changes


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
    ]
    text = "; ".join(sentences) or "the table changed"
    return f"{text[:1].upper()}{text[1:]}."


def _role_changes(searched: Analysis, current: Analysis) -> list[str]:
    before = {variable.name: variable for variable in searched.dataset.variables}
    after = {variable.name: variable for variable in current.dataset.variables}
    if before.keys() != after.keys():
        return ["another table was opened"]
    roles = sum(before[name].role is not after[name].role for name in before)
    kinds = sum(before[name].kind is not after[name].kind for name in before)
    sentences = []
    if roles:
        sentences.append(f"{counted(roles, 'column has', 'columns have')} another role")
    if kinds:
        sentences.append(f"{counted(kinds, 'column has', 'columns have')} another type")
    return sentences
