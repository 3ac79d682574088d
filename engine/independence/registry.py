"""Every conditional-independence test, described once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.parameters import Choice
from engine.variable import Kind


@dataclass(frozen=True, slots=True)
class CITestDescription:
    """What a person needs to know to choose a test.

    Attributes
    ----------
    name : str
        Value of ``DiscoverySettings.test``.
    title : str
        Name in the literature.
    help : str
        One sentence on when to use it.
    source : str
        Reference.
    data : tuple of Kind
        Kinds of variables it works on.
    statistic : str
        Symbol of its statistic.
    takes_missing : bool
        It can leave out, test by test, the rows that miss a value.
    takes_weights : bool
        Its rows can stand for more or fewer than one.
    permutes : bool
        Its p-values come from permutations of the data.
    """

    name: str
    title: str
    help: str
    source: str
    data: tuple[Kind, ...]
    statistic: str
    takes_missing: bool = False
    takes_weights: bool = False
    permutes: bool = False

    @property
    def takes_numbers(self) -> bool:
        """Whether continuous columns are to be left as they are for it."""
        return Kind.CONTINUOUS in self.data

    @property
    def takes_categories(self) -> bool:
        """Whether a nominal column may have more than two categories."""
        return Kind.NOMINAL in self.data


_PERMUTATION_SOURCE = (
    "Besag and Clifford (1991), Sequential Monte Carlo p-values, Biometrika 78:301-304; Tsamardinos and "
    "Borboudakis (2010), Permutation testing improves Bayesian network learning, ECML PKDD, 322-337"
)

_TESTS = (
    CITestDescription(
        "g2",
        "G² (likelihood ratio)",
        "For categories and counts; continuous columns are cut into bins first.",
        "Agresti (2013), Categorical Data Analysis, 3rd ed., section 3.2",
        (Kind.NOMINAL,),
        "G²",
        takes_missing=True,
        takes_weights=True,
    ),
    CITestDescription(
        "x2",
        "Pearson's X²",
        "As G², with Pearson's statistic, which is closer to its distribution in small tables.",
        "Pearson (1900); Agresti (2013), Categorical Data Analysis, 3rd ed., section 3.2",
        (Kind.NOMINAL,),
        "X²",
        takes_missing=True,
        takes_weights=True,
    ),
    CITestDescription(
        "fisher-z",
        "Fisher's z (partial correlation)",
        "For continuous measurements with straight-line relations; nothing is cut into bins.",
        "Fisher (1924), The distribution of the partial correlation coefficient, Metron 3:329-332",
        (Kind.CONTINUOUS,),
        "z",
        takes_missing=True,
        takes_weights=True,
    ),
    CITestDescription(
        "mixed",
        "Likelihood ratio (mixed data)",
        "For numbers and categories in one table, by linear and logistic models; nothing is cut into bins.",
        "Tsagris, Borboudakis, Lagani, Tsamardinos (2018), Constraint-based causal discovery with mixed "
        "data, International Journal of Data Science and Analytics 6:19-30",
        (Kind.NOMINAL, Kind.CONTINUOUS),
        "LR",
    ),
    CITestDescription(
        "g2-permutation",
        "G² by permutation",
        "As G², right also where tables are sparse: p comes from shuffling the data. Much slower.",
        _PERMUTATION_SOURCE,
        (Kind.NOMINAL,),
        "G²",
        takes_missing=True,
        permutes=True,
    ),
    CITestDescription(
        "x2-permutation",
        "Pearson's X² by permutation",
        "As Pearson's X², right also where tables are sparse: p comes from shuffling the data. Much slower.",
        _PERMUTATION_SOURCE,
        (Kind.NOMINAL,),
        "X²",
        takes_missing=True,
        permutes=True,
    ),
)


def ci_tests() -> dict[str, CITestDescription]:
    """Give every conditional-independence test by name, in the order in which they are offered.

    Examples
    --------
    >>> ci_tests()["fisher-z"].statistic
    'z'
    """
    return {description.name: description for description in _TESTS}


def ci_test_choices() -> tuple[Choice, ...]:
    """Give the tests as choices of a setting."""
    return tuple(Choice(each.name, each.title, each.help) for each in _TESTS)
