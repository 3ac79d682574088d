"""What window, report and files claim about the findings of a result, read back from their text and compared.

Nothing here asks the result what is right: a claim is what a person reads. Two claims about the same thing
that cannot both be true are a contradiction, wherever they stand.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.rendered import Rendered, Row

KINDS = ("direction", "sign", "p", "kind", "knowledge", "spouse", "care", "reason", "link")
NAME = r"([FL]\d+)"
NAMES = r"((?:[FL]\d+)(?:(?:, | and )[FL]\d+)*)"


class Claim(NamedTuple):
    """One thing that a person reads.

    Attributes
    ----------
    kind : str
        One of :data:`KINDS`.
    about : tuple of str
        What it is about: a pair of names, or the name of a count.
    said : object
        What is said.
    where : str
        The place where it stands.
    """

    kind: str
    about: tuple[str, ...]
    said: object
    where: str


class Figures(NamedTuple):
    """The deciding test as it is told: bounds of p by rounding, the conditioning set, and the strength."""

    log_p_low: float
    log_p_high: float
    given: frozenset[str]
    strength: float | None


def claims_of(rendered: Rendered) -> list[Claim]:
    """Return every claim that is found in what was rendered."""
    return [
        *_of_overview(rendered),
        *(claim for pair, text in rendered.panel.items() for claim in _of_panel(pair, text)),
        *_of_window(rendered),
        *_of_files(rendered),
        *_of_report(rendered),
        *_of_knowledge(rendered),
        *_of_spouses(rendered),
        *_of_care(rendered),
        *_of_reasons(rendered),
        *_of_links(rendered),
    ]


# What a statement asserts of (feature, label): the feature is a cause (c) or none (C), an effect (e) or none
# (E), and nothing is hidden (n).
ASSERTIONS = {
    "cause, nothing hidden": "cEn",
    "cause": "cE",
    "not an effect": "E",
    "unmeasured common cause": "CE",
    "not a cause": "C",
    "effect": "Ce",
    "effect, nothing hidden": "Cen",
    "direct cause": "cE",
    "direct effect": "Ce",
    "undecided": "",
}
TURNED = {
    "cause, nothing hidden": "effect, nothing hidden",
    "cause": "effect",
    "not an effect": "not a cause",
    "unmeasured common cause": "unmeasured common cause",
    "direct cause": "direct effect",
    "undecided": "undecided",
}
TURNED |= {turned: word for word, turned in TURNED.items()}
IF_MEASURED = "if no common cause is unmeasured"
CONDITION = ", if nothing is hidden"
# A summary of several labels says no more than what holds for each of them.
SUMMARY = ", at least"
GRADED = {
    rf"{NAME} is a cause of {NAME}, and the two have no unmeasured": "cause, nothing hidden",
    rf"{NAME} is a cause of {NAME}; the two may": "cause",
    rf"{NAME} is not an effect of {NAME}: it is a cause, or": "not an effect",
    rf"either of {NAME} and {NAME} is a cause of the other": "unmeasured common cause",
    rf"{NAME} is not a cause of {NAME}: it is an effect, or": "not a cause",
    rf"{NAME} is an effect of {NAME}; the two may": "effect",
    rf"{NAME} is an effect of {NAME}, and the two have no unmeasured": "effect, nothing hidden",
    rf"{NAME} is a direct neighbour of {NAME}: .*The data do not show which": "undecided",
    rf"{NAME} is a direct cause of {NAME}": "direct cause",
    rf"{NAME} is a direct effect of {NAME}": "direct effect",
    rf"[Ii]f no common cause is unmeasured, {NAME} is a cause of {NAME}": "cause" + CONDITION,
    rf"[Ii]f no common cause is unmeasured, {NAME} is an effect of {NAME}": "effect" + CONDITION,
}
OF_EVERY = {
    rf"If no common cause is unmeasured, a cause of every label that it is linked to: {NAMES}": "cause"
    + CONDITION,
    rf"If no common cause is unmeasured, an effect of every label that it is linked to: {NAMES}": "effect"
    + CONDITION,
    rf"Even if a common cause is unmeasured, a cause of every label that it is linked to: {NAMES}": "cause"
    + SUMMARY,
    rf"Even if a common cause is unmeasured, an effect of every label that it is linked to: {NAMES}": "effect"
    + SUMMARY,
}


def turned(word: str) -> str:
    """Return what a statement on two says of them in the other order."""
    plain, comma, ending = word.partition(CONDITION if CONDITION in word else SUMMARY)
    return TURNED[plain] + comma + ending


def asserted_by(word: str) -> set[str]:
    """Return the letters of what a statement asserts, whatever it assumes."""
    return set(ASSERTIONS[word.removesuffix(CONDITION).removesuffix(SUMMARY)])


def _direction(feature: str, label: str, word: str, where: str) -> Iterator[Claim]:
    if word.removesuffix(CONDITION).removesuffix(SUMMARY) not in ASSERTIONS:
        return
    if (label, feature) < (feature, label):
        feature, label, word = label, feature, turned(word)
    yield Claim("direction", (feature, label), word, where)


def _directions_in(text: str, where: str) -> Iterator[Claim]:
    for pattern, word in GRADED.items():
        for feature, label in re.findall(pattern, text):
            yield from _direction(feature, label, word, where)


def _names(text: str) -> frozenset[str]:
    return frozenset(re.findall(NAME, text))


# Figures.
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
P = r"([<=>] ?\d+(?:\.\d+)?(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"


def p_bounds(text: str) -> tuple[float, float]:
    """Return between which logarithms a p-value lies that is told rounded."""
    text = text.strip().removeprefix("=").strip()
    if text.startswith("<"):
        return -math.inf, math.log(float(text[1:]))
    if text.startswith(">"):
        return math.log(float(text[1:])), 0.0
    digits, _, power = text.partition(" × 10")
    half = 0.5 * 10.0 ** -len(digits.partition(".")[2])
    exponent = math.log(10.0) * float(power.translate(SUPERSCRIPTS)) if power else 0.0
    value = float(digits)
    low = math.log(value - half) if value > half else -math.inf
    return low + exponent - 1e-9, math.log(value + half) + exponent + 1e-9


def _figures(pair: tuple[str, str], p: str, given: str, strength: str, where: str) -> Claim:
    told = Figures(*p_bounds(p), _names(given), float(strength) if strength else None)
    return Claim("p", pair, told, where)


RULES = {
    "interchangeable with": "equivalent",
    "together with": "equivalent",
    "direct neighbour": "neighbour",
    "spouse": "spouse",
}


def _rule(text: str) -> str | None:
    return next((rule for words, rule in RULES.items() if text.startswith(words)), None)


def _kind(pair: tuple[str, str], text: str, where: str) -> Iterator[Claim]:
    rule = _rule(text)
    if rule is not None:
        yield Claim("kind", pair, rule, where)


SIGNS = {"↗": "more", "↘": "less", "∿": "not one way", "≠": "levels differ", "?": "unclear"}


def _sign(pair: tuple[str, str], text: str, where: str) -> Iterator[Claim]:
    """Read a sign with the event of the label that it speaks of, such as "↗ L1 = 1: more likely"."""
    match = re.search(rf"([↗↘∿≠?]) (?:{pair[1]}(?: = |: ))?(?:([^:\s]+): )?\w", text)
    if match is not None:
        yield Claim("sign", pair, f"{match[2] or ''} {SIGNS[match[1]]}", where)


def _of_overview(rendered: Rendered) -> Iterator[Claim]:
    text, where = rendered.overview, "overview"
    yield from _directions_in(text, where)
    labels_of = _counted_labels(rendered)
    for pattern, word in OF_EVERY.items():
        for names in re.findall(pattern, text):
            for feature in _names(names):
                for label in labels_of.get(feature, ()):
                    yield from _direction(feature, label, word, where)
    several = len({label for _, label in rendered.panel}) > 1
    common = r"(\d+|None) of \d+ variables (?:is|are) linked (?:directly )?to two or more labels"
    for count in re.findall(common, text):
        yield Claim("kind", ("common",), 0 if count == "None" else int(count), where)
    directly = r"(\d+|None) (?:is|are) linked (?:directly )?to two or more labels\."
    for count in re.findall(directly, text.partition("Links through other labels are counted.")[2]):
        yield Claim("kind", ("direct, common",), 0 if count == "None" else int(count), where)
    specific = r"(\d+|None) (?:is|are) linked (?:directly )?to one label only"
    for count in re.findall(specific, text) if several else ():
        yield Claim("kind", ("label-specific",), 0 if count == "None" else int(count), where)
    relation = (
        rf"{NAME} (?:is a direct neighbour of|and) {NAME}(?: are direct neighbours)? "
        rf"\(strength ([\d.]+), p {P}(?: given ([^)]*))?\)"
    )
    for first, second, strength, p, given in re.findall(relation, text):
        yield _figures((first, second), p, given, strength, where)
        yield Claim("kind", (first, second), "neighbour", where)


# What is said of a link through other labels: which explain it, or that none does.
THROUGH = (
    rf"{NAME} is linked to {NAME} through {NAMES}: given",
    rf"{NAME} is linked to {NAME}: given (?:also )?{NAMES}, no further link",
    rf"{NAME} is linked to {NAME}; no tested set of labels explains",
)


def _of_links(rendered: Rendered) -> Iterator[Claim]:
    """Read which labels explain a link, and how many variables are common once such links count."""
    texts = [("overview", rendered.overview), ("report", rendered.report_text)]
    texts += [("panel", text) for text in rendered.panel.values()]
    for where, text in texts:
        for pattern in THROUGH:
            for feature, label, *names in re.findall(pattern, text):
                explaining = {name for name in _names("".join(names)) if name.startswith("L")}
                yield Claim("link", (feature, label), frozenset(explaining), where)
        for feature, first, second in re.findall(rf"{NAME} is linked to {NAME} and to {NAME}: given", text):
            yield Claim("link", (feature, first), frozenset({second}), where)
            yield Claim("link", (feature, second), frozenset({first}), where)
    for row in rendered.files["links.csv"]:
        # Empty where the labels that explain the link are not said to pass it on.
        if row["through"]:
            yield Claim("link", (row["feature"], row["label"]), _names(row["through"]), "links.csv")
    if any(row["kind"] == "through labels" for row in rendered.files["links.csv"]):
        common = len(rendered.files["common.csv"])
        yield Claim("kind", ("direct, common",), common, "common.csv")
    yield from _of_link_words(rendered)
    direct = {(row["feature"], row["label"]) for row in rendered.files["evidence.csv"]}
    for row in rendered.files["links.csv"]:
        pair = (row["feature"], row["label"])
        yield Claim("link", (*pair, "direct"), row["kind"] == "direct", "links.csv")
        yield Claim("link", (*pair, "direct"), pair in direct, "evidence.csv")


# What a cell says of a link through other labels: whatever it is, the labels in it explain the link.
EXPLAINED = r"(?:through|explained by|without the other labels|among rows alike|no more than)"


def _of_link_words(rendered: Rendered) -> Iterator[Claim]:
    """Read of which kind each link is, in the tables of the window and of the report."""
    for row in (row for rows in rendered.window.values() for row in rows):
        for line in row.get("Link tip", "").splitlines()[1:]:
            label, _, words = line.partition(": ")
            yield from _link((row["Variable"], label), words, "table in the window")
    for row in (row for table in rendered.report_tables for row in table if "Relation" in row):
        pair = tuple((row.get(column, "").split() or [""])[0] for column in ("Variable", "Label"))
        words = row["Relation"].removeprefix("linked, ")
        if len(pair) == 2 and re.match(EXPLAINED, words):
            yield from _link((pair[0], pair[1]), words.partition(" ⚑")[0], "report")


def _link(pair: tuple[str, str], words: str, where: str) -> Iterator[Claim]:
    is_through = re.match(EXPLAINED, words) is not None
    yield Claim("link", (*pair, "direct"), not is_through, where)
    if is_through:
        explaining = {name for name in re.findall(NAME, words) if name.startswith("L")}
        yield Claim("link", pair, frozenset(explaining), where)


def _is_total(rendered: Rendered) -> bool:
    """Tell whether a person reads that links through other labels are counted."""
    return "Links through other labels are counted." in rendered.overview


def _counted_labels(rendered: Rendered) -> dict[str, list[str]]:
    """Return the labels of each feature by the links that are counted."""
    labels_of: dict[str, list[str]] = defaultdict(list)
    is_total = _is_total(rendered)
    for row in rendered.files["links.csv"]:
        if is_total or row["kind"] == "direct":
            labels_of[row["feature"]].append(row["label"])
    return labels_of


def _of_panel(pair: tuple[str, str], text: str) -> Iterator[Claim]:
    where = "panel"
    yield from _directions_in(text, where)
    for heading in re.findall(r"^(.*) \(rule θ[123]\)$", text, re.MULTILINE)[:1]:
        yield from _kind(pair, heading, where)
    first = text.split("θ", 1)[0]
    if "is linked to" in first:
        yield from _sign(pair, first, where)
    reason = text.partition("(rule θ")[2].partition("(rule θ")[0]
    for pattern, given in (
        (rf"Weakest result: given {NAMES} \(.*?p {P}\)", True),
        (rf"Weakest result: with nothing conditioned on \(.*?p {P}\)", False),
        (rf"^{NAME} and {NAME} are associated \(.*?p {P}\)", False),
        (rf"Given {NAMES}, {pair[0]} and {pair[1]} are associated: .*?p {P}", True),
        (rf"other members added it: given {NAMES}, .*? \(.*?p {P}\)", True),
        (rf"There, given {NAMES}, .*? \(.*?p {P}\)", True),
        (rf"graph with the best score \(.*?p {P}\)", False),
        (rf"{pair[0]} and {pair[1]} are associated: .*?p {P}", False),
    ):
        match = re.search(pattern, reason, re.MULTILINE)
        if match is not None:
            yield _figures(pair, match.groups()[-1], match[1] if given else "", "", where)
            break


def _of_window(rendered: Rendered) -> Iterator[Claim]:
    where = "table in the window"
    for kind, rows in rendered.window.items():
        yield Claim("kind", (kind,), len(rows), where)
        for row in rows:
            yield Claim("kind", (row["Variable"],), kind, where)
            yield from _of_window_row(row, where)


def _of_window_row(row: Row, where: str) -> Iterator[Claim]:
    feature, labels = row["Variable"], row["Linked to"].split(", ")
    if len(labels) == 1:
        pair = (feature, labels[0])
        yield from _direction(*pair, row["Direction"], where)
        yield from _sign(pair, row.get("Sign", ""), where)
        yield from _kind(pair, row["As"], where)
        if row["p"]:
            yield _figures(pair, row["p"], row["Given"], row["Strength"], where)
        return
    # Each cell holds a line a label.
    for label, word in zip(labels, row["Direction"].split("; "), strict=True):
        yield from _direction(feature, label, word, where)
    if row.get("Sign"):
        for label, word in zip(labels, row["Sign"].split("; "), strict=True):
            yield from _sign((feature, label), word, where)
    for line in row["Direction tip"].splitlines()[1:]:
        label, _, word = line.partition(": ")
        yield from _direction(feature, label, word, where)
    for line in row["Linked to tip"].splitlines()[1:]:
        label, _, word = line.partition(": ")
        yield from _kind((feature, label), word, where)
        if ": " in word:
            yield from _direction(feature, label, word.partition(": ")[2], where)
    for line in row.get("Sign tip", "").splitlines()[1:]:
        label, _, word = line.partition(": ")
        yield from _sign((feature, label), word, where)
    for line in row["Strength tip"].splitlines()[1:]:
        match = re.match(rf"([FL]\d+): ([\d.]+) \(p {P}(?: given (.*))?", line)
        if match is not None:
            yield _figures((feature, match[1]), match[3], match[4] or "", match[2], where)


def _of_files(rendered: Rendered) -> Iterator[Claim]:
    rules = {"neighbour-equivalent": "equivalent", "spouse-equivalent": "equivalent"}
    first: set[tuple[str, str]] = set()
    for name, column in (("evidence.csv", "feature"), ("label_relations.csv", "related_label")):
        for row in rendered.files[name]:
            pair, rule = (row[column], row["label"]), row.get("rule") or row["relation"]
            if pair in first:
                continue
            first.add(pair)
            yield from _direction(*pair, row["statement"], name)
            yield Claim("kind", pair, rules.get(rule, rule), name)
            if row["log_p"]:
                log_p = float(row["log_p"])
                told = Figures(log_p - 1e-9, log_p + 1e-9, _names(row["given"]), float(row["strength"]))
                yield Claim("p", pair, told, name)
    for feature, labels in _counted_labels(rendered).items():
        yield Claim("kind", (feature,), "common" if len(labels) > 1 else "label-specific", "links.csv")
    for row in rendered.files["links.csv"]:
        if row["log_p"]:
            log_p = float(row["log_p"])
            told = Figures(log_p - 1e-9, log_p + 1e-9, _names(row["given"]), float(row["strength"]))
            yield Claim("p", (row["feature"], row["label"]), told, "links.csv")
    is_total = _is_total(rendered)
    for name, key in (("common.csv", "labels"), ("label_specific.csv", "label")):
        for row in rendered.files[name]:
            if not is_total:
                yield Claim("kind", (row["feature"],), name[:-4].replace("_", "-"), name)
            signs = row["sign"].split("; ") if row.get("sign") else []
            events = [event.strip('"') for event in row["event"].split("; ")] if signs else []
            for label, sign, event in zip(row[key].split("; "), signs, events, strict=False):
                told = f"{event} {sign.removesuffix(' with more')}"
                yield Claim("sign", (row["feature"], label), told, name)


def _of_report(rendered: Rendered) -> Iterator[Claim]:
    where = "report"
    yield from _directions_in(rendered.report_text, where)
    for row in (row for table in rendered.report_tables for row in table):
        first, second = ((row.get(column, "").split() or [""])[0] for column in ("Variable", "Label"))
        pair = first, second
        if not all(re.fullmatch(NAME, name) for name in pair):
            continue
        if "Relation" in row:
            yield from _kind(pair, row["Relation"], where)
            stated = re.match(r"direct neighbour: (.*?)(?: ⚑| and \d| second pass| ·|$)", row["Relation"])
            if stated is not None:
                yield from _direction(*pair, stated[1].strip(), where)
            if row["Relation"].startswith(("direct cause", "direct effect")):
                yield from _direction(*pair, " ".join(row["Relation"].split()[:2]), where)
            if row["p"] != "–":
                yield _figures(pair, row["p"], row["Given"], row["Strength"], where)
        if "Direction" in row:
            yield from _direction(*pair, row["Direction"], where)
        if "Direction of association" in row:
            yield from _sign(pair, row["Direction of association"], where)


# Background knowledge.
GIVEN = rf"{NAME} is (no cause|a cause) of {NAME}: background knowledge given with this run"
FORBIDDEN_WORDS = ("before the data were looked at", "so it was said", "known beforehand", "by themselves")


def _of_knowledge(rendered: Rendered) -> Iterator[Claim]:
    texts = {"overview": rendered.overview, "report": rendered.report_text}
    texts |= {f"panel of {' and '.join(pair)}": text for pair, text in rendered.panel.items()}
    listed = _listed_knowledge(rendered.report_text)
    has_knowledge = any(listed.values())
    yield Claim("knowledge", ("given",), has_knowledge, "report")
    for where, text in texts.items():
        for words in FORBIDDEN_WORDS:
            if words in text:
                yield Claim("knowledge", ("order of runs",), "given before the data were looked at", where)
        if "background knowledge" in text.lower():
            yield Claim("knowledge", ("given",), True, where)
        for first, word, second in re.findall(GIVEN, text):
            is_listed = (first, second) in listed[word]
            yield Claim("knowledge", (first, word, second), "given", where)
            yield Claim("knowledge", (first, word, second), "given" if is_listed else "not given", "report")


def _listed_knowledge(text: str) -> dict[str, set[tuple[str, str]]]:
    """Return which pairs the report's part on background knowledge speaks of."""
    part = text.partition("\nBackground knowledge\n")[2]
    tiers = [re.findall(NAME, names) for names in re.findall(r"^Tier \d+\n(.*)$", part, re.MULTILINE)]
    no_causes = {
        (later, earlier)
        for number, tier in enumerate(tiers)
        for earlier in tier
        for names in tiers[number + 1 :]
        for later in names
    }
    claimed: dict[str, set[tuple[str, str]]] = {"no cause": no_causes, "a cause": set()}
    for title, word in (("No direct cause", "no cause"), ("Direct cause", "a cause")):
        for line in re.findall(rf"^{title}\n(.*)$", part, re.MULTILINE):
            pairs = set(re.findall(rf"{NAME} → {NAME}", line))
            claimed[word] |= pairs
            # Causes never run in a circle.
            claimed["no cause"] |= {pair[::-1] for pair in pairs} if word == "a cause" else set()
    return claimed


