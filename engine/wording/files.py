"""What is said of files of every kind: that they are absent, damaged or of no use, and what helps."""

from __future__ import annotations

NOT_THERE = "there is no such file."
CHECK_PATH = "Check the path: {path}"
EMPTY = "the file is empty."
CHOOSE_ONE_WITH_DATA = "Choose a file with data."
CANNOT_BE_OPENED = "the file cannot be opened."
COULD_NOT_BE_READ = "it could not be read ({reason})."
COPY_TO_LOCAL_DISK = "Copy it to a local disk."
FETCH_AGAIN = "Download or copy it again."
FROM_NEWER_PROGRAM = "Use the version of the program that wrote it."
CORRECT_LINE = "Correct the line, or get the file again."
TOO_DEEP = "its parts lie too deep inside each other."
REMOVE_ONE_OF_TWO = "Remove one of the two."
CORRECT_NAME = "Correct the name."
CHOOSE_ANOTHER_PLACE = "Choose another place."
