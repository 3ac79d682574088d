"""How an analysis was made, what its findings mean and what they do not, and the literature they rest on."""

from __future__ import annotations

import platform
from collections.abc import Container, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.boundaries.single_algorithms import single_algorithms
from engine.discovery.evidence import LEVEL_OF_WHOLE
from engine.discovery.orientation.direction import Because
from engine.parameters import Parameter, parameter_of, parameters_of
from engine.preparation.dependence import DEPENDENT_ROWS
from engine.preparation.discretisation_methods import discretisation_methods
from engine.reporting.sentences.overview import run_sentences, summary_sentences
from engine.reporting.sentences.stability import stability_sentences
from engine.reporting.tables import ResultContext
from engine.translation import N_, _
from engine.wording.numbers import ENGLISH, NumberWriter, counted, written_out
from engine.wording.phrases import names_listing
from engine.wording.sentences import LINKS_ARE_COUNTED, NO_PROOF
from engine.wording.shown_names import names_shown

if TYPE_CHECKING:
    from engine.boundaries.discovery_settings import DiscoverySettings
    from engine.discovery.result import DiscoveryResult
    from engine.preparation.preparation_settings import PreparationSettings


_EMPTY_MEANS = N_("automatic")


def setting_rows(settings: Any) -> tuple[tuple[str, str, str], ...]:
    """Return title, value in words and help of every setting that can change a result.

    >>> from engine.boundaries.discovery_settings import DiscoverySettings
    >>> setting_rows(DiscoverySettings())[0][:2]
    ('Algorithm', 'HITON-MB')
    """
    return tuple(
        (_(parameter.title), value_in_words(parameter, getattr(settings, parameter.name)), _(parameter.help))
        for parameter in parameters_of(type(settings))
        if parameter.changes_result
    )


def value_in_words(description: Parameter, value: Any, numbers: NumberWriter = ENGLISH) -> str:
    """Say the value of a setting as a menu would.

    >>> from engine.boundaries.discovery_settings import DiscoverySettings
    >>> [value_in_words(each, each.default) for each in parameters_of(DiscoverySettings)[:4]]
    ['HITON-MB', 'Suited to the table', '0.01', 'no']
    >>> value_in_words(parameters_of(DiscoverySettings)[2], 1e-6)
    '0.000001'
    """
    if value is None:
        return _("none") if description.kind == "address" else _(_EMPTY_MEANS)
    if description.kind == "choice":
        return next((_(choice.title) for choice in description.choices if choice.value == value), str(value))
    if description.kind == "flag":
        return _("yes") if value else _("no")
    if description.kind == "texts":
        return ", ".join(value)
    if description.kind in ("address", "text"):
        return str(value)
    if isinstance(value, int):
        return numbers.count(value)
    return written_out(value)


def data_rows(analysis: ResultContext) -> tuple[tuple[str, str], ...]:
    """Say what was analysed."""
    dataset = analysis.result.dataset
    rows = [
        (_("Table"), analysis.title),
        (_("Rows"), f"{dataset.row_count:,}"),
        (_("Features"), f"{len(dataset.features):,}"),
        (_("Labels"), f"{len(dataset.labels):,}"),
    ]
    for title, name in ((_("Row weights"), dataset.weight), (_("Groups of rows"), dataset.groups)):
        if name is not None:
            rows.append((title, _("in the column “{name}”", name=name)))
    if dataset.ignored:
        rows.append((_("Set aside"), counted(len(dataset.ignored), "column")))
    if analysis.shown_names:
        parameter = parameter_of(type(analysis.options), "variable_names")
        rows.append((_(parameter.title), value_in_words(parameter, analysis.options.variable_names)))
    rows.append((_("Content hash (SHA-256)"), dataset.content_hash))
    return (*rows, *_reading_rows(analysis))


def _reading_rows(analysis: ResultContext) -> Iterator[tuple[str, str]]:
    """Say what was chosen of how the table was read, where it is known."""
    origin = analysis.origin
    if origin is None:
        return
    if origin.labels_path is not None:
        yield _(_SECOND_TABLE), Path(origin.labels_path).name
    for option in () if origin.options is None else parameters_of(type(origin.options)):
        value = getattr(origin.options, option.name)
        if value not in (None, option.default):
            yield _(option.title), value_in_words(option, value)


