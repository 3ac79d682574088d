"""What a comparison of selectors says of a single table in words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluation.selection.figures import MethodFigures, method_figures, rival_count, splits_needed
from engine.evaluation.selection.methods import CLCD_FS, selection_methods
from engine.evaluation.selection.metrics import PAPER_METRICS, metrics
from engine.evaluation.selection.result import SelectionComparison
from engine.wording.numbers import counted


def table_sentences(result: SelectionComparison, table: str) -> tuple[str, ...]:
    """Say how many features CLCD-FS selects, where it stands, and whether that is more than chance.

    Parameters
    ----------
    result : SelectionComparison
        May be partial; only what is done is spoken of.
    table : str
        By name.

    Returns
    -------
    tuple of str
        None before CLCD-FS has finished a split.
    """
    rows = {each.method: each for each in method_figures(result, table)}
    own = rows.pop(CLCD_FS, None)
    if own is None or own.features is None:
        return ()
    features = next(len(each.features) for each in result.tables if each.name == table)
    size = f"CLCD-FS selects {own.features:.3g} of {counted(features, 'feature')}"
    if own.splits > 1:
        size += f" in the mean of {counted(own.splits, 'split')}"
    ranked = [each for each in rows.values() if _is_ranked(each)]
    if not ranked:
        return (f"{size}.",)
    beside = f"{size}; beside {counted(len(ranked), 'other selector')} at that number it is {_places(own)}."
    return tuple(filter(None, (beside, _best_words(own, ranked), *_chance_sentences(result, rows))))


def _is_ranked(row: MethodFigures) -> bool:
    return any(figure.rank is not None for figure in row.figures.values())


def _places(own: MethodFigures) -> str:
    """Name its places, metrics with the same place together."""
    places: dict[int, list[str]] = {}
    for name in PAPER_METRICS:
        rank = own.figures[name].rank if name in own.figures else None
        if rank is not None:
            places.setdefault(rank, []).append(metrics()[name].title)
    return ", ".join(f"number {rank} by {_listed(titles)}" for rank, titles in sorted(places.items()))


def _best_words(own: MethodFigures, rivals: Sequence[MethodFigures]) -> str:
    """Name who is the best by the metrics by which CLCD-FS is not."""
    best_by: dict[str, list[str]] = {}
    for name in PAPER_METRICS:
        best = next((each for each in rivals if name in each.figures and each.figures[name].is_best), None)
        if best is not None and name in own.figures and not own.figures[name].is_best:
            means = f"{best.figures[name].spread.mean:.3f} against {own.figures[name].spread.mean:.3f}"
            words = f"{metrics()[name].title} ({means})"
            best_by.setdefault(selection_methods()[best.method].title, []).append(words)
    if not best_by:
        return ""
    return f"Best: {'; '.join(f'{title} by {_listed(names)}' for title, names in best_by.items())}."


def _chance_sentences(result: SelectionComparison, rows: dict[str, MethodFigures]) -> list[str]:
    needed = splits_needed(max(rival_count(result), 1))
    if result.settings.splits < needed:
        return [
            f"With {counted(result.settings.splits, 'split')} no difference can come out as more than chance "
            f"beside so many others; {needed} splits are the fewest."
        ]
    found = []
    for name in PAPER_METRICS:
        standings = [each.figures[name].standing for each in rows.values() if name in each.figures]
        better, worse = standings.count("better"), standings.count("worse")
        if better or worse:
            found.append(f"better than {better} and worse than {worse} by {metrics()[name].title}")
    if not found:
        return ["No difference from another method is more than chance over these splits."]
    return [f"More than chance over these splits: it is {'; '.join(found)}."]


def _listed(words: Sequence[str]) -> str:
    """Join with commas, and "and" before the last."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
