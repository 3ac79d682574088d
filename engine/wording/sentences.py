"""What several parts of the program say: of files, columns, rows, runs, findings, and what one may choose."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

NOT_THERE = "there is no such file."
NO_PATH = "it is of the type {kind}, not a path."
CHECK_PATH = "Check the path: {path}"
EMPTY = "the file is empty."
CHOOSE_ONE_WITH_DATA = "Choose a file with data."
CANNOT_BE_OPENED = "the file cannot be opened."
COULD_NOT_BE_READ = "it could not be read ({reason})."
COPY_TO_LOCAL_DISK = "Copy it to a local disk."
CHOOSE_ANOTHER_FILE = "Choose another file, or copy it to a local disk."
SAVE_AGAIN = "Open it where it was made and save it again, or export it as CSV."
DAMAGED_WORKBOOK = "the workbook is damaged or cut off."
NOT_ENOUGH_MEMORY = "there is not enough memory to read it."
CLOSE_OTHER_PROGRAMS = "Close other programs, or save it again with fewer columns."
FETCH_AGAIN = "Download or copy it again."
FROM_NEWER_PROGRAM = "Use the version of the program that wrote it."
CORRECT_LINE = "Correct the line, or get the file again."
TOO_DEEP = "its parts lie too deep inside each other."
REMOVE_ONE_OF_TWO = "Remove one of the two."
CORRECT_NAME = "Correct the name."
CHOOSE_ANOTHER_PLACE = "Choose another place."
NO_MEANING_FOR_FORMAT = "it has no meaning for the format {title}."
NO_SUCH_FORMAT = "{name!r} is no export format."
ARFF_HELP = "The same for Weka, Mulan and MEKA, with types, and the labels declared."
DAMAGED_OR_OTHER_KIND = "the file is damaged or of another kind ({reason})."
OPEN_SMALLER_TABLE = "Keep the columns and rows that matter and open that smaller table."
NO_PROJECT = "this is no project, or a damaged one."
OPEN_EARLIER_COPY = "Open an earlier copy of it."


RENAME_ONE = "Rename one of them."
NAME_OF_ITS_OWN = "Give each a name of its own."
MAKE_LABEL_OR_FEATURE = "Make it a label or a feature."
ONE_PURPOSE = "Give the column one purpose."
SET_TO_IGNORED = "Set it to ignored."
NO_LABEL_NAMED = "no label is named."
NO_SUCH_COLUMN = "no column is named {name!r}."
MAKE_A_DATASET = "Make it with `Dataset.from_frame`, or read a file with `read_dataset`."
MAKE_A_RESULT = "Make it with `discover`."
NAME_A_COLUMN = "Name at least one column."
NO_ROWS = "the table has no rows."
OPEN_TABLE_WITH_DATA = "Open a table with data."
ROW_OF_OTHER_LENGTH = "the row has {found}, expected {expected}."
CODES_NOT_WHOLE = "codes must be whole numbers, not {kind}."
CODE_WITHOUT_LEVEL = "code {code} fits none of {levels} levels."
TOO_FEW_TO_DRAW = "{rows} rows cannot be drawn."
ASK_FOR_A_ROW = "Ask for at least 1 row."
NO_SUCH_NODE = "no node is named {name!r}."
NO_TABLE_TO_COMPARE_ON = "there is no table to compare on."
INFINITE = "the number is infinite, or too large to be one."
CORRECT_CELL = "Correct the cell or empty it."
NOTHING_FITS_FILTER = "No {noun} or label fits the filter."


FIRST_RUN_TAKES_LONGER = "the first run on a machine takes longer"
MAKING_READY = "making the table ready"
NO_LABEL_FINISHED = "the run was stopped before a label was finished."
NOTHING_TO_COMPARE = "{title}: nothing to compare yet."


NAME_HELP = "Its name, as in the table that was analysed."
AS_FAR_AS_SHOWN = "as far as these data show"
NO_COUNTED_LINK = (
    f"No link of a variable with a label was found among those that are counted, {AS_FAR_AS_SHOWN}."
)
NOTHING_FOUND_FOR = "Nothing was found for {labels}."
NO_PROOF = "A link is no proof of a cause."


CHOOSE_ONE = "Choose one of: {names}."
CHOOSE_AMONG = "Choose among: {names}."
DID_YOU_MEAN = "Did you mean {names}?"
NUMBERS_HAVE_AN_ORDER = "it holds numbers, which have an order already."


def choose_one(names: Iterable[str]) -> str:
    """Name everything of which one can be chosen.

    >>> choose_one(["g2", "x2"])
    'Choose one of: g2, x2.'
    """
    return CHOOSE_ONE.format(names=", ".join(names))


def choose_among(names: Iterable[str]) -> str:
    """Name everything of which several can be chosen.

    >>> choose_among(["precision", "recall"])
    'Choose among: precision, recall.'
    """
    return CHOOSE_AMONG.format(names=", ".join(names))


def nearest_or(name: str, choices: Iterable[str], otherwise: str) -> str:
    """Ask whether a known name was meant that is like the given one; say something else when none is.

    >>> nearest_or("mising", ["missing", "bins"], "Leave it out.")
    "Did you mean 'missing'?"
    >>> nearest_or("colour", ["missing", "bins"], "Leave it out.")
    'Leave it out.'
    """
    near = get_close_matches(name, list(choices), n=1)
    return DID_YOU_MEAN.format(names=f"'{near[0]}'") if near else otherwise


def any_near_or(name: str, choices: Iterable[str], otherwise: str, most: int = 3) -> str:
    """Ask likewise whether one of several known names was meant."""
    near = get_close_matches(name, list(dict.fromkeys(choices)), n=most)
    return DID_YOU_MEAN.format(names=" or ".join(map(repr, near))) if near else otherwise
