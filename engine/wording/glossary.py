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
    synonym: str = ""  # what SPSS, JASP, R or textbooks call it
    example: str = ""

    @property
    def key(self) -> str:
        """What it is looked up by: its name, or its title where it has none."""
        return self.name or self.title.lower().replace(" ", "-")


TERMS = (
    Term(
        "label",
        "An outcome that you want to explain.",
        "A table has one or more labels, and each row has one value of each.",
        synonym="dependent variable (SPSS, JASP), response (R), target (scikit-learn)",
        example="Headache (yes or no) in a survey of staff.",
    ),
    Term(
        "feature",
        "A variable that may explain the labels.",
        "Every column is a feature unless it is a label, a row weight, a group of rows, or ignored.",
        synonym="independent variable, covariate (SPSS, JASP), predictor (R)",
        example="Age, night shifts and coffee in a survey of staff.",
    ),
    Term(
        "common",
        "A feature that is linked to two or more labels.",
        synonym="common causal variable (CLCD paper)",
        example="Work pressure, if it is linked to headache and to exhaustion.",
    ),
    Term(
        "label-specific",
        "A feature that is linked to exactly one label.",
        "With more rows, a link to a second label may show.",
        synonym="label-specific causal variable (CLCD paper)",
        example="Screen time, if it is linked to headache only.",
    ),
    Term(
        "Markov boundary",
        "The smallest set of variables given which the label is independent of all others in the table.",
        "Under the assumptions of CLCD it holds the direct causes, the direct effects, and the other causes "
        "of these effects.",
        synonym="Markov blanket (bnlearn in R); the boundary is the smallest blanket",
        example="Back pain: lifting and exercise (causes), painkillers (effect), and headache (another cause "
        "of taking painkillers).",
    ),
    Term(
        "direct neighbour",
        "Its association with the label remains given every set that was tested, or score-based refinement "
        "added it.",
        "If no common cause is unmeasured, it is a direct cause or a direct effect of the label.",
        name="neighbour",
        synonym="parent or child, adjacent variable",
        example="Painkillers are a direct neighbour of headache.",
    ),
    Term(
        "spouse",
        "Linked to the label given a shared neighbour, as two causes of one effect are.",
        "Without that neighbour, the two may be unrelated.",
        synonym="co-parent; association after conditioning on a collider",
        example="Pollen and colds both cause sneezing. In people who sneeze, pollen is linked to having no "
        "cold.",
    ),
    Term(
        "interchangeable",
        "Carries the same information about the label as another variable, shown up to a margin.",
        "The data alone cannot show which of the two is linked to the label.",
        synonym="information-equivalent; shown by an equivalence test (TOST in JASP and R)",
        example="Night shifts, and the allowance that is paid for them.",
    ),
    Term(
        "not distinguishable",
        "The rows show no difference between two variables, but are too few to rule a difference out.",
        "The second variable is listed but not counted; more rows may show that it is linked.",
        name="not-told-apart",
        synonym="not significantly different, and not shown to be equivalent",
        example="Two similar scores in a table of 60 rows.",
    ),
    Term(
        "representative",
        "The variable that stands first in a set of interchangeable variables.",
        "CLCD takes the one with most labels, and **Prefer…** chooses another.",
        example="Shift allowance, with night shifts listed below it.",
    ),
    Term(
        "label to label",
        "One label is in the Markov boundary of another.",
        "Labels are not counted among the linked variables; these links have their own table.",
        name="label-relation",
        example="Trouble sleeping and exhaustion.",
    ),
    Term(
        "linked to",
        "A variable is linked to a label if it is in its Markov boundary, or linked through other labels.",
        "The word does not say whether the variable is a cause, an effect or a spouse.",
        name="linked",
        synonym="related, conditionally dependent",
        example="Coffee after 4 pm is linked to trouble sleeping.",
    ),
    Term(
        "through other labels",
        "A variable is linked to a label through other labels when these explain the link.",
        "CLCD finds such links without the other labels in the search, and names the labels that explain "
        "them.",
        name="through-labels",
        synonym="indirect effect, mediation (JASP, PROCESS for SPSS), if the link is causal",
        example="Treatment acts on death through relapse. Given relapse, treatment says nothing more about "
        "death.",
    ),
    Term(
        "group of labels",
        "Three or more labels that vary together as if they measured one thing.",
        "CLCD also searches their mean standardised value as one outcome, which does not show that they "
        "measure one thing.",
        name="label-group",
        synonym="reflective scale, latent factor (factor analysis in SPSS, JASP)",
        example="Five pain scores of one illness.",
    ),
    Term(
        "second pass",
        "A second search for variables that two labels hid from each other.",
        "Two similar labels can each make a variable look unnecessary for the other.",
        example="Two nearly equal scores: given one, a cause says nothing more about the other.",
    ),
    Term(
        "conditional-independence test",
        "A test of whether two variables are still associated, given other variables.",
        "A search makes thousands of tests, and the **Why?** panel shows those that decided.",
        name="independence-test",
        synonym="partial correlation (SPSS, JASP), likelihood-ratio test of nested models (R)",
        example="Is coffee associated with headache, given work pressure?",
    ),
    Term(
        "conditioning set",
        "The other variables that a conditional-independence test conditions on.",
        synonym="control variables (partial correlation in SPSS)",
        example="Work pressure, in a test of coffee and headache given work pressure.",
    ),
    Term(
        "significance level (α)",
        "The probability that a test calls two independent variables dependent.",
        "Choose it before you see the results.",
        name="level",
        synonym="alpha, type I error rate",
        example="At α = 0.01, about one in 100 tests of unrelated variables is significant.",
    ),
    Term(
        "p-value",
        "The probability of an association at least this strong if the two variables were independent.",
        synonym="Sig. (SPSS), p (JASP), Pr(>Chisq) (R)",
        example="p = 0.032: unrelated variables give such an association in 32 of 1,000 samples.",
    ),
    Term(
        "q-value",
        "The expected share of false findings among all variables with a q-value this low or lower.",
        synonym="adjusted p-value, Benjamini-Hochberg (p.adjust in R)",
        example="Of 100 variables with q of at most 0.01, about one is expected to be unrelated.",
    ),
    Term(
        "strength",
        "How much a variable tells about a label in the deciding test, from 0 (nothing) to 1 (everything).",
        "It follows from the conditional mutual information and is not an effect.",
        synonym="informational coefficient of correlation; absolute partial correlation for normal data",
        example="A strength of 0.5 matches a partial correlation of 0.5 or −0.5.",
    ),
    Term(
        "deciding test",
        "The test whose p-value and strength stand for a link; the variables it conditions on are named.",
        "For a direct neighbour it is the test with the largest p-value of all that were made.",
        example="If p is 0.001 given age and 0.004 given exercise, the test given exercise decides.",
    ),
    Term(
        "marginal test",
        "A test of two variables that conditions on nothing.",
        synonym="bivariate test: chi-squared test of a cross table, Pearson correlation",
        example="Coffee and headache in a cross table.",
    ),
    Term(
        "found again",
        "The number of repeated searches of random parts of the rows in which the link was found.",
        "Parts have fewer rows, so weak links are often missed in them.",
        synonym="selection frequency (stability selection)",
        example="47 of 50.",
    ),
    Term(
        "cause",
        "A variable whose change would change the label, if the assumptions hold.",
        "The data show it only in some cases, and never from one test of these two variables.",
        synonym="parent (direct cause), ancestor",
        example="Work pressure, if less of it made headaches rarer.",
    ),
    Term(
        "effect",
        "A variable that would change if the label changed, if the assumptions hold.",
        "It tells about the label, but changing it would not change the label.",
        synonym="child (direct effect), descendant, consequence",
        example="Sick days, as an effect of exhaustion.",
    ),
    Term(
        "unmeasured common cause",
        "A variable that is not in the table and causes two variables in it.",
        name="hidden-cause",
        synonym="unmeasured confounder, hidden or latent variable",
        example="The workload of a ward, if nobody recorded it.",
    ),
    Term(
        "grade",
        "What the data say about cause and effect even if a common cause is unmeasured.",
        "Without a grade, tables show the direction that holds if no common cause is unmeasured.",
        synonym="edge mark of a partial ancestral graph (FCI algorithm)",
        example="“Not an effect”: the variable causes the label, or both have an unmeasured common cause.",
    ),
    Term(
        "event",
        "The level of a two-valued variable that directions and estimates refer to.",
        "CLCD takes it from the names of the levels, or from 0 and 1; otherwise you choose it.",
        synonym="the category coded 1 in a logistic regression",
        example="“yes” in COPD = yes.",
    ),
    Term(
        "direction of association",
        "Whether the event is more or less likely, or the label higher or lower, at higher values of the "
        "variable.",
        "It is unadjusted, and a mark shows where the adjusted direction differs.",
        name="sign",
        synonym="sign of a correlation or coefficient",
        example="COPD = yes is more likely at more cigarettes a day.",
    ),
    Term(
        "association",
        "How the label differs between values of the variable, without adjustment.",
        "Other variables may explain part of it.",
        synonym="crude or unadjusted estimate (difference in probability or mean, odds ratio)",
        example="Headache is 36 percentage points more likely at high than at low work pressure.",
    ),
    Term(
        "adjusted association",
        "The association, adjusted for the other variables in the Markov boundary of the label.",
        "It is not a causal effect, because it also adjusts for effects of the label.",
        synonym="adjusted estimate, standardised (marginal) estimate",
        example="Headache is 30 percentage points more likely, adjusted for screen time and painkillers.",
    ),
    Term(
        "effect of changing it",
        "The expected change in the label if somebody changed the variable, estimated for causes only.",
        "It assumes no unmeasured common cause, and is a range where the causes of the variable are open.",
        name="effect-of-changing",
        synonym="average causal effect, total effect",
        example="Without night shifts, exhaustion would be 5 to 12 percentage points less likely.",
    ),
    Term(
        "95% confidence interval",
        "A range made so that it contains the true value in 95 of 100 samples.",
        "It does so less often if the same rows were searched, which **Split the rows** avoids.",
        name="interval",
        synonym="95% CI",
        example="36 percentage points (95% CI 27 to 44).",
    ),
    Term(
        "E-value",
        "How strongly an unmeasured common cause must be associated with both variables to explain an "
        "estimate.",
        synonym="sensitivity to unmeasured confounding (EValue in R), as a risk ratio",
        example="At 3, the common cause must make both the variable and the label three times as likely.",
    ),
    Term(
        "doubt",
        "A reason to examine a finding before you rely on it.",
        "Marked findings do not come first in a list, except for items of one scale.",
        synonym="data quality flag",
        example="Only 12 rows have the rarer level of the label.",
    ),
    Term(
        "row weight",
        "How many cases, or members of a population, a row stands for.",
        synonym="frequency weight, sampling weight (Weight Cases in SPSS)",
        example="A row with weight 3 stands for three equal patients.",
    ),
    Term(
        "groups of rows",
        "Rows that belong together and are not independent of each other.",
        synonym="clusters, subjects (SPSS MIXED), random-effects grouping factor (JASP, lme4 in R)",
        example="All visits of one patient.",
    ),
    Term(
        "missing value",
        "A cell without a value, or with a code that means that there is none.",
        synonym="system-missing and user-missing (SPSS), NA (R)",
        example="A blank cell, or 99 for “no answer”.",
    ),
    Term(
        "multiple imputation",
        "Several plausible values replace each missing value, and the results are pooled.",
        "It is valid if the other columns explain why values are missing (missing at random).",
        synonym="Multiple Imputation (SPSS), mice (R)",
        example="Ten completed tables, one pooled estimate.",
    ),
    Term(
        "background knowledge",
        "What you state about causes and effects before the analysis.",
        "It settles directions, and changes which variables are found only if the time order steers the "
        "search.",
        synonym="prior knowledge (Tetrad), whitelist and blacklist (bnlearn in R)",
        example="Nothing in the table is a cause of age.",
    ),
    Term(
        "tier",
        "Variables of one time: nothing in a later tier causes anything in an earlier tier.",
        synonym="temporal tier (Tetrad)",
        example="Tier 1: age and sex. Tier 2: first visit. Tier 3: follow-up.",
    ),
    Term(
        "selection",
        "A small set of features that together tell about every label.",
        "Other labels are not used, because they are unknown when you predict.",
        synonym="feature selection (scikit-learn), variable selection",
        example="Six of 72 features of sound for six moods.",
    ),
    Term(
        "serves",
        "A selected feature serves a label if it tells about that label.",
        example="Coffee serves trouble sleeping.",
    ),
    Term(
        "in the place of a label",
        "A feature that replaces a label of the boundary, because that label is unknown when you predict.",
        name="in-place",
        example="Night shifts replace trouble sleeping as a predictor of exhaustion.",
    ),
    Term(
        "precision",
        "The share of the links found that is true.",
        synonym="positive predictive value; 1 minus the false discovery proportion",
        example="45 of 50 links found are true: precision 0.90.",
    ),
    Term(
        "recall",
        "The share of the true links that is found.",
        synonym="sensitivity, power",
        example="45 of 60 true links are found: recall 0.75.",
    ),
    Term(
        "live",
        "Results follow each change of the settings without **Run**.",
        "Tables whose search takes long wait for **Run**.",
        example="Move the slider of the significance level (α), and links appear and disappear.",
    ),
    Term(
        "run",
        "One search with its settings and results; CLCD keeps every run.",
        synonym="analysis in the output (SPSS, JASP)",
        example="“α 0.05” and “without age” are two runs of one table.",
    ),
    Term(
        "project",
        "One .clcd file with the table, roles, settings, background knowledge, runs and results.",
        synonym=".jasp file (JASP), workspace (R)",
        example="study.clcd",
    ),
)

_BY_KEY = MappingProxyType({term.key: term for term in TERMS})


def term(key: str) -> Term:
    """Return a word with its definition."""
    return _BY_KEY[key]
