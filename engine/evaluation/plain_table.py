"""Tables of plain cells, for comma-separated files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.reporting.csv_file import write_rows

Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A table ready to be written; a cell without a value is None."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def write(self, path: Path) -> None:
        """Write it as comma-separated values, numbers in full precision."""
        write_rows(path, self.columns, (map(_text, row) for row in self.rows))


def _text(value: Value) -> str:
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, float) else str(value)
