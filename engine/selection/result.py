"""What CLCD-FS selected, and why: an entry a feature, and the tables of them with every column declared.

:attr:`Selection.selected` makes the entries, once. Data frames, files and the window read them;
:mod:`engine.discovery.columns` says what a column is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from engine.discovery.columns import ContentKind, FindingColumn, Output, ResultTable
from engine.discovery.evidence import Evidence, Relation, Rule, relation_of
from engine.discovery.finding_words import by_label, reason_text, relations_text
from engine.discovery.findings import COMMON as COMMON_TYPE
from engine.discovery.findings import LABEL_SPECIFIC as LABEL_SPECIFIC_TYPE
from engine.errors import InvalidParameter
from engine.translation import N_, _
from engine.wording.numbers import NumberWriter, counted
from engine.wording.phrases import names_listing
from engine.wording.sentences import NAME_HELP, choose_one

if TYPE_CHECKING:
    import pandas

    from engine.boundaries.discovery_settings import DiscoverySettings
    from engine.discovery.result import DiscoveryResult
    from engine.selection.clcd_fs import FeatureBoundary
    from engine.table.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a selected feature serves a label."""

    feature: str
    label: str
    rule: Rule
    stands_for: tuple[str, ...] = ()  # members of the boundary whose place it takes
    together_with: tuple[str, ...] = ()  # selected features that take that place jointly with it
    children: tuple[str, ...] = ()  # of a spouse and what stands in for one: shared effects
    in_place_of: tuple[str, ...] = ()  # labels that left the boundary for it
    # Features outside the boundary that tell the same about the label, or about a shared effect: each of them
    # could have been selected for the label instead.
    alternatives: tuple[str, ...] = ()
    strength: float = 0.0  # marginal association, between 0 and 1
    log_p: float = 0.0  # of that association
    is_assumed: bool = False  # the rows merely do not tell it apart: a person preferred it

    @property
    def relation(self) -> Relation:
        """How the feature stands to the label: what came in the place of another label is no neighbour."""
        if self.is_assumed:
            return Relation.PREFERRED
        relation = relation_of(self.rule)
        return Relation.IN_PLACE if self.in_place_of and relation is Relation.NEIGHBOUR else relation

    @property
    def text(self) -> str:
        """Why the feature serves the label, in a few words.

        >>> Reason("dose", "ill", Rule.NEIGHBOUR, in_place_of=("tired",)).text
        'in the place of tired'
        """
        if self.is_assumed:
            return _(
                "preferred by you to {stands_for}, from which these data do not distinguish it",
                stands_for=names_listing(self.stands_for),
            )
        if self.in_place_of and not self.rule.is_equivalent:
            return _("in the place of {in_place_of}", in_place_of=names_listing(self.in_place_of))
        return reason_text(
            Evidence(
                self.feature,
                self.label,
                self.rule,
                partner=self.stands_for,
                together_with=self.together_with,
                children=self.children,
            )
        )


@dataclass(frozen=True, slots=True)
class SelectedFeature:
    """One selected feature."""

    order: int  # in which it was chosen, from 1
    feature: str
    reasons: tuple[Reason, ...]  # by label order; tables show the first of a label
    replaces: tuple[str, ...] = ()  # variables whose place it takes, not selected for another label

    @property
    def first_reasons(self) -> tuple[Reason, ...]:
        """One reason a label."""
        return tuple({reason.label: reason for reason in reversed(self.reasons)}.values())[::-1]

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that it serves, in column order."""
        return tuple(dict.fromkeys(reason.label for reason in self.reasons))

    @property
    def relations(self) -> tuple[Relation, ...]:
        """How it stands to each of them."""
        return tuple(reason.relation for reason in self.first_reasons)

    @property
    def rules(self) -> tuple[str, ...]:
        """By which rule it serves each of them."""
        return tuple(str(reason.rule) for reason in self.first_reasons)

    @property
    def strengths(self) -> tuple[float, ...]:
        """How much it tells about each of them, between 0 and 1."""
        return tuple(reason.strength for reason in self.first_reasons)

    @property
    def strength(self) -> float:
        """The greatest of these strengths."""
        return max(reason.strength for reason in self.reasons)

    @property
    def is_common(self) -> bool:
        """Whether it serves two or more labels."""
        return len(self.labels) > 1

    @property
    def type(self) -> str:
        """``"common"`` or ``"label-specific"``, as of a finding."""
        return COMMON_TYPE if self.is_common else LABEL_SPECIFIC_TYPE

    @property
    def why(self) -> str:
        """The reason for its one label in words, or how often each relation holds."""
        return relations_text(self.relations) if self.is_common else self.first_reasons[0].text

    @property
    def stands_for(self) -> tuple[str, ...]:
        """Variables whose place it takes for some label, each once."""
        return tuple(dict.fromkeys(name for reason in self.reasons for name in reason.stands_for))

    @property
    def alternatives(self) -> tuple[str, ...]:
        """Features that could have been selected instead for some label, each once."""
        return tuple(dict.fromkeys(name for reason in self.reasons for name in reason.alternatives))

    @property
    def led_by(self) -> None:
        """No other feature: of interchangeable ones, one alone is selected."""
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which it is looked for."""
        return (self.feature, *self.labels, *self.stands_for, *self.alternatives)


