"""Columns of many categories: where rows bear them, and what that costs.

A category of few rows tells little, and a column of many asks many figures of the rows. Up to *Most
categories* a column takes part whatever the rows. With more it does where there are rows enough for each, up
to a hundred categories. Beyond, tests and regressions would take longer than all the rest.
"""

from __future__ import annotations

from engine.preparation.preparation_settings import PreparationSettings
from engine.table.dataset import Dataset
from engine.table.variable import Kind, missing_mask
from engine.wording.notes import notes_about

MANY_LEVELS_SEARCHED = "many-levels-searched"
"""Topic of the note that says which columns of many categories take part."""

MOST_LEVELS_WITH_ROWS = 100


def are_borne(levels: int, rows: int, settings: PreparationSettings) -> bool:
    """Tell whether a column with so many categories in so many rows takes part.

    >>> usual = PreparationSettings()
    >>> are_borne(20, 60, usual), are_borne(40, 400, usual), are_borne(40, 399, usual)
    (True, True, False)
    """
    if levels <= settings.max_levels:
        return True
    return levels <= MOST_LEVELS_WITH_ROWS and rows >= settings.rows_per_level * levels


def why_not_borne(levels: int, settings: PreparationSettings) -> str:
    """Say why a column with so many categories takes no part, as the end of a sentence."""
    most = max(settings.max_levels, MOST_LEVELS_WITH_ROWS)
    if levels > most:
        return f"{levels:,} categories, more than {most:,}"
    return (
        f"{levels:,} categories, more than {settings.max_levels:,}, with fewer than "
        f"{settings.rows_per_level:,} rows for each"
    )


def note_many_levels(dataset: Dataset, settings: PreparationSettings) -> Dataset:
    """Say which columns of many categories take part, and what they cost in rows."""
    sentences: dict[str, str] = {}
    for variable, column in zip(dataset.variables, dataset.columns, strict=True):
        is_wide = variable.kind is Kind.NOMINAL and variable.level_count > settings.max_levels
        if not is_wide or not variable.role.takes_part:
            continue
        rows = len(column) - int(missing_mask(variable, column).sum())
        sentences[variable.name] = _COSTS.format(
            name=variable.name, levels=variable.level_count, rows=rows // variable.level_count
        )
    if not sentences:
        return dataset
    return dataset.with_notes(notes_about(MANY_LEVELS_SEARCHED, sentences, _COST_TOGETHER))


_COSTS = (
    "'{name}' has {levels:,} categories, with {rows:,} rows for each on average. A test of it needs more "
    "rows than one of few categories, and a test that conditions on it more still: weak links may be missed."
)
_COST_TOGETHER = (
    "{count} columns have many categories: {names}. Tests of them need more rows than those of few "
    "categories, and tests that condition on them more still: weak links may be missed."
)
