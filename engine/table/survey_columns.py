"""Columns that a survey program writes beside the answers, such as the status and progress of each case."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from engine.table.dataset import Dataset
from engine.table.variable import Kind, present_numbers
from engine.wording.notes import Note
from engine.wording.numbers import counted

_FEWEST = 4
_NOT_LETTERS = re.compile(r"[\W_]+")

# Of Qualtrics and of LimeSurvey, by names and by headings; the first ones are found nowhere else.
_QUALTRICS = "responseid recordeddate durationinseconds distributionchannel userlanguage externalreference"
_BESIDE_QUALTRICS = """
startdate enddate status responsetype ipaddress progress finished recipientlastname recipientfirstname
recipientemail locationlatitude locationlongitude qrecaptchascore externaldatareference
"""
_LIMESURVEY = "submitdate datesubmitted lastpage startlanguage refurl referrerurl interviewtime"
_BESIDE_LIMESURVEY = "id responseid seed startdate datestarted datestamp datelastaction ipaddr ipaddress"
_PROGRAMS = tuple(
    (frozenset(telling.split()), frozenset(others.split()))
    for telling, others in ((_QUALTRICS, _BESIDE_QUALTRICS), (_LIMESURVEY, _BESIDE_LIMESURVEY))
)
STATUS = ("status", "responsetype")


def survey_columns(names: Sequence[str]) -> dict[str, int]:
    """Return the places of the columns that a survey program wrote, by plain names; none if they are few.

    >>> survey_columns(["StartDate", "Status", "Progress", "Duration (in seconds)", "ResponseId", "Q1"])
    {'startdate': 0, 'status': 1, 'progress': 2, 'durationinseconds': 3, 'responseid': 4}
    >>> survey_columns(["Status", "Progress", "StartDate", "EndDate", "Finished"])
    {}
    """
    plain = {_NOT_LETTERS.sub("", name.casefold()): place for place, name in enumerate(names)}
    for telling, others in _PROGRAMS:
        found = {name: place for name, place in plain.items() if name in telling or name in others}
        if len(found) >= _FEWEST and len(telling & set(found)) > 1:
            return found
    return {}


# What Qualtrics writes for answers that were given to try the survey, as words or as numbers.
_TRIALS = ("survey preview", "survey test")
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
            any(trial in text for trial in _TRIALS) or (are_codes and number in _TRIAL_NUMBERS)
            for text, number in zip(words, numbers, strict=True)
        ],
        dtype=bool,
    )


def _number(value: object) -> float | None:
    if isinstance(value, str):
        return float(value) if value.strip().isdecimal() else None
    return float(value) if isinstance(value, int | float) else None


UNFINISHED = "unfinished"
"""Topic of the note about answers that a survey program marks as unfinished."""

_YES_OR_NO = frozenset(("true", "false", "yes", "no", "0", "1"))
_NO = frozenset(("false", "no", "0"))


def columns_of_survey_program(dataset: Dataset) -> frozenset[str]:
    """Return the columns that a survey program wrote; none if one does not hold what it writes there."""
    places = survey_columns(dataset.names)
    if "progress" in places and not _are_percentages(dataset, places["progress"]):
        return frozenset()
    if "finished" in places and not set(_counts(dataset, places["finished"])) <= _YES_OR_NO:
        return frozenset()
    return frozenset(dataset.names[place] for place in places.values())


def note_on_unfinished(dataset: Dataset) -> Note | None:
    """Say how many answers are unfinished, by the column of a survey program; None where none is."""
    name = next((name for name in columns_of_survey_program(dataset) if name.casefold() == "finished"), None)
    if name is None:
        return None
    counts = _counts(dataset, dataset.names.index(name))
    unfinished = sum(count for value, count in counts.items() if value in _NO)
    if not 0 < unfinished < sum(counts.values()):
        return None
    rows = counted(unfinished, "row")
    return Note(UNFINISHED, _UNFINISHED.format(name=name, rows=rows), name)


_UNFINISHED = (
    "By column '{name}', {rows} of the survey were not answered to the end. They count as cases. "
    "To leave them out, filter the rows by this column."
)


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
