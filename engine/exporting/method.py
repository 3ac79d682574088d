"""How an analysis was made, in words: its data, its settings, what was done to the table."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.exporting.analysis import Analysis
from engine.exporting.numbers import ENGLISH, NumberWriter, counted
from engine.exporting.sentences import run_sentences, summary_sentences
from engine.exporting.stability_words import stability_sentences
from engine.parameters import Parameter, parameters_of

if TYPE_CHECKING:
    from engine.preparation.settings import PreparationSettings

_EMPTY_MEANS = "automatic"


def setting_rows(settings: Any) -> tuple[tuple[str, str, str], ...]:
    """Give title, value in words and help of every setting that can change a result.

    Examples
    --------
    >>> from engine.boundaries.settings import DiscoverySettings
    >>> setting_rows(DiscoverySettings())[0][:2]
    ('Algorithm', 'HITON-MB')
    """
    return tuple(
        (each.title, value_in_words(each, getattr(settings, each.name)), each.help)
        for each in parameters_of(type(settings))
        if each.changes_result
    )


def value_in_words(description: Parameter, value: Any, numbers: NumberWriter = ENGLISH) -> str:
    """Say the value of a setting as a menu would.

    Examples
    --------
    >>> from engine.boundaries.settings import DiscoverySettings
    >>> [value_in_words(each, each.default) for each in parameters_of(DiscoverySettings)[:4]]
    ['HITON-MB', 'Suited to the table', '0.01', '3']
    >>> value_in_words(parameters_of(DiscoverySettings)[2], 1e-6)
    '0.000001'
    """
    if value is None:
        return "none" if description.kind == "address" else _EMPTY_MEANS
    if description.kind == "choice":
        return next((choice.title for choice in description.choices if choice.value == value), str(value))
    if description.kind == "flag":
        return "yes" if value else "no"
    if description.kind == "texts":
        return ", ".join(value)
    if description.kind == "address":
        return str(value)
    if isinstance(value, int):
        return numbers.count(value)
    # Written out, because a person does not read 1e-06.
    return format(Decimal(f"{value:g}"), "f")


def data_rows(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    """Say what was analysed."""
    dataset = analysis.result.dataset
    rows = [
        ("Table", analysis.title),
        ("Rows", f"{dataset.row_count:,}"),
        ("Features", f"{len(dataset.features):,}"),
        ("Labels", f"{len(dataset.labels):,}"),
    ]
    if dataset.weight is not None:
        rows.append(("Row weights", f"in the column '{dataset.weight}'"))
    if dataset.groups is not None:
        rows.append(("Groups of rows", f"in the column '{dataset.groups}'"))
    if dataset.ignored:
        rows.append(("Set aside", counted(len(dataset.ignored), "column")))
    rows.append(("Content hash (SHA-256)", dataset.content_hash))
    return tuple(rows)


def preparation_rows(settings: PreparationSettings | None) -> tuple[tuple[str, str, str], ...]:
    """Say how the table was made ready; empty when that is not known."""
    return () if settings is None else setting_rows(settings)


def about_rows(analysis: Analysis) -> list[Sequence[str]]:
    """Describe an analysis in rows of two cells, for the first sheet of a spreadsheet."""
    from engine.version import __version__

    result = analysis.result
    rows: list[Sequence[str]] = [("What", "Value")]
    rows += [("Finding", sentence) for sentence in summary_sentences(result)]
    rows += [("Run", sentence) for sentence in run_sentences(result)]
    rows += [("Found again", sentence) for sentence in stability_sentences(result)]
    rows += data_rows(analysis)
    rows += [(title, value) for title, value, _ in preparation_rows(analysis.preparation)]
    rows += [(title, value) for title, value, _ in setting_rows(result.settings_used)]
    rows += [("Note", note.message) for note in result.dataset.notes]
    rows.append(("Program", f"CLCD {__version__}"))
    return rows
