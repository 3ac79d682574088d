"""Labels that go together as if they reflected one thing, and what is linked to all of them as one outcome.

Several scores of one illness share most of what they tell, so that each explains away what acts on the
others. Such labels are recognised as items of a questionnaire are (:mod:`engine.independence.reflective`).
Three suffice. No label of the group, and none of the features that are linked to any label, may explain why
the others go together: in a chain of labels one of them does, and with measured common causes these do.

Of the two ways to test a feature against several outcomes at once, a likelihood ratio of all of them and a
score, CLCD takes the score. It spends one degree of freedom, where a ratio spends one for each outcome
(O'Brien 1984, Procedures for comparing samples with multiple endpoints, Biometrics 40:1079-1087). It can be
searched like any label: by the same test, with weights, groups of rows and missing values, and with sets of
features conditioned on. Members count equally, which loses little where one factor fits (Wainer 1976,
Estimating coefficients in linear models: It don't make no nevermind, Psychological Bulletin 83:213-217).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.discovery.evidence import Evidence
from engine.errors import InvalidParameter
from engine.independence.normal_scores import normal_scores, with_an_order
from engine.independence.reflective import OF_OUTCOMES, ReflectiveBlock, loadings_of, reflective_blocks
from engine.parameters import require_type
from engine.recipe.table_steps import Score
from engine.table.dataset import Dataset
from engine.table.scores import with_score
from engine.table.variable import Role, Variable, missing_mask
from engine.translation import _, for_count
from engine.wording.phrases import plain_listing
from engine.wording.sentences import MAKE_A_DATASET
from engine.wording.setting_names import the_setting

_MOST_NAMES, _FEWEST_NAMED = 2, 2
# As of findings that must be read with care (:mod:`engine.discovery.flags`).
_FEWEST_ROWS = 20


@dataclass(frozen=True, slots=True)
class LabelGroup:
    """Labels that go together as if they reflected one thing.

    >>> group = LabelGroup(("pain", "fatigue", "wellbeing"), (0.8, 0.7, -0.6))
    >>> group.reversed, group.name
    (('wellbeing',), 'Score of pain, fatigue and wellbeing')
    """

    members: tuple[str, ...]  # in column order; three at least
    # correlation with it, by normal scores of ranks or the event; negative of reversed labels
    loadings: tuple[float, ...]
    # the strongest for each feature linked to the score, whose name is its label
    reasons: tuple[Evidence, ...] = ()
    tests: int = 0  # made in the search of the score

    @property
    def reversed(self) -> tuple[str, ...]:
        """Members that go the other way than most."""
        return ReflectiveBlock(self.members, self.loadings).reversed

    @property
    def name(self) -> str:
        """What the score of the members is called: a name in data, the same in every language."""
        shown = list(self.members)
        if len(shown) > _MOST_NAMES + 1:
            shown = [*shown[:_MOST_NAMES], f"{len(shown) - _MOST_NAMES:,} more"]
        first = ", ".join(shown[:-1])
        return f"Score of {first} and {shown[-1]}"

    @property
    def features(self) -> tuple[str, ...]:
        """Features that are linked to the score, in column order."""
        return tuple(reason.feature for reason in self.reasons)

    def score_step(self) -> Score:
        """Return the step of a recipe that makes the score of the members."""
        return Score(self.name, self.members, self.reversed)

    def tiers_with_score(self, tiers: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
        """Put the score into the tier of the latest member; into none where a member stands in none.

        >>> LabelGroup(("a", "b"), (0.8, 0.7)).tiers_with_score([["x", "a"], ["b"], ["y"]])
        (('x', 'a'), ('b', 'Score of a and b'), ('y',))
        """
        places = [number for number, tier in enumerate(tiers) for name in tier if name in self.members]
        latest = max(places) if len(places) == len(self.members) else None
        return tuple(
            (*tier, self.name) if number == latest else tuple(tier) for number, tier in enumerate(tiers)
        )

    def as_one_outcome(self, dataset: Dataset) -> Dataset:
        """Return a table in which the score is the label, and the members take no part."""
        require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
        scored = with_score(dataset, self.name, self.members, self.reversed)
        return scored.with_roles({**dict.fromkeys(self.members, Role.IGNORED), self.name: Role.LABEL})


def label_groups_in(dataset: Dataset, linked: Iterable[str]) -> tuple[LabelGroup, ...]:
    """Return groups of labels that seem to reflect one thing; `linked` features may explain them."""
    labels = [name for name in dataset.labels if _varies(dataset, name)]
    if len(labels) < OF_OUTCOMES.members:
        return ()
    blocks = reflective_blocks(dataset, labels, others=tuple(linked), bounds=OF_OUTCOMES)
    return tuple(_group(dataset, block) for block in blocks)


def _varies(dataset: Dataset, name: str) -> bool:
    """Tell whether enough rows differ from the most frequent value: a few rows make any labels alike."""
    variable, column = dataset.variable(name), dataset.column(name)
    present = column[~missing_mask(variable, column)]
    _, counts = np.unique(present, return_counts=True)
    return len(present) - int(counts.max(initial=0)) >= _FEWEST_ROWS


def group_of(dataset: Dataset, names: Iterable[str]) -> LabelGroup:
    """Return labels that a person names as a group, whether or not they go together, reversed ones turned.

    >>> import pandas
    >>> frame = pandas.DataFrame({"age": [4.0, 2.0, 3.0], "pain": [1.0, 2.0, 3.0], "well": [7.0, 4.0, 3.5]})
    >>> group_of(Dataset.from_frame(frame, labels=["pain", "well"]), ["pain", "well"]).reversed
    ('well',)
    """
    named = list(dict.fromkeys(names))
    wrong = [name for name in named if name not in dataset.labels]
    if wrong:
        problem = for_count(len(wrong), "{names} is not a label.", "{names} are not labels.")
        raise InvalidParameter(
            problem.format(names=plain_listing(wrong)),
            place=the_setting("names"),
            remedy=_("Name labels only."),
        )
    members = with_an_order(dataset, set(named))
    unordered = [name for name in named if name not in members]
    if unordered:
        problem = _("the levels of {unordered} have no order.", unordered=plain_listing(unordered))
        remedy = _("Leave it out, or order its levels.")
        raise InvalidParameter(problem, place=the_setting("names"), remedy=remedy)
    if len(members) < _FEWEST_NAMED:
        problem = _("fewer than two labels are named.")
        raise InvalidParameter(problem, place=the_setting("names"), remedy=_("Name two labels or more."))
    scores = normal_scores(dataset, members, slice(None))
    correlations = scores.correlations(scores)
    np.fill_diagonal(correlations, 1.0)
    block = ReflectiveBlock(tuple(members), tuple(map(float, loadings_of(correlations))))
    return _group(dataset, block)


def _group(dataset: Dataset, block: ReflectiveBlock) -> LabelGroup:
    """Turn loadings so that two-valued labels count by their event, and most labels go upward."""
    loadings = np.array(block.loadings)
    loadings[[_counts_first_level(dataset.variable(name)) for name in block.members]] *= -1.0
    balance = np.sign(loadings).sum() or loadings[np.abs(loadings).argmax()]
    return LabelGroup(block.members, tuple(map(float, loadings if balance > 0.0 else -loadings)))


def _counts_first_level(variable: Variable) -> bool:
    return variable.level_count == 2 and variable.event == variable.levels[0]
