"""What features are selected for: settings that go together, described once.

Four bins instead of two keep more of a number, and a weaker level lets more features in: both can help a
classifier, and say less surely what stands next to what. The settings for prediction are exploratory: they
were chosen after their test scores had been seen on a few splits of Emotions, Yeast, Scene and Flags, so
those tables are no evidence for them, and on Flags, which has few rows, they did worse than the defaults. On
another table they are a start; cross-validation of :class:`engine.CLCDSelector` on training rows decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.parameters import Choice, Settings, parameter
from engine.translation import N_

EXPLAIN = "explain"


@dataclass(frozen=True, slots=True)
class SelectionPreset:
    """Settings for one purpose."""

    name: str
    title: str
    help: str
    preparation: dict[str, Any] = field(default_factory=dict)
    discovery: dict[str, Any] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Any]:
        """All of them, as :class:`engine.CLCDSelector` takes them."""
        return self.preparation | self.discovery


_PRESETS = (
    SelectionPreset(
        EXPLAIN,
        N_("To explain"),
        N_("The settings of the search for causal variables: few features, with most evidence."),
    ),
    SelectionPreset(
        "predict",
        N_("To predict"),
        N_(
            "Numbers in four bins and a higher significance level: more features, which suits many "
            "classifiers."
        ),
        {"discretise": "quantile", "bins": 4},
        {"alpha": 0.05},
    ),
)


def selection_presets() -> dict[str, SelectionPreset]:
    """Return every preset by name.

    >>> selection_presets()["predict"].parameters
    {'discretise': 'quantile', 'bins': 4, 'alpha': 0.05}
    """
    return {preset.name: preset for preset in _PRESETS}


def _preset_choices() -> tuple[Choice, ...]:
    return tuple(Choice(preset.name, preset.title, preset.help) for preset in _PRESETS)


@dataclass(frozen=True, slots=True)
class SelectionPurpose(Settings):
    """What features are selected for."""

    purpose: str = parameter(
        EXPLAIN,
        N_("Purpose"),
        N_("The purpose of the features. A setting that you give overrides that of the purpose."),
        choices=_preset_choices,
    )