_SECOND_TABLE = N_("Second table")


def preparation_rows(settings: PreparationSettings | None) -> tuple[tuple[str, str, str], ...]:
    """Say how the table was made ready; empty when that is not known."""
    return () if settings is None else setting_rows(settings)


_DIRECT_SHEETS = N_(
    "The sheet Links holds direct links and links through other labels. All other sheets of findings hold "
    "direct links alone."
)


def about_rows(analysis: ResultContext) -> list[Sequence[str]]:
    """Describe an analysis in rows of two cells, for the first sheet of a spreadsheet."""
    from engine.version import __version__

    result = analysis.result
    rows: list[Sequence[str]] = [(_("What"), _("Value"))]
    rows += [(_("Finding"), sentence) for sentence in summary_sentences(result)]
    if result.links_through_labels:
        rows.append((_("Sheets"), _(_DIRECT_SHEETS)))
    rows += [(_("Run"), sentence) for sentence in run_sentences(result)]
    rows += [(_("Found again"), sentence) for sentence in stability_sentences(result)]
    rows += data_rows(analysis)
    rows += [row[:2] for row in preparation_rows(analysis.preparation)]
    rows += [row[:2] for row in setting_rows(result.settings_used)]
    rows += [(_("Note"), note.text) for note in result.dataset.all_notes]
    rows.append((_("Program"), f"CLCD {__version__}"))
    return rows


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
    "Zhang (2008), Causal reasoning with ancestral graphs, JMLR 9:1437-1474",
    "Claassen, Heskes (2011), A logical characterization of constraint-based causal discovery, UAI, 135-144",
)
_BEST_GRAPHS = (
    (
        "Silander, Myllymäki (2006), A simple approach for finding the globally optimal Bayesian network "
        "structure, UAI, 445-452"
    ),
    (
        "Andrews, Ramsey, Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed "
        "data-types, PMLR 104:4-21"
    ),
)
_IMPUTATION = (
    "Rubin (1987), Multiple Imputation for Nonresponse in Surveys, Wiley",
    (
        "van Buuren, Groothuis-Oudshoorn (2011), mice: Multivariate imputation by chained equations in R, "
        "Journal of Statistical Software 45(3)"
    ),
    (
        "Chan, Meng (2022), Multiple improvements of multiple imputation likelihood ratio tests, Statistica "
        "Sinica 32:1489-1514"
    ),
    (
        "Barnard, Rubin (1999), Small-sample degrees of freedom with multiple imputation, Biometrika "
        "86:948-955"
    ),
)
_STABILITY = (
    (
        "Meinshausen, Bühlmann (2010), Stability selection, Journal of the Royal Statistical Society B "
        "72:417-473"
    ),
    (
        "Shah, Samworth (2013), Variable selection with error control: another look at stability selection, "
        "Journal of the Royal Statistical Society B 75:55-80"
    ),
)


def caveats(result: DiscoveryResult) -> tuple[tuple[str, str], ...]:
    """Return what a reader must keep in mind, each with a short heading."""
    settings = result.settings
    independent = _ROWS_INDEPENDENT if result.dataset.groups is None else _GROUPS_INDEPENDENT
    sentences = [
        (
            _("Causal has a narrow meaning here."),
            _(
                "A variable is linked to a label if it is in a Markov boundary of the label. This "
                "is the smallest set of variables given which all others say nothing more about it. "
                "Under the assumptions below, the boundary contains the direct causes of the label, "
                "its direct effects, and the other causes of these effects. The data show only in "
                "some cases which neighbours are causes and which are effects; the others are "
                "undecided. A direction holds if no common cause is unmeasured; its grade says what "
                "holds even if one is."
            ),
        ),
        *_about_links(result),
        *_about_time_order(result),
        (
            _(NO_PROOF),
            _(
                "CLCD does not know whether a variable was observed or assigned in an experiment. A "
                "finding is a reason to look closer, not proof that changing the variable changes the"
                " label."
            ),
        ),
        (
            _("Assumptions."),
            _(independent),
        ),
        (_("Chance."), " ".join([_chance(settings), *_level_of_wholes(result)])),
        (
            _("Not found is not absent."),
            _(
                "Label-specific means that a variable was found for one label and not for the "
                "others. With more rows, it may prove to be common."
            ),
        ),
        (_("Interchangeable variables."), f"{_(_SAME)} {_alike(result)}"),
    ]
    return (*sentences, *_about_the_table(result))


