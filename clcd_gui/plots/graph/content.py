"""What the graph shows: which variables and labels, and the lines between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from clcd_gui.wording.text import counted
from engine.discovery.evidence import Evidence, Rule
from engine.discovery.findings import Finding, Findings
from engine.discovery.orientation.direction import Direction
from engine.wording.phrases import plain_listing


class NodeKind(StrEnum):
    """What a node stands for."""

    LABEL = "label"
    COMMON = "common"
    LABEL_SPECIFIC = "label-specific"


class EdgeKind(StrEnum):
    """What a line stands for."""

    NEIGHBOUR = "neighbour"
    SPOUSE = "spouse"
    INTERCHANGEABLE = "interchangeable"
    LABEL_RELATION = "label relation"
    CAME = "came"
    WENT = "went"
    SAID_OTHERWISE = "said otherwise"
    SAME = "same"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Node:
    """One variable or label.

    Attributes
    ----------
    name : str
        Its name.
    kind : NodeKind
        What it stands for.
    strength : float
        Between 0 and 1; 0 for a label.
    labels : tuple of str
        Labels it counts for.
    """

    name: str
    kind: NodeKind
    strength: float = 0.0
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """One line.

    Attributes
    ----------
    kind : EdgeKind
        What it stands for.
    start, end : str
        The nodes that it connects; a label is the end.
    strength : float
        Between 0 and 1.
    through : str
        For a spouse, the shared effect that the line passes, when it is shown; else empty.
    label : str
        Label that it speaks of.
    effect : str
        Start or end, when the tests tell which of the two is an effect of the other; else empty.
    """

    kind: EdgeKind
    start: str
    end: str
    strength: float
    through: str = ""
    label: str = ""
    effect: str = ""


@dataclass(frozen=True, slots=True)
class GraphContent:
    """Everything that is drawn, and how much is not.

    Attributes
    ----------
    nodes : tuple of Node
        Labels first.
    edges : tuple of Edge
        All lines between them.
    hidden_features, hidden_labels : int
        How many fit the choice but are left out, so that the picture can be read.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    hidden_features: int = 0
    hidden_labels: int = 0


def graph_content(findings: Findings, most_features: int, most_labels: int, around: str = "") -> GraphContent:
    """Choose what is drawn: common features first, then the strongest label-specific ones.

    Parameters
    ----------
    findings : Findings
        The result.
    most_features, most_labels : int
        How many are drawn at most.
    around : str
        A label; only what counts for it is drawn. Empty draws everything.
    """
    candidates = findings.of_label(around) if around else _ranked(findings)
    chosen = list(candidates[:most_features])
    labels, hidden_labels = _choose_labels(findings, chosen, most_labels, around)
    chosen = [finding for finding in chosen if labels & set(finding.labels)]
    shown = labels | {finding.feature for finding in chosen}
    nodes = [Node(label, NodeKind.LABEL) for label in findings.labels if label in labels]
    nodes += [_node(finding) for finding in chosen]
    edges = [*_label_edges(findings, labels), *_feature_edges(chosen, shown)]
    hidden = len(candidates) - len(chosen)
    return GraphContent(tuple(nodes), tuple(edges), hidden, hidden_labels)


def _ranked(findings: Findings) -> list[Finding]:
    specific = sorted(findings.label_specific, key=lambda finding: -finding.strength)
    return [*findings.common, *specific]


def _choose_labels(
    findings: Findings, chosen: Iterable[Finding], most: int, around: str
) -> tuple[set[str], int]:
    weight: dict[str, float] = {}
    for finding in chosen:
        for label in finding.labels:
            weight[label] = weight.get(label, 0.0) + 1.0 + finding.strength
    if around:
        weight[around] = float("inf")
    for pair in findings.label_pairs:
        if not around or around in (pair.first, pair.second):
            weight.setdefault(pair.first, 0.5)
            weight.setdefault(pair.second, 0.5)
    if not weight and not around:
        weight = dict.fromkeys(findings.labels, 0.0)
    order = sorted(weight, key=lambda label: -weight[label])
    return set(order[:most]), max(len(order) - most, 0)


def _node(finding: Finding) -> Node:
    kind = NodeKind.COMMON if finding.is_common else NodeKind.LABEL_SPECIFIC
    return Node(finding.feature, kind, finding.strength, finding.labels)


def _label_edges(findings: Findings, labels: set[str]) -> list[Edge]:
    return [
        Edge(
            EdgeKind.LABEL_RELATION,
            pair.first,
            pair.second,
            max(record.strength for record in pair.reasons),
            label=pair.second,
            effect=_effect(pair.first, pair.second, pair.direction),
        )
        for pair in findings.label_pairs
        if pair.first in labels and pair.second in labels
    ]


def _feature_edges(chosen: Iterable[Finding], shown: set[str]) -> list[Edge]:
    edges: list[Edge] = []
    drawn: set[tuple[str, str]] = set()
    for finding in chosen:
        for label, reason, direction in zip(finding.labels, finding.reasons, finding.directions, strict=True):
            if label not in shown:
                continue
            if reason.rule is Rule.NEIGHBOUR:
                effect = _effect(finding.feature, label, direction)
                edges.append(
                    Edge(
                        EdgeKind.NEIGHBOUR,
                        finding.feature,
                        label,
                        reason.strength,
                        label=label,
                        effect=effect,
                    )
                )
            elif reason.rule is Rule.SPOUSE:
                through = next((child for child in reason.children if child in shown), "")
                edges.append(Edge(EdgeKind.SPOUSE, finding.feature, label, reason.strength, through, label))
            else:
                edges += _stand_in_edges(reason, shown, drawn)
    return edges


def _effect(feature: str, label: str, direction: Direction) -> str:
    """Return which of the two is the effect; empty when undecided."""
    return {Direction.CAUSE: label, Direction.EFFECT: feature}.get(direction, "")


def _stand_in_edges(reason: Evidence, shown: set[str], drawn: set[tuple[str, str]]) -> list[Edge]:
    """Connect an interchangeable feature with what it stands in for; with the label when that is hidden."""
    partners = [member for member in reason.partner if member in shown] or [reason.label]
    edges = []
    for partner in partners:
        first, second = sorted((reason.feature, partner))
        if (first, second) not in drawn:
            drawn.add((first, second))
            edges.append(
                Edge(EdgeKind.INTERCHANGEABLE, reason.feature, partner, reason.strength, label=reason.label)
            )
    return edges


def hidden_words(content: GraphContent) -> str:
    """Count the variables and labels that the graph does not show; empty when it shows all."""
    counts = ((content.hidden_features, "more variable"), (content.hidden_labels, "more label"))
    return plain_listing([counted(count, noun) for count, noun in counts if count])
