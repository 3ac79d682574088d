"""The findings as a GraphML network that Gephi, yEd and Cytoscape open with every attribute.

Nodes are labels, causal features, and variables that only connect a spouse or stand in for one. Edges
join a feature with each label that it counts for, labels with labels, and variables with one another that
are interchangeable or not told apart. At most one edge joins two nodes; `all_relations` names the other
relations of the two.

Where the direction of an edge is known, its source in the file is the cause and its `arrow` is "target".
The graph as a whole stays undirected: there are programs that refuse a file in which only some edges are
directed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.boundaries.markov_boundary import LinkKind
from engine.discovery.finding_words import statement
from engine.discovery.orientation.direction import Direction, leading_to
from engine.reporting.tables import DrawnFile, ResultContext, join_names, split_names
from engine.wording.numbers import exact_p
from engine.wording.phrases import visible

if TYPE_CHECKING:
    import networkx

    from engine.discovery.evidence import Equivalence, Evidence
    from engine.discovery.findings import Finding
    from engine.discovery.result import DiscoveryResult
    from engine.independence.record import TestRecord


INTERCHANGEABLE = "interchangeable"
UNDISTINGUISHED = "not told apart"
LABEL_LABEL = "label-label"
THROUGH_LABELS = "through labels"
OTHER = "other"
_NO_DIRECTION = {"arrow": "none", "cause": "", "because": "", "statement": ""}


@dataclass(slots=True)
class Network:
    """The network as plain values, which travel to another process."""

    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)  # attributes by identity
    # attributes by ends; two nodes have one edge at most
    edges: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    counts_through_labels: bool = True  # links through other labels are among them

    def ends(self, first: str, second: str) -> tuple[str, str]:
        """Return by which ends the edge of two nodes is known."""
        return (second, first) if (second, first) in self.edges else (first, second)


def network_of(analysis: ResultContext) -> Network:
    """Return what the file of an analysis holds."""
    return _NetworkMaker(analysis.result).network


def write_network(network: Network, path: Path) -> None:
    """Write a network as GraphML."""
    from networkx.readwrite.graphml import GraphMLWriter

    # Of an undirected graph the writer chooses source and target itself.
    writer = GraphMLWriter()
    writer.add_graph_element(_from_causes(_graph(network)))
    writer.xml.find("graph").set("edgedefault", "undirected")
    with path.open("wb") as file:
        writer.dump(file)


GRAPH_FILE = DrawnFile(network_of, write_network)
"""How the file of an analysis is made."""


def graph_of(analysis: ResultContext) -> networkx.Graph:
    """Make the network, with texts, numbers and flags as attributes.

    Returns
    -------
    networkx.Graph
        Undirected. Graph attribute: ``links_through_labels`` (counted or not counted). Node attributes:
        ``label`` (what is shown) and ``name``; ``kind`` (label or feature); ``type`` (label, common,
        label-specific, other); ``labels`` (those it counts for) and ``label_count``; ``strength`` (0 to 1);
        ``finished`` (for a label: whether its search was, yes or no). Edge attributes: ``relation``
        (neighbour, spouse, interchangeable, through labels, label-label, not told apart); of a feature and a
        label ``kind`` (direct or through labels) and ``through`` (the labels that explain a link of the
        second kind);
        ``all_relations``; ``rule`` and ``symbol``; ``strength``, and the same as ``weight`` for programs
        that look for that; ``p`` (text, never zero), ``log_p`` and ``given`` (conditioning set) of the
        deciding test; ``via`` (connecting children);
        ``partner`` (what it stands in for); ``about`` (what two variables tell the same about, or
        may);
        ``arrow`` (target when it is told which is the cause if nothing is hidden, else none), ``cause``
        (node), ``because`` (what tells it) and ``statement`` (what is told of the cause as to the other
        node, as tables say it).
    """
    return _graph(network_of(analysis))


def _graph(network: Network) -> networkx.Graph:
    import networkx

    graph = networkx.Graph(links_through_labels="counted" if network.counts_through_labels else "not counted")
    graph.add_nodes_from(network.nodes.items())
    graph.add_edges_from((*ends, attributes) for ends, attributes in network.edges.items())
    return graph


def _from_causes(graph: networkx.Graph) -> networkx.DiGraph:
    """Let every edge begin at its cause; where the direction is not known, at the first of its nodes."""
    import networkx

    ordered = networkx.DiGraph(**graph.graph)
    ordered.add_nodes_from(graph.nodes(data=True))
    for first, second, attributes in graph.edges(data=True):
        ends = (second, first) if attributes["cause"] == second else (first, second)
        ordered.add_edge(*ends, **attributes)
    return ordered


class _NetworkMaker:
    def __init__(self, result: DiscoveryResult) -> None:
        self.network = Network(counts_through_labels=result.counts_through_labels)
        self._result = result
        self._ids: dict[str, str] = {}
        for label in result.dataset.labels:
            self._add_label(label)
        findings = result.counted_findings
        for finding in findings.by_feature.values():
            self._add_feature(finding)
        for pair, reasons in findings.evidence.items():
            link = findings.links_through_labels.get(pair)
            if link is None:
                self._add_reason(reasons[0], _relation(reasons[0]), LinkKind.DIRECT)
            else:
                through = findings.passed_through(link)
                self._add_reason(reasons[0], THROUGH_LABELS, LinkKind.THROUGH_LABELS, through)
        for reason in result.label_evidence.values():
            self._add_reason(reason, LABEL_LABEL)
        for record in result.equivalence_records:
            self._add_equivalence(record, INTERCHANGEABLE)
        for record in result.undistinguished_records:
            self._add_equivalence(record, UNDISTINGUISHED)

    def _add_label(self, label: str) -> None:
        related = [evidence for evidence in self._result.label_evidence.values() if evidence.label == label]
        self._add_node(
            label,
            kind="label",
            type="label",
            labels=join_names(evidence.feature for evidence in related),
            label_count=len(related),
            strength=max((evidence.strength for evidence in related), default=0.0),
            finished="no" if label in self._result.unfinished_labels else "yes",
        )

    def _add_feature(self, finding: Finding) -> None:
        self._add_node(
            finding.feature,
            kind="feature",
            type=finding.type,
            labels=join_names(finding.labels),
            label_count=len(finding.labels),
            strength=finding.strength,
            finished="yes",
        )

    def _node(self, name: str) -> str:
        """Node of a variable, added when it is there only because of what it connects."""
        if name not in self._ids:
            self._add_node(
                name, kind="feature", type=OTHER, labels="", label_count=0, strength=0.0, finished="yes"
            )
        return self._ids[name]

    def _add_node(self, name: str, **attributes: Any) -> None:
        shown = identity = visible(name)
        number = 2
        while identity in self.network.nodes:
            identity, number = f"{shown} ({number})", number + 1
        self._ids[name] = identity
        self.network.nodes[identity] = {"label": shown, "name": shown, **_visible(attributes)}

    def _add_reason(
        self, reason: Evidence, relation: str, kind: str = "", through: tuple[str, ...] = ()
    ) -> None:
        self._add_edge(
            reason.feature,
            reason.label,
            relation=relation,
            rule=str(reason.rule),
            symbol=reason.rule.symbol,
            via=join_names(reason.children),
            partner=join_names(reason.partner),
            about=(reason.label,) if relation == INTERCHANGEABLE else (),
            kind=str(kind),
            through=join_names(through),
            **self._direction(reason),
            **_figures(reason.deciding, reason.strength),
        )
        for child in reason.children:
            self._node(child)

    def _direction(self, reason: Evidence) -> dict[str, str]:
        direction, grade = self._result.direction(*reason.pair), self._result.grade(*reason.pair)
        leading = leading_to(direction, grade)
        if leading not in (Direction.CAUSE, Direction.EFFECT):
            return _NO_DIRECTION | {"statement": statement(direction, grade)}
        record = self._result.orientation_records.get(reason.pair)
        because = "" if record is None or record.because is None else str(record.because)
        cause, effect = reason.pair if leading is Direction.CAUSE else reason.pair[::-1]
        told = statement(self._result.direction(cause, effect), self._result.grade(cause, effect))
        return {"arrow": "target", "cause": self._node(cause), "because": because, "statement": told}

    def _add_equivalence(self, record: Equivalence, relation: str) -> None:
        strength = min(record.target_in_boundary.effect, record.target_equivalent.effect)
        for inside in record.in_boundary:
            for outside in record.equivalent:
                self._add_edge(
                    inside,
                    outside,
                    relation=relation,
                    rule="",
                    symbol="",
                    via="",
                    partner="",
                    about=(record.target,),
                    kind="",
                    through="",
                    **_NO_DIRECTION,
                    **_figures(record.target_equivalent, strength),
                )

    def _add_edge(
        self, first: str, second: str, *, relation: str, about: tuple[str, ...], **attributes: Any
    ) -> None:
        edges, ends = self.network.edges, self.network.ends(self._node(first), self._node(second))
        earlier = edges.get(ends)
        relations = {relation: None}
        if earlier is not None:
            relations = dict.fromkeys((*split_names(earlier["all_relations"]), relation))
            about = tuple(dict.fromkeys((*split_names(earlier["about"]), *about)))
        texts = _visible(attributes)
        joined = {"all_relations": join_names(relations), "about": visible(join_names(about))}
        if earlier is None:
            edges[ends] = {"relation": relation, **texts, **joined}
        elif earlier["relation"] == relation and attributes["strength"] > earlier["strength"]:
            earlier.update(texts | joined)
        else:
            earlier.update(joined)


def _relation(reason: Evidence) -> str:
    return INTERCHANGEABLE if reason.rule.is_equivalent else str(reason.rule)


def _figures(test: TestRecord | None, strength: float) -> dict[str, float | str]:
    figures: dict[str, float | str] = {"strength": float(strength), "weight": float(strength)}
    if test is not None:
        figures |= {
            "p": str(exact_p(test.p_value, test.log_p)),
            "log_p": float(test.log_p),
            "given": visible(join_names(test.given)),
        }
    return figures


def _visible(attributes: dict[str, Any]) -> dict[str, Any]:
    return {key: visible(value) if isinstance(value, str) else value for key, value in attributes.items()}
