"""The overview of a result: what its page is filled with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from clcd_gui.document.navigation import group_anchor, step_anchor
from clcd_gui.document.templates import filled
from clcd_gui.style.short_names import ShortNames
from clcd_gui.wording.text import NUMBERS
from engine.discovery.effects.estimates import Estimand
from engine.discovery.effects.size_words import amount_text, association_beside_label
from engine.discovery.result import DiscoveryResult
from engine.reporting.sentences.directions import direction_phrases
from engine.reporting.sentences.grades import grade_phrases, objection_phrases
from engine.reporting.sentences.groups import group_links
from engine.reporting.sentences.links import through_phrases
from engine.reporting.sentences.overview import Overview
from engine.reporting.sentences.stability import stability_phrases
from engine.wording.phrases import Phrase, plain_listing

_MOST_SENTENCES = 8
_MOST_NOTES = 16
_LONGEST_UNBROKEN = 24
_LONGEST_NAME = 40
_MOST_LABELS = 40
_MOST_OFFERED = 2


@dataclass(frozen=True, slots=True)
class LabelRow:
    """What the overview says of one label.

    Attributes
    ----------
    label : str
        Its name.
    is_finished : bool
        False leaves the rest empty.
    figures : tuple of int
        How many variables count for it and for others, and for it alone; or how many in all, where there is
        one label only.
    strongest : str
        The variable that tells most about it.
    strength : float
        How much that is, between 0 and 1.
    size : str
        Which way the label goes with it, and by how much; empty until that was measured.
    is_doubtful : bool
        Something must be known before this is believed.
    """

    label: str
    is_finished: bool = False
    figures: tuple[int, ...] = ()
    strongest: str = ""
    strength: float = 0.0
    size: str = ""
    is_doubtful: bool = False

    @property
    def is_short(self) -> bool:
        """Whether the name stays on one line."""
        return len(self.label) <= _LONGEST_UNBROKEN


def overview_html(result: DiscoveryResult, is_narrow: bool = False, lost: Phrase = ()) -> str:
    """Write the overview."""
    findings, overview = result.counted_findings, Overview(result, NUMBERS)
    unfinished = set(result.unfinished_labels)
    several = len(findings.labels) > 1
    listed = [label for label in findings.labels if findings.of_label(label) or label in unfinished]
    relations = overview.label_relations() if several else ()
    through = through_phrases(result, NUMBERS) if result.counts_through_labels else ()
    groups = group_links(result, NUMBERS)
    names = ShortNames([*findings.labels, *(each.feature for each in findings.all)])
    return filled(
        "overview.html",
        shown=partial(names.shown, room=_LONGEST_NAME),
        stopped=overview.partial(),
        lost=lost,
        summary=overview.summary(),
        is_narrow=is_narrow,
        headings=("common", "only here") if several else ("variables",),
        labels=[_label_row(result, label) for label in listed[:_MOST_LABELS]] if findings.all else (),
        more_labels=len(listed) - _MOST_LABELS,
        method_page=step_anchor("method"),
        directions=direction_phrases(result, NUMBERS),
        grades=(*grade_phrases(result, NUMBERS), *objection_phrases(result)),
        repetitions=stability_phrases(result, NUMBERS),
        several_labels=several,
        relations=relations[:_MOST_SENTENCES],
        more_relations=len(relations) - _MOST_SENTENCES,
        groups=groups[:_MOST_SENTENCES],
        more_groups=len(groups) - _MOST_SENTENCES,
        offers=[
            (group_anchor(group.name), plain_listing(group.members, _MOST_OFFERED))
            for group in result.label_groups
        ],
        through=through[:_MOST_SENTENCES],
        more_through=len(through) - _MOST_SENTENCES,
        notes=result.dataset.all_notes[:_MOST_NOTES],
        more_notes=len(result.dataset.all_notes) - _MOST_NOTES,
        run=overview.run(),
    )


def _label_row(result: DiscoveryResult, label: str) -> LabelRow:
    if label in result.unfinished_labels:
        return LabelRow(label)
    findings = result.counted_findings
    features = findings.of_label(label)
    common = sum(1 for finding in features if finding.is_common)
    # What is interchangeable with another one is shown under it in the tables, and not in its place here.
    names = {finding.feature for finding in features}
    strongest = next(each.feature for each in features if each.led_by not in names)
    return LabelRow(
        label,
        is_finished=True,
        figures=(common, len(features) - common) if len(findings.labels) > 1 else (len(features),),
        strongest=strongest,
        strength=findings.reasons(strongest, label)[0].strength,
        size=_size(result, strongest, label),
        is_doubtful=label in features[0].doubtful_labels,
    )


def _size(result: DiscoveryResult, feature: str, label: str) -> str:
    if result.effects is None:
        return ""
    sizes = result.counted_findings.sizes(feature, label)
    size = sizes.get(Estimand.ASSOCIATION)
    found = result.counted_findings.association_sign(feature, label)
    sign = "" if found is None else association_beside_label(found)
    if size is None or size.leading is None:
        return sign
    return f"{sign}, {amount_text(size.leading.estimate, size.leading.measure, NUMBERS)}"
