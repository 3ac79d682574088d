"""An error as a person sees it: what happened, where, what to do."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from clcd_gui.wording.setting_values import SettingChange, advised_changes, in_window_words
from engine.errors import EngineError
from engine.translation import _, translated


@dataclass(frozen=True, slots=True)
class RunFailure:
    """Why a job did not give a result."""

    message: str  # what happened, one sentence
    place: str = ""  # a file, a column, a setting; may be empty
    remedy: str = ""  # what to do about it; may be empty
    details: str = ""  # the technical trace when the program itself is at fault, else empty
    changes: tuple[SettingChange, ...] = ()  # settings that the remedy names, ready to be changed

    @property
    def sentence(self) -> str:
        """Everything but the details in one line."""
        text = f"{self.place}: {self.message}" if self.place else self.message
        return f"{text} {self.remedy}" if self.remedy else text


def failure_of(error: Exception) -> RunFailure:
    """Put an error into words that a person can act on."""
    if isinstance(error, EngineError):
        # Another process may have raised it, in which nobody set a language.
        said = map(translated, (error.problem, error.place, error.remedy))
        problem, place, remedy = map(in_window_words, said)
        return RunFailure(problem, place, remedy, changes=advised_changes(error.remedy))
    if isinstance(error, MemoryError):
        return RunFailure(
            _("There is not enough memory for this."),
            remedy=_("Close other programs, or leave out columns that you do not need."),
        )
    if isinstance(error, OSError):
        return RunFailure(
            error.strerror or str(error),
            place=str(error.filename or ""),
            remedy=_("Check that the file is there and that you may read it."),
        )
    return RunFailure(
        _("CLCD ran into an unexpected problem: {problem}.", problem=_in_brief(error)),
        remedy=_("Copy the details and send them to the authors. Your data and settings are not affected."),
        details="".join(traceback.format_exception(error)),
    )


_LONGEST = 120


def _in_brief(error: Exception) -> str:
    """Return the first line of an error, shortened: the details hold all of it."""
    lines = (line.strip() for line in str(error).splitlines())
    line = next(filter(None, lines), type(error).__name__)
    return f"{line[: _LONGEST - 1].rstrip()}…" if len(line) > _LONGEST else line.rstrip(".")
