"""A graph of variables and labels: what it shows, and with its places, what is drawn of it."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any

from engine.discovery.effects.estimates import AssociationSign
from engine.discovery.evidence import Evidence, Rule
from engine.discovery.finding_words import link_words, statement
from engine.discovery.findings import Finding, Findings
from engine.discovery.orientation.direction import Direction, Grade, leading_to
from engine.independence.record import TestRecord
from engine.reporting.figures.chart import Panel
from engine.reporting.figures.looks import name_lines
from engine.translation import _
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import plain_listing, visible
from engine.wording.shown_names import shown_name

Positions = dict[str, tuple[float, float]]
Sizes = Mapping[str, tuple[float, float]]
Way = tuple[tuple[float, float], ...]
"""Places that a line passes, from the middle of one node to that of another."""

DIAMETER = 20.0
"""Of the disc or ring that stands for a feature."""
NAME_GAP = 3.0
"""Between a disc and the name below it."""
RING_RADIUS = 3.5
"""Of the ring at the end of a line that is no effect of the other end."""
BESIDE = 5.0
"""How far a spouse's line keeps from the line of the child to the label."""


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
    THROUGH_LABELS = "through labels"
    CAME = "came"
    WENT = "went"
    SAID_OTHERWISE = "said otherwise"
    SAME = "same"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Node:
    """One variable or label."""

    name: str
    kind: NodeKind
    strength: float = 0.0
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """One line between two nodes; a label is the end."""

    kind: EdgeKind
    start: str
    end: str
    strength: float  # between 0 and 1
    through: str = ""  # the shared effect of a spouse, or first label of a link through labels, if shown
    label: str = ""  # that it speaks of
    effect: str = ""  # start or end, when told to be an effect of the other if nothing is hidden
    grade: Grade = Grade.UNDECIDED  # what holds even if something is hidden
    statement: str = ""  # the direction in words, or which labels explain the link
    deciding: TestRecord | None = None  # the test that decides
    is_doubtful: bool = False  # the finding must be read with care
    # which way the label goes with the feature; None where that is not measured
    association: AssociationSign | None = None

    @property
    def heads(self) -> tuple[str, ...]:
        """Nodes at which it has an arrowhead: the effect, or both that share an unmeasured cause."""
        if self.grade is Grade.HIDDEN_IN_COMMON:
            return self.start, self.end
        return (self.effect,) if self.effect else ()

    @property
    def ring(self) -> str:
        """Node that is the cause of the other, unless they share an unmeasured one; empty where none is."""
        if not self.effect or self.grade not in (Grade.NOT_EFFECT, Grade.NOT_CAUSE):
            return ""
        return self.start if self.effect == self.end else self.end

    @property
    def is_assumed(self) -> bool:
        """Whether its arrow holds only if nothing is hidden."""
        return self.grade is Grade.UNDECIDED


@dataclass(frozen=True, slots=True)
class GraphContent:
    """Everything that is drawn, and how much is not."""

    nodes: tuple[Node, ...] = ()  # labels first
    edges: tuple[Edge, ...] = ()
    hidden_features: int = 0  # fit the choice but are left out, so that the picture can be read
    hidden_labels: int = 0


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """Where everything is drawn."""

    positions: Positions  # centres
    # how each line of the content runs; empty draws all of them straight
    ways: tuple[tuple[Way, ...], ...] = ()


def graph_content(findings: Findings, most_features: int, most_labels: int, around: str = "") -> GraphContent:
    """Choose what is drawn (`around` one label): common features, then the strongest label-specific ones."""
    specific = sorted(findings.label_specific, key=lambda finding: -finding.strength)
    candidates = findings.of_label(around) if around else (*findings.common, *specific)
    chosen = list(candidates[:most_features])
    labels, hidden_labels = _choose_labels(findings, chosen, most_labels, around)
    chosen = [finding for finding in chosen if labels & set(finding.labels)]
    shown = labels | {finding.feature for finding in chosen}
    nodes = [Node(label, NodeKind.LABEL) for label in findings.labels if label in labels]
    nodes += [
        Node(finding.feature, NodeKind(finding.type), finding.strength, finding.labels) for finding in chosen
    ]
    edges = with_associations([*_label_edges(findings, labels), *_feature_edges(chosen, shown)], findings)
    hidden = len(candidates) - len(chosen)
    return GraphContent(tuple(nodes), tuple(edges), hidden, hidden_labels)


