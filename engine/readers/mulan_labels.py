"""Label names from the XML file that accompanies a Mulan data set.

The format is that of Mulan (Tsoumakas, Spyromitros-Xioufis, Vilcek, Vlahavas 2011, JMLR 12:2411-2414):
a ``labels`` element with ``label`` elements, which may be nested to form a hierarchy.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from engine.errors import UnreadableFile
from engine.readers.source import Source

_REMEDY = "Choose the XML file that names the labels of this data set."


def read_mulan_labels(source: Source) -> tuple[str, ...]:
    """Read the label names, parents before their children, in document order.

    Parameters
    ----------
    source : Source
        The XML file, possibly gzipped.

    Returns
    -------
    tuple of str

    Raises
    ------
    UnreadableFile
        When the file is no well-formed XML, holds entities, or names no label.
    """
    content, _ = source.read()
    try:
        root = fromstring(content, forbid_dtd=False)
    except ParseError as error:
        line, column = error.position
        raise UnreadableFile(
            f"the XML is not well-formed at line {line}, column {column + 1}.",
            place=source.place,
            remedy="Correct it, or choose another label file.",
        ) from error
    except (DefusedXmlException, LookupError, ValueError) as error:
        raise UnreadableFile(
            "the XML declares entities or an encoding that are not accepted.",
            place=source.place,
            remedy="Remove the DOCTYPE and save the file as UTF-8.",
        ) from error
    if _local_name(root) != "labels":
        raise UnreadableFile(
            f"this XML holds '{_local_name(root)}', not a list of labels.",
            place=source.place,
            remedy=_REMEDY,
        )
    names = [_label_name(element, source) for element in root.iter() if _local_name(element) == "label"]
    if not names:
        raise UnreadableFile("the XML names no label.", place=source.place, remedy=_REMEDY)
    return tuple(dict.fromkeys(names))


def _local_name(element: Element) -> str:
    """Give the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _label_name(element: Element, source: Source) -> str:
    name = element.get("name")
    if not name:
        raise UnreadableFile("a label has no name.", place=source.place, remedy=_REMEDY)
    return str(name)
