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
    worked = [each for each in part["stalls"] if each["worked"] > LONGEST_STALL]
    beside = [
        each for each in part["stalls"] if each["worked"] <= LONGEST_STALL < each["worked"] + each["beside"]
    ]
    lines = [
        f"seed {part['seed']}: {part['actions']} actions, {len(part['wrong'])} wrong, {len(part['stalls'])} "
        f"stalls ({len(worked)} of work, {len(beside)} more with the monkey's own), "
        f"{slope(part['memory_at_rest']):+.2f} MB in 1000 actions at rest, "
        f"{slope(part.get('own_memory_at_rest', [])):+.2f} of it its own, "
        f"{slope(part['memory']):+.2f} with what is open"
    ]
    for text, count in Counter(each["text"] for each in part["wrong"]).most_common(_MOST_TOLD):
        lines.append(f"  {count} times: {text}")
    longest: dict[str, list[float]] = {}
    for each in worked:
        longest.setdefault((each["where"] or [each["doing"]])[-1], []).append(each["worked"])
    for place, seconds in sorted(longest.items(), key=lambda each: -max(each[1]))[:_MOST_TOLD]:
        lines.append(f"  {len(seconds)} stalls of up to {max(seconds):.2f} s in {place}")
    return "\n".join(lines) + "\n"
