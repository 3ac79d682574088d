"""The pages of the help: files, and what settings, columns and keys say of themselves; and the search."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget

import engine
from clcd_gui.document.examples import examples
from clcd_gui.resource_path import resource_path
from clcd_gui.shell.actions import GENERAL_CAPTION
from clcd_gui.shell.comparison import comparison_settings
from clcd_gui.widgets.help_links import COLUMNS, SETTINGS, HeadingHelp, column_anchor, setting_anchor
from clcd_gui.wording.setting_values import value_text
from clcd_gui.wording.text import OwnKeys, spaced_once
from engine.parameters import Parameter, parameters_of
from engine.translation import N_, _
from engine.wording.glossary import TERMS, Term
from engine.wording.phrases import plain_listing
from engine.wording.sentences import A_NUMBER

EXAMPLES = "examples"
_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
_HEADING = re.compile(r"(#{1,6}) (.+)")
_MARKS = re.compile(r"[*`|]|\]\([^)]*\)|\[|<[^>]+>|!\[")
_NO_WORD = re.compile(r"[^\w\- ]")
_EXCERPT = 110
_TITLE_OF_KEYS, _TITLE_OF_SETTINGS, _TITLE_OF_COLUMNS = (
    N_("Keys"),
    N_("Settings"),
    N_("Columns of the tables"),
)


@dataclass(frozen=True, slots=True)
class HelpPage:
    """One page, by its name in ``resources/help``; the first heading is its title."""

    name: str
    title: str
    group: str


@dataclass(frozen=True, slots=True)
class HelpSection:
    """A heading of a page with the text below it."""

    anchors: tuple[str, ...]
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that fits what was looked for."""

    page: HelpPage
    section: HelpSection
    excerpt: str

    @property
    def topic(self) -> str:
        """Where it stands."""
        return f"{self.page.name}#{self.section.anchors[-1]}"


def heading_anchor(heading: str) -> str:
    """Return the anchor that a heading has on the page of the project too.

    >>> heading_anchor("Stability"), heading_anchor("Row weights, and groups")
    ('stability', 'row-weights-and-groups')
    """
    return _NO_WORD.sub("", heading.casefold()).strip().replace(" ", "-")


def sections_of(text: str) -> Iterator[HelpSection]:
    r"""Cut a page at its headings.

    >>> [(each.heading, each.anchors) for each in sections_of('# A b\n\n<a id="x"></a>\n## C\n\nd')]
    [('A b', ('a-b',)), ('C', ('x', 'c'))]
    """
    anchors: list[str] = []
    heading = ""
    lines: list[str] = []
    own: tuple[str, ...] = ()
    for line in text.splitlines():
        anchor, title = _ANCHOR.fullmatch(line.strip()), _HEADING.fullmatch(line)
        if anchor is not None:
            anchors.append(anchor[1])
        elif title is not None:
            if heading:
                yield HelpSection(own, heading, "\n".join(lines))
            heading, lines, own = title[2], [], (*anchors, heading_anchor(title[2]))
            anchors = []
        else:
            lines.append(line)
    if heading:
        yield HelpSection(own, heading, "\n".join(lines))


