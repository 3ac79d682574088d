"""What links a spouse to its label; the two are called causes only where the directions are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.wording.phrases import Name, Phrase, for_count, listing, phrase

if TYPE_CHECKING:
    from engine.discovery.evidence import Evidence
    from engine.discovery.result import DiscoveryResult

# By how many variables stand between the two.
_SHARED = (
    "{who} is a spouse of {label}: if nothing is hidden, both are causes of {children}, their shared effect.",
    "{who} is a spouse of {label}: if nothing is hidden, both are causes of {children}, their shared "
    "effects.",
)
_LINKED = (
    "{who} is a spouse of {label}: among rows alike in {children} the two are associated, as two causes "
    "of one effect are. {doubt}",
) * 2
_PAIR_SHARED = ("{who} and {label} are spouses: if nothing is hidden, both are causes of {children}",) * 2
_PAIR_LINKED = (
    "{who} and {label} are spouses: associated among rows alike in {children}, as two causes of one effect "
    "are",
) * 2
_NOT_TOLD = "These data do not tell whether they are causes."
_DENIED = "The directions told here speak against that."


def spouse_claim(result: DiscoveryResult, spouse: Evidence, who: Phrase) -> Phrase:
    """Say what links a spouse to its label, and whether the two are told to be causes of it.

    Examples
    --------
    >>> import engine
    >>> from engine.wording.phrases import plain
    >>> result = engine.discover(engine.simulate(labels=4, features=30, rows=3000, seed=1).dataset)
    >>> spouses = [reasons[0] for reasons in result.evidence.values() if reasons[0].children]
    >>> plain(spouse_claim(result, spouses[0], ("It",)))[:12]
    'It is a spou'
    """
    doubt = _DENIED if result.findings.are_causes_denied(spouse) else _NOT_TOLD
    return _filled(result, spouse, who, (_SHARED, _LINKED), doubt)


def spouse_pair(result: DiscoveryResult, spouse: Evidence) -> Phrase:
    """Say the same of two labels, as the first half of a sentence."""
    return _filled(result, spouse, (_name(result, spouse.feature),), (_PAIR_SHARED, _PAIR_LINKED))


def _filled(
    result: DiscoveryResult,
    spouse: Evidence,
    who: Phrase,
    templates: tuple[tuple[str, str], tuple[str, str]],
    doubt: str = "",
) -> Phrase:
    shared = result.findings.shared_effects(spouse)
    children = shared or spouse.children
    return phrase(
        for_count(max(len(children), 1), *templates[0 if shared else 1]),
        who=who,
        label=_name(result, spouse.label),
        children=_names(result, children) or ("a neighbour of both",),
        doubt=doubt,
    )


def _name(result: DiscoveryResult, text: str) -> Name:
    return Name(text, result.findings.is_label(text))


def _names(result: DiscoveryResult, texts: Sequence[str]) -> Phrase:
    return listing([_name(result, each) for each in texts])
