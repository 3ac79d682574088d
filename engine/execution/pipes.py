"""Pieces of bytes between two processes, each after its length."""

from __future__ import annotations

import struct
from typing import IO

_LENGTH = struct.Struct("<Q")


def send_piece(target: IO[bytes], piece: bytes) -> None:
    """Write a piece, which is on its way at the end."""
    target.write(_LENGTH.pack(len(piece)))
    target.write(piece)
    target.flush()


def received_piece(source: IO[bytes]) -> bytearray:
    """Read what :func:`send_piece` wrote.

    Examples
    --------
    >>> import io
    >>> pipe = io.BytesIO()
    >>> send_piece(pipe, b"one")
    >>> _ = pipe.seek(0)
    >>> bytes(received_piece(pipe))
    b'one'
    """
    (length,) = _LENGTH.unpack(exactly(source, _LENGTH.size))
    return exactly(source, length)


def exactly(source: IO[bytes], length: int) -> bytearray:
    """Read so many bytes."""
    content = bytearray(length)
    fill(source, memoryview(content))
    return content


def fill(source: IO[bytes], room: memoryview) -> None:
    """Fill a piece of memory; waiting for it lets other threads work."""
    filled = 0
    while filled < len(room):
        got = source.readinto(room[filled:])  # type: ignore[attr-defined]
        if not got:
            raise EOFError
        filled += got
