"""Making a table ready for analysis: useless columns, missing values, numbers into categories."""

from __future__ import annotations

from engine.preparation.preparation_settings import PreparationSettings
from engine.preparation.prepare import FEWEST_ROWS, prepare, prepared_for_measuring

__all__ = ["FEWEST_ROWS", "PreparationSettings", "prepare", "prepared_for_measuring"]
