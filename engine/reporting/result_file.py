"""``result.json``: everything that a run found, as one JSON object.

Its members, in this order:

``format``
    ``"clcd-result"``.
``schema_version``
    2. Members may be added without a new number; it rises when one is removed or changes its meaning. In
    version 1 ``equivalences`` were all pairs that had not been told apart: they are read as such.
``run``
    The only part that may differ between two runs of the same analysis: ``program_version``,
    ``workers`` (asked for; null leaves the choice to the program), ``seconds`` and ``stability_seconds``
    (null without ``stability``).
``split``
    ``share`` and ``seed`` of the rows that were searched, where the others were kept for measuring sizes;
    null when all were searched, and absent from files of earlier programs.
``preferred``
    Features that a person preferred to what is interchangeable with them, the most wanted first; absent from
    files of earlier programs.
``searched_through_labels``
    Whether links through other labels were looked for. Absent from files of earlier programs, which looked
    for them where ``links_through_labels`` is there.
``counts_through_labels``
    Whether links through other labels are counted where these findings are shown. ``common``,
    ``label_specific`` and ``summary`` are the same either way: they hold direct links alone. Absent from
    files of earlier programs.
``data``
    The prepared table: ``name``, ``content_hash`` (SHA-256), ``rows``, ``labels``, ``features``,
    ``ignored``, ``weight`` (the column of row weights, or null; absent from files of earlier programs),
    ``variables`` (each with ``name``, ``kind``, ``role``, ``levels``, ``ordered``) and
    ``notes`` (each with ``topic``, ``message``, ``variable``) on what was guessed, set aside or changed.
``settings``
    ``preparation`` (null when not known) and ``discovery``, by field name.
``summary``
    ``common``, ``label_specific``, ``equivalences``, ``undistinguished`` and ``label_relations`` as counts,
    ``tests_made``,
    ``unreliable_tests``, ``partial``, ``unfinished_labels`` and ``directions_finished`` (false when a stop
    came before causes were told from effects), ``groups_finished`` (false when a stop came before links
    through other labels were joined, or groups of labels searched; absent from files of earlier programs) and
    ``bounded_labels`` (where neighbours or possible spouses are so many that larger sets were formed of the
    nearest only) and
    ``unconfirmed_labels`` (whose members were not tried once more given all others) and
    ``determined_labels`` (which their members determine in all rows); the last four are absent from files of
    earlier programs.
``common``
    The columns of :data:`engine.discovery.tables.COMMON` that stand in JSON, most labels first; among them
    ``feature``, ``labels``, ``rules`` (one a label), ``strength``, ``direction`` (``"common cause"``,
    ``"common effect"``, ``"spouse"``, ``"mixed"`` or ``"undecided"``) and ``led_by`` (the interchangeable
    feature under which it is shown, or empty).
``label_specific``
    The columns of :data:`engine.discovery.tables.LABEL_SPECIFIC`, among them ``feature``, ``label``,
    ``rule``, ``strength`` and ``direction`` (``"cause"``, ``"effect"``, ``"spouse"`` or ``"undecided"``).
``boundaries``
    Each with ``target``, ``parents_children``, ``spouses`` (``spouse`` and its connecting ``children``)
    and ``tests_made``.
``equivalences``
    What counts as interchangeable: each with ``target``, ``in_boundary``, ``equivalent``, its four tests,
    ``verdict``, and ``missed_by_boundary`` and ``missed_by_equivalent``: the share of what the other set
    tells that each misses, as ``estimate`` and upper confidence ``limit``; null where that is not measured.
``undistinguished``
    The same, of what these rows do not tell apart: it may be interchangeable, or not.
``evidence``
    Every reason for every feature and label: ``feature``, ``label``, ``rule``, ``symbol``, ``partner``,
    ``together_with``, ``children``, ``recovered``, ``decided_by`` (``"tests"``, ``"regression"`` or
    ``"score"``), ``strength`` (of the deciding test), ``tests`` and ``marginal`` (the test with an empty
    conditioning set). Earlier programs wrote no ``decided_by`` and no ``marginal``, and the ``strength`` of
    the first test, which for a neighbour is the marginal one.
``label_relations``
    The same, where ``feature`` is another label.
``links_through_labels``
    What is linked to a label only through other labels: each with ``through`` (the labels of the smallest
    set that separates the two; empty where none does), ``separated`` (the test given that set, or null) and
    ``reasons`` (as ``evidence``, of the boundary among the features alone). Absent from files of earlier
    programs.
``label_groups``
    Labels that go together as if they reflected one thing: each with the ``name`` of their score, its
    ``members``, their ``loadings``, negative of reversed ones, ``reasons`` (as ``evidence``: what is linked
    to the score, whose ``name`` stands as label) and ``tests``. Absent from files of earlier programs.
``q_values``
    The natural logarithm ``log_q`` of the q-value of each finding's marginal test, of all marginal tests of
    its ``label``; ``feature`` may be another label. Absent from files of earlier programs.
``blocks``
    Columns that reflect one thing: each with its ``members`` and their ``loadings``, negative of reversed
    ones, and ``is_shown`` (false of what may be a block). Absent from files of earlier programs.
``departures``
    The tests that took members out of boundaries, given all other members: ``x`` is the label. Absent from
    files of earlier programs.
``stability``
    How often findings came back on parts of the rows; null, or absent from files of earlier programs, when
    that was not asked. ``settings`` (``resamples``, ``share``, ``seed``) and ``finished`` (repetitions);
    ``pairs``, each with ``feature``, ``label``, ``found`` (repetitions that found it by any
    rule), ``rules`` (repetitions by each rule), ``in_result``; ``types``, each with ``feature``, ``common``
    and ``label_specific`` (repetitions); ``relations``, as ``pairs``, where ``feature`` is another label;
    ``grades``, each with ``feature``, ``label`` and ``times`` (repetitions by each grade of the direction
    between the two); ``through_labels``, each with ``feature``, ``label`` and ``found`` (repetitions that
    linked the two through other labels alone), and ``total_types``, as ``types``, with links of both kinds;
    these two are absent from files of earlier programs.
``orientations``
    What each neighbour (``feature``, perhaps another label) is to a ``label``: ``direction``, ``because``
    (what tells it; null when undecided), the ``others`` that tell it, the ``tests`` behind, and of a best
    graph its ``log_ratio``: the natural logarithm of how many times likelier it is. Absent from files of
    programs that did not tell directions. ``direction`` is what holds if nothing is hidden. What holds even
    if something is hidden is the ``grade``, from ``mark_at_feature`` and ``mark_at_label`` (``"tail"``: is a
    cause of the other, ``"arrowhead"``: is none, ``"circle"``: open) and ``nothing_hidden`` (no hidden cause
    of both); ``claims`` say why, each with ``kind``, ``cause``, ``effect``, ``because``, ``others``,
    ``uses_knowledge`` and ``tests``. Absent from files of programs that had no grades, as the next three.
    ``confirmed`` says that more than one weak finding tells the direction; absent from earlier files.
``local_edges``
    Every edge of the labels and of their neighbours: ``first``, ``second``, ``mark_at_first``,
    ``mark_at_second`` and ``nothing_hidden``.
``knowledge``
    Background knowledge that the run was given, as in a file of knowledge; null when there was none.
``objections``
    What the data say against it: the ``part`` of the knowledge, the ``cause`` and the ``effect`` that it
    speaks of, the ``claim`` and the ``tests`` that contradict it, and ``is_possible`` (both are true if
    something hidden is a cause of both variables).
``effects``
    How large findings are; null, or absent from files of earlier programs, when that was not measured.
    ``sizes``, each with ``estimand``, ``feature``, ``label``, ``points`` (each a list of ``at``,
    ``label_level``, ``estimate``, ``low``, ``high`` and ``rows``), ``contrasts`` and what
    :class:`engine.discovery.effects.estimates.Size` has besides. A level of a variable is a text, a value of
    a number stands under ``value``. ``flags``, each with ``feature``, ``label`` and the doubts about
    the rows that measured it, of a ``kind`` and with a ``sentence``.

A test has ``x``, ``y``, ``given``, ``statistic``, ``dof``, ``p_value``, ``log_p`` (natural logarithm, which
does not underflow), ``effect``, ``rows`` and ``reliable``. Numbers have full precision. The three numbers
that JSON does not know are written as the texts ``"Infinity"``, ``"-Infinity"`` and ``"NaN"``. Every record
stands on a line of its own, so that two files can be compared line by line.

JSON files that can be compared line by line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.atomic import check_openable
from engine.errors import UnreadableFile
from engine.knowledge.files import knowledge_object
from engine.reporting.tables import Analysis
from engine.wording.sentences import CANNOT_BE_OPENED, CHOOSE_ANOTHER_FILE, FROM_NEWER_PROGRAM, NOT_THERE

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.table.dataset import Dataset


_LISTS_OF_RECORDS = ("variables", "notes", "pairs", "types", "relations", "grades", "sizes", "flags")


def json_lines(value: Mapping[str, Any]) -> Iterator[str]:
    """Write an object so that every record in it stands on a line of its own.

    Examples
    --------
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
        ending = "\n" if position == len(value) - 1 else ",\n"
        yield f"{_compact(key)}: "
        yield from _member_lines(member)
        yield ending
    yield "}\n"


