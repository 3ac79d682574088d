"""What stands in the way of a run: settings that do not go together, with the reason and ways out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.columns import named_few
from clcd_gui.wording.text import count_text
from engine.independence.ci_tests import AUTO, CITestDescription, test_named
from engine.preparation.discretisation_methods import LEAVE_CONTINUOUS, discretisation_methods
from engine.preparation.discretise import cut_column
from engine.table.variable import Kind, Role, Variable
from engine.translation import N_, _, for_count
from engine.wording.phrases import plain_listing


@dataclass(frozen=True, slots=True)
class WayOut:
    """A change that removes a problem."""

    title: str
    preparation: dict[str, Any] = field(default_factory=dict)
    discovery: dict[str, Any] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()

    def applied_to(self, analysis: Analysis) -> Analysis:
        """Return the analysis with the change made."""
        changed = analysis.with_settings(self.preparation, self.discovery)
        return changed.with_roles(self.ignore, Role.IGNORED)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a run cannot start, or would not do what is expected."""

    reason: str  # one sentence
    short: str  # a few words, for beside the disabled button
    on_data_page: bool = False  # it is put right on the data page rather than on the method page
    ways_out: tuple[WayOut, ...] = ()  # changes that help, the best first


_FOUND: WeakKeyDictionary[Analysis, tuple[Problem, ...]] = WeakKeyDictionary()


def problems(analysis: Analysis) -> tuple[Problem, ...]:
    """List everything that stands in the way of a run, the first to be put right first."""
    # Every page, the rail and the menus ask, whenever anything changes.
    if analysis not in _FOUND:
        _FOUND[analysis] = tuple(_problems(analysis))
    return _FOUND[analysis]


def remarks(analysis: Analysis) -> tuple[Problem, ...]:
    """List what a person should know of the settings before a run, though nothing stands in its way."""
    return tuple(_cuts_for_the_test(analysis))


@dataclass(frozen=True, slots=True)
class NumberLabel:
    """A label that is a number."""

    name: str
    levels: tuple[str, ...] = ()  # categories into which a run would cut it; empty where it stays a number

    @property
    def sentence(self) -> str:
        """What becomes of it."""
        if self.levels:
            return _(_LABEL_IS_CUT, name=self.name, levels=plain_listing(self.levels))
        return _(_LABEL_STAYS, name=self.name)


_LABEL_IS_CUT = N_(
    "The label “{name}” is a number, and a run will cut it into {levels}. You can choose the cuts yourself."
)
_LABEL_STAYS = N_(
    "The label “{name}” is a number, so CLCD looks for variables linked to its value. If it should "
    "be an outcome that is present or absent, cut it."
)


def number_label(analysis: Analysis) -> NumberLabel | None:
    """Return the first label that is a number, with what a run would make of it; None where there is none."""
    dataset, discretise = analysis.dataset, analysis.preparation.discretise
    name = next((label for label in dataset.labels if dataset.variable(label).kind is Kind.CONTINUOUS), None)
    if name is None:
        return None
    if discretise == LEAVE_CONTINUOUS and used_test(analysis).takes_numbers:
        return NumberLabel(name)
    methods, column = discretisation_methods(), dataset.column(name)
    method = methods["median" if discretise == LEAVE_CONTINUOUS else discretise]
    if method.uses_labels:
        method = methods["median"]
    if np.isnan(column).all():
        return None
    cut = cut_column(column, method, analysis.preparation.bins, keep_codes=True, missing_level=False)
    return NumberLabel(name, cut.levels)


def idle_settings(analysis: Analysis) -> dict[str, str]:
    """Return the settings that make no difference now, by name, with the reason."""
    idle: dict[str, str] = {}
    test = used_test(analysis)
    title = short_title(test)
    if not test.takes_categories:
        reason = _("{title} uses no contingency tables, so this setting has no effect.", title=title)
        idle |= dict.fromkeys(("dof", "min_rows_per_dof", "min_rows_per_cell"), reason)
    elif not test.has_tables:
        reason = _("{title} uses models instead of tables, so this setting has no effect.", title=title)
        idle |= dict.fromkeys(("dof", "min_rows_per_cell"), reason)
    if test.permutes:
        idle["dof"] = _("Permutation tests need no degrees of freedom.")
    else:
        idle |= dict.fromkeys(
            ("permutations", "permutation_seed"), _("{title} does not permute the data.", title=title)
        )
    if not test.has_degree:
        idle["degree"] = _("{title} has no polynomials.", title=title)
    if analysis.preparation.missing != "imputed":
        idle |= dict.fromkeys(("imputations", "imputation_seed"), _("No values are imputed."))
    if not analysis.knowledge.has_order:
        idle["time_order"] = _(_NO_TIERS)
    if analysis.discovery.automatic_alpha:
        idle["alpha"] = _("The significance level follows the number of rows (automatic α).")
    if analysis.dataset.weight is None:
        idle["row_weights"] = _("No column is chosen as the row weight.")
    discretise = analysis.preparation.discretise
    if discretise == LEAVE_CONTINUOUS:
        idle["bins"] = _("Numbers are not cut into bins.")
    else:
        method = discretisation_methods()[discretise]
        if not method.uses_bins:
            idle["bins"] = _("{title} decides the number of bins itself.", title=_(method.title))
    return idle


