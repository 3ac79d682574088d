"""What Python's zip module raises where a file is damaged: it has no error of its own for all of it."""

from __future__ import annotations

import lzma
import zipfile
import zlib

DAMAGED_ZIP = (zipfile.BadZipFile, NotImplementedError, ValueError)
"""While a file is opened: not a zip file, packed in an unknown way, or with names that are no text."""

DAMAGED_ENTRY = (*DAMAGED_ZIP, KeyError, RuntimeError, EOFError, zlib.error, lzma.LZMAError, OSError)
"""While something in it is read: absent, cut off, encrypted, not what its checksum says; and the former."""
