"""Columns that a survey program writes beside the answers, such as the status and progress of each case."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from engine.table.dataset import Dataset
from engine.table.identifiers import is_identifier_name
from engine.table.variable import Kind, missing_mask, present_numbers
from engine.translation import N_, for_count
from engine.wording.notes import Note, listed
from engine.wording.numbers import counted

_FEWEST = 4
_NOT_LETTERS = re.compile(r"[\W_]+")

# Of each program, by names and by headings; the first ones are found nowhere else.
_QUALTRICS = "responseid recordeddate durationinseconds distributionchannel userlanguage externalreference"
_BESIDE_QUALTRICS = """
startdate enddate status responsetype ipaddress progress finished recipientlastname recipientfirstname
recipientemail locationlatitude locationlongitude qrecaptchascore externaldatareference
"""
# LimeSurvey writes its headings in English, German or French.
_LIMESURVEY = """
submitdate lastpage startlanguage refurl interviewtime datesubmitted referrerurl
datumabgeschickt letzteseite startsprache weiterleitungsurl
datedesoumission dernièrepage languededépart
"""
_BESIDE_LIMESURVEY = """
id seed token startdate datestamp ipaddr responseid datestarted datelastaction ipaddress
totaltime gesamtzeit tempstotal
antwortid zufallsstartwert zufallsgeneratorstartwert datumgestartet datumletzteaktivität ipadresse
iddelaréponse têtedesérie datedelancement datedeladernièreaction adresseip
"""
_SURVEYMONKEY = "respondentid collectorid datecreated datemodified customdata1 customdata"
_BESIDE_SURVEYMONKEY = "ipaddress emailaddress firstname lastname startdate enddate"
# Names with a line below are those of the program; without it, questions have them, too.
_KOBO = """
_uuid _submission_time _submitted_by _validation_status __version__ formhub/uuid meta/instanceid
submissiondate metainstanceid submitterid submittername attachmentspresent attachmentsexpected reviewstate
deviceid subscriberid simserial simid
_parent_table_name _parent_index _submission__uuid _submission__submission_time _submission__submitted_by
_submission__validation_status _submission___version__
"""
_BESIDE_KOBO = """
_id _status _notes _tags _index start end today username phonenumber key formversion edits
_submission__id _submission__status _submission__notes _submission__tags
"""
_PROGRAMS = tuple(
    (frozenset(telling.split()), frozenset(others.split()))
    for telling, others in (
        (_QUALTRICS, _BESIDE_QUALTRICS),
        (_LIMESURVEY, _BESIDE_LIMESURVEY),
        (_SURVEYMONKEY, _BESIDE_SURVEYMONKEY),
        (_KOBO, _BESIDE_KOBO),
    )
)
STATUS = ("status", "responsetype")


def survey_columns(names: Sequence[str]) -> dict[str, int]:
    """Return the places of the columns that a survey program wrote, by plain names; none if they are few.

    >>> survey_columns(["StartDate", "Status", "Progress", "Duration (in seconds)", "ResponseId", "Q1"])
    {'startdate': 0, 'status': 1, 'progress': 2, 'durationinseconds': 3, 'responseid': 4}
    >>> survey_columns(["Status", "Progress", "StartDate", "EndDate", "Finished"])
    {}
    """
    # LimeSurvey may write the heading behind the code, as in "lastpage. Last page".
    codes = [name.partition(". ")[0] for name in names]
    written = [(code.casefold(), _plain(code), place) for place, code in enumerate(codes)]
    for telling, others in _PROGRAMS:
        program_names = telling | others
        places = {
            name if name in program_names else plain: place
            for name, plain, place in written
            if name in program_names or plain in program_names
        }
        if len(places) >= _FEWEST and len(telling & set(places)) > 1:
            return places
    return {}


def _plain(name: str) -> str:
    return _NOT_LETTERS.sub("", name.casefold())


# What Qualtrics writes for answers that were given to try the survey, in its languages or as numbers.
_TRIALS = re.compile(
    r"preview|vorschau|aperçu|vista previa|visualiza|anteprima|voorbeeld|podgląd|náhled|förhandsgr"
    r"|forhåndsvis|esikatselu|önizleme|előnézet|предварительн|предпросмотр|プレビュー|预览|預覽|미리\s?보기"
    r"|test|prueba|тест|テスト|测试|測試|테스트"
)
_TRIAL_NUMBERS = frozenset((1.0, 2.0, 9.0, 17.0))
_STATUS_NUMBERS = _TRIAL_NUMBERS | {0.0, 4.0, 8.0, 12.0, 16.0, 32.0, 40.0, 48.0}


def are_trials(status: Sequence[object]) -> np.ndarray:
    """Return of each row whether its status in Qualtrics is that of a preview or a test.

    >>> are_trials(["IP Address", "Survey Preview", float("nan")]).tolist()
    [False, True, False]
    >>> are_trials([0.0, 1.0]).tolist(), are_trials([1.0, 3.0]).tolist()
    ([False, True], [False, False])
    """
    words = [text.casefold() if isinstance(text, str) else "" for text in status]
    numbers = [_number(value) for value in status]
    are_codes = set(numbers) <= _STATUS_NUMBERS
    return np.array(
        [
            _TRIALS.search(text) is not None or (are_codes and number in _TRIAL_NUMBERS)
            for text, number in zip(words, numbers, strict=True)
        ],
        dtype=bool,
    )


def _number(value: object) -> float | None:
    if isinstance(value, str):
        return float(value) if value.strip().isdecimal() else None
    return float(value) if isinstance(value, int | float) else None


SURVEY_PROGRAM = "survey-program"
"""Topic of features that a survey program wrote."""

UNFINISHED = "unfinished"
"""Topic of the note about answers that a survey program marks as unfinished."""

UNFINISHED_LEFT_OUT = "unfinished-left-out"
"""Topic of the note about such answers that were left out."""

# Excel writes truth values in the language of its person.
_NO = frozenset(("false", "falsch", "faux", "no", "0"))
_YES_OR_NO = _NO | {"true", "wahr", "vrai", "yes", "1"}
_SUBMITTED = ("submitdate", "datesubmitted", "datumabgeschickt", "datedesoumission")


def columns_of_survey_program(dataset: Dataset) -> frozenset[str]:
    """Return the columns that a survey program wrote; none if one does not hold what it writes there."""
    places = survey_columns(dataset.names)
    if "progress" in places and not _are_percentages(dataset, places["progress"]):
        return frozenset()
    if "finished" in places and not set(_counts(dataset, places["finished"])) <= _YES_OR_NO:
        return frozenset()
    of_redcap = _columns_of_redcap(dataset.names, _forms(dataset))
    timings = _timings(dataset.names) if "lastpage" in places or "interviewtime" in places else []
    return frozenset(dataset.names[place] for place in (*places.values(), *of_redcap, *timings))


# LimeSurvey times each group of questions and each question, whose code stands before.
_TIMING = re.compile(r"(?:groupTime\d+|(?P<code>\w+)Time)(?:\. .*)?|(?:Group|Question) time: .*")


def _timings(names: Sequence[str]) -> list[int]:
    """Return the places of columns in which LimeSurvey wrote how long a group or a question took."""
    codes = {re.split(r"[\[.(]", name)[0].strip() for name in names}
    matches = [(place, match) for place, name in enumerate(names) if (match := _TIMING.fullmatch(name))]
    return [place for place, match in matches if match["code"] is None or match["code"] in codes]


# REDCap writes below the name of each form how far it is, and names its own columns by itself.
_FORM = re.compile(r"(?i).+_complete|complete\?.*")
_STATES_OF_FORM = frozenset(("0", "1", "2", "incomplete", "unverified", "complete"))
_INCOMPLETE = frozenset(("0", "incomplete"))
_RECORD = "recordid"
_OF_REDCAP = re.compile(
    r"redcap.*|eventname|repeatinstrument|repeatinstance|dataaccessgroup|surveyidentifier|surveytimestamp"
)


def _forms(dataset: Dataset) -> list[int]:
    """Return the places of columns that may say how far a form of REDCap is."""
    named = [place for place, name in enumerate(dataset.names) if _FORM.fullmatch(name)]
    states = {place: set(_counts(dataset, place)) for place in named}
    return [place for place in named if states[place] and states[place] <= _STATES_OF_FORM]


def _columns_of_redcap(names: Sequence[str], forms: Sequence[int]) -> list[int]:
    """Return the places of the columns that REDCap wrote; none without a form, its records or its columns.

    Whatever the first column is called, it names the record, and the last form ends the table.
    """
    if not forms:
        return []
    plain = list(map(_plain, names))
    own = [place for place, name in enumerate(plain) if _OF_REDCAP.fullmatch(name)]
    times = {f"{names[form].casefold().removesuffix('_complete')}_timestamp" for form in forms}
    own += [place for place, name in enumerate(names) if name.casefold() in times]
    ends_with_form = len(forms) > 1 or forms[-1] == len(names) - 1
    has_records = _RECORD in plain or (ends_with_form and is_identifier_name(names[0]))
    return [*own, *forms] if own or has_records else []


def unfinished_answers(dataset: Dataset) -> tuple[np.ndarray, Note] | None:
    """Return which answers a survey program marks as unfinished, with a note; None where none or all are."""
    marked = _marked_as_unfinished(dataset)
    if marked is None:
        return None
    columns, unfinished = marked
    if not 0 < int(unfinished.sum()) < len(unfinished):
        return None
    rows = counted(int(unfinished.sum()), "row")
    names = tuple(dataset.names[place] for place in columns)
    message = for_count(len(names), _UNFINISHED, _UNFINISHED_FORMS).format(names=listed(names), rows=rows)
    return unfinished, Note(UNFINISHED, message, names[0], columns=names)


def _marked_as_unfinished(dataset: Dataset) -> tuple[list[int], np.ndarray] | None:
    """Return the columns that say how far an answer is, and which answers are not at the end."""
    own = columns_of_survey_program(dataset)
    if not own:
        return None
    places = survey_columns(dataset.names)
    forms = [place for place in _forms(dataset) if dataset.names[place] in own]
    if forms:
        return forms, np.any([_holds(dataset, place, _INCOMPLETE) for place in forms], axis=0)
    if "finished" in places:
        return [places["finished"]], _holds(dataset, places["finished"], _NO)
    submitted = next((places[name] for name in _SUBMITTED if name in places), None)
    if submitted is None:
        return None
    return [submitted], missing_mask(dataset.variables[submitted], dataset.columns[submitted])


_UNFINISHED = N_("By column {names}, {rows} of the survey were not answered to the end. They count as cases.")
_UNFINISHED_FORMS = N_("By columns {names}, {rows} hold a form that is not complete. They count as cases.")
_LEFT_OUT = N_("Left out: {rows} of the survey that were not answered to the end, by column {names}.")
_LEFT_OUT_FORMS = N_("Left out: {rows} that hold a form that is not complete, by columns {names}.")


def without_unfinished(dataset: Dataset) -> Dataset:
    """Leave out the answers that a survey program marks as unfinished, with a note."""
    unfinished_and_note = unfinished_answers(dataset)
    if unfinished_and_note is None:
        return dataset
    unfinished, note = unfinished_and_note
    rows = counted(int(unfinished.sum()), "row")
    message = for_count(len(note.columns), _LEFT_OUT, _LEFT_OUT_FORMS)
    told = Note(UNFINISHED_LEFT_OUT, message.format(names=listed(note.columns), rows=rows), note.variable)
    return dataset.select_rows(~unfinished).with_notes([told])


def _are_percentages(dataset: Dataset, place: int) -> bool:
    if dataset.variables[place].kind is not Kind.CONTINUOUS:
        numbers = np.array([_number(value) for value in _counts(dataset, place)], dtype=float)
    else:
        numbers = present_numbers(dataset.columns[place])
    return bool(((numbers >= 0) & (numbers <= 100)).all())


def _counts(dataset: Dataset, place: int) -> dict[str, int]:
    """Count how often each value of a column stands in it, in small letters."""
    variable, column = dataset.variables[place], dataset.columns[place]
    if variable.kind is Kind.CONTINUOUS:
        values, counts = np.unique(present_numbers(column), return_counts=True)
        return {f"{value:g}": count for value, count in zip(values.tolist(), counts.tolist(), strict=True)}
    return {
        level.strip().casefold(): int((column == code).sum()) for code, level in enumerate(variable.levels)
    }


def _holds(dataset: Dataset, place: int, values: frozenset[str]) -> np.ndarray:
    """Return which rows of a column hold one of these values, in small letters."""
    variable, column = dataset.variables[place], dataset.columns[place]
    if variable.kind is Kind.CONTINUOUS:
        return np.isin(column, [float(value) for value in values if value.isdecimal()])
    codes = [code for code, level in enumerate(variable.levels) if level.strip().casefold() in values]
    return np.isin(column, codes)