def with_shown_names(content: GraphContent) -> GraphContent:
    """Return a graph whose variables are called as people see them, for a picture drawn elsewhere."""
    nodes = tuple(
        replace(node, name=shown_name(node.name), labels=tuple(map(shown_name, node.labels)))
        for node in content.nodes
    )
    edges = tuple(
        replace(
            edge,
            start=shown_name(edge.start),
            end=shown_name(edge.end),
            through=shown_name(edge.through),
            label=shown_name(edge.label),
            effect=shown_name(edge.effect),
        )
        for edge in content.edges
    )
    return replace(content, nodes=nodes, edges=edges)


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


def with_associations(edges: Iterable[Edge], findings: Findings) -> tuple[Edge, ...]:
    """Return the edges with the direction of association that is known of each feature and its label."""
    return tuple(
        edge
        if edge.kind in (EdgeKind.LABEL_RELATION, EdgeKind.INTERCHANGEABLE)
        else replace(edge, association=findings.association_sign(edge.start, edge.label))
        for edge in edges
    )


def _label_edges(findings: Findings, labels: set[str]) -> list[Edge]:
    return [
        Edge(
            EdgeKind.LABEL_RELATION,
            pair.first,
            pair.second,
            max(record.strength for record in pair.reasons),
            label=pair.second,
            effect=_effect(pair.first, pair.second, pair.direction, pair.grade),
            grade=pair.grade,
            statement=statement(pair.direction, pair.grade),
            deciding=max(pair.reasons, key=lambda record: record.strength).deciding,
        )
        for pair in findings.label_pairs
        if pair.first in labels and pair.second in labels
    ]


def _feature_edges(chosen: Iterable[Finding], shown: set[str]) -> list[Edge]:
    edges: list[Edge] = []
    drawn: set[tuple[str, str]] = set()
    for finding in chosen:
        told = zip(finding.labels, finding.reasons, finding.directions, finding.grades, strict=True)
        through = dict(zip(finding.labels, finding.through_labels, strict=False))
        for label, reason, direction, grade in told:
            if label not in shown:
                continue
            link = through.get(label)
            is_stand_in = link is None and reason.rule not in (Rule.NEIGHBOUR, Rule.SPOUSE)
            if is_stand_in:
                edges += _stand_in_edges(reason, shown, drawn)
                continue
            edge = Edge(
                EdgeKind.NEIGHBOUR,
                finding.feature,
                label,
                reason.strength,
                label=label,
                deciding=reason.deciding,
                is_doubtful=label in finding.doubtful_labels,
            )
            if link is not None:
                passed = link.through if label in finding.runs_through else ()
                words = link_words(finding)[finding.labels.index(label)]
                edge = replace(edge, kind=EdgeKind.THROUGH_LABELS, statement=words)
                edge = replace(edge, through=_first_shown(passed, shown))
            elif reason.rule is Rule.SPOUSE:
                edge = replace(edge, kind=EdgeKind.SPOUSE, through=_first_shown(reason.children, shown))
            else:
                effect = _effect(finding.feature, label, direction, grade)
                edge = replace(edge, effect=effect, grade=grade, statement=statement(direction, grade))
            edges.append(edge)
    return edges


def _first_shown(names: Iterable[str], shown: set[str]) -> str:
    return next((name for name in names if name in shown), "")


def _effect(feature: str, label: str, direction: Direction, grade: Grade) -> str:
    """Return which of the two is the effect if nothing is hidden; empty when undecided."""
    return {Direction.CAUSE: label, Direction.EFFECT: feature}.get(leading_to(direction, grade), "")


