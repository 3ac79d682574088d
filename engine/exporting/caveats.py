"""What findings mean and what they do not, and the literature they rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.boundaries.registry import algorithms
from engine.discovery.orientation.direction import Because
from engine.exporting.numbers import ENGLISH

if TYPE_CHECKING:
    from engine.boundaries.settings import DiscoverySettings
    from engine.discovery.result import DiscoveryResult

_CLCD = (
    "Wu, Jiang, Zhong, Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and "
    "Label-specific Causal Variables"
)
_NON_INFERIORITY = (
    "Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for "
    "assessing the equivalence of average bioavailability, Journal of Pharmacokinetics and "
    "Biopharmaceutics 15:657-680"
)
_BOUNDARY = "Pearl (1988), Probabilistic Reasoning in Intelligent Systems, Morgan Kaufmann"
_EQUIVALENCE = (
    "Statnikov, Lytkin, Lemeire, Aliferis (2013), Algorithms for discovery of multiple Markov boundaries, "
    "JMLR 14:499-566"
)
_FALSE_DISCOVERY = (
    "Benjamini, Hochberg (1995), Controlling the false discovery rate, Journal of the Royal Statistical "
    "Society B 57:289-300"
)
_STRENGTH = "Linfoot (1957), An informational measure of correlation, Information and Control 1:85-89"


_DIRECTIONS = (
    "Meek (1995), Causal inference and causal explanation with background knowledge, UAI, 403-410",
    "Ramsey, Zhang, Spirtes (2006), Adjacency-faithfulness and conservative causal inference, UAI",
)
_BEST_GRAPHS = (
    "Silander, Myllymäki (2006), A simple approach for finding the globally optimal Bayesian network "
    "structure, UAI, 445-452",
    "Andrews, Ramsey, Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed "
    "data-types, PMLR 104:4-21",
)
_STABILITY = (
    "Meinshausen, Bühlmann (2010), Stability selection, Journal of the Royal Statistical Society B "
    "72:417-473",
    "Shah, Samworth (2013), Variable selection with error control: another look at stability selection, "
    "Journal of the Royal Statistical Society B 75:55-80",
)


def caveats(result: DiscoveryResult) -> tuple[tuple[str, str], ...]:
    """Give what a reader must keep in mind, each with a short heading."""
    settings = result.settings
    found = [
        (
            "Causal has a narrow meaning here.",
            "A variable counts for a label when it belongs to a Markov boundary of it: the smallest set of "
            "variables that makes all others superfluous for knowing the label. Under the assumptions below "
            "these are its direct causes, its direct effects, and other causes of shared effects. Which of "
            "its neighbours are causes and which effects, the data say in places only; the others are "
            "undecided.",
        ),
        (
            "The data were observed, not made by an experiment.",
            "A finding is a reason to look closer, not proof that changing the variable changes the label.",
        ),
        (
            "Assumptions.",
            "The rows are independent of each other; no unmeasured variable bears on two measured ones; "
            "associations do not cancel each other out exactly; the tests have rows enough to see what is "
            "there. Where one fails, variables may be missing or wrongly reported.",
        ),
        ("Chance.", _chance(settings)),
        (
            "Not found is not absent.",
            "Label-specific means that a variable was found for one label and not for the others; with more "
            "rows it may turn out to be common.",
        ),
        (
            "Interchangeable variables.",
            "When two variables tell the same about a label, the data cannot tell which of them bears on "
            "it. Both are reported; knowledge of the subject has to decide. Variables are called "
            f"interchangeable only where it is shown that each misses at most "
            f"{ENGLISH.share(settings.equivalence_margin)} of what the other tells. Others that the rows do "
            "not tell apart are listed as that, and counted as nothing: with few rows much looks alike.",
        ),
    ]
    return (*found, *_about_the_table(result))


def _about_the_table(result: DiscoveryResult) -> list[tuple[str, str]]:
    """Say what was made of numbers, empty cells and rows that are no cases of their own."""
    topics = {note.topic for note in result.dataset.notes}
    found = []
    if topics & {"discretised", "discretised-label", "cut-for-test"}:
        found.append(
            (
                "Numbers were cut into bins.",
                "What happens inside a bin is lost, and a relation that the bins do not show is not found. "
                "Where a number that was cut is held fixed, the rest of what it explains comes through: with "
                "many rows that passes for direct links.",
            )
        )
    if result.test.takes_numbers and result.dataset.has_numbers:
        shape = "smooth curves" if result.test.has_degree else "straight lines"
        found.append(
            (
                "Numbers were taken as they are.",
                f"The tests suppose that numbers relate along {shape} and that effects add up. What bends "
                "otherwise, or acts only together with another, may be missed, or leave an association where "
                "there is none.",
            )
        )
    if "per-test" in topics:
        found.append(
            (
                "Some cells are empty.",
                "Each test rests on the rows that are complete in its own variables. That is right where it "
                "does not depend on the values that are tested whether one of them is missing.",
            )
        )
    if result.dataset.groups is not None:
        found.append(
            (
                "Rows come in groups.",
                f"Rows with one '{result.dataset.groups}' were not taken for independent of each other, the "
                "groups were.",
            )
        )
    if "repeated-rows" in topics:
        found.append(
            (
                "Rows are copies of others.",
                "Each was taken for a case of its own. If they are not, findings seem surer than they are, "
                "and some are chance.",
            )
        )
    return found


def references(result: DiscoveryResult) -> tuple[str, ...]:
    """Give the literature behind the method and the chosen settings."""
    settings = result.settings
    cited = [_CLCD, algorithms()[settings.algorithm].source, result.test.source]
    cited += [_FALSE_DISCOVERY] if settings.false_discovery == "bh" else []
    cited += _DIRECTIONS if result.orientation_records else ()
    told = {each.because for each in result.orientation_records.values()}
    cited += _BEST_GRAPHS if Because.BEST_GRAPH in told else ()
    cited += _STABILITY if result.stability is not None else ()
    return (*cited, _EQUIVALENCE, _NON_INFERIORITY, _BOUNDARY, _STRENGTH)


def _chance(settings: DiscoverySettings) -> str:
    level = f"{settings.alpha:g}"
    if settings.false_discovery == "bh":
        return (
            f"Before each search the associations of a label with all variables were screened so that of "
            f"those let in about a share of {level} is false (Benjamini-Hochberg); every further test used "
            f"the level {level}. Some findings may still be due to chance."
        )
    return (
        f"Every test used the plain level {level}: of the variables that have nothing to do with a label, "
        f"about a share of {level} passes a first test by chance. Among many variables that is many."
    )
