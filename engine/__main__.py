"""``python -m engine`` does what the ``clcd`` command does."""

from __future__ import annotations

import sys

from engine.terminal import main

if __name__ == "__main__":
    sys.exit(main())
