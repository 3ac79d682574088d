"""What is said of runs: how far they are, and that they were stopped."""

from __future__ import annotations

FIRST_RUN_TAKES_LONGER = "the first run on a machine takes longer"
MAKING_READY = "making the table ready"
NO_LABEL_FINISHED = "the run was stopped before a label was finished."
NOTHING_TO_COMPARE = "{title}: nothing to compare yet."