def _member_lines(member: Any) -> Iterator[str]:
    """Write a list of records a record a line, an object a member a line, all else on one line."""
    if isinstance(member, Sequence) and not isinstance(member, str) and member:
        yield "[\n"
        yield ",\n".join(f" {_compact(each)}" for each in member)
        yield "\n]"
    elif isinstance(member, Mapping) and member:
        yield "{\n"
        for position, (key, each) in enumerate(member.items()):
            yield f" {_compact(key)}: "
            if key in _LISTS_OF_RECORDS and each:
                yield "[\n"
                yield ",\n".join(f"  {_compact(record)}" for record in each)
                yield "\n ]"
            else:
                yield _compact(each)
            yield "\n" if position == len(member) - 1 else ",\n"
        yield "}"
    else:
        yield _compact(member)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


FORMAT = "clcd-result"
SCHEMA_VERSION = 2
_READ_VERSIONS = (1, SCHEMA_VERSION)
_NAME_A_RESULT = "Name a result.json that this program wrote."


def write_result(analysis: Analysis, path: Path) -> None:
    """Write everything that was found as JSON."""
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.writelines(json_lines(result_object(analysis)))


def result_object(analysis: Analysis) -> dict[str, Any]:
    """Return everything that was found as plain dictionaries, lists, texts and numbers."""
    from engine.discovery import tables
    from engine.reporting import result_encoding as encode
    from engine.reporting import result_encoding as grades
    from engine.version import __version__

    result = analysis.result
    discovery = result.settings.as_dict()
    workers = discovery.pop("workers")
    # Where machines stand is nobody else's business.
    del discovery["cluster"]
    preparation = analysis.preparation
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "run": {
            "program_version": __version__,
            "workers": workers,
            "seconds": result.seconds,
            "stability_seconds": None if result.stability is None else result.stability.seconds,
        },
        "split": None if result.split is None else result.split.as_dict(),
        "preferred": list(result.preferred),
        "searched_through_labels": result.searched_through_labels,
        "counts_through_labels": result.counts_through_labels,
        "data": encode.data(result.dataset),
        "settings": {
            "preparation": None if preparation is None else preparation.as_dict(),
            "discovery": discovery,
        },
        "summary": encode.summary(result),
        "common": encode.records(tables.COMMON, result.findings),
        "label_specific": encode.records(tables.LABEL_SPECIFIC, result.findings),
        "boundaries": [encode.boundary(each, result.dataset) for each in result.boundaries.values()],
        "equivalences": [encode.equivalence(each) for each in result.equivalence_records],
        "undistinguished": [encode.equivalence(each) for each in result.undistinguished_records],
        "evidence": [encode.evidence(each) for reasons in result.evidence.values() for each in reasons],
        "label_relations": [encode.evidence(each) for each in result.label_evidence.values()],
        "links_through_labels": [
            encode.link_through_labels(each) for each in result.links_through_labels.values()
        ],
        "label_groups": [encode.label_group(each) for each in result.label_groups],
        "q_values": [
            {"feature": feature, "label": label, "log_q": log_q}
            for (feature, label), log_q in result.log_q_values.items()
        ],
        "departures": [encode.test(each) for each in result.departures],
        "stability": encode.stability(result),
        "orientations": [grades.encode_orientation(each) for each in result.orientation_records.values()],
        "blocks": [encode.block(each) for each in result.blocks],
        "local_edges": [grades.encode_edge(each) for each in result.local_edges],
        "knowledge": None if result.knowledge is None else knowledge_object(result.knowledge),
        "objections": [grades.encode_objection(each) for each in result.objections],
        "effects": encode.encode_effects(result.effects),
    }