# Spouses: whether the two are called causes of what stands between them, and which way its links run.
CALLED_CAUSES = "causes of a shared effect"
ONLY_LINKED = "linked through it, no causes told"
SPOUSE_SENTENCES = {
    rf"{NAME} is a spouse of {NAME}: {IF_MEASURED}, both are causes of {NAMES}, their": CALLED_CAUSES,
    rf"{NAME} is a spouse of {NAME}: both are causes of {NAMES}, their": CALLED_CAUSES,
    rf"{NAME} is a spouse of {NAME}: among rows alike in {NAMES} the two are associated": ONLY_LINKED,
    rf"{NAME} and {NAME} are spouses: {IF_MEASURED}, both are causes of {NAMES} \(": CALLED_CAUSES,
    rf"{NAME} and {NAME} are spouses: both are linked to {NAMES} as causes": CALLED_CAUSES,
    rf"{NAME} and {NAME} are spouses: associated among rows alike in {NAMES},": ONLY_LINKED,
}
EFFECT_OF_BOTH = "effect" + CONDITION
# What is told of a variable that may be called an effect if nothing is hidden.
TOLD_AS_EFFECT = {"effect", "effect, nothing hidden", "not a cause", "direct effect", EFFECT_OF_BOTH}


def _of_spouses(rendered: Rendered) -> Iterator[Claim]:
    texts = {"overview": rendered.overview, "report": rendered.report_text}
    texts |= {f"panel of {' and '.join(pair)}": text for pair, text in rendered.panel.items()}
    for where, text in texts.items():
        for pattern, said in SPOUSE_SENTENCES.items():
            for first, second, children in re.findall(pattern, text):
                yield Claim("spouse", tuple(sorted((first, second))), said, where)
                for child in _names(children) if said == CALLED_CAUSES else ():
                    for end in (first, second):
                        yield Claim("spouse", (child, end), EFFECT_OF_BOTH, where)
    for row in (row for rows in rendered.window.values() for row in rows):
        labels = row["Linked to"].split(", ")
        if len(labels) == 1:
            yield from _spouse_cell(row["Variable"], labels[0], row["As"], row["Direction"], "table")
    # Of labels that are neighbours from the other side, the direction is that of the edge between them.
    rows = rendered.files["label_relations.csv"]
    joined = {(row["label"], row["related_label"]) for row in rows if row["relation"].startswith("neighbour")}
    for name, column in (("evidence.csv", "feature"), ("label_relations.csv", "related_label")):
        for row in rendered.files[name]:
            relation = row.get("rule") or row["relation"]
            if (row[column], row["label"]) not in joined:
                yield from _spouse_cell(row[column], row["label"], relation, row["statement"], name)
    for edge in rendered.edges:
        pair, marks = (edge["first"], edge["second"]), (edge["mark_at_first"], edge["mark_at_second"])
        for (child, end), (mark, mark_at_end) in ((pair, marks), (pair[::-1], marks[::-1])):
            # An arrowhead at the one end alone: if nothing is hidden, it is an effect of the other.
            if mark == "arrowhead" != mark_at_end:
                yield Claim("spouse", (child, end), "not a cause", "result.json")


