"""What the monkey noted, one line a part, and what it says."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.gui.resting import slope
from tests.gui.stall_watch import LONGEST_STALL

RECORD = "record.jsonl"
_MOST_TOLD = 15


def recorded(folder: Path) -> list[dict[str, Any]]:
    """Everything that was noted so far."""
    with contextlib.suppress(FileNotFoundError):
        return [json.loads(line) for line in (folder / RECORD).read_text().splitlines()]
    return []


def summary(part: dict[str, Any]) -> str:
    """Return what a part of the record says."""
    worked = [stall for stall in part["stalls"] if stall["worked"] > LONGEST_STALL]
    beside = [
        stall
        for stall in part["stalls"]
        if stall["worked"] <= LONGEST_STALL < stall["worked"] + stall["beside"]
    ]
    lines = [
        f"seed {part['seed']}: {part['actions']} actions, {len(part['wrong'])} wrong, {len(part['stalls'])} "
        f"stalls ({len(worked)} of work, {len(beside)} more with the monkey's own), "
        f"{slope(part['memory_at_rest']):+.2f} MB in 1000 actions at rest, "
        f"{slope(part.get('own_memory_at_rest', [])):+.2f} of it its own, "
        f"{slope(part['memory']):+.2f} with what is open"
    ]
    for text, count in Counter(fault["text"] for fault in part["wrong"]).most_common(_MOST_TOLD):
        lines.append(f"  {count} times: {text}")
    longest: dict[str, list[float]] = {}
    for stall in worked:
        longest.setdefault((stall["where"] or [stall["doing"]])[-1], []).append(stall["worked"])
    for place, seconds in sorted(longest.items(), key=lambda entry: -max(entry[1]))[:_MOST_TOLD]:
        lines.append(f"  {len(seconds)} stalls of up to {max(seconds):.2f} s in {place}")
    return "\n".join(lines) + "\n"
