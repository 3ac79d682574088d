"""Errors and warnings that a person can act on: what went wrong, where, and what to do about it."""

from __future__ import annotations

from engine.translation import N_, Message, _, translated


class EngineError(Exception):
    """Base class of all errors that the engine raises on purpose.

    Parameters
    ----------
    problem : str
        What happened, in one sentence that a person without programming knowledge understands.
    place : str, optional
        Where it happened: a file, a column, a row or a setting.
    remedy : str, optional
        What the person can do about it.

    Examples
    --------
    >>> str(EngineError("the column is empty.", place="column 'age'", remedy="Remove it or fill it."))
    "column 'age': the column is empty. Remove it or fill it."
    """

    def __init__(self, problem: str, *, place: str = "", remedy: str = "") -> None:
        self.problem = problem
        self.place = place
        self.remedy = remedy
        super().__init__(problem)

    def __str__(self) -> str:
        # Another process may have made them, in another language.
        problem, place, remedy = map(_said_here, (self.problem, self.place, self.remedy))
        text = f"{place}: {problem}" if place else problem
        return f"{text} {remedy}" if remedy else text


def _said_here(text: str) -> str:
    return translated(text) if isinstance(text, Message) else text


class InvalidData(EngineError):
    """Error of a table that cannot be analysed as it is."""


class UnreadableFile(InvalidData):
    """A file is absent, damaged, or not of a format that is known."""


class UnwritableFile(EngineError):
    """A file or folder cannot be written: no permission, no room, or something else is in its place."""


class InvalidParameter(EngineError):
    """Error of a setting with an impossible value, or one that does not fit the data or another setting."""


class InvalidExpression(InvalidParameter):
    """The text of a computed column or a filter is not of the language, or means nothing for the table.

    >>> str(InvalidExpression("')' is missing here.", 4, remedy="Close what ( opens."))
    "position 5: ')' is missing here. Close what ( opens."
    """

    def __init__(self, problem: str, position: int, *, remedy: str = "") -> None:
        self.position = position
        super().__init__(problem, place=_("position {position}", position=position + 1), remedy=remedy)


class Cancelled(EngineError):
    """Error of a run that was stopped before any part of it was finished."""

    def __init__(
        self, problem: str = N_("the run was stopped."), *, place: str = "", remedy: str = ""
    ) -> None:
        super().__init__(_(problem), place=place, remedy=remedy)


class ClusterUnavailable(EngineError):
    """A cluster does not answer, or what runs there does not fit this program."""


class WorkersLost(EngineError):
    """Processes or machines that a run was given are gone, and nobody is left to finish it."""


class DataWarning(UserWarning):
    """Warning about a table that can be analysed, but that a person should check first."""
