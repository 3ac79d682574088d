"""What is said of the columns and rows of a table, wherever it comes from, and what helps."""

from __future__ import annotations

RENAME_ONE = "Rename one of them."
MAKE_LABEL_OR_FEATURE = "Make it a label or a feature."
ONE_PURPOSE = "Give the column one purpose."
SET_TO_IGNORED = "Set it to ignored."
NO_LABEL_NAMED = "no label is named."
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
