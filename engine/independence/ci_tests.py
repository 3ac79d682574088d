"""Every conditional-independence test, described once.

A further test is one file with a function ``(TestColumns, TestOptions) -> TestData``, and one entry here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from engine.errors import InvalidParameter
from engine.parameters import Choice
from engine.table.variable import Kind
from engine.translation import N_, _
from engine.wording.sentences import choose_one
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from engine.table.dataset import Dataset

AUTO = "auto"
# What "auto" takes: where every variable is categories, and elsewhere.
_FOR_CATEGORIES = "g2"
_FOR_NUMBERS = "basis"


@dataclass(frozen=True, slots=True)
class CITestDescription:
    """What a person needs to know to choose a test."""

    name: str  # value of ``DiscoverySettings.test``
    title: str  # name in the literature
    help: str  # one sentence on when to use it
    source: str
    data: tuple[Kind, ...]  # kinds of variables it works on
    statistic: str  # symbol
    # ``"module:function"`` that arranges a table: ``(TestColumns, TestOptions) -> TestData``
    entry_point: str
    takes_missing: bool = False  # leaves out, test by test, the rows that miss a value
    takes_weights: bool = False  # rows can stand for more or fewer than one
    takes_groups: bool = False  # rows may come in groups, such as several of one person
    has_tables: bool = False  # counts contingency tables: their cells can be too many for the rows
    permutes: bool = False  # p-values come from permutations of the data
    pools: bool = False  # can pool tables that multiple imputation completed: a likelihood ratio
    has_degree: bool = False  # numbers enter as polynomials of a chosen degree

    @property
    def takes_numbers(self) -> bool:
        """Whether continuous columns are to be left as they are for it."""
        return Kind.CONTINUOUS in self.data

    @property
    def takes_categories(self) -> bool:
        """Whether a nominal column may have more than two categories."""
        return Kind.NOMINAL in self.data

    def load(self) -> Callable[..., Any]:
        """Import the function that arranges a table; its module is imported no earlier."""
        arrange: Callable[..., Any] = resolve_name(self.entry_point)
        return arrange


_PERMUTATION_SOURCE = (
    "Besag and Clifford (1991), Sequential Monte Carlo p-values, Biometrika 78:301-304; Tsamardinos and "
    "Borboudakis (2010), Permutation testing improves Bayesian network learning, ECML PKDD, 322-337"
)

_TESTS = (
    CITestDescription(
        "g2",
        N_("G² (likelihood ratio)"),
        N_("For categories and counts. Continuous columns are cut into bins first."),
        "Agresti (2013), Categorical Data Analysis, 3rd ed., section 3.2",
        (Kind.NOMINAL,),
        "G²",
        "engine.independence.discrete.arranging:arrange_g_squared",
        takes_missing=True,
        takes_weights=True,
        has_tables=True,
        pools=True,
    ),
    CITestDescription(
        "x2",
        "Pearson's X²",
        N_("As G², with Pearson's statistic. In sparse tables, both must be significant."),
        "Pearson (1900); Agresti (2013), Categorical Data Analysis, 3rd ed., section 3.2",
        (Kind.NOMINAL,),
        "X²",
        "engine.independence.discrete.arranging:arrange_pearson",
        takes_missing=True,
        takes_weights=True,
        has_tables=True,
    ),
    CITestDescription(
        "fisher-z",
        N_("Fisher's z (partial correlation)"),
        N_("For continuous measurements with linear relations. Nothing is cut into bins."),
        "Fisher (1924), The distribution of the partial correlation coefficient, Metron 3:329-332",
        (Kind.CONTINUOUS,),
        "z",
        "engine.independence.fisher_z:arrange",
        takes_missing=True,
        takes_weights=True,
    ),
    CITestDescription(
        "fisher-z-rank",
        N_("Fisher's z of normal scores"),
        N_("Fisher's z of ranks, for numbers with outliers or heavy tails and monotone relations."),
        (
            "Waerden (1952), Order tests for the two-sample problem and their power, Indagationes "
            "Mathematicae 14:453-458; Liu, Lafferty, Wasserman (2009), The nonparanormal, JMLR "
            "10:2295-2328"
        ),
        (Kind.CONTINUOUS,),
        "z",
        "engine.independence.fisher_z:arrange_ranks",
        takes_missing=True,
        takes_weights=True,
    ),
    CITestDescription(
        "basis",
        N_("Likelihood ratio with basis functions"),
        N_(
            "For numbers and categories in one table. Relations may be curved (straight terms count "
            "twice), and tails may be heavy. Two categories without conditioning variables are "
            "tested by G². In all other tests, the effects of the variables are assumed to add up."
        ),
        (
            "Ramsey, Andrews and others (2025), basis-function likelihood ratio; Andrews, Ramsey, "
            "Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types, "
            "PMLR 104:4-21; Wilks' lambda with the factor of Bartlett (1938); given others, two "
            "numbers are compared in pairs of basis functions of which one is the number itself, as "
            "in Shah and Peters (2020), The hardness of conditional independence testing and the "
            "generalised covariance measure, Annals of Statistics 48:1514-1538; a sum in which the "
            "variables themselves count in full and their bends half, by the mixture of Robbins and "
            "Pitman (1949), Annals of Mathematical Statistics 20:552-560"
        ),
        (Kind.NOMINAL, Kind.CONTINUOUS),
        "LR",
        "engine.independence.basis.arranging:arrange",
        takes_missing=True,
        takes_weights=True,
        takes_groups=True,
        has_degree=True,
        pools=True,
    ),
    CITestDescription(
        "mixed",
        N_("Likelihood ratio (mixed data)"),
        N_(
            "For numbers and categories in one table, by linear and logistic models. Nothing is cut "
            "into bins."
        ),
        (
            "Tsagris, Borboudakis, Lagani, Tsamardinos (2018), Constraint-based causal discovery with mixed "
            "data, International Journal of Data Science and Analytics 6:19-30"
        ),
        (Kind.NOMINAL, Kind.CONTINUOUS),
        "LR",
        "engine.independence.likelihood_ratio:arrange",
    ),
    CITestDescription(
        "rcot",
        N_("RCoT (kernels by random Fourier features)"),
        N_(
            "For checking a result on numbers and categories. It also finds pairs that act on a "
            "label only together. It is slower, and finds less if effects add up."
        ),
        (
            "Strobl, Zhang, Visweswaran (2019), Approximate kernel-based conditional independence "
            "tests for fast non-parametric causal discovery, Journal of Causal Inference 7:20180017"
        ),
        (Kind.NOMINAL, Kind.CONTINUOUS),
        "RCoT",
        "engine.independence.random_fourier:arrange",
    ),
    CITestDescription(
        "g2-permutation",
        N_("G² by permutation"),
        N_("As G², but also valid in sparse tables, because p-values come from permutations. Much slower."),
        _PERMUTATION_SOURCE,
        (Kind.NOMINAL,),
        "G²",
        "engine.independence.discrete.permutation:arrange_g_squared",
        takes_missing=True,
        permutes=True,
        has_tables=True,
    ),
    CITestDescription(
        "x2-permutation",
        N_("Pearson's X² by permutation"),
        N_(
            "As Pearson's X², but also valid in sparse tables, because p-values come from "
            "permutations. Much slower."
        ),
        _PERMUTATION_SOURCE,
        (Kind.NOMINAL,),
        "X²",
        "engine.independence.discrete.permutation:arrange_pearson",
        takes_missing=True,
        permutes=True,
        has_tables=True,
    ),
)


_FURTHER: dict[str, CITestDescription] = {}


def ci_tests() -> dict[str, CITestDescription]:
    """Return all conditional-independence tests by name, in the order shown to people.

    Examples
    --------
    >>> ci_tests()["fisher-z"].statistic
    'z'
    """
    return {description.name: description for description in _TESTS} | _FURTHER


def register_ci_test(description: CITestDescription) -> None:
    """Offer a further test; its ``entry_point`` must be importable by workers on other machines too."""
    if description.name == AUTO or description.name in ci_tests():
        raise InvalidParameter(
            _("there is a test {name!r} already.", name=description.name),
            remedy=_("Give the further test another name."),
        )
    _FURTHER[description.name] = description


def test_named(name: str, *, has_numbers: bool, is_grouped: bool = False) -> CITestDescription:
    """Describe a test; ``"auto"`` stands for the one that suits numbers and rows in groups (`is_grouped`)."""
    if name == AUTO:
        name = _FOR_NUMBERS if has_numbers or is_grouped else _FOR_CATEGORIES
    tests = ci_tests()
    if name not in tests:
        raise InvalidParameter(
            _("{name!r} is not a test.", name=name),
            place=the_setting("test"),
            remedy=choose_one(tests),
        )
    return tests[name]


test_named.__test__ = False  # type: ignore[attr-defined]


def chosen_test(name: str, dataset: Dataset) -> CITestDescription:
    """Describe the test of a name for a table; see :func:`test_named`."""
    return test_named(name, has_numbers=dataset.has_numbers, is_grouped=dataset.groups is not None)


def ci_test_choices() -> tuple[Choice, ...]:
    """Return the tests as choices of a setting, the one that looks at the table first."""
    categories, numbers = (_(ci_tests()[name].title) for name in (_FOR_CATEGORIES, _FOR_NUMBERS))
    suited = Choice(
        AUTO,
        _("Suited to the table"),
        _(
            "Only categories: {categories}. Numbers, or groups of rows: {numbers}.",
            categories=categories,
            numbers=numbers,
        ),
    )
    return (suited, *(Choice(ci_test.name, ci_test.title, ci_test.help) for ci_test in ci_tests().values()))
