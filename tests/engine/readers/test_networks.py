"""Networks are read as they are published, and a broken file is refused with the line and a remedy."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.errors import InvalidData, UnreadableFile
from tests.with_each import with_each

# Nodes, edges and free parameters as the Bayesian network repository of bnlearn states them.
PUBLISHED = {
    "alarm": (37, 46, 509),
    "asia": (8, 8, 18),
    "cancer": (5, 4, 10),
    "child": (20, 25, 230),
    "earthquake": (5, 4, 10),
    "sachs": (11, 17, 178),
    "survey": (6, 6, 21),
    "water": (32, 66, 10083),
    "win95pts": (76, 112, 574),
}

RAIN = """
network garden {
  property note "made by hand; no file" ;
}
variable rain { // of the last hour
  type discrete [ 2 ] { no, yes };
  property position = (10, 20);
}
/* a comment
   over lines */
variable wet { type discrete [ 3 ] { no, a-little, very };
}
probability ( rain ) { table 0.8, 0.2; }
probability ( wet | rain ) {
  (no) 0.7, 0.2, 0.1;
  (yes) 0.1, 0.3, 0.6;
}
"""


@pytest.fixture
def read(tmp_path: Path):
    def read_text(text: str):
        path = tmp_path / "network.bif"
        path.write_text(text, encoding="utf-8")
        return engine.read_network(path)

    return read_text


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_published_networks_have_the_published_size(name: str, shared_data: Path) -> None:
    network = engine.read_network(shared_data / "networks" / f"{name}.bif.gz")
    parameters = sum(table.size - table.size // table.shape[-1] for table in network.tables.values())
    assert (len(network.nodes), len(network.edges), parameters) == PUBLISHED[name]


def test_asia_has_the_probabilities_of_its_paper(shared_data: Path) -> None:
    """Lauritzen and Spiegelhalter (1988), Table 1."""
    network = engine.read_network(shared_data / "networks" / "asia.bif.gz")
    assert network.parents["either"] == ("lung", "tub")
    probability = dict(network.tables.items())
    np.testing.assert_allclose(probability["asia"], [0.01, 0.99])
    np.testing.assert_allclose(probability["tub"], [[0.05, 0.95], [0.01, 0.99]])
    np.testing.assert_allclose(probability["lung"], [[0.1, 0.9], [0.01, 0.99]])
    np.testing.assert_allclose(probability["bronc"], [[0.6, 0.4], [0.3, 0.7]])
    np.testing.assert_allclose(probability["xray"], [[0.98, 0.02], [0.05, 0.95]])
    np.testing.assert_array_equal(probability["either"][..., 0], [[1, 1], [1, 0]])
    breathless = {("yes", "yes"): 0.9, ("yes", "no"): 0.8, ("no", "yes"): 0.7, ("no", "no"): 0.1}
    assert network.parents["dysp"] == ("bronc", "either")
    for (bronchitis, either), chance in breathless.items():
        row = probability["dysp"][
            network.levels["bronc"].index(bronchitis), network.levels["either"].index(either)
        ]
        assert row[0] == pytest.approx(chance)


def test_comments_properties_and_odd_level_names(read) -> None:
    network = read(RAIN)
    assert network.nodes == ("rain", "wet")
    assert network.levels == {"rain": ("no", "yes"), "wet": ("no", "a-little", "very")}
    np.testing.assert_allclose(network.tables["wet"], [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])


def test_other_ways_to_say_the_same(read) -> None:
    """The whole table at once (the node slowest), a default, no commas, quoted names, any order."""
    same = read(
        'probability("wet" "rain"){table 0.7 0.1 0.2 0.3 0.1 0.6;}probability(rain){table .8 2e-1;}'
        "variable rain{type discrete[2]{no yes};}variable wet{type discrete[3]{no a-little very};}"
    )
    first = read(RAIN)
    assert set(same.edges) == set(first.edges)
    np.testing.assert_allclose(same.tables["wet"], first.tables["wet"])
    default = read(RAIN.replace("(no) 0.7, 0.2, 0.1;", "default 0.7, 0.2, 0.1;"))
    np.testing.assert_allclose(default.tables["wet"], first.tables["wet"])


@pytest.mark.parametrize("name", ["Ölstand <5", "a/b", "12+", "x.y:z", "<script>", "'; import os"])
def test_names_may_hold_anything(read, name: str) -> None:
    network = read(RAIN.replace("wet", f'"{name}"'))
    assert network.edges == (("rain", name),)


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
def test_line_ends_of_every_system(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "rain.bif"
    text = RAIN if ending != "\r" else RAIN.replace(" // of the last hour", "")
    path.write_bytes(text.replace("\n", ending).encode())
    assert engine.read_network(path).nodes == ("rain", "wet")


def test_rounded_probabilities_are_scaled(read) -> None:
    network = read(RAIN.replace("0.7, 0.2, 0.1", "0.33, 0.33, 0.33"))
    np.testing.assert_allclose(network.tables["wet"][0], [1 / 3] * 3)


@pytest.mark.parametrize(
    ("old", "new", "place", "problem"),
    [
        ("0.7, 0.2, 0.1", "0.7, 0.2, 0.3", "line 15", "sums to 1.2"),
        ("0.7, 0.2, 0.1", "0.7, 0.3", "line 15", "2 probabilities for 3 levels"),
        ("0.7, 0.2, 0.1", "0.9, 0.2, -0.1", "line 15", "negative"),
        ("0.7, 0.2, 0.1", "0.7, nan, 0.3", "line 15", "no number"),
        ("0.7, 0.2, 0.1", "0.7, a, 0.3", "line 15", "not a number"),
        ("(yes)", "(perhaps)", "line 16", "no level 'perhaps'"),
        ("(yes)", "(no)", "line 16", "twice"),
        ("(yes)", "(yes, no)", "line 16", "2 levels for its 1 parents"),
        ("  (yes) 0.1, 0.3, 0.6;\n", "", "line 14", "missing, the first for (yes)"),
        ("[ 2 ] { no, yes }", "[ 3 ] { no, yes }", "line 6", "announces 3 and names 2 levels"),
        ("{ no, yes }", "{ no, no }", "line 6", "same name"),
        ("discrete [ 2 ]", "continuous [ 2 ]", "line 6", "is continuous"),
        ("( wet | rain )", "( wet | snow )", "line 14", "no variable 'snow'"),
        ("( wet | rain )", "( rain )", "line 14", "a second time"),
        ("variable wet", "variable rain", "line 11", "a second time"),
        ("variable wet", "variables wet", "line 11", "'variables'"),
        ("table 0.8, 0.2;", "", "line 13", "missing"),
        ("table 0.8, 0.2;", "table 0.8, 0.1, 0.1;", "line 13", "3 numbers; 2 are needed"),
        ("table 0.8, 0.2;", "tables 0.8, 0.2;", "line 13", "'tables'"),
        ("over lines */", "over lines", "line 9", "not closed"),
        ("{ no, yes }", '{ "no, yes }', "line 6", "not closed"),
        ("(yes) 0.1, 0.3, 0.6;\n}", "(yes) 0.1, 0.3", "line 17", "end of the file"),
        ("probability ( rain ) { table 0.8, 0.2; }", "", "node 'rain'", "no probabilities"),
        ("( rain ) { table 0.8, 0.2; }", "( rain | wet ) { default .5 .5; }", "among", "circle"),
    ],
)
def test_broken_files_are_refused_with_line_and_remedy(
    read, old: str, new: str, place: str, problem: str
) -> None:
    assert old in RAIN
    with pytest.raises(InvalidData) as caught:
        read(RAIN.replace(old, new, 1))
    assert caught.value.place.startswith("file 'network.bif', ")
    assert place in caught.value.place
    assert problem in caught.value.problem
    assert caught.value.remedy


@with_each("cut", range(1, len(RAIN), 7))
def test_a_file_cut_off_anywhere_is_refused(read, cut: int) -> None:
    with pytest.raises((InvalidData, UnreadableFile)):
        read(RAIN[:cut].rstrip() or "x")


def test_a_table_too_large_to_hold_is_refused(read) -> None:
    names = [f"n{place}" for place in range(40)]
    variables = "".join(f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in names)
    with pytest.raises(InvalidData, match="cells"):
        read(
            variables
            + "".join(f"probability ( {name} ) {{ table .5 .5; }}\n" for name in names[1:])
            + f"probability ( n0 | {', '.join(names[1:])} ) {{ default .5 .5; }}"
        )


@pytest.mark.parametrize(
    "content",
    [b"", b"\x80\x04\x95\x10\x00pickled", gzip.compress(b"abc", mtime=0)[:-4], b"PK\x03\x04zip", b"<BIF/>"],
)
def test_what_is_no_network_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "network.bif"
    path.write_bytes(content)
    with pytest.raises(InvalidData) as caught:
        engine.read_network(path)
    assert caught.value.remedy


def test_the_json_fragment_of_tied_has_its_edges(shared_data: Path) -> None:
    network = engine.read_network(shared_data / "TIED" / "tied_network.json")
    lines = (shared_data / "TIED" / "tied_edges.tsv").read_text().split("\n")[1:]
    assert set(network.edges) == {tuple(line.split("\t")) for line in lines if line}
    np.testing.assert_allclose(network.tables["X28"], [1 / 3] * 3)
    assert network.levels["T"] == ("0", "1", "2", "3")


def described(**changes: object) -> dict:
    wet = {"parents": ["rain", "hose"], "table": {"no": {"0": {"a": 1}, "1": {"a": 0.5, "b": 0.5}}}}
    wet["table"]["yes"] = {"0": {"b": 1.0}, "1": {"a": 0.1, "b": 0.9}}
    root = {"parent": None, "table": {"": {"0": 0.5, "1": 0.5}}}
    return {
        "states": {"rain": ["no", "yes"], "hose": [0, 1], "wet": ["a", "b"]} | changes.get("states", {}),
        "cpt": {"rain": {"table": {"": {"yes": 1}}}, "hose": root, "wet": wet} | changes.get("cpt", {}),
    }


def test_json_with_several_parents(read) -> None:
    network = read(json.dumps(described()))
    assert network.parents["wet"] == ("rain", "hose")
    np.testing.assert_allclose(network.tables["wet"], [[[1, 0], [0.5, 0.5]], [[0, 1], [0.1, 0.9]]])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not JSON"),
        ('{"states": {"a": [0]}}', "'cpt'"),
        ('{"states": {"a": [0], "a": [1]}}', "twice"),
        ('{"states": 1}', "'states'"),
        ("{" + '"a":{' * 100_000, "deep"),
        (json.dumps(described(states={"snow": ["a", "b"]})), "not in 'cpt'"),
        (json.dumps(described(states={"wet": ["a", "a"]})), "different names"),
        (json.dumps(described(cpt={"rain": {"parent": "snow", "table": {"": 1}}})), "'snow'"),
        (json.dumps(described(cpt={"rain": {"table": {"": {"perhaps": 1}}}})), "'perhaps'"),
        (json.dumps(described(cpt={"rain": {"table": {"": {"yes": "1"}}}})), "not a number"),
        (json.dumps(described(cpt={"rain": {"table": {"": {"yes": True}}}})), "not a number"),
        (json.dumps(described(cpt={"rain": {"table": {"yes": {"yes": 1}}}})), "missing"),
        (json.dumps(described(cpt={"rain": []})), "'table'"),
    ],
)
def test_broken_json_is_refused(read, text: str, problem: str) -> None:
    with pytest.raises(InvalidData) as caught:
        read(text)
    assert problem in caught.value.problem
    assert caught.value.remedy
