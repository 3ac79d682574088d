"""What several parts of the program say: of files, columns, rows, runs, findings, and what one may choose."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from engine.translation import N_, _
from engine.wording.phrases import either

NOT_THERE = N_("there is no such file.")
NO_PATH = N_("it is of the type {kind}, not a path.")
CHECK_PATH = N_("Check the path: {path}")
EMPTY = N_("the file is empty.")
CHOOSE_ONE_WITH_DATA = N_("Choose a file with data.")
CANNOT_BE_OPENED = N_("the file cannot be opened.")
COULD_NOT_BE_READ = N_("it could not be read ({reason}).")
COPY_TO_LOCAL_DISK = N_("Copy it to a local disk.")
CHOOSE_ANOTHER_FILE = N_("Choose another file, or copy it to a local disk.")
SAVE_AGAIN = N_("Open it where it was made and save it again, or export it as CSV.")
DAMAGED_FILE = N_("the file is damaged ({reason}).")
DAMAGED_WORKBOOK = N_("the workbook is damaged or cut off.")
NOT_ENOUGH_MEMORY = N_("there is not enough memory to read it.")
CLOSE_OTHER_PROGRAMS = N_("Close other programs, or save it again with fewer columns.")
FETCH_AGAIN = N_("Download or copy it again.")
FROM_NEWER_PROGRAM = N_("Use the version of the program that wrote it.")
CORRECT_LINE = N_("Correct the line, or get the file again.")
NOT_JSON = N_("this is not JSON.")
NOT_JSON_BECAUSE = N_("this is not JSON ({reason}).")
TOO_DEEP = N_("its parts are nested too deeply.")
REMOVE_ONE_OF_TWO = N_("Remove one of the two.")
CORRECT_NAME = N_("Correct the name.")
CHOOSE_ANOTHER_PLACE = N_("Choose another place.")
NO_MEANING_FOR_FORMAT = N_("it has no meaning for the format {title}.")
NO_SUCH_FORMAT = N_("{name!r} is not an export format.")
ARFF_HELP = N_("The same for Weka, Mulan and MEKA, with types, and the labels declared.")
DAMAGED_OR_OTHER_KIND = N_("the file is damaged or of another kind ({reason}).")
OPEN_SMALLER_TABLE = N_("Keep the columns and rows that matter and open that smaller table.")
NO_PROJECT = N_("this is not a project of CLCD, or it is damaged.")
OPEN_EARLIER_COPY = N_("Open an earlier copy of it.")


RENAME_ONE = N_("Rename one of them.")
NAME_OF_ITS_OWN = N_("Give each a name of its own.")
MAKE_LABEL_OR_FEATURE = N_("Make it a label or a feature.")
ONE_PURPOSE = N_("Give the column one purpose.")
SET_TO_IGNORED = N_("Set it to ignored.")
NO_LABEL_NAMED = N_("no label is named.")
NO_SUCH_COLUMN = N_("no column is named {name!r}.")
MAKE_A_DATASET = N_("Make it with `Dataset.from_frame`, or read a file with `read_dataset`.")
MAKE_A_RESULT = N_("Make it with `discover`.")
NAME_A_COLUMN = N_("Name at least one column.")
NO_ROWS = N_("the table has no rows.")
OPEN_TABLE_WITH_DATA = N_("Open a table with data.")
ROW_OF_OTHER_LENGTH = N_("the row has {found}, expected {expected}.")
CODES_NOT_WHOLE = N_("codes must be whole numbers, not {kind}.")
CODE_WITHOUT_LEVEL = N_("code {code} fits none of {levels} levels.")
TOO_FEW_TO_DRAW = N_("{rows} rows cannot be drawn.")
ASK_FOR_A_ROW = N_("Ask for at least 1 row.")
NO_SUCH_NODE = N_("no node is named {name!r}.")
NO_TABLE_TO_COMPARE_ON = N_("there is no table to compare on.")
INFINITE = N_("the number is infinite, or too large to be one.")
CORRECT_CELL = N_("Correct the cell or empty it.")
NOTHING_FITS_FILTER = N_("No {noun} or label fits the filter.")


FIRST_RUN_TAKES_LONGER = N_("the first run on a machine takes longer")
MAKING_READY = N_("making the table ready")
NO_LABEL_FINISHED = N_("the run was stopped before a label was finished.")
NOTHING_TO_COMPARE = N_("{title}: nothing to compare yet.")


NAME_HELP = N_("Its name, as in the table that was analysed.")
LINKS_ARE_COUNTED = N_("Links through other labels are counted.")
NO_COUNTED_LINK = N_("CLCD found no counted link between a variable and a label in these data.")
NOTHING_FOUND_FOR = N_("Nothing was found for {labels}.")
NO_PROOF = N_("A link does not prove a cause.")


WRITTEN_TO = N_("Written to {folder}: {files}.")
A_NUMBER = N_("A number {range_in_words}.")
CHOOSE_ONE = N_("Choose one of: {names}.")
CHOOSE_AMONG = N_("Choose among: {names}.")
DID_YOU_MEAN = N_("Did you mean {names}?")
NUMBERS_HAVE_AN_ORDER = N_("it holds numbers, which have an order already.")


def choose_one(names: Iterable[str]) -> str:
    """Name everything of which one can be chosen.

    >>> choose_one(["g2", "x2"])
    'Choose one of: g2, x2.'
    """
    return _(CHOOSE_ONE, names=", ".join(names))


def choose_among(names: Iterable[str]) -> str:
    """Name everything of which several can be chosen.

    >>> choose_among(["precision", "recall"])
    'Choose among: precision, recall.'
    """
    return _(CHOOSE_AMONG, names=", ".join(names))


def nearest_or(name: str, choices: Iterable[str], otherwise: str) -> str:
    """Ask whether a known name was meant that is like the given one; say something else when none is.

    >>> nearest_or("mising", ["missing", "bins"], "Leave it out.")
    "Did you mean 'missing'?"
    >>> nearest_or("colour", ["missing", "bins"], "Leave it out.")
    'Leave it out.'
    """
    near = get_close_matches(name, list(choices), n=1)
    return _(DID_YOU_MEAN, names=f"'{near[0]}'") if near else otherwise


def any_near_or(name: str, choices: Iterable[str], otherwise: str, most: int = 3) -> str:
    """Ask likewise whether one of several known names was meant."""
    near = get_close_matches(name, list(dict.fromkeys(choices)), n=most)
    return _(DID_YOU_MEAN, names=either([repr(name) for name in near])) if near else otherwise