def _stand_in_edges(reason: Evidence, shown: set[str], drawn: set[tuple[str, str]]) -> Iterator[Edge]:
    """Connect an interchangeable feature with what it stands in for; with the label when that is hidden."""
    partners = [member for member in reason.partner if member in shown] or [reason.label]
    told: dict[str, Any] = {"label": reason.label, "deciding": reason.deciding}
    for partner in partners:
        first, second = sorted((reason.feature, partner))
        if (first, second) not in drawn:
            drawn.add((first, second))
            yield Edge(EdgeKind.INTERCHANGEABLE, reason.feature, partner, reason.strength, **told)


def hidden_words(content: GraphContent, numbers: NumberWriter = ENGLISH) -> str:
    """Count the variables and labels that the graph does not show; empty when it shows all."""
    features, labels = content.hidden_features, content.hidden_labels
    hidden = [numbers.counted(features, "more variable")] if features else []
    hidden += [numbers.counted(labels, "more label")] if labels else []
    return plain_listing(hidden)


LINE_HEIGHT = 14.5
"""Of a line of a name; all lengths are those of a screen with 96 dots an inch."""

_LABEL_HEIGHT, _LABEL_PADDING = 32.0, 12.0
_LETTER, _CAPITAL, _WIDE_LETTER = 7.3, 8.6, 12.0
_BORDER = 4.0
_HALF_GAP = 2.6
_HALVINGS = 24


@dataclass(frozen=True, slots=True)
class GraphLine:
    """A line with its head."""

    kind: EdgeKind
    width: float
    paths: tuple[Way, ...]  # one, two beside each other for a double line, or two legs
    heads: tuple[Way, ...] = ()  # corners of the arrowheads; none where no direction is known
    ring: tuple[float, float] | None = None  # its centre, at the end that is no effect of the other
    is_assumed: bool = False  # the arrow holds only if nothing is hidden


@dataclass(frozen=True, slots=True)
class GraphFigure(Panel):
    """A graph whose nodes have their places; down is down."""

    content: GraphContent
    places: Way
    ways: tuple[tuple[Way, ...], ...]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of everything that is drawn."""
        sizes = node_sizes(self.content.nodes)
        edges = [
            (x + side * sizes[node.name][0] / 2, y + side * sizes[node.name][1] / 2)
            for node, (x, y) in zip(self.content.nodes, self.places, strict=True)
            for side in (-1, 1)
        ]
        edges += [place for legs in self.ways for way in legs for place in way]
        across, down = zip(*edges, strict=True)
        return min(across) - _BORDER, min(down) - _BORDER, max(across) + _BORDER, max(down) + _BORDER

    def lines(self) -> list[GraphLine]:
        """Return every line, those of directed ones up to their heads."""
        centre = dict(zip((node.name for node in self.content.nodes), self.places, strict=True))
        kind = {node.name: node.kind for node in self.content.nodes}
        sizes = node_sizes(self.content.nodes)
        drawn = []
        for edge, legs in zip(self.content.edges, self.ways, strict=True):
            first, *second = legs
            width = _line_width(edge)
            heads: list[Way] = []
            ring = None
            for name in (edge.end, edge.start):
                # Turned twice, the way begins again where it began.
                first = first[::-1]
                if name not in (*edge.heads, edge.ring):
                    continue
                away = _from_border(first, _within(kind[name], centre[name], sizes[name]))
                if name == edge.ring:
                    ring, first = _ring(away)
                else:
                    head, first = _arrow(away, width)
                    heads.append(head)
            is_double = edge.kind is EdgeKind.LABEL_RELATION
            paths = [_beside(first, side) for side in (_HALF_GAP, -_HALF_GAP)] if is_double else [first]
            drawn.append(GraphLine(edge.kind, width, (*paths, *second), tuple(heads), ring, edge.is_assumed))
        return drawn

    def words(self) -> list[str]:
        """Return what each disc and ring is."""
        return [node_words(node) for node in self.content.nodes if node.kind is not NodeKind.LABEL]


def node_words(node: Node) -> str:
    """Say in one line what a variable is, and what it is linked to.

    >>> node_words(Node("dose", NodeKind.COMMON, 0.5, ("ill", "tired")))
    'dose: common, linked to ill and tired'
    """
    return visible(
        _(
            "{name}: {kind}, linked to {labels}",
            name=node.name,
            kind=_(node.kind),
            labels=plain_listing(node.labels),
        )
    )


def text_width(text: str) -> float:
    """Return about how wide a text is: the same on every machine, whatever fonts it has."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    capitals = sum(character.isupper() for character in text)
    return wide * _WIDE_LETTER + capitals * _CAPITAL + (len(text) - wide - capitals) * _LETTER


