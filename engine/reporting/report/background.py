"""Parts of a report that say how it was found, what that means, and what it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.reporting.report.blocks import (
    Block,
    Definition,
    Definitions,
    Heading,
    Paragraph,
    ReportList,
    Tone,
)
from engine.reporting.sentences import method
from engine.reporting.sentences.directions import objection_phrases
from engine.reporting.tables import ResultContext
from engine.translation import N_, _, for_count
from engine.wording.glossary import term
from engine.wording.notes import Note
from engine.wording.phrases import in_curved_marks, plain, sentence_case
from engine.wording.shown_names import shown_name


def background_knowledge(analysis: ResultContext) -> tuple[Block, ...]:
    """Say which background knowledge the run was given, and what the data say against it."""
    knowledge = analysis.result.knowledge
    if knowledge is None or knowledge.is_empty:
        return ()
    tiers = [
        Definition(_(_TIER, number=number), ", ".join(map(shown_name, tier)))
        for number, tier in enumerate(knowledge.tiers, start=1)
        if tier
    ]
    pairs = (
        (_("No direct cause"), _ARROW, knowledge.forbidden),
        (_("Direct cause"), _ARROW, knowledge.required),
        (_("No unmeasured common cause"), _BETWEEN, knowledge.unconfounded),
    )
    definitions = [
        Definition(
            title,
            "; ".join(
                _(template, first=first, second=second) for first, second in map(_shown, pairs_of_kind)
            ),
        )
        for title, template, pairs_of_kind in pairs
        if pairs_of_kind
    ]
    if knowledge.not_effects:
        definitions.append(
            Definition(
                _("Effects of nothing in the table"), ", ".join(map(shown_name, knowledge.not_effects))
            )
        )
    objections = tuple(map(plain, objection_phrases(analysis.result)))
    against = (Heading(_("Results that contradict it")), ReportList(objections)) if objections else ()
    settles = _STEERS if analysis.result.settings.time_order else _SETTLES
    sentences = [_given(analysis.earlier_runs), _(settles), *([_(_TIERS)] if tiers else [])]
    return (Paragraph(" ".join(sentences), Tone.QUIET), Definitions((*tiers, *definitions)), *against)


def _shown(pair: tuple[str, str]) -> tuple[str, str]:
    first, second = pair
    return shown_name(first), shown_name(second)


def _given(earlier_runs: int | None) -> str:
    """Say when background knowledge was given, as far as the order of runs is known."""
    if earlier_runs is None:
        return _("This background knowledge was given with this run.")
    if not earlier_runs:
        return _(
            "This background knowledge was given with this run. No earlier run that is kept did not use it."
        )
    return for_count(
        earlier_runs,
        "This background knowledge was given with this run, after {count} earlier run without it.",
        "This background knowledge was given with this run, after {count} earlier runs without it.",
    ).format(count=f"{earlier_runs:,}")


_SETTLES = N_("It settles directions, and not which variables are found.")
_STEERS = N_(
    "It settles directions, and its tiers steered the search. The boundary of each label was searched among "
    "what is not later than the label. No test conditioned on what is later than both its variables. So an "
    "effect that is later than a label is not among its links, and nor is another cause of such an effect."
)
_TIERS = N_("Nothing in a later tier causes anything in an earlier tier.")
_TIER, _ARROW, _BETWEEN = N_("Tier {number}"), "{first} → {second}", N_("{first} and {second}")


def words(analysis: ResultContext) -> tuple[Block, ...]:
    """Say what the words mean."""
    result = analysis.result
    terms = list(_WORDS)
    terms += [("through-labels", Tone.PLAIN)] if result.counted_findings.links_through_labels else []
    terms += [("label-group", Tone.PLAIN)] if result.label_groups else []
    terms += [("found-again", Tone.PLAIN)] if result.stability is not None else []
    deciding = term("deciding-test")
    of_tests = (
        (_("Deciding test"), " ".join(map(_, (deciding.definition, deciding.more, _WHICH_TEST_DECIDES)))),
        (_("{statistic}, df, p", statistic=result.test.statistic), _(_FIGURES_HELP)),
        (_("Given"), _(_GIVEN_HELP)),
        (_("Marginal strength, p"), _(_MARGINAL_HELP)),
    )
    return (
        Definitions(
            (*(_word(key, tone) for key, tone in terms), *(Definition(*entry) for entry in of_tests))
        ),
    )


_FIGURES_HELP = N_("Statistic of the deciding test, its degrees of freedom and its p-value.")
_GIVEN_HELP = N_("The variables that the deciding test conditions on; none where it is marginal.")
_MARGINAL_HELP = N_("Strength and p-value of the test of the two with nothing conditioned on.")


def _word(key: str, tone: Tone) -> Definition:
    word = term(key)
    return Definition(sentence_case(_(word.title)), _(word.definition), tone=tone)


_WHICH_TEST_DECIDES = N_(
    "For a spouse it is the test given the neighbour through which it is linked most strongly. For an "
    "interchangeable variable it is the marginal test. For a link through other labels it is the deciding "
    "test of the search without these labels, or the test of the two alone or given shared effects. If the "
    "link is stated for its steps, that test of categories has one degree of freedom and is one-sided. If a "
    "regression or a score added the variable, it is that comparison. For a spouse that the score added, "
    "the comparison is about the neighbour, given the label."
)
_WORDS = (
    ("label", Tone.LABEL),
    ("common", Tone.COMMON),
    ("label-specific", Tone.SPECIFIC),
    ("linked", Tone.PLAIN),
    ("neighbour", Tone.PLAIN),
    ("cause", Tone.PLAIN),
    ("effect", Tone.PLAIN),
    ("spouse", Tone.PLAIN),
    ("interchangeable", Tone.PLAIN),
    ("not-told-apart", Tone.PLAIN),
    ("second-pass", Tone.PLAIN),
    ("strength", Tone.PLAIN),
    ("event", Tone.PLAIN),
    ("sign", Tone.PLAIN),
)


def data(analysis: ResultContext) -> tuple[Block, ...]:
    """Say what was analysed, and what was guessed, changed or set aside in it."""
    notes = tuple(map(_message, analysis.result.dataset.all_notes))
    note_blocks = (Heading(_("What CLCD guessed, changed or set aside")), ReportList(notes)) if notes else ()
    return (_definitions(method.data_rows(analysis)), *note_blocks)


def _message(note: Note) -> str:
    """Return what a note says; in those on steps of the table straight quotes are part of a formula."""
    from engine.recipe import RECIPE

    return note.text if note.topic == RECIPE else in_curved_marks(note.text)


def recipe(analysis: ResultContext) -> tuple[Block, ...]:
    """Say which steps were made in the table that was read; nothing where none was."""
    from engine.recipe import Recipe

    steps = Recipe(analysis.origin.recipe).sentences() if analysis.origin is not None else ()
    return (ReportList(steps, is_numbered=True),) if steps else ()


def preparation(analysis: ResultContext) -> tuple[Block, ...]:
    """Say how the table was made ready; nothing where that is not known."""
    rows = method.preparation_rows(analysis.preparation)
    return (_definitions(rows),) if rows else ()


def settings(analysis: ResultContext) -> tuple[Block, ...]:
    """Say how it was searched."""
    used, split = analysis.result.settings_used, analysis.result.split
    return tuple(
        _definitions(method.setting_rows(chosen_settings))
        for chosen_settings in (used, split)
        if chosen_settings is not None
    )


def _definitions(rows: Iterable[tuple[str, ...]]) -> Definitions:
    return Definitions(tuple(Definition(name, text, " ".join(help)) for name, text, *help in rows))


def notes(analysis: ResultContext) -> tuple[Block, ...]:
    """Print what a person wrote; nothing where nothing was written."""
    blocks: list[Block] = []
    for about, text in analysis.notes:
        blocks += [Heading(about), *_of_markdown(text)]
    return tuple(blocks)


_MARKED = re.compile(r"(?<![\w*])(\*\*|__|\*|_|`)(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_ITEM = re.compile(r"\s*(?:[-*+]|(?P<number>\d+[.)]))\s+")


def _of_markdown(text: str) -> Iterator[Block]:
    """Make paragraphs, lists and headings of a note; what is set in other letters is set as all else."""
    for part in re.split(r"\n\s*\n", _MARKED.sub(r"\2", text.strip())):
        lines = part.splitlines()
        items = [_ITEM.match(line) for line in lines]
        if all(items):
            texts = tuple(_ITEM.sub("", line, count=1) for line in lines)
            yield ReportList(texts, is_numbered=bool(items[0] and items[0]["number"]))
        elif part.startswith("#"):
            yield Heading(lines[0].lstrip("# "))
            if lines[1:]:
                yield Paragraph(" ".join(lines[1:]))
        else:
            yield Paragraph(" ".join(lines))


def limits(analysis: ResultContext) -> tuple[Block, ...]:
    """Say what the findings mean and what they do not."""
    return (_definitions(method.caveats(analysis.result)),)


def versions(analysis: ResultContext) -> tuple[Block, ...]:
    """Name what it takes to do the same again: versions, the hash of the table, and the seeds."""
    import platform

    import numpy

    from engine.version import __version__

    result = analysis.result
    seeds = [(_("Rows that were searched"), result.split.seed)] if result.split is not None else []
    preparation = analysis.preparation
    if preparation is not None and preparation.missing == "imputed":
        seeds.append((_("Multiple imputation"), preparation.imputation_seed))
    seeds += (
        [(_("Repeated searches"), result.stability.settings.seed)] if result.stability is not None else []
    )
    return (
        _definitions(
            [
                (_("Program"), f"CLCD {__version__}"),
                ("Python", platform.python_version()),
                ("NumPy", numpy.__version__),
                (_("Content hash of the table (SHA-256)"), result.dataset.content_hash),
                *((_("Seed: {what}", what=what), str(seed)) for what, seed in seeds),
            ]
        ),
    )


def methods(analysis: ResultContext) -> tuple[Block, ...]:
    """Say how it was done as a paper says it."""
    return (Paragraph(_(_FOR_A_PAPER), Tone.QUIET), *map(Paragraph, method.methods_text(analysis)))


_FOR_A_PAPER = N_("You can use this text in a paper. All values are from this analysis.")


def references(analysis: ResultContext) -> tuple[Block, ...]:
    """List the literature that the method rests on."""
    return (ReportList(method.references(analysis.result), is_numbered=True),)