def _spouse_cell(feature: str, label: str, rule: str, direction: str, where: str) -> Iterator[Claim]:
    """Read whether a table calls a spouse one in the column of directions, too, or leaves that undecided."""
    said = {"spouse": CALLED_CAUSES, "undecided": ONLY_LINKED}.get(direction.lstrip("? "))
    if rule.split(" ")[0] == "spouse" and said is not None:
        yield Claim("spouse", tuple(sorted((feature, label))), said, where)


def _spouses_differ(claims: list[Claim]) -> Iterator[tuple[str, str]]:
    """Compare what is said of spouses, and with the directions of both to what stands between them."""
    told: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for claim in claims:
        if claim.kind == "direction":
            told[claim.about].add(str(claim.said))
            told[claim.about[::-1]].add(turned(str(claim.said)))
        elif claim.kind == "spouse" and claim.where == "result.json":
            told[claim.about].add(str(claim.said))
    said: dict[tuple[str, ...], dict[object, str]] = defaultdict(dict)
    for claim in claims:
        if claim.kind != "spouse" or claim.where == "result.json":
            continue
        if claim.said != EFFECT_OF_BOTH:
            said[claim.about][claim.said] = claim.where
            continue
        words = {word for word in told[claim.about] if not word.endswith(SUMMARY)}
        if not words or not words <= TOLD_AS_EFFECT:
            yield "spouse", f"{claim.where}: {claim.about} are effect and cause; elsewhere {sorted(words)}"
    for pair, words in said.items():
        if len(words) > 1:
            yield "spouse", f"{pair}: {words}"