def asks_for_margin(result: DiscoveryResult) -> bool:
    """Tell whether variables are called interchangeable only where that is shown within a margin."""
    return result.settings.is_controlled or any(
        equivalence_record.is_measured for equivalence_record in result.equivalence_records
    )


_SAME = N_(
    "If two variables carry the same information about a label, the data cannot show which of them "
    "is linked to it. Both are reported; knowledge of the subject must decide."
)
_WITHIN_MARGIN = N_(
    "Variables are called interchangeable only if a test shows that each misses at most {margin} of "
    "the information of the other. Other variables that are not distinguishable with these data are "
    "only listed. With few rows, many variables look alike."
)
_NO_DIFFERENCE = N_(
    "As published, variables are called interchangeable if, given either of them, the test finds no "
    "association of the label with the other. With few rows, this holds for many variables that are "
    "not interchangeable."
)


def _alike(result: DiscoveryResult) -> str:
    if not asks_for_margin(result):
        return _(_NO_DIFFERENCE)
    return _(_WITHIN_MARGIN, margin=ENGLISH.share(result.settings.equivalence_margin))


_LINKS_COUNT_TOO = N_(
    "A variable is also linked to a label if other labels explain the link. It is then in the "
    "Markov boundary of the label among the features only. It need not be a direct cause or effect."
)


def _about_links(result: DiscoveryResult) -> Iterator[tuple[str, str]]:
    if result.counted_findings.links_through_labels:
        yield _(LINKS_ARE_COUNTED), _(_LINKS_COUNT_TOO)


_IN_TIME_ORDER = N_(
    "The links of a label do not include effects that are later than the label by the given tiers, "
    "or other causes of such effects. If a tier is wrong, findings are missing or wrong."
)


def _about_time_order(result: DiscoveryResult) -> Iterator[tuple[str, str]]:
    if result.settings.time_order:
        yield _("The search followed the time order."), _(_IN_TIME_ORDER)


_ALONG_CURVES = N_(
    "The tests assume that numbers are related by smooth curves and that effects add up. Other "
    "relations, and variables that act only together, may be missed or lead to false links."
)
_ALONG_LINES = N_(
    "The tests assume that numbers are related by straight lines and that effects add up. Curved "
    "relations, and variables that act only together, may be missed or lead to false links."
)


_IN_BINS = N_(
    "Differences within a bin are lost, and a relation that the bins do not show is not found. A "
    "test that conditions on bins of a number removes only a part of what the number explains. With "
    "many rows, the rest looks like direct links."
)
_ROWS_OF_EACH_TEST = N_(
    "Each test uses the rows that are complete in its own variables. This is valid if missingness "
    "does not depend on the variables tested."
)
_DRAWN_VALUES = N_(
    "Several values were imputed for each. Every test is the likelihood ratio of all completed tables, "
    "including the variance between them. It is right if observed values explain why a value is missing "
    "(missing at random), and as far as the models of the values are. No model imputes effects "
    "that two variables have only together."
)
_ROWS_INDEPENDENT = N_(
    "The rows are independent of each other. No unmeasured variable causes two measured ones. "
    "Associations do not cancel out exactly. There are enough rows for the tests. If an assumption "
    "fails, variables may be missing or wrongly reported."
)
_GROUPS_INDEPENDENT = N_(
    "Groups of rows are independent of each other. No unmeasured variable causes two measured ones. "
    "Associations do not cancel out exactly. There are enough rows for the tests. If an assumption "
    "fails, variables may be missing or wrongly reported."
)
_ROWS_IN_GROUPS = N_(
    "Groups of rows with the same “{groups}” were treated as independent of each other. Rows within "
    "a group were not."
)
_DEPENDENT = N_(
    "Each row was treated as one case. If some belong together, p-values are too small, and "
    "findings may be due to chance."
)
_COPIES = N_(
    "Each row was treated as one case. If they are not separate cases, p-values are too small, and "
    "some findings are due to chance."
)
_CUT = {"discretised", "discretised-label", "cut-for-test"}