_NO_TIERS = N_("There is no time order. Put variables into two or more tiers under Background knowledge.")


def used_test(analysis: Analysis) -> CITestDescription:
    """Describe the test that a run would use, also where the choice is left to the table."""
    stay_numbers = analysis.preparation.discretise == LEAVE_CONTINUOUS and analysis.dataset.has_numbers
    return test_named(
        analysis.discovery.test, has_numbers=stay_numbers, is_grouped=analysis.dataset.groups is not None
    )


def short_title(test: CITestDescription) -> str:
    """Return the name of a test without what stands in brackets."""
    return _(test.title).partition(" (")[0]


def _problems(analysis: Analysis) -> Iterator[Problem]:
    dataset, preparation = analysis.dataset, analysis.preparation
    if not dataset.labels:
        yield Problem(
            _("No label is chosen yet: mark the columns that you want to explain."),
            _("Choose at least one label"),
            on_data_page=True,
        )
        return
    if not dataset.features:
        yield Problem(
            _("Every column is a label or ignored, so no feature is left to explain the labels."),
            _("Make at least one column a feature"),
            on_data_page=True,
        )
        return
    used = [variable for variable in dataset.variables if variable.role.takes_part]
    test = used_test(analysis)
    title, leaves_numbers = short_title(test), preparation.discretise == LEAVE_CONTINUOUS
    if not test.takes_categories:
        yield from _numbers_needed(analysis, used, title)
    if (
        test.takes_numbers
        and not leaves_numbers
        and any(variable.kind is Kind.CONTINUOUS for variable in used)
    ):
        yield Problem(
            _("{title} works on numbers, but they will be cut into bins first.", title=title),
            _("Bins do not suit the test"),
            ways_out=(
                WayOut(_("Leave numbers as they are"), preparation={"discretise": LEAVE_CONTINUOUS}),
                _use_g_squared(analysis),
            ),
        )
    yield from _problems_of_missing_values(analysis, used, test)
    if dataset.weight is not None and not test.takes_weights:
        yield Problem(
            _(
                "{title} cannot use row weights, such as “{weight}”.",
                title=title,
                weight=dataset.weight,
            ),
            _("The test does not suit the weights"),
            ways_out=(WayOut(_("Ignore the weights"), ignore=(dataset.weight,)), _use_g_squared(analysis)),
        )
    if dataset.groups is not None and not test.takes_groups:
        yield Problem(
            _(
                "{title} treats all rows as independent, but rows with the same “{groups}” are not.",
                title=title,
                groups=dataset.groups,
            ),
            _("The test does not suit the groups"),
            ways_out=(WayOut(_("Ignore the groups"), ignore=(dataset.groups,)),),
        )
    if analysis.discovery.time_order and not analysis.knowledge.has_order:
        yield Problem(
            _("The time order is to steer the search, but the variables are not in two or more tiers."),
            _("No time order is given"),
            ways_out=(WayOut(_("Search without time order"), discovery={"time_order": False}),),
        )


def _cuts_for_the_test(analysis: Analysis) -> Iterator[Problem]:
    test, dataset = used_test(analysis), analysis.dataset
    if analysis.preparation.discretise != LEAVE_CONTINUOUS or test.takes_numbers or not dataset.has_numbers:
        return
    numbers = [
        variable
        for variable in dataset.variables
        if variable.role.takes_part and variable.kind is Kind.CONTINUOUS
    ]
    cut = for_count(
        len(numbers),
        "{test} works on categories, so {count} number will be cut at its median: {names}.",
        "{test} works on categories, so {count} numbers will be cut at their medians: {names}.",
    ).format(test=short_title(test), count=count_text(len(numbers)), names=_few(numbers))
    yield Problem(
        _(
            "{cut} A half carries less information than the number. With many rows, the rest of the "
            "information can look like direct links.",
            cut=cut,
        ),
        _("Numbers are cut for the test"),
        ways_out=(_USE_SUITED_TEST,),
    )