def reasons_tooltip(selected: SelectedFeature, numbers: NumberWriter) -> str:
    """Say for each label that a feature serves why it does, one line a label."""
    texts = [reason.text for reason in selected.first_reasons]
    return by_label(selected.feature, selected.labels, texts, numbers)


_STANDS_FOR: FindingColumn[SelectedFeature] = FindingColumn(
    "stands_for",
    lambda selected: selected.stands_for,
    ContentKind.NAMES,
    N_("Replaces"),
    N_(
        "Variables that the feature replaces: it is interchangeable with them, or you preferred it "
        "to variables that are not distinguishable from it with these data."
    ),
)

SELECTED_FEATURES: ResultTable[Sequence[SelectedFeature], SelectedFeature] = ResultTable(
    "Selected features",
    lambda selected: selected,
    (
        FindingColumn(
            "feature",
            lambda selected: selected.feature,
            ContentKind.NAME,
            N_("Feature"),
            NAME_HELP,
        ),
        FindingColumn(
            "labels",
            lambda selected: selected.labels,
            ContentKind.LABELS,
            N_("Serves"),
            N_("The labels that the feature serves. Click one to see the tests. Sorted by their number."),
            order=lambda selected: len(selected.labels),
            tooltip=reasons_tooltip,
        ),
        FindingColumn(
            "strength",
            lambda selected: selected.strength,
            ContentKind.SHARE,
            N_("Strength"),
            N_(
                "How much information the feature has about a label, the highest of its labels, "
                "from 0 (none) to 1 (complete)."
            ),
        ),
        FindingColumn(
            "why",
            lambda selected: selected.why,
            ContentKind.TEXT,
            N_("Why"),
            N_("The rules by which the feature serves its labels."),
            Output.WINDOW,
            tooltip=reasons_tooltip,
        ),
        _STANDS_FOR,
        FindingColumn(
            "alternatives",
            lambda selected: selected.alternatives,
            ContentKind.NAMES,
            N_("Alternatives"),
            N_(
                "Features that could have been selected instead for some of its labels, because they "
                "carry the same information."
            ),
            Output.FILE | Output.WINDOW,
        ),
        FindingColumn("order", lambda selected: selected.order, ContentKind.COUNT, outputs=Output.FILE),
        FindingColumn("type", lambda selected: selected.type, outputs=Output.FILE),
        FindingColumn(
            "rules", lambda selected: selected.rules, ContentKind.NAMES, outputs=Output.FRAME | Output.FILE
        ),
        FindingColumn("replaces", lambda selected: selected.replaces, ContentKind.NAMES, outputs=Output.FILE),
    ),
    {
        Output.FRAME: ("feature", "labels", "rules", "stands_for", "strength"),
        Output.FILE: (
            "order",
            "feature",
            "type",
            "labels",
            "rules",
            "stands_for",
            "replaces",
            "alternatives",
            "strength",
        ),
    },
    essential=1,
)
"""One row for each selected feature, in the order in which they were chosen."""

COMMON = replace(
    SELECTED_FEATURES,
    title="Common",
    rows=lambda selected: [feature for feature in selected if feature.is_common],
)
"""The same of features that serve two or more labels."""

LABEL_SPECIFIC: ResultTable[Sequence[SelectedFeature], SelectedFeature] = ResultTable(
    "Label-specific",
    lambda selected: [feature for feature in selected if not feature.is_common],
    (
        FindingColumn("feature", lambda selected: selected.feature),
        FindingColumn("label", lambda selected: selected.labels[0]),
        FindingColumn("rule", lambda selected: selected.rules[0]),
        _STANDS_FOR,
        FindingColumn("strength", lambda selected: selected.strength, ContentKind.SHARE),
    ),
)
"""One row for each feature that serves one label."""

REASONS: ResultTable[Sequence[SelectedFeature], Reason] = ResultTable(
    "Reasons",
    lambda selected: [reason for feature in selected for reason in feature.reasons],
    (
        FindingColumn("feature", lambda reason: reason.feature),
        FindingColumn("label", lambda reason: reason.label),
        FindingColumn("rule", lambda reason: str(reason.rule)),
        FindingColumn("symbol", lambda reason: reason.rule.symbol, outputs=Output.FILE),
        FindingColumn("stands_for", lambda reason: reason.stands_for, ContentKind.NAMES),
        FindingColumn("together_with", lambda reason: reason.together_with, ContentKind.NAMES),
        FindingColumn("children", lambda reason: reason.children, ContentKind.NAMES),
        FindingColumn("in_place_of", lambda reason: reason.in_place_of, ContentKind.NAMES),
        FindingColumn("alternatives", lambda reason: reason.alternatives, ContentKind.NAMES),
        FindingColumn("strength", lambda reason: reason.strength, ContentKind.SHARE),
        FindingColumn("log_p", lambda reason: reason.log_p, ContentKind.NUMBER),
        FindingColumn("is_assumed", lambda reason: reason.is_assumed, ContentKind.FLAG),
    ),
)
"""One row for each reason why a feature serves a label."""