class HelpLibrary:
    """Every page of the help; those of keys and of tables' columns are written when first needed."""

    KEYS = "keys.md"
    GATHERED = frozenset((KEYS, COLUMNS))
    """Pages that are gathered from all pages of the window."""

    def __init__(
        self, keys: Callable[[], str], columns: Callable[[], Mapping[str, Iterable[tuple[str, str]]]]
    ) -> None:
        self._made: dict[str, tuple[str, Callable[[], str]]] = {
            self.KEYS: (_TITLE_OF_KEYS, keys),
            SETTINGS: (_TITLE_OF_SETTINGS, settings_page),
            COLUMNS: (_TITLE_OF_COLUMNS, lambda: columns_page(columns())),
        }
        # A search asks for each page at each letter, and some are gathered from all that is in the window.
        self._written: dict[str, str] = {}
        self._searched: dict[str, list[tuple[HelpSection, str, str]]] = {}
        index = tomllib.loads(resource_path("help", "index.toml").read_text(encoding="utf-8"))
        self.pages = tuple(
            HelpPage(name, self._title(name), _(group["title"]))
            for group in index["group"]
            for name in self._named(group["pages"])
        )

    def text(self, name: str) -> str:
        """Return a page as Markdown."""
        if name in self._written:
            return self._written[name]
        if name in self._made:
            _, write = self._made[name]
            self._written[name] = write()
            return self._written[name]
        path = resource_path(*(() if name.startswith(f"{EXAMPLES}/") else ("help",)), *name.split("/"))
        if path.suffix != ".md" or not path.is_file():
            raise KeyError(name)
        return path.read_text(encoding="utf-8").replace("{version}", engine.__version__)

    def page(self, name: str) -> HelpPage | None:
        """Return a page by its name; None where there is none."""
        return next((page for page in self.pages if page.name == name), None)

    def search(self, words: str) -> list[Hit]:
        """List the sections that hold every word, those first whose heading does."""
        wanted = words.casefold().split()
        by_heading: list[Hit] = []
        by_text: list[Hit] = []
        for page in self.pages if wanted else ():
            for section, plain, folded in self._sections(page.name):
                heading = section.heading.casefold()
                if all(word in heading or word in folded for word in wanted):
                    hits = by_heading if all(word in heading for word in wanted) else by_text
                    hits.append(Hit(page, section, _excerpt(plain, wanted)))
        return by_heading + by_text

    def _sections(self, name: str) -> list[tuple[HelpSection, str, str]]:
        """Return the sections of a page, each with its text without marks, and that in small letters."""
        if name not in self._searched:
            sections = [(section, _plain(section.text)) for section in sections_of(self.text(name))]
            self._searched[name] = [(section, plain, plain.casefold()) for section, plain in sections]
        return self._searched[name]

    def _named(self, names: Sequence[str]) -> Iterator[str]:
        for name in names:
            if name == EXAMPLES:
                yield from (example.topic for example in examples())
            else:
                yield name

    def _title(self, name: str) -> str:
        if name in self._made:
            title, _write = self._made[name]
            return _(title)
        return next(sections_of(self.text(name))).heading


def _plain(text: str) -> str:
    return spaced_once(_MARKS.sub("", text))


