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
from engine.wording.setting_names import SettingName, naming_settings, the_setting

_VARIABLES = (
    Choice("categories", "Categories", "every variable has 2 to a few levels, as in the paper"),
    Choice("numbers", "Numbers", "features are numbers, labels have levels"),
    Choice("mixed", "Numbers and categories", "two features in three are numbers, the others have levels"),
)
_RELATIONS = (
    Choice("linear", "Linear", "causes add up along straight lines"),
    Choice("smooth", "Smooth", "causes add up along parabolas, sines, saturations and smooth thresholds"),
    Choice("interactions", "Interactions", "two causes of an effect act only together, by their product"),
)
_NOISE = (
    Choice("gaussian", "Gaussian"),
    Choice("heavy-tailed", "Heavy-tailed", "Student's t with 3 degrees of freedom, exponential, lognormal"),
)
_GRAPHS = (
    Choice(
        "neighbourhoods",
        "Neighbourhoods",
        "every label gets a boundary of the asked size, after Section 5.1 of the paper",
    ),
    Choice("random", "Random", "every variable, label or not, gets causes among those before it"),
)


@described
@dataclass(frozen=True, slots=True)
class SimulationSettings(Settings):
    """Settings of :func:`engine.simulate`."""

    labels: int = parameter(50, "Labels", "Number of labels.", minimum=1, maximum=100_000)
    features: int = parameter(1000, "Features", "Number of features.", minimum=1, maximum=1_000_000)
    rows: int = parameter(5000, "Rows", "Number of rows to sample.", minimum=1, maximum=100_000_000)
    label_causality: float = parameter(
        0.5,
        "Label causality",
        "Share of labels that have a direct cause-effect relation with another label.",
        minimum=0.0,
        maximum=1.0,
    )
    multiple_boundaries: float = parameter(
        0.5,
        "Multiple boundaries",
        "Share of labels that have more than one Markov boundary; 0 where there are numbers or the "
        "graph is random, since these have one each.",
        minimum=0.0,
        maximum=1.0,
    )
    seed: int = seed_parameter("The same seed gives the same network and the same rows.", maximum=2**63 - 1)
    variables: str = parameter(
        "categories",
        "Variables",
        "What the variables are: categories; numbers, with labels that have levels; or both.",
        choices=_VARIABLES,
    )
    relations: str = parameter(
        "linear",
        "Relations",
        "How causes act, where there are numbers: linear adds them up along straight lines, smooth "
        "along curves; with interactions, two causes of an effect act only together, by their product.",
        choices=_RELATIONS,
    )
    noise: str = parameter(
        "gaussian",
        "Noise",
        "What numbers have beside their causes: Gaussian noise, or each number one of a t distribution "
        "with 3 degrees of freedom, an exponential and a lognormal distribution.",
        choices=_NOISE,
    )
    graph: str = parameter(
        "neighbourhoods",
        "Graph",
        "neighbourhoods gives every label a boundary of the asked size, as in the paper; random gives "
        "every variable, label or not, up to the most causes among the variables before it.",
        choices=_GRAPHS,
    )
    shared: float = parameter(
        0.3,
        "Shared causes",
        "How often a cause is taken from the neighbourhood of another label instead of a new feature.",
        minimum=0.0,
        maximum=1.0,
    )
    strength: float = parameter(
        0.85,
        "Strength",
        "Categories: mean probability that a cause at its highest level has its effect. Numbers: mean "
        "multiple correlation of a variable with what its causes make of it.",
        minimum=0.05,
        maximum=1.0,
    )
    connected: float = parameter(
        0.6,
        "Connected bystanders",
        "Share of the features outside every boundary that are still correlated with labels.",
        minimum=0.0,
        maximum=1.0,
    )
    aligned: bool = parameter(
        True,
        "Paths do not cancel",
        "Effects along different paths add up; switched off, they may cancel each other.",
        advanced=True,
    )
    margin: float = parameter(
        0.01,
        "Faithfulness margin",
        "Least information, in nats, along every arrow around a label; 0 accepts any draw. For networks "
        "of categories only.",
        minimum=0.0,
        maximum=0.1,
        advanced=True,
    )
    max_parents: int = parameter(
        3,
        "Most causes",
        "Largest number of direct causes of one variable.",
        minimum=1,
        maximum=5,
        advanced=True,
    )
    max_levels: int = parameter(
        4,
        "Most levels",
        "Largest number of levels of a feature; interchangeable features need at least 3.",
        minimum=2,
        maximum=8,
        advanced=True,
    )
    label_levels: int = parameter(
        2, "Levels of a label", "Number of levels of every label.", minimum=2, maximum=8, advanced=True
    )
    numeric_labels: bool = parameter(
        False, "Numeric labels", "Where features are numbers, labels are numbers too.", advanced=True
    )
    smallest_boundary: int = parameter(
        5,
        "Smallest boundary",
        "Members of a boundary, at least; fewer only where the features do not suffice.",
        minimum=1,
        maximum=100,
        advanced=True,
    )
    largest_boundary: int = parameter(
        15, "Largest boundary", "Members of a boundary, at most.", minimum=1, maximum=100, advanced=True
    )
    fewest_boundaries: int = parameter(
        5,
        "Fewest boundaries",
        "Boundaries of a label with several, at least; fewer only where the features do not suffice.",
        minimum=2,
        maximum=1000,
        advanced=True,
    )
    most_boundaries: int = parameter(
        10,
        "Most boundaries",
        "Boundaries of a label that has several, at most.",
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
                "interchangeable features need more than 2 levels.",
                place=the_setting("max_levels"),
                remedy=naming_settings(
                    "Allow at least 3 levels, or set {setting}.",
                    setting=SettingName("multiple_boundaries", "0"),
                ),
            )
        if self.numeric_labels and self.variables == "categories":
            raise InvalidParameter(
                "labels are categories where every variable is one.",
                place=the_setting("numeric_labels"),
                remedy=naming_settings(
                    "Set {variables}, or leave it out.",
                    variables=SettingName("variables", "numbers", "mixed"),
                ),
            )
        if self.label_causality > 0 and self.labels < 2 and self.graph != "random":
            raise InvalidParameter(
                "one label alone cannot have a relation with another label.",
                place=the_setting("label_causality"),
                remedy=naming_settings(
                    "Ask for at least 2 labels, or set {setting}.",
                    setting=SettingName("label_causality", "0"),
                ),
            )


@dataclass(frozen=True, slots=True)
class SamplingSettings(Settings):
    """Settings of :func:`engine.simulate_network`."""

    labels: tuple[str, ...] = parameter((), "Labels", "Variables that are labels.")
    rows: int = repeated_parameter(SimulationSettings, "rows")
    seed: int = seed_parameter("The same seed gives the same rows.", maximum=2**63 - 1)


def _check_order(settings: SimulationSettings, low: str, high: str) -> None:
    if getattr(settings, low) > getattr(settings, high):
        raise InvalidParameter(
            naming_settings(
                "{given} is above {high}, which is {most}.",
                given=str(getattr(settings, low)),
                high=SettingName(high),
                most=str(getattr(settings, high)),
            ),
            place=the_setting(low),
            remedy=naming_settings(
                "Lower {low} or raise {high}.", low=SettingName(low), high=SettingName(high)
            ),
        )
