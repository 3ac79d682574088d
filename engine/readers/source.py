"""The bytes of a file, unpacked when gzipped, with every failure named."""

from __future__ import annotations

import gzip
import os
import zlib
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import cast

from engine.errors import UnreadableFile

CHUNK = 1 << 20
"""Bytes read at once."""

MAX_BYTES = 2 << 30
"""Largest table, unpacked, that is taken into memory: 2 GiB."""

MAX_RATIO = 250
"""A gzip file that grows by more than this once past `RATIO_FROM` is taken for a bomb."""

RATIO_FROM = 256 << 20
"""Unpacked bytes up to which any ratio is accepted: 256 MiB hurt nobody."""

_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Source:
    """One file on disk.

    Attributes
    ----------
    path : Path
        Its location.

    Examples
    --------
    >>> Source(Path("tables/emotions.arff.gz")).extension
    '.arff'
    """

    path: Path

    @property
    def place(self) -> str:
        """The file as error messages name it."""
        return f"file '{self.path.name}'"

    @property
    def extension(self) -> str:
        """Lower-case extension that tells the format; a trailing ``.gz`` is left out."""
        suffixes = [suffix.lower() for suffix in self.path.suffixes[-2:]]
        if suffixes and suffixes[-1] == ".gz":
            suffixes.pop()
            return suffixes[-1] if suffixes else ""
        return suffixes[-1] if suffixes else ""

    def read(self, line_limit: int | None = None) -> tuple[bytes, bool]:
        """Read the whole file, or a beginning that holds at least `line_limit` whole lines.

        Parameters
        ----------
        line_limit : int, optional
            Stop early once this many lines are read; the cut falls behind a line.

        Returns
        -------
        content : bytes
        complete : bool
            Whether this is the whole file.

        Raises
        ------
        UnreadableFile
            When the file is absent, a directory, forbidden, empty, damaged or too large.
        """
        chunks: list[bytes] = []
        complete = True
        try:
            with self.path.open("rb") as file:
                packed = file.peek(2)[:2] == _GZIP_MAGIC
                size = os.fstat(file.fileno()).st_size
                stream = cast(BufferedIOBase, gzip.GzipFile(fileobj=file)) if packed else file
                total = lines = 0
                while chunk := stream.read(CHUNK):
                    chunks.append(chunk)
                    total += len(chunk)
                    self._check_size(total, size, packed)
                    if line_limit is not None:
                        lines += chunk.count(b"\n")
                        if lines >= line_limit and stream.read(1):
                            complete = False
                            break
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UnreadableFile(
                "the gzip file is damaged or cut off.",
                place=self.place,
                remedy="Download or copy it again.",
            ) from error
        except OSError as error:
            raise self._explain(error) from error
        content = b"".join(chunks)
        if not content.strip(b" \t\r\n\x00\xef\xbb\xbf\xff\xfe"):
            raise UnreadableFile(
                "the file is empty.", place=self.place, remedy="Choose a file that holds a table."
            )
        if not complete:
            content = content[: content.rfind(b"\n") + 1]
        return content, complete

    def _check_size(self, total: int, size: int, packed: bool) -> None:
        if packed and total > RATIO_FROM and total > size * MAX_RATIO:
            raise UnreadableFile(
                f"it unpacks to more than {MAX_RATIO} times its size, as no real table does.",
                place=self.place,
                remedy="If you trust it, unpack it yourself and open the result.",
            )
        if total > MAX_BYTES:
            raise UnreadableFile(
                f"the table is larger than {MAX_BYTES >> 30} GB.",
                place=self.place,
                remedy="Keep the columns and rows that matter and open that smaller table.",
            )

    def _explain(self, error: OSError) -> UnreadableFile:
        if isinstance(error, FileNotFoundError):
            return UnreadableFile(
                "there is no such file.", place=self.place, remedy=f"Check the path: {self.path}"
            )
        if isinstance(error, IsADirectoryError) or self.path.is_dir():
            return UnreadableFile(
                "this is a directory, not a file.",
                place=f"'{self.path}'",
                remedy="Choose a file inside it.",
            )
        if isinstance(error, PermissionError):
            return UnreadableFile(
                "it may not be read.",
                place=self.place,
                remedy="Ask its owner for the right to read it, or open a copy.",
            )
        reason = error.strerror or str(error)
        return UnreadableFile(
            f"it could not be read ({reason}).", place=self.place, remedy="Copy it to a local disk."
        )