def _excerpt(text: str, words: Sequence[str]) -> str:
    """Return the surroundings of the first word that is found."""
    folded = text.casefold()
    place = min((at for at in (folded.find(word) for word in words) if at >= 0), default=0)
    start = text.rfind(" ", 0, max(place - _EXCERPT // 3, 0)) + 1
    part = text[start : start + _EXCERPT]
    return f"{'… ' if start else ''}{part}{' …' if len(text) > start + _EXCERPT else ''}"


def glossary_page(terms: Sequence[Term] = TERMS) -> str:
    """Write the glossary as Markdown; ``resources/help/guide/glossary.md`` holds it."""
    lines = [f"# {_('Glossary')}", "", _("The window, reports and files use these terms in these meanings.")]
    for term in sorted(terms, key=lambda glossary_term: glossary_term.title.casefold()):
        also = [_("- **Also called:** {synonym}.", synonym=_(term.synonym))] if term.synonym else []
        meaning = f"{_(term.definition)} {_(term.more)}".strip()
        lines += ["", f'<a id="{term.key}"></a>', f"### {_(term.title)}", "", meaning]
        lines += ["", *also, _("- **Example:** {example}", example=_(term.example))]
    return "\n".join([*lines, ""])


def settings_page() -> str:
    """Write what every setting says of itself."""
    lines = [
        f"# {_(_TITLE_OF_SETTINGS)}",
        "",
        _("Every setting of the window, with its possible values and its default."),
    ]
    for title, settings_class, further in settings_classes():
        lines += ["", f"## {title}"]
        for parameter in (*further, *parameters_of(settings_class)):
            lines += ["", f'<a id="{setting_anchor(settings_class, parameter.name)}"></a>']
            lines += [f"### {_(parameter.title)}", "", *_explained(parameter)]
    return "\n".join([*lines, ""])


def settings_classes() -> tuple[tuple[str, type, tuple[Parameter, ...]], ...]:
    """Return what can be set in the window: title of the group, settings class, and settings beside it."""
    # Few ask for this page, so it costs the start nothing.
    from engine.boundaries.discovery_settings import DiscoverySettings
    from engine.discovery.row_split import SPLIT, RowSplit
    from engine.discovery.stability.result import StabilitySettings
    from engine.preparation.preparation_settings import PreparationSettings
    from engine.readers.options import ReadingOptions

    return (
        (_("How a file is read"), ReadingOptions, ()),
        (_("How the search is done"), DiscoverySettings, ()),
        (_("How the table is prepared"), PreparationSettings, ()),
        (_("How estimates are computed"), RowSplit, (SPLIT,)),
        (_("Stability"), StabilitySettings, ()),
        *comparison_settings(),
    )


def _explained(parameter: Parameter) -> list[str]:
    lines = [_(parameter.help)]
    if parameter.kind == "choice":
        lines.append("")
        for choice in parameter.choices:
            named = f"- **{_(choice.title)}**"
            lines.append(f"{named}: {_(choice.help)}" if choice.help else named)
    elif parameter.kind in ("integer", "number"):
        lines += ["", _(A_NUMBER, range_in_words=parameter.range_in_words())]
    first = parameter.default
    if isinstance(first, tuple):
        first = ", ".join(f"{number:g}" for number in first)
    else:
        first = value_text(parameter, first)
    return [*lines, "", _("Default: {first}.", first=first)]


def columns_page(tables: Mapping[str, Iterable[tuple[str, str]]]) -> str:
    """Write what every column of every table means; a column of several tables has one entry.

    >>> print(columns_page({"Common": [("Sign", "Which way.")], "Label-specific": [("Sign", "Which way.")]}))
    # Columns of the tables
    <BLANKLINE>
    <a id="column.sign"></a>
    ### Sign
    <BLANKLINE>
    Which way.
    <BLANKLINE>
    In Common and Label-specific.
    <BLANKLINE>
    """
    tables_by_text: dict[str, dict[str, list[str]]] = {}
    for table, columns in tables.items():
        for heading, text in columns:
            tables_by_text.setdefault(heading, {}).setdefault(text, []).append(table)
    lines = [f"# {_(_TITLE_OF_COLUMNS)}"]
    for heading in sorted(tables_by_text, key=str.casefold):
        lines += ["", f'<a id="{column_anchor(heading)}"></a>', f"### {heading}"]
        for text, where in tables_by_text[heading].items():
            lines += ["", text, "", _("In {tables}.", tables=plain_listing(where))]
    return "\n".join([*lines, ""])


def headings() -> dict[str, list[tuple[str, str]]]:
    """Return heading and explanation of every column whose heading offers help, by the name of its table."""
    explanations: dict[str, list[tuple[str, str]]] = {}
    for window in QApplication.topLevelWidgets():
        for heading_help in window.findChildren(HeadingHelp):
            explanations[heading_help.table_name] = heading_help.explained()
    return explanations


def keys_page(window: QMainWindow) -> str:
    """Write the keys of all commands of a window, and those that its controls answer themselves."""
    lines = [f"# {_(_TITLE_OF_KEYS)}"]
    for menu in window.menuBar().findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
        rows = [(_key_text(action), _plain_caption(action)) for action in commands_of(menu)]
        lines += _keys_table(_unmarked(menu.title()), [row for row in rows if row[0]])
    own = {widget_keys.where: widget_keys.keys for widget_keys in own_keys(window)}
    for where in sorted(own):
        lines += _keys_table(_(where), [(_(keys), _(does)) for keys, does in own[where]])
    return "\n".join([*lines, ""])


def commands_of(menu: QMenu) -> Iterator[QAction]:
    """Yield the commands of a menu and of the menus in it."""
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            yield from commands_of(below)
        elif not action.isSeparator():
            yield action


def own_keys(window: QWidget) -> Iterator[OwnKeys]:
    """Yield the keys that the controls of a window answer themselves."""
    for widget in window.findChildren(QWidget):
        listed = getattr(type(widget), "OWN_KEYS", None)
        if listed is not None:
            yield listed


def _keys_table(title: str, rows: Sequence[tuple[str, str]]) -> list[str]:
    if not rows:
        return []
    head = f"| {_('key')} | {_('does')} |"
    return ["", f"## {title}", "", head, "| --- | --- |", *(f"| {a} | {b} |" for a, b in rows)]


def _key_text(action: QAction) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(key.toString(native).replace("|", "\\|") for key in action.shortcuts())


def _plain_caption(action: QAction) -> str:
    # Undo and redo also say what they would undo now.
    return str(action.property(GENERAL_CAPTION) or _unmarked(action.text()).removesuffix("…"))


def _unmarked(text: str) -> str:
    """Take the sign off that names a letter to press."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")