def _numbers_needed(analysis: Analysis, used: list[Variable], title: str) -> Iterator[Problem]:
    many = [variable for variable in used if variable.kind is Kind.NOMINAL and variable.level_count > 2]
    if many:
        ways_out = [_USE_SUITED_TEST, _use_g_squared(analysis)]
        if all(variable.role is Role.FEATURE for variable in many):
            ignore = _("Ignore it") if len(many) == 1 else _("Ignore these {count:,}", count=len(many))
            ways_out.append(WayOut(ignore, ignore=tuple(variable.name for variable in many)))
        reason = for_count(
            len(many),
            "{title} works on numbers and on columns with two categories, but {count} column has "
            "more: {few}.",
            "{title} works on numbers and on columns with two categories, but {count} columns have "
            "more: {few}.",
        )
        yield Problem(
            reason.format(title=title, count=count_text(len(many)), few=_few(many)),
            _("The test does not suit the categories"),
            ways_out=tuple(ways_out),
        )


def _problems_of_missing_values(
    analysis: Analysis, used: list[Variable], test: CITestDescription
) -> Iterator[Problem]:
    dataset, preparation, title = analysis.dataset, analysis.preparation, short_title(test)
    stays_uncut = preparation.discretise == LEAVE_CONTINUOUS
    may_matter = {"own-level": stays_uncut, "per-test": not test.takes_missing, "imputed": True}
    # To count what is missing takes a moment in a large table.
    if not may_matter.get(preparation.missing):
        return
    empty = [variable for variable in used if dataset.missing_count(variable.name)]
    if not empty:
        return
    numbers = [variable for variable in empty if variable.kind is Kind.CONTINUOUS]
    per_test = (_LEAVE_OUT_PER_TEST,) if test.takes_missing else ()
    if numbers and preparation.missing == "own-level":
        yield Problem(
            _("In a column of numbers, missing cannot be a category: {few}.", few=_few(numbers)),
            _("A category for missing values does not suit numbers"),
            ways_out=(_LEAVE_OUT_ROWS, *per_test, _FILL_IN),
        )
    if preparation.missing == "per-test":
        yield Problem(
            _("{title} cannot leave out missing values in each test: {few}.", title=title, few=_few(empty)),
            _("The test does not suit missing values"),
            ways_out=(_LEAVE_OUT_ROWS, _FILL_IN, _use_g_squared(analysis)),
        )
    if preparation.missing == "imputed" and not test.pools:
        yield Problem(
            _(
                "{title} cannot pool the imputed values of multiple imputation: {few}.",
                title=title,
                few=_few(empty),
            ),
            _("The test does not suit multiple imputation"),
            ways_out=(_USE_SUITED_TEST, *per_test),
        )
    beside = dataset.weight or dataset.groups
    if preparation.missing == "imputed" and beside is not None:
        yield Problem(
            _(
                "Multiple imputation treats all rows as independent and equally weighted, but "
                "“{beside}” says otherwise.",
                beside=beside,
            ),
            _("Multiple imputation does not suit the rows"),
            ways_out=(_LEAVE_OUT_PER_TEST, WayOut(_("Ignore the column"), ignore=(beside,))),
        )


_LEAVE_OUT_ROWS = WayOut(N_("Leave out the rows"), preparation={"missing": "drop-rows"})
_LEAVE_OUT_PER_TEST = WayOut(N_("Leave out per test"), preparation={"missing": "per-test"})
_FILL_IN = WayOut(N_("Fill in"), preparation={"missing": "most-frequent"})
_USE_SUITED_TEST = WayOut(
    N_("Use the test that suits the table"),
    preparation={"discretise": LEAVE_CONTINUOUS},
    discovery={"test": AUTO},
)


def _use_g_squared(analysis: Analysis) -> WayOut:
    is_uncut = analysis.preparation.discretise == LEAVE_CONTINUOUS
    cut = {"discretise": "quantile"} if is_uncut else {}
    return WayOut(_("Use G²"), preparation=cut, discovery={"test": "g2"})


def _few(variables: list[Variable]) -> str:
    return named_few([variable.name for variable in variables], 3)
