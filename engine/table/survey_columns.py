"""Columns that a survey program writes beside the answers, such as the status and progress of each case."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

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