# What must be read with care: a count in the overview, and marks wherever a finding is listed.
def _of_care(rendered: Rendered) -> Iterator[Claim]:
    marked = {(row["feature"], row["label"]): bool(row["flags"]) for row in rendered.files["evidence.csv"]}
    direct = dict(marked)
    if _is_total(rendered):
        marked = {(row["feature"], row["label"]): bool(row["flags"]) for row in rendered.files["links.csv"]}
    yield Claim("care", ("count",), sum(marked.values()), "evidence.csv or links.csv")
    counts = re.findall(r"(\d+) of \d+ findings? must be read with care", rendered.overview)
    yield Claim("care", ("count",), int(counts[0]) if counts else 0, "overview")
    for row in rendered.files["label_relations.csv"]:
        marked[row["related_label"], row["label"]] = bool(row["flags"])
    for pair, is_marked in (*direct.items(), *marked.items()):
        yield Claim("care", pair, is_marked, "evidence.csv or links.csv")
    by_label = re.split(
        r"\n(?:Causes and effects|Stability)\n", rendered.overview.partition("\nBy label\n")[2]
    )[0]
    for block in by_label.split("▢")[1:]:
        names = re.findall(NAME, block)
        if len(names) > 1:
            yield Claim("care", (names[1], names[0]), "with care" in block, "overview, by label")
    for label, text in rendered.listings.items():
        for block in re.split(r"\n[▢●○] ?", text.partition("strength\n")[2].join(("\n", ""))):
            name = re.match(NAME, block.strip())
            if name is not None:
                yield Claim("care", (name[1], label), "with care" in block, f"panel of {label}")
    for row in (row for rows in rendered.window.values() for row in rows):
        for label in row["Linked to"].split(", "):
            if not row.get("Doubts"):
                yield Claim("care", (row["Variable"], label), False, "table in the window")
            elif ", " not in row["Linked to"]:
                yield Claim("care", (row["Variable"], label), True, "table in the window")
    for row in (row for table in rendered.report_tables for row in table if "Relation" in row):
        pair = tuple((row.get(column, "").split() or [""])[0] for column in ("Variable", "Label"))
        if pair in marked:
            yield Claim("care", pair, "⚑" in row["Relation"], "report")