def read_result(path: str | Path, dataset: Dataset | None = None) -> DiscoveryResult:
    """Read a result that :func:`write_result` wrote.

    Parameters
    ----------
    path : str or path
        The JSON file.
    dataset : Dataset, optional
        The prepared table that was analysed; the file holds a hash of it, not its values. Without it the
        table of the result is a description of its columns: findings can be read and compared, and nothing
        can be counted or measured.
    """
    return read_analysis(path, dataset).result


def read_analysis(path: str | Path, dataset: Dataset | None = None) -> Analysis:
    """Read a result with what the file says of how its table was made ready."""
    from engine.reporting.result_decoding import decode_preparation, decode_result, described_table

    place = f"'{path}'"
    try:
        check_openable(path)
        value = json.loads(Path(path).read_bytes())
    except FileNotFoundError as error:
        raise UnreadableFile(NOT_THERE, place=place, remedy="Check the path.") from error
    except OSError as error:
        raise UnreadableFile(CANNOT_BE_OPENED, place=place, remedy=CHOOSE_ANOTHER_FILE) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFile("this is not a whole JSON file.", place=place, remedy=_NAME_A_RESULT) from error
    if not isinstance(value, Mapping) or value.get("format") != FORMAT:
        raise UnreadableFile("this is not a result of CLCD.", place=place, remedy=_NAME_A_RESULT)
    if value.get("schema_version") not in _READ_VERSIONS:
        raise UnreadableFile(
            f"its schema version is {value.get('schema_version')!r}, this program reads {SCHEMA_VERSION}.",
            place=place,
            remedy=FROM_NEWER_PROGRAM,
        )
    table = described_table(value, place) if dataset is None else dataset
    return Analysis(decode_result(value, table, place), decode_preparation(value, place))
