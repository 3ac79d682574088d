"""Everything that a run needs to know of one label: what was found, what is reported, who is next to whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.discovery.assemble import LabelReport, report_label
from engine.discovery.label_search import LabelFindings, LabelSearch


@dataclass(frozen=True)
class LabelOutcome:
    """What came of the search around one label; it can be sent from one process to another.

    Attributes
    ----------
    findings : LabelFindings
        What was found, by position.
    report : LabelReport
        The same by name, with the tests that prove it.
    around : mapping of int to Neighbourhood
        Neighbourhoods of the label's neighbours, from which directions are told.
    """

    findings: LabelFindings
    report: LabelReport
    around: Mapping[int, Neighbourhood]


def search_label(search: Neighbourhoods, label_search: LabelSearch, label: int) -> LabelOutcome:
    """Search around one label and report what was found.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings, stop; the same that `label_search` uses.
    label_search : LabelSearch
    label : int
        Position of the label.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    findings = label_search.find(label)
    report = report_label(findings, search.data, search.settings, search.stop)
    # Most algorithms have made these searches already.
    around = {member: search.neighbours(member) for member in findings.neighbourhood.members}
    return LabelOutcome(findings, report, around)
