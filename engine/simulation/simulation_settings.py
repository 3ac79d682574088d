"""What is simulated: every setting of a network drawn at random, and of rows from a given one."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import InvalidParameter
from engine.parameters import (
    Choice,
    Settings,
    check_parameters,
    described,
    parameter,
    repeated_parameter,
    seed_parameter,
)
from engine.translation import N_, _
from engine.wording.setting_names import SettingName, naming_settings, the_setting

_VARIABLES = (
    Choice("categories", N_("Categories"), N_("every variable has 2 to a few levels, as in the paper")),
    Choice("numbers", N_("Numbers"), N_("features are numbers, labels have levels")),
    Choice(
        "mixed", N_("Numbers and categories"), N_("two features in three are numbers, the others have levels")
    ),
)
_RELATIONS = (
    Choice("linear", N_("Linear"), N_("causes add up along straight lines")),
    Choice(
        "smooth", N_("Smooth"), N_("causes add up along parabolas, sines, saturations and smooth thresholds")
    ),
    Choice(
        "interactions", N_("Interactions"), N_("two causes of an effect act only together, by their product")
    ),
)
_NOISE = (
    Choice("gaussian", N_("Gaussian")),
    Choice(
        "heavy-tailed",
        N_("Heavy-tailed"),
        N_("Student's t with 3 degrees of freedom, exponential, lognormal"),
    ),
)
_GRAPHS = (
    Choice(
        "neighbourhoods",
        N_("Neighbourhoods"),
        N_("every label gets a boundary of the asked size, after Section 5.1 of the paper"),
    ),
    Choice("random", N_("Random"), N_("every variable, label or not, gets causes among those before it")),
)


@described
@dataclass(frozen=True, slots=True)
class SimulationSettings(Settings):
    """Settings of :func:`engine.simulate`."""

    labels: int = parameter(50, N_("Labels"), N_("Number of labels."), minimum=1, maximum=100_000)
    features: int = parameter(1000, N_("Features"), N_("Number of features."), minimum=1, maximum=1_000_000)
    rows: int = parameter(5000, N_("Rows"), N_("Number of rows to sample."), minimum=1, maximum=100_000_000)
    label_causality: float = parameter(
        0.5,
        N_("Label causality"),
        N_("Share of labels that have a direct cause-effect relation with another label."),
        minimum=0.0,
        maximum=1.0,
    )
    multiple_boundaries: float = parameter(
        0.5,
        N_("Multiple boundaries"),
        N_(
            "Share of labels that have more than one Markov boundary; 0 where there are numbers or the "
            "graph is random, since these have one each."
        ),
        minimum=0.0,
        maximum=1.0,
    )
    seed: int = seed_parameter(
        N_("The same seed gives the same network and the same rows."), maximum=2**63 - 1
    )
    variables: str = parameter(
        "categories",
        N_("Variables"),
        N_("What the variables are: categories; numbers, with labels that have levels; or both."),
        choices=_VARIABLES,
    )
    relations: str = parameter(
        "linear",
        N_("Relations"),
        N_(
            "How causes of numbers act. Linear effects add up along straight lines, smooth effects "
            "along curves. With interactions, two causes of an effect act only together, by their "
            "product."
        ),
        choices=_RELATIONS,
    )
    noise: str = parameter(
        "gaussian",
        N_("Noise"),
        N_(
            "The noise of numbers: Gaussian, or heavy-tailed. Heavy-tailed noise has a t "
            "distribution with 3 degrees of freedom, an exponential or a lognormal distribution."
        ),
        choices=_NOISE,
    )
    graph: str = parameter(
        "neighbourhoods",
        N_("Graph"),
        N_(
            "With neighbourhoods, every label has a boundary of the given size, as in the paper. "
            "With random, every variable has causes among the variables before it, up to the "
            "largest number of causes."
        ),
        choices=_GRAPHS,
    )
    shared: float = parameter(
        0.3,
        N_("Shared causes"),
        N_("How often a cause is taken from the neighbourhood of another label instead of a new feature."),
        minimum=0.0,
        maximum=1.0,
    )
    strength: float = parameter(
        0.85,
        N_("Strength"),
        N_(
            "Categories: mean probability that a cause at its highest level has its effect. Numbers: mean "
            "multiple correlation of a variable with what its causes make of it."
        ),
        minimum=0.05,
        maximum=1.0,
    )
    connected: float = parameter(
        0.6,
        N_("Connected bystanders"),
        N_("Share of the features outside every boundary that are still correlated with labels."),
        minimum=0.0,
        maximum=1.0,
    )
    aligned: bool = parameter(
        True,
        N_("Paths do not cancel"),
        N_("Effects along different paths add up; switched off, they may cancel each other."),
        advanced=True,
    )
    margin: float = parameter(
        0.01,
        N_("Faithfulness margin"),
        N_(
            "Least information, in nats, along every arrow around a label; 0 accepts any draw. For networks "
            "of categories only."
        ),
        minimum=0.0,
        maximum=0.1,
        advanced=True,
    )
    max_parents: int = parameter(
        3,
        N_("Most causes"),
        N_("Largest number of direct causes of one variable."),
        minimum=1,
        maximum=5,
        advanced=True,
    )
    max_levels: int = parameter(
        4,
        N_("Most levels"),
        N_("Largest number of levels of a feature; interchangeable features need at least 3."),
        minimum=2,
        maximum=8,
        advanced=True,
    )
    label_levels: int = parameter(
        2,
        N_("Levels of a label"),
        N_("Number of levels of every label."),
        minimum=2,
        maximum=8,
        advanced=True,
    )
    numeric_labels: bool = parameter(
        False, N_("Numeric labels"), N_("Where features are numbers, labels are numbers too."), advanced=True
    )
    smallest_boundary: int = parameter(
        5,
        N_("Smallest boundary"),
        N_("Members of a boundary, at least; fewer only where the features do not suffice."),
        minimum=1,
        maximum=100,
        advanced=True,
    )
    largest_boundary: int = parameter(
        15,
        N_("Largest boundary"),
        N_("Members of a boundary, at most."),
        minimum=1,
        maximum=100,
        advanced=True,
    )
    fewest_boundaries: int = parameter(
        5,
        N_("Fewest boundaries"),
        N_("Boundaries of a label with several, at least; fewer only where the features do not suffice."),
        minimum=2,
        maximum=1000,
        advanced=True,
    )
    most_boundaries: int = parameter(
        10,
        N_("Most boundaries"),
        N_("Boundaries of a label that has several, at most."),
        minimum=2,
        maximum=1000,
        advanced=True,
    )

    def __post_init__(self) -> None:
        check_parameters(self)
        if self.variables != "categories" or self.graph == "random":
            object.__setattr__(self, "multiple_boundaries", 0.0)
        _check_order(self, "smallest_boundary", "largest_boundary")
        _check_order(self, "fewest_boundaries", "most_boundaries")
        if self.multiple_boundaries > 0 and self.max_levels < 3:
            raise InvalidParameter(
                _("interchangeable features need more than 2 levels."),
                place=the_setting("max_levels"),
                remedy=naming_settings(
                    _("Allow at least 3 levels, or set {setting}."),
                    setting=SettingName("multiple_boundaries", "0"),
                ),
            )
        if self.numeric_labels and self.variables == "categories":
            raise InvalidParameter(
                _("labels are categories where every variable is one."),
                place=the_setting("numeric_labels"),
                remedy=naming_settings(
                    _("Set {variables}, or leave it out."),
                    variables=SettingName("variables", "numbers", "mixed"),
                ),
            )
        if self.label_causality > 0 and self.labels < 2 and self.graph != "random":
            raise InvalidParameter(
                _("one label alone cannot have a relation with another label."),
                place=the_setting("label_causality"),
                remedy=naming_settings(
                    _("Ask for at least 2 labels, or set {setting}."),
                    setting=SettingName("label_causality", "0"),
                ),
            )


@dataclass(frozen=True, slots=True)
class SamplingSettings(Settings):
    """Settings of :func:`engine.simulate_network`."""

    labels: tuple[str, ...] = parameter((), N_("Labels"), N_("Variables that are labels."))
    rows: int = repeated_parameter(SimulationSettings, "rows")
    seed: int = seed_parameter(N_("The same seed gives the same rows."), maximum=2**63 - 1)


def _check_order(settings: SimulationSettings, low: str, high: str) -> None:
    if getattr(settings, low) > getattr(settings, high):
        raise InvalidParameter(
            naming_settings(
                _("{given} is above {high}, which is {most}."),
                given=str(getattr(settings, low)),
                high=SettingName(high),
                most=str(getattr(settings, high)),
            ),
            place=the_setting(low),
            remedy=naming_settings(
                _("Lower {low} or raise {high}."), low=SettingName(low), high=SettingName(high)
            ),
        )