def _about_the_table(result: DiscoveryResult) -> list[tuple[str, str]]:
    """Say what was made of numbers, missing values and rows that are no cases of their own."""
    dataset, test = result.dataset, result.test
    topics = {note.topic for note in dataset.notes}
    as_they_are = _(_ALONG_CURVES if test.has_degree else _ALONG_LINES)
    caveats = (
        (bool(topics & _CUT), _("Numbers were cut into bins."), _(_IN_BINS)),
        (test.takes_numbers and dataset.has_numbers, _("Numbers were not cut into bins."), as_they_are),
        ("per-test" in topics, _("Some values are missing."), _(_ROWS_OF_EACH_TEST)),
        ("imputed" in topics, _("Missing values were imputed."), _(_DRAWN_VALUES)),
        (
            dataset.groups is not None,
            _("Rows come in groups."),
            _(_ROWS_IN_GROUPS, groups=dataset.groups),
        ),
        (DEPENDENT_ROWS in topics, _("Rows resemble each other."), _(_DEPENDENT)),
        ("repeated-rows" in topics, _("Rows are copies of others."), _(_COPIES)),
    )
    return [(title, text) for holds, title, text in caveats if holds]


def references(result: DiscoveryResult) -> tuple[str, ...]:
    """Return the literature behind the method and the chosen settings."""
    settings = result.settings
    cited = [_CLCD, single_algorithms()[settings.algorithm].source, result.test.source]
    cited += [_FALSE_DISCOVERY] if settings.false_discovery == "bh" else []
    cited += _DIRECTIONS if result.orientation_records else ()
    reasons = {orientation_record.because for orientation_record in result.orientation_records.values()}
    cited += _BEST_GRAPHS if Because.BEST_GRAPH in reasons else ()
    cited += _STABILITY if result.stability is not None else ()
    cited += _IMPUTATION if any(note.topic == "imputed" for note in result.dataset.notes) else ()
    return (*cited, _EQUIVALENCE, _NON_INFERIORITY, _BOUNDARY, _STRENGTH)


def _level_of_wholes(result: DiscoveryResult) -> Iterator[str]:
    level = max(LEVEL_OF_WHOLE, result.settings.alpha)
    if result.links_through_labels and level > result.settings.alpha:
        yield _(
            "Links through other labels are an exception: where each step of such a link was found, its "
            "whole was tested at {level}.",
            level=f"{level:g}",
        )


def _chance(settings: DiscoverySettings) -> str:
    level = f"{settings.alpha:g}"
    if settings.false_discovery == "bh":
        return _(
            "Each search first screened all variables for a label. Of those that passed, a share of "
            "at most {level} is expected to be false (Benjamini-Hochberg). Every further test used "
            "the significance level {level}. Some findings may still be due to chance.",
            level=level,
        )
    return _(
        "Every test used the significance level {level}, without correction. Of the variables "
        "that are independent of a label, about a share of {level} passes a first test by chance."
        " Among many variables that is many.",
        level=level,
    )


