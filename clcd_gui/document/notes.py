"""What a person wrote in Markdown: about the analysis, a variable, a finding, a run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from clcd_gui.document.replacement import Replacement
from engine.translation import _
from engine.wording.shown_names import shown_name

Subject = tuple[str, ...]
"""What a note is about: no name stands for the analysis, one for a variable, two for a finding."""

ANALYSIS: Subject = ()


class Notes(QObject):
    """Holds the notes on the analysis, on variables and on findings; those on runs are in the history."""

    changed = Signal(tuple)
    """Another note is written; with its subject."""

    cleared = Signal()
    """What notes, those on runs too, were about is no longer open: for whoever is writing one."""

    def __init__(self, undo_stack: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._undo_stack = undo_stack
        self._texts: dict[Subject, str] = {}

    @property
    def saved_part(self) -> tuple[object, ...]:
        """What of this is saved."""
        return tuple(sorted(self._texts.items()))

    @property
    def on_variables(self) -> dict[str, str]:
        """The notes on variables, by name."""
        return {subject[0]: text for subject, text in self._texts.items() if len(subject) == 1}

    @property
    def on_findings(self) -> dict[tuple[str, str], str]:
        """The notes on findings, by feature and label."""
        return {(subject[0], subject[1]): text for subject, text in self._texts.items() if len(subject) == 2}

    @property
    def beside_names(self) -> dict[str, str]:
        """What is written on each variable and on its findings, by name."""
        notes_of: dict[str, list[str]] = {}
        for (name, *labels), text in sorted(note for note in self._texts.items() if note[0]):
            notes_of.setdefault(name, []).append(f"{labels[0]}: {text}" if labels else text)
        return {name: "\n".join(texts) for name, texts in notes_of.items()}

    def in_report(self, on_run: str) -> tuple[tuple[str, str], ...]:
        """Return what a report prints, the note on the run among it: each with what it is about."""
        titled = {title_of(subject): text for subject, text in sorted(self._texts.items())}
        titled |= {_("the run"): on_run} if on_run else {}
        return tuple((caption_of(title), text) for title, text in titled.items())

    def text(self, subject: Subject) -> str:
        """Return the note on a subject; empty where there is none."""
        return self._texts.get(subject, "")

    def write(self, subject: Subject, text: str) -> None:
        """Write a note, as one step that can be undone; an empty one takes it away."""
        before, text = self.text(subject), text.strip()
        if text != before:
            write = partial(self._apply, subject)
            self._undo_stack.push(
                Replacement(write, before, text, _("write a note on {about}", about=title_of(subject)))
            )

    def rename(self, names: Mapping[str, str]) -> None:
        """Let notes follow columns to their new names, given by old ones, as one step that can be undone."""
        before = dict(self._texts)
        moved = {
            subject: tuple(names.get(name, name) for name in subject)
            for subject in before
            if {*subject} & {*names}
        }
        if moved:
            after = {subject: text for subject, text in before.items() if subject not in moved}
            after |= {now: before[subject] for subject, now in moved.items()}
            self._undo_stack.push(Replacement(self._apply_all, before, after, _("rename columns")))

    def take(
        self, notes: str, on_variables: Mapping[str, str], on_findings: Mapping[tuple[str, str], str]
    ) -> None:
        """Take over the notes of a project."""
        given: dict[Subject, str] = {ANALYSIS: notes}
        given |= {(name,): text for name, text in on_variables.items()}
        given |= {(feature, label): text for (feature, label), text in on_findings.items()}
        self._apply_all({subject: text for subject, text in given.items() if text})

    def clear(self) -> None:
        """Forget every note, and tell only whoever is writing one."""
        self._texts = {}
        self.cleared.emit()

    def _apply_all(self, texts: dict[Subject, str]) -> None:
        self._texts = dict(texts)
        self.changed.emit(ANALYSIS)

    def _apply(self, subject: Subject, text: str) -> None:
        """Take over a note; only the commands on the undo stack do this."""
        if text:
            self._texts[subject] = text
        else:
            self._texts.pop(subject, None)
        self.changed.emit(subject)


def title_of(subject: Subject) -> str:
    """Name what a note is about.

    >>> title_of(()), title_of(("dose",)), title_of(("dose", "ill"))
    ('the analysis', '“dose”', '“dose” and “ill”')
    """
    if not subject:
        return _("the analysis")
    if len(subject) == 1:
        return f"“{shown_name(subject[0])}”"
    feature, label = map(shown_name, subject)
    return _("“{feature}” and “{label}”", feature=feature, label=label)


def caption_of(title: str) -> str:
    """Begin a title with a capital."""
    return title[:1].upper() + title[1:]
