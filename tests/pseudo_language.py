"""The pseudo-language of the tests: it knows the messages that translators would be given, and no others."""

from __future__ import annotations

import runpy
from functools import cache

from engine.translation import PseudoLanguage
from tests.contract.project_files import PROJECT


@cache
def pseudo_language() -> PseudoLanguage:
    """Collect the messages as the script of the packaging does."""
    collected = runpy.run_path(str(PROJECT / "packaging" / "messages.py"))["messages"]()
    texts: set[str] = set()
    for message in collected:
        texts.update([message.id] if isinstance(message.id, str) else message.id)
    return PseudoLanguage(texts - {""})