# What tells a direction or a grade.
REASON = re.compile(
    rf"{NAME} is (?:a cause|an effect|not a cause) of {NAME}: {NAMES} "
    rf"(?:are independent|is independent of {NAMES})"
    rf"(?: given {NAMES}| given the sets tested)?, and (?:become|becomes|not)\b.*?"
    rf"(?:so {NAME} is (?:a cause|no cause))"
)


def _of_reasons(rendered: Rendered) -> Iterator[Claim]:
    """Read which variables are told to be independent given which, and of what a third is a cause or none."""
    texts = {"overview": rendered.overview, "report": rendered.report_text}
    texts |= {f"panel of {' and '.join(pair)}": text for pair, text in rendered.panel.items()}
    for where, text in texts.items():
        for first, second, ends, others, given, middle in REASON.findall(text):
            apart = [*re.findall(NAME, ends), *re.findall(NAME, others)]
            names = [*apart, *re.findall(NAME, given)]
            about = {first, second} - {middle}
            sound = (
                len(names) == len(set(names)) and len(apart) > 1 and about <= set(names) and len(about) == 1
            )
            yield Claim("reason", (first, second), "sound" if sound else f"garbled: {ends}, {given}", where)


def contradictions(claims: Iterable[Claim]) -> list[tuple[str, str]]:
    """Return the kind of each contradiction, and which claims make it."""
    claims = list(claims)
    about: dict[tuple[str, tuple[str, ...]], list[Claim]] = defaultdict(list)
    for claim in claims:
        about[claim.kind, claim.about].append(claim)
    conflicts = list(_spouses_differ(claims))
    for (kind, _), group in about.items():
        if kind == "spouse":
            continue
        conflict = {"direction": _directions_differ, "p": _figures_differ}.get(kind, _words_differ)
        if conflict(group):
            conflicts.append(
                (
                    kind,
                    "; ".join(dict.fromkeys(f"{claim.where}: {claim.about} {claim.said}" for claim in group)),
                )
            )
    return conflicts


