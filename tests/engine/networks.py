"""Small networks whose answers are known: the paper's figures, textbook structures, and hard cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from engine.simulation import BayesianNetwork

Boundaries = frozenset[frozenset[str]]


def sets(*texts: str) -> Boundaries:
    """Write boundaries briefly: ``sets("A B", "C")`` for {A, B} and {C}."""
    return frozenset(frozenset(text.split()) for text in texts)


@dataclass(frozen=True)
class KnownNetwork:
    """A network, its labels, and every Markov boundary of some of its nodes."""

    network: BayesianNetwork
    labels: tuple[str, ...]
    boundaries: Mapping[str, Boundaries] = field(default_factory=dict)

    @property
    def label_sets(self) -> dict[str, frozenset[str]]:
        """Labels that have each feature in some boundary."""
        features = [node for node in self.network.nodes if node not in self.labels]
        labels_of_feature = {
            feature: frozenset(
                label
                for label in self.labels
                if any(feature in boundary for boundary in self.boundaries[label])
            )
            for feature in features
        }
        return {feature: labels for feature, labels in labels_of_feature.items() if labels}


def noisy_or(*powers: float, leak: float = 0.1) -> np.ndarray:
    """Table of a binary effect that each of several binary causes brings about with its own power."""
    absent = np.full((2,) * len(powers), 1 - leak)
    for axis, power in enumerate(powers):
        shape = [1] * len(powers)
        shape[axis] = 2
        absent = absent * np.array([1.0, 1 - power]).reshape(shape)
    return np.stack([absent, 1 - absent], axis=-1)


def root(share: float) -> np.ndarray:
    """Distribution of a binary node without causes."""
    return np.array([1 - share, share])


def binary_network(
    parents: Mapping[str, str], roots: Mapping[str, float], power: float = 0.7
) -> BayesianNetwork:
    """Make a binary network with noisy-OR tables; `parents` gives names separated by blanks."""
    causes = {name: text.split() for name, text in parents.items()}
    tables = {name: root(share) for name, share in roots.items()}
    for name, names in causes.items():
        tables[name] = noisy_or(*(power - 0.05 * place for place in range(len(names))))
    return BayesianNetwork([*roots, *causes], causes, tables)


def chain() -> KnownNetwork:
    """A → T → B → C."""
    network = binary_network({"T": "A", "B": "T", "C": "B"}, {"A": 0.4})
    return KnownNetwork(network, ("T",), {"T": sets("A B"), "A": sets("T"), "C": sets("B")})


def fork() -> KnownNetwork:
    """A ← T → B, with T the only cause."""
    network = binary_network({"A": "T", "B": "T"}, {"T": 0.4})
    return KnownNetwork(network, ("T",), {"T": sets("A B"), "A": sets("T")})


def collider() -> KnownNetwork:
    """T → C ← S → D: S is a spouse of T."""
    network = binary_network({"C": "T S", "D": "S"}, {"T": 0.4, "S": 0.3})
    return KnownNetwork(network, ("T",), {"T": sets("C S"), "S": sets("T C D")})


def figure_1() -> KnownNetwork:
    """Common cold and COVID-19: causes, effects, another cause of an effect, and what they share."""
    network = binary_network(
        {
            "cold": "frigid_weather rhinovirus_gene shared_gene",
            "covid": "coronavirus_gene shared_gene",
            "coughing": "cold covid",
            "fatigue": "cold",
            "allergy": "cold pollen",
            "respiratory_distress": "covid",
        },
        {
            "frigid_weather": 0.3,
            "rhinovirus_gene": 0.3,
            "shared_gene": 0.25,
            "coronavirus_gene": 0.2,
            "pollen": 0.35,
        },
    )
    return KnownNetwork(
        network,
        ("cold", "covid"),
        {
            "cold": sets("frigid_weather rhinovirus_gene shared_gene coughing covid fatigue allergy pollen"),
            "covid": sets("coronavirus_gene shared_gene coughing cold respiratory_distress"),
        },
    )


def figure_2() -> KnownNetwork:
    """A and C are interchangeable about T, and so are B and the pair D, E; T has four boundaries."""
    four = np.array([0.1, 0.35, 0.6, 0.85])
    chance = np.stack([four * 0.8, four * 0.8 + 0.15])
    joined = np.eye(4).reshape(2, 2, 4)
    network = BayesianNetwork(
        ["A", "C", "D", "E", "B", "T", "F"],
        {"C": "A", "B": ["D", "E"], "T": ["A", "B"], "F": "T"},
        {
            "A": root(0.4),
            "C": np.eye(2)[::-1],
            "D": root(0.45),
            "E": root(0.35),
            "B": joined,
            "T": np.stack([1 - chance, chance], axis=-1),
            "F": noisy_or(0.75),
        },
    )
    return KnownNetwork(network, ("T",), {"T": sets("A B F", "C B F", "A D E F", "C D E F")})


def figure_3() -> KnownNetwork:
    """T1 has the boundary {A, B, E}, T2 {A, B, F}: A and B are common, E and F label-specific."""
    network = binary_network({"T1": "A B", "T2": "A B", "E": "T1", "F": "T2"}, {"A": 0.35, "B": 0.3})
    return KnownNetwork(network, ("T1", "T2"), {"T1": sets("A B E"), "T2": sets("A B F")})


def figure_4() -> KnownNetwork:
    """Pairs are interchangeable: {A, B} with {C, D} about T1, and with {G, H} about T2.

    T1 depends on whether A and B are both present, which C and D tell by both being present; T2
    depends on whether A or B is present, which G or H tells. No variable alone stands for another.
    """
    both = np.zeros((2, 2), dtype=int)
    both[1, 1] = 1
    either = np.array([[0, 1], [1, 1]])
    c = np.stack([1 - np.where(both, 1.0, 0.4), np.where(both, 1.0, 0.4)], axis=-1)
    d_chance = np.where(both[..., None], 1.0, np.array([0.45, 0.0]))
    g = np.stack([1 - np.where(either, 0.6, 0.0), np.where(either, 0.6, 0.0)], axis=-1)
    h_chance = np.where(either[..., None], np.array([1.0, 0.5]), 0.0)
    t1 = np.where(both[..., None], np.array([0.75, 0.95]), np.array([0.1, 0.45]))
    t2 = np.where(either[..., None], np.array([0.7, 0.95]), np.array([0.05, 0.4]))
    tables = {
        "A": root(0.6),
        "B": root(0.55),
        "E": root(0.4),
        "F": root(0.35),
        "C": c,
        "D": np.stack([1 - d_chance, d_chance], axis=-1),
        "G": g,
        "H": np.stack([1 - h_chance, h_chance], axis=-1),
        "T1": np.stack([1 - t1, t1], axis=-1),
        "T2": np.stack([1 - t2, t2], axis=-1),
    }
    parents = {"C": "AB", "D": "ABC", "G": "AB", "H": "ABG", "T1": "ABE", "T2": "ABF"}
    network = BayesianNetwork([*"ABCDEFGH", "T1", "T2"], parents, tables)
    return KnownNetwork(network, ("T1", "T2"), {"T1": sets("A B E", "C D E"), "T2": sets("A B F", "G H F")})


def copied_child() -> KnownNetwork:
    """T → C ← S with K an exact copy of C: S stays a spouse, behind either."""
    network = BayesianNetwork(
        ["T", "S", "R", "C", "K"],
        {"C": ["T", "S", "R"], "K": ["C"]},
        {
            "T": root(0.4),
            "S": root(0.35),
            "R": root(0.3),
            "C": noisy_or(0.8, 0.75, 0.7),
            "K": np.eye(2),
        },
    )
    return KnownNetwork(network, ("T",), {"T": sets("C S R", "K S R")})


def class_table(model: list[int], own: list[int], within: list[float]) -> np.ndarray:
    """Table of a node that takes its class from its only cause and its level within it at random."""
    return np.array(
        [
            [share if mine == theirs else 0.0 for mine, share in zip(own, within, strict=True)]
            for theirs in model
        ]
    )


def shared_class() -> KnownNetwork:
    """X and Y share a class that T1 depends on, T2 depends on all of X: X is common, Y specific to T1."""
    network = BayesianNetwork(
        ["X", "Y", "T1", "T2", "C", "W"],
        {"Y": ["X"], "T1": ["X"], "T2": ["X"], "C": ["T1"], "W": ["Y"]},
        {
            "X": [0.3, 0.25, 0.25, 0.2],
            "Y": class_table([0, 0, 1, 1], [0, 1, 1], [1.0, 0.45, 0.55]),
            "T1": [[0.85, 0.15], [0.85, 0.15], [0.2, 0.8], [0.2, 0.8]],
            "T2": [[0.9, 0.1], [0.3, 0.7], [0.7, 0.3], [0.1, 0.9]],
            "C": noisy_or(0.75),
            "W": [[0.85, 0.15], [0.4, 0.6], [0.15, 0.85]],
        },
    )
    return KnownNetwork(network, ("T1", "T2"), {"T1": sets("X C", "Y C"), "T2": sets("X")})


def interchangeable_spouses() -> KnownNetwork:
    """S and R are interchangeable as spouses of T through C."""
    network = BayesianNetwork(
        ["T", "S", "R", "C", "D"],
        {"R": ["S"], "C": ["T", "S"], "D": ["R"]},
        {
            "T": root(0.4),
            "S": [0.3, 0.3, 0.4],
            "R": class_table([0, 0, 1], [0, 1, 1], [1.0, 0.4, 0.6]),
            "C": [
                [[0.9, 0.1], [0.9, 0.1], [0.35, 0.65]],
                [[0.3, 0.7], [0.3, 0.7], [0.05, 0.95]],
            ],
            "D": [[0.85, 0.15], [0.5, 0.5], [0.1, 0.9]],
        },
    )
    return KnownNetwork(network, ("T",), {"T": sets("C S", "C R")})


def theorem_7_case_1() -> KnownNetwork:
    """Label T1 and feature Z are interchangeable about T2; Z is common but hides behind T1."""
    network = BayesianNetwork(
        ["Z", "T1", "B", "T2"],
        {"T1": ["Z"], "T2": ["T1", "B"]},
        {
            "Z": [0.3, 0.3, 0.2, 0.2],
            "T1": class_table([0, 0, 1, 1], [0, 1], [1.0, 1.0]),
            "B": root(0.4),
            "T2": noisy_or(0.8, 0.7),
        },
    )
    return KnownNetwork(network, ("T1", "T2"), {"T1": sets("Z"), "T2": sets("T1 B", "Z B")})


def theorem_7_case_2() -> KnownNetwork:
    """Labels T1 and T2 are interchangeable about Z, which is in the boundary of both."""
    by_class = class_table([0, 0, 1, 1], [0, 0, 1, 1], [0.5, 0.5, 0.45, 0.55])
    place = np.array([0, 1, 0, 1])
    risen = np.where(place[:, None] == 1, np.array([0.75, 0.95]), np.array([0.1, 0.7]))
    effect = np.stack([1 - risen, risen], axis=-1)
    network = BayesianNetwork(
        ["Z", "T1", "T2", "C1", "C2"],
        {"T1": ["Z"], "T2": ["T1"], "C1": ["T1", "Z"], "C2": ["T2", "Z"]},
        {
            "Z": root(0.45),
            "T1": [[0.4, 0.4, 0.1, 0.1], [0.1, 0.1, 0.4, 0.4]],
            "T2": by_class,
            "C1": effect,
            "C2": effect,
        },
    )
    return KnownNetwork(network, ("T1", "T2"), {"T1": sets("T2 C1 Z"), "T2": sets("T1 C2 Z")})


def earthquake() -> KnownNetwork:
    """Burglary or earthquake sets off the alarm; John or Mary calls (Pearl 1988)."""
    network = BayesianNetwork(
        ["burglary", "earthquake", "alarm", "john", "mary"],
        {"alarm": ["burglary", "earthquake"], "john": ["alarm"], "mary": ["alarm"]},
        {
            "burglary": root(0.01),
            "earthquake": root(0.02),
            "alarm": [[[0.999, 0.001], [0.71, 0.29]], [[0.06, 0.94], [0.05, 0.95]]],
            "john": [[0.95, 0.05], [0.1, 0.9]],
            "mary": [[0.99, 0.01], [0.3, 0.7]],
        },
    )
    return KnownNetwork(
        network,
        ("alarm",),
        {
            "alarm": sets("burglary earthquake john mary"),
            "burglary": sets("alarm earthquake"),
            "john": sets("alarm"),
        },
    )


def all_known() -> dict[str, KnownNetwork]:
    """Every network of this module, by name."""
    makers = (
        chain,
        fork,
        collider,
        figure_1,
        figure_2,
        figure_3,
        figure_4,
        copied_child,
        shared_class,
        interchangeable_spouses,
        theorem_7_case_1,
        theorem_7_case_2,
        earthquake,
    )
    return {maker.__name__: maker() for maker in makers}
