"""The words of the program, each defined once: tooltips, reports and the help read them here.

Settings and columns explain themselves: :mod:`engine.parameters`, :mod:`engine.discovery.columns`.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from engine.translation import N_


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
        N_("label"),
        N_("An outcome that you want to explain."),
        N_("A table has one or more labels, and each row has one value of each."),
        synonym=N_("dependent variable (SPSS, JASP), response (R), target (scikit-learn)"),
        example=N_("Headache (yes or no) in a survey of staff."),
    ),
    Term(
        N_("feature"),
        N_("A variable that may explain the labels."),
        N_("Every column is a feature unless it is a label, a row weight, a group of rows, or ignored."),
        synonym=N_("independent variable, covariate (SPSS, JASP), predictor (R)"),
        example=N_("Age, night shifts and coffee in a survey of staff."),
    ),
    Term(
        N_("common"),
        N_("A feature that is linked to two or more labels."),
        synonym=N_("common causal variable (CLCD paper)"),
        example=N_("Work pressure, if it is linked to headache and to exhaustion."),
    ),
    Term(
        N_("label-specific"),
        N_("A feature that is linked to exactly one label."),
        N_("With more rows, a link to a second label may show."),
        synonym=N_("label-specific causal variable (CLCD paper)"),
        example=N_("Screen time, if it is linked to headache only."),
    ),
    Term(
        N_("Markov boundary"),
        N_("The smallest set of variables given which the label is independent of all others in the table."),
        N_(
            "Under the assumptions of CLCD it holds the direct causes, the direct effects, and the "
            "other causes of these effects."
        ),
        synonym=N_("Markov blanket (bnlearn in R); the boundary is the smallest blanket"),
        example=N_(
            "Back pain: lifting and exercise (causes), painkillers (effect), and headache (another cause "
            "of taking painkillers)."
        ),
    ),
    Term(
        N_("direct neighbour"),
        N_(
            "Its association with the label remains given every set that was tested, or score-based "
            "refinement added it."
        ),
        N_("If no common cause is unmeasured, it is a direct cause or a direct effect of the label."),
        name="neighbour",
        synonym=N_("parent or child, adjacent variable"),
        example=N_("Painkillers are a direct neighbour of headache."),
    ),
    Term(
        N_("spouse"),
        N_("Linked to the label given a shared neighbour, as two causes of one effect are."),
        N_("Without that neighbour, the two may be unrelated."),
        synonym=N_("co-parent; association after conditioning on a collider"),
        example=N_(
            "Pollen and colds both cause sneezing. In people who sneeze, pollen is linked to having no cold."
        ),
    ),
    Term(
        N_("interchangeable"),
        N_("Carries the same information about the label as another variable, shown up to a margin."),
        N_("The data alone cannot show which of the two is linked to the label."),
        synonym=N_("information-equivalent; shown by an equivalence test (TOST in JASP and R)"),
        example=N_("Night shifts, and the allowance that is paid for them."),
    ),
    Term(
        N_("not distinguishable"),
        N_("The rows show no difference between two variables, but are too few to rule a difference out."),
        N_("The second variable is listed but not counted; more rows may show that it is linked."),
        name="not-told-apart",
        synonym=N_("not significantly different, and not shown to be equivalent"),
        example=N_("Two similar scores in a table of 60 rows."),
    ),
    Term(
        N_("representative"),
        N_("The variable that stands first in a set of interchangeable variables."),
        N_("CLCD takes the one with most labels, and **Prefer…** chooses another."),
        example=N_("Shift allowance, with night shifts listed below it."),
    ),
    Term(
        N_("label to label"),
        N_("One label is in the Markov boundary of another."),
        N_("Links between labels have their own table."),
        name="label-relation",
        example=N_("Trouble sleeping and exhaustion."),
    ),
    Term(
        N_("linked to"),
        N_(
            "A variable is linked to a label if it is in its Markov boundary, or linked through other labels."
        ),
        N_("The word does not say whether the variable is a cause, an effect or a spouse."),
        name="linked",
        synonym=N_("related, conditionally dependent"),
        example=N_("Coffee after 4 pm is linked to trouble sleeping."),
    ),
    Term(
        N_("through other labels"),
        N_("A variable is linked to a label through other labels when these explain the link."),
        N_(
            "CLCD finds such links without the other labels in the search, and names the labels that explain "
            "them."
        ),
        name="through-labels",
        synonym=N_("indirect effect, mediation (JASP, PROCESS for SPSS), if the link is causal"),
        example=N_(
            "Treatment acts on death through relapse. Given relapse, treatment says nothing more about death."
        ),
    ),
    Term(
        N_("group of labels"),
        N_("Three or more labels that vary together as if they measured one thing."),
        N_(
            "CLCD also searches their mean standardised value as one outcome, which does not show that they "
            "measure one thing."
        ),
        name="label-group",
        synonym=N_("reflective scale, latent factor (factor analysis in SPSS, JASP)"),
        example=N_("Five pain scores of one illness."),
    ),
    Term(
        N_("second pass"),
        N_("A second search for variables that two labels hid from each other."),
        N_("Two similar labels can each make a variable look unnecessary for the other."),
        example=N_("Two nearly equal scores: given one, a cause says nothing more about the other."),
    ),
    Term(
        N_("conditional-independence test"),
        N_("A test of whether two variables are still associated, given other variables."),
        N_("A search makes thousands of tests, and the **Why?** panel shows those that decided."),
        name="independence-test",
        synonym=N_("partial correlation (SPSS, JASP), likelihood-ratio test of nested models (R)"),
        example=N_("Is coffee associated with headache, given work pressure?"),
    ),
    Term(
        N_("conditioning set"),
        N_("The other variables that a conditional-independence test conditions on."),
        synonym=N_("control variables (partial correlation in SPSS)"),
        example=N_("Work pressure, in a test of coffee and headache given work pressure."),
    ),
    Term(
        N_("significance level (α)"),
        N_("The probability that a test calls two independent variables dependent."),
        N_("Choose it before you see the results."),
        name="level",
        synonym=N_("alpha, type I error rate"),
        example=N_("At α = 0.01, about one in 100 tests of unrelated variables is significant."),
    ),
    Term(
        N_("p-value"),
        N_("The probability of an association at least this strong if the two variables were independent."),
        synonym=N_("Sig. (SPSS), p (JASP), Pr(>Chisq) (R)"),
        example=N_("p = 0.032: unrelated variables give such an association in 32 of 1,000 samples."),
    ),
    Term(
        N_("q-value"),
        N_("The expected share of false findings among all variables with a q-value this low or lower."),
        synonym=N_("adjusted p-value, Benjamini-Hochberg (p.adjust in R)"),
        example=N_("Of 100 variables with q of at most 0.01, about one is expected to be unrelated."),
    ),
    Term(
        N_("strength"),
        N_(
            "How much information a variable has about a label in the deciding test, from 0 (none) "
            "to 1 (complete)."
        ),
        N_("It follows from the conditional mutual information and is not an effect."),
        synonym=N_("informational coefficient of correlation; absolute partial correlation for normal data"),
        example=N_("A strength of 0.5 matches a partial correlation of 0.5 or −0.5."),
    ),
    Term(
        N_("deciding test"),
        N_("The test whose p-value and strength stand for a link; the variables it conditions on are named."),
        N_("For a direct neighbour it is the test with the largest p-value of all that were made."),
        example=N_("If p is 0.001 given age and 0.004 given exercise, the test given exercise decides."),
    ),
    Term(
        N_("marginal test"),
        N_("A test of two variables that conditions on nothing."),
        synonym=N_("bivariate test: chi-squared test of a cross table, Pearson correlation"),
        example=N_("Coffee and headache in a cross table."),
    ),
    Term(
        N_("found again"),
        N_("The number of repeated searches of random parts of the rows in which the link was found."),
        N_("Parts have fewer rows, so weak links are often missed in them."),
        synonym=N_("selection frequency (stability selection)"),
        example=N_("47 of 50."),
    ),
    Term(
        N_("cause"),
        N_("A variable whose change would change the label, if the assumptions hold."),
        N_("The data show it only in some cases, and never from one test of these two variables."),
        synonym=N_("parent (direct cause), ancestor"),
        example=N_("Work pressure, if less of it made headaches rarer."),
    ),
    Term(
        N_("effect"),
        N_("A variable that would change if the label changed, if the assumptions hold."),
        N_("It carries information about the label, but changing it would not change the label."),
        synonym=N_("child (direct effect), descendant, consequence"),
        example=N_("Sick days, as an effect of exhaustion."),
    ),
    Term(
        N_("unmeasured common cause"),
        N_("A variable that is not in the table and causes two variables in it."),
        name="hidden-cause",
        synonym=N_("unmeasured confounder, hidden or latent variable"),
        example=N_("The workload of a ward, if nobody recorded it."),
    ),
    Term(
        N_("grade"),
        N_("What the data say about cause and effect even if a common cause is unmeasured."),
        N_("Without a grade, tables show the direction that holds if no common cause is unmeasured."),
        synonym=N_("edge mark of a partial ancestral graph (FCI algorithm)"),
        example=N_(
            "“Not an effect”: the variable causes the label, or both have an unmeasured common cause."
        ),
    ),
    Term(
        N_("event"),
        N_("The level of a two-valued variable that directions and estimates refer to."),
        N_("CLCD takes it from the names of the levels, or from 0 and 1; otherwise you choose it."),
        synonym=N_("the category coded 1 in a logistic regression"),
        example=N_("“yes” in COPD = yes."),
    ),
    Term(
        N_("direction of association"),
        N_(
            "Whether the event is more or less likely, or the label higher or lower, at higher values of the "
            "variable."
        ),
        N_("It is unadjusted, and a mark shows where the adjusted direction differs."),
        name="sign",
        synonym=N_("sign of a correlation or coefficient"),
        example=N_("COPD = yes is more likely at more cigarettes a day."),
    ),
    Term(
        N_("association"),
        N_("How the label differs between values of the variable, without adjustment."),
        N_("Other variables may explain part of it."),
        synonym=N_("crude or unadjusted estimate (difference in probability or mean, odds ratio)"),
        example=N_("Headache is 36 percentage points more likely at high than at low work pressure."),
    ),
    Term(
        N_("adjusted association"),
        N_("The association, adjusted for the other variables in the Markov boundary of the label."),
        N_("It is not a causal effect, because it also adjusts for effects of the label."),
        synonym=N_("adjusted estimate, standardised (marginal) estimate"),
        example=N_("Headache is 30 percentage points more likely, adjusted for screen time and painkillers."),
    ),
    Term(
        N_("effect of changing it"),
        N_("The expected change in the label if somebody changed the variable, estimated for causes only."),
        N_(
            "It assumes no unmeasured common cause, and is a range where the causes of the variable are open."
        ),
        name="effect-of-changing",
        synonym=N_("average causal effect, total effect"),
        example=N_("Without night shifts, exhaustion would be 5 to 12 percentage points less likely."),
    ),
    Term(
        N_("95% confidence interval"),
        N_("A range made so that it contains the true value in 95 of 100 samples."),
        N_("It does so less often if the same rows were searched, which **Split the rows** avoids."),
        name="interval",
        synonym="95% CI",
        example=N_("36 percentage points (95% CI 27 to 44)."),
    ),
    Term(
        N_("E-value"),
        N_(
            "How strongly an unmeasured common cause must be associated with both variables to explain an "
            "estimate."
        ),
        synonym=N_("sensitivity to unmeasured confounding (EValue in R), as a risk ratio"),
        example=N_("At 3, the common cause must make both the variable and the label three times as likely."),
    ),
    Term(
        N_("doubt"),
        N_("A reason to examine a finding before you rely on it."),
        N_("Marked findings do not come first in a list, except for items of one scale."),
        synonym=N_("data quality flag"),
        example=N_("Only 12 rows have the rarer level of the label."),
    ),
    Term(
        N_("row weight"),
        N_("How many cases, or members of a population, a row stands for."),
        synonym=N_("frequency weight, sampling weight (Weight Cases in SPSS)"),
        example=N_("A row with weight 3 stands for three equal patients."),
    ),
    Term(
        N_("groups of rows"),
        N_("Rows that belong together and are not independent of each other."),
        synonym=N_("clusters, subjects (SPSS MIXED), random-effects grouping factor (JASP, lme4 in R)"),
        example=N_("All visits of one patient."),
    ),
    Term(
        N_("missing value"),
        N_("A cell without a value, or with a code that means that there is none."),
        synonym=N_("system-missing and user-missing (SPSS), NA (R)"),
        example=N_("A blank cell, or 99 for “no answer”."),
    ),
    Term(
        N_("multiple imputation"),
        N_("Several plausible values replace each missing value, and the results are pooled."),
        N_("It is valid if the other columns explain why values are missing (missing at random)."),
        synonym=N_("Multiple Imputation (SPSS), mice (R)"),
        example=N_("Ten completed tables, one pooled estimate."),
    ),
    Term(
        N_("background knowledge"),
        N_("What you state about causes and effects before the analysis."),
        N_(
            "It settles directions, and changes which variables are found only if the time order steers the "
            "search."
        ),
        synonym=N_("prior knowledge (Tetrad), whitelist and blacklist (bnlearn in R)"),
        example=N_("Nothing in the table is a cause of age."),
    ),
    Term(
        N_("tier"),
        N_("Variables of one time: nothing in a later tier causes anything in an earlier tier."),
        synonym=N_("temporal tier (Tetrad)"),
        example=N_("Tier 1: age and sex. Tier 2: first visit. Tier 3: follow-up."),
    ),
    Term(
        N_("selection"),
        N_("A small set of features that together carry information about every label."),
        N_("Other labels are not used, because they are unknown when you predict."),
        synonym=N_("feature selection (scikit-learn), variable selection"),
        example=N_("Six of 72 features of sound for six moods."),
    ),
    Term(
        N_("serves"),
        N_("A selected feature serves a label if it carries information about that label."),
        example=N_("Coffee serves trouble sleeping."),
    ),
    Term(
        N_("in the place of a label"),
        N_(
            "A feature that replaces a label of the boundary, because that label is unknown when you predict."
        ),
        name="in-place",
        example=N_("Night shifts replace trouble sleeping as a predictor of exhaustion."),
    ),
    Term(
        N_("precision"),
        N_("The share of the links found that is true."),
        synonym=N_("positive predictive value; 1 minus the false discovery proportion"),
        example=N_("45 of 50 links found are true: precision 0.90."),
    ),
    Term(
        N_("recall"),
        N_("The share of the true links that is found."),
        synonym=N_("sensitivity, power"),
        example=N_("45 of 60 true links are found: recall 0.75."),
    ),
    Term(
        N_("live"),
        N_("Results follow each change of the settings without **Run**."),
        N_("Tables whose search takes long wait for **Run**."),
        example=N_("Move the slider of the significance level (α), and links appear and disappear."),
    ),
    Term(
        N_("run"),
        N_("One search with its settings and results; CLCD keeps every run."),
        synonym=N_("analysis in the output (SPSS, JASP)"),
        example=N_("“α 0.05” and “without age” are two runs of one table."),
    ),
    Term(
        N_("project"),
        N_("One .clcd file with the table, roles, settings, background knowledge, runs and results."),
        synonym=N_(".jasp file (JASP), workspace (R)"),
        example="study.clcd",
    ),
)

_BY_KEY = MappingProxyType({term.key: term for term in TERMS})


def term(key: str) -> Term:
    """Return a word with its definition."""
    return _BY_KEY[key]
