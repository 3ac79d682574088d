"""Settings of a discovery run, each written once, and the data that tests of such a run work on.

They stand below the boundary searches, which read most of them.

Without the setting *Time order*, background knowledge settles directions alone. With it, the search around a
variable is made among what is not later than it, and no test conditions on what is later than both its
variables. A variable that stands in no tier is never later than another, nor earlier. What is later than a
label is then in no boundary of it, and no spouse is sought behind it: in the graph, the boundary is that of
the label where what is later is marginalised. Nothing that is later than a label is a cause of it, so that
dependence is lost that comes of conditioning on a common effect, and hardly any is gained.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.boundaries.single_algorithms import algorithm_choices
from engine.errors import InvalidParameter
from engine.execution.workers import single_threaded_algebra
from engine.independence.ci_tests import AUTO, ci_test_choices
from engine.independence.options import TestOptions
from engine.parameters import (
    Choice,
    Settings,
    described,
    parameter,
    parameters_of,
    seed_parameter,
    workers_parameter,
)
from engine.table.row_weights import COUNTS, SAMPLING
from engine.translation import N_, _
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from engine.independence.data import TestData
    from engine.knowledge.knowledge import Knowledge
    from engine.table.dataset import Dataset

# Where the defaults of what concerns single tests stand.
_OF_TESTS = TestOptions()

CONTROLLED = "controlled"
AS_PUBLISHED = "as published"

# The automatic level: that of so few rows, and how few they are; it falls as the root of their number grows.
_LEVEL_OF_FEW, _FEW_ROWS = 0.05, 100

# Round numbers, ten a decade, so that a slider goes through them evenly on the scale of ratios.
_LEVELS = tuple(
    float(f"{digits}e{power}")
    for power in (-4, -3, -2, -1)
    for digits in (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
    if power < -1 or digits <= 2.0
)


@described
@dataclass(frozen=True, slots=True)
class DiscoverySettings(Settings):
    """Settings of the search for causal variables.

    Raises
    ------
    InvalidParameter
        If a value is impossible. The message names the setting and the allowed values.

    Examples
    --------
    >>> DiscoverySettings(alpha=0.01).alpha
    0.01
    """

    algorithm: str = parameter(
        "hiton-mb",
        N_("Algorithm"),
        N_("How the neighbours of each label are found."),
        choices=algorithm_choices,
    )
    test: str = parameter(
        AUTO,
        N_("Independence test"),
        N_("The test that decides whether two variables are associated."),
        choices=ci_test_choices,
    )
    alpha: float = parameter(
        0.01,
        N_("Significance level (α)"),
        N_(
            "The probability that a test calls two independent variables dependent. A lower level "
            "finds fewer variables, and fewer false ones."
        ),
        minimum=0.0,
        maximum=1.0,
        open_interval=True,
        steps=_LEVELS,
    )
    automatic_alpha: bool = parameter(
        False,
        N_("Automatic α"),
        N_(
            "The number of rows, or of groups if rows are grouped, sets the significance level. It "
            "is 0.05 with up to 100. Above 100, it is 0.5 divided by the square root of their "
            "number, rounded down (Good 1982, Standardized tail-area probabilities, Journal of "
            "Statistical Computation and Simulation 16:65-66). Small tables get a higher level, and "
            "large tables a lower one. The result names the level used."
        ),
        advanced=True,
    )
    max_conditioning: int = parameter(
        3,
        N_("Conditioning size"),
        N_("The largest number of variables that a test conditions on. Larger sets need more rows."),
        minimum=0,
        maximum=10,
    )
    false_discovery: str = parameter(
        "bh",
        N_("False-discovery control"),
        N_("Whether p-values are corrected for the many tests of one variable against all others."),
        choices=(
            Choice(
                "bh",
                "Benjamini-Hochberg",
                N_(
                    "Of all variables that pass the screening of a label, a share of at most α is expected "
                    "to be false."
                ),
            ),
            Choice(
                "none",
                N_("No correction"),
                N_("Every test uses the significance level without correction, as in the paper."),
            ),
        ),
    )
    procedure: str = parameter(
        CONTROLLED,
        N_("Procedure"),
        N_(
            "Whether findings get more checks than in the paper. Controlled with Benjamini-Hochberg "
            "is the default and suits tables with many columns. Controlled without correction suits "
            "few, closely related columns. As published with Benjamini-Hochberg corrects only the "
            "screening, so variables related to a true finding may stay. As published without "
            "correction is the method of the paper: among many columns, most findings are then due "
            "to chance."
        ),
        choices=(
            Choice(
                CONTROLLED,
                N_("Controlled"),
                N_(
                    "Spouses are confirmed. Members that a spouse and its child explain are "
                    "removed. Tests condition on three or more variables only if there are enough "
                    "rows. With numbers, confirmation (backward elimination) tests every member "
                    "again given all others. It uses the significance level with up to 2000 rows, "
                    "and a lower level with more rows. In complete tables, if the test compares "
                    "likelihoods, score-based refinement follows. A score of whole graphs adds "
                    "members that single tests removed. A member that is not in its graph is "
                    "removed if its parents there separate it. This is done if the table has up to "
                    "200 columns, or if up to 60 depend on a label and its neighbours. With fewer "
                    "than 4000 rows, the 20 variables most related to each of these are used (Gao "
                    "and Ji 2017, Efficient score-based Markov blanket discovery, International "
                    "Journal of Approximate Reasoning 80:277-293; Andrews and others 2023, Fast "
                    "scalable and accurate discovery of DAGs using the best order score search and "
                    "grow-shrink trees, NeurIPS 36). Among categories, if variables determine a "
                    "label in all rows, only these are kept. A member that is clearly independent "
                    "of the label in strata of all other members is removed."
                ),
            ),
            Choice(
                AS_PUBLISHED,
                N_("As published"),
                N_(
                    "The steps of the paper's Algorithm 1 and no others. Two variables are "
                    "interchangeable if the tests find no difference. There is no margin."
                ),
            ),
        ),
        advanced=True,
    )
    time_order: bool = parameter(
        False,
        N_("Time order"),
        N_(
            "Whether the tiers of the background knowledge steer the search. The Markov boundary of "
            "a label is then searched among variables that are not later than the label. No test "
            "conditions on a variable that is later than both variables tested. This needs tiers."
        ),
        advanced=True,
    )
    max_equivalence: int = parameter(
        1,
        N_("Interchangeable set size"),
        N_("The largest set of variables that can be interchangeable with a neighbour."),
        minimum=0,
        maximum=3,
        advanced=True,
    )
    equivalence_margin: float = parameter(
        0.1,
        N_("Interchangeable up to"),
        N_(
            "Two variables are interchangeable if tests at the significance level (α) show that each "
            "misses at most this share of the other's information. Pairs that are merely not "
            "distinguishable with these data are listed only. The published procedure has no margin."
        ),
        minimum=0.01,
        maximum=0.5,
        advanced=True,
    )
    dof: str = parameter(
        _OF_TESTS.dof,
        N_("Degrees of freedom"),
        N_("How degrees of freedom are counted in tables with few rows per cell."),
        choices=(
            Choice(
                "effective",
                N_("Effective"),
                N_(
                    "As adjusted if cells have enough rows; otherwise from the distribution given "
                    "the margins of the table."
                ),
            ),
            Choice("adjusted", N_("Adjusted"), N_("Only levels that occur in a stratum count.")),
            Choice("nominal", N_("Nominal"), N_("All levels count, whether they occur or not.")),
        ),
        advanced=True,
    )
    min_rows_per_dof: float = parameter(
        _OF_TESTS.min_rows_per_dof,
        N_("Rows per degree of freedom"),
        N_(
            "Tests with fewer rows per nominal degree of freedom do not count as evidence; 0 switches "
            "this off."
        ),
        minimum=0.0,
        maximum=1000.0,
        advanced=True,
    )
    min_rows_per_cell: float = parameter(
        _OF_TESTS.min_rows_per_cell,
        N_("Rows per cell"),
        N_("Tests with fewer rows per table cell do not count as evidence; 5 is usual, 0 switches this off."),
        minimum=0.0,
        maximum=1000.0,
        advanced=True,
    )
    large_set_rows: float = parameter(
        300.0,
        N_("Rows for large sets"),
        N_(
            "A test conditions on three or more variables only with this many rows per degree of "
            "freedom; 0 switches this off."
        ),
        minimum=0.0,
        maximum=100_000.0,
        advanced=True,
    )
    row_weights: str = parameter(
        _OF_TESTS.row_weights,
        N_("Row weights"),
        N_("The meaning of the numbers in the column of row weights."),
        choices=(
            Choice(
                SAMPLING,
                N_("Sampling weights"),
                N_(
                    "How many members of a population a row represents. Tests allow for links of the weights."
                ),
            ),
            Choice(
                COUNTS,
                N_("Counts"),
                N_("Frequency weights: how many equal rows were joined into one. Tests count them all."),
            ),
        ),
        advanced=True,
    )
    permutations: int = parameter(
        _OF_TESTS.permutations,
        N_("Permutations"),
        N_(
            "The largest number of permutations in a permutation test. More permutations give more "
            "precise p-values."
        ),
        minimum=99,
        maximum=1_000_000,
        advanced=True,
    )
    permutation_seed: int = seed_parameter(
        N_("Seed of the permutations. The same seed gives the same result."),
        N_("Permutation seed"),
        advanced=True,
    )
    degree: int | None = parameter(
        _OF_TESTS.degree,
        N_("Degree"),
        N_(
            "The degree of the polynomials in the likelihood ratio with basis functions: 1 is a "
            "straight line, 3 a curve with two turns. If empty, it is 3, and 4, 5 or 6 from 4,096, "
            "15,625 or 46,656 rows on."
        ),
        minimum=1,
        maximum=6,
        advanced=True,
    )
    symmetry: bool = parameter(
        False,
        N_("Symmetry correction"),
        N_(
            "Keep a neighbour only if the search around it finds the label. This loses interchangeable "
            "variables."
        ),
        advanced=True,
    )
    workers: int | None = workers_parameter(
        N_(
            "Number of searches at the same time. If empty, all cores are used where that is "
            "faster. It does not change the result."
        ),
        advanced=True,
        changes_result=False,
    )
    cluster: str | None = parameter(
        None,
        N_("Cluster"),
        N_(
            "Address of a dask scheduler whose machines search. If empty, this computer searches. "
            "Use only a cluster that you trust: each side can run programs on the other."
        ),
        kind="address",
        advanced=True,
        changes_result=False,
    )

    def decisive(self) -> DiscoverySettings:
        """Return the same settings with the defaults of those that do not change a result.

        Examples
        --------
        >>> DiscoverySettings(alpha=0.05, workers=2).decisive() == DiscoverySettings(alpha=0.05)
        True
        """
        idle = {setting.name for setting in parameters_of(type(self)) if not setting.changes_result}
        if self.automatic_alpha:
            idle.add("alpha")
        return replace(
            self,
            **{
                setting.name: setting.default for setting in parameters_of(type(self)) if setting.name in idle
            },
        )

    def for_table(self, dataset: Dataset) -> DiscoverySettings:
        """Return the same settings with the level that a table gets, where it is automatic.

        >>> import engine
        >>> table = engine.simulate(labels=3, features=12, rows=500, seed=0).dataset
        >>> DiscoverySettings(automatic_alpha=True).for_table(table).alpha
        0.02
        """
        if not self.automatic_alpha:
            return self
        count = max(self._independent_rows(dataset), _FEW_ROWS)
        most = _LEVEL_OF_FEW * math.sqrt(_FEW_ROWS / count)
        return replace(self, alpha=max((level for level in _LEVELS if level <= most), default=_LEVELS[0]))

    def _independent_rows(self, dataset: Dataset) -> float:
        """Count groups where rows are grouped, and what rows stand for where their weights count them."""
        if dataset.row_groups is not None:
            return len(np.unique(dataset.row_groups))
        if dataset.row_weights is not None and self.row_weights == COUNTS:
            return float(dataset.row_weights.sum())
        return dataset.row_count

    @property
    def is_controlled(self) -> bool:
        """Whether findings are tried once more than in the paper."""
        return self.procedure == CONTROLLED

    def test_options(self) -> dict[str, Any]:
        """Return what the settings say of tests, by the names of ``TestOptions``."""
        return {field.name: getattr(self, field.name) for field in fields(TestOptions)}


def arranged(dataset: Dataset, settings: DiscoverySettings, *, is_part: bool = False) -> TestData:
    """Arrange a table for the test that the settings name; a part's tails are borne."""
    from engine.independence.arranging import make_test_data

    # Who asks for one thread gets one: of libraries those that have nothing to do would keep turning.
    algebra = single_threaded_algebra() if settings.workers == 1 else nullcontext()
    with algebra:
        data = make_test_data(dataset, settings.test, is_part=is_part, **settings.test_options())
        return data.at_level(settings.alpha)


def check_time_order(settings: DiscoverySettings, knowledge: Knowledge | None) -> None:
    """Refuse to search in time order where no tiers are given."""
    if settings.time_order and (knowledge is None or not knowledge.tiers):
        raise InvalidParameter(
            _("no tiers are given, so there is no time order to search in."),
            place=the_setting("time_order"),
            remedy=_("Give background knowledge with tiers, or switch the setting off."),
        )


def in_time_order(data: TestData, settings: DiscoverySettings, knowledge: Knowledge | None) -> TestData:
    """Return data whose tests follow the time order, where the settings ask for it."""
    if not settings.time_order or knowledge is None or not knowledge.has_order:
        return data
    tiers = np.zeros(len(data.names), dtype=np.int64)
    for number, tier in enumerate(knowledge.tiers, 1):
        tiers[[data.positions[name] for name in tier if name in data.positions]] = number
    return replace(data, tiers=tiers)
