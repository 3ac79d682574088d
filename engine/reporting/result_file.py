"""``result.json``: everything that a run found, as one JSON object.

Its members, in this order; what is said to be a class has the fields of that class as members. A member that
files of earlier programs lack has the default value of its field, unless something else is said here.

``format``
    ``"clcd-result"``.
``schema_version``
    2. Members may be added without a new number; it rises when one is removed or changes its meaning. In
    version 1 ``equivalences`` were all pairs that had not been told apart: they are read as such.
``run``
    The only part that may differ between two runs of the same analysis: ``program_version``,
    ``workers`` (asked for; null leaves the choice to the program), ``seconds`` and ``stability_seconds``
    (null without ``stability``).
``split``, ``preferred``, ``counts_through_labels``
    As in :class:`engine.DiscoveryResult`. ``common``, ``label_specific`` and ``summary`` hold direct links
    alone, whether links through other labels are counted or not.
``searched_through_labels``
    Likewise. Earlier programs looked for these links where ``links_through_labels`` is there.
``data``
    The prepared table: ``name``, ``content_hash`` (SHA-256), ``rows``, ``labels``, ``features``,
    ``ignored``, ``weight`` and ``groups`` (columns, or null), ``variables`` (each with ``name``, ``kind``,
    ``role``, ``levels``, ``ordered``, ``event``, ``event_from``) and ``notes`` (each with ``topic``,
    ``message``, ``variable``, and perhaps ``columns``) on what was guessed, set aside or changed.
``settings``
    ``preparation`` (null when not known) and ``discovery``, by field name.
``summary``
    ``common``, ``label_specific``, ``equivalences``, ``undistinguished`` and ``label_relations`` as counts,
    ``partial``, and of the result ``tests_made``, ``unreliable_tests``, ``unfinished_labels``,
    ``directions_finished``, ``groups_finished``, ``bounded_labels``, ``unconfirmed_labels`` and
    ``determined_labels``.
``common``, ``label_specific``
    The columns of these tables in :mod:`engine.discovery.tables` that stand in JSON, most labels first.
``boundaries``
    Each with ``target``, ``parents_children``, ``spouses`` (``spouse`` and its connecting ``children``)
    and ``tests_made``.
``equivalences``, ``undistinguished``
    Each an :class:`~engine.discovery.evidence.Equivalence`: what is interchangeable, and what these rows do
    not tell apart.
``evidence``, ``label_relations``
    Every reason for every feature and label, and for every other label and label: each an
    :class:`~engine.discovery.evidence.Evidence` with the ``symbol`` of its rule and the ``strength`` of its
    deciding test. Earlier programs wrote the ``strength`` of the first test, and no ``marginal``, which is
    found among the ``tests``.
``links_through_labels``, ``label_groups``
    Each a :class:`~engine.discovery.evidence.LinkThroughLabels`, or a
    :class:`~engine.discovery.label_groups.LabelGroup` with the ``name`` of its score.
``q_values``
    The natural logarithm ``log_q`` of the q-value of each finding's marginal test, of all marginal tests of
    its ``label``; ``feature`` may be another label.
``departures``
    The tests that took members out of boundaries, given all other members: ``x`` is the label.
``stability``
    Null when that was not asked. ``settings``, ``finished``, ``pairs`` and ``relations`` (each with
    ``feature``, ``label``, ``found``, ``rules`` and ``in_result``), ``types`` and ``total_types`` (each with
    ``feature``, ``common`` and ``label_specific``), ``grades`` (``feature``, ``label`` and ``times`` by
    grade) and ``through_labels`` (``feature``, ``label`` and ``found``): repetitions, as in
    :class:`engine.StabilityResult`.
``orientations``
    Each an :class:`~engine.discovery.orientation.direction.Orientation`, with its ``grade`` and with its
    marks as ``mark_at_feature``, ``mark_at_label`` and ``nothing_hidden``.
``blocks``
    Each a :class:`~engine.independence.reflective.ReflectiveBlock`.
``local_edges``
    Every edge of the labels and of their neighbours: ``first``, ``second``, ``mark_at_first``,
    ``mark_at_second`` and ``nothing_hidden``.
``knowledge``
    Background knowledge that the run was given, as in a file of knowledge; null when there was none.
``objections``
    Results that contradict it: each an :class:`~engine.discovery.orientation.direction.Objection`.
``effects``
    Null when that was not measured. ``sizes``, each a :class:`~engine.discovery.effects.estimates.Size` whose
    ``points`` are lists of ``at``, ``label_level``, ``estimate``, ``low``, ``high`` and ``rows``, and
    ``flags``, each with ``feature``, ``label`` and their flags. A level of a variable is a text, a value of a
    number stands under ``value``.

A test is a :class:`~engine.independence.record.TestRecord`, with the ``others`` as one text, ``y``. Numbers
have full precision. The three numbers that JSON does not know are written as the texts ``"Infinity"``,
``"-Infinity"`` and ``"NaN"``. Every record stands on a line of its own, so that two files can be compared
line by line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.atomic import check_openable
from engine.errors import UnreadableFile
from engine.reporting.tables import ResultContext
from engine.translation import N_, _
from engine.wording.sentences import (
    CANNOT_BE_OPENED,
    CHOOSE_ANOTHER_FILE,
    FROM_NEWER_PROGRAM,
    NOT_THERE,
    OPEN_EARLIER_COPY,
)

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.table.dataset import Dataset


_LISTS_OF_RECORDS = ("variables", "notes", "pairs", "types", "relations", "grades", "sizes", "flags")


def json_lines(value: Mapping[str, Any]) -> Iterator[str]:
    """Write an object so that every record in it stands on a line of its own.

    >>> print("".join(json_lines({"format": "x", "common": [{"feature": "a"}, {"feature": "b"}]})), end="")
    {
    "format": "x",
    "common": [
     {"feature": "a"},
     {"feature": "b"}
    ]
    }
    """
    yield "{\n"
    for position, (key, member) in enumerate(value.items()):
        yield f"{_compact(key)}: "
        yield from _member_lines(member)
        yield "\n" if position == len(value) - 1 else ",\n"
    yield "}\n"


def write_json_lines(value: Mapping[str, Any], path: Path) -> None:
    """Write such an object to a file."""
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.writelines(json_lines(value))


def _member_lines(member: Any) -> Iterator[str]:
    """Write a list of records a record a line, an object a member a line, all else on one line."""
    if isinstance(member, Sequence) and not isinstance(member, str) and member:
        yield _record_lines(member, "")
    elif isinstance(member, Mapping) and member:
        yield "{\n"
        for position, (key, value) in enumerate(member.items()):
            yield f" {_compact(key)}: "
            yield _record_lines(value, " ") if key in _LISTS_OF_RECORDS and value else _compact(value)
            yield "\n" if position == len(member) - 1 else ",\n"
        yield "}"
    else:
        yield _compact(member)


def _record_lines(records: Sequence[Any], indent: str) -> str:
    lines = ",\n".join(f"{indent} {_compact(record)}" for record in records)
    return f"[\n{lines}\n{indent}]"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


FORMAT = "clcd-result"
SCHEMA_VERSION = 2
_READ_VERSIONS = (1, SCHEMA_VERSION)
_NAME_A_RESULT = N_("Name a result.json that this program wrote.")


def write_result(analysis: ResultContext, path: Path) -> None:
    """Write everything that was found as JSON."""
    write_json_lines(result_object(analysis), path)


def result_object(analysis: ResultContext) -> dict[str, Any]:
    """Return everything that was found as plain dictionaries, lists, texts and numbers."""
    from engine.reporting.result_layout import encode_result

    encoded = encode_result(analysis.result, analysis.preparation)
    return {"format": FORMAT, "schema_version": SCHEMA_VERSION, **encoded}


def read_result(path: str | Path, dataset: Dataset | None = None) -> DiscoveryResult:
    """Read a result that :func:`write_result` wrote.

    The file holds a hash of the prepared table, not its values. Without `dataset` the table of the result is
    a description of its columns: findings can be read and compared, and nothing can be counted or measured.
    """
    return read_analysis(path, dataset).result


def read_analysis(path: str | Path, dataset: Dataset | None = None) -> ResultContext:
    """Read a result with what the file says of how its table was made ready."""
    from engine.codec import DAMAGE, damage
    from engine.reporting.result_layout import decode_preparation, decode_result, described_table

    place = f"'{path}'"
    try:
        check_openable(path)
        value = json.loads(Path(path).read_bytes())
    except FileNotFoundError as error:
        raise UnreadableFile(_(NOT_THERE), place=place, remedy=_("Check the path.")) from error
    except OSError as error:
        raise UnreadableFile(_(CANNOT_BE_OPENED), place=place, remedy=_(CHOOSE_ANOTHER_FILE)) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(
            _("this is not a whole JSON file."), place=place, remedy=_(_NAME_A_RESULT)
        ) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise UnreadableFile(_("this is not a result of CLCD."), place=place, remedy=_(_NAME_A_RESULT))
    if value.get("schema_version") not in _READ_VERSIONS:
        raise UnreadableFile(
            _(
                "its schema version is {value!r}, this program reads {schema_version}.",
                value=value.get("schema_version"),
                schema_version=SCHEMA_VERSION,
            ),
            place=place,
            remedy=_(FROM_NEWER_PROGRAM),
        )
    try:
        table = described_table(value) if dataset is None else dataset
        preparation = decode_preparation(value)
    except DAMAGE as error:
        raise UnreadableFile(
            _("what it says of its table is damaged ({damage}).", damage=damage(error)),
            place=place,
            remedy=_(OPEN_EARLIER_COPY),
        ) from error
    return ResultContext(decode_result(value, table, place), preparation)
