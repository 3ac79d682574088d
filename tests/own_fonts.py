"""The fonts that come with matplotlib, for all that the tests draw: sizes are the same on every desktop.

Which font "sans-serif" stands for hangs on what is installed beside the program, and with it every width. The
window, the processes that it starts and what makes PDF ask fontconfig, which is told of no other fonts here.
Elsewhere than on Linux nobody asks it.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
from pathlib import Path

_VARIABLE = "FONTCONFIG_FILE"
# Hinted as Debian has it.
_CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
  <match target="pattern">
    <edit name="family" mode="append_last"><string>DejaVu Sans</string></edit>
  </match>
  <match target="pattern">
    <edit name="hintstyle" mode="append"><const>hintslight</const></edit>
  </match>
</fontconfig>
"""
_folder: tempfile.TemporaryDirectory[str] | None = None


def activate() -> None:
    """Offer no other fonts to this process and to those that it starts; before any font is asked for."""
    global _folder
    if "PYTEST_XDIST_WORKER" in os.environ:
        # Those of the process that started this one.
        return
    matplotlib = importlib.util.find_spec("matplotlib")
    assert matplotlib is not None and matplotlib.origin is not None
    fonts = Path(matplotlib.origin).parent / "mpl-data" / "fonts" / "ttf"
    assert fonts.is_dir(), fonts
    _folder = tempfile.TemporaryDirectory(prefix="clcd-fonts-")
    configuration = Path(_folder.name) / "fonts.conf"
    cache = Path(_folder.name) / "cache"
    configuration.write_text(_CONFIGURATION.format(fonts=fonts, cache=cache), encoding="utf-8")
    os.environ[_VARIABLE] = str(configuration)
