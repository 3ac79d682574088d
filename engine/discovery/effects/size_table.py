"""The sizes of findings as one object, by pair and estimand, and as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from engine.discovery.effects.estimates import (
    AssociationSign,
    ComparedLevels,
    Contrast,
    Estimand,
    Sign,
    Size,
)
from engine.discovery.effects.size_words import association_words
from engine.discovery.evidence import Pair
from engine.discovery.flags import Flag
from engine.wording.numbers import counted
from engine.wording.phrases import plain_listing

if TYPE_CHECKING:
    import pandas

NOTHING_HIDDEN = "nothing hidden in common"


@dataclass(frozen=True, eq=False)
class Effects:
    """Estimates of the findings of a result.

    Attributes
    ----------
    sizes : tuple of Size
        For each pair, the association, the adjusted association and, for causes, the effect of changing the
        cause.
    flags : mapping of (str, str) to tuple of Flag
        By feature and label, reasons for caution in the rows that gave the estimate.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> effects = engine.effects(network.dataset, engine.discover(network.dataset))
    >>> list(effects.table().columns[:4])
    ['feature', 'label', 'kind', 'measure']
    """

    sizes: tuple[Size, ...]
    flags: Mapping[Pair, tuple[Flag, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        sizes, pairs = counted(len(self.sizes), "estimate"), counted(len(self._by_pair), "pair")
        return f"<Effects: {sizes} of {pairs}>"

    @cached_property
    def _by_pair(self) -> dict[Pair, dict[Estimand, Size]]:
        by_pair: dict[Pair, dict[Estimand, Size]] = {}
        for size in self.sizes:
            by_pair.setdefault((size.feature, size.label), {})[size.estimand] = size
        return by_pair

    def of(self, feature: str, label: str) -> dict[Estimand, Size]:
        """Return the sizes of one finding by estimand; empty where it was not measured."""
        return dict(self._by_pair.get((feature, label), {}))

    def with_more(self, other: Effects) -> Effects:
        """Return the sizes of both, pair by pair; of the same estimand those of `other`.

        Examples
        --------
        >>> Effects(()).with_more(Effects(())).sizes
        ()
        """
        joined = {pair: dict(sizes_of_pair) for pair, sizes_of_pair in self._by_pair.items()}
        for pair, sizes_of_pair in other._by_pair.items():
            joined.setdefault(pair, {}).update(sizes_of_pair)
        sizes = tuple(
            sizes_of_pair[estimand]
            for sizes_of_pair in joined.values()
            for estimand in Estimand
            if estimand in sizes_of_pair
        )
        return Effects(sizes, {**self.flags, **other.flags})

    def association_sign(self, feature: str, label: str) -> AssociationSign | None:
        """Tell which way a label goes with a feature, and of which levels; None where it was not measured."""
        return association_sign(self.of(feature, label))

    def sign(self, feature: str, label: str) -> Sign:
        """Tell which way a label goes with a feature: by association, or adjusted where that is unclear."""
        return sign_of(self.of(feature, label))

    def shows_only_held(self, feature: str, label: str) -> bool:
        """Tell whether the sign of a finding shows only with the rest of the label's boundary held."""
        return shows_only_held(self.of(feature, label))

    def table(self) -> pandas.DataFrame:
        """Return one row for each comparison in each measure.

        Returns
        -------
        pandas.DataFrame
            Columns: ``feature``, ``label``, ``kind`` (``"association"``, ``"adjusted association"`` or
            ``"effect of changing it"``), ``measure``, ``label_level`` (of which level of the label; None of
            a number), ``at`` and ``reference`` (levels or values that are compared), ``estimate``, ``low``,
            ``high`` (95 % unless asked otherwise), ``least`` and ``most`` (the estimates themselves, of a
            range), ``sign``, ``adjusted_for`` (tuple of str; empty of several
            sets of parents), ``parent_sets`` (tuple of str, a set each), ``assumes`` (``"nothing hidden in
            common"`` where the figure is an effect only if that holds), ``left_out`` (tuple of str),
            ``rows``, ``rows_lost``, ``e_value`` and ``e_value_limit`` (of the leading comparison, which is
            the last one of differences or, if the sign is ``"levels differ"``, the largest; NaN where there
            is none), ``flags`` (tuple of str: kinds of doubt), ``may_be_effect`` (changing it may do nothing,
            as it may be an effect of the label; then the range holds that), ``without_alike`` (share of the
            rows beside whose values one of the levels hardly occurs; ``low`` and ``high`` reach to whatever
            the label might be there), ``between_share`` (share of the variance of the leading comparison that
            is between the tables which multiple imputation completed), ``association`` (the sign in words,
            with the event of the label and the level of the feature that it speaks of).
        """
        import pandas

        rows = [
            tuple(value(self, size, contrast) for value in _COLUMNS.values())
            for size in self.sizes
            for contrast in size.contrasts
        ]
        return pandas.DataFrame(rows, columns=list(_COLUMNS))


