"""Which columns are the labels: as told, by a Mulan or MEKA file, or as data declare.

The format is that of Mulan (Tsoumakas, Spyromitros-Xioufis, Vilcek, Vlahavas 2011, JMLR 12:2411-2414):
a ``labels`` element with ``label`` elements, which may be nested to form a hierarchy.

MEKA (Read, Reutemann, Pfahringer, Holmes 2016, JMLR 17(21):1-5) keeps options behind a colon in the
relation's name: ``-C 6`` says that the first six attributes are the labels, ``-C -6`` the last six.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from engine.errors import InvalidData, InvalidParameter, UnreadableFile
from engine.readers.reading import Guess
from engine.readers.source import Source, begins_like_markup
from engine.table.dataset import Dataset, unknown_variable
from engine.translation import N_, _, for_count
from engine.wording.notes import Note
from engine.wording.sentences import NAME_A_COLUMN, NO_LABEL_NAMED
from engine.wording.setting_names import the_setting

Labels = str | os.PathLike[str] | Iterable[str] | None
"""A label file, column names, or None for what the data file declares."""


def choose_labels(dataset: Dataset, names: Sequence[str], origin: str = "") -> Dataset:
    """Make columns the labels, by names, patterns such as ``lbl_*``, or ranges such as ``first..last``."""
    if not names:
        raise InvalidParameter(_(NO_LABEL_NAMED), place=the_setting("labels"), remedy=_(NAME_A_COLUMN))
    if origin and len(names) > len(dataset.names):
        # A file that names more than there are belongs to another table; each might be a pattern.
        stripped_names = {name.strip() for name in dataset.names}
        if absent := [name for name in names if name.strip() not in stripped_names]:
            raise _absent(absent, dataset.names, origin)
    chosen, missing = choose_columns(names, dataset.names)
    if missing:
        raise _absent(missing, dataset.names, origin)
    labelled = dataset.with_labels(chosen)
    if not labelled.features:
        raise InvalidData(
            _("every column is a label, so no feature is left to analyse."),
            place=origin,
            remedy=_("Name fewer labels, or open the table that also holds the features."),
        )
    return labelled


def choose_columns(wanted: Iterable[str], names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Choose columns by names, patterns (``*`` is any letters, ``?`` one) and ranges; return others apart.

    A range ``first..last`` is of names or of numbers of columns, counted from 1. A name goes before a
    pattern.

    >>> names = ["age", "dose", "lbl_cough", "lbl_fever", "weight"]
    >>> choose_columns(["lbl_*", "1..2", "size"], names)
    (('age', 'dose', 'lbl_cough', 'lbl_fever'), ('size',))
    """
    positions = {name.strip(): position for position, name in reversed(list(enumerate(names)))}
    chosen: set[int] = set()
    unknown = []
    for name in wanted:
        if not isinstance(name, str):
            raise InvalidParameter(
                _("{name!r} is not the name of a column.", name=name), remedy=_("Write names as texts.")
            )
        text = name.strip()
        matches = [positions[text]] if text in positions else _matching(text, positions, names)
        chosen.update(matches)
        if not matches:
            unknown.append(name)
    return tuple(names[position] for position in sorted(chosen)), tuple(unknown)


def _matching(text: str, positions: Mapping[str, int], names: Sequence[str]) -> Sequence[int]:
    if ".." in text:
        first, last = (part.strip() for part in text.split("..", 1))
        ends = [_position(end, positions, len(names)) for end in (first, last)]
        bounds = sorted(end for end in ends if end is not None)
        return range(bounds[0], bounds[1] + 1) if len(bounds) == 2 else ()
    if "*" not in text and "?" not in text:
        return ()
    # A bracket is a letter like any other: units stand in them.
    pattern = text.replace("[", "[[]")
    return [position for position, name in enumerate(names) if fnmatchcase(name.strip(), pattern)]


def _position(end: str, positions: Mapping[str, int], count: int) -> int | None:
    if end in positions:
        return positions[end]
    number = int(end) if end.isdecimal() and len(end) < _LONGEST_NUMBER else 0
    return number - 1 if 1 <= number <= count else None


_LONGEST_NUMBER = 9


def beside(path: Path) -> Path | None:
    """Find the Mulan XML file of a data file: ``emotions.xml`` also for ``emotions-train.arff.gz``."""
    stem = path.name.lower().removesuffix(".gz").rpartition(".")[0]
    stems = [stem, *(stem.removesuffix(part) for part in ("-train", "-test", "_train", "_test", ".orig"))]
    wanted = [f"{name_stem}.xml" for name_stem in stems]
    try:
        # Which of many neighbours are files would take long to ask.
        by_name = {
            entry.name.lower(): entry for entry in path.parent.iterdir() if entry.name.lower() in wanted
        }
    except OSError:
        return None
    return next((by_name[name] for name in wanted if name in by_name and by_name[name].is_file()), None)


