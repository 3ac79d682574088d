"""The report: which parts it has, in which order, and what becomes of them in each kind of file."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.errors import InvalidParameter
from engine.reporting.report import background, findings
from engine.reporting.report.blocks import Block, Report, Section
from engine.reporting.tables import ResultContext
from engine.translation import N_, _
from engine.wording.numbers import counted
from engine.wording.pages import date_text
from engine.wording.sentences import choose_one, nearest_or
from engine.wording.setting_names import the_setting
from engine.wording.shown_names import names_shown


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A part that a report may have, called as the function that makes it."""

    title: str
    help: str
    make: Callable[[ResultContext], tuple[Block, ...]]
    is_standard: bool = True
    is_untitled: bool = False
    key: str = ""  # where the terminal calls it otherwise than the function

    @property
    def name(self) -> str:
        """What it is called in the terminal."""
        return self.key or self.make.__name__.replace("_", "-")


_PARTS = (
    ReportPart(N_("Summary"), N_("The findings in a few sentences."), findings.overview, is_untitled=True),
    ReportPart(
        N_("Stability of the findings"),
        N_("How often findings returned when parts of the rows were searched again."),
        findings.stability,
    ),
    ReportPart(N_("At a glance"), N_("Variables crossed with labels, as a grid."), findings.grid),
    ReportPart(N_("The graph"), N_("Variables and labels as a graph, strongest first."), findings.graph),
    ReportPart(
        N_("Label by label"),
        N_("The number of variables for each label, and which labels share variables."),
        findings.labels,
    ),
    ReportPart(
        N_("Common variables"),
        N_("Every variable that is linked to two or more labels, with the deciding tests."),
        findings.common,
    ),
    ReportPart(
        N_("Label-specific variables"),
        N_("Every variable that is linked to one label only."),
        findings.label_specific,
    ),
    ReportPart(
        N_("Links through other labels"),
        N_("Variables whose link with a label other labels explain."),
        findings.through_labels,
    ),
    ReportPart(
        N_("Causes and effects"),
        N_("Which variables are causes and which are effects, with the evidence."),
        findings.directions,
    ),
    ReportPart(
        N_("Estimates"),
        N_("Differences with their intervals, as a figure and as a table."),
        findings.sizes,
    ),
    ReportPart(
        N_("Interchangeable variables"),
        N_("Pairs that carry the same information about a label, with their tests."),
        findings.interchangeable,
    ),
    ReportPart(
        N_("Not distinguishable with these data"),
        N_("Pairs between which the tests show no difference, with too few rows to show that there is none."),
        findings.not_told_apart,
    ),
    ReportPart(
        N_("Links between labels"), N_("Labels that are neighbours of each other."), findings.label_relations
    ),
    ReportPart(
        N_("Two runs side by side"),
        N_("Differences between two runs that you chose on the page Runs."),
        findings.comparison,
    ),
    ReportPart(
        N_("Background knowledge"),
        N_("Tiers and statements given with the run, and results that contradict them."),
        background.background_knowledge,
        key="known",
    ),
    ReportPart(N_("Terms"), N_("What the terms of the report mean."), background.words),
    ReportPart(
        N_("The data"),
        N_("The table that was analysed, and what CLCD guessed, changed or set aside."),
        background.data,
    ),
    ReportPart(
        N_("How the table was made"),
        N_("Steps in the table that was read: recoded, cut, filtered and computed columns."),
        background.recipe,
    ),
    ReportPart(
        N_("How the table was prepared"),
        N_("How missing values and numbers were treated."),
        background.preparation,
    ),
    ReportPart(N_("How it was searched"), N_("Every setting of the search."), background.settings),
    ReportPart(
        N_("Methods, for a paper"),
        N_("A methods section in a few paragraphs, which you can use in a paper."),
        background.methods,
    ),
    ReportPart(
        N_("Meaning and limits of these findings"),
        N_("Assumptions, chance, and what a finding does not show."),
        background.limits,
    ),
    ReportPart(
        N_("Notes"),
        N_("Your notes on the analysis, its variables and its findings."),
        background.notes,
    ),
    ReportPart(
        N_("To do it again"), N_("Versions, the hash of the table and the seeds."), background.versions
    ),
    ReportPart(N_("References"), N_("The literature of the methods used."), background.references),
)


def report_parts() -> dict[str, ReportPart]:
    """Return every part that a report may have by name, in the usual order."""
    return {part.name: part for part in _PARTS}


def standard_parts() -> tuple[str, ...]:
    """Return the names of the parts of a report of which nothing was said."""
    return tuple(part.name for part in _PARTS if part.is_standard)


def chosen_parts(names: Sequence[str]) -> tuple[ReportPart, ...]:
    """Return the parts of some names, in their order, each once.

    >>> [each.title for each in chosen_parts(["references", "overview"])]
    ['References', 'Summary']
    """
    parts = report_parts()
    for name in names:
        if name not in parts:
            raise InvalidParameter(
                _("a report has no part '{name}'.", name=name),
                place=the_setting("report_parts"),
                remedy=nearest_or(name, parts, choose_one(parts)),
            )
    return tuple(parts[name] for name in dict.fromkeys(names or standard_parts()))


def make_report(analysis: ResultContext, day: datetime.date | None = None) -> Report:
    """Return the chosen parts of an analysis; those that it has nothing for are left out."""
    from engine.version import __version__

    dataset = analysis.result.dataset
    date = day or datetime.date.today()
    sections: list[Section] = []
    for part in chosen_parts(analysis.report_parts):
        with names_shown(analysis.shown_names):
            blocks = part.make(analysis)
        if blocks:
            title = "" if part.is_untitled and not sections else _(part.title)
            sections.append(Section(part.name, title, blocks))
    facts = (
        counted(dataset.row_count, "row"),
        counted(len(dataset.features), "feature"),
        counted(len(dataset.labels), "label"),
        date_text(date),
    )
    title = _(_TITLE, table=analysis.title)
    return Report(title, facts, tuple(sections), __version__, date.isoformat())


_TITLE = N_("What is linked to the labels of {table}")