def sign_of(sizes: Mapping[Estimand, Size]) -> Sign:
    """Tell which way a label goes with a feature: by association, or adjusted where that is unclear."""
    signs = (
        sizes[estimand].sign for estimand in (Estimand.ASSOCIATION, Estimand.ADJUSTED) if estimand in sizes
    )
    return next((sign for sign in signs if sign is not Sign.UNCLEAR), Sign.UNCLEAR)


def association_sign(sizes: Mapping[Estimand, Size]) -> AssociationSign | None:
    """Tell which way a label goes with a feature, and of which levels; None where it was not measured."""
    size = next(
        (sizes[estimand] for estimand in (Estimand.ASSOCIATION, Estimand.ADJUSTED) if estimand in sizes), None
    )
    if size is None:
        return None
    if shows_only_held(sizes):
        # Levels are those of the estimate that shows it.
        shown = replace(sign_of_size(sizes[Estimand.ADJUSTED]), only_adjusted=True)
        return replace(shown, event=size.event, feature_level=size.feature_level)
    adjusted = sizes.get(Estimand.ADJUSTED)
    return beside_adjusted(sign_of_size(size), None if adjusted is None else adjusted.sign)


def beside_adjusted(sign: AssociationSign, adjusted: Sign | None) -> AssociationSign:
    """Say beside an unadjusted direction what it is when adjusted, where that is another one."""
    is_other = adjusted is not None and adjusted is not sign.sign
    return replace(sign, adjusted_sign=adjusted) if is_other else sign


def sign_of_size(size: Size) -> AssociationSign:
    """Tell which way a label goes with a feature by one estimand."""
    levels = _compared_levels(size)
    return AssociationSign(
        size.sign, size.label, size.feature, size.event, size.feature_level, compared=levels
    )


def _compared_levels(size: Size) -> ComparedLevels | None:
    """Return the levels that a size compares, of a feature with several; None where they may not differ."""
    leading = size.leading
    if size.sign is not Sign.LEVELS_DIFFER or leading is None or leading.low <= 0.0 <= leading.high:
        return None
    # Of a label with more than two levels each would have to be named.
    is_of_event = leading.label_level is None or leading.label_level == size.event
    if not is_of_event or not isinstance(leading.at, str) or not isinstance(leading.reference, str):
        return None
    return ComparedLevels(leading.at, leading.reference, leading.estimate > 0.0)


def shows_only_held(sizes: Mapping[Estimand, Size]) -> bool:
    """Tell whether a sign shows only with the rest of the label's boundary held, and not without."""
    alone = sizes.get(Estimand.ASSOCIATION)
    return alone is not None and alone.sign is Sign.UNCLEAR and sign_of(sizes) is not Sign.UNCLEAR


_COLUMNS: dict[str, Callable[[Effects, Size, Contrast], object]] = {
    "feature": lambda effects, size, contrast: size.feature,
    "label": lambda effects, size, contrast: size.label,
    "kind": lambda effects, size, contrast: str(size.estimand),
    "measure": lambda effects, size, contrast: str(contrast.measure),
    "label_level": lambda effects, size, contrast: contrast.label_level,
    "at": lambda effects, size, contrast: contrast.at,
    "reference": lambda effects, size, contrast: contrast.reference,
    "estimate": lambda effects, size, contrast: contrast.estimate,
    "low": lambda effects, size, contrast: contrast.low,
    "high": lambda effects, size, contrast: contrast.high,
    "least": lambda effects, size, contrast: contrast.least,
    "most": lambda effects, size, contrast: contrast.most,
    "sign": lambda effects, size, contrast: str(size.sign),
    "adjusted_for": lambda effects, size, contrast: size.adjusted_for,
    "parent_sets": lambda effects, size, contrast: tuple(
        f"{{{plain_listing(parent_set)}}}" for parent_set in size.parent_sets
    ),
    "assumes": lambda effects, size, contrast: NOTHING_HIDDEN if size.assumes_nothing_hidden else "",
    "left_out": lambda effects, size, contrast: size.left_out,
    "rows": lambda effects, size, contrast: size.rows,
    "rows_lost": lambda effects, size, contrast: size.rows_lost,
    "e_value": lambda effects, size, contrast: math.nan if size.e_value is None else size.e_value.estimate,
    "e_value_limit": lambda effects, size, contrast: math.nan if size.e_value is None else size.e_value.limit,
    "flags": lambda effects, size, contrast: tuple(
        str(flag.kind) for flag in effects.flags.get((size.feature, size.label), ())
    ),
    "may_be_effect": lambda effects, size, contrast: size.may_be_effect,
    "without_alike": lambda effects, size, contrast: contrast.without_alike,
    "between_share": lambda effects, size, contrast: size.between_share,
    "association": lambda effects, size, contrast: association_words(sign_of_size(size)),
}