_TABLE = N_(
    "The table “{table}” has {rows}, {features} and {labels}: {names} (SHA-256 of its content: {digest})."
)
_WEIGHTS = N_("Rows were weighted by the column “{name}” ({kind}).")
_GROUPS = N_(
    "Rows with one value of “{name}” belong together; not the rows but these groups were taken for "
    "independent."
)
_SET_ASIDE = N_("{counted} took no part.")
_READ = N_("It was read as follows: {choices}.")
_PREPARED = N_("The table was prepared as follows: {settings}.")
_SEARCH = N_(
    "CLCD [1] searched for common and label-specific causal variables. It finds a Markov boundary "
    "of each label by {algorithm}, and compares the boundaries. Conditional independence was "
    "decided by {test}, at the significance level {alpha}, given sets of at most {size}; {made} "
    "were made."
)
_THROUGH_LABELS = N_(
    "Each label was searched again without the other labels. What is linked to it there, and not beside the "
    "other labels, is linked through other labels. So is what is linked to another label that is linked to "
    "it, where the two are associated, too (p of at most {level:g})."
)
_COUNTED = {
    True: N_("Such links are counted among the findings."),
    False: N_("Such links are not counted among the findings."),
}
_LABEL_GROUP = N_(
    "{names} vary together as if they reflected one thing. The mean of their standardised values "
    "was searched as one more outcome, without the other labels."
)
_REVERSED_GROUP = N_(
    "{names} vary together as if they reflected one thing. The mean of their standardised values "
    "({reversed} reversed) was searched as one more outcome, without the other labels."
)
_FURTHER_SETTINGS = N_("Further settings of the search: {settings}.")
_DIRECTIONS_TOLD = N_(
    "Unshielded colliders and orientation rules decided directions. Otherwise, a direction was "
    "stated if the best graph of the neighbourhood with it fits clearly better than the best graph "
    "with the opposite."
)
_BACKGROUND_KNOWLEDGE = N_("Background knowledge given with the run settled directions only.")
_TIME_ORDER = N_(
    "Background knowledge given with the run settled directions, and its tiers steered the search. "
    "The Markov boundary of each label was searched among variables that are not later than the "
    "label. No test conditioned on a variable that is later than both variables tested."
)
_SIZES = N_(
    "Estimates are differences in probability (in percentage points) or in means with 95% "
    "intervals. They are unadjusted, or standardised over the other members of the Markov boundary "
    "of the label. For causes, they are also standardised over back-door sets."
)
_SPLIT_ROWS = N_(
    "A share of {share} of the rows was searched, drawn with the seed {seed}. Estimates come from the others."
)
_REPEATED = N_(
    "The search was repeated {count} times on a share of {share} of the rows, drawn with the seed {seed}. "
    "The stability of a finding is how often it was found again."
)
_SPLIT_GROUPS = N_(
    "A share of {share} of the groups of rows was searched, drawn with the seed {seed}. Estimates come "
    "from the others."
)
_REPEATED_WITH_GROUPS = N_(
    "The search was repeated {count} times on a share of {share} of the groups of rows, drawn with the seed "
    "{seed}. The stability of a finding is how often it was found again."
)
_STOPPED = N_("The search was stopped early: {names} were not finished.")
_PROGRAM = N_(
    "All was computed with CLCD {version} under Python {python}, with NumPy {numpy} and SciPy {scipy}."
)


def methods_text(analysis: ResultContext) -> tuple[str, ...]:
    """Return paragraphs on how an analysis was made, as in the methods of a paper: what was computed."""
    result = analysis.result
    data = [*_about_data(result), *_about_reading(analysis), *_about_preparation(analysis)]
    directions = [_(_DIRECTIONS_TOLD)] if result.orientation_records else []
    is_given = result.knowledge is not None and not result.knowledge.is_empty
    if is_given:
        directions.append(_(_TIME_ORDER) if result.settings.time_order else _(_BACKGROUND_KNOWLEDGE))
    sizes = [_(_SIZES)] if result.effects is not None else []
    if result.split is not None:
        split = _SPLIT_ROWS if result.dataset.groups is None else _SPLIT_GROUPS
        sizes.append(_(split, share=ENGLISH.share(result.split.share), seed=result.split.seed))
    if result.stability is not None:
        repeated = result.stability.settings
        again = _REPEATED if result.dataset.groups is None else _REPEATED_WITH_GROUPS
        sizes.append(
            _(
                again,
                count=ENGLISH.count(result.stability.finished),
                share=ENGLISH.share(repeated.share),
                seed=repeated.seed,
            )
        )
    paragraphs = (data, [*_about_search(result), *directions], sizes, [_about_program()])
    return tuple(" ".join(sentences) for sentences in paragraphs if sentences)


def _about_data(result: DiscoveryResult) -> Iterator[str]:
    dataset = result.dataset
    yield _(
        _TABLE,
        table=dataset.name or _("unnamed"),
        rows=counted(dataset.row_count, "row"),
        features=counted(len(dataset.features), "feature"),
        labels=counted(len(dataset.labels), "label"),
        names=names_listing(dataset.labels, _MOST_LABELS),
        digest=dataset.content_hash,
    )
    if dataset.weight is not None:
        kind = parameter_of(type(result.settings), "row_weights")
        yield _(_WEIGHTS, name=dataset.weight, kind=value_in_words(kind, result.settings.row_weights).lower())
    if dataset.groups is not None:
        yield _(_GROUPS, name=dataset.groups)
    if dataset.ignored:
        yield _(_SET_ASIDE, counted=counted(len(dataset.ignored), "further column"))


