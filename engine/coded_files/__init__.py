"""Coded tables in files that are mapped into memory rather than read, so that they may exceed it."""

from __future__ import annotations

from engine.coded_files.opening import open_coded
from engine.coded_files.writing import CodedTableWriter, write_coded

__all__ = ["CodedTableWriter", "open_coded", "write_coded"]