def _words_differ(group: list[Claim]) -> bool:
    is_never_right = any(
        claim.about == ("order of runs",) or (claim.kind == "reason" and claim.said != "sound")
        for claim in group
    )
    return is_never_right or len({claim.said for claim in group}) > 1


def _directions_differ(group: list[Claim]) -> bool:
    words = {str(claim.said) for claim in group}
    conditional = {word for word in words if word.endswith(CONDITION)}
    summaries = {word for word in words if word.endswith(SUMMARY)}
    stated = words - conditional - summaries
    if len(stated) > 1 or len(conditional) > 1 or ("undecided" in stated and conditional):
        return True
    if any(not asserted_by(summary) <= asserted_by(word) for summary in summaries for word in stated):
        return True
    asserted = {letter for word in words for letter in asserted_by(word)}
    return any(letter.swapcase() in asserted for letter in asserted)


def _figures_differ(group: list[Claim]) -> bool:
    told = [claim.said for claim in group if isinstance(claim.said, Figures)]
    strengths = [claim.strength for claim in told if claim.strength is not None]
    return (
        len({claim.given for claim in told}) > 1
        or max(claim.log_p_low for claim in told) > min(claim.log_p_high for claim in told)
        or bool(strengths and max(strengths) - min(strengths) > 0.0101)
    )