_MOST_LABELS = 12


def _about_reading(analysis: ResultContext) -> Iterator[str]:
    choices = [_SETTING.format(title=title, value=value) for title, value in _reading_rows(analysis)]
    if choices:
        yield _(_READ, choices="; ".join(choices))
    if analysis.origin is not None:
        from engine.recipe import Recipe

        yield from Recipe(analysis.origin.recipe).sentences()


_METHODS_WITH_BINS = frozenset(
    name
    for name, discretisation_method in discretisation_methods().items()
    if discretisation_method.uses_bins
)


def _about_preparation(analysis: ResultContext) -> Iterator[str]:
    preparation = analysis.preparation
    if preparation is not None:
        idle = [] if preparation.discretise in _METHODS_WITH_BINS else ["bins"]
        idle += [] if preparation.missing == "imputed" else ["imputations", "imputation_seed"]
        yield _(_PREPARED, settings=_settings_in_words(preparation, idle))


def _about_search(result: DiscoveryResult) -> Iterator[str]:
    settings = result.settings_used
    algorithm, cited = single_algorithms()[settings.algorithm], references(result)
    yield _(
        _SEARCH,
        algorithm=_CITED.format(title=_(algorithm.title), number=cited.index(algorithm.source) + 1),
        test=_CITED.format(title=_(result.test.title), number=cited.index(result.test.source) + 1),
        alpha=f"{settings.alpha:g}",
        size=counted(settings.max_conditioning, "variable"),
        made=counted(result.tests_made, "test"),
    )
    if result.links_through_labels:
        level = max(LEVEL_OF_WHOLE, settings.alpha)
        yield f"{_(_THROUGH_LABELS, level=level)} {_(_COUNTED[result.counts_through_labels])}"
    for group in result.label_groups:
        names, turned = names_listing(group.members), names_listing(group.reversed)
        yield _(_REVERSED_GROUP if turned else _LABEL_GROUP, names=names, reversed=turned)
    yield _(_FURTHER_SETTINGS, settings=_settings_in_words(settings, {*_SAID_BEFORE, *_idle(result)}))
    if result.unfinished_labels:
        yield _(_STOPPED, names=names_listing(result.unfinished_labels))


_CITED = "{title} [{number}]"
_SETTING = "{title} = {value}"


_SAID_BEFORE = ("algorithm", "test", "alpha", "max_conditioning")


def _idle(result: DiscoveryResult) -> Iterator[str]:
    """Name the settings of a search that made no difference to it."""
    test = result.test
    if not test.has_tables or test.permutes:
        yield "dof"
    if not test.has_tables:
        yield "min_rows_per_cell"
    if not test.takes_categories:
        yield "min_rows_per_dof"
    if not test.permutes:
        yield from ("permutations", "permutation_seed")
    if not test.has_degree:
        yield "degree"
    if result.dataset.weight is None:
        yield "row_weights"


def _settings_in_words(settings: Any, without: Container[str] = ()) -> str:
    return "; ".join(
        _SETTING.format(
            title=_(parameter.title), value=value_in_words(parameter, getattr(settings, parameter.name))
        )
        for parameter in parameters_of(type(settings))
        if parameter.changes_result and parameter.name not in without
    )


def _about_program() -> str:
    from engine.version import __version__

    return _(
        _PROGRAM,
        version=__version__,
        python=platform.python_version(),
        numpy=metadata.version("numpy"),
        scipy=metadata.version("scipy"),
    )


def write_methods(analysis: ResultContext, path: Path) -> None:
    """Write how an analysis was made, and what it cites."""
    cited = [
        f"[{number}] {reference}" for number, reference in enumerate(references(analysis.result), start=1)
    ]
    with names_shown(analysis.shown_names):
        text = "\n\n".join((*methods_text(analysis), "\n".join(cited)))
    path.write_text(text + "\n", encoding="utf-8", errors="backslashreplace", newline="\n")
