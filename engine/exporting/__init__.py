"""Findings as files: tables, a graph, a report, everything as JSON."""

from __future__ import annotations

from engine.exporting.analysis import Analysis
from engine.exporting.registry import ExportFormat, export_formats
from engine.exporting.result_file import read_result
from engine.exporting.writing import export, export_file

__all__ = ["Analysis", "ExportFormat", "export", "export_file", "export_formats", "read_result"]