def _absent(missing: Sequence[str], names: Sequence[str], origin: str) -> InvalidParameter:
    first = missing[0]
    error = unknown_variable(first, names)
    problem = for_count(
        len(missing),
        "the label '{first}' is not a column of the table.",
        "the label '{first}' is not a column of the table ({count} labels are absent).",
    ).format(first=first, count=len(missing))
    return InvalidParameter(problem, place=origin, remedy=error.remedy)


_MOST_BYTES = 8 << 20
_REMEDY = N_("Choose the XML file that names the labels of this data set.")


def is_list_of_labels(source: Source) -> bool:
    """Tell whether a label file names labels, as XML does, rather than being a table that holds them."""
    content, _ = source.read(line_limit=1)
    # A table of Stata begins with a tag, too.
    is_markup = begins_like_markup(content) and not content.startswith(b"<stata_dta>")
    return source.extension == ".xml" or is_markup


def read_mulan_labels(source: Source) -> tuple[str, ...]:
    """Read the label names, parents before their children, in document order."""
    content, _is_whole = source.read()
    if len(content) > _MOST_BYTES:
        raise UnreadableFile(
            _(
                "the file is larger than {most_bytes} MB, as no list of labels is.",
                most_bytes=_MOST_BYTES >> 20,
            ),
            place=source.place,
            remedy=_(_REMEDY),
        )
    try:
        root = fromstring(content, forbid_dtd=False)
    except ParseError as error:
        line, column = error.position
        raise UnreadableFile(
            _("the XML is not well-formed at line {line}, column {column}.", line=line, column=column + 1),
            place=source.place,
            remedy=_("Correct it, or choose another label file."),
        ) from error
    except (DefusedXmlException, LookupError, ValueError) as error:
        raise UnreadableFile(
            _("the XML declares entities or an encoding that are not accepted."),
            place=source.place,
            remedy=_("Remove the DOCTYPE and save the file as UTF-8."),
        ) from error
    if _local_name(root) != "labels":
        raise UnreadableFile(
            _("this XML holds '{local_name}', not a list of labels.", local_name=_local_name(root)),
            place=source.place,
            remedy=_(_REMEDY),
        )
    names = [str(element.get("name") or "") for element in root.iter() if _local_name(element) == "label"]
    if not all(names):
        raise UnreadableFile(_("a label has no name."), place=source.place, remedy=_(_REMEDY))
    if not names:
        raise UnreadableFile(_("the XML names no label."), place=source.place, remedy=_(_REMEDY))
    return tuple(dict.fromkeys(names))


def _local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


_COUNT = re.compile(r"-?\d{1,9}")


def meka_label_count(relation: str) -> int:
    """Return the number behind ``-C`` in a relation's name, as in "Music: -C 6"; 0 where there is none."""
    _, _, options = relation.partition(":")
    # What stands at the colon itself is part of a name.
    words = options.split() if options[:1].isspace() else options.split()[1:]
    for option, value in pairwise(words):
        if option in ("-C", "-c") and _COUNT.fullmatch(value):
            return int(value)
    return 0


def declared_labels(
    relation: str, names: Sequence[str]
) -> tuple[tuple[str, ...], tuple[Guess, ...], tuple[Note, ...]]:
    """Find the labels that a MEKA header declares."""
    count = meka_label_count(relation)
    if count == 0:
        return (), (), ()
    if abs(count) >= len(names):
        message = _(
            "The header says '-C {count}', but there are only {columns} columns; it is ignored.",
            count=count,
            columns=len(names),
        )
        return (), (), (Note("stale-header", message),)
    labels = tuple(names[:count] if count > 0 else names[count:])
    are_labels = for_count(abs(count), *(_LABELS_FIRST if count > 0 else _LABELS_LAST))
    reasons = [are_labels.format(option=count, count=abs(count))]
    filtered = "weka.filters" in relation
    if filtered:
        reasons.append(_("The columns were changed after that was written, so it may no longer hold."))
    guess = Guess("labels", ", ".join(labels), " ".join(reasons), certain=not filtered)
    return labels, (guess,), ()


_LABELS_FIRST = (
    N_("The header says '-C {option}': the first column is the label."),
    N_("The header says '-C {option}': the first {count} columns are the labels."),
)
_LABELS_LAST = (
    N_("The header says '-C {option}': the last column is the label."),
    N_("The header says '-C {option}': the last {count} columns are the labels."),
)
