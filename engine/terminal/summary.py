"""What ``clcd discover`` says at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.exporting.direction_words import direction_sentences
from engine.exporting.sentences import listing, run_sentences, summary_sentences
from engine.exporting.stability_words import range_text, stability_sentences
from engine.printable import visible
from engine.terminal.text_table import text_table

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult

_MOST_ROWS = 10


def summary_lines(result: DiscoveryResult, paths: Sequence[Path]) -> Iterator[str]:
    """Say what was found, what to know about the data, and where the files are.

    Parameters
    ----------
    result : DiscoveryResult
    paths : sequence of Path
        Files that were written.

    Yields
    ------
    str
        Lines for a terminal.
    """
    yield from map(visible, summary_sentences(result))
    yield from map(visible, direction_sentences(result))
    yield from map(visible, run_sentences(result))
    yield from map(visible, stability_sentences(result))
    yield from _common_lines(result)
    if result.dataset.notes:
        yield ""
        yield "To know about the data:"
        yield from (f"  {visible(note.message)}" for note in result.dataset.notes)
    yield ""
    yield f"Written to {paths[0].parent}: {listing([path.name for path in paths])}."


def _common_lines(result: DiscoveryResult) -> Iterator[str]:
    common = result.common
    if common.empty:
        return
    shown = list(zip(common["feature"], common["labels"], common["strength"], strict=True))[:_MOST_ROWS]
    again = _found_again(result, {feature: labels for feature, labels, _ in shown})
    rows = [
        [feature, f"{strength:.2f}", *times, f"{len(labels):,}", ", ".join(labels)]
        for (feature, labels, strength), times in zip(shown, again, strict=True)
    ]
    header = ["strength", *(["found again"] if result.stability is not None else []), "labels"]
    yield ""
    yield from text_table(["common variable", *header, "which"], rows, header)
    if len(common) > len(shown):
        yield f"… and {len(common) - len(shown):,} more in common.csv."


def _found_again(result: DiscoveryResult, label_sets: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Say how often each feature was found again for its labels; nothing where nothing was repeated."""
    stability = result.stability
    if stability is None:
        return [[] for _ in label_sets]
    return [
        [range_text([stability.times_found(feature, label) for label in labels], stability.finished)]
        for feature, labels in label_sets.items()
    ]
