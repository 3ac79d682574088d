"""The selected features and why each was selected, as ``selection.json``.

Its members, in this order:

``format``
    ``"clcd-selection"``.
``schema_version``
    1. Members may be added without a new number; it rises when one is removed or changes its meaning.
``run``
    The only part that may differ between two runs of the same selection: ``program_version`` and
    ``workers``.
``preferred``
    As in ``result.json``: features that were to be selected rather than what is interchangeable with them.
``data``
    The prepared table, as in ``result.json``.
``settings``
    ``preparation`` (null when not known) and ``discovery``, by field name.
``summary``
    ``selected``, ``of_features``, ``common`` and ``label_specific`` as counts, ``partial`` and
    ``unfinished_labels``.
``features``
    In the order in which they were chosen: ``feature``, ``labels`` that it serves, ``stands_for`` (variables
    whose place it takes) and ``reasons``, each with ``label``, ``rule``, ``symbol``, ``stands_for``,
    ``together_with`` (features that take the place jointly with it), ``children`` (effects through which
    a spouse counts), ``in_place_of`` (labels in whose place it came), ``alternatives`` (features that could
    have been selected instead), ``strength`` and ``log_p`` of the marginal association, and ``is_assumed``
    (true where the rows merely do not tell it apart from what it stands for, and a person preferred it).
``labels``
    Each ``label`` with the ``features`` that serve it and the ``removed_labels`` that left its boundary.

Numbers are written as in ``result.json``, each record on a line of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.reporting.result_encoding import data, number
from engine.reporting.result_file import json_lines

if TYPE_CHECKING:
    from engine.preparation.settings import PreparationSettings
    from engine.selection.result import Reason, Selection


FORMAT = "clcd-selection"
SCHEMA_VERSION = 1


def write_selection_file(selection: Selection, preparation: PreparationSettings | None, path: Path) -> None:
    """Write the selected features and the reasons as JSON."""
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.writelines(json_lines(selection_object(selection, preparation)))


def selection_object(selection: Selection, preparation: PreparationSettings | None = None) -> dict[str, Any]:
    """Return everything about a selection as plain dictionaries, lists, texts and numbers."""
    from engine.version import __version__

    discovery = selection.settings.as_dict()
    workers = discovery.pop("workers")
    # Where machines stand is nobody else's business.
    del discovery["cluster"]
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "run": {"program_version": __version__, "workers": workers},
        "preferred": list(selection.discovery.preferred),
        "data": data(selection.dataset),
        "settings": {
            "preparation": None if preparation is None else preparation.as_dict(),
            "discovery": discovery,
        },
        "summary": {
            "selected": len(selection.features),
            "of_features": len(selection.dataset.features),
            "common": len(selection.common),
            "label_specific": len(selection.label_specific),
            "partial": selection.is_partial,
            "unfinished_labels": list(selection.unfinished_labels),
        },
        "features": [
            {
                "feature": feature,
                "labels": list(selection.labels_of(feature)),
                "stands_for": list(selection.stands_for(feature)),
                "reasons": [_reason(each) for each in selection.reasons[feature]],
            }
            for feature in selection.features
        ],
        "labels": [
            {
                "label": label,
                "features": list(selection.features_of(label)),
                "removed_labels": list(boundary.removed_labels),
            }
            for label, boundary in selection.boundaries.items()
        ],
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "label": reason.label,
        "rule": str(reason.rule),
        "symbol": reason.rule.symbol,
        "stands_for": list(reason.stands_for),
        "together_with": list(reason.together_with),
        "children": list(reason.children),
        "in_place_of": list(reason.in_place_of),
        "alternatives": list(reason.alternatives),
        "strength": number(reason.strength),
        "log_p": number(reason.log_p),
        "is_assumed": reason.is_assumed,
    }