def node_sizes(nodes: Iterable[Node]) -> dict[str, tuple[float, float]]:
    """Return the room that each node needs with its name, centred on the node's place."""
    sizes = {}
    for node in nodes:
        lines = name_lines(node.name)
        width, height = max(map(text_width, lines)), len(lines) * LINE_HEIGHT
        if node.kind is NodeKind.LABEL:
            sizes[node.name] = width + 2 * _LABEL_PADDING, height - LINE_HEIGHT + _LABEL_HEIGHT
        else:
            # The name is below the disc; the box is centred on it, so it reaches as far up as down.
            sizes[node.name] = max(width, DIAMETER), DIAMETER + 2 * (NAME_GAP + height)
    return sizes


def _line_width(edge: Edge) -> float:
    strength = min(max(edge.strength, 0.0), 1.0)
    if edge.kind is EdgeKind.LABEL_RELATION:
        return 0.9 + 1.6 * strength
    return max(0.9 + 4.2 * strength, 1.8 if edge.kind is EdgeKind.SPOUSE else 0.0)


def _within(
    kind: NodeKind, centre: tuple[float, float], size: tuple[float, float]
) -> Callable[[float, float], bool]:
    """Return what tells whether a place lies in a node."""
    (x, y), (width, height) = centre, size
    if kind is NodeKind.LABEL:
        return lambda across, down: abs(across - x) <= width / 2 and abs(down - y) <= height / 2
    radius = DIAMETER / 2
    return lambda across, down: (
        math.hypot(across - x, down - y) <= radius
        or (abs(across - x) <= width / 2 and radius <= down - y <= height / 2)
    )


def _from_border(way: Way, within: Callable[[float, float], bool]) -> Way:
    """Let a way begin where it leaves what it begins in."""
    for number, (before, place) in enumerate(pairwise(way), 1):
        if within(*place) and number < len(way) - 1:
            continue
        near, far = 0.0, 1.0
        for _halving in range(_HALVINGS):
            middle = (near + far) / 2
            inside = within(*_between(before, place, middle))
            near, far = (middle, far) if inside else (near, middle)
        return (_between(before, place, far), *way[number:])
    return way


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _arrow(away: Way, width: float) -> tuple[Way, Way]:
    """Return the corners of an arrowhead at the beginning of a way, and what is left of the way."""
    tip, length, half = away[0], 8.0 + 1.4 * width, 3.2 + 0.9 * width
    left = _from_border(away, lambda across, down: math.dist((across, down), tip) <= length)
    (base_x, base_y), reach = left[0], math.dist(left[0], tip) or 1.0
    across, down = (base_y - tip[1]) / reach * half, (tip[0] - base_x) / reach * half
    return (tip, (base_x + across, base_y + down), (base_x - across, base_y - down)), left


def _ring(away: Way) -> tuple[tuple[float, float], Way]:
    """Return the centre of a ring at the beginning of a way, and what is left of the way."""
    left = _from_border(away, lambda across, down: math.dist((across, down), away[0]) <= 2 * RING_RADIUS)
    return _between(away[0], left[0], 0.5), left


def _beside(way: Way, gap: float) -> Way:
    """Return a way that runs beside another one."""
    normals = []
    for (x1, y1), (x2, y2) in pairwise(way):
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        normals.append(((y1 - y2) / length, (x2 - x1) / length))
    both = zip(way, [normals[0], *normals], [*normals, normals[-1]], strict=True)
    return tuple((x + gap * (a + c) / 2, y + gap * (b + d) / 2) for (x, y), (a, b), (c, d) in both)
