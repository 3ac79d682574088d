"""The words of the program, each defined once: tooltips, reports and the help read them here.

Settings and columns explain themselves: :mod:`engine.parameters`, :mod:`engine.discovery.columns`.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Term:
    """A word that the program uses in one meaning."""

    title: str
    definition: str
    more: str = ""
    name: str = ""

    @property
    def key(self) -> str:
        """What it is looked up by: its name, or its title where it has none."""
        return self.name or self.title.lower().replace(" ", "-")


TERMS = (
    Term(
        "label",
        "An outcome you want to explain.",
        "A table has one or more. Each row has one value of each label, mostly yes or no.",
    ),
    Term(
        "feature",
        "A variable that may explain the labels.",
        "Every column that is neither a label, nor left out, nor a row weight, nor the group of a row.",
    ),
    Term(
        "common",
        "A feature that is causally linked to two or more labels.",
        "That is, it is in a Markov boundary of each of them.",
    ),
    Term(
        "label-specific",
        "A feature that is causally linked to exactly one label.",
        "As far as these rows show: with more rows a second label may come to light.",
    ),
    Term(
        "Markov boundary",
        "The smallest set of variables that tells everything about a label that the table can tell.",
        "If nothing unmeasured causes two variables, and the rows are many and independent of each other,"
        " these are the direct causes of the label, its direct effects, and the other causes of those "
        "effects.",
    ),
    Term(
        "direct neighbour",
        "Its association with the label remains given every set of other variables that was tried.",
        "If nothing is hidden, it is a direct cause (parent) or a direct effect (child) of the label. Direct "
        "means: not through another variable of the table.",
        name="neighbour",
    ),
    Term(
        "spouse",
        "Linked to the label among rows alike in a neighbour of both, as two causes of one effect are.",
        "Alone it may tell nothing about the label; beside the shared neighbour it does. Pollen tells "
        "nothing about a cold, but of a person who sneezes it does.",
    ),
    Term(
        "interchangeable",
        "Is shown to tell the same about the label as another variable (information-equivalent).",
        "Shown up to a margin: the data alone cannot tell which of the two is linked to the label.",
    ),
    Term(
        "not told apart",
        "The rows show no difference between two variables, and are too few to show that there is none.",
        "The second one counts for nothing. With more rows it may turn out to be the one that is linked.",
    ),
    Term(
        "label to label",
        "One label is in the Markov boundary of the other.",
        "Labels are not counted among the causal variables; links between labels have a table of their own.",
        name="label-relation",
    ),
    Term(
        "linked to",
        "A variable is linked to a label when it is in a Markov boundary of it, or through other labels.",
        "It is the neutral word: as cause, as effect or as spouse. Where the data tell which, other words"
        " are used.",
        name="linked",
    ),
    Term(
        "through other labels",
        "A variable is linked to a label through other labels when these explain the link.",
        "Treatment may act on death through relapse: given relapse, it tells nothing more about death. CLCD "
        "looks for such links in the table without the other labels, and joins links of labels that are "
        "linked to each other. A joined link is weaker than its steps. As each step was found by itself, "
        "a p-value of at most 0.05 is asked of the whole, and the sentence on the link says "
        "so. CLCD names the labels that explain a link.",
        name="through-labels",
    ),
    Term(
        "group of labels",
        "Three labels or more that go together as if they reflected one thing, as scores of one illness.",
        "No label of the group and no variable explains why the others go together. CLCD also searches the "
        "mean of their standardised values as one outcome. That they measure one thing is not shown by it.",
        name="label-group",
    ),
    Term(
        "second pass",
        "A variable is looked for again where two labels had hidden it from each other.",
        "Two labels that share most of what they tell can each make a variable look needless for the other.",
    ),
    Term(
        "conditional-independence test",
        "Asks whether two variables are still associated among rows alike in other variables.",
        "A search makes thousands of them. *Why?* shows those that decided.",
        name="independence-test",
    ),
    Term(
        "conditioning set",
        "The variables that are known when it is asked whether two others still go together.",
    ),
    Term(
        "level α",
        "How often a test may call two variables dependent that are not.",
        "Report a level that you would have chosen beforehand.",
        name="level",
    ),
    Term(
        "p-value",
        "How often chance alone would give a dependence as strong as this one, or stronger.",
    ),
    Term(
        "q-value",
        "Of all variables that go with a label at least as surely as this one, the share that is expected"
        " to do so by chance.",
    ),
    Term(
        "strength",
        "How much a variable tells about a label in the deciding test, from 0 (nothing) to 1 (everything).",
        "From the (conditional) mutual information of that test. It is no size of an effect.",
    ),
    Term(
        "deciding test",
        "The test whose p-value and strength stand for a link; the variables it conditions on are named "
        "beside it.",
        "For a direct neighbour this is the test with the largest p-value, over all conditioning sets that "
        "were tried. For a spouse it is the test given the variable that links it most strongly. For an "
        "interchangeable variable it is its marginal test. For a link through other labels it is the "
        "deciding test of the search without the other labels, or the test of the two alone or given shared "
        "effects; where it is stated for its steps, this test of categories has one degree of freedom and "
        "one side. Where a regression or a score added the "
        "variable, it is that comparison; of a spouse that the score added, it is about that variable given "
        "the label.",
    ),
    Term(
        "marginal test",
        "A test of two variables that conditions on nothing.",
    ),
    Term(
        "found again",
        "In how many searches of random parts of the rows a variable was found for a label again.",
        "A part has fewer rows than the table, so weak links are missed there more often: a low number is"
        " a reason for doubt, not proof of an error.",
    ),
    Term(
        "cause",
        "Changing it would change the label, if what the program assumes is true.",
        "The data tell it in places only, and never by a single test of the two.",
    ),
    Term(
        "effect",
        "Changing the label would change it, if what the program assumes is true.",
        "An effect tells about the label, and treating it would not help.",
    ),
    Term(
        "unmeasured common cause",
        "Something that is not in the table and causes two variables of it.",
        name="hidden-cause",
    ),
    Term(
        "grade",
        "What is known of the variable as to its labels, even if something is hidden.",
        "Tables, pictures, sentences and files say the grade. Only where there is none, they say the "
        "direction that holds if nothing is hidden.",
    ),
    Term(
        "event",
        "The one of two levels, such as yes, of which directions of association and estimates speak.",
        "CLCD takes it from the names of the levels, and from 0 and 1. Where these do not tell, you "
        "choose it.",
    ),
    Term(
        "direction of association",
        "Whether the event of a label is more or less likely, or the label higher or lower, at higher values "
        "of the variable or at the level that is named. It is unadjusted. Where it differs "
        "when adjusted for the rest of the boundary, that stands beside it.",
        name="sign",
    ),
    Term(
        "association",
        "How a label goes with a variable, without adjustment.",
        "What goes along with the variable is in this figure too.",
    ),
    Term(
        "adjusted association",
        "How a label goes with a variable, the rest of the label's boundary held as it is in the population.",
        "Effects of the label are among what is held, so that this is no effect of the variable.",
    ),
    Term(
        "effect of changing it",
        "What would happen to a label if somebody changed the variable; told of causes only.",
        "It is an effect only if the two have no unmeasured common cause. Where the data leave open "
        "what causes the variable, there is a range over all that is possible.",
        name="effect-of-changing",
    ),
    Term(
        "95 % interval",
        "A range that is made so that it holds the truth in 95 of 100 cases.",
        "Where the rows that measure are those that were searched, it holds the truth less often: *Split "
        "the rows* on the Method page avoids that.",
        name="interval",
    ),
    Term(
        "E-value",
        "How strongly an unmeasured common cause must go with the variable and with the label to explain a "
        "figure away.",
        "As a rate ratio: at 3, that cause must make both three times as frequent.",
    ),
    Term(
        "doubt",
        "Something that must be known before a finding is believed.",
        "A finding is marked where fewer than 20 rows differ from the most frequent value of the label or"
        " the variable, where rows resemble each other or are copies, where they come in fewer than 40 "
        "groups, where 30 % of them or more miss a value, and where the variable is one of several items "
        "that reflect one thing. Marked findings do not lead a list, except for items, whose link stands.",
    ),
    Term(
        "row weight",
        "How much each row stands for: members of a population, or equal rows that were joined into one.",
    ),
    Term(
        "groups of rows",
        "Which rows belong together, such as several rows of one person: they are not independent of each"
        " other.",
    ),
    Term(
        "background knowledge",
        "What you say about causes and effects: tiers and single statements.",
        "It settles directions. It changes which variables are found only where the time order steers the "
        "search. A report says how many earlier runs went without it.",
    ),
    Term(
        "tier",
        "Variables of one time: nothing in a later tier causes anything in an earlier one.",
        "With the setting *Time order*, nothing that is later than a label is in its Markov boundary.",
    ),
    Term(
        "selection",
        "The few features that together tell about every label.",
        "A label is not known when another is to be predicted, so labels leave the boundaries.",
    ),
    Term(
        "serves",
        "A selected feature serves a label that it tells about.",
    ),
    Term(
        "in the place of a label",
        "A feature that tells what a label of the boundary told, since that label is not known when it is"
        " asked.",
        name="in-place",
    ),
    Term(
        "live",
        "Results follow every change of the settings by themselves.",
        "Where a search takes a moment only. Tables that take longer wait for Run.",
    ),
    Term(
        "project",
        "One file, .clcd, with the table, its roles, the settings, what is known, and the results.",
    ),
)

_BY_KEY = MappingProxyType({term.key: term for term in TERMS})


def term(key: str) -> Term:
    """Return a word with its definition."""
    return _BY_KEY[key]
