"""README and help are plain: short sentences, and terms that readers know from statistics programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.wording.glossary import TERMS
from tests.contract.project_files import project_files, read

LONGEST_SENTENCE = 25
LONGEST_PAGE, LONGEST_README = 60, 130
GUIDE = Path("resources", "help", "guide")
PAGES = (
    Path("README.md"),
    Path(".github", "CONTRIBUTING.md"),
    Path("packaging", "README.md"),
    *(path for path in project_files() if path.suffix == ".md" and path.is_relative_to("resources")),
)

# What is not said, by what is said instead. Names of controls, in bold or italics, are not looked at.
BANNED = {
    r"(?<!significance )\blevel (?:α|0\.\d)": "significance level (α)",
    r"\bgaps?\b|\bempty cells?\b|\bwhat is missing\b": "missing values",
    r"\bhow large\b": "estimate",
    r"\bdirection alone\b": "direction of association, or causal direction",
    r"\b(?:how sure|surer|surest)\b": "stability",
    r"\b(?:tell|tells|told|telling)(?: \w+){0,5} apart\b": "distinguished",
    r"\btells? the same\b": "interchangeable",
    r"\b(?:goes|go|going|went)(?: along)? with\b|\bbears? on\b": "linked to",
    r"\b(?:something|nothing|anything) (?:is )?hidden\b": "unmeasured common cause",
    r"\bwhat is known\b": "background knowledge",
    r"\blast pass\b|\bdepartures?\b": "confirmation, removed members",
    r"\bsecond opinions?\b": "score-based refinement",
    r"\bstand-ins?\b|\bleaders?\b": "equivalents, representatives",
    r"\bheld(?: fixed)?\b": "conditioned on, adjusted for",
    r"\b(?:counted rows|rows that are counted)\b": "frequency weights",
    r"\bworths?\b|\bprices?\b": "score, score gain, penalty",
    r"\bdrawn values?\b": "imputed values",
    r"\b(?:tests?|search(?:es)?) (?:asks?|answers?)\b": "test, result",
    r"\band its kin\b|\bwho looks\b|\bchange places\b|\bwas not made for\b": "plain words",
    r"\b(?:came|went) and (?:went|came)\b|\bwhat came\b|\bwhat went\b": "appeared, disappeared",
}


def paragraphs(text: str) -> Iterator[str]:
    """Yield the running text of a page, without code, tables, headings, pictures and marks."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->|<a id=[^>]*></a>|!\[[^\]]*\]\([^)]*\)", "", text, flags=re.DOTALL)
    lines = [line for line in text.splitlines() if not re.match(r"\s*\||#", line)]
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", "\n".join(lines)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"^\s*(?:[-*]|\d+\.) ", "", block))
        if plain.strip():
            yield " ".join(plain.split())


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a page; code and names of files count as one word."""
    for paragraph in paragraphs(text):
        plain = re.sub(r"`+[^`]+`+", "Code", paragraph).replace("**", "").replace("*", "")
        yield from re.split(r"(?<=[.!?])[\"”)]?\s+(?=[\"“(A-Z0-9])", plain)


def banned(text: str) -> Iterator[str]:
    """Yield what is not said, with what is said instead."""
    for paragraph in paragraphs(text):
        plain = re.sub(r"\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`+[^`]+`+|“[^”]*”", "", paragraph)
        for phrase, instead in BANNED.items():
            for match in re.finditer(phrase, plain, re.IGNORECASE):
                yield f"“{match[0]}”: say {instead}"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_sentences_are_short(page: Path) -> None:
    long = [sentence for sentence in sentences(read(page)) if len(sentence.split()) > LONGEST_SENTENCE]
    assert long == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_pages_use_the_terms_of_the_field(page: Path) -> None:
    assert sorted(set(banned(read(page)))) == []


def test_pages_of_the_guide_are_short() -> None:
    lengths = {path.name: len(read(path).splitlines()) for path in PAGES if path.parent == GUIDE}
    del lengths["glossary.md"]
    assert {name: length for name, length in lengths.items() if length > LONGEST_PAGE} == {}
    assert len(read(Path("README.md")).splitlines()) <= LONGEST_README


def test_each_entry_of_the_glossary_has_an_example_and_at_most_two_sentences() -> None:
    assert [term.title for term in TERMS if not term.example] == []
    long = [term.title for term in TERMS if len(list(sentences(f"{term.definition} {term.more}"))) > 2]
    assert long == []


def test_long_sentences_and_banned_phrases_are_found() -> None:
    text = (
        "# A heading\n\nThe **How sure?** button. "
        + "One word more " * 9
        + "ends here.\n\n| which bears on |\n"
    )
    assert [len(sentence.split()) for sentence in sentences(text)] == [4, 29]
    assert list(banned(text)) == []
    assert len(list(banned("Age bears on\npain. The two are told apart by the level 0.05."))) == 3