@dataclass(frozen=True, eq=False)
class Selection:
    """Selected features, with the labels that each serves and the rules.

    Attributes
    ----------
    features : tuple of str
        Names in order of selection. Features for several labels come first, in the order of the greedy
        search. Features for one label follow, the most strongly associated first.
    reasons : mapping of str to tuple of Reason
        By feature, every label that it serves, in the order of the labels.
    boundaries : mapping of str to FeatureBoundary
        By label, the boundary without labels, from which features were selected.
    discovery : DiscoveryResult
        The result on which the selection is based.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=4, features=20, rows=2000, seed=1)
    >>> selection = engine.select_features(network.dataset)
    >>> set(selection.features) == set(selection.label_sets)
    True
    """

    features: tuple[str, ...]
    reasons: Mapping[str, tuple[Reason, ...]]
    boundaries: Mapping[str, FeatureBoundary]
    discovery: DiscoveryResult

    @property
    def dataset(self) -> Dataset:
        """The prepared table in which features were selected."""
        return self.discovery.dataset

    @property
    def settings(self) -> DiscoverySettings:
        """How they were searched for."""
        return self.discovery.settings

    @property
    def unfinished_labels(self) -> tuple[str, ...]:
        """Labels that a stopped search did not finish, so that nothing was selected for them."""
        return self.discovery.unfinished_labels

    def __repr__(self) -> str:
        table = self.discovery.dataset
        return (
            f"<Selection of {table.name or 'unnamed'}: {len(self.features):,} of "
            f"{counted(len(table.features), 'feature')} for {counted(len(self.boundaries), 'label')}>"
        )

    @property
    def is_partial(self) -> bool:
        """Whether the search was stopped before every label was finished."""
        return bool(self.unfinished_labels)

    @cached_property
    def selected(self) -> tuple[SelectedFeature, ...]:
        """Every selected feature with its reasons, in the order in which they were chosen."""
        chosen = frozenset(self.features)
        ranked = []
        for order, feature in enumerate(self.features, start=1):
            replaced = tuple(name for name in self.stands_for(feature) if name not in chosen)
            ranked.append(SelectedFeature(order, feature, self.reasons[feature], replaced))
        return tuple(ranked)

    @cached_property
    def label_sets(self) -> dict[str, frozenset[str]]:
        """Labels that each selected feature serves, in the order in which the features were chosen."""
        return {
            feature: frozenset(reason.label for reason in self.reasons[feature]) for feature in self.features
        }

    def labels_of(self, feature: str) -> tuple[str, ...]:
        """Return the labels that a feature serves, in label order; none when it was not selected."""
        return tuple(dict.fromkeys(reason.label for reason in self.reasons.get(feature, ())))

    def features_of(self, label: str) -> tuple[str, ...]:
        """Return the features that serve one label, in the order in which they were chosen.

        Raises
        ------
        InvalidParameter
            When there is no such label.
        """
        if label not in self.dataset.labels:
            raise InvalidParameter(
                _("{label!r} is not a label.", label=label), remedy=choose_one(self.dataset.labels)
            )
        return tuple(feature for feature in self.features if label in self.label_sets[feature])

    def stands_for(self, feature: str) -> tuple[str, ...]:
        """Return the variables whose place a selected feature takes, for any label, each once."""
        reasons = self.reasons.get(feature, ())
        return tuple(dict.fromkeys(name for reason in reasons for name in reason.stands_for))

    def alternatives_to(self, feature: str) -> tuple[str, ...]:
        """Return the features that could have been selected instead for some label, each once."""
        reasons = self.reasons.get(feature, ())
        return tuple(dict.fromkeys(name for reason in reasons for name in reason.alternatives))

    @cached_property
    def common(self) -> pandas.DataFrame:
        """One row for each feature that serves two or more labels, in the order in which they were chosen.

        Columns: ``feature``, ``labels`` (tuple of str), ``rules`` (tuple of str, that of each label),
        ``stands_for`` (tuple of str), ``strength`` (the largest of the marginal associations).
        """
        return COMMON.frame(self.selected)

    @cached_property
    def label_specific(self) -> pandas.DataFrame:
        """One row for each feature that serves one label, in the order in which they were chosen.

        Columns: ``feature``, ``label``, ``rule``, ``stands_for`` (tuple of str), ``strength``.
        """
        return LABEL_SPECIFIC.frame(self.selected)

    @cached_property
    def reason_table(self) -> pandas.DataFrame:
        """One row for each reason: feature and label, and the rule with all that goes with it.

        Columns: the fields of :class:`Reason`.
        """
        return REASONS.frame(self.selected)
