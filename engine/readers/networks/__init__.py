"""Reading Bayesian networks: one module a format, and the sniffing that tells them apart."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.simulation.bayesian_network import BayesianNetwork

_REMEDY = "Choose a network in the BIF or JSON format."


def read_network(path: str | os.PathLike[str]) -> BayesianNetwork:
    """Read a discrete Bayesian network from a file.

    Parameters
    ----------
    path : path-like
        A BIF file, as the public repositories offer them, or a JSON description; possibly gzipped.
        The content tells which it is. Nothing in a file is ever run.

    Returns
    -------
    BayesianNetwork
        Nodes in the order of the file. Probabilities that were printed with few digits are scaled to
        sum to 1.

    Raises
    ------
    UnreadableFile
        When the file is absent, damaged, or no text.
    InvalidData
        When the file breaks the rules of its format, or describes no network; the message names the
        line or the node.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "rain.bif"
    >>> _ = path.write_text('''
    ... network garden { }
    ... variable rain { type discrete [ 2 ] { no, yes }; }
    ... variable wet { type discrete [ 2 ] { no, yes }; }
    ... probability ( rain ) { table 0.8, 0.2; }
    ... probability ( wet | rain ) { (no) 0.9, 0.1; (yes) 0.2, 0.8; }
    ... ''')
    >>> network = read_network(path)
    >>> network.edges, network.levels["wet"]
    ((('rain', 'wet'),), ('no', 'yes'))
    >>> folder.cleanup()
    """
    from engine.errors import InvalidData, UnreadableFile
    from engine.parameters import required_path
    from engine.readers.encodings import decode
    from engine.readers.networks.bif import parse_bif
    from engine.readers.networks.json_network import parse_json
    from engine.readers.source import Source

    source = Source(required_path(path))
    raw, _ = source.read()
    try:
        text, _ = decode(raw, None, source.place)
    except UnreadableFile as error:
        raise UnreadableFile(error.problem, place=error.place, remedy=_REMEDY) from error
    beginning = text.lstrip()[:1]
    try:
        if beginning == "<":
            raise InvalidData("networks in XML cannot be read.", remedy="Save the network as BIF.")
        return parse_json(text) if beginning == "{" else parse_bif(text)
    except InvalidData as error:
        place = f"{source.place}, {error.place}" if error.place else source.place
        raise InvalidData(error.problem, place=place, remedy=error.remedy) from error
