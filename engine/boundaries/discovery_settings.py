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
    """How causal variables are searched for.

    Raises
    ------
    InvalidParameter
        When a value is impossible; the message names the setting and the allowed values.

    Examples
    --------
    >>> DiscoverySettings(alpha=0.01).alpha
    0.01
    """

    algorithm: str = parameter(
        "hiton-mb",
        N_("Algorithm"),
        N_("How the neighbourhood of each label is searched."),
        choices=algorithm_choices,
    )
    test: str = parameter(
        AUTO,
        N_("Independence test"),
        N_("How it is decided whether two variables tell something about each other."),
        choices=ci_test_choices,
    )
    alpha: float = parameter(
        0.01,
        N_("Significance level (α)"),
        N_(
            "Share of false alarms that is tolerated. A smaller level finds fewer variables, with fewer "
            "false ones."
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
            "The significance level follows the number of rows, or of groups where rows are grouped. "
            "It is 0.05 with up to 100. Beyond, it is 0.5 divided by the root of their number, "
            "rounded down (Good 1982, Standardized tail-area probabilities, Journal of Statistical "
            "Computation and Simulation 16:65-66). Small tables get a larger level, and large tables "
            "a smaller one. The result names the level used."
        ),
        advanced=True,
    )
    max_conditioning: int = parameter(
        3,
        N_("Conditioning size"),
        N_("Largest number of variables that a test is conditioned on; more needs more rows."),
        minimum=0,
        maximum=10,
    )
    false_discovery: str = parameter(
        "bh",
        N_("False-discovery control"),
        N_("Whether the many tests of one variable against all others are corrected for."),
        choices=(
            Choice("bh", "Benjamini-Hochberg", N_("Of all variables let in, at most a share α is false.")),
            Choice(
                "none",
                N_("Plain level"),
                N_("Every test uses the significance level itself, as in the paper."),
            ),
        ),
    )
    procedure: str = parameter(
        CONTROLLED,
        N_("Procedure"),
        N_(
            "Whether findings are checked further than in the paper. Checks with Benjamini-Hochberg "
            "suit wide tables: the default. Checks at the plain level suit few columns that are "
            "closely related. As published with Benjamini-Hochberg corrects the screens alone, so "
            "that what goes along with a true finding may stay. As published at the plain level is "
            "the paper's own reading: among many columns most findings are accidents."
        ),
        choices=(
            Choice(
                CONTROLLED,
                N_("Controlled"),
                N_(
                    "Spouses are confirmed. Members that a spouse and its child explain are removed. "
                    "Tests are conditioned on three and more variables only with rows enough. With "
                    "numbers, confirmation (backward elimination) tests every member once more given "
                    "all others: up to 2000 rows at the significance level, beyond at one that falls "
                    "as rows grow. In complete tables, where the test compares likelihoods, "
                    "score-based refinement follows. A score of whole graphs adds members that single"
                    " tests removed. A member that is not in its graph is removed if the parents "
                    "there separate it. This is done if the table has up to 200 columns, or if up to "
                    "60 depend on a label and its neighbours. With fewer than 4000 rows, the 20 most "
                    "related of each count (Gao and Ji 2017, Efficient score-based Markov blanket "
                    "discovery, International Journal of Approximate Reasoning 80:277-293; Andrews "
                    "and others 2023, Fast scalable and accurate discovery of DAGs using the best "
                    "order score search and grow-shrink trees, NeurIPS 36). Among categories, if "
                    "variables determine a label in all rows, only these are kept. A member that is "
                    "clearly independent of the label in strata of all other members is removed."
                ),
            ),
            Choice(
                AS_PUBLISHED,
                N_("As published"),
                N_(
                    "The steps of the paper's Algorithm 1 and no others. Variables are "
                    "interchangeable where the tests find no difference, within no margin."
                ),
            ),
        ),
        advanced=True,
    )
    time_order: bool = parameter(
        False,
        N_("Time order"),
        N_(
            "Let the tiers of the background knowledge steer the search. The boundary of a label is "
            "searched among what is not later than the label. No test conditions on what is later than both "
            "its variables. Needs tiers."
        ),
        advanced=True,
    )
    max_equivalence: int = parameter(
        1,
        N_("Interchangeable set size"),
        N_("How many variables together may be interchangeable with a neighbour."),
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
        N_("How degrees of freedom are counted in tables with few rows a cell."),
        choices=(
            Choice(
                "effective",
                N_("Effective"),
                N_(
                    "As adjusted where cells are full; else those of the law that the table's own "
                    "margins give."
                ),
            ),
            Choice("adjusted", N_("Adjusted"), N_("Only levels that occur in a stratum are counted.")),
            Choice("nominal", N_("Nominal"), N_("All levels are counted, seen or not.")),
        ),
        advanced=True,
    )
    min_rows_per_dof: float = parameter(
        _OF_TESTS.min_rows_per_dof,
        N_("Rows per degree of freedom"),
        N_("Tests with fewer rows per nominal degree of freedom are no evidence of anything; 0 is off."),
        minimum=0.0,
        maximum=1000.0,
        advanced=True,
    )
    min_rows_per_cell: float = parameter(
        _OF_TESTS.min_rows_per_cell,
        N_("Rows per cell"),
        N_("Tests with fewer rows per table cell are no evidence of anything; 5 is usual, 0 is off."),
        minimum=0.0,
        maximum=1000.0,
        advanced=True,
    )
    large_set_rows: float = parameter(
        300.0,
        N_("Rows for large sets"),
        N_(
            "A test is conditioned on three or more variables only with this many rows per degree of "
            "freedom; 0 is off."
        ),
        minimum=0.0,
        maximum=100_000.0,
        advanced=True,
    )
    row_weights: str = parameter(
        _OF_TESTS.row_weights,
        N_("Row weights"),
        N_("What the numbers in a weight column say, when there is one."),
        choices=(
            Choice(
                SAMPLING,
                N_("Sampling weights"),
                N_("How much of a population a row represents; tests allow for links of the weights."),
            ),
            Choice(
                COUNTS, N_("Counts"), N_("How many equal rows were joined into one; tests count them all.")
            ),
        ),
        advanced=True,
    )
    permutations: int = parameter(
        _OF_TESTS.permutations,
        N_("Permutations"),
        N_("How often the permutation tests shuffle the data at most; more give finer p-values."),
        minimum=99,
        maximum=1_000_000,
        advanced=True,
    )
    permutation_seed: int = seed_parameter(
        N_("Number from which the shuffles follow; the same number gives the same result."),
        N_("Permutation seed"),
        advanced=True,
    )
    degree: int = parameter(
        _OF_TESTS.degree,
        N_("Degree"),
        N_(
            "How bent the relations of numbers may be in the likelihood ratio with basis functions: 1 is a "
            "straight line, 3 a curve with two turns; more needs more rows."
        ),
        minimum=1,
        maximum=6,
        advanced=True,
    )
    symmetry: bool = parameter(
        False,
        N_("Symmetry correction"),
        N_("Keep a neighbour only if the search from its side agrees; loses interchangeable ones."),
        advanced=True,
    )
    workers: int | None = workers_parameter(
        N_(
            "Number of searches at once; empty uses every core where that is quicker. It never changes the "
            "result."
        ),
        advanced=True,
        changes_result=False,
    )
    cluster: str | None = parameter(
        None,
        N_("Cluster"),
        N_(
            "Address of a dask scheduler whose machines search; empty searches here. Use only one that you "
            "trust: each side can run programs on the other."
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
